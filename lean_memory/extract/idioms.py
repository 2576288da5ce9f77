"""Turns of phrase that no `verb + object` pattern covers: echoes, fragments, last days, `according to`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["IDIOMS"]

_PET_CUES = re.compile(
    r"\b(?:poor (?:old )?(?:thing|boy|girl|baby|guy|lad|love)|old (?:thing|boy|girl)|vet|paws?|fur|tank"
    r"|cage|litter|good (?:boy|girl)|rainbow bridge|bowl|hutch)\b",
    re.IGNORECASE,
)
_FRAGMENT_BE = frozenset(
    "back from based originally allergic married engaged single divorced born raised vegan vegetarian "
    "living working studying".split()
)
_AFTER_ECHO = frozenset(". ! , who instead you actually i".split()) | {""}
_ECHO_VERBS = frozenset("do does did is are am has have was".split())
_TOO_VERBS = frozenset("does do is am are has have 's".split())
_LEAVING = frozenset("leave quit finish resign retire stop go end".split())
_TIME_OPENERS = frozenset("in on last this yesterday two three a back just at around earlier".split())
_START_OPENERS = frozenset("in on last this yesterday today two three a just at back".split())
_TAKEN_ENDS = frozenset("in on from last this now . ! for since yesterday instead".split())
_CHILD_ADJECTIVES = frozenset("little young small lovely beautiful grown-up adult teenage".split())
_CHILDREN = frozenset("kids children sons daughters boys girls".split())
_SPANS = frozenset("year decade month stint season week".split())
_FRAGMENT_OPENERS = frozenset("and also plus with currently now still".split())
_FIRST_FRAGMENTS = frozenset("based living allergic originally married engaged back".split())
_PROFILE = frozenset("facts intro bio profile about me basics summary".split())
_COUNTS = frozenset("one two three four five a an no".split())


def echoes(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I'm not allergic to nuts, that's Ben`; `X uses Redis and so does Y`; `Lea is a member too`."""
    toks = s.toks
    got: list[Reading] = []
    previous = [*s.turn.last, *out]
    for clause in clauses:
        verb = clause.verbs[0]
        a, b = clause.subject or (clause.lo, clause.lo)
        head = toks[a].low if b > a else ""
        # that's Ben: the denied thing is true of another.
        if head in ("that", "it") and verb.lemma == "be" and not verb.neg and not verb.inverted:
            denied = [r for r in out or s.turn.last if r.negative and r.predicate not in ("dislikes",)]
            m = next((m for m in s.mentions if m.start == verb.end and m.kind == "person"), None)
            after = toks[m.end].low if m and m.end < clause.hi else ""
            if denied and m and after in _AFTER_ECHO:
                got += [
                    replace(
                        r,
                        subject=m.name,
                        negative=False,
                        start=toks[clause.lo].start,
                        end=toks[m.end - 1].end,
                        confidence=0.75,
                    )
                    for r in denied
                    if True
                ]
            continue
        # so does Y, neither does Ben
        lead = toks[verb.start - 1].low if verb.start else ""
        if (verb.inverted and lead in ("so", "neither", "nor") and verb.lemma in ("do", "be", "have")) or (
            lead in ("so", "neither", "nor") and toks[verb.start].low in _ECHO_VERBS
        ):
            stop = verb.start + 1
            m = next((m for m in s.mentions if m.start == stop), None)
            name = (
                m.name
                if m
                else s.thing(stop, min(len(toks), stop + 1))
                if stop < len(toks) and toks[stop].capital
                else None
            )
            name = s.turn.speaker if stop < len(toks) and toks[stop].low in ("i", "we") else name
            base = [r for r in previous if r.subject != name]
            if name and base:
                last = base[-1]
                end = m.end if m else stop + 1
                got += [
                    replace(r, subject=name, start=toks[verb.start - 1].start, end=toks[end - 1].end, confidence=0.75)
                    for r in base
                    if r.predicate == last.predicate and r.start == last.start
                ]
    got += _too(s, clauses, previous)
    return got


