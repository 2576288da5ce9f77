"""From every claim made on a slot to the intervals that follow.

Theory of operation. Each claim gives points in world time: it *starts* its proposition at `valid_at`, and
*ends* it at `valid_to`; a claim that says it has held for a while (`since March`, `for six years`), or that it
began of late (`on Monday`), is a start at the time of speaking too, since it was seen to hold then. Points are
walked in order of world time, so a claim about the past is filed into the past and one that arrives late changes
nothing after it. A start opens its proposition, unless it is open, and closes what it conflicts with; a negative
proposition is one of its own that conflicts with the positive one. A value that names a part of the one that holds
(`Berlin` of `Berlin-Kreuzberg`) restates it. Before the walk, corrections take back what
they correct, and an end takes back earlier claims that it still held after. The result is a function of the set
of claims: no order of arrival enters. Ties in world time are broken by the time of speaking, then by ids.

Intervals follow the valid-time half of the bitemporal model (Snodgrass, Developing Time-Oriented Database
Applications in SQL, 1999, chapter 5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from lean_memory.claims import Claim, Interval
from lean_memory.resolve.ladder import finer
from lean_memory.resolve.meaning import meant
from lean_memory.resolve.slots import Rules

__all__ = ["Ending", "Timeline", "timeline"]

_NEWS = 100 * 86_400_000
"""Milliseconds. A change told within a season of it is news and holds when told; told later it may be history."""

_DURATIVE = re.compile(r"(?:since|for|from|ever since)\b|.*\b(?:now|so far)$|自|从|.*了$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ending:
    """Why an interval ended: what happened to its fact, and the claim that did it."""

    action: Literal["superseded", "retracted", "corrected"]
    by: Claim


@dataclass(frozen=True, slots=True)
class Timeline:
    """The intervals of a slot, by start then fact, for each that has ended, why; and of facts that only restate a finer
    one, which."""

    intervals: tuple[Interval, ...]
    endings: dict[Interval, Ending]
    restated: dict[str, str]


class _Point(NamedTuple):
    at: int
    said_at: int
    episode: str
    opens: bool  # an end sorts before a start of the same claim time
    fact: str
    claim: Claim


@dataclass(slots=True)
class _Open:
    claim: Claim
    since: int


def timeline(claims: Iterable[Claim], rules: Rules) -> Timeline:
    """The intervals that follow from the claims of one slot."""
    ordered = sorted(set(claims), key=_spoken)
    standing, taken_back = _take_back(meant(ordered), rules)
    result: dict[Interval, Ending | None] = {}
    restated = _walk(_points(standing, rules), rules, result)
    _place_unknown_starts(standing, rules, result)
    known = {interval.fact for interval in result}
    for claim, ending in [*taken_back, *((claim, Ending("retracted", claim)) for claim in ordered)]:
        if claim.fact not in known:  # never true, or said of another value: on record all the same
            start = _start(claim)
            result[Interval(claim.fact, start, start)] = ending
            known.add(claim.fact)
    intervals = sorted(result, key=lambda i: (i.valid_at is not None, i.valid_at or 0, i.fact, i.valid_to or 0))
    held = {i.fact for i in result if i.valid_at is None or i.valid_at != i.valid_to}
    restated = {fact: by for fact, by in restated.items() if fact not in held}
    return Timeline(tuple(intervals), {i: ending for i, ending in result.items() if ending is not None}, restated)


def _spoken(claim: Claim) -> tuple[object, ...]:
    """The order of speaking, total, so that no tie is left to the order of arrival."""
    start, end = claim.valid_at, claim.valid_to
    return (
        claim.said_at, claim.episode, claim.fact, start is not None, start or 0, end is not None, end or 0,
        claim.cue or "", claim.time_text or "",
    )  # fmt: skip


def _start(claim: Claim) -> int:
    if claim.valid_at is not None:
        return claim.valid_at
    return claim.said_at if claim.valid_to is None else claim.valid_to


def _take_back(ordered: Sequence[Claim], rules: Rules) -> tuple[list[Claim], list[tuple[Claim, Ending]]]:
    """Applies corrections and cancelled announcements, in order of speaking.

    A positive correction takes back the claims of the value last spoken of, and where it gives no time of
    its own it holds from when they did. A negative one takes back all claims of its own value.
    """
    standing: list[Claim] = []
    gone: list[tuple[Claim, Ending]] = []
    for new in ordered:
        claim = new
        if claim.cue == "corrects":
            wrong = _corrected(claim, standing, rules)
            if wrong and claim.valid_at == claim.said_at:
                claim = replace(claim, valid_at=min(claim.said_at, *map(_start, wrong)))
            action: Literal["corrected", "retracted"] = "corrected"
        else:
            wrong = _cancelled(claim, standing)
            action = "retracted"
        gone.extend((old, Ending(action, new)) for old in wrong)
        standing = [old for old in standing if old not in wrong]
        standing.append(claim)
    return standing, gone


def _corrected(claim: Claim, standing: Sequence[Claim], rules: Rules) -> list[Claim]:
    against = [old for old in standing if rules.conflicts(claim, old)]
    if claim.polarity == "negative" or not against:
        return against
    last = against[-1].fact
    wrong: list[Claim] = []
    for old in reversed(standing):
        if old.fact == last:
            wrong.append(old)
        elif old.polarity == "positive":
            break
    return wrong


def _cancelled(claim: Claim, standing: Sequence[Claim]) -> list[Claim]:
    """Earlier claims that the value starts, or is seen to hold, after the time at which this claim says it ended."""
    end = claim.valid_at if claim.polarity == "negative" else claim.valid_to
    if end is None:
        return []
    return [
        old
        for old in standing
        if old.polarity == "positive" and old.predicate == claim.predicate and old.object == claim.object
        and old.valid_to is None and _start(old) >= end and old.said_at < claim.said_at
    ]  # fmt: skip


def _points(standing: Sequence[Claim], rules: Rules) -> list[_Point]:
    points: list[_Point] = []

    def point(at: int, claim: Claim, *, opens: bool) -> None:
        points.append(_Point(at, claim.said_at, claim.episode, opens, claim.fact, claim))

    for claim in standing:
        if claim.valid_at is not None or claim.valid_to is None:
            point(_start(claim), claim, opens=True)
        if claim.valid_to is not None:
            if not rules.is_event(claim.predicate):
                point(claim.valid_to, claim, opens=False)
        elif _seen_to_hold(claim):
            point(claim.said_at, claim, opens=True)
    points.sort(key=lambda p: p[:5])
    return points


def _closed_by(claim: Claim, holding: Mapping[str, _Open], rules: Rules) -> list[str]:
    """The facts that a start closes: those it conflicts with, and with `replaces` the only other one there is."""
    closed = [fact for fact, held in holding.items() if rules.conflicts(claim, held.claim)]
    if claim.polarity == "negative":
        closed += [fact for fact in _finer(claim, holding, rules) if fact not in closed]
    if claim.cue == "replaces" and claim.polarity == "positive":
        others = [f for f, held in holding.items() if f != claim.fact and rules.replaces(claim, held.claim)]
        if len(others) == 1:
            closed += [fact for fact in others if fact not in closed]
    return closed


def _finer(claim: Claim, holding: Mapping[str, _Open], rules: Rules) -> list[str]:
    """The facts that hold and name the claim's value more exactly."""
    if not rules.is_functional(claim.predicate):
        return []
    return [
        fact
        for fact, held in holding.items()
        if held.claim.predicate == claim.predicate and held.claim.polarity == "positive"
        and finer(held.claim.object, claim.object)
    ]  # fmt: skip


