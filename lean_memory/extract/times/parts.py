"""Actions that make a date of a date: a part of it, the unit around it, what touches it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from lean_memory.extract.times import cycles
from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Cycle, Duration, Period, add, enclosing, floor, part, sub
from lean_memory.extract.times.spans import Unit

__all__ = ["ACTIONS", "changed"]


def changed(base: Any, change: Callable[[Period], Period | None]) -> Node:
    """The date with the change made: at once, or in each turn of a cycle."""
    if isinstance(base, Cycle):
        return {{"year": "yearly", "month": "monthly"}.get(base.unit, "weekly"): base.then(change)}
    period = change(base)
    return None if period is None else {"fixed": period}


def third(m: Match, ctx: Context) -> Node:
    """`early 2021`, `the end of May`, `mid-November`."""
    which = m["e"]
    return changed(m["x"], lambda whole: part(whole, which))


def third_of_unit(m: Match, ctx: Context) -> Node:
    """`end of the month`, `the beginning of this year`."""
    unit = m["u"]
    if isinstance(unit, tuple) or unit in ("hour", "minute", "second"):
        return None
    period = part(enclosing(ctx.now, unit), m["e"])
    return None if period is None else {"fixed": period}


def third_own(m: Match, ctx: Context) -> Node:
    """A word for the end of a year or a month, after the one it is of or alone."""
    which, unit = m["e"]
    whole = m["x"] if "x" in m else enclosing(ctx.now, unit)
    period = part(whole, which) if whole.grain == unit else None
    return None if period is None else {"fixed": period}


def month_edge(m: Match, ctx: Context) -> Node:
    """The end of a month given by number."""
    which, unit = m["e"]
    if unit != "month" or not 1 <= m["n"] <= 12:
        return None
    return changed(cycles.month(int(m["n"])), lambda whole: part(whole, which))


def rest(m: Match, ctx: Context) -> Node:
    """`later this week` from tomorrow to its end; `earlier this month` from its start up to today; `later today`."""
    if "u" in m:
        if isinstance(m["u"], tuple):
            return None
        whole = enclosing(ctx.now, m["u"])
    else:
        whole = m["x"]
    if not whole.start <= ctx.now < whole.stop:
        return third(m, ctx) if m["e"] in ("early", "mid", "late") else None
    cut = ctx.now if whole.grain in ("day", "hour") else ctx.today
    if m["e"] == "earlier":
        start, stop = whole.start, cut
    else:
        start, stop = cut if cut == ctx.now else add(cut, 1, "day"), whole.stop
    if start >= stop:
        start, stop = whole.start, whole.stop
    return {"fixed": Period(start, stop, whole.grain, True)}


def nth_unit(m: Match, ctx: Context) -> Node:
    """`the first weekend of August`, `the last week of July`, `the third quarter of 2020`, `the second half of May`."""
    unit = m["u"]
    ordinal = int(m.get("o", -1))
    if isinstance(unit, tuple) or not (1 <= ordinal <= 400 or "l" in m):
        return None
    return changed(m["x"], lambda whole: sub(whole, ordinal, unit) if _larger(whole, unit) else None)


def _larger(whole: Period, unit: str) -> bool:
    order = (
        "second",
        "minute",
        "hour",
        "day",
        "weekend",
        "week",
        "month",
        "quarter",
        "season",
        "year",
        "decade",
        "century",
    )
    return order.index(whole.grain) > order.index(unit)


def nth_half(m: Match, ctx: Context) -> Node:
    """`the first half of 2020`, `the second half of May`."""
    second = m.get("o", 2) == 2

    def cut(whole: Period) -> Period | None:
        if whole.grain == "year":
            return cycles.half(2 if second else 1).at(whole.start.year)
        middle = floor(whole.start + (whole.stop - whole.start) / 2, "day")
        start, stop = (middle, whole.stop) if second else (whole.start, middle)
        return Period(start, stop, whole.grain) if start < stop else None

    if m.get("o", 2) not in (1, 2):
        return None
    return changed(m["x"], cut)


def nth_weekday(m: Match, ctx: Context) -> Node:
    """`the first Monday of September`, `the last Friday in May`."""
    ordinal, weekday = int(m.get("o", -1)), int(m["w"])
    return changed(m["x"], lambda whole: _weekday_of(whole, ordinal, weekday))


def _weekday_of(whole: Period, ordinal: int, weekday: int) -> Period | None:
    if whole.stop - whole.start < timedelta(days=28) or not -1 <= ordinal <= 53:
        return None
    if ordinal > 0:
        first = whole.start + timedelta(days=(weekday - whole.start.weekday()) % 7)
        found = enclosing(first + timedelta(weeks=ordinal - 1), "day")
    else:
        last = whole.stop - timedelta(days=1)
        found = enclosing(last - timedelta(days=(last.weekday() - weekday) % 7), "day")
    return found if whole.start <= found.start < whole.stop else None


def nth_unit_now(m: Match, ctx: Context) -> Node:
    """`the first quarter of the year`, `the 15th of the month`: of the current one."""
    inner, outer, ordinal = m.get("u", "day"), m["v"], int(m.get("o", -1))
    if isinstance(inner, tuple) or isinstance(outer, tuple):
        return None
    whole = enclosing(ctx.now, outer)
    if "w" in m:
        period = _weekday_of(whole, ordinal, int(m["w"]))
    else:
        period = sub(whole, ordinal, inner) if _larger(whole, inner) else None
    return None if period is None else {"fixed": period}


def whole_of(m: Match, ctx: Context) -> Node:
    """`all day`, `the whole summer`, `all last week`."""
    if "x" in m:
        return changed(m["x"], lambda whole: whole)
    return None if isinstance(m["u"], tuple) else {"dur": Duration(((1, m["u"]),))}


def holiday_weekend(m: Match, ctx: Context) -> Node:
    """`Halloween weekend`: the one that touches the day, or is nearest to it."""

    def near(whole: Period) -> Period | None:
        if whole.grain != "day":
            return None
        return enclosing(add(whole.start, -7, "day") if whole.start.weekday() < 2 else whole.start, "weekend")

    return changed(m["x"], near)


def unit_around(m: Match, ctx: Context) -> Node:
    """`the week of 23 July`, `the weekend of the 4th`, `the year of ..`: the unit that holds the day."""
    unit = m["u"]
    if isinstance(unit, tuple) or unit not in ("week", "weekend", "month"):
        return None

    def around(whole: Period) -> Period | None:
        if whole.grain != "day":
            return None
        return enclosing(whole.start, unit)

    return changed(m["x"], around)


def week_from(m: Match, ctx: Context) -> Node:
    """`the week starting 4 February`: seven days from that day on."""
    return changed(
        m["x"],
        lambda whole: Period(whole.start, add(whole.start, 7, "day"), "week") if whole.grain == "day" else None,
    )


def beside(m: Match, ctx: Context) -> Node:
    """`the week before 6 July`, `the day after Christmas`, `the Friday before Easter`: what touches the date."""
    before = "before" in m
    if "w" in m:
        weekday = int(m["w"])

        def near(whole: Period) -> Period | None:
            if before:
                last = whole.start - timedelta(days=1)
                return enclosing(last - timedelta(days=(last.weekday() - weekday) % 7), "day")
            return enclosing(whole.stop + timedelta(days=(weekday - whole.stop.weekday()) % 7), "day")

        return changed(m["x"], near)
    unit = m["u"]
    if isinstance(unit, tuple):
        return None

    def touching(whole: Period) -> Period | None:
        if unit in ("week", "month", "quarter", "year", "decade", "century", "weekend"):
            size: Unit = "week" if unit == "weekend" else unit
            return enclosing(add(floor(whole.start, unit), -1 if before else 1, size), unit)
        if unit == "day":
            return enclosing(add(whole.start, -1, "day") if before else whole.stop, "day")
        return None

    return changed(m["x"], touching)


def weekend(m: Match, ctx: Context) -> Node:
    """`over the weekend`: the latest begun, or the coming one."""
    return {"weekly": cycles.weekend()}


def parenthesis(m: Match, ctx: Context) -> Node:
    """`this Friday (15 June)`: said twice; the date counts."""
    value = m["x"]
    period = ctx.resolve(value)
    first = ctx.resolve(m["w"])
    if period is None or first is None or period.grain != "day":
        return None
    return {"fixed": first if isinstance(value, Cycle) and first.start.day == period.start.day else period}


ACTIONS: dict[str, Action] = {
    "third": third,
    "third_of_unit": third_of_unit,
    "third_own": third_own,
    "month_edge": month_edge,
    "rest": rest,
    "nth_unit": nth_unit,
    "nth_half": nth_half,
    "nth_weekday": nth_weekday,
    "nth_unit_now": nth_unit_now,
    "whole": whole_of,
    "holiday_weekend": holiday_weekend,
    "unit_around": unit_around,
    "week_from": week_from,
    "beside": beside,
    "weekend": weekend,
    "parenthesis": parenthesis,
}
