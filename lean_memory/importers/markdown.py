"""Markdown notes: a paragraph or a list item is a note, said on the day that its heading or file names.

A note's day is that of the nearest heading above it which names one, else of the front matter (`date:`), else of the
file's name (`2024-05-12.md`), else the file's own time. Code, comments, and the front matter itself are left out;
a heading is no note but the `heading` in the notes' meta.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timezone
from pathlib import PurePath
from typing import Any, Final, Literal, TypeAlias

from lean_memory.errors import Malformed
from lean_memory.importers.days import day_in, leading_day, numeric_day, whole_day
from lean_memory.importers.moments import Moments
from lean_memory.importers.ports import Imported, Input
from lean_memory.instants import zone
from lean_memory.notes import located
from lean_memory.records import Note
from lean_memory.wire import MAX_LINE, Decoder, Line

__all__ = ["DATED", "HEADING", "Markdown"]

DATED: Final = re.compile(r"(?:date|day|created(?:[_-]at)?|creation_date)\s*:\s*(?P<day>\S.*)", re.IGNORECASE)
HEADING: Final = re.compile(r" {0,3}(?P<level>#{1,6})(?:[ \t]+(?P<text>.*))?")
_FENCE: Final = re.compile(r"\s*(?P<fence>`{3,}|~{3,})")
_ITEM: Final = re.compile(r"(?P<indent>\s*)(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+(?P<text>.*)|$)")
_TASK: Final = re.compile(r"\[(?P<mark>[ xX/-])\][ \t]+")
_RULE: Final = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
Day: TypeAlias = "int | Literal['unclear'] | None"

_FRONT: Final = 200  # lines that front matter may have


class Markdown:
    """One file, a block at a time."""

    def __init__(self, given: Input) -> None:
        default = given.default
        self._given = given
        self._tz = zone(default.tz) if default.tz else timezone.utc
        named = day_in(PurePath(given.name).stem, self._tz) if given.name else None
        self._file: Day = named
        self._decoder = Decoder(blank=True)
        self._moments = Moments(default.t_ref)
        self._headings: list[tuple[int, str, Day]] = []
        self._held: list[str] = []
        self._size = 0
        self._item = False
        self._blank = True
        self._fence: str | None = None
        self._comment = False
        self._front: int | None = None
        self._begun = False

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        for line in self._decoder.feed(chunk):
            yield from self._line(line)

    def close(self) -> Iterator[Imported]:
        for line in self._decoder.close():
            yield from self._line(line)
        yield from self._block()

    def _line(self, line: Line | Malformed) -> Iterator[Imported]:
        if isinstance(line, Malformed):
            yield line
            return
        try:
            text = line.text()
        except Malformed as error:
            yield error
            return
        before = self._file
        skipped = self._skipped(text)
        if self._file == "unclear" != before:
            yield located(_unclear(text), line)
        if not skipped:
            self._size += len(line.data)
            if self._size > MAX_LINE:
                self._held, self._size = [], 0
                what = f"a paragraph is longer than {MAX_LINE >> 20} MiB"
                yield located(Malformed(what, code="too_long", hint="use --from lines"), line)
                return
            yield from self._read(line, text)
        elif self._held and not self._comment:
            yield from self._block()

    def _skipped(self, text: str) -> bool:
        """Whether the line is code, a comment or front matter."""
        if self._front is not None:
            self._in_front(text)
            return True
        if not self._begun and text.strip():
            self._begun = True
            if text.rstrip() == "---":
                self._front = 0
                return True
        if self._fence is not None:
            if text.strip().startswith(self._fence) and not text.strip().strip(self._fence[0]):
                self._fence = None
            return True
        if (fence := _FENCE.match(text)) is not None:
            self._fence = fence["fence"]
            return True
        if self._comment or text.lstrip().startswith("<!--"):
            self._comment = "-->" not in text
            return True
        return not self._held and self._blank and text.startswith(("    ", "\t")) and not _ITEM.match(text)

    def _in_front(self, text: str) -> None:
        assert self._front is not None
        self._front += 1
        if text.rstrip() in ("---", "...") or self._front > _FRONT:
            self._front = None
        elif (dated := DATED.fullmatch(text)) is not None:
            day: Day = whole_day(dated["day"], self._tz)
            day = numeric_day(dated["day"], self._tz, self._given.dates) if day is None else day
            self._file = self._file if day is None else day

    def _read(self, line: Line, text: str) -> Iterator[Imported]:
        blank, self._blank = self._blank, not text.strip()
        if self._blank:
            if not self._item:
                yield from self._block()
            return
        if (heading := HEADING.fullmatch(text)) is not None:
            yield from self._block()
            text = (heading["text"] or "").rstrip()
            closed = text.rstrip("#")
            yield from self._under(line, len(heading["level"]), closed if closed[-1:] in ("", " ", "\t") else text)
        elif _UNDERLINE.fullmatch(text) and len(self._held) == 1 and not blank and not self._item:
            yield from self._under(line, 1 if "=" in text else 2, self._held.pop())
            self._size = 0
        elif _RULE.fullmatch(text):
            yield from self._block()
        elif (item := _ITEM.fullmatch(text)) is not None and (item["text"] or "").strip():
            yield from self._block()
            self._item, self._held = True, [item["text"].strip()]
        else:
            if blank and not (self._item and text.startswith((" ", "\t"))):
                yield from self._block()
            self._held.append(text.strip() if self._item else text.rstrip())

    def _under(self, line: Line, level: int, text: str) -> Iterator[Malformed]:
        self._headings = [heading for heading in self._headings if heading[0] < level]
        day: Day = day_in(text, self._tz)
        day = numeric_day(text, self._tz, self._given.dates) if day is None else day
        self._headings.append((level, text.strip(), day))
        if day == "unclear":
            yield located(_unclear(text.strip()), line)

    def _block(self) -> Iterator[Note]:
        lines, item = self._held, self._item
        self._held, self._size, self._item = [], 0, False
        meta: dict[str, Any] = {}
        if item and (task := _TASK.match(lines[0])) is not None:
            lines[0] = lines[0][task.end() :]
            meta["task"] = "done" if task["mark"] in "xX" else "open"
        text = "\n".join(lines).strip()
        if not text:
            return
        day = next((day for _, _, day in reversed(self._headings) if day is not None), self._file)
        if (dated := leading_day(text, self._tz)) is not None and text[dated[1] :].strip():
            day, text = dated[0], text[dated[1] :]
        if day == "unclear":
            return
        if self._headings and self._headings[-1][1]:
            meta["heading"] = self._headings[-1][1]
        default = self._given.default
        yield Note(
            text=text,
            t_ref=self._moments.at(default.t_ref if day is None else day),
            tz=default.tz,
            source=self._given.source or "markdown",
            speaker=default.speaker,
            session=self._given.session,
            meta=meta,
        )


def _unclear(text: str) -> Malformed:
    return Malformed(
        f"{text[:60]!r} does not tell the day from the month; what is under it is left out",
        code="date_order",
        hint="say which comes first: --dates dmy or --dates mdy",
    )
