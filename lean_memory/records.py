"""The vocabulary: frozen values that every part exchanges. No I/O, no clock; `wire` gives them a form in JSON.

Times are integer milliseconds since the epoch. `valid_at`/`valid_to` are world time, half open
[valid_at, valid_to): None means an unknown start, or an end that hasn't come. `recorded_at`/`closed_at` are
transaction time. `extra` holds fields this version does not know; filters pass them through untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from lean_memory.names import content_id, name_key

__all__ = [
    "ASSISTANT",
    "Action",
    "Change",
    "Claimed",
    "Cue",
    "Difference",
    "Episode",
    "Fact",
    "Hit",
    "Kind",
    "Note",
    "Polarity",
    "Receipt",
    "Vector",
    "episode_id",
    "episode_of",
    "fact_id",
]

Polarity = Literal["positive", "negative"]
Kind = Literal["fact", "episode"]
Cue = Literal["adds", "corrects", "replaces"]
Action = Literal[
    "asserted", "reinforced", "superseded", "retracted", "corrected", "retired", "demoted", "promoted", "summarised"
]

ASSISTANT: Final = "assistant"
"""The `source` of an assistant's own turn: kept and searchable, but no facts are drawn from it."""


@dataclass(frozen=True, slots=True)
class Vector:
    """An embedding: `data` is little-endian float32, `dim` of them, L2-normalised; `model` its embedder."""

    model: str
    dim: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One input: what was said, when (`t_ref`), in which time zone (`tz`, None for UTC), by whom."""

    text: str
    t_ref: int
    tz: str | None = None
    source: str = "user"
    speaker: str | None = None
    session: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A proposition drawn from an episode, with the words that say it.

    `id` names the proposition (subject, predicate, object, polarity), so saying it again gives the same id.
    `text[span[0]:span[1]] == quote` in the episode's text. `cue` is how it relates to what was known: `adds`
    (also, too) beside the old value, `corrects` (the old value was never true), `replaces` (now, these days, back
    to) the one value there was, else None. A fact that has
    ended (`used to`, `quit`) has its `valid_to` set. `confidence` is in [0, 1], `salience` in [0, 10].
    """

    id: str
    subject: str
    predicate: str
    object: str
    text: str
    quote: str
    span: tuple[int, int]
    polarity: Polarity = "positive"
    valid_at: int | None = None
    valid_to: int | None = None
    time_text: str | None = None
    relation: Literal["asserts", "derives"] = "asserts"
    cue: Cue | None = None
    confidence: float = 1.0
    salience: float = 5.0
    route: str = "rules"
    vector: Vector | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A note kept verbatim, with the facts drawn from it.

    `aliases` are other names that its words give: {"user's sister": "Anna"} of `my sister Anna`.
    """

    id: str
    text: str
    t_ref: int
    tz: str | None = None
    source: str = "user"
    speaker: str | None = None
    session: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    vector: Vector | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What became of one stored line; the tuples hold fact ids.

    `decisions`: how its facts stand to known ones, each with `fact`, `known` (ids), `relation`, `route`, `reason` and,
    if their vectors were compared, `similarity`.
    """

    id: str
    status: Literal["stored", "already_stored", "rejected"]
    added: tuple[str, ...] = ()
    reinforced: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    decisions: tuple[Mapping[str, Any], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result. `fact` is None for an episode; `parts` are the score's parts, each in [0, 1]."""

    rank: int | None
    kind: Kind
    id: str
    episode: str | None
    score: float | None
    text: str
    speaker: str | None = None
    t_ref: int | None = None
    session: str | None = None
    fact: Fact | None = None
    parts: Mapping[str, float] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of the log: what happened to a fact at transaction time `at`, and which episode caused it.

    Read from a store, `told` is the fact, `quote` the words that caused the change and `said_at` their time.
    """

    at: int
    action: Action
    fact: str
    episode: str | None
    cause: Mapping[str, Any] = field(default_factory=dict)
    told: Fact | None = None
    quote: str | None = None
    said_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """One episode's word on a fact: the link from a fact to what was said, verbatim."""

    episode: str
    text: str
    t_ref: int
    speaker: str | None
    session: str | None
    source: str
    recorded_at: int
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One fact that holds at one of two moments and not in the same interval at the other.

    `added` holds at the second only; the other actions say why the one that holds at the first no longer does
    (`ended`: its own words said until when). `by` is the text of the fact that ended it; `episode` and `quote` are
    the words behind the difference.
    """

    action: Literal["added", "superseded", "retracted", "corrected", "ended", "demoted", "revised"]
    fact: Fact
    by: str | None = None
    episode: str | None = None
    quote: str | None = None


def episode_of(
    note: Note,
    facts: Iterable[Fact] = (),
    *,
    aliases: Mapping[str, str] | None = None,
    vector: Vector | None = None,
) -> Episode:
    """The note as an episode with the facts drawn from it."""
    return Episode(
        id=episode_id(note),
        text=note.text,
        t_ref=note.t_ref,
        tz=note.tz,
        source=note.source,
        speaker=note.speaker,
        session=note.session,
        meta=note.meta,
        facts=tuple(facts),
        aliases=aliases or {},
        vector=vector,
        extra=note.extra,
    )


def fact_id(subject: str, predicate: str, object: str, polarity: Polarity = "positive") -> str:
    """The proposition's id: names compare by `name_key`, so spelling in case or white space is one."""
    return content_id("fact", name_key(subject), predicate, name_key(object), polarity)


def episode_id(note: Note) -> str:
    """The same dated input always has the same id, so sending it again stores nothing twice."""
    return content_id("episode", note.text, note.t_ref, note.source, note.speaker, note.session)
