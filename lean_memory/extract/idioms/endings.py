"""Beginnings and ends that a second clause dates or implies."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading
from lean_memory.extract.when import Moment

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = [
    "after_years",
    "farewell",
    "first_day",
    "home",
    "last_day",
    "named_days",
    "pet_deaths",
    "ran_out",
    "then_left",
    "then_started",
    "took_over",
]

_PET_CUES = re.compile(
    r"\b(?:poor (?:old )?(?:thing|boy|girl|baby|guy|lad|love)|old (?:thing|boy|girl)|vet|paws?|fur|tank"
    r"|cage|litter|good (?:boy|girl)|rainbow bridge|bowl|hutch)\b",
    re.IGNORECASE,
)
_LAST_DAYS = (["last", "day"], ["final", "day"], ["last", "shift"])
_AFTER_PLACE = frozenset("and but so was is were on this last yesterday today".split())
_LEAVING = frozenset("leave quit finish resign retire stop go end".split())
_TIME_OPENERS = frozenset("in on last this yesterday two three a back just at around earlier".split())
_START_OPENERS = frozenset("in on last this yesterday today two three a just at back".split())
_TAKEN_ENDS = frozenset("in on from last this now . ! for since yesterday instead".split())
_SPANS = frozenset("year decade month stint season week".split())
_DONE_WITH = frozenset("survived finished done completed loved enjoyed".split())
_FIRST_DAYS = frozenset(
    {
        ("day", "one"),
        ("day", "1"),
        ("week", "one"),
        *(("first", unit) for unit in ("day", "week", "shift", "month", "morning")),
    }
)
_MOVED_IN = re.compile(
    r"\b(?:keys?|flat|apartment|boxes|unpack(?:ed|ing)|mov(?:ed|ing)|settled|lease|landlord|new place)\b", re.IGNORECASE
)
_CAMPUS = re.compile(
    r"\b(?:library|lectures?|campus|professors?|classes|seminars?|dorms?|semester|term|freshers)\b", re.IGNORECASE
)
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


def last_day(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my last day was Friday` ends the job that the sentence names."""
    for clause in clauses:
        if clause.subject is None or clause.verbs[0].lemma != "be":
            continue
        a, b = clause.subject
        i = clause.verbs[0].end
        words = [t.low for t in s.toks[a:b]]
        tail = [t.low for t in s.toks[i : i + 6]]
        if words[-2:] not in _LAST_DAYS and tail[1:3] not in _LAST_DAYS and tail[2:4] not in _LAST_DAYS:
            continue
        times = s.times().moments
        here = s.clause_times(clause).pick("at")
        at = here or next((m for m in times if m.begin >= s.toks[a].start and m.end <= s.toks[clause.hi - 1].end), None)
        if at is None or at.stop is None or at.stop - 1 > s.turn.t_ref:
            continue
        for r in [*out, *s.turn.last]:
            if r.predicate in ("works_at", "job_title", "member_of") and r.ends is not None and r.time_text is None:
                r.ends, r.time_text, r.grain = at.stop - 1, s.turn.text[at.outer : at.end], at.grain
    return []


def _was_enough(s: Sentence, i: int) -> bool:
    """`nine years at Acme were enough`, `.. was plenty`."""
    words = [t.low for t in s.toks[i : i + 10]]
    return any(
        x in ("was", "were", "is", "are") and y in ("enough", "plenty", "too", "more", "over")
        for x, y in pairwise(words)
    )


