"""Actions for dates: written out, named, and told from the reference by a word (`last`, `next`, `this`)."""

from __future__ import annotations

from datetime import datetime, timedelta

from lean_memory.extract.times import cycles
from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Cycle, Duration, Period, add, day, enclosing, floor, pick, year
from lean_memory.extract.times.quantities import window

__all__ = ["ACTIONS", "DATE_ROLES", "FUNCTION_WORDS"]

DATE_ROLES = ("fixed", "yearly", "wyearly", "weekly", "wweekly", "monthly", "mdate")
"""Tokens whose value is a Period or a Cycle; `w` marks words that need something beside them to be a date."""


def _year(m: Match) -> int | None:
    return next((int(m[label]) for label in ("y", "s", "yy") if label in m), None)


def date(m: Match, ctx: Context) -> Node:
    """Day and month with or without a year: `12 September 2015`, `Feb 3rd`, `the 6th of July`."""
    month, dom = int(m["m"]), int(m.get("d", m.get("o", 0)))
    number = _year(m)
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
    number = _year(m)
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


def relative_day(m: Match, ctx: Context) -> Node:
    """`yesterday`, `the day after tomorrow`."""
    return {"fixed": ctx.days_away(int(m["r"]))}


def relative_unit(m: Match, ctx: Context) -> Node:
    """`last week`, `this month`, `next year`, `last weekend`."""
    how, unit = m["m"], m["u"]
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
    size = "week" if unit == "weekend" else unit
    start = add(floor(ctx.now, unit), step, size)
    return {"fixed": enclosing(start, unit)}


def relative_turn(m: Match, ctx: Context) -> Node:
    """`last summer`, `next Friday`, `this Christmas`, `last May`."""
    how = m["m"]
    token = m.token("c")
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


_LOOSE = frozenset({"from", "to", "of", "for"})


def plain_year(m: Match, ctx: Context) -> Node:
    """`in 2009`: a number led in like a year, and not followed by what it may count."""
    token = m.token("y") if "y" in m else m.token("s")
    number = _year(m) or 0
    if ctx.glued(token.first - 1) and ctx.before(token) not in "-–—~/(\"'":
        return None
    following = ctx.after(token)
    if following in ("%", "€", "$", "°") or (
        ctx.glued(token.last) and following in "./:" and ctx.glued(token.last + 1)
    ):
        return None
    if following[:1].islower() and not ctx.raw[token.last + 1].roles and following not in FUNCTION_WORDS:
        lead = ctx.raw[token.first - 1].roles if token.first else {}
        if not _LOOSE.isdisjoint(lead) or (number % 100 == 0 and following.endswith("s")):
            return None  # `of 1990 people`
    period = year(number)
    return None if period is None else {"fixed": period}


def named_year(m: Match, ctx: Context) -> Node:
    """`the year 2008`."""
    period = year(int(m["y"]))
    return None if period is None else {"fixed": period}


def lone_year(m: Match, ctx: Context) -> Node:
    """A year by itself: in brackets, or between punctuation."""
    token = m.token("y")
    if not 1900 <= m["y"] <= 2100 or (m.begin and "dash" in ctx.raw[token.first - 1].roles):
        return None
    left, right = ctx.before(token), ctx.after(token)
    if left not in ("", "(", ",", ":", ";", "[", ".", "!", "?") or right not in (
        "",
        ")",
        ",",
        ":",
        ";",
        "]",
        ".",
        "!",
        "?",
    ):
        return None
    if left == right == "":
        return None
    return plain_year(m, ctx)


_WHOSE = frozenset({"my", "your", "his", "her", "our", "their"})


def short_year(m: Match, ctx: Context) -> Node:
    """`98` with a word for year after it; smaller numbers are taken for a duration."""
    period = year(int(m["y"])) if 1960 <= m["y"] <= 1999 else None
    return None if period is None else {"fixed": period}


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


def decade_number(m: Match, ctx: Context) -> Node:
    """The 90s, where the number stands alone."""
    number = int(m["n"])
    first = number if number >= 1000 else number + (1900 if number >= 30 else 2000)
    if first % 10 or not 1000 <= first <= 2100:
        return None
    return {"fixed": Period(datetime(first, 1, 1), datetime(first + 10, 1, 1), "decade")}


