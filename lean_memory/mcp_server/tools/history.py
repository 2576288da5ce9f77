"""memory_history and memory_diff: what changed, when and why."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lean_memory.mcp_server import parameters, schema, telling
from lean_memory.mcp_server.answer import Answer, Tool
from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.fence import NOTICE, fenced
from lean_memory.mcp_server.tools.standing import standing

if TYPE_CHECKING:
    from lean_memory.records import Change

__all__ = ["DIFF", "HISTORY"]


def history(call: Call) -> Answer:
    """The last entries of the log."""
    from lean_memory.claims import LogFilter
    from lean_memory.wire import to_object

    asked = LogFilter(
        fact=call.given.get("fact"),
        subject=call.given.get("subject"),
        since=call.instant("since"),
        until=call.instant("until"),
    )
    limit, seen = call.given.get("limit", 50), 0
    kept: deque[Change] = deque(maxlen=limit)
    for entry in call.memory.history(call.namespace, asked):
        kept.append(entry)
        seen += 1
    lines = list(_told(call, kept))
    if seen > len(kept):
        lines.insert(0, f"({seen - len(kept)} earlier entries are left out: ask with until, or a greater limit)")
    data = {
        "namespace": call.namespace,
        "notice": NOTICE,
        "changes": [to_object(entry) for entry in kept],
        "left_out": seen - len(kept),
    }
    return Answer(fenced(lines or ["Nothing happened."], **call.told()), data)


def _told(call: Call, entries: Iterable[Change]) -> Iterator[str]:
    entries = list(entries)
    now = standing(call, [entry.told for entry in entries if entry.told])
    for entry in entries:
        yield from telling.change(call, entry, now)


def diff(call: Call) -> Answer:
    """What differs between two moments."""
    from lean_memory.wire import to_object

    first, second = (call.instant(name) or 0 for name in ("first", "second"))
    found = call.memory.difference(call.namespace, first, second, known=call.given.get("known", False))
    lines = [line for entry in found for line in telling.difference(call, entry)]
    times = {"first": call.minute(first), "second": call.minute(second)}
    data = {"namespace": call.namespace, "notice": NOTICE, "differences": [to_object(entry) for entry in found]}
    return Answer(fenced(lines or ["Nothing differs."], **call.told(), **times), data)


HISTORY = Tool(
    name="memory_history",
    title="History of the memory",
    description="The change log: what the memory learned about whom, when, what superseded what, and the words that"
    " caused it. Oldest first. To see how one fact came about, give its id.",
    takes={
        "namespace": parameters.NAMESPACE,
        "subject": parameters.ENTITY,
        "fact": {"type": "string", "minLength": 1, "description": "Only what happened to the fact with this id."},
        "since": parameters.instant("Only what was recorded at or after this time."),
        "until": parameters.instant("Only what was recorded before this time."),
        "limit": parameters.limit(50, 500),
        "time_zone": parameters.TIME_ZONE,
    },
    gives=schema.answer(
        namespace=schema.NAMESPACE,
        notice={"type": "string", "description": "What the entries are: reference data."},
        changes=schema.records("change", "The last entries, oldest first."),
        left_out={"type": "integer", "minimum": 0, "description": "How many earlier ones there are."},
    ),
    reads=True,
    repeats=True,
    run=history,
)

DIFF = Tool(
    name="memory_diff",
    title="Compare two moments",
    description="What is true at the second moment and not at the first, and the reverse, each with why and the words"
    " behind it. With `known`: what the memory believed at the two moments.",
    takes={
        "first": parameters.instant("The earlier moment."),
        "second": parameters.instant("The later moment."),
        "namespace": parameters.NAMESPACE,
        "known": {
            "type": "boolean",
            "default": False,
            "description": "Compare what the memory believed at the two moments, in place of what was true then.",
        },
        "time_zone": parameters.TIME_ZONE,
    },
    needs=("first", "second"),
    gives=schema.answer(
        namespace=schema.NAMESPACE,
        notice={"type": "string", "description": "What the facts are: reference data."},
        differences=schema.records("difference", "By subject."),
    ),
    reads=True,
    repeats=True,
    run=diff,
)
