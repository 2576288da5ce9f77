"""How much is taken of what a caller sends, where that is not decided by a format. docs/limits.md has all limits."""

from __future__ import annotations

from typing import Final

from lean_memory.errors import UsageError

__all__ = [
    "FIRST",
    "LAST",
    "MAX_HITS",
    "MAX_NAME",
    "MAX_QUERY",
    "check_asked",
    "check_name",
    "check_texts",
    "check_times",
]

MAX_HITS: Final = 10_000
"""`k` of a search: what is ranked is held in memory. All that is visible is listed without ranking."""

MAX_QUERY: Final = 100_000
"""Characters of a query: each of its words is looked up."""

MAX_NAME: Final = 1000
"""Characters of a namespace's name."""

FIRST: Final = -62_135_596_800_000
"""The year 1, in milliseconds since 1970."""

LAST: Final = 253_402_300_799_999
"""The end of the year 9999."""


def check_asked(query: str, k: int) -> None:
    """Raises UsageError, `bad_k` or `long_query`: more than a search takes."""
    if not 1 <= k <= MAX_HITS:
        raise UsageError(
            f"k must be from 1 to {MAX_HITS:,}", hint="list all that is visible with: lm-search --all", code="bad_k"
        )
    if len(query) > MAX_QUERY:
        raise UsageError(
            f"the query has {len(query):,} characters; {MAX_QUERY:,} are the most",
            hint="ask with the words that matter",
            code="long_query",
        )


def check_name(namespace: str) -> None:
    """Raises UsageError, `bad_namespace`: empty, or too long."""
    if not namespace:
        raise UsageError("a namespace needs a name", hint="name one with: -n work", code="bad_namespace")
    if len(namespace) > MAX_NAME:
        raise UsageError(
            f"the namespace's name has {len(namespace):,} characters; {MAX_NAME:,} are the most",
            hint="give it a shorter name",
            code="bad_namespace",
        )


def check_times(**times: int | None) -> None:
    """Raises UsageError, `bad_time`: one is in no year from 1 to 9999, so it could not be written."""
    for name, millis in times.items():
        if millis is not None and not FIRST <= millis <= LAST:
            raise UsageError(
                f"{name} is in no year from 1 to 9999",
                hint="give milliseconds since 1970, or RFC 3339",
                code="bad_time",
            )


def check_texts(**texts: str | None) -> None:
    """Raises UsageError, `not_text`: one holds half of a surrogate pair, which can't be written."""
    for name, text in texts.items():
        if text is not None and not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as err:
                raise UsageError(
                    f"{name} has half a character at {err.start}",
                    hint="replace it: text.encode('utf-8', 'replace').decode()",
                    code="not_text",
                ) from None
