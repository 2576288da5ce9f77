"""Actions for what a word tells from the reference: `yesterday`, `last week`, `next Friday`, `the year before last`."""

from __future__ import annotations

from datetime import timedelta

from lean_memory.extract.times import cycles
from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Cycle, Duration, Period, add, enclosing, floor, pick, year
from lean_memory.extract.times.quantities import window
from lean_memory.extract.times.spans import Unit

__all__ = ["ACTIONS"]


def relative_day(m: Match, ctx: Context) -> Node:
    """`yesterday`, `the day after tomorrow`."""
    return {"fixed": ctx.days_away(int(m["r"]))}


def _anaphoric(m: Match, ctx: Context) -> bool:
    """`the next day we left`, `the following year`: after something told, not after the reference."""
    return "the" in m and m["m"] in ("next", "following") and ctx.prefer == "past"


def relative_unit(m: Match, ctx: Context) -> Node:
    """`last week`, `this month`, `next year`, `last weekend`."""
    how, unit = m["m"], m["u"]
    if _anaphoric(m, ctx):
        return {"x": None}
    if isinstance(unit, tuple):
        amount, unit = unit
    else:
        amount = 1
    if unit in ("hour", "minute", "second"):
        return None
    if unit == "day":
        if how == "this":
            return None
        step = -1 if how in ("last", "previous", "past") else 1
        return {"fixed": ctx.days_away(step)} if how in ("next", "previous") else None
    step = {"last": -1, "previous": -1, "past": -1, "next": 1, "coming": 1, "following": 1, "this": 0}[how]
    if unit == "weekend":
        turn = cycles.weekend()
        if how in ("coming", "following"):
            period = pick(turn, ctx.now, "coming")
        elif how in ("past",):
            period = pick(turn, ctx.now, "last")
        else:
            period = turn.at((ctx.now.toordinal() - 1) // 7 + step)
        return None if period is None else {"fixed": period}
    if how == "past" and unit in ("week", "month", "year"):
        period = window(Duration(((1, unit),)), ctx, how)
        return None if period is None else {"window": period}
    base = enclosing(ctx.now, unit)
    start = add(base.start, step * amount, unit)
    return {"fixed": Period(start, add(start, amount, unit), unit)}


def week_but_one(m: Match, ctx: Context) -> Node:
    """`the week before last`, `the month after next`."""
    unit = m["u"]
    if isinstance(unit, tuple) or unit in ("hour", "minute", "second"):
        return None
    step = -2 if m["m"] in ("last", "previous") else 2
    size: Unit = "week" if unit == "weekend" else unit
    start = add(floor(ctx.now, unit), step, size)
    return {"fixed": enclosing(start, unit)}


def relative_turn(m: Match, ctx: Context) -> Node:
    """`last summer`, `next Friday`, `this Christmas`, `last May`."""
    how = m["m"]
    token = m.token("c")
    if _anaphoric(m, ctx):
        return {"x": None}
    if how == "this" and "modal" in token.roles and not ctx.text[token.begin].isupper():
        return None  # `this may`
    how = {"past": "last", "following": "next"}.get(how, how)
    period = pick(m["c"], ctx.now, how)
    return None if period is None else {"fixed": period}


def turn_but_one(m: Match, ctx: Context) -> Node:
    """`the summer before last`, `the Friday after next`."""
    cycle: Cycle = m["c"]
    back = m["m"] in ("last", "previous")
    first = pick(cycle, ctx.now, "last" if back else "next")
    if first is None:
        return None
    away = {"week": 7, "month": 31, "year": 366}[cycle.unit]
    moment = add(first.start, -away if back else away, "day")
    period = pick(cycle, moment, "past" if back else "future")
    return None if period is None else {"fixed": period}


def relative_year(m: Match, ctx: Context) -> Node:
    """A word for last year, the year before last, next year."""
    period = year(ctx.now.year + int(m["r"]))
    return None if period is None else {"fixed": period}


def to_date(m: Match, ctx: Context) -> Node:
    """`year to date`: from its start up to today."""
    start = floor(ctx.now, m["u"])
    return {"fixed": Period(start, ctx.today + timedelta(days=1), m["u"])}


ACTIONS: dict[str, Action] = {
    "relative_day": relative_day,
    "relative_unit": relative_unit,
    "week_but_one": week_but_one,
    "relative_turn": relative_turn,
    "turn_but_one": turn_but_one,
    "relative_year": relative_year,
    "to_date": to_date,
}
