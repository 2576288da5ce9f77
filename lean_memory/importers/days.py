"""Days as people write them in headings, front matter and file names, where they can be read in one way only."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime, timezone, tzinfo
from typing import Final, Literal

from lean_memory.errors import UsageError
from lean_memory.importers.ports import DateOrder
from lean_memory.instants import parse_instant, to_millis

__all__ = ["day_in", "leading_day", "numeric_day", "whole_day"]

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|"
        "october oct|november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO: Final = r"(?P<y>(?:19|20)\d\d)(?P<s>[-/._])(?P<m>\d\d?)(?P=s)(?P<d>\d\d?)(?!\d)"
_WORDS: Final = (
    rf"(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<m1>{_MONTH})\.?,? (?P<y1>(?:19|20)\d\d)(?!\d)"
    rf"|(?P<m2>{_MONTH})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>(?:19|20)\d\d)(?!\d)"
)
_DAY: Final = re.compile(rf"(?<![\d-])(?:{_ISO}|{_WORDS})", re.IGNORECASE)
_NUMERIC: Final = re.compile(
    r"(?<![\w./-])(?P<a>\d\d?)(?P<s>[./-])(?P<b>\d\d?)(?P=s)(?P<y>(?:19|20)\d\d)(?![\w./-])"
    r"|(?<![\w./-])(?P<a2>\d\d)(?P<s2>[./-])(?P<b2>\d\d)(?P=s2)(?P<y2>\d\d)(?![\w./-])"
)
_AROUND: Final = re.compile(
    r"(?:[\s\[\](){}<>#*_,.:;|–—-]|\w+day\b|mon|tue|wed|thu|fri|sat|sun|week \d+)*", re.IGNORECASE
)


def day_in(text: str, tz: tzinfo) -> int | None:
    """The midnight, in milliseconds since the epoch, of the one day that the text names."""
    found = {day for match in _DAY.finditer(text) if (day := _date(match)) is not None}
    return _midnight(found.pop(), tz) if len(found) == 1 else None


def numeric_day(text: str, tz: tzinfo, order: DateOrder | None) -> int | Literal["unclear"] | None:
    """The midnight of a day like `05/12/2024` that the text is, and little else; None where it is no such day.

    `order` decides what the numbers leave open: with dots the day comes first, a number over 12 is no month.
    """
    match = _NUMERIC.search(text[:80])
    if match is None or not _AROUND.fullmatch(text[: match.start()] + " " + text[match.end() :]):
        return None
    a, b, year = (int(match[key] or match[key + "2"]) for key in "aby")
    year += 2000 if year < 100 else 0
    orders = ["dmy"] if (match["s"] or match["s2"]) == "." else ["dmy", "mdy"]
    if order in ("dmy", "mdy"):
        orders = [order]
    days: set[date] = set()
    for one in orders:
        with suppress(ValueError):
            days.add(date(year, b, a) if one == "dmy" else date(year, a, b))
    return "unclear" if len(days) > 1 else _midnight(days.pop(), tz) if days else None


def whole_day(text: str, tz: tzinfo) -> int | None:
    """The same, of a text that is a date: RFC 3339 with its time, or a day and little else."""
    text = text[:80].strip().strip("'\"")
    try:
        return parse_instant(text, tz=tz)[0]
    except UsageError:
        match = _DAY.search(text)
        if match is None or not _AROUND.fullmatch(text[: match.start()] + " " + text[match.end() :]):
            return None
        return day_in(text, tz)


def leading_day(text: str, tz: tzinfo) -> tuple[int, int] | None:
    """The day before a text, as in `2024-05-12: moved`, and where the text begins."""
    match = re.match(rf"\*{{0,2}}\[{{0,2}}{_ISO}\]{{0,2}}\*{{0,2}}(?:\s*[:–—]|\s+-)\*{{0,2}}\s+", text)
    day = _date(match) if match is not None else None
    return (_midnight(day, tz), match.end()) if match is not None and day is not None else None


def _date(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    year, month, day = (parts.get(k) or parts.get(k + "1") or parts.get(k + "2") or "" for k in "ymd")
    try:
        return date(int(year), _MONTHS.get(month.lower()) or int(month), int(day))
    except ValueError:
        return None


def _midnight(day: date, tz: tzinfo) -> int:
    return to_millis(datetime(day.year, day.month, day.day, tzinfo=tz or timezone.utc))
