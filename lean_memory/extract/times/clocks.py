"""Actions for times of day: parts of a day, hours and minutes, alone or on a date."""

from __future__ import annotations

from datetime import timedelta

from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.parts import changed
from lean_memory.extract.times.periods import Period, add, floor
from lean_memory.extract.times.spans import Unit

__all__ = ["ACTIONS", "hour_of_day"]


def part_of_day(m: Match, ctx: Context) -> Node:
    """`yesterday morning`, `Friday night`, `this evening`."""
    first, last = m["p"]

    def cut(whole: Period) -> Period | None:
        if whole.grain != "day":
            return None
        return Period(whole.start + timedelta(hours=first), whole.start + timedelta(hours=last), "hour")

    if "x" in m:
        generic = "wday" in m.token("x").roles and ctx.listed(ctx.before(m.token("x")), "articles")
        return {"x": None} if generic else changed(m["x"], cut)  # `on a Saturday morning`
    how = m.get("m", "this")
    if "the" in m and how == "next" and ctx.prefer == "past":
        return {"x": None}  # `the next morning we left`
    if how not in ("this", "last", "next", "previous"):
        return None
    day = ctx.days_away({"this": 0, "next": 1}.get(how, -1))
    period = cut(day)
    return None if period is None else {"fixed": period}


def last_night(m: Match, ctx: Context) -> Node:
    """`last night`, `the night before last`."""
    first, last = m["p"] if "p" in m else m["q"]
    night = ctx.days_away(-1 if "p" in m else -2)
    return {"fixed": Period(night.start + timedelta(hours=first), night.start + timedelta(hours=last), "hour")}


def at_time(m: Match, ctx: Context) -> Node:
    """`tomorrow at 8:45am`, `3pm on Friday`, `Sunday late evening at 10`."""
    hour, minute, second, known = m["c"] if "c" in m else (int(m["h"]), 0, 0, False)
    if hour > 23:
        return None
    grain: Unit = "second" if second else "minute" if minute else "hour"
    half_day = m.get("p")

    def cut(whole: Period) -> Period | None:
        if whole.grain not in ("day", "hour"):
            return None
        start = floor(whole.start, "day")
        evening = whole.start.hour if whole.grain == "hour" else half_day[0] if half_day else None
        when = hour_of_day(hour, known, evening)
        begin = start + timedelta(hours=when, minutes=minute, seconds=second)
        return Period(begin, add(begin, 1, grain), grain)

    return changed(m["x"], cut)


def hour_of_day(hour: int, known: bool, near: int | None) -> int:
    """Without am or pm: by the part of the day when one is named, else 1 to 6 is the afternoon."""
    if known or hour > 12:
        return hour
    if near is not None:
        if near >= 20 and hour < 6:
            return hour + 24  # `tonight at 2`
        return hour + 12 if near >= 12 and hour < 12 else hour
    return hour + 12 if 1 <= hour <= 6 else hour


def clock_words(m: Match, ctx: Context) -> Node:
    """`half past seven`, `quarter to nine`, `seven o'clock`, `8 in the morning`."""
    hour = int(m["h"]) if "h" in m else m["c"][0]
    minutes = 0 if "c" not in m else m["c"][1]
    if "half" in m:
        minutes = 30
    elif "min" in m:
        minutes = int(m["min"])
    elif "past" in m:
        minutes = int(60 * m["q"]) if "q" in m else int(m["n"])
    elif "to" in m:
        hour, minutes = hour - 1, 60 - (int(60 * m["q"]) if "q" in m else int(m["n"]))
    if not 0 <= hour <= 23 or not 0 <= minutes < 60:
        return None
    known = hour > 12
    if "p" in m:
        hour, known = hour_of_day(hour, False, m["p"][0]), True
    return {"clock": (hour, minutes, 0, known)}


_LED = frozenset({"at", "until", "since", "eversince", "before", "after", "approx"})


def today_at(m: Match, ctx: Context) -> Node:
    """A time of day alone is the reference's day."""
    hour, minute, second, known = m["c"]
    first = m.tokens[0].first
    lead = ctx.raw[first - 1].roles if first else {}
    if not known and _LED.isdisjoint(lead):
        return None
    grain: Unit = "second" if second else "minute" if minute else "hour"
    start = ctx.today + timedelta(hours=hour_of_day(hour, known, None), minutes=minute, seconds=second)
    return {"fixed": Period(start, add(start, 1, grain), grain)}


def now(m: Match, ctx: Context) -> Node:
    """The reference itself, as an end of something."""
    if ctx.listed(ctx.before(m.tokens[0]), "by_now"):
        return None
    start = ctx.now
    return {"fixed": Period(start, start + timedelta(seconds=1), "second")}


ACTIONS: dict[str, Action] = {
    "part_of_day": part_of_day,
    "last_night": last_night,
    "at_time": at_time,
    "clock_words": clock_words,
    "today_at": today_at,
    "now": now,
}
