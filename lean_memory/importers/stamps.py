"""The date and time before a chat's line, in the forms of many locales, and which of its numbers is the day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone, tzinfo
from itertools import pairwise
from typing import Final

from lean_memory.importers.ports import DateOrder
from lean_memory.instants import to_datetime, to_millis, zone

__all__ = ["MARKS", "Stamp", "date_order", "read_stamp"]

MARKS: Final = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
"""Marks of writing direction, which apps put around what they write themselves."""

_SPACES: Final = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " "})
_DAY: Final = r"(?P<a>\d{1,4})(?P<sep> ?[./-] ?)(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})\.?"
_BETWEEN: Final = r"(?:T|,? +)(?:(?:klo|um|à|alle|às|a las|at|kl\.?) )?"
_BEFORE: Final = r"오전|오후|上午|下午|午前|午後|凌晨|早上|中午|晚上"
_CLOCK: Final = (
    rf"(?:(?P<pre>{_BEFORE}) ?)?(?P<h>\d{{1,2}})[:.](?P<m>\d\d)(?:[:.](?P<s>\d\d)(?:[.,]\d+)?)?"
    r"(?: ?(?P<post>[AaPp]\.? ?[Mm]\.?))?(?P<zone>Z|[+-][01]\d:[0-5]\d)?"
)
_MARK: Final = rf"[{MARKS}]*"
_FORMS: Final = [
    (form, re.compile(_MARK + pattern))
    for form, pattern in (
        ("bracket", rf"\[{_MARK}{_DAY}{_BETWEEN}{_CLOCK}{_MARK}\] ?"),
        ("dash", rf"{_DAY}{_BETWEEN}{_CLOCK}{_MARK} [-–—] "),
        ("bare", rf"{_DAY}{_BETWEEN}{_CLOCK}{_MARK} +"),
    )
]
_AFTERNOON: Final = frozenset(("오후", "下午", "午後", "晚上"))
_DAY_MS: Final = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Stamp:
    """The numbers of a date as they are written, and the time of the day."""

    form: str
    numbers: tuple[int, int, int]
    year_first: bool
    separator: str
    clock: tuple[int, int, int]
    zone: str | None
    written: str
    end: int

    def day(self, order: DateOrder) -> date:
        """Raises ValueError where there is no such day."""
        a, b, c = self.numbers
        year, month, day = {"dmy": (c, b, a), "mdy": (c, a, b), "ymd": (a, b, c)}[order]
        if year < 100:
            year += 2000
        if not 1970 <= year <= 9998:
            raise ValueError
        return date(year, month, day)

    def instant(self, order: DateOrder, tz: tzinfo) -> int:
        """Milliseconds since the epoch. Raises ValueError where there is no such time."""
        at = self.day(order)
        where = (timezone.utc if self.zone == "Z" else zone(self.zone)) if self.zone else tz
        return to_millis(datetime(at.year, at.month, at.day, *self.clock, tzinfo=where))


def read_stamp(line: str) -> Stamp | None:
    """The stamp that the line begins with; the text follows from `end` on."""
    line = line.translate(_SPACES)
    for form, pattern in _FORMS:
        if (match := pattern.match(line)) is not None and (clock := _clock(match)) is not None:
            if form == "bare" and len(match["a"]) != 4:
                continue  # a sentence may begin with such numbers
            return Stamp(
                form=form,
                numbers=(int(match["a"]), int(match["b"]), int(match["c"])),
                year_first=len(match["a"]) > 2,
                separator=match["sep"].strip(),
                clock=clock,
                zone=match["zone"],
                written=line[: match.end()].strip(MARKS + " -–—"),
                end=match.end(),
            )
    return None


def _clock(match: re.Match[str]) -> tuple[int, int, int] | None:
    hour, minute, second = int(match["h"]), int(match["m"]), int(match["s"] or 0)
    half = match["pre"] or (match["post"] or "")[:1].lower()
    if half and not 0 <= hour <= 12:
        return None
    if half in _AFTERNOON or half == "p":
        hour = hour % 12 + 12
    elif half == "中午":
        hour = hour if hour >= 11 else hour + 12
    elif half:
        hour %= 12
    return (hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def date_order(stamps: Sequence[Stamp], tz: tzinfo, latest: int | None = None) -> DateOrder | None:
    """Which order of day, month and year the whole file is written in; None where its dates don't tell.

    What tells, in this order: a number that is no month; a dot between numbers, which only those write who begin
    with the day; that messages follow each other in time; that none is from after `latest`.
    """
    if any(stamp.year_first for stamp in stamps):
        return "ymd" if all(_fits(stamp, "ymd") for stamp in stamps) else None
    distinct = list({stamp.numbers: stamp for stamp in stamps}.values())
    orders: list[DateOrder] = ["dmy", "mdy"]
    orders = [order for order in orders if all(_fits(stamp, order) for stamp in distinct)]
    if not orders and all(_fits(stamp, "ymd") for stamp in distinct):
        return "ymd"
    if "dmy" in orders and all(stamp.separator == "." for stamp in distinct):
        return "dmy"
    if len(orders) > 1:
        days = {order: [stamp.day(order) for stamp in _runs(stamps)] for order in orders}
        orders = [order for order in orders if all((b - a).days >= -1 for a, b in pairwise(days[order]))] or orders
        if len(orders) > 1 and latest is not None:
            last = to_datetime(min(latest + _DAY_MS, 253_000_000_000_000), tz).date()
            orders = [order for order in orders if max(days[order]) <= last] or orders
        if len(orders) > 1 and days[orders[0]] == days[orders[1]]:
            return orders[0]
    return orders[0] if len(orders) == 1 else None


def _fits(stamp: Stamp, order: DateOrder) -> bool:
    try:
        stamp.day(order)
    except ValueError:
        return False
    return True


def _runs(stamps: Iterable[Stamp]) -> list[Stamp]:
    """The stamps without those that repeat the date before."""
    kept: list[Stamp] = []
    for stamp in stamps:
        if not kept or kept[-1].numbers != stamp.numbers:
            kept.append(stamp)
    return kept
