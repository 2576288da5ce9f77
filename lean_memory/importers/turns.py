"""What the exports of assistants share: their texts, their times, and whose turn it was."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from lean_memory.errors import Malformed, UsageError
from lean_memory.importers.moments import LATEST
from lean_memory.importers.ports import Input
from lean_memory.instants import parse_instant
from lean_memory.records import ASSISTANT, Note

__all__ = ["Conversation", "instant", "seconds", "tidy"]

_CITATION: Final = re.compile(
    "\ue200[^\ue200\ue201]{0,500}\ue201"
)  # private marks that the web page shows as footnotes


class Conversation:
    """One conversation of an export: makes its notes and names it in errors."""

    def __init__(self, given: Input, number: int, ident: object, title: object, *, app: str) -> None:
        self._given = given
        self._app = app
        self.session = ident if isinstance(ident, str) and ident else given.default.session
        self.session = tidy(self.session) if self.session else None
        self._meta = {"title": tidy(title)} if isinstance(title, str) and title.strip() else {}
        self._name = f"conversation {number}" + (f" ({self.session[:60]})" if self.session else "")

    def note(self, text: str, when: int, *, assistant: bool) -> Note:
        """The user's turn, or the assistant's, from which no facts are drawn."""
        default = self._given.default
        return Note(
            text=text,
            t_ref=when,
            tz=default.tz,
            source=ASSISTANT if assistant else self._given.source or self._app.lower(),
            speaker=self._app if assistant else default.speaker,
            session=self.session,
            meta=self._meta,
        )

    def error(self, what: str, *, message: int | None = None) -> Malformed:
        """`what` is wrong in this conversation, or in its message of this number."""
        place = self._name if message is None else f"{self._name}, message {message}"
        return Malformed(
            f"{place}: {what}",
            code="not_export",
            hint=f"ask {self._app} for the export again; what else is in the file is read",
        )


def tidy(text: str) -> str:
    """The text without marks that only a web page shows, and such that it can be written as UTF-8."""
    return _CITATION.sub("", text).encode("utf-8", "replace").decode("utf-8").strip()


def seconds(value: Any) -> int | None:
    """Seconds since the epoch as milliseconds; None where there is no time. Raises ValueError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("a time is no number of seconds")
    millis = round(value * 1000)
    if not 0 <= millis < LATEST:
        raise ValueError(f"a time is out of range: {value:g}")
    return millis


def instant(value: Any) -> int | None:
    """A time in RFC 3339 as milliseconds; None where there is no time. Raises ValueError."""
    if value is None:
        return None
    try:
        millis = parse_instant(value)[0] if isinstance(value, str) else LATEST
    except UsageError as error:
        raise ValueError(error.message) from None
    if millis >= LATEST:
        raise ValueError(f"not a time: {str(value)[:60]!r}")
    return millis
