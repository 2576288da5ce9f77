"""Plain things to store, for the tests of the store."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from lean_memory.claims import EmbedderMark, Interval, Placed, SlotChange, Write
from lean_memory.records import Change, Episode, Fact, Note, Vector, episode_id, fact_id
from lean_memory.store import open_store
from lean_memory.store.sqlite import SqliteStore
from lean_memory.vectors import normalised, unpack

DAY = 86_400_000
DIM = 384
MODEL = EmbedderMark("test-model", DIM, "f1")

Bounds = tuple[int | None, int | None]


@contextmanager
def a_store() -> Iterator[SqliteStore]:
    """A fresh namespace, `work`, whose embedder is recorded; gone afterwards."""
    with TemporaryDirectory() as folder:
        store = unsafe(open_store(Path(folder), "work", create=True, now=0))
        store.set_embedder(MODEL)
        try:
            yield store
        finally:
            store.close()


def unsafe(store: SqliteStore) -> SqliteStore:
    """Doesn't wait for the disk at all: laws are tried on many stores."""
    store._db.pragma("synchronous = OFF")
    return store


def vector(seed: object, dim: int = DIM, model: str = MODEL.name) -> Vector:
    """The same seed gives the same direction."""
    return _vector(repr(seed), dim, model)


@cache
def _vector(seed: str, dim: int, model: str) -> Vector:
    chance = random.Random(seed)
    return Vector(model, dim, normalised([chance.gauss(0, 1) for _ in range(dim)]))


@cache
def between(a: Vector, b: Vector, share: float) -> Vector:
    """A direction from `a` (share 0) to `b` (share 1)."""
    angle = share * math.pi / 2
    mixed = [math.cos(angle) * x + math.sin(angle) * y for x, y in zip(unpack(a.data), unpack(b.data), strict=True)]
    return Vector(a.model, a.dim, normalised(mixed))


def a_fact(
    subject: str = "Anna",
    predicate: str = "works_at",
    object: str = "Acme",
    *,
    text: str | None = None,
    valid: Bounds = (None, None),
    vector: Vector | None = None,
    **more: object,
) -> Fact:
    said = f"{subject} {predicate.replace('_', ' ')} {object}." if text is None else text
    return Fact(
        id=fact_id(subject, predicate, object, more.get("polarity", "positive")),  # type: ignore[arg-type]
        subject=subject, predicate=predicate, object=object, text=said, quote=said, span=(0, len(said)),
        valid_at=valid[0], valid_to=valid[1], vector=vector, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def slot_of(fact: Fact) -> str:
    return f"{fact.subject}/{fact.predicate}/{fact.object}"


def a_write(
    text: str,
    *facts: Fact,
    said: int = 0,
    at: int | None = None,
    revision: int = 0,
    open: Iterable[tuple[Fact, Bounds]] | None = None,
    close: Iterable[tuple[Fact, Bounds]] = (),
    vector: Vector | None = None,
    **note: object,
) -> Write:
    """One line. Each fact has a slot of its own; by default the fact's own interval is opened."""
    episode = Episode(
        id=episode_id(Note(text=text, t_ref=said, **note)),  # type: ignore[arg-type]
        text=text, t_ref=said, facts=facts, vector=vector, **note,  # type: ignore[arg-type]
    )  # fmt: skip
    opened = [(fact, (fact.valid_at, fact.valid_to)) for fact in facts] if open is None else list(open)
    closed = list(close)
    touched = {slot_of(fact): None for fact in [*facts, *(fact for fact, _ in [*opened, *closed])]}
    when = said if at is None else at
    return Write(
        at=when,
        episode=episode,
        placed=tuple(Placed(fact, slot_of(fact)) for fact in facts),
        slots=tuple(
            SlotChange(
                key,
                revision,
                tuple(Interval(fact.id, *bounds) for fact, bounds in closed if slot_of(fact) == key),
                tuple(Interval(fact.id, *bounds) for fact, bounds in opened if slot_of(fact) == key),
            )
            for key in touched
        ),
        changes=tuple(Change(at=when, action="asserted", fact=fact.id, episode=episode.id) for fact in facts),
    )
