"""Calendar arithmetic on naive local times: periods, things that come round, and parts of both.

Conventions. A week runs Monday to Sunday, a weekend is its Saturday and Sunday. Seasons are calendar seasons of the
northern hemisphere: spring March to May, summer June to August, autumn September to November, winter December to
the end of February (winter 2019 begins in December 2019). Early, middle and late are thirds of a period, cut at
whole days (of a week, a month), months (of a season, a quarter, a year) or years (of a decade, a century). Decades and
centuries are those of ISO 8601: the 1990s, the 20th century from 1900 to 1999.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from lean_memory.extract.times.spans import Grain, Unit

__all__ = [
    "Cycle",
    "Duration",
    "How",
    "Period",
    "add",
    "day",
    "enclosing",
    "floor",
    "part",
    "pick",
    "shifted",
    "sub",
    "year",
]

How: TypeAlias = Literal["past", "future", "last", "next", "this", "coming", "previous"]

_MONTHS: dict[str, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
_SECONDS: dict[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "weekend": 604800, "week": 604800}
_FINER: dict[str, Unit] = {
    "century": "year", "decade": "year", "year": "month", "quarter": "month", "month": "day", "week": "day",
    "weekend": "day",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    """[start, stop) in naive local time, how exactly it was put, and the exact point it was counted to, if any."""

    start: datetime
    stop: datetime
    grain: Grain
    approximate: bool = False
    point: datetime | None = None
    length: tuple[float, Unit] | None = None
    third: Literal["early", "mid", "late"] | None = None


@dataclass(frozen=True, slots=True)
class Cycle:
    """Something that comes round once a `unit`: May, Friday, the 28th. `at(k)` is the k-th, or None if it falls out.

    k counts years from year 0, months from January of year 0, weeks from the Monday of ordinal day 1. A `strict`
    cycle (a weekday) never means today.
    """

    at: Callable[[int], Period | None]
    unit: Literal["year", "month", "week"]
    strict: bool = False

    def then(self, change: Callable[[Period], Period | None]) -> Cycle:
        """The cycle of a part of each turn, or of something counted from it."""

        def at(k: int) -> Period | None:
            turn = self.at(k)
            return None if turn is None else change(turn)

        return Cycle(at, self.unit, self.strict)


@dataclass(frozen=True, slots=True)
class Duration:
    """Amounts of units, largest first: 2 years 3 months. `approximate` when hedged (`about`, `a few`)."""

    parts: tuple[tuple[float, Unit], ...]
    approximate: bool = False
    one: bool = False  # written `a week`, `one week`, not `1 week`

    @property
    def length(self) -> tuple[float, Unit]:
        """The whole as one (amount, unit), in the smallest unit named (or a finer one, for `a year and a half`)."""
        if len(self.parts) == 1:
            return self.parts[0]
        unit = self.parts[-1][1]
        if unit in _MONTHS and all(u in _MONTHS for _, u in self.parts):
            return sum(n * _MONTHS[u] for n, u in self.parts) / _MONTHS[unit], unit
        return sum(n * _SECONDS.get(u, _MONTHS.get(u, 0) * 2_592_000) for n, u in self.parts) / _SECONDS[unit], unit

    @property
    def grain(self) -> Unit:
        """The unit that an end of it can be told in: months for a year and a half."""
        amount, unit = self.parts[-1]
        return unit if float(amount).is_integer() else _FINER.get(unit, unit)


def floor(when: datetime, unit: Unit) -> datetime:
    """The start of the calendar unit that `when` falls in."""
    if unit == "second":
        return when.replace(microsecond=0)
    if unit == "minute":
        return when.replace(second=0, microsecond=0)
    if unit == "hour":
        return when.replace(minute=0, second=0, microsecond=0)
    midnight = when.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        return midnight - timedelta(days=midnight.weekday())
    if unit == "weekend":
        return midnight - timedelta(days=midnight.weekday()) + timedelta(days=5)
    if unit == "day":
        return midnight
    months = _MONTHS[unit]
    if months < 12:
        return midnight.replace(month=(midnight.month - 1) // months * months + 1, day=1)
    years = months // 12
    first = midnight.year // years * years
    return midnight.replace(year=max(first, 1), month=1, day=1)


def add(when: datetime, amount: float, unit: Unit) -> datetime:
    """`amount` units later (earlier when negative); a day that a month lacks becomes its last.

    Raises OverflowError or ValueError outside the years 1 to 9999.
    """
    if unit in _MONTHS:
        whole = int(amount * _MONTHS[unit])
        rest = amount * _MONTHS[unit] - whole
        index = when.year * 12 + when.month - 1 + whole
        years, month = divmod(index, 12)
        when = when.replace(year=years, month=month + 1, day=min(when.day, monthrange(years, month + 1)[1]))
        return when + timedelta(days=round(rest * 30)) if rest else when
    return when + timedelta(seconds=amount * _SECONDS[unit])


def enclosing(when: datetime, unit: Unit) -> Period:
    """The calendar unit around `when`."""
    start = floor(when, unit)
    stop = start + timedelta(days=2) if unit == "weekend" else add(start, 1, unit)
    return Period(start, stop, unit)


def day(year_: int, month: int, dom: int) -> Period | None:
    """One day, None when there is no such date."""
    try:
        return enclosing(datetime(year_, month, dom), "day")
    except (ValueError, OverflowError):
        return None


def year(number: int) -> Period | None:
    """One calendar year."""
    return Period(datetime(number, 1, 1), datetime(number + 1, 1, 1), "year") if 1 <= number < 9999 else None


def _index(when: datetime, unit: str) -> int:
    if unit == "year":
        return when.year
    if unit == "month":
        return when.year * 12 + when.month - 1
    return (when.toordinal() - 1) // 7


def pick(cycle: Cycle, now: datetime, how: How) -> Period | None:
    """Which turn of the cycle is meant.

    past: the latest that has begun; future: the earliest that isn't over (for a weekday, today is neither).
    last: the latest that is over; next: the earliest still to begin, for weekdays that of the next week.
    previous and this are those of the previous and the current year (month, week); coming is the earliest still to
    begin.
    """
    here, today = _index(now, cycle.unit), floor(now, "day")
    if how == "this" or (how == "next" and cycle.strict) or (how == "previous" and cycle.unit == "week"):
        around = cycle.at(here - 1)  # winter began last year
        if how == "this" and around is not None and around.start <= now < around.stop:
            return around
        return cycle.at(here + {"this": 0, "next": 1}.get(how, -1))
    back = how in ("past", "last", "previous")
    for step in range(-1, 10):
        turn = cycle.at(here - step if back else here + step)
        if turn is None:
            continue
        begun = turn.stop <= today if cycle.strict or how in ("last", "previous") else turn.start <= now
        ahead = turn.start > now if cycle.strict or how != "future" else turn.stop > now
        if begun if back else ahead:
            return turn
    return None


def part(whole: Period, which: Literal["early", "mid", "late"]) -> Period | None:
    """A third of the period."""
    cuts = _cuts(whole)
    if cuts is None:
        return None
    edges = (whole.start, *cuts, whole.stop)
    i = ("early", "mid", "late").index(which)
    return Period(edges[i], edges[i + 1], whole.grain, True, third=which)


def _cuts(whole: Period) -> tuple[datetime, datetime] | None:
    start = whole.start
    match whole.grain:
        case "century":
            return add(start, 33, "year"), add(start, 66, "year")
        case "decade":
            return add(start, 3, "year"), add(start, 7, "year")
        case "year":
            return add(start, 4, "month"), add(start, 8, "month")
        case "season" | "quarter":
            return add(start, 1, "month"), add(start, 2, "month")
        case "month":
            return add(start, 10, "day"), add(start, 20, "day")
        case "week":
            return add(start, 2, "day"), add(start, 4, "day")
        case "day":
            return add(start, 8, "hour"), add(start, 16, "hour")
        case _:
            return None


def sub(whole: Period, ordinal: int, unit: Unit) -> Period | None:
    """The `ordinal`-th unit of the period, counted from its end when negative.

    A week belongs to the month or year that its Thursday is in (as in ISO 8601), a weekend to that of its Saturday.
    """
    first, final = enclosing(whole.start, unit), enclosing(add(whole.stop, -1, "second"), unit)
    if unit in ("week", "weekend"):
        key = timedelta(days=3 if unit == "week" else 0)
        if first.start + key < whole.start:
            first = enclosing(first.start + timedelta(days=7), unit)
        if final.start + key >= whole.stop:
            final = enclosing(final.start - timedelta(days=7), unit)
    base, steps = (first, ordinal - 1) if ordinal > 0 else (final, ordinal + 1)
    size: Unit = "week" if unit == "weekend" else unit
    turn = enclosing(add(base.start, steps, size), unit)
    return turn if turn.stop > whole.start and turn.start < whole.stop else None


def shifted(whole: Period, amount: float, unit: Unit) -> Period:
    """The same stretch, `amount` units later."""
    return replace(whole, start=add(whole.start, amount, unit), stop=add(whole.stop, amount, unit))
