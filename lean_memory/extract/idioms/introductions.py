"""Introductions, names and numbers, and what is said without a verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.dated import dated
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["contact", "counted_children", "engagement", "fragments", "named_after_you", "naming"]

_FRAGMENT_BE = frozenset(
    "back from based originally allergic married engaged single divorced born raised vegan vegetarian "
    "living working studying".split()
)
_CHILD_ADJECTIVES = frozenset("little young small lovely beautiful grown-up adult teenage".split())
_CHILDREN = frozenset("kids children sons daughters boys girls".split())
_FRAGMENT_OPENERS = frozenset("and also plus with currently now still".split())
_FIRST_FRAGMENTS = frozenset("based living allergic originally married engaged back".split())
_PROFILE = frozenset("facts intro bio profile about me basics summary".split())
_COUNTS = frozenset("one two three four five a an no".split())
_NUMBERS = {
    "number": "phone",
    "mobile": "phone",
    "phone": "phone",
    "cell": "phone",
    "extension": "phone",
    "email": "email",
    "e-mail": "email",
}
_OLD = ("-year-old", "yo", "y/o")
_REACH = frozenset("reach contact email e-mail mail call text ring message phone write whatsapp ping get catch".split())


def naming(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`The new hire is called Sun`, `she's called Fern`, `I named him Rex`: the one meant has a name now."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        i = verb.end
        if verb.neg or s.stated(clause, index, clauses) == 0.0:
            continue
        if verb.lemma == "be" and i + 1 < clause.hi and s.toks[i].low in ("called", "named"):
            at = i + 1
            who = s.who(clause, index, clauses)
        elif verb.lemma in ("name", "call") and i + 1 < clause.hi and s.toks[i].low in ("him", "her", "it", "them"):
            at = i + 1
            target = s.turn.unnamed
            who = [(target.name, 0.8, target.kind)] if target else []
            if not who and s.toks[i].low != "it":
                found = s.antecedent(s.toks[i].low, i)
                who = [(found.name, 0.8, found.kind)] if found else []
        else:
            continue
        values = s.clean("name", at, clause.hi)
        if not values:
            continue
        target = s.turn.unnamed or next(
            (p for p in reversed(s.turn.memory.people) if who and p.name == who[0][0]), None
        )
        if target is None or target.named:
            continue
        got += s.rename(target, values[0].text, s.span(clause))
    return got


def contact(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`you can reach me at a@example.org`, `call me on 555-0100`."""
    toks = s.toks
    got: list[Reading] = []
    for i, t in enumerate(toks):
        if t.low not in ("me", "us") or i == 0 or toks[i - 1].low not in _REACH or i + 1 >= len(toks):
            continue
        if any(x.low in ("if", "not", "never") for x in toks[max(0, i - 5) : i]) and not any(
            x.kind == "x" for x in toks[i:]
        ):
            continue
        for predicate in ("email", "phone"):
            values = s.clean(predicate, i + 1, len(toks))
            if values and predicate in s.e.table:
                begin = i - 1
                got.append(
                    Reading(
                        s.turn.speaker,
                        predicate,
                        values[0].text,
                        toks[begin].start,
                        toks[values[0].b - 1].end,
                        starts=s.turn.t_ref,
                        confidence=0.85,
                    )
                )
                break
    for i, t in enumerate(toks):  # `the best address is a@b.org`
        if t.kind != "x" or "@" not in t.text or not i or toks[i - 1].low != "is" or s.question:
            continue
        lead = [x.low for x in toks[max(0, i - 8) : i]]
        if {"'s", "his", "her", "their", "your"} & {*lead}:
            continue
        if {"address", "email", "e-mail", "mail", "contact"} & {*lead} and not got:
            begin = toks[max(0, i - 2)].start
            got.append(Reading(s.turn.speaker, "email", t.text, begin, t.end, starts=s.turn.t_ref, confidence=0.75))
    for i, t in enumerate(toks[:-4]):  # `save my new number, it's 555-0100`
        if t.low not in ("my", "our"):
            continue
        j = next((k for k in range(i + 1, min(len(toks) - 3, i + 4)) if toks[k].low in _NUMBERS), None)
        k = j + 1 + (toks[j + 1].low in (",", ":", "—", "-", ";", ".")) if j is not None else 0
        if j is None or k + 2 >= len(toks) or toks[k].low != "it" or toks[k + 1].low not in ("is", "'s"):
            continue
        predicate = _NUMBERS[toks[j].low]
        got += [
            Reading(s.turn.speaker, predicate, v.text, t.start, toks[v.b - 1].end, starts=s.turn.t_ref, confidence=0.9)
            for v in s.clean(predicate, k + 2, len(toks))[:1]
            if predicate in s.e.table
        ]
    return [] if any(r.predicate == g.predicate for r in out for g in got) else got


