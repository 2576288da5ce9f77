"""The cycles behind words that name a part of the year, the month or the week."""

from __future__ import annotations

from datetime import datetime, timedelta

from lean_memory.extract.times.holidays import holiday
from lean_memory.extract.times.periods import Cycle, Period, add, day, enclosing

__all__ = ["day_of_month", "day_of_year", "half", "month", "named_day", "quarter", "season", "weekday"]

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def _months(year: int, first: int, count: int, grain: str) -> Period | None:
    if not 1 <= year < 9998:
        return None
    start = datetime(year, first, 1)
    return Period(start, add(start, count, "month"), grain)  # type: ignore[arg-type]


def month(number: int) -> Cycle:
    """May."""
    return Cycle(lambda y: _months(y, number, 1, "month"), "year")


def season(name: str) -> Cycle:
    """Summer; a winter belongs to the year in which it begins."""
    return Cycle(lambda y: _months(y, _SEASONS[name], 3, "season"), "year")


def quarter(number: int) -> Cycle:
    """Q1."""
    return Cycle(lambda y: _months(y, 3 * number - 2, 3, "quarter"), "year")


def half(number: int) -> Cycle:
    """H1, the first half of a year."""
    return Cycle(lambda y: _months(y, 6 * number - 5, 6, "quarter"), "year")


def day_of_year(month_: int, dom: int) -> Cycle:
    """3 May."""
    return Cycle(lambda y: day(y, month_, dom), "year")


def named_day(name: str) -> Cycle:
    """Christmas."""
    return Cycle(lambda y: holiday(name, y), "year")


def day_of_month(dom: int) -> Cycle:
    """The 28th."""
    return Cycle(lambda k: day(*_year_month(k), dom), "month")


def weekday(number: int) -> Cycle:
    """Friday (Monday is 0). It never means today."""

    def at(week: int) -> Period | None:
        ordinal = 7 * week + 1 + number
        if not 1 <= ordinal < 3_652_059:
            return None
        return enclosing(datetime.fromordinal(ordinal), "day")

    return Cycle(at, "week", strict=True)


def weekend() -> Cycle:
    """The weekend."""

    def at(week: int) -> Period | None:
        ordinal = 7 * week + 6
        if not 1 <= ordinal < 3_652_057:
            return None
        start = datetime.fromordinal(ordinal)
        return Period(start, start + timedelta(days=2), "weekend")

    return Cycle(at, "week")


def _year_month(index: int) -> tuple[int, int]:
    years, number = divmod(index, 12)
    return years, number + 1
