"""`conversations.json` of ChatGPT and of Claude, one conversation after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, Literal

import orjson

from lean_memory.errors import Malformed
from lean_memory.importers.chatgpt import chatgpt_notes
from lean_memory.importers.claude import claude_notes
from lean_memory.importers.elements import Element, Elements
from lean_memory.importers.ports import Imported, Input

__all__ = ["Conversations"]

_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = b" \t\r\n"
_KEYS: Final = {"chatgpt": "mapping", "claude": "chat_messages"}


class Conversations:
    """A list of conversations, or conversations alone. `kind` None takes both exports' by their shape.

    One conversation is held at a time. Errors name it by its number and id, and cost nothing but what they name.
    """

    def __init__(self, given: Input, kind: Literal["chatgpt", "claude"] | None = None) -> None:
        self._given = given
        self._kind = kind
        self._head = b""
        self._before = 0  # bytes before the first that counts
        self._elements: Elements | None = None
        self._refused = False

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        if self._elements is not None:
            yield from self._read(self._elements.feed(chunk))
        elif not self._refused:
            self._head += chunk
            if len(self._head) > len(_BOM):
                yield from self._begin()

    def close(self) -> Iterator[Imported]:
        if self._elements is None and not self._refused:
            yield from self._begin()
        if self._elements is not None:
            yield from self._read(self._elements.close())

    def _begin(self) -> Iterator[Imported]:
        head = self._head.removeprefix(_BOM) if self._before == 0 else self._head
        data = head.lstrip(_SPACE)
        self._before += len(self._head) - len(data)
        self._head = data
        if data.startswith((b"[", b"{")):
            self._elements = Elements(self._before)
            yield from self._read(self._elements.feed(data))
        elif data:
            self._refused = True
            yield _no_json(data)

    def _read(self, elements: Iterator[Element | Malformed] | Iterator[Malformed]) -> Iterator[Imported]:
        for element in elements:
            if isinstance(element, Malformed):
                yield element
                continue
            try:
                value = _loads(element.data)
            except ValueError as error:
                yield Malformed(
                    f"conversation {element.number} is no JSON: {error}",
                    code="not_json",
                    hint="download the export again; the other conversations are read",
                    offset=element.offset,
                )
                continue
            inner = value.get("conversations") if isinstance(value, dict) else None
            numbered = enumerate(inner, start=1) if isinstance(inner, list) else [(element.number, value)]
            for number, conversation in numbered:
                yield from self._notes(conversation, number)

    def _notes(self, conversation: Any, number: int) -> Iterator[Imported]:
        kind = next((k for k, key in _KEYS.items() if isinstance(conversation, dict) and key in conversation), None)
        if kind is None:
            yield Malformed(
                f"conversation {number} has neither ChatGPT's 'mapping' nor Claude's 'chat_messages'",
                code="not_export",
                hint="give an export's conversations.json; other JSON becomes notes with jq: {text, t_ref, speaker}",
            )
        elif self._kind not in (None, kind):
            what = f"conversation {number} is of another export"
            yield Malformed(what, code="not_export", hint=f"use --from {kind}")
        else:
            yield from (chatgpt_notes if kind == "chatgpt" else claude_notes)(conversation, number, self._given)


def _loads(data: bytes) -> Any:
    """The value. Halves of characters, which exports hold where a text was cut, are no fault. Raises ValueError."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if b"\\ud" not in data.lower():
            raise
        try:
            return json.loads(data, parse_constant=_no_number)
        except RecursionError:
            raise error from None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _no_json(head: bytes) -> Malformed:
    if head.startswith(b"PK\x03\x04"):
        return Malformed("it is a zip file", code="zip", hint="give it by its name: lm-extract export.zip")
    return Malformed(
        "it is no JSON, so no conversations.json of an export",
        code="not_json",
        hint="give the export's conversations.json or its .zip, or leave out --from",
        line=1,
    )
