"""First and last days: `Friday was my last day at Acme`, `day one as a junior cook`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading
from lean_memory.extract.when import Moment

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["first_day", "last_day", "named_days"]

_LAST_DAYS = (["last", "day"], ["final", "day"], ["last", "shift"])
_AFTER_PLACE = frozenset("and but so was is were on this last yesterday today".split())
_DONE_WITH = frozenset("survived finished done completed loved enjoyed".split())
_FIRST_DAYS = frozenset(
    {
        ("day", "one"),
        ("day", "1"),
        ("week", "one"),
        *(("first", unit) for unit in ("day", "week", "shift", "month", "morning")),
    }
)
_CAMPUS = re.compile(
    r"\b(?:library|lectures?|campus|professors?|classes|seminars?|dorms?|semester|term|freshers)\b", re.IGNORECASE
)


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
                s.clean("org", i + 1, len(toks)) if s.turn.first(_CAMPUS) else []
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
