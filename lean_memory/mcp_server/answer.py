"""What a tool is, and what it answers with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lean_memory.mcp_server.call import Call

__all__ = ["Answer", "Tool"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The same twice: `text` for reading, `data` by the tool's output schema."""

    text: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool.

    `takes` maps each parameter to its JSON Schema, `needs` names those that must be there; `gives` is the schema of
    the structured answer. `reads`, `destroys` and `repeats` are the protocol's hints: it changes nothing; it may take
    away what was there; calling it again with the same arguments changes nothing further. No tool reaches beyond this
    machine.
    """

    name: str
    title: str
    description: str
    takes: Mapping[str, Mapping[str, Any]]
    needs: tuple[str, ...] = ()
    gives: Mapping[str, Any] = field(default_factory=dict)
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    run: Callable[[Call], Answer]

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return {
            "type": "object",
            "properties": {name: dict(rule) for name, rule in self.takes.items()},
            "required": list(self.needs),
            "additionalProperties": False,
        }
