"""What the sentences of one turn share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import tzinfo

from lean_memory.extract.clauses import Clause
from lean_memory.extract.people import Memory, Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token
from lean_memory.extract.when import Moment

__all__ = ["Heading", "Turn"]


@dataclass(slots=True)
class Turn:
    """What sentences of one turn share: the text, who speaks, when, who was mentioned, what list is open."""

    text: str
    t_ref: int
    tz: tzinfo
    speaker: str
    memory: Memory
    lowercase: bool = False
    base: Moment | None = None
    heading: Heading | None = None
    correcting: bool = False
    pending: tuple[str, Reading] | None = None
    last: list[Reading] = field(default_factory=list)
    unnamed: Mention | None = None
    unnamed_reading: Reading | None = None
    last_negative: Reading | None = None
    engaged: bool = False
    asker: str | None = None
    reported: bool = False
    ascribed: list[Reading] = field(default_factory=list)  # what others say that the speaker is
    unsaid: list[Reading] = field(default_factory=list)  # taken back: `just kidding`
    _found: dict[re.Pattern[str], re.Match[str] | None] = field(default_factory=dict, init=False, repr=False)

    def first(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern's first match in the whole turn. Each sentence may ask: it is looked for once."""
        if pattern not in self._found:
            self._found[pattern] = pattern.search(self.text)
        return self._found[pattern]


@dataclass(slots=True)
class Heading:
    """A list's heading: its items complete `verb` or are values of `noun`."""

    toks: list[Token]
    clause: Clause | None
    noun: tuple[str, str] | None
    line: int
    roster: bool = False
    plan: bool = False
    doing: str = ""  # what is planned with the items: `To buy:`
    relation: bool = False  # `noun` is a word for a relative
    owner: str | None = None
