"""Reads bytes as an importer does, and makes exports to be read."""

from __future__ import annotations

import json
from typing import Any

from lean_memory.errors import Malformed
from lean_memory.importers import Input, importer
from lean_memory.instants import format_instant, parse_instant
from lean_memory.records import Note

__all__ = ["EXPORTED", "chatgpt", "claude", "errors", "message", "notes", "read", "said", "when"]

EXPORTED = parse_instant("2024-06-01T12:00:00Z")[0]
"""When the files of these tests were last modified."""


def read(format: str, data: str | bytes, *, chunk: int = 1 << 16, tz: str | None = None, **given: Any) -> list[Any]:
    """Notes and errors, in order."""
    default = Note(text="", t_ref=given.pop("at", EXPORTED), tz=tz, speaker=given.pop("speaker", None))
    reader = importer(format, Input(default=default, **given))
    data = data.encode() if isinstance(data, str) else data
    found: list[Note | Malformed] = []
    for start in range(0, len(data), chunk):
        found += reader.feed(data[start : start + chunk])
    return [*found, *reader.close()]


def notes(format: str, data: str | bytes, **given: Any) -> list[Note]:
    """The notes of an input without errors."""
    found = read(format, data, **given)
    assert not [item.message for item in found if isinstance(item, Malformed)]
    return found


def errors(format: str, data: str | bytes, **given: Any) -> list[Malformed]:
    return [item for item in read(format, data, **given) if isinstance(item, Malformed)]


def said(found: list[Note]) -> list[tuple[str | None, str]]:
    """Who says what."""
    return [(note.speaker, note.text) for note in found]


def when(note: Note) -> str:
    return format_instant(note.t_ref)


def message(role: str, text: Any, at: Any = None, *, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A node of ChatGPT's tree."""
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    return {"parent": parent, "message": {"author": {"role": role}, "create_time": at, "content": content, **more}}


def chatgpt(mapping: dict[str, Any], leaf: str | None = None, **more: Any) -> str:
    """An export of one conversation."""
    return json.dumps([{"conversation_id": "c-1", "mapping": mapping, "current_node": leaf, **more}])


def claude(*messages: dict[str, Any], **more: Any) -> str:
    """An export of one conversation."""
    return json.dumps([{"uuid": "u-1", "name": "Tea", "chat_messages": list(messages), **more}])
