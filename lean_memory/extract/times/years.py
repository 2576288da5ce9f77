"""Actions for years, decades and centuries, and for telling them from plain numbers."""

from __future__ import annotations

from datetime import datetime

from lean_memory.extract.times.context import Context
from lean_memory.extract.times.dates import year_in
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Period, year

__all__ = ["ACTIONS"]


_LOOSE = frozenset({"from", "to", "of", "for", "approx", "about"})


def plain_year(m: Match, ctx: Context) -> Node:
    """`in 2009`: a number led in like a year, and not followed by what it may count."""
    token = m.token("y") if "y" in m else m.token("s")
    number = year_in(m) or 0
    if ctx.glued(token.first - 1) and ctx.before(token) not in "-–—~/(\"'":
        return None
    following = ctx.after(token)
    if following in ("%", "€", "$", "°") or (
        ctx.glued(token.last) and following in "./:" and ctx.glued(token.last + 1)
    ):
        return None
    lead = ctx.raw[token.first - 1].roles if token.first else {}
    if number % 100 == 0 and not {"approx", "about"}.isdisjoint(lead):
        return None  # `around 2000`
    noun = ctx.is_word(token.last + 1) and following[:1].islower() and not ctx.listed(following, "function")
    if noun and (not _LOOSE.isdisjoint(lead) or (number % 100 == 0 and following.endswith("s"))):
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
    if left in ("", ".", "!", "?") and ctx.listed(right, "year_verbs"):
        return plain_year(m, ctx)
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


def short_year(m: Match, ctx: Context) -> Node:
    """`98` with a word for year after it; smaller numbers are taken for a duration."""
    period = year(int(m["y"])) if 1960 <= m["y"] <= 1999 else None
    return None if period is None else {"fixed": period}


def decade_number(m: Match, ctx: Context) -> Node:
    """The 90s, where the number stands alone."""
    number = int(m["n"])
    first = number if number >= 1000 else number + (1900 if number >= 30 else 2000)
    if first % 10 or not 1000 <= first <= 2100:
        return None
    return {"fixed": Period(datetime(first, 1, 1), datetime(first + 10, 1, 1), "decade")}


def decade(m: Match, ctx: Context) -> Node:
    """`the 90s`, `1990s`, `late 80s`; but not `late 30s` or `her early twenties`, which are ages."""
    first = int(m["short"] if "short" in m else m["d"])
    if "short" in m and first % 100 < 50:
        return None
    if any(ctx.listed(ctx.before(m.tokens[0], steps), "whose") for steps in (1, 2)):
        return None
    return {"fixed": Period(datetime(first, 1, 1), datetime(first + 10, 1, 1), "decade")}


def century(m: Match, ctx: Context) -> Node:
    """`the 15th century`: 1400 to 1499, as ISO 8601 counts."""
    number = int(m["o"])
    if not 2 <= number <= 98:
        return None
    first = 100 * (number - 1)
    return {"fixed": Period(datetime(first, 1, 1), datetime(first + 100, 1, 1), "century")}


def fiscal_year(m: Match, ctx: Context) -> Node:
    """`FY2024`, `FY 24`: taken as the calendar year, roughly, for firms differ."""
    number = year_in(m)
    period = None if number is None else year(number)
    return None if period is None else {"fixed": Period(period.start, period.stop, "year", True)}


ACTIONS: dict[str, Action] = {
    "plain_year": plain_year,
    "named_year": named_year,
    "year_number": named_year,
    "lone_year": lone_year,
    "short_year": short_year,
    "decade_number": decade_number,
    "decade": decade,
    "century": century,
    "fiscal_year": fiscal_year,
}
