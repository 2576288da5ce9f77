"""How facts that a log or a receipt names stand now: an entry keeps the interval that it closed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lean_memory.mcp_server.call import Call

if TYPE_CHECKING:
    from lean_memory.records import Fact

__all__ = ["standing"]


def standing(call: Call, facts: Iterable[Fact]) -> dict[tuple[str, int | None], Fact]:
    """The facts with the intervals believed now, by id and start; one that was never true is missing."""
    from lean_memory.claims import View

    found = {}
    for subject in dict.fromkeys(fact.subject for fact in facts):
        view = View(now=call.memory.present(), kind="fact", subject=subject, ended=True, include_cold=True)
        for hit in call.memory.visible(call.namespace, view):
            if hit.fact is not None:
                found[hit.fact.id, hit.fact.valid_at] = hit.fact
    return found
