"""Plain text by line, paragraph or file, and note records among the lines."""

from __future__ import annotations

from collections.abc import Iterator

from lean_memory.importers.ports import Imported, Input
from lean_memory.notes import NoteReader
from lean_memory.wire import Decoder

__all__ = ["Lines"]


class Lines:
    """See `notes.NoteReader`."""

    def __init__(self, given: Input) -> None:
        self._decoder = Decoder(blank=True)
        self._reader = NoteReader(given.default, given.by)

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        yield from self._reader.feed(self._decoder.feed(chunk))

    def close(self) -> Iterator[Imported]:
        yield from self._reader.feed(self._decoder.close())
        yield from self._reader.close()