def _too(s: Sentence, clauses: list[Clause], previous: list[Reading]) -> list[Reading]:
    """`Anna is a member too`, `Ben does too`: the last thing said, of another."""
    out: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if verb.neg or verb.tense != "pres" or s.stated(clause, index, clauses) == 0.0:
            continue
        tail = [t.low for t in s.toks[verb.end : clause.hi] if t.kind == "w"]
        short = tail in (
            ["too"],
            ["as", "well"],
            [],
            ["a", "member", "too"],
            ["a", "member"],
            ["one", "too"],
            ["in", "it", "too"],
        )
        too = "too" in tail or tail[-2:] == ["as", "well"] or "also" in verb.adverbs or "too" in verb.adverbs
        if not (short and too and s.toks[verb.start].low in _TOO_VERBS):
            continue
        wanted = "member_of" if "member" in tail else None
        for name, _, kind in s.who(clause, index, clauses):
            base = [
                r
                for r in previous
                if r.subject != name and not r.negative and (wanted is None or r.predicate == wanted)
            ]
            if base and kind == "person":
                first = base[0] if wanted else base[-1]
                a, b = s.span(clause)
                out.append(replace(first, subject=name, start=a, end=b, confidence=0.7))
    return out


def last_day(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my last day was Friday` ends the job that the sentence names."""
    for clause in clauses:
        if clause.subject is None or clause.verbs[0].lemma != "be":
            continue
        a, b = clause.subject
        words = [t.low for t in s.toks[a:b]]
        if words[-2:] not in (["last", "day"], ["final", "day"], ["last", "shift"]):
            continue
        at = s.clause_times(clause).pick("at")
        if at is None or at.stop is None:
            continue
        for r in [*out, *s.turn.last]:
            if r.predicate in ("works_at", "job_title", "member_of") and r.ends is not None and r.time_text is None:
                r.ends, r.time_text, r.grain = at.stop - 1, s.turn.text[at.outer : at.end], at.grain
    return []


def then_left(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I no longer work for Acme, I left in March`: the second clause only dates the end that the first states."""
    for clause in clauses:
        verb = clause.verbs[0]
        tail = s.toks[verb.end : clause.hi]
        if verb.lemma not in _LEAVING or verb.tense not in ("past", "perf") or verb.neg:
            continue
        if tail and tail[0].low not in _TIME_OPENERS:
            continue
        at = s.clause_times(clause).pick("at")
        if at is None or at.happened is None or at.happened > s.turn.t_ref:
            continue
        for r in out:
            if r.ends is not None and r.time_text is None and not r.negative and r.end <= s.toks[clause.lo].start:
                r.ends, r.time_text, r.grain = at.happened, s.turn.text[at.outer : at.end], at.grain
    return []


def then_started(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I work at Acme again, started yesterday`: the second clause only dates the beginning of the first."""
    for clause in clauses[1:]:
        verb = clause.verbs[0]
        tail = s.toks[verb.end : clause.hi]
        if verb.lemma not in ("start", "join", "begin", "move") or verb.tense not in ("past", "perf") or verb.neg:
            continue
        if tail and tail[0].low not in _START_OPENERS:
            continue
        at = s.clause_times(clause).pick("at")
        if at is None or at.happened is None or at.happened > s.turn.t_ref:
            continue
        for r in out:
            if (
                r.predicate in ("works_at", "job_title", "studies_at", "lives_in", "member_of")
                and r.ends is None
                and r.time_text is None
                and not r.negative
            ):
                r.starts, r.time_text, r.grain = at.happened, s.turn.text[at.outer : at.end], at.grain
    return []


def elsewhere(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`at home I speak Thai, at work it's all English`."""
    for clause in clauses[1:]:
        a, b = clause.subject or (0, 0)
        if b - a != 1 or s.toks[a].low != "it" or clause.verbs[0].lemma != "be" or clause.verbs[0].neg:
            continue
        base = next((r for r in reversed(out) if r.predicate == "speaks" and not r.negative), None)
        i = clause.verbs[0].end
        while i < clause.hi and s.toks[i].low in ("all", "mostly", "just", "only"):
            i += 1
        values = s.clean("language", i, clause.hi) if base and i < clause.hi else []
        if base and values:
            begin, end = s.span(clause)
            return [replace(base, object=values[0].text, start=begin, end=end, confidence=0.8)]
    return []


_ENDING = {
    "contract": ("works_at", "org"),
    "job": ("works_at", "org"),
    "internship": ("works_at", "org"),
    "employment": ("works_at", "org"),
    "subscription": ("uses", "tool"),
    "membership": ("member_of", "group"),
    "trial": ("uses", "tool"),
    "licence": ("uses", "tool"),
}


def ran_out(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my contract with Acme ended in March`: what the noun stands for is over."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if (
            verb.lemma not in ("end", "expire", "finish", "run", "lapse")
            or verb.tense not in ("past", "perf")
            or clause.subject is None
        ):
            continue
        a = clause.subject[0]
        head = next((i for i in range(a, verb.start) if s.toks[i].low in _ENDING), None)
        if s.toks[a].low not in ("my", "our") or head is None or verb.neg or s.stated(clause, index, clauses) == 0.0:
            continue
        link = head + 1
        if link >= verb.start or s.toks[link].low not in ("with", "at", "to", "of", "in"):
            continue
        predicate, kind = _ENDING[s.toks[head].low]
        values = s.clean(kind, link + 1, verb.start)
        at = s.clause_times(clause).pick("at")
        over = min(at.happened, s.turn.t_ref) if at and at.happened is not None else s.turn.t_ref
        begin, end = s.span(clause)
        got += [
            Reading(
                s.turn.speaker,
                predicate,
                v.text,
                begin,
                end,
                ends=over,
                confidence=0.85,
                past=True,
                time_text=s.turn.text[at.outer : at.end] if at else None,
                grain=at.grain if at else None,
            )
            for v in values[:1]
        ]
    return got


def took_over(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Ben no longer runs the depot, Ana took over in June`: what the first had the second has."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        tail = [t.low for t in s.toks[verb.end : clause.hi]]
        if verb.lemma != "take" or tail[:1] != ["over"] or verb.tense not in ("past", "perf", "pres") or verb.neg:
            continue
        if len(tail) > 1 and tail[1] not in _TAKEN_ENDS:
            continue
        base = [r for r in [*s.turn.last, *out] if r.predicate in ("manages", "job_title") and r.ends is not None]
        if not base or s.stated(clause, index, clauses) == 0.0:
            continue
        at = s.clause_times(clause).pick("at")
        start = at.happened if at and at.happened is not None and at.happened <= s.turn.t_ref else s.turn.t_ref
        a, b = s.span(clause)
        old = base[-1]
        for name, _, kind in s.who(clause, index, clauses):
            if kind != "person" or name == old.subject:
                continue
            words, grain = (s.turn.text[at.outer : at.end], at.grain) if at else (None, None)
            if at and old.time_text is None:
                old.ends, old.time_text, old.grain = start, words, grain
            got.append(
                replace(
                    old,
                    subject=name,
                    start=a,
                    end=b,
                    starts=start,
                    ends=None,
                    past=False,
                    confidence=0.8,
                    time_text=words,
                    grain=grain,
                )
            )
    return got


def named_after_you(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I'm Jonas, a 29-year-old architect from Bremen`: the rest of an introduction."""
    toks = s.toks
    got: list[Reading] = []
    if s.question:
        return []
    for i, t in enumerate(toks):
        years = t.low.split("-")[0]
        old = t.low.endswith(("-year-old", "yo", "y/o")) or (
            t.kind == "n" and i + 1 < len(toks) and toks[i + 1].low in ("yo", "y/o", "year-old")
        )
        if not (old and years.rstrip("yo").isdigit()):
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


def pet_deaths(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`our old cat Tom passed away in May`: nobody's pet any more. A person's death is not read."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        tail = [t.low for t in s.toks[verb.end : verb.end + 2]]
        passive = (verb.lemma in ("be", "have") and tail[:2] == ["put", "down"]) or (verb.lemma == "put" and False)
        if not (
            verb.lemma == "die"
            or (verb.lemma == "pass" and tail[:1] in (["away"], ["on"]))
            or (verb.lemma == "cross" and "rainbow" in {t.low for t in s.toks})
            or passive
        ):
            continue
        if (
            verb.tense not in ("past", "perf")
            or verb.neg
            or clause.subject is None
            or s.stated(clause, index, clauses) == 0.0
        ):
            continue
        for span in [clause.subject, *clause.others]:
            m = s.mention_at(*span)
            if m is None:
                continue
            owner = m.owner or s.turn.speaker
            if m.kind != "animal":
                if m.relation or not _PET_CUES.search(s.turn.text) or not m.named:
                    continue
                owner = s.turn.speaker
            at = s.clause_times(clause).pick("at")
            over = min(at.happened, s.turn.t_ref) if at and at.happened is not None else s.turn.t_ref
            name = m.name if m.named else (m.relation or m.name)
            a, b = s.span(clause)
            for r in out:
                if r.predicate == "has_pet" and r.object == name:
                    r.starts, r.ends, r.past = None, over, True
                    r.time_text, r.grain = (s.turn.text[at.outer : at.end], at.grain) if at else (None, None)
            got.append(
                Reading(
                    owner,
                    "has_pet",
                    name,
                    a,
                    b,
                    ends=over,
                    confidence=0.85,
                    past=True,
                    time_text=s.turn.text[at.outer : at.end] if at else None,
                    grain=at.grain if at else None,
                )
            )
    return got


def according_to(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`According to Ben, tabs are a crime`: Ben's opinion, nobody's fact."""
    toks = s.toks
    if len(toks) < 5 or toks[0].low != "according" or toks[1].low != "to":
        return []
    m = next((m for m in s.mentions if m.start == 2 and m.kind == "person"), None)
    out.clear()
    if m is None:
        return []
    a = m.end + (1 if m.end < len(toks) and toks[m.end].kind == "p" else 0)
    b = len(toks)
    while b > a and toks[b - 1].kind == "p":
        b -= 1
    if b - a < 3:
        return []
    return [
        Reading(m.name, "believes", s.text(a, b), toks[0].start, toks[b - 1].end, starts=s.turn.t_ref, confidence=0.65)
    ]


def after_years(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`After 12 years at Acme I've joined Bolt`: the first job is over when the second begins."""
    toks = s.toks
    begun = next(
        (r for r in out if r.predicate in ("works_at", "job_title") and r.ends is None and not r.negative), None
    )
    quit_ = any(
        c.verbs[0].lemma in ("leave", "quit", "resign", "retire")
        and c.verbs[0].tense in ("past", "perf")
        and not c.verbs[0].neg
        for c in clauses
    )
    for i, t in enumerate(toks[:-3]):
        if t.low != "after" or toks[i + 1].low in ("work", "school", "lunch"):
            continue
        j = next(
            (k for k in range(i + 1, min(i + 7, len(toks))) if toks[k].low in ("at", "with") and toks[k].kind == "w"),
            None,
        )
        if j is None or not any(x.low.rstrip("s") in _SPANS for x in toks[i:j]):
            continue
        if begun is None and not quit_:
            continue
        values = s.clean("org", j + 1, min(len(toks), j + 8))
        who = begun.subject if begun else s.turn.speaker
        if values and not (begun and begun.object == values[0].text):
            over = begun.starts if begun and begun.starts is not None and begun.starts <= s.turn.t_ref else s.turn.t_ref
            return [
                Reading(
                    who,
                    "works_at",
                    values[0].text,
                    t.start,
                    toks[values[0].b - 1].end,
                    ends=over,
                    confidence=0.85,
                    past=True,
                )
            ]
    return []


def fragments(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`.. I'm 34, originally from Graz, two kids, one beagle named Rex`: the verb is understood."""
    toks = s.toks
    if s.question:
        return []
    first = {"i", "my", "me", "we", "name"}
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
        elif toks[a].kind == "n" or low in _COUNTS or low in ("kids", "mum", "mom", "dad"):
            got += _understood(s, "have", a, a, b, who, {"has_pet", "parent_of"})
            if not got:
                got += _understood(s, "be", a, a, b, who, {"job_title", "works_at"})
    return [
        r
        for r in got
        if not any(o.predicate == r.predicate and o.subject == r.subject and o.object == r.object for o in out)
    ]


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
        at = s.times().pick("at")
        start = at.happened if at and at.happened is not None and at.happened <= turn.t_ref else turn.t_ref
        return [Reading(turn.speaker, "engaged_to", name, a, b, starts=start, confidence=0.75, derived=True)]
    return []


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


_REACH = frozenset("reach contact email e-mail mail call text ring message phone write whatsapp ping".split())


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
    return [] if any(r.predicate == g.predicate for r in out for g in got) else got


IDIOMS: tuple[Callable[[Sentence, list[Clause], list[Reading]], list[Reading]], ...] = (
    naming,
    contact,
    named_after_you,
    counted_children,
    fragments,
    after_years,
    last_day,
    then_left,
    ran_out,
    then_started,
    elsewhere,
    took_over,
    pet_deaths,
    echoes,
    engagement,
    according_to,
)