def _seen_to_hold(claim: Claim) -> bool:
    """Whether a claim of an earlier start says that it still held at the time of speaking."""
    ago = claim.said_at - _start(claim)
    return 0 < ago <= _NEWS or (
        ago > 0 and claim.time_text is not None and _DURATIVE.match(claim.time_text) is not None
    )


def _walk(points: Sequence[_Point], rules: Rules, result: dict[Interval, Ending | None]) -> dict[str, str]:
    """Fills `result`; returns the facts that restated a finer one, and which."""
    holding: dict[str, _Open] = {}
    restated: dict[str, str] = {}

    def close(fact: str, at: int, ending: Ending) -> None:
        result[Interval(fact, holding.pop(fact).since, at)] = ending

    for at, _, _, opens, fact, claim in points:
        if not opens:
            for held in [fact] if fact in holding else _finer(claim, holding, rules):
                close(held, at, Ending("retracted", claim))
            continue
        if claim.polarity == "positive" and claim.cue is None and (exact := _finer(claim, holding, rules)):
            restated[fact] = exact[0]
            continue
        if claim.cue != "adds":
            action: Literal["superseded", "retracted"] = "superseded" if claim.polarity == "positive" else "retracted"
            for other in _closed_by(claim, holding, rules):
                close(other, at, Ending(action, claim))
        if fact not in holding:
            holding[fact] = _Open(claim, at)
    for fact, open_ in holding.items():
        result[Interval(fact, open_.since, None)] = None
    return restated


def _place_unknown_starts(standing: Sequence[Claim], rules: Rules, result: dict[Interval, Ending | None]) -> None:
    """`I used to live in Paris`: the proposition held before its end, when nothing else is known to have held.

    With an end of its own (`until 2019`) it takes the free time just before that end; without one, the time
    before everything known. Where no time is free it keeps an empty interval, so that it is on record.
    """
    by_fact = {claim.fact: claim for claim in standing}
    ended = [c for c in standing if c.valid_at is None and c.valid_to is not None]
    for claim in sorted(ended, key=lambda c: (c.valid_to or 0, c.said_at, c.episode, c.fact)):
        end = claim.valid_to or 0
        if any(i.fact == claim.fact and (i.valid_at is None or i.valid_at < end) for i in result):
            continue
        taken = [
            (i.valid_at, end if i.valid_to is None else i.valid_to)
            for i in result
            if (other := by_fact.get(i.fact)) and (rules.conflicts(claim, other) or rules.conflicts(other, claim))
            and (i.valid_at is None or i.valid_at < end) and i.valid_at != i.valid_to
        ]  # fmt: skip
        begin, finish = _free(taken, end, just_before=end < claim.said_at)
        result[Interval(claim.fact, begin, finish)] = Ending("retracted", claim)


def _free(taken: list[tuple[int | None, int]], end: int, *, just_before: bool) -> tuple[int | None, int]:
    if just_before and not any((b is None or b < end) and e >= end for b, e in taken):
        return max((e for _, e in taken), default=None), end
    if any(b is None for b, _ in taken):
        return end, end
    return None, min((b for b, _ in taken if b is not None), default=end)
