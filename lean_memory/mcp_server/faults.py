"""A failure as a model can act on it: what failed, and the tool call or the command that mends it."""

from __future__ import annotations

from typing import Final

from lean_memory.errors import LeanMemoryError
from lean_memory.mcp_server.fence import inline
from lean_memory.mcp_server.texts import whole

__all__ = ["told"]

# In place of a command's hint, where a tool mends it.
_HINTS: Final = {
    "no_namespace": "name one that is there, or begin it with memory_add",
    "lease": "a run of maintenance is on: call again when memory_maintenance_status names no holder",
    "busy": "another program is writing to it: call again in a moment",
    "no_proposal": "memory_review_queue lists them with their ids",
    "bad_namespace": "give it a name, such as work",
}


def told(tool: str, error: LeanMemoryError) -> str:
    """The error in one line, and the fix in another."""
    hint = _HINTS.get(error.code, error.hint)
    line = f"{tool} failed ({error.code}): {inline(whole(error.message))}"
    return f"{line}\nFix: {inline(hint)}" if hint else line
