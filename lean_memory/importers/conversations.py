"""`conversations.json` of ChatGPT and of Claude, one conversation after the other: the file is never held whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import ijson

from lean_memory.errors import Malformed
from lean_memory.importers.chatgpt import chatgpt_notes
from lean_memory.importers.claude import claude_notes
from lean_memory.importers.ports import Imported, Input
from lean_memory.wire import MAX_LINE

__all__ = ["Conversations"]

_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = b" \t\r\n"
_KEYS: Final = {"chatgpt": "mapping", "claude": "chat_messages"}


class Conversations:
    """A list of conversations, or one alone. `kind` None takes both exports' by their shape.

    One conversation may be as long as a line (MAX_LINE bytes), which bounds the memory. JSON that breaks off ends
    the reading with an error; what came before it is read.
    """

    def __init__(self, given: Input, kind: Literal["chatgpt", "claude"] | None = None) -> None:
        self._given = given
        self._kind = kind
        self._head = b""
        self._found: list[Any] = ijson.sendable_list()
        self._parser: Any = None
        self._number = 0
        self._held = 0
        self._ended = False

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        if self._ended:
            return
        if self._parser is None:
            chunk = (self._head + chunk).removeprefix(_BOM).lstrip(_SPACE)
            if not chunk or _BOM.startswith(chunk):
                self._head = chunk
                return
            if not chunk.startswith((b"[", b"{")):
                yield self._end(_no_json(chunk))
                return
            self._parser = ijson.items_coro(self._found, "item" if chunk.startswith(b"[") else "", use_float=True)
        yield from self._send(chunk)

    def close(self) -> Iterator[Imported]:
        if self._ended:
            return
        if self._parser is None:
            if self._head:
                yield self._end(_no_json(self._head))
            return
        try:
            self._parser.close()
        except (ijson.JSONError, ValueError):
            yield self._end(self._broken("the file ends in the middle"))
            return
        yield from self._conversations()

    def _send(self, chunk: bytes) -> Iterator[Imported]:
        broken: Malformed | None = None
        try:
            self._parser.send(chunk)
        except StopIteration:
            pass
        except (ijson.JSONError, ValueError) as error:
            broken = self._broken(" ".join(str(error).split("\n", 1)[0].split())[:80])
        self._held = 0 if self._found else self._held + len(chunk)
        yield from self._conversations()
        if broken is None and self._held > MAX_LINE:
            broken = Malformed(
                f"conversation {self._number + 1} is longer than {MAX_LINE >> 20} MiB",
                code="too_long",
                hint="leave it out of the file, for instance with jq; what came before it is read",
            )
        if broken is not None:
            yield self._end(broken)

    def _conversations(self) -> Iterator[Imported]:
        found = list(self._found)
        self._found.clear()
        for item in found:
            inner = item.get("conversations") if isinstance(item, dict) else None
            for conversation in inner if isinstance(inner, list) else [item]:
                self._number += 1
                yield from self._notes(conversation)

    def _notes(self, conversation: Any) -> Iterator[Imported]:
        kind = next((k for k, key in _KEYS.items() if isinstance(conversation, dict) and key in conversation), None)
        if kind is None:
            yield Malformed(
                f"conversation {self._number} has neither ChatGPT's 'mapping' nor Claude's 'chat_messages'",
                code="not_export",
                hint="give an export's conversations.json; other JSON becomes notes with jq: {text, t_ref, speaker}",
            )
        elif self._kind not in (None, kind):
            yield Malformed(
                f"conversation {self._number} is of another export", code="not_export", hint=f"use --from {kind}"
            )
        else:
            yield from (chatgpt_notes if kind == "chatgpt" else claude_notes)(conversation, self._number, self._given)

    def _broken(self, why: str) -> Malformed:
        return Malformed(
            f"the JSON is damaged after conversation {self._number + len(self._found)}: {why}",
            code="not_json",
            hint="download the export again; what came before is read",
        )

    def _end(self, error: Malformed) -> Malformed:
        self._ended = True
        return error


def _no_json(head: bytes) -> Malformed:
    if head.startswith(b"PK\x03\x04"):
        return Malformed("it is a zip file", code="zip", hint="name the file itself: lm-extract --from auto export.zip")
    return Malformed(
        "it is no JSON, so no conversations.json of an export",
        code="not_json",
        hint="give the export's conversations.json or its .zip, or leave out --from",
        line=1,
    )
