"""The parameters that several tools share."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["ENTITY", "NAMESPACE", "TIME_ZONE", "instant", "limit"]

NAMESPACE: Final[dict[str, Any]] = {
    "type": "string",
    "minLength": 1,
    "description": "Which memory. Leave it out for the server's own.",
}

TIME_ZONE: Final[dict[str, Any]] = {
    "type": "string",
    "minLength": 1,
    "description": "Zone in which words like `yesterday` and times without an offset are read and times are shown, such"
    " as Europe/Berlin or +05:45. Default: the server's.",
}

ENTITY: Final[dict[str, Any]] = {
    "type": "string",
    "minLength": 1,
    "description": "Only those about this person or thing.",
}


def instant(description: str) -> dict[str, Any]:
    """A time."""
    return {
        "type": "string",
        "minLength": 1,
        "description": f"{description} Like 2026-03-10 or 2026-03-10T12:00:00Z.",
    }


def limit(default: int, most: int) -> dict[str, Any]:
    """How many."""
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default, "description": "How many at most."}
