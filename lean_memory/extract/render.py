"""The standalone sentence of a fact: `Anna worked at Acme (until March 2023)`."""

from __future__ import annotations

import re
from datetime import tzinfo

from lean_memory.extract.reading import Reading
from lean_memory.extract.table import Predicate
from lean_memory.extract.verbs import past, present
from lean_memory.instants import to_datetime

__all__ = ["render"]

_VERB = re.compile(r"\[(\w+)\]")
_MONTHS = "January February March April May June July August September October November December".split()


def render(predicate: Predicate, reading: Reading, tz: tzinfo, now: int) -> str:
    """The predicate's template, in the right tense and polarity, with the dates the words gave."""
    if reading.text is not None:
        return reading.text + _dates(predicate, reading, tz, now)
    ended = reading.ends is not None and reading.ends <= now
    happened = predicate.kind == "event" or (ended and not reading.negative)
    plural = " and " in reading.subject

    def verb(match: re.Match[str]) -> str:
        base = match[1]
        if reading.negative:
            if base == "be":
                return "was not" if ended else "is not"
            if predicate.kind == "event":
                return f"has not {_participle(base)}" if not reading.past else f"did not {base}"
            return f"does not {base}"
        if happened:
            return past(base)
        return present(base, plural=plural)

    text = _VERB.sub(verb, predicate.text)
    if reading.negative and "[" not in predicate.text:
        text = "it is not so that " + text
    text = text.replace("{s}", reading.subject).replace("{o}", _article(predicate, reading.object))
    return text + _dates(predicate, reading, tz, now)


def _participle(base: str) -> str:
    from lean_memory.extract.verbs import IRREGULAR

    return IRREGULAR[base][1] if base in IRREGULAR else past(base)


def _article(predicate: Predicate, value: str) -> str:
    """`a nurse`, `head chef`: titles of one or more plain words take an article, but not `head of ..`."""
    if predicate.object in ("job", "role") and value and value.isascii() and not value[0].isupper():
        first = value.split()[0].lower()
        if first not in ("a", "an", "the", "head", "ceo", "cto", "vice", "chief"):
            return ("an " if first[0] in "aeiou" else "a ") + value
    return value


def _dates(predicate: Predicate, reading: Reading, tz: tzinfo, now: int) -> str:
    if reading.time_text is None:
        return ""
    grain = reading.grain or "day"
    begun = None if reading.starts is None else _date(reading.starts, grain, tz)
    over = None if reading.ends is None else _date(reading.ends, grain, tz)
    if predicate.kind == "event":
        return f" ({begun})" if begun else ""
    if begun and over and begun == over:
        return f" ({begun})"
    if begun and over:
        return f" ({begun} to {over})"
    if over:
        return f" (until {over})"
    if begun:
        return f" ({'from' if reading.starts is not None and reading.starts > now else 'since'} {begun})"
    return ""


def _date(millis: int, grain: str, tz: tzinfo) -> str:
    when = to_datetime(millis, tz)
    if grain in ("year", "decade", "century"):
        return str(when.year)
    if grain in ("month", "season", "quarter"):
        return f"{_MONTHS[when.month - 1]} {when.year}"
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"
