"""memory_clear: a memory is removed for good."""

from __future__ import annotations

from lean_memory.errors import UsageError
from lean_memory.mcp_server import schema
from lean_memory.mcp_server.answer import Answer, Tool
from lean_memory.mcp_server.call import Call

__all__ = ["CLEAR"]


def clear(call: Call) -> Answer:
    """Removes the files, if the caller named the memory twice."""
    if call.given["confirm"] != call.given["namespace"]:
        raise UsageError(
            f"this removes the memory {call.namespace!r} for good, and confirm does not name it",
            hint="ask the user; if they want it, give the same name as namespace and as confirm",
            code="needs_confirm",
        )
    files = call.memory.clear(call.namespace)
    data = {"namespace": call.namespace, "files": files}
    return Answer(f"The memory {call.namespace!r} is removed: {', '.join(files)}", data)


CLEAR = Tool(
    name="memory_clear",
    title="Remove a memory",
    description="Removes a whole memory with its history, for good. Only when the user asked for exactly that; to"
    " correct a fact, add the correction. Refused while maintenance or another program works on it.",
    takes={
        "namespace": {"type": "string", "minLength": 1, "description": "The memory to remove. There is no default."},
        "confirm": {"type": "string", "minLength": 1, "description": "Its name again."},
    },
    needs=("namespace", "confirm"),
    gives=schema.answer(
        namespace=schema.NAMESPACE,
        files={"type": "array", "items": {"type": "string"}, "description": "The names of the removed files."},
    ),
    destroys=True,
    repeats=True,
    run=clear,
)