def named_days(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Friday was my last day at Acme`, `Anna's first day as a nurse was on 3 May`: it begins or is over that day."""
    toks = s.toks
    for day in range(2, len(toks) - 2):
        which = toks[day - 1].low
        if toks[day].low not in ("day", "shift") or which not in ("first", "last", "final"):
            continue
        if toks[day + 1].low not in ("at", "with", "as") or s.question:
            continue
        owner = _whose(s, day - 2)
        was = next((k for k in range(day - 5, day - 2) if k >= 0 and toks[k].low == "was"), None)
        stop = next(
            (k for k in range(day + 2, len(toks)) if toks[k].kind == "p" or toks[k].low in _AFTER_PLACE), len(toks)
        )
        after = was is None and stop < len(toks) and toks[stop].low == "was"
        if owner is None or (was is None and not after):
            continue
        at = next((m for m in s.times().moments if m.relation == "at" and _beside(s, m, stop if after else was)), None)
        over = which != "first"
        when = s.turn.t_ref if at is None and was and toks[was - 1].low == "today" else None
        if at is not None and at.happened is not None and at.stop is not None:
            when = at.stop - 1 if over else at.happened
        if when is None or when > s.turn.t_ref + 86_400_000:
            continue
        job = toks[day + 1].low == "as"
        school = [] if job else s.clean("school_known", day + 2, stop)
        values = s.clean("job", day + 2, stop) if job else school or s.clean("org", day + 2, stop)
        predicate = "job_title" if job else "studies_at" if school else "works_at"
        span = (toks[was - 1 if was else max(0, day - 3)].start, toks[max(stop - 1, day)].end)
        words, grain = (s.turn.text[at.outer : at.end], at.grain) if at else (None, None)
        got = [Reading(owner, predicate, v.text, *span, confidence=0.85) for v in values[:1]]
        for r in got:
            r.starts, r.ends, r.past = (None, when, True) if over else (min(when, s.turn.t_ref), None, False)
            r.time_text, r.grain = words, grain
        if got:
            gone = {(r.subject, r.predicate, r.object) for r in got}
            out[:] = [r for r in out if (r.subject, r.predicate, r.object) not in gone]
            return got
    return []


def _whose(s: Sentence, i: int) -> str | None:
    """Whose: the possessive at i."""
    low = s.toks[i].low
    if low in ("my", "our"):
        return s.turn.speaker
    if low == "'s" and i:
        owner = s.mention_at(i - 1, i)
        return owner.name if owner and owner.kind == "person" else None
    if low in ("his", "her", "their"):
        found = s.antecedent({"his": "he", "her": "she", "their": "they"}[low], i)
        return found.name if found else None
    return None


def _beside(s: Sentence, moment: Moment, was: int | None) -> bool:
    """Is the time the other side of `was`?"""
    if was is None:
        return False
    toks = s.toks
    before = was > 0 and moment.end == toks[was - 1].end
    return before or (was + 1 < len(toks) and toks[was + 1].start <= moment.outer <= toks[was + 1].end + 4)


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


def took_over(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Ben no longer runs the depot, Ana took over in June`: what the first had the second has."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        tail = [t.low for t in s.toks[verb.end : clause.hi]]
        if tail[:1] in (["it"], ["that"], ["them"], ["this"]):  # `took it over`
            tail = tail[1:]
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
        years = t.low.rstrip("s") in _SPANS and toks[i + 1].low in ("at", "with") and _was_enough(s, i)
        if not years and (t.low != "after" or toks[i + 1].low in ("work", "school", "lunch")):
            continue
        j = next(
            (k for k in range(i + 1, min(i + 7, len(toks))) if toks[k].low in ("at", "with") and toks[k].kind == "w"),
            None,
        )
        if j is None or not any(x.low.rstrip("s") in _SPANS for x in toks[i:j]):
            continue
        if begun is None and not quit_ and not years:
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


def first_day(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Day one as a junior cook at Acme`, `first week at Elm College done`: a job or a school has begun."""
    toks = s.toks
    if s.question or len(toks) < 4:
        return []
    a = int(toks[0].low in _DONE_WITH)  # `survived my first week at ..`
    a += toks[a].low in ("my", "the")
    if a + 3 >= len(toks):
        return []
    lead = (toks[a].low, toks[a + 1].low)
    if (
        lead not in _FIRST_DAYS
        or toks[a + 2].low not in ("as", "at", "with", "in", "of")
        or any(t.low in ("was", "were", "would") for t in toks)
    ):
        return []
    got: list[Reading] = []
    span = (toks[0].start, toks[-1].end)
    who = s.turn.speaker
    for i, t in enumerate(toks[a + 2 : a + 12], a + 2):
        if t.low == "as" and i + 1 < len(toks):
            got += [
                Reading(who, "job_title", v.text, *span, starts=s.turn.t_ref, confidence=0.8)
                for v in s.clean("job", i + 1, len(toks))[:1]
            ]
        if t.low in ("at", "with") and i + 1 < len(toks):
            school = s.clean("school_known", i + 1, len(toks)) or (
                s.clean("org", i + 1, len(toks)) if _CAMPUS.search(s.turn.text) else []
            )
            values = school or s.clean("org", i + 1, len(toks))
            got += [
                Reading(
                    who, "studies_at" if school else "works_at", v.text, *span, starts=s.turn.t_ref, confidence=0.75
                )
                for v in values[:1]
            ]
            break
    return [r for r in got if not any(o.predicate == r.predicate for o in out)]


def home(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Graz is home now`: a place that is somebody's home is where the speaker lives."""
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if (
            verb.lemma != "be"
            or verb.tense != "pres"
            or verb.neg
            or clause.subject is None
            or s.stated(clause, index, clauses) == 0.0
        ):
            continue
        tail = [t.low for t in s.toks[verb.end : clause.hi] if t.kind == "w"]
        if tail[:1] != ["home"] and tail[:2] not in (["my", "home"], ["our", "home"]):
            continue
        rest = tail[1 if tail[0] == "home" else 2 :]
        if rest and rest[0] not in ("now", "again", "these", "for", "from", "to", "sweet"):
            continue
        a, b = clause.subject
        values = s.clean("place", a, b) if s.toks[a].capital and s.toks[a].low not in s.e.people.relations else []
        sure = values and (
            values[0].text.lower() in s.e.lex["places"] or _MOVED_IN.search(s.turn.text)
        )  # `Anna is home now`
        if values and sure and values[0].b == b and "lives_in" in s.e.table:
            begin, end = s.span(clause)
            return [
                Reading(s.turn.speaker, "lives_in", values[0].text, begin, end, starts=s.turn.t_ref, confidence=0.75)
            ]
    return []


def farewell(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`RIP the Golf`, `goodbye to our beagle`: a vehicle or a pet is gone. People are mourned, not owned."""
    toks = s.toks
    i = (
        1
        if toks[0].low in ("rip", "r.i.p.")
        else 2
        if [t.low for t in toks[:2]] in (["goodbye", "to"], ["farewell", "to"])
        else 0
    )
    if not i or len(toks) <= i or toks[i].low not in ("the", "my", "our"):
        return []
    stop = next((k for k in range(i, len(toks)) if toks[k].kind == "p"), len(toks))
    at = s.times().pick("at")
    over = min(at.happened, s.turn.t_ref) if at and at.happened is not None else s.turn.t_ref
    span = (toks[0].start, toks[stop - 1].end)
    pets = s.clean("animal", i, stop)
    if pets:
        return [Reading(s.turn.speaker, "has_pet", pets[0].text, *span, ends=over, confidence=0.75, past=True)]
    cars = s.clean("vehicle", i, stop)
    return [
        Reading(s.turn.speaker, p, v.text, *span, ends=over, confidence=0.7, past=True)
        for v in cars[:1]
        for p in ("drives", "owns")
    ]


def pet_deaths(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`our old cat Tom passed away in May`: nobody's pet any more. A person's death is not read."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        tail = [t.low for t in s.toks[verb.end : verb.end + 2]]
        passive = verb.lemma in ("be", "have") and tail[:2] == ["put", "down"]
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
