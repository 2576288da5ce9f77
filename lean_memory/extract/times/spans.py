"""What the finder hands out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

__all__ = ["Grain", "Relation", "TimeSpan", "Unit"]

Unit: TypeAlias = Literal[
    "second", "minute", "hour", "day", "weekend", "week", "month", "quarter", "year", "decade", "century"
]
Grain: TypeAlias = Literal[
    "second", "minute", "hour", "day", "weekend", "week", "month", "season", "quarter", "year", "decade", "century"
]  # fmt: skip
Relation: TypeAlias = Literal["at", "since", "until", "range", "for", "before", "after", "every"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time expression and what it means, half open: [start, stop), both aware and in the reference's zone.

    `text[begin:end]` is the expression without its preposition; `lead` is where the preposition (`since`, `for
    about`, `from`) begins, None when there is none, so `text[outer:end]` is what to cut out of a sentence.

    relation: what start and stop say about the matter.
        at      happened or holds within [start, stop)
        since   holds from start on; stop is None
        until   start is None; the end lies in [earliest_stop, stop)
        range   from start until an end that lies in [earliest_stop, stop)
        before  start is None, over by stop
        after   not before start; stop is None
        for     lasted `length`. Both ends are set when it reaches up to the reference (`for six years`, `six years
                now`), both are None for a bare duration (`a week`) or when prefer="future"
        every   recurs, once each `length`; no start or stop

    grain: how exactly the words put it. `approximate`: hedged (`about`, `early 2021`, `a few`).
    length: (amount, unit) of a duration, of `three weeks ago`, of a recurrence; else None.
    point: for expressions counted from the reference (`three weeks ago`, `in two years`), the exact moment, while
        start and stop enclose the calendar unit it falls in.
    """

    begin: int
    end: int
    start: datetime | None
    stop: datetime | None
    grain: Grain
    relation: Relation
    approximate: bool = False
    length: tuple[float, Unit] | None = None
    point: datetime | None = None
    earliest_stop: datetime | None = None
    lead: int | None = None

    @property
    def outer(self) -> int:
        """Where the expression begins, its preposition included."""
        return self.begin if self.lead is None else self.lead
