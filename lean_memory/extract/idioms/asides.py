"""What a clause takes for granted: `when I was still at Acme`, `the team I manage`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["no_longer", "once_there", "what_one_leads"]

_AFTER = frozenset("every each all some many most we i he she they the my our it , there".split())
_LED = frozenset("team group squad crew department unit division office branch".split())
_LEADS = frozenset("manage lead run supervise head oversee".split())
_PLURAL = frozenset("people engineers developers devs designers nurses folks staff members colleagues persons".split())


def once_there(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`When I was still at Acme, ..`, `back when Ben was with Acme`: a job that is over."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        i = verb.end
        if verb.lemma != "be" or verb.tense != "past" or verb.neg or verb.inverted or i + 1 >= len(s.toks):
            continue
        marked = (clause.marker or "").split()[-1:] in (["when"], ["while"], ["since"]) or "still" in verb.adverbs
        if not marked or s.toks[i].low not in ("at", "with") or s.question:
            continue
        if clause.marker == "since" or s.stated(clause, index, clauses) == 0.0:
            continue
        stop = next((k for k in range(i + 1, len(s.toks)) if s.toks[k].low in _AFTER), clause.hi)
        values = s.clean("school_known", i + 1, stop) or s.clean("org_named", i + 1, stop)
        school = bool(s.clean("school_known", i + 1, stop))
        a, b = s.span(clause)
        for name, sure, kind in s.who(clause, index, clauses):
            if kind == "person" and values:
                predicate = "studies_at" if school else "works_at"
                got.append(
                    Reading(
                        name, predicate, values[0].text, a, b, ends=s.turn.t_ref, confidence=min(sure, 0.8), past=True
                    )
                )
    return new(got, out)


def what_one_leads(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`There are 12 people in the team I lead`, `the department she runs has 30 nurses`."""
    toks = s.toks
    for i, t in enumerate(toks[1:-2], 1):
        if t.low not in _LED or toks[i + 1].low not in s.e.lex["nominative"] | {"that"} or s.question:
            continue
        k = i + 1 + (toks[i + 1].low == "that")
        known = s.forms(toks[k + 1].low) if k + 1 < len(toks) else None
        if known is None or known[0] not in _LEADS or ("b" not in known[1] and "s" not in known[1]):
            continue
        low = toks[k].low
        found = s.antecedent(low, k) if low in ("he", "she", "they") else None
        owner = s.turn.speaker if low in ("i", "we") else found.name if found else None
        if owner is None or toks[i - 1].low in ("a", "any", "every", "no", "your"):
            continue
        a = i
        while a > 0 and toks[a - 1].kind == "w" and toks[a - 1].low not in ("the", "my", "our", "in", "on", "this"):
            a -= 1
        count = next(
            (x for x in range(max(0, a - 6), a) if toks[x].kind == "n" or toks[x].low in s.e.lex["numbers"]), None
        )
        who = count is not None and count + 1 < a and toks[count + 1].low in _PLURAL
        text = s.text(count, count + 2) if who and count is not None else s.text(a, i + 1)
        begin = toks[count if who and count is not None else a].start
        got = [Reading(owner, "manages", text, begin, toks[k + 1].end, starts=s.turn.t_ref, confidence=0.8)]
        return new(got, out) if not any(r.predicate == "manages" and r.subject == owner for r in out) else []
    return []


def no_longer(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`No longer vegan, no longer at Acme`, `no more Slack, we use Zulip`: what was is over."""
    toks = s.toks
    got: list[Reading] = []
    if s.question:
        return []
    for i in range(len(toks) - 2):
        pair = (toks[i].low, toks[i + 1].low)
        opens = i == 0 or toks[i - 1].kind == "p" or toks[i - 1].low in ("and", "so", "but")
        if not opens or pair not in (("no", "longer"), ("no", "more")):
            continue
        a = i + 2
        stop = next(
            (k for k in range(a, len(toks)) if toks[k].kind == "p" or toks[k].low in ("and", "but", "so")), len(toks)
        )
        if stop <= a or stop - a > 5 or any(i <= v.start < stop for c in clauses for v in c.verbs):
            continue
        if pair[1] == "more":
            uses = any(r.predicate == "uses" and r.ends is None and not r.negative for r in out)
            values = s.clean("tool_named", a, stop) if uses else []
            got += [_over(s, s.turn.speaker, "uses", v.text, i, stop) for v in values[:1]]
            continue
        verb = Verb("be", i, a, bare=True)
        clause = Clause(a, stop, None, [], [verb], elided=True, broken=True)
        for r in s.verb(clause, verb, [(s.turn.speaker, 0.75, "person")], set()):
            got.append(_over(s, r.subject, r.predicate, r.object, i, stop))
    return new(got, out)


def _over(s: Sentence, who: str, predicate: str, value: str, a: int, b: int) -> Reading:
    toks = s.toks
    return Reading(who, predicate, value, toks[a].start, toks[b - 1].end, ends=s.turn.t_ref, confidence=0.8, past=True)