def relative_year(m: Match, ctx: Context) -> Node:
    """A word for last year, the year before last, next year."""
    period = year(ctx.now.year + int(m["r"]))
    return None if period is None else {"fixed": period}


def the_day_number(m: Match, ctx: Context) -> Node:
    """The 28th, where an ordinal day has its own word."""
    return {"monthly": cycles.day_of_month(int(m["o"]))} if 1 <= m["o"] <= 31 else None


def decade(m: Match, ctx: Context) -> Node:
    """`the 90s`, `1990s`."""
    first = int(m["d"])
    if ctx.before(m.tokens[0]).lower() in _WHOSE or (m.begin and ctx.before(m.tokens[0], 2).lower() in _WHOSE):
        return None  # `in her early twenties`
    if "the" not in m and (
        first % 100 < 50 if "decade2" in m.tokens[-1].roles else "edge" not in ctx.raw[m.tokens[0].first - 1].roles
    ):
        word = ctx.text[m.tokens[-1].begin : m.tokens[-1].end]
        if len(word) < 5 or word.isalpha():
            return None  # `late 30s`, `two twenties`
    return {"fixed": Period(datetime(first, 1, 1), datetime(first + 10, 1, 1), "decade")}


def century(m: Match, ctx: Context) -> Node:
    """`the 15th century`: 1400 to 1499, as ISO 8601 counts."""
    number = int(m["o"])
    if not 2 <= number <= 98:
        return None
    first = 100 * (number - 1)
    return {"fixed": Period(datetime(first, 1, 1), datetime(first + 100, 1, 1), "century")}


def calendar_week(m: Match, ctx: Context) -> Node:
    """`week 10`, `week 3 of 2027`: ISO 8601 weeks."""
    number = _year(m) or ctx.now.year
    try:
        start = datetime.fromisocalendar(number, int(m["n"]), 1)
    except ValueError:
        return None
    return {"fixed": enclosing(start, "week")}


def fiscal_year(m: Match, ctx: Context) -> Node:
    """`FY2024`, `FY 24`: taken as the calendar year, roughly, for firms differ."""
    number = _year(m)
    period = None if number is None else year(number)
    return None if period is None else {"fixed": Period(period.start, period.stop, "year", True)}


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
FUNCTION_WORDS = frozenset(
    "i we you he she it they is was are were will would has had have and or but so as that if when because with my our his "
    "her their there also too again not can could should please we're i'm it's he's she's they're i've i'll we'll".split()
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
    if "dth" not in token.roles:
        if (_LED if number > 3 else _LED - {"from", "to", "since"}).isdisjoint(lead):
            return None  # `the first`
    if index < len(ctx.raw):
        roles = ctx.raw[index].roles
        noun = not roles and ctx.word(index)[:1].isalpha()
        if not _COUNTED.isdisjoint(roles) or ("dash" in roles and ctx.glued(index - 1) and ctx.glued(index)):
            return None
        if noun and ("dth" not in token.roles or ctx.word(index).lower() not in FUNCTION_WORDS):
            return None
    return {"monthly": cycles.day_of_month(number)}


def to_date(m: Match, ctx: Context) -> Node:
    """`year to date`: from its start up to today."""
    start = floor(ctx.now, m["u"])
    return {"fixed": Period(start, ctx.today + timedelta(days=1), m["u"])}


ACTIONS: dict[str, Action] = {
    "date": date,
    "month_of_year": month_of_year,
    "in_that_year": in_that_year,
    "of_that_month": of_that_month,
    "weekday_with_date": weekday_with_date,
    "weekday_with_dom": weekday_with_dom,
    "week_with_weekday": week_with_weekday,
    "relative_day": relative_day,
    "relative_unit": relative_unit,
    "week_but_one": week_but_one,
    "relative_turn": relative_turn,
    "turn_but_one": turn_but_one,
    "plain_year": plain_year,
    "named_year": named_year,
    "lone_year": lone_year,
    "to_date": to_date,
    "short_year": short_year,
    "year_number": named_year,
    "month_number": month_number,
    "month_day": month_day,
    "quarter_number": quarter_number,
    "decade_number": decade_number,
    "relative_year": relative_year,
    "the_day_number": the_day_number,
    "decade": decade,
    "century": century,
    "calendar_week": calendar_week,
    "fiscal_year": fiscal_year,
    "the_day": the_day,
}
