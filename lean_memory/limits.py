"""How much is taken of what a caller sends, where that is not decided by a format. docs/limits.md has all limits."""

from __future__ import annotations

from typing import Final

from lean_memory.errors import UsageError

__all__ = ["MAX_HITS", "MAX_NAME", "MAX_QUERY", "check_asked", "check_name"]

MAX_HITS: Final = 10_000
"""`k` of a search: what is ranked is held in memory. All that is visible is listed without ranking."""

MAX_QUERY: Final = 100_000
"""Characters of a query: each of its words is looked up."""

MAX_NAME: Final = 1000
"""Characters of a namespace's name."""


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
