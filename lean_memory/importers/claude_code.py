"""A session of Claude Code as it keeps it on the disk (`*.jsonl`): one entry a line, of which the turns are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lean_memory.errors import Malformed
from lean_memory.importers.by_line import ByLine
from lean_memory.importers.ports import Imported
from lean_memory.importers.turns import instant, tidy
from lean_memory.notes import located
from lean_memory.records import ASSISTANT, Note
from lean_memory.wire import Line, Object

__all__ = ["ClaudeCode", "is_session"]

_ASIDE: Final = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_PUT_IN: Final = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_COMMAND: Final = re.compile(
    r"<(?:command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|task-notification)>"
    r"|\[Request interrupted by user"
)


class ClaudeCode(ByLine):
    """What the user typed and what the assistant answered.

    Left out are tools and their results, thinking, sub-agents' talk, summaries of what was said before, commands,
    and what the program itself puts into turns.
    """

    def _read(self, line: Line | Malformed) -> Iterator[Imported]:
        if isinstance(line, Malformed):
            yield line
            return
        try:
            note = self._note(line.object(), line)
        except Malformed as error:
            error.hint = error.hint or "give a session of Claude Code, a .jsonl file; the other lines are read"
            yield located(error, line)
            return
        if note is not None:
            yield note

    def _note(self, entry: Object, line: Line) -> Note | None:
        message = entry.get("message")
        if entry.get("type") not in ("user", "assistant") or any(entry.get(key) for key in _ASIDE):
            return None
        if not isinstance(message, dict):
            raise Malformed(f"line {line.number} is a turn without a message", code="not_session")
        text = _text(message.get("content"))
        if not text:
            return None
        try:
            when = self._moments.at(instant(entry.get("timestamp")))
        except ValueError as error:
            raise Malformed(f"line {line.number}: {error}", code="bad_time") from None
        default, session = self._given.default, entry.get("sessionId")
        assistant = entry["type"] == "assistant"
        return Note(
            text=text,
            t_ref=when,
            tz=default.tz,
            source=ASSISTANT if assistant else self._given.source or "claude-code",
            speaker="Claude" if assistant else default.speaker,
            session=tidy(session) if isinstance(session, str) and tidy(session) else self._given.session,
        )


def is_session(entry: Object) -> bool:
    """Whether a line is one of a session's."""
    return isinstance(entry.get("sessionId"), str) and isinstance(entry.get("type"), str) and "text" not in entry


def _text(content: Any) -> str:
    parts = [content] if isinstance(content, str) else []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            parts.append(block["text"])
    texts = (_PUT_IN.sub("", part).strip() for part in parts)
    return tidy("\n".join(text for text in texts if text and not _COMMAND.match(text)))
