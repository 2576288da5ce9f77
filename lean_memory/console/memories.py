"""The Namespaces page: how large each memory is, what it holds, which model it uses, when it was last maintained."""

from __future__ import annotations

from lean_memory.console.asked import Asked
from lean_memory.console.render import render
from lean_memory.errors import LeanMemoryError
from lean_memory.upkeep import Status

__all__ = ["namespaces"]

_SHOWN = 100
"""Memories on one page, as each is opened for it."""


def namespaces(asked: Asked) -> str:
    """The page. A memory that can't be read says why in its place. `from` in the query is how many come before."""
    count = len(asked.namespaces)
    first = min(max(0, asked.number("from") or 0), max(0, count - 1)) // _SHOWN * _SHOWN
    rows: list[tuple[str, Status | None, int, str, str | None]] = []
    for name in asked.namespaces[first : first + _SHOWN]:
        try:
            status = asked.memory.maintenance_status(name)
            rows.append((name, status, asked.memory.size(name), asked.memory.describe(name)["embedder"], None))
        except LeanMemoryError as error:
            rows.append((name, None, asked.memory.size(name), "", error.message))
    return render(
        "namespaces.html", asked.words, **asked.frame("namespaces", rows=rows, first=first, count=count, shown=_SHOWN)
    )