def named_after_you(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I'm Jonas, a 29-year-old architect from Bremen`: the rest of an introduction."""
    toks = s.toks
    got: list[Reading] = []
    if s.question:
        return []
    for i, t in enumerate(toks):
        old = t.low.endswith(_OLD) or (
            t.kind == "n" and i + 1 < len(toks) and toks[i + 1].low in ("yo", "y/o", "year-old")
        )
        if not old:
            continue
        years = t.low.split("-")[0]
        if not years.rstrip("yo").isdigit():
            continue
        a = i
        while a > 0 and toks[a - 1].low not in (",", ";") and i - a < 2:
            a -= 1
        name = next((r for r in out if r.predicate == "name"), None)
        if name is not None or (a > 1 and toks[a - 1].low == "am" and toks[a - 2].low == "i"):
            got.append(
                Reading(s.turn.speaker, "age", years.rstrip("yo"), t.start, t.end, starts=s.turn.t_ref, confidence=0.85)
            )
    names = [r for r in out if r.predicate == "name"]
    if names:
        for i, t in enumerate(toks):
            if t.low == "," and i + 2 < len(toks) and toks[i + 1].low in ("a", "an"):
                b = i + 1
                while b < len(toks) and not (toks[b].kind == "p" and toks[b].low in ",;.!"):
                    b += 1
                got += _understood(
                    s,
                    "be",
                    i + 1,
                    i + 1,
                    b,
                    [(s.turn.speaker, 0.8, "person")],
                    {"job_title", "works_at", "from", "is_a"},
                )
    return [r for r in got if not any(o.predicate == r.predicate and o.subject == r.subject for o in out)]


def counted_children(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`with my husband and our two kids`."""
    toks = s.toks
    for i, t in enumerate(toks[:-2]):
        if t.low in ("my", "our") and (
            toks[i + 1].kind == "n" or toks[i + 1].low in ("two", "three", "four", "five", "six")
        ):
            j = i + 2
            while j < min(len(toks), i + 4) and toks[j].low in _CHILD_ADJECTIVES:
                j += 1
            if j < len(toks) and toks[j].low in _CHILDREN:
                text = s.text(i + 1, j + 1)
                return [
                    Reading(
                        s.turn.speaker, "parent_of", text, t.start, toks[j].end, starts=s.turn.t_ref, confidence=0.8
                    )
                ]
    return []


def fragments(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`.. I'm 34, originally from Graz, two kids, one beagle named Rex`: the verb is understood."""
    toks = s.toks
    others = len(toks) > 2 and toks[0].low == "about" and toks[1].low not in ("me", "us", "myself")
    if s.question or others:
        return []
    first = {"i", "me", "we", "name"} | ({"my"} if len(toks) > 1 and toks[1].low == "name" else set())
    me = any(r.subject == s.turn.speaker and not r.negative for r in out)
    got: list[Reading] = []
    verbs = {v.start for c in clauses for v in c.verbs}
    starts = [0] + [
        i + 1
        for i, t in enumerate(toks)
        if (t.kind == "p" and t.low in ",;:—-(")
        or (t.low == "and" and i + 1 < len(toks) and toks[i + 1].low in _FRAGMENT_BE)
    ]
    for n, a in enumerate(starts):
        b = starts[n + 1] - 1 if n + 1 < len(starts) else len(toks)
        while b > a and toks[b - 1].kind == "p":
            b -= 1
        while a < b and toks[a].low in _FRAGMENT_OPENERS:
            a += 1
        if a >= b or any(a <= v < b for v in verbs) or (n == 0 and len(starts) > 1 and toks[a].low not in _FRAGMENT_BE):
            continue
        low = toks[a].low
        using = (
            (s.forms(low) or ("", ""))[1] == "g" and toks[b - 1].low in ("now", "instead", "nowadays") and b - a >= 3
        )
        if n == 0 and not (low in _FIRST_FRAGMENTS and b - a <= 9):
            continue
        profile = any(t.low in _PROFILE for t in toks[:5])
        if n and not (me or toks[0].low in first or using or profile):
            continue
        who = [(s.turn.speaker, 0.8, "person")]
        if low in _FRAGMENT_BE or using:
            lemma, at = ("be", a)
            known = s.forms(low)
            if known and known[1] == "g":
                lemma, at = known[0], a + 1
            if low == "from" and any(t.low == "to" for t in toks[a:b]):
                continue
            if low == "originally" and a + 1 < b and toks[a + 1].low == "from":
                at = a + 1
            got += _understood(s, lemma, at, a, b, who, None)
        elif (
            toks[a].kind == "n"
            and b - a == 1
            and toks[a].low.isdigit()
            and 10 < int(toks[a].low) < 100
            and n <= 3
            and (me or profile)
        ):
            got += _understood(s, "be", a, a, b, who, {"age"})
        elif _of_another(s, clauses, a):  # `she adopted a child, a girl named Ida`
            continue
        elif toks[a].kind == "n" or low in _COUNTS or low in ("kids", "mum", "mom", "dad"):
            got += _understood(s, "have", a, a, b, who, {"has_pet", "parent_of"})
            if not got:
                got += _understood(s, "be", a, a, b, who, {"job_title", "works_at"})
    return [
        r
        for r in got
        if not any(
            o.object == r.object
            and (o.subject == r.subject or r.predicate == "job_title")  # `two ferrets, Salt and Pepper`
            for o in out
        )
    ]


def _of_another(s: Sentence, clauses: list[Clause], a: int) -> bool:
    """Is the clause before the fragment at a about somebody else?"""
    last = next((i for i in range(len(clauses) - 1, -1, -1) if clauses[i].lo <= a), None)
    if last is None or clauses[last].subject is None:
        return False
    who = s.who(clauses[last], last, clauses)
    return not any(name == s.turn.speaker for name, _, _ in who) and any(kind == "person" for _, _, kind in who)


def _understood(
    s: Sentence, lemma: str, at: int, a: int, b: int, who: list[tuple[str, float, str]], only: set[str] | None
) -> list[Reading]:
    verb = Verb(lemma, a, at, bare=True)
    clause = Clause(a, b, None, [], [verb], elided=True, broken=True)
    found = s.verb(clause, verb, who, set())
    return [r for r in found if only is None or r.predicate in only]


def engagement(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I'm engaged! Lea asked me, I said yes`; `Ben proposed`: who with stands in another sentence."""
    turn = s.turn
    asker: Mention | None = None
    engaged = False
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if s.stated(clause, index, clauses) == 0.0 or verb.neg:
            continue
        tail = [t.low for t in s.toks[verb.end : clause.hi]]
        m = s.mention_at(*clause.subject) if clause.subject else None
        if (
            verb.lemma == "propose"
            and verb.tense in ("past", "perf")
            and m
            and m.kind == "person"
            and tail[:1] in ([], ["."], ["!"], ["to"])
        ):
            if tail[:1] != ["to"] or tail[1:2] == ["me"]:
                asker = m
        elif verb.lemma in ("ask",) and tail[:1] == ["me"] and m and m.kind == "person":
            asker = m
        elif verb.lemma == "say" and tail[:1] == ["yes"]:
            engaged = engaged or asker is not None
        elif (
            verb.lemma in ("be", "get")
            and tail[:1] == ["engaged"]
            and not any(r.predicate == "engaged_to" for r in out)
        ):
            me = [n for n, _, _ in s.who(clause, index, clauses)]
            engaged = engaged or turn.speaker in me
    if not clauses and len(s.toks) <= 4 and any(t.low == "engaged" for t in s.toks):
        engaged = True
    if any(c.verbs[0].lemma == "propose" for c in clauses) and asker is not None:
        engaged = True if any(t.low == "me" for t in s.toks) else engaged
    turn.asker = asker.name if asker else turn.asker
    turn.engaged = engaged or turn.engaged
    if turn.asker and turn.engaged and (asker or engaged):
        a, b = s.toks[0].start, s.toks[-1].end
        name, turn.asker, turn.engaged = turn.asker, None, False
        start = dated(s, s.times().pick("at")).when
        return [Reading(turn.speaker, "engaged_to", name, a, b, starts=start, confidence=0.75, derived=True)]
    return []
