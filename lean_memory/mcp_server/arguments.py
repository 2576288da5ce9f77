"""Arguments against a tool's schema. What is wrong is told with the parameter's name and what it takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lean_memory.errors import UsageError
from lean_memory.mcp_server.answer import Tool
from lean_memory.mcp_server.texts import whole

__all__ = ["checked"]


def checked(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with nulls left out; with values that came as JSON in a string taken out of it, as some clients
    send them so; and with the halves of broken surrogate pairs replaced.

    Raises:
        UsageError: `bad_argument`, naming the parameter.
    """
    from jsonschema import Draft202012Validator

    found = {
        name: _whole(_unwrapped(value, tool.takes.get(name, {}))) for name, value in given.items() if value is not None
    }
    errors = sorted(
        Draft202012Validator(tool.input_schema).iter_errors(found), key=lambda error: list(map(str, error.path))
    )
    if errors:
        error = errors[0]
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        raise UsageError(
            f"{where.lstrip('.') or 'the arguments'}: {error.message[:300]}",
            hint=_takes(tool, str(error.absolute_path[0]) if error.absolute_path else None),
            code="bad_argument",
        )
    return found


def _unwrapped(value: Any, rule: Mapping[str, Any]) -> Any:
    kind = rule.get("type")
    if not isinstance(value, str) or kind in (None, "string"):
        return value
    try:
        inside = json.loads(value)
    except ValueError:
        return value
    return inside


def _whole(value: Any) -> Any:
    """The value with texts that can be written: a text cut within an emoji is no reason to lose it."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(part) for name, part in value.items()}
    return value


def _takes(tool: Tool, name: str | None) -> str:
    if name is None or name not in tool.takes:
        needed = f"; it needs {', '.join(tool.needs)}" if tool.needs else ""
        return f"{tool.name} takes {', '.join(tool.takes)}{needed}"
    return f"{name}: {tool.takes[name].get('description', tool.takes[name])}"
