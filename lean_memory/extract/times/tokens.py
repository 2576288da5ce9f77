"""Text to tokens: written-out dates, times of day and numbers of any language, and the words of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from lean_memory.extract.times.periods import Period, add, day, enclosing
from lean_memory.extract.times.spans import Unit

__all__ = [
    "NUMERIC_ROLE_SETS",
    "RAW",
    "clock_value",
    "han_number",
    "number_roles",
    "numeric_roles",
    "year_of_two_digits",
]

RAW = re.compile(
    r"""
      (?P<word>[^\W\d_½¼¾\u3400-\u9fff]+(?:['’][^\W\d_½¼¾\u3400-\u9fff]+)*(?![^\W_½¼¾\u3400-\u9fff]))
    | (?P<iso>\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d:]))
    | (?P<ymd>\d{4}(?P<s1>[/.])\d{1,2}(?P=s1)\d{1,2}(?!\d))
    | (?P<dmy>\d{1,2}(?P<s2>[/.-])\d{1,2}(?P=s2)(?:\d{4}|\d{2})(?!\d|[/.]\d))
    | (?P<clk>(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.m\.|[ap]m\b)|[ap]\b)?(?![\d:]))
    | (?P<hr>(?:1[0-2]|0?[1-9])(?:\.[0-5]\d)?\s?(?:[ap]\.m\.|[ap]m\b)|(?:1[0-2]|0?[1-9])[ap]\b)
    | (?P<dec4>(?:1[5-9]|20)\d0['’]?s\b)
    | (?P<dec2>['’]?[1-9]0['’]?s\b)
    | (?P<yy>['’]\d\d\b(?!['’]))
    | (?P<ord>\d{1,3}(?:st|nd|rd|th)\b)
    | (?P<ver>\d+(?:\.\d+){2,} | \d+(?:-\d+){2,}\b)
    | (?P<ym>(?:19|20)\d\d[-/](?:0?[1-9]|1[0-2])(?![\d/-]))
    | (?P<my>(?:0?[1-9]|1[0-2])[-/](?:19|20)\d\d(?![\d/-]))
    | (?P<mixed>\d+[ ]1/2(?![\d/]))
    | (?P<md>\d{1,2}/\d{1,2}(?![\d/%]|\.\d))
    | (?P<dec>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)
    | (?P<half>\d*\s?[½¼¾])
    | (?P<nw>\d+[^\W\d_\u3400-\u9fff][^\W\u3400-\u9fff]*)
    | (?P<int>\d+)
    | (?P<wn>[A-Za-z]+\d\w*)
    | (?P<han>[\u3400-\u9fff])
    | (?P<letters>[^\W\d_]+)
    | (?P<break>\n\s*\n)
    | (?P<mark>[^\w\s])
    """,
    re.VERBOSE,
)

_DIGITS = re.compile(r"\d+")
_FRACTION = {"½": 0.5, "¼": 0.25, "¾": 0.75}


def number_roles(value: float, *, digits: int = 0) -> dict[str, Any]:
    """What a number can be. `digits` is how many it is written with, 0 for words."""
    roles: dict[str, Any] = {"num": value}
    if digits in (0, 4) and 1500 <= value <= 2199:
        roles["year"] = int(value)
    if 1 <= value <= 31 and float(value).is_integer() and digits <= 2:
        roles["dom" if digits else "domw"] = int(value)
    if 0 <= value <= 24 and float(value).is_integer() and digits <= 2:
        roles["hour"] = int(value)
    if digits == 2:
        roles["yy"] = year_of_two_digits(int(value))
    return roles


def year_of_two_digits(value: int) -> int:
    """'69 is 1969, '68 is 2068 in POSIX; people write of the past: from 40 on it is the last century."""
    return value + (1900 if value >= 40 else 2000)


NUMERIC_ROLE_SETS = [
    *dict.fromkeys(frozenset(number_roles(n, digits=len(str(n)))) for n in (0, 5, 12, 28, 40, 500, 2000, 9999)),
    *dict.fromkeys(frozenset(number_roles(n)) for n in (0, 5, 28, 40, 2000)),
    frozenset(number_roles(0, digits=2)), frozenset({"fixed"}), frozenset({"moment"}), frozenset({"clock"}),
    frozenset({"decade"}), frozenset({"decade2"}), frozenset({"aposyear"}), frozenset({"ord", "dth"}),
    frozenset({"ord"}), frozenset({"md"}),
]  # fmt: skip


def han_number(values: Sequence[int]) -> int:
    """Chinese numerals as digits (`二〇一五` 2015) or with places (`二十三` 23)."""
    if all(value < 10 for value in values):
        return int("".join(map(str, values))) if len(values) < 10 else 0
    total = digit = 0
    for value in values:
        if value < 10:
            digit = value
        else:
            total, digit = total + (digit or 1) * value, 0
    return total + digit


def clock_value(text: str) -> tuple[int, int, int, bool] | None:
    """(hour, minute, second, half of the day known) of `8:30`, `3pm`, `15:00:10`."""
    numbers = [int(n) for n in _DIGITS.findall(text)]
    hour, minute, second = (*numbers, 0, 0)[:3]
    letters = text[-4:].lower().replace(".", "").strip()
    half = next((c for c in letters if c in "ap"), None)
    if half:
        hour = hour % 12 + (12 if half == "p" else 0) if hour <= 12 else hour
    known = half is not None or hour > 12 or hour == 0 or text[0] == "0"
    return (hour, minute, second, known) if hour < 24 else None


def numeric_roles(kind: str, text: str, *, day_first: bool, tz: Any) -> Mapping[str, Any] | None:
    """The roles of a numeric token, None when it is no time at all."""
    match kind:
        case "iso":
            return _iso(text, tz)
        case "ymd":
            y, a, b = (int(n) for n in _DIGITS.findall(text))
            return _fixed(day(y, a, b))
        case "dmy":
            return _dmy(text, day_first)
        case "ym" | "my":
            a, b = (int(n) for n in _DIGITS.findall(text))
            return {"fixed": enclosing(datetime(*((a, b) if kind == "ym" else (b, a)), 1), "month")}
        case "clk" | "hr":
            value = clock_value(text)
            return None if value is None else {"clock": value}
        case "dec4":
            return {"decade": int(text[:4])}
        case "dec2":
            tens = int(_DIGITS.findall(text)[0])
            return {"decade2": tens + (1900 if tens >= 30 else 2000)}
        case "yy":
            return {"aposyear": year_of_two_digits(int(text[1:]))}
        case "ord":
            return {"ord": int(text[:-2]), "dth": True}
        case "md":
            a, b = (int(n) for n in _DIGITS.findall(text))
            if (a, b) == (24, 7):
                return None
            a, b = (b, a) if (day_first and b <= 12) or a > 12 else (a, b)
            return {"md": (a, b)} if 1 <= a <= 12 and 1 <= b <= 31 else None
        case "dec":
            return number_roles(float(text.replace(",", "")), digits=9)
        case "half":
            return number_roles(float(text[:-1].strip() or 0) + _FRACTION[text[-1]], digits=9)
        case "mixed":
            return number_roles(int(text.split()[0]) + 0.5, digits=9)
        case _:
            return number_roles(int(text), digits=len(text)) if len(text) < 10 else None


def _fixed(period: Period | None) -> Mapping[str, Any] | None:
    return None if period is None else {"fixed": period}


def _dmy(text: str, day_first: bool) -> Mapping[str, Any] | None:
    """`12/09/2015`: the order is the caller's, unless the numbers leave only one; with dots it is day first."""
    a, b, y = _DIGITS.findall(text)
    if "." in text and len(y) == 2 and not len(a) == len(b) == 2:
        return None  # a version: 2.0.11
    first, second = int(a), int(b)
    number = int(y) if len(y) == 4 else year_of_two_digits(int(y))
    month, dom = (second, first) if (day_first or "." in text) else (first, second)
    if month > 12 >= dom:
        month, dom = dom, month
    return _fixed(day(number, month, dom))


def _iso(text: str, tz: Any) -> Mapping[str, Any] | None:
    if len(text) <= 10:
        y, m, d = (int(n) for n in text.split("-"))
        return _fixed(day(y, m, d))
    date, time = re.split("[T ]", text, maxsplit=1)
    offset = re.search(r"Z|[+-]\d\d:?\d\d$", time)
    y, m, d = (int(n) for n in date.split("-"))
    clock = [int(n) for n in _DIGITS.findall(time[: offset.start()] if offset else time)[:3]]
    try:
        hour, minute, second = (*clock, 0)[:3]
        when = datetime(y, m, d, hour, minute, second)
        if offset:
            minutes = 0 if offset[0] == "Z" else int(offset[0][:3]) * 60 + int(offset[0][0] + offset[0][-2:])
            when = when.replace(tzinfo=timezone(timedelta(minutes=minutes))).astimezone(tz).replace(tzinfo=None)
        unit: Unit = "second" if len(clock) == 3 else "minute"
        return {"moment": Period(when, add(when, 1, unit), unit)}
    except (ValueError, OverflowError):
        return None
