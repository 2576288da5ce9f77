"""Formats of which each line is a whole JSON object."""

from __future__ import annotations

from collections.abc import Iterator

from lean_memory.errors import Malformed
from lean_memory.importers.moments import Moments
from lean_memory.importers.ports import Imported, Input
from lean_memory.wire import Decoder, Line

__all__ = ["ByLine"]


class ByLine:
    """An importer that is fed bytes and reads a line at a time; a format says what one line gives, in `_read`."""

    def __init__(self, given: Input) -> None:
        self._given = given
        self._decoder = Decoder()
        self._moments = Moments(given.default.t_ref)

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        for line in self._decoder.feed(chunk):
            yield from self._read(line)

    def close(self) -> Iterator[Imported]:
        for line in self._decoder.close():
            yield from self._read(line)

    def _read(self, line: Line | Malformed) -> Iterator[Imported]:
        raise NotImplementedError
