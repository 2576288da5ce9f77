"""Languages without a table of their own: dateparser finds and resolves, a few words before it give the relation."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from lean_memory.extract.times.context import Prefer
from lean_memory.extract.times.periods import enclosing
from lean_memory.extract.times.spans import Relation, TimeSpan, Unit

__all__ = ["search"]

_LEADS: Final[dict[str, Relation]] = {
    "seit": "since", "ab": "since", "bis": "until",  # German
    "depuis": "since", "dès": "since", "jusqu'en": "until", "jusqu'au": "until", "avant": "before", "après": "after",
    "desde": "since", "hasta": "until", "até": "until",  # Spanish, Portuguese
    "dal": "since", "dalla": "since", "fino": "until",  # Italian
    "sinds": "since", "sedan": "since", "siden": "since", "od": "since", "do": "until",  # Dutch, Nordic, Slavic
}  # fmt: skip
_GRAINS: Final[dict[str, Unit]] = {"time": "minute", "day": "day", "week": "week", "month": "month", "year": "year"}
_LAST_WORD = re.compile(r"([\w'’]+)\s+$")


def search(text: str, ref: datetime, lang: str, prefer: Prefer) -> tuple[TimeSpan, ...]:
    """What dateparser finds in that language; nothing when it doesn't know it."""
    from dateparser.date import DateDataParser
    from dateparser.search import search_dates

    settings = {
        "RELATIVE_BASE": ref.replace(tzinfo=None),
        "PREFER_DATES_FROM": prefer,
        "RETURN_AS_TIMEZONE_AWARE": False,
        "TIMEZONE": "UTC",
        "TO_TIMEZONE": "UTC",
    }
    try:
        found = search_dates(text, languages=[lang], settings=settings) or []
        parser = DateDataParser(languages=[lang], settings=settings)
    except (ValueError, OverflowError):
        return ()
    spans: list[TimeSpan] = []
    at = 0
    for phrase, when in found:
        words = _trimmed(phrase, parser)
        begin = text.find(words, at)
        if begin < 0 or not _tells(words):
            continue
        at = begin + len(words)
        unit = _GRAINS.get(parser.get_date_data(words).period or "day", "day")
        with suppress(ValueError, OverflowError):  # a date outside the calendar
            spans.append(_span(text, begin, at, when.replace(tzinfo=None), unit, ref))
    return tuple(spans)


def _trimmed(words: str, parser: Any) -> str:
    """Without what dateparser takes along and does not need: `gestern im`."""
    when = parser.get_date_data(words).date_obj
    shorter = words
    while " " in shorter and when is not None:
        shorter = shorter.rsplit(" ", 1)[0]
        if parser.get_date_data(shorter).date_obj == when:
            words = shorter
    return words


def _tells(words: str) -> bool:
    """dateparser also takes a lone number or a two-letter word for a date."""
    digits = sum(c.isdigit() for c in words)
    letters = sum(c.isalpha() for c in words)
    return digits >= 4 or letters >= 4


def _span(text: str, begin: int, end: int, when: datetime, unit: Unit, ref: datetime) -> TimeSpan:
    lead = _LAST_WORD.search(text, 0, begin)
    relation = _LEADS.get(lead[1].lower().replace("’", "'"), "at") if lead else "at"
    period = enclosing(when, unit)
    start, stop = period.start.replace(tzinfo=ref.tzinfo), period.stop.replace(tzinfo=ref.tzinfo)
    return TimeSpan(
        begin,
        end,
        {"until": None, "before": None, "after": stop}.get(relation, start),
        {"since": None, "after": None, "before": start}.get(relation, stop),
        unit,
        relation,
        earliest_stop=start if relation == "until" else None,
        lead=lead.start() if lead and relation != "at" else None,
    )
