"""Actions for stretches with two ends: from one date to another, or a length from one end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from lean_memory.extract.times.clocks import hour_of_day
from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Cycle, Duration, Period, add, day, floor, pick
from lean_memory.extract.times.spans import Grain

__all__ = ["ACTIONS", "Range"]


@dataclass(frozen=True, slots=True)
class Range:
    """From `start` to an end in [earliest_stop, stop)."""

    start: datetime
    earliest_stop: datetime
    stop: datetime
    grain: Grain
    approximate: bool = False


_TURNS = {"year": 1, "month": 12, "week": 52}


def _between(first: Period | Cycle, last: Period | Cycle, ctx: Context) -> Node:
    """Resolves both ends so that the first comes first."""
    start: Period | None
    end: Period | None
    if isinstance(last, Period):
        end = last
        start = first if isinstance(first, Period) else pick(first, last.start, "past")
    elif isinstance(first, Cycle) and ctx.prefer == "future" and _TURNS[first.unit] >= _TURNS[last.unit]:
        end = ctx.resolve(last)
        start = None if end is None else pick(Cycle(first.at, first.unit), end.start, "past")
    else:
        start = ctx.resolve(first)
        end = None if start is None else pick(Cycle(last.at, last.unit), start.start, "future")
    if start is not None and start == end and isinstance(last, Cycle):
        end = pick(last, start.stop, "next")
    if start is None or end is None or end.start < start.start:
        return None
    grain = start.grain if end.grain == "second" else end.grain  # `from 2019 until now`
    earliest = end.stop if end.third == "late" else end.start  # `to the end of June`
    return {"range": Range(start.start, earliest, end.stop, grain, start.approximate or end.approximate)}


def dates(m: Match, ctx: Context) -> Node:
    """`from 2012 to 2016`, `between August and October`, `12 January 2016 - 22 January 2016`."""
    return _between(m["x"], m["y"], ctx)


def day_to_date(m: Match, ctx: Context) -> Node:
    """`from 4 to 22 January 1995`, `between 3 and 12 of September`: the first day is of the second's month."""
    number = int(m["a"])
    last: Period | Cycle = m["y"]

    def first(end: Period) -> Period | None:
        if end.grain != "day" or number >= end.start.day:
            return None
        return day(end.start.year, end.start.month, number)

    if isinstance(last, Cycle):
        if last.unit != "year" or ctx.resolve(last) is None:
            return None
        return _between(last.then(first), last, ctx)
    start = first(last)
    return None if start is None else _between(start, last, ctx)


def date_to_day(m: Match, ctx: Context) -> Node:
    """`November 19-20`, `April 9th through 17th`: the second day is of the first's month."""
    number = int(m["b"])
    first: Period | Cycle = m["x"]

    def end(start: Period) -> Period | None:
        if start.grain != "day" or number <= start.start.day:
            return None
        return day(start.start.year, start.start.month, number)

    start = ctx.resolve(first)
    last = None if start is None else end(start)
    return None if start is None or last is None else _between(start, last, ctx)


def days_of_month(m: Match, ctx: Context) -> Node:
    """`from 4 to 22 this month`."""
    whole: Period = m["p"]
    if whole.grain != "month":
        return None
    first = day(whole.start.year, whole.start.month, int(m["a"]))
    last = day(whole.start.year, whole.start.month, int(m["b"]))
    return None if first is None or last is None else _between(first, last, ctx)


def short_years(m: Match, ctx: Context) -> Node:
    """`2012-14`."""
    first, short = int(m["x"]), int(m["b"])
    last = first // 100 * 100 + short % 100
    if not first < last < first + 60:
        return None
    return {"range": Range(datetime(first, 1, 1), datetime(last, 1, 1), datetime(last + 1, 1, 1), "year")}


def times(m: Match, ctx: Context) -> Node:
    """`tomorrow from 3 to 5pm`, `9:30-11 on Friday`, `Monday 11-4`."""
    whole = ctx.resolve(m["x"])
    if whole is None or whole.grain not in ("day", "hour"):
        return None
    a = m["c"] if "c" in m else (int(m["h"]), 0, 0, False)
    b = m["d"] if "d" in m else (int(m["i"]), 0, 0, False)
    if a[0] > 23 or b[0] > 23:
        return None
    near = whole.start.hour if whole.grain == "hour" else None
    midnight = floor(whole.start, "day")
    last = hour_of_day(b[0], b[3], near)
    first = hour_of_day(a[0], a[3], near) if near is not None or a[3] else a[0]
    if not a[3] and first < 12 <= last and first + 12 < last:
        first += 12 if b[3] and a[0] <= b[0] % 12 else 0
    start = midnight + timedelta(hours=first, minutes=a[1])
    stop = midnight + timedelta(hours=last, minutes=b[1])
    if stop <= start:
        stop += timedelta(hours=12 if stop + timedelta(hours=12) > start and not b[3] else 24)
    return {"range": Range(start, stop, stop, "minute" if a[1] or b[1] else "hour")}


def length_from(m: Match, ctx: Context) -> Node:
    """`three weeks from 10 May`, `from 10 May for three weeks`, `3 days starting next Monday`."""
    duration: Duration = m["d"]
    origin = ctx.resolve(m["x"])
    if origin is None:
        return None
    stop = origin.start
    for amount, unit in duration.parts:
        stop = add(stop, amount, unit)
    return {"range": Range(origin.start, stop, stop, duration.grain, duration.approximate or origin.approximate)}


def length_until(m: Match, ctx: Context) -> Node:
    """`for six years until 2019`: that long up to the end named."""
    duration: Duration = m["d"]
    end = ctx.resolve(m["x"])
    if end is None:
        return None
    start = end.start
    for amount, unit in duration.parts:
        start = add(start, -amount, unit)
    return {"range": Range(start, end.start, end.stop, duration.grain, duration.approximate or end.approximate)}


ACTIONS: dict[str, Action] = {
    "dates": dates,
    "day_to_date": day_to_date,
    "date_to_day": date_to_day,
    "days_of_month": days_of_month,
    "short_years": short_years,
    "times": times,
    "length_from": length_from,
    "length_until": length_until,
}
