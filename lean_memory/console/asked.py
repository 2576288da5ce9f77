"""One request for a page, as the pages see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lean_memory.console.language import Words
from lean_memory.memory import Memory

if TYPE_CHECKING:
    from lean_memory.mcp_server.session import Activity

__all__ = ["Asked"]

_LISTED = 1000
"""Memories to choose from on every page; the Memories page has them all."""


@dataclass(frozen=True, slots=True)
class Asked:
    """`query` is the address's. `namespace` is what it names, else the first one; `""` where there is none at all."""

    memory: Memory
    words: Words
    query: Mapping[str, str]
    namespaces: tuple[str, ...]
    namespace: str
    by: str
    agents: Callable[[], Sequence[Activity]]

    def number(self, name: str) -> int | None:
        """A whole number of the query; None where it is none."""
        value = self.query.get(name, "")
        return int(value) if value.lstrip("-").isdecimal() and len(value) < 12 else None

    def frame(self, page: str, **values: Any) -> dict[str, Any]:
        """What every page's template needs, and more."""
        listed = self.namespaces[:_LISTED]
        if self.namespace in self.namespaces[_LISTED:]:
            listed = (*listed, self.namespace)
        return {"page": page, "namespaces": listed, "namespace": self.namespace, **values}
