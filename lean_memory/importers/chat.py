"""Chat logs: `Name: text` lines, with or without a date before them, and WhatsApp's exports.

The file is read whole, since only all of it tells who speaks and in which order its dates are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timezone
from typing import Final

from lean_memory.errors import Malformed
from lean_memory.importers.moments import Moments
from lean_memory.importers.ports import DateOrder, Imported, Input
from lean_memory.importers.stamps import MARKS, Stamp, date_order, read_stamp
from lean_memory.importers.whatsapp import by_people
from lean_memory.instants import zone
from lean_memory.notes import located
from lean_memory.records import ASSISTANT, Note
from lean_memory.wire import Decoder, Line

__all__ = ["MAX_CHAT", "ROLES", "Chat", "speaker_of"]

MAX_CHAT: Final = 32 << 20
"""Bytes of a chat at most: some hundred thousand messages, of which WhatsApp exports forty thousand."""

_ME: Final = frozenset("user human me you".split())
ROLES: Final = frozenset("assistant ai bot chatbot chatgpt claude gemini copilot system".split())
"""Names of those who are no people: their turns are kept, but no facts are drawn from them."""

_SPOKEN: Final = re.compile(
    r"\s*(?:<(?P<nick>[^<>:]{1,40})>|\*{0,2}(?P<name>[^\s:*\[\](){}<>\"“”„«»][^:*\[\]{}<>\"“”„«»]{0,59}?)\*{0,2}\s?:\*{0,2})"
    r"(?:[ \u00a0]+(?P<text>.*)|$)",
    re.DOTALL,
)
_TIME: Final = re.compile(r"\s*\[?\d{1,2}:\d\d(?::\d\d)?\]?\s+(?:[-–—]\s)?")
_LABELS: Final = frozenset(
    "note notes nb todo ps p.s q a question answer re fwd subject to cc date time from where when what why how who tip "
    "example e.g i.e warning error update edit title summary source link url http https".split()
)


def speaker_of(line: str) -> tuple[str, str] | None:
    """The name before the colon and the text after it; None where no name can stand there."""
    match = _SPOKEN.match(line)
    if match is None:
        return None
    name = " ".join((match["nick"] or match["name"]).translate(dict.fromkeys(map(ord, MARKS))).split())
    name = name.removeprefix("~").strip()
    plausible = name and len(name.split()) <= 6 and (any(map(str.isalpha, name)) or sum(map(str.isdigit, name)) > 5)
    return (name, match["text"] or "") if plausible else None


@dataclass(slots=True)
class _Message:
    line: Line
    stamp: Stamp | None
    name: str | None
    lines: list[str] = field(default_factory=list)


class Chat:
    """One chat. With `whatsapp`, what the app itself writes is left out, and every message has a date.

    Where the first message has a date, lines without one go on with the message before them. Without dates, a line
    begins a message where a name stands before a colon that begins the chat or comes again, or where every line has
    one.
    """

    def __init__(self, given: Input, *, whatsapp: bool = False) -> None:
        self._given = given
        self._whatsapp = whatsapp
        self._decoder = Decoder()
        self._lines: list[tuple[Line, str]] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Imported]:
        yield from self._gather(self._decoder.feed(chunk))

    def close(self) -> Iterator[Imported]:
        yield from self._gather(self._decoder.close())
        lines, self._lines = self._lines, []
        if self._size <= MAX_CHAT and lines:
            yield from self._read(lines)

    def _gather(self, lines: Iterator[Line | Malformed]) -> Iterator[Imported]:
        for line in lines:
            if isinstance(line, Malformed):
                yield line
                continue
            told = self._size > MAX_CHAT
            self._size += len(line.data)
            if self._size > MAX_CHAT:
                self._lines = []
                if not told:
                    yield located(_too_long(), line)
                continue
            try:
                self._lines.append((replace(line, data=b""), line.text()))
            except Malformed as error:
                yield error

    def _read(self, lines: Sequence[tuple[Line, str]]) -> Iterator[Imported]:
        messages, stray = self._messages(lines)
        if stray is not None:
            yield located(self._nobody(), stray)
        if self._whatsapp:
            messages = [message for message in messages if message.name is not None]
        stamped = [message for message in messages if message.stamp is not None]
        tz = zone(self._given.default.tz) if self._given.default.tz else timezone.utc
        stamps = [message.stamp for message in stamped if message.stamp is not None]
        order = self._given.dates or date_order(stamps, tz, self._given.default.t_ref)
        if order is None and stamps:
            yield located(_no_order(stamps[0]), stamped[0].line)
            return
        moments = Moments(self._given.default.t_ref)
        for message in messages:
            text = "\n".join(message.lines)
            text = by_people(text) if self._whatsapp else text.strip(MARKS + " \t\r\n")
            if not text:
                continue
            try:
                when = None if message.stamp is None or order is None else message.stamp.instant(order, tz)
            except (ValueError, OverflowError):
                yield located(_no_such_date(message.stamp, order), message.line)
                continue
            yield self._note(text, moments.at(when), message.name)

    def _note(self, text: str, when: int, name: str | None) -> Note:
        given = self._given
        role = name.casefold() if name is not None else ""
        mine = name is None or role in _ME or (given.me is not None and role == given.me.casefold())
        return Note(
            text=text,
            t_ref=when,
            tz=given.default.tz,
            source=ASSISTANT if role in ROLES else given.source or ("whatsapp" if self._whatsapp else "chat"),
            speaker=given.default.speaker if mine else name,
            session=given.session,
        )

    # ------------------------------------------------------------------------------------ who says what

    def _messages(self, lines: Sequence[tuple[Line, str]]) -> tuple[list[_Message], Line | None]:
        """The messages in order, and the first line that belongs to none."""
        stamped = self._whatsapp or read_stamp(lines[0][1]) is not None
        speakers = frozenset() if stamped else _speakers([text for _, text in lines])
        messages: list[_Message] = []
        stray: Line | None = None
        for line, text in lines:
            stamp = read_stamp(text) if stamped else None
            rest = text[stamp.end :] if stamp is not None else text if stamped else _without_time(text)
            said = None if stamped and stamp is None else speaker_of(rest)
            if stamp is not None:
                name, first = said if said is not None else (None, rest)
                messages.append(_Message(line, stamp, name, [first]))
            elif said is not None and said[0] in speakers:
                messages.append(_Message(line, None, said[0], [said[1]]))
            elif messages:
                messages[-1].lines.append(text)
            else:
                stray = stray or line
        return messages, stray

    def _nobody(self) -> Malformed:
        form = "a date and time" if self._whatsapp else "'Name: '"
        other = "chat" if self._whatsapp else "whatsapp, or --from lines for plain text"
        return Malformed(
            f"the chat does not begin with {form}, so nobody says this line",
            code="no_speaker",
            hint=f"begin each message with {form}, or try --from {other}",
        )


def _speakers(lines: Sequence[str]) -> frozenset[str]:
    """Whose names begin messages, in a chat without dates."""
    said = [speaker_of(_without_time(line)) for line in lines]
    names = [None if one is None or one[0].casefold() in _LABELS or len(one[0].split()) > 4 else one[0] for one in said]
    counts = Counter(name for name in names if name is not None)
    if all(name is not None for name in names):
        return frozenset(counts)
    known = {name for name, times in counts.items() if times > 1 or name.casefold() in _ME | ROLES}
    return frozenset(known | {name for name in names[:1] if name is not None})


def _without_time(line: str) -> str:
    """The line without a time of the day before the name: it has no date, so it tells the order alone."""
    match = _TIME.match(line)
    return line[match.end() :] if match is not None else line


def _no_order(stamp: Stamp) -> Malformed:
    return Malformed(
        f"the chat's dates, like {stamp.written!r}, don't tell the day from the month",
        code="date_order",
        hint="say which comes first: --dates dmy or --dates mdy",
    )


def _no_such_date(stamp: Stamp | None, order: DateOrder | None) -> Malformed:
    written = stamp.written if stamp is not None else ""
    return Malformed(
        f"no such date in the order {order}: {written!r}",
        code="bad_time",
        hint="give another order, as --dates dmy, mdy or ymd",
    )


def _too_long() -> Malformed:
    return Malformed(
        f"the chat is longer than {MAX_CHAT >> 20} MiB", code="too_long", hint="cut it with: split -C 32M chat.txt"
    )
