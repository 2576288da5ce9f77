"""Lines of input to notes: plain text by line, paragraph or file, and note records among the lines. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from lean_memory.errors import Malformed
from lean_memory.records import Note
from lean_memory.wire import MAX_LINE, Line, decode_note

__all__ = ["By", "NoteReader", "located"]

By = Literal["line", "paragraph", "file"]


class NoteReader:
    """Is fed lines (blank ones too) and yields notes or located errors.

    `default` gives what a line does not say: time, zone, source, speaker, session. Notes without a time of their
    own are a millisecond apart, in the order of the input, so that the later line counts as said later. By line, a
    line that is a JSON object is a note record; one that only begins like a record (`{"`) is reported, not stored.
    """

    def __init__(self, default: Note, by: By = "line") -> None:
        self._default = default
        self._by = by
        self._held: list[str] = []
        self._size = 0

    def feed(self, lines: Iterable[Line | Malformed]) -> Iterator[Note | Malformed]:
        """The notes that these lines complete."""
        for line in lines:
            if isinstance(line, Malformed):
                yield line
                continue
            try:
                if self._by == "line":
                    if line.data.strip() and (note := self._from_line(line)) is not None:
                        yield note
                else:
                    yield from self._gather(line)
            except Malformed as error:
                yield located(error, line)

    def close(self) -> Iterator[Note]:
        """The paragraph or file still held."""
        text = "\n".join(self._held).strip("\n")
        self._held, self._size = [], 0
        if text.strip():
            yield replace(self._next(), text=text)

    def _next(self) -> Note:
        default = self._default
        self._default = replace(default, t_ref=default.t_ref + 1)
        return default

    def _from_line(self, line: Line) -> Note | None:
        """None for a line of nothing but blanks, of which Unicode has more than bytes show."""
        if line.data.lstrip().startswith(b'{"'):
            return decode_note(line.object(), default=self._next())
        note = replace(self._next(), text=line.text().strip())
        return note if note.text else None

    def _gather(self, line: Line) -> Iterator[Note]:
        text = line.text()
        if self._by == "paragraph" and not text.strip():
            yield from self.close()
            return
        self._size += len(line.data)
        if self._size > MAX_LINE:
            self._held, self._size = [], 0
            raise Malformed(f"a {self._by} is longer than {MAX_LINE >> 20} MiB", code="too_long", hint="use --by line")
        self._held.append(text)


def located(error: Malformed, line: Line) -> Malformed:
    """The error with the place of its line, where it has none yet."""
    if error.line is None:
        error.line, error.offset = line.number, line.offset
    return error
