"""What the store remembers of a slot, and what a write changes in it: the values that resolve and store exchange.

A *slot* is a place where claims can contradict each other: (subject, predicate) of a functional predicate,
(subject, predicate, object) of a multi-valued one. A *claim* is one utterance of a proposition. From all the
claims of a slot follow its *intervals*, when each proposition held; nothing else decides them, so the order
of arrival can't. A write closes the intervals that no longer follow and opens the new ones; no row is
rewritten but for being closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lean_memory.records import Change, Cue, Episode, Fact, Kind, Polarity

__all__ = [
    "Claim",
    "EmbedderMark",
    "Interval",
    "LogFilter",
    "Moved",
    "Placed",
    "SlotChange",
    "SlotState",
    "View",
    "Write",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One episode's word on one proposition. `valid_at`/`valid_to` as it said them, `said_at` its `t_ref`."""

    fact: str
    object: str
    polarity: Polarity
    predicate: str
    episode: str
    said_at: int
    valid_at: int | None
    valid_to: int | None
    cue: Cue | None = None
    time_text: str | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """`fact` holds in world time [valid_at, valid_to); None is an unknown start, or no end yet."""

    fact: str
    valid_at: int | None
    valid_to: int | None


@dataclass(frozen=True, slots=True)
class SlotState:
    """A slot as read: every claim made on it, the intervals believed now, and the revision they were read at.

    The revision is 0 for a slot that does not exist yet.
    """

    key: str
    revision: int = 0
    claims: tuple[Claim, ...] = ()
    intervals: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotChange:
    """Compare-and-set: if the slot is still at `revision`, close and open these intervals."""

    key: str
    revision: int
    close: tuple[Interval, ...] = ()
    open: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact and the slot it belongs to."""

    fact: Fact
    slot: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A claim of an earlier episode about someone who was not named then, as a claim on the one who now is.

    `fact` is the proposition under the name, in `slot`; `was` the id of the one under the role, in `was_slot`; `reason`
    says who is who.
    """

    fact: Fact
    slot: str
    was: str
    was_slot: str
    episode: str
    said_at: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """All that storing one line does, in one transaction at transaction time `at`."""

    at: int
    episode: Episode
    placed: tuple[Placed, ...] = ()
    moved: tuple[Moved, ...] = ()
    slots: tuple[SlotChange, ...] = ()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbedderMark:
    """Which model made a namespace's vectors: its name, dimension, and a hash of its weights."""

    name: str
    dim: int
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFilter:
    """Which entries of the log: of a fact (its id), about a subject (a name), in transaction time [since, until)."""

    fact: str | None = None
    subject: str | None = None
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which rows a search may see.

    Default: what is believed now and holds at `now`, hot tier. `as_of`: what held then, as believed now, every
    tier. `known_at`: what was believed then (and holds at `as_of`, else at `known_at`). An episode is visible
    when said by then (`t_ref`) and recorded by then. The rest are filters the user asked for: `subject` (a
    name), `predicate`, `since`/`until` (world time: the fact's interval, the episode's `t_ref`). `ended`:
    facts that held until before then, too.
    """

    now: int
    as_of: int | None = None
    known_at: int | None = None
    kind: Kind | Literal["any"] = "any"
    subject: str | None = None
    predicate: str | None = None
    since: int | None = None
    until: int | None = None
    include_cold: bool = False
    ended: bool = False

    @property
    def at(self) -> int:
        """The world time looked at."""
        return next(t for t in (self.as_of, self.known_at, self.now) if t is not None)
