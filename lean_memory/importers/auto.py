"""What an input is, where that is sure; all else is plain lines.

The first line decides. It is held back only where it can be the first of another format, and only until that is
sure, so plain lines are answered as they come. How the bytes arrive makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from lean_memory.errors import Malformed
from lean_memory.importers.lines import Lines
from lean_memory.importers.ports import Imported, Importer, Input
from lean_memory.wire import MAX_LINE, Line

__all__ = ["Auto"]

_PROBED: Final = 1 << 20  # bytes within which an export shows its shape
_MANY: Final = 100  # dated lines within which a chat shows that it is one
_BOM: Final = b"\xef\xbb\xbf"
_JSON: Final = re.compile(rb'\[\s*\{\s*"')
_OPEN: Final = re.compile(rb"\[\s*(?:\{\s*)?")
_STAMPED: Final = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*\[?[\u200e\u200f\u202a-\u202e]*\d")
_TURN: Final = re.compile(r"\s*(?:User|Human|Assistant|ChatGPT|Claude):(?:\s|$)")


class Auto:
    """Stands in for the importer that fits. `found` is its format once it is sure."""

    def __init__(self, given: Input) -> None:
        self._given = given
        self._held = bytearray()
        self._waiting = False  # for the end of a line
        self._importer: Importer | None = None
        self.found: str | None = None

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        if self._importer is not None:
            yield from self._importer.feed(chunk)
            return
        self._held += chunk
        yield from self._decide(chunk, ended=False)

    def close(self) -> Iterator[Imported]:
        if self._importer is None:
            yield from self._decide(b"", ended=True)
        assert self._importer is not None
        yield from self._importer.close()

    def _decide(self, chunk: bytes, *, ended: bool) -> Iterator[Imported]:
        found = self._format(chunk, ended)
        if found is None and ended:
            found = "lines"
        if found is not None:
            self.found = found
            self._importer = _importer(found, self._given)
            held, self._held = bytes(self._held), bytearray()
            yield from self._importer.feed(held)

    def _format(self, chunk: bytes, ended: bool) -> str | None:
        """The format; None while it is not sure."""
        if self._given.by != "line":
            return "lines"
        if self._given.name and PurePath(self._given.name).suffix.lower() in (".md", ".markdown"):
            return "markdown"
        if not ended and (_BOM.startswith(self._held) or (self._waiting and b"\n" not in chunk)):
            return "lines" if len(self._held) > MAX_LINE else None
        if len(self._held) > _PROBED and not self._held[:_PROBED].removeprefix(_BOM).strip():
            return "lines"
        head = bytes(self._held).removeprefix(_BOM).lstrip()
        if _JSON.match(head):
            return _by_keys(head)
        if not ended and (not head or (len(head) < _PROBED and _OPEN.fullmatch(head))):
            return None
        self._waiting = not ended and head.startswith(b"{") and b"\n" not in head
        return None if self._waiting else _by_lines(head, ended)


def _by_keys(head: bytes) -> str | None:
    """The export whose list of objects this is, by the keys of the first."""
    from lean_memory.importers.elements import keys_of_first

    for key in keys_of_first(head[:_PROBED]):
        if key is None:
            return "lines"
        if key in (b"mapping", b"chat_messages"):
            return "chatgpt" if key == b"mapping" else "claude"
    return None if len(head) < _PROBED else "lines"


def _by_lines(head: bytes, ended: bool) -> str | None:
    """The format of what begins with these lines."""
    if head.startswith(b"PK\x03\x04"):
        return "export"  # it says what is wrong
    if head.startswith(b"{"):
        return _by_object(head.partition(b"\n")[0])
    lines = head[:_PROBED].split(b"\n", _MANY + 1)
    if not ended or len(head) > _PROBED or len(lines) > _MANY + 1:
        lines.pop()  # it may be the half of one
    ended = ended or len(head) >= _PROBED or len(lines) > _MANY
    if not lines:
        return "lines" if ended else None
    first = lines[0].decode("utf-8", "replace").rstrip("\r")
    if _STAMPED.match(first):
        return _by_stamps(lines, ended)
    if first.rstrip() == "---":
        return _by_front_matter(lines[1:], ended)
    if first.lstrip().startswith("#"):
        return _by_heading(first)
    return "chat" if _TURN.match(first) else "lines"


def _by_heading(first: str) -> str:
    from lean_memory.importers.days import day_in
    from lean_memory.importers.markdown import HEADING
    from lean_memory.instants import zone

    heading = HEADING.fullmatch(first)
    return "lines" if heading is None or day_in(heading["text"] or "", zone("UTC")) is None else "markdown"


def _by_object(line: bytes) -> str:
    from lean_memory.importers.claude_code import is_session
    from lean_memory.importers.mcp_memory import is_mcp_memory

    if len(line) > MAX_LINE:
        return "lines"
    try:
        obj = Line(1, 0, line.rstrip(b"\r")).object()
    except Malformed:
        return "lines"
    if isinstance(obj.get("mapping"), dict) and "text" not in obj:
        return "chatgpt"
    if isinstance(obj.get("chat_messages"), list) and "text" not in obj:
        return "claude"
    if is_session(obj):
        return "claude-code"
    return "mcp-memory" if is_mcp_memory(obj) else "lines"


def _by_stamps(lines: list[bytes], ended: bool) -> str | None:
    """A chat has people in it: a date in brackets and a name, or dates and two names, or WhatsApp's own marks."""
    from lean_memory.importers.chat import speaker_of
    from lean_memory.importers.stamps import read_stamp

    if read_stamp(lines[0].decode("utf-8", "replace")) is None:
        return "lines"
    names: set[str] = set()
    stamped = comma = 0
    for data in lines[:_MANY]:
        line = data.decode("utf-8", "replace").rstrip("\r")
        stamp = read_stamp(line)
        if stamp is None:
            continue
        stamped += 1
        said = speaker_of(line[stamp.end :])
        comma += "," in stamp.written or stamp.form == "dash"
        if said is not None:
            names.add(said[0])
        elif "WhatsApp" in line or "\u200e" in line:
            return "whatsapp"
        if said is not None and (stamp.form == "bracket" or len(names) > 1 or said[1].startswith("\u200e")):
            return "whatsapp" if comma == stamped else "chat"
    return "lines" if ended else None


def _by_front_matter(lines: list[bytes], ended: bool) -> str | None:
    """Between two rules stand lines of `key: value`, a date among them."""
    from lean_memory.importers.markdown import DATED

    dated = False
    for number, data in enumerate(lines):
        line = data.decode("utf-8", "replace").rstrip()
        if line in ("---", "..."):
            return "markdown" if number and dated else "lines"
        if line and not re.match(r"[\w-]+\s*:|\s|-\s|#", line):
            return "lines"
        dated = dated or DATED.fullmatch(line) is not None
    return "lines" if ended else None


def _importer(format: str, given: Input) -> Importer:
    if format == "lines":
        return Lines(given)
    if format in ("chatgpt", "claude", "export"):
        from lean_memory.importers.conversations import Conversations

        return Conversations(given)
    from lean_memory.importers import importer

    return importer(format, given)
