"""Resources: what is known now, a page for each memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from lean_memory.mcp_server import telling
from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.fence import fenced, inline
from lean_memory.mcp_server.texts import whole

if TYPE_CHECKING:
    from lean_memory.records import Fact

__all__ = ["MIME", "TEMPLATE", "facts", "namespace_of", "namespaces", "uri"]

TEMPLATE: Final = "memory://{namespace}/facts"
MIME: Final = "text/plain"

_URI = re.compile(r"memory://([^/?#]+)/facts/?")
_SHOWN = 500


def uri(namespace: str) -> str:
    """Where a memory's facts are."""
    return f"memory://{quote(namespace, safe='')}/facts"


def namespace_of(address: str) -> str | None:
    """The memory that an address names; None if it is no such address."""
    match = _URI.fullmatch(address)
    return None if match is None else unquote(match[1])


def namespaces(call: Call) -> list[str]:
    """Every memory there is, but for those whose name is no text."""
    return [name for name in call.memory.namespaces() if whole(name) == name]


def facts(call: Call) -> str:
    """The facts that hold now, by subject, each with since when."""
    from lean_memory.claims import View

    held: list[Fact] = []
    more = 0
    for hit in call.memory.visible(call.namespace, View(now=call.memory.present(), kind="fact")):
        if hit.fact is None:
            continue
        if len(held) < _SHOWN:
            held.append(hit.fact)
        else:
            more += 1
    return fenced(_page(call, held, more), **call.told())


def _page(call: Call, held: list[Fact], more: int) -> Iterator[str]:
    subject = None
    for fact in held:
        if fact.subject != subject:
            subject = fact.subject
            yield f"About {inline(subject)}:"
        yield f"- {telling.fact(call, fact)}"
    if not held:
        yield "No facts are known."
    if more:
        yield f"and {more} more: find them with memory_search"
