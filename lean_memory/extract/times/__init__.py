"""Time expressions in chat and notes: where they are and what they mean. Pure: no clock, no environment.

`find_times` reads English and Chinese by its own grammar: tables of words and rules (`english.toml`, `chinese.toml`)
over one engine (`grammar`), with the calendar's conventions in `periods`. Other languages go to dateparser.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone

from lean_memory.extract.times.context import Context, Prefer
from lean_memory.extract.times.language import Language, load
from lean_memory.extract.times.spans import TimeSpan
from lean_memory.instants import to_millis
from lean_memory.limits import FIRST, LAST

__all__ = ["TimeSpan", "find_times"]

_WORDS = re.compile(r"[a-z]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_DIGIT = re.compile(r"[0-9½¼¾]")


def find_times(text: str, ref: datetime, *, lang: str = "en", prefer: Prefer = "past") -> tuple[TimeSpan, ...]:
    """The time expressions of `text`, in order and disjoint, resolved against `ref` in its own zone.

    Args:
        ref: when it was said; aware.
        lang: the language's code.
        prefer: which way an expression that looks both ways is taken: `on Monday`, `in June`, `3 May`. `last` always
            looks back, `next` ahead.

    Raises:
        ValueError: `ref` has no zone.
    """
    if ref.tzinfo is None:
        raise ValueError("ref must be an aware datetime")
    return tuple(span for span in _found(text, ref, lang, prefer) if _in_calendar(span))


def _found(text: str, ref: datetime, lang: str, prefer: Prefer) -> tuple[TimeSpan, ...]:
    if lang[:2].lower() not in ("en", "zh"):
        from lean_memory.extract.times.fallback import search

        return search(text, ref, lang[:2].lower(), prefer)
    spans: tuple[TimeSpan, ...] = ()
    if not text.isascii() and _HAN.search(text):
        chinese = load("chinese")
        if _DIGIT.search(text) or chinese.trigger_han.search(text):
            spans = read(chinese, text, ref, prefer)
    language = load("english")
    if _DIGIT.search(text) is None and language.trigger_words.isdisjoint(_WORDS.findall(text.lower())):
        return spans
    return _merged(spans, read(language, text, ref, prefer))


def _in_calendar(span: TimeSpan) -> bool:
    """Whether its times have a year from 1 to 9999 in UTC too, as they are kept."""
    times = (span.start, span.stop, span.point, span.earliest_stop)
    return all(when is None or FIRST <= to_millis(when) <= LAST + 1 for when in times)


def _merged(first: tuple[TimeSpan, ...], second: tuple[TimeSpan, ...]) -> tuple[TimeSpan, ...]:
    """All of the first, and those of the second that touch none of them."""
    if not first:
        return second
    free = [s for s in second if all(s.end <= f.outer or f.end <= s.outer for f in first)]
    return tuple(sorted((*first, *free), key=lambda s: s.begin))


def read(language: Language, text: str, ref: datetime, prefer: Prefer) -> tuple[TimeSpan, ...]:
    """Runs a language's cascade over each stretch of words that have a role."""
    tz = ref.tzinfo or timezone.utc
    tokens = language.tokens(text, tz)
    roles = "".join(token.char for token in tokens)
    spans: list[TimeSpan] = []
    context = None
    for segment in language.segment.finditer(roles):
        if context is None:
            context = Context(text, ref, ref.replace(tzinfo=None), tz, prefer, tokens, language.lists)
        part = tokens[segment.start() : segment.end()]
        try:
            chars = segment[0]
            for stage in language.stages:
                chars = stage.run(part, chars, context)
        except (ValueError, OverflowError):
            continue  # a date outside the calendar
        spans += [token.roles["span"] for token in part if "span" in token.roles]
    return tuple(span for span in spans if span.start is None or span.stop is None or span.start <= span.stop)
