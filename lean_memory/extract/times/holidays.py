"""Days that have a name: their dates in a given year. Which names mean them is a language's own table."""

from __future__ import annotations

from datetime import datetime, timedelta

from lean_memory.extract.times.periods import Period, day

__all__ = ["holiday"]

_FIXED = {
    "new_year": (1, 1), "epiphany": (1, 6), "valentine": (2, 14), "womens_day": (3, 8), "st_patrick": (3, 17),
    "april_fools": (4, 1), "workers_day": (5, 1), "childrens_day": (6, 1), "juneteenth": (6, 19),
    "independence_us": (7, 4), "bastille": (7, 14), "assumption": (8, 15), "china_national": (10, 1),
    "german_unity": (10, 3), "halloween": (10, 31), "all_saints": (11, 1), "guy_fawkes": (11, 5),
    "veterans": (11, 11), "christmas_eve": (12, 24), "christmas": (12, 25), "boxing": (12, 26),
    "new_year_eve": (12, 31),
}  # fmt: skip

# month, weekday (Monday 0), which (negative: from the end), days added
_FLOATING = {
    "mlk": (1, 0, 3, 0), "presidents": (2, 0, 3, 0), "mothers_day": (5, 6, 2, 0),
    "memorial": (5, 0, -1, 0), "fathers_day": (6, 6, 3, 0), "labor": (9, 0, 1, 0), "columbus": (10, 0, 2, 0),
    "thanksgiving": (11, 3, 4, 0), "black_friday": (11, 3, 4, 1), "cyber_monday": (11, 3, 4, 4),
}  # fmt: skip

_EASTER = {
    "mardi_gras": -47,
    "ash_wednesday": -46,
    "palm_sunday": -7,
    "good_friday": -2,
    "easter": 0,
    "easter_monday": 1,
    "pentecost": 49,
}


def holiday(name: str, year: int) -> Period | None:
    """The day (`holidays`: 24 December to 1 January) in that year, None outside the calendar's range."""
    if not 1 < year < 9999:
        return None
    if name == "holidays":
        return Period(datetime(year, 12, 24), datetime(year + 1, 1, 2), "week", True)
    if name in _FIXED:
        return day(year, *_FIXED[name])
    if name in _EASTER:
        when = _easter(year) + timedelta(days=_EASTER[name])
    else:
        month, weekday, which, extra = _FLOATING[name]
        when = _nth_weekday(year, month, weekday, which) + timedelta(days=extra)
    return day(when.year, when.month, when.day)


def _nth_weekday(year: int, month: int, weekday: int, which: int) -> datetime:
    if which < 0:
        last = datetime(year, month + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-which - 1))
    first = datetime(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))


def _easter(year: int) -> datetime:
    """Western Easter Sunday: the anonymous Gregorian computus (Meeus, Astronomical Algorithms, 1991, ch. 8)."""
    a, (b, c) = year % 19, divmod(year, 100)
    (d, e), f = divmod(b, 4), (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, dom = divmod(h + m - 7 * n + 114, 31)
    return datetime(year, month, dom + 1)
