"""How facts that a log or a receipt names stand now: an entry has the interval that it closed or its words gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lean_memory.mcp_server.call import Call

if TYPE_CHECKING:
    from lean_memory.records import Fact

__all__ = ["standing"]


def standing(call: Call, facts: Iterable[Fact]) -> Callable[[Fact], Fact | None]:
    """Gives each of the facts with the interval believed now: the one that begins as the fact does, else the one that
    it falls into, else the last. None for what is not believed any more, or went into another fact."""
    from lean_memory.claims import View

    held: dict[str, list[Fact]] = {}
    for subject in dict.fromkeys(fact.subject for fact in facts):
        view = View(now=call.memory.present(), kind="fact", subject=subject, ended=True, include_cold=True)
        for hit in call.memory.visible(call.namespace, view):
            if hit.fact is not None:
                held.setdefault(hit.fact.id, []).append(hit.fact)

    def now(fact: Fact) -> Fact | None:
        intervals = held.get(fact.id, [])
        same = [one for one in intervals if one.valid_at == fact.valid_at]
        around = [one for one in intervals if _covers(one, fact.valid_at)]
        return next(iter([*same, *around, *intervals[-1:]]), None)

    return now


def _covers(fact: Fact, at: int | None) -> bool:
    return at is not None and (fact.valid_at or at) <= at and (fact.valid_to is None or at < fact.valid_to)
