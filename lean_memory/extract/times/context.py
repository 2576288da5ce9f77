"""What actions know beside their match: the reference, the reading preferred, the words around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Literal

from lean_memory.extract.times.grammar import Token
from lean_memory.extract.times.periods import Cycle, How, Period, add, floor, pick
from lean_memory.extract.times.spans import Unit

__all__ = ["Context", "Prefer"]

Prefer = Literal["past", "future"]


@dataclass(frozen=True, slots=True)
class Context:
    """`now` is the reference as naive local time in `tz`; `raw` all tokens of `text` as first read; `lists`
    the language's words to look for beside a match."""

    text: str
    ref: datetime
    now: datetime
    tz: tzinfo
    prefer: Prefer
    raw: Sequence[Token]
    lists: Mapping[str, frozenset[str]]

    def word(self, index: int) -> str:
        """The raw token's text, empty outside the text."""
        if 0 <= index < len(self.raw):
            token = self.raw[index]
            return self.text[token.begin : token.end]
        return ""

    def listed(self, word: str, name: str) -> bool:
        """Whether the word is in the language's list of that name."""
        return word.lower() in self.lists.get(name, ())

    def is_word(self, index: int) -> bool:
        """A word that means nothing here stands there."""
        return 0 <= index < len(self.raw) and not self.raw[index].roles and self.word(index)[:1].isalpha()

    def before(self, token: Token, steps: int = 1) -> str:
        """The word `steps` before the token."""
        return self.word(token.first - steps)

    def after(self, token: Token, steps: int = 1) -> str:
        """The word `steps` after the token."""
        return self.word(token.last + steps)

    def glued(self, index: int) -> bool:
        """Nothing stands between this raw token and the next."""
        return 0 <= index < len(self.raw) - 1 and self.raw[index].end == self.raw[index + 1].begin

    @property
    def today(self) -> datetime:
        """Midnight of the reference's day."""
        return floor(self.now, "day")

    def resolve(self, value: Period | Cycle, how: How | None = None) -> Period | None:
        """The period meant by a date that may come round."""
        if isinstance(value, Period):
            return value
        return pick(value, self.now, how or self.prefer)

    def shift(self, amount: float, unit: Unit) -> datetime:
        """The reference moved by an amount. Hours and less pass a change of clocks as they do in the world."""
        if unit in ("second", "minute", "hour"):
            moved = add(self.ref.astimezone(timezone.utc), amount, unit)
            return moved.astimezone(self.tz).replace(tzinfo=None)
        return add(self.now, amount, unit)

    def days_away(self, days: int) -> Period:
        """The whole day so many days from the reference's."""
        start = self.today + timedelta(days=days)
        return Period(start, start + timedelta(days=1), "day")
