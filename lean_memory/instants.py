"""Points in time: integer milliseconds since the Unix epoch inside, RFC 3339 UTC on the wire."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from lean_memory.errors import UsageError

__all__ = ["format_instant", "parse_instant", "to_datetime", "to_millis", "zone", "zone_name"]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SHAPE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d\d:?\d\d)?)?"
)
_UTC = frozenset(("UTC", "Etc/UTC", "UCT", "Etc/UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal"))
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


def to_datetime(millis: int, tz: tzinfo = timezone.utc) -> datetime:
    """The instant as an aware datetime in `tz`; at the ends of the calendar, where it has no time in `tz`, in UTC."""
    when = _EPOCH + timedelta(milliseconds=millis)
    try:
        return when.astimezone(tz)
    except OverflowError:
        return when


def to_millis(when: datetime) -> int:
    """Whole milliseconds since the epoch. `when` must be aware."""
    return (when - _EPOCH) // timedelta(milliseconds=1)


def format_instant(millis: int) -> str:
    """`2026-03-10T12:00:00.000Z`."""
    when = _EPOCH + timedelta(milliseconds=millis)
    return f"{when.year:04d}-{when:%m-%dT%H:%M:%S}.{when.microsecond // 1000:03d}Z"


def parse_instant(text: str, *, tz: tzinfo = timezone.utc) -> tuple[int, str | None]:
    """Reads RFC 3339, or a bare date (its midnight) or local time, which are taken in `tz`.

    Returns the milliseconds and the offset as written (`-05:00`; None for UTC or none given).

    Raises:
        UsageError: the text is no such time.
    """
    match = _SHAPE.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        year, month, day, hour, minute, second, fraction, offset = match.groups()
        given = None if offset is None or offset in "Zz" else zone(offset)
        where = tz if offset is None else given or timezone.utc
        leap = 1 if second == "60" else 0  # datetime has no room for a leap second
        when = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0) - leap,
            int(((fraction or "") + "000000")[:6]), tzinfo=where,
        )  # fmt: skip
        millis = to_millis(when)
        format_instant(millis)  # an offset can push the year out of range
    except (ValueError, OverflowError):
        raise UsageError(
            f"not a time: {text[:60]!r}",
            hint="write it like 2026-03-10T12:00:00Z or 2026-03-10",
            code="bad_time",
        ) from None
    return millis, zone_name(given) if given else None


def zone(name: str) -> tzinfo:
    """A zone from `+05:45`, `UTC`, or a name like `Europe/Berlin`.

    Raises:
        UsageError: there is no such zone.
    """
    match = _OFFSET.fullmatch(name)
    if match:
        delta = timedelta(hours=int(match[2]), minutes=int(match[3]))
        if int(match[3]) < 60 and delta < timedelta(hours=24):
            return timezone(-delta if match[1] == "-" else delta)
    if name.upper() in ("UTC", "Z"):
        return timezone.utc
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        here = "write it like +05:45 or Europe/Berlin"
        none = "this machine lists no zones: write it like +05:45, or get them with: pip install tzdata"
        raise UsageError(
            f"no such time zone: {name[:60]!r}", hint=here if available_timezones() else none, code="bad_zone"
        ) from None


def zone_name(tz: tzinfo) -> str | None:
    """The name `zone` reads back; None for UTC."""
    if isinstance(tz, ZoneInfo):
        return None if tz.key in _UTC else tz.key
    seconds = int((tz.utcoffset(None) or timedelta()).total_seconds())
    if not seconds:
        return None
    sign, seconds = ("-", -seconds) if seconds < 0 else ("+", seconds)
    return f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
