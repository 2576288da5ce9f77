"""Actions for days, months and quarters as they are written or named, with their year or without."""

from __future__ import annotations

from datetime import datetime

from lean_memory.extract.times import cycles
from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Cycle, Period, add, day, enclosing, pick

__all__ = ["ACTIONS", "DATE_ROLES", "year_in"]

DATE_ROLES = ("fixed", "yearly", "wyearly", "weekly", "wweekly", "monthly", "mdate")
"""Tokens whose value is a Period or a Cycle; `w` marks words that need something beside them to be a date."""


def year_in(m: Match) -> int | None:
    """The year under one of the labels that a year can have."""
    return next((int(m[label]) for label in ("y", "s", "yy") if label in m), None)


def date(m: Match, ctx: Context) -> Node:
    """Day and month with or without a year: `12 September 2015`, `Feb 3rd`, `the 6th of July`."""
    month, dom = int(m["m"]), int(m.get("d", m.get("o", 0)))
    number = year_in(m)
    if not 1 <= dom <= 31 or (number is None and not _sure(m, ctx)):
        return None
    if number is None:
        return {"yearly": cycles.day_of_year(month, dom)} if day(2000, month, dom) else None
    period = day(number, month, dom)
    return None if period is None else {"fixed": period}


def _sure(m: Match, ctx: Context) -> bool:
    """`I may 3 times`: a word that is a month only at times has to be written like one, or be led in like one."""
    token = m.token("m")
    if "modal" not in token.roles or "o" in m:
        return True
    led = token.first > 0 and "on" in ctx.raw[token.first - 1].roles
    return led or ctx.text[token.begin].isupper()


def month_of_year(m: Match, ctx: Context) -> Node:
    """`July 2020`, `summer of '98`, `Christmas 2010`, `Q1 2024`."""
    number = year_in(m)
    cycle: Cycle = m["c"]
    period = None if number is None else cycle.at(number)
    return None if period is None else {"fixed": period}


def in_that_year(m: Match, ctx: Context) -> Node:
    """`May last year`, `last year's Christmas`, `summer of next year`."""
    whole: Period = m["p"]
    if whole.grain != "year" or whole.approximate:
        return None
    cycle: Cycle = m["c"]
    period = cycle.at(whole.start.year)
    return None if period is None else {"fixed": period}


def of_that_month(m: Match, ctx: Context) -> Node:
    """`the 15th of next month`, `the 3rd of this month`."""
    whole: Period = m["p"]
    if whole.grain != "month" or whole.approximate:
        return None
    period = day(whole.start.year, whole.start.month, int(m["o"]))
    return None if period is None else {"fixed": period}


def weekday_with_date(m: Match, ctx: Context) -> Node:
    """`Tue May 9`, `Friday, 12 September 2015`: the date counts; without a year, the nearest that falls on that day."""
    wanted: int = m["w"]
    value: Period | Cycle = m["x"]
    if isinstance(value, Period):
        return {"fixed": value} if value.grain == "day" else None
    if value.unit != "year":
        return None  # `Monday, Tuesday`
    here = ctx.now.year
    turns = [value.at(y) for y in (here, here - 1, here + 1)]
    right = [t for t in turns if t is not None and t.grain == "day" and t.start.weekday() == wanted]
    if right and pick(value, ctx.now, ctx.prefer) not in right:
        return {"fixed": right[0]}
    first = turns[0]
    return {"yearly": value} if first is not None and first.grain == "day" else None


def weekday_with_dom(m: Match, ctx: Context) -> Node:
    """`Monday the 24th`, `Friday 23`: the nearest month in which that day falls on that weekday."""
    wanted, dom = int(m["w"]), int(m.get("d", m.get("o", 0)))
    cycle = cycles.day_of_month(dom)
    here = ctx.now.year * 12 + ctx.now.month - 1
    order = [0, *(k for n in range(1, 12) for k in ((-n, n) if ctx.prefer == "past" else (n, -n)))]
    for step in order:
        turn = cycle.at(here + step)
        if turn is not None and turn.start.weekday() == wanted:
            return {"fixed": turn}
    return None


def week_with_weekday(m: Match, ctx: Context) -> Node:
    """`next week Tuesday`, `Friday of last week`."""
    week: Period = m["p"]
    if week.grain != "week" or week.approximate:
        return None
    start = add(week.start, int(m["w"]), "day")
    return {"fixed": enclosing(start, "day")}


def month_number(m: Match, ctx: Context) -> Node:
    """The fifth month, where months have no names."""
    return {"yearly": cycles.month(int(m["n"]))} if 1 <= m["n"] <= 12 else None


def month_day(m: Match, ctx: Context) -> Node:
    """A day in a month given by number."""
    first = m["c"].at(2000)
    if first is None or first.grain != "month" or day(2000, first.start.month, int(m["d"])) is None:
        return None
    return {"yearly": cycles.day_of_year(first.start.month, int(m["d"]))}


def quarter_number(m: Match, ctx: Context) -> Node:
    """The third quarter."""
    return {"yearly": cycles.quarter(int(m["n"]))} if 1 <= m["n"] <= 4 else None


def the_day_number(m: Match, ctx: Context) -> Node:
    """The 28th, where an ordinal day has its own word."""
    return {"monthly": cycles.day_of_month(int(m["o"]))} if 1 <= m["o"] <= 31 else None


def calendar_week(m: Match, ctx: Context) -> Node:
    """`week 10`, `week 3 of 2027`: ISO 8601 weeks."""
    number = year_in(m) or ctx.now.year
    try:
        start = datetime.fromisocalendar(number, int(m["n"]), 1)
    except ValueError:
        return None
    return {"fixed": enclosing(start, "week")}


_COUNTED = frozenset(
    {
        "unit",
        "wday",
        "wwday",
        "part",
        "fraction",
        "month",
        "wseason",
        "dur",
        "num",
        "ord",
        "poss",
        "age",
        "times",
        "timeword",
    }
)

_LED = frozenset({"on", "until", "since", "from", "to", "before", "after", "between"})


def the_day(m: Match, ctx: Context) -> Node:
    """`the 28th`: an ordinal that counts nothing else (`the 28th floor`, `the second week`)."""
    number = int(m["o"])
    if not 1 <= number <= 31:
        return None
    token, index, first = m.token("o"), m.tokens[-1].last + 1, m.tokens[0].first
    lead = ctx.raw[first - 1].roles if first else {}
    if "in" in lead:
        return None  # `in the 4th`
    if "dth" not in token.roles and (_LED if number > 3 else _LED - {"from", "to", "since"}).isdisjoint(lead):
        return None  # `the first`
    if index < len(ctx.raw):
        roles = ctx.raw[index].roles
        if not _COUNTED.isdisjoint(roles) or ("dash" in roles and ctx.glued(index - 1) and ctx.glued(index)):
            return None
        if ctx.is_word(index) and ("dth" not in token.roles or not ctx.listed(ctx.word(index), "function")):
            return None
    return {"monthly": cycles.day_of_month(number)}


ACTIONS: dict[str, Action] = {
    "date": date,
    "month_of_year": month_of_year,
    "in_that_year": in_that_year,
    "of_that_month": of_that_month,
    "weekday_with_date": weekday_with_date,
    "weekday_with_dom": weekday_with_dom,
    "week_with_weekday": week_with_weekday,
    "month_number": month_number,
    "month_day": month_day,
    "quarter_number": quarter_number,
    "the_day_number": the_day_number,
    "calendar_week": calendar_week,
    "the_day": the_day,
}
