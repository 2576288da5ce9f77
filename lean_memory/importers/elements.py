"""The objects of a long JSON list, one after the other, so that the file is never held whole.

Only brackets and strings are looked at, to find where an object ends; what is in it is for a JSON parser to read. So
an object that is damaged inside costs itself alone, and depth costs nothing. (ijson streams too, but it ends at the
first fault, and its parser in C overruns its stack where brackets nest deep.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lean_memory.errors import Malformed
from lean_memory.wire import MAX_LINE

__all__ = ["Element", "Elements", "keys_of_first"]

_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|(["\[\]{}])', re.DOTALL)
_IN_STRING: Final = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_COLON: Final = re.compile(rb"\s*(?::|\Z)")
_AGAIN: Final = "download the export again; what else is in the file is read"


@dataclass(frozen=True, slots=True)
class Element:
    """One value of the list: its number (from 1), its byte offset in the file, and its JSON."""

    number: int
    offset: int
    data: bytes


class Elements:
    """Is fed a list of objects, or objects one after the other; gives each as it ends.

    What else stands between them, and what is longer than MAX_LINE bytes, is an error in its place.
    """

    def __init__(self, offset: int = 0) -> None:
        self._number = 0
        self._offset = offset  # of the chunk in the file
        self._depth = 0  # inside the object that is open; 0 between objects
        self._string = self._escaped = False
        self._start = 0
        self._parts: list[bytes] = []
        self._size = 0
        self._stray: int | None = None  # the offset of what has no place between objects
        self._list = self._closed = self._begun = False

    def feed(self, chunk: bytes) -> Iterator[Element | Malformed]:
        """What this chunk completes."""
        mark = 0  # what comes before was taken
        for at, token in self._tokens(chunk):
            if self._depth == 0:
                if token == b'"':
                    continue
                self._between(chunk[mark:at], mark)
                mark = at
                if token == b"[" and not self._begun:
                    self._list, mark = True, at + 1
                elif token in b"[{":
                    self._start, self._depth = self._offset + at, 1
                elif token == b"]" and self._list and not self._closed:
                    self._closed, mark = True, at + 1
                self._begun = True
                if self._stray is not None:
                    yield self._strange()
            elif token != b'"':
                self._depth += 1 if token in b"[{" else -1
                if self._depth == 0:
                    self._take(chunk[mark : at + 1])
                    mark = at + 1
                    yield self._element()
        if self._depth:
            self._take(chunk[mark:])
        else:
            self._between(chunk[mark:], mark)
        self._offset += len(chunk)

    def close(self) -> Iterator[Malformed]:
        """What is wrong with the end."""
        if self._stray is not None:
            yield self._strange()
        if self._depth:
            yield _damaged(f"conversation {self._number + 1} does not end", self._start)
        elif self._list and not self._closed:
            yield _damaged(f"the list does not end after conversation {self._number}", self._offset)

    def _tokens(self, chunk: bytes) -> Iterator[tuple[int, bytes]]:
        """Where brackets, and strings that the chunk does not end, stand."""
        at = 0
        while at < len(chunk):
            if self._string:
                begin = at + self._escaped
                match = _IN_STRING.match(chunk, min(begin, len(chunk)))
                assert match is not None
                at, self._escaped = match.end(), False
                if at < len(chunk):
                    self._string = self._escaped = chunk[at : at + 1] == b"\\"
                    at += 1
                continue
            for token in _TOKEN.finditer(chunk, at):
                if token[1] is not None:
                    at = token.end()
                    yield token.start(), token[1]
                    if token[1] == b'"':
                        self._string = True
                        break
            else:
                return

    def _take(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > MAX_LINE:
            self._parts.clear()
        else:
            self._parts.append(part)

    def _element(self) -> Element | Malformed:
        self._number += 1
        data, size = b"".join(self._parts), self._size
        self._parts.clear()
        self._size = 0
        if size > MAX_LINE:
            return Malformed(
                f"conversation {self._number} is longer than {MAX_LINE >> 20} MiB",
                code="too_long",
                hint="leave it out of the file, for instance with jq; the others are read",
                offset=self._start,
            )
        return Element(self._number, self._start, data)

    def _between(self, part: bytes, start: int) -> None:
        rest = part.lstrip(b" \t\r\n" if self._closed else b" \t\r\n,")
        if rest and self._stray is None:
            self._stray = self._offset + start + len(part) - len(rest)

    def _strange(self) -> Malformed:
        offset, self._stray = self._stray, None
        return _damaged(f"what stands before conversation {self._number + 1} is none", offset)


def _damaged(what: str, offset: int | None) -> Malformed:
    return Malformed(f"the JSON is damaged: {what}", code="not_json", hint=_AGAIN, offset=offset)


def keys_of_first(head: bytes) -> Iterator[bytes | None]:
    """The keys of the first object in a list, as far as it is there; None where the object ends."""
    depth = 0
    for token in _TOKEN.finditer(head):
        if token[1] == b'"':
            return
        if token[1] is None:
            colon = _COLON.match(head, token.end())
            if depth == 2 and colon is not None and colon[0].endswith(b":"):
                yield token[0][1:-1]
            continue
        depth += 1 if token[1] in b"[{" else -1
        if depth < 2 and token[1] in b"]}":
            yield None
            return
