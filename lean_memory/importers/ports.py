"""What every importer is given, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, Protocol, TypeAlias

from lean_memory.errors import Malformed
from lean_memory.notes import By
from lean_memory.records import Note

__all__ = ["DateOrder", "Imported", "Importer", "Input"]

DateOrder = Literal["dmy", "mdy", "ymd"]

Imported: TypeAlias = "Note | Malformed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One input, as far as it is known before it is read.

    Args:
        default: what stands in for what the input does not say: time, zone, speaker, session.
        by: what one note is, of plain lines.
        name: the file's name, where it has one.
        source: in place of the format's own name.
        me: in a chat, the name under which the user writes.
        dates: which of day, month and year comes first, where a chat's dates don't tell.
    """

    default: Note
    by: By = "line"
    name: str | None = None
    source: str | None = None
    me: str | None = None
    dates: DateOrder | None = None

    @property
    def session(self) -> str | None:
        """The conversation that the whole file is: the file's name; of WhatsApp's `_chat.txt`, its folder's."""
        if self.default.session or not self.name:
            return self.default.session
        path = PurePath(self.name)
        return (path.parent.name if path.stem == "_chat" and path.parent.name else path.stem) or None


class Importer(Protocol):
    """Is fed an input's bytes as they come, and yields notes and located errors as they complete."""

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        """What this chunk completes."""

    def close(self) -> Iterator[Imported]:
        """What was still held."""
