"""Storing one line: an episode, its facts, and what they change in their slots, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

import apsw
import orjson

from lean_memory.claims import Interval, Moved, Write
from lean_memory.errors import StoreUnavailable
from lean_memory.names import name_key
from lean_memory.records import Change, Episode, Fact, Vector
from lean_memory.store.clock import no_earlier
from lean_memory.store.database import Database
from lean_memory.store.lexical import add_text, indexed_words
from lean_memory.store.tiers import wake
from lean_memory.store.vectors import embedder, expect_vector, fits, move_envelopes, put_vector

__all__ = ["apply", "commit"]


def commit(db: Database, write: Write) -> Literal["stored", "already_stored", "conflict"]:
    """See `Store.commit`.

    Raises:
        ValueError: the write contradicts itself or the store: it closes an interval that is not open, opens one
            that is, or names a fact that is neither placed nor stored. Nothing is written.
        StoreUnavailable: `slot_moved`, a fact is stored in another slot. Nothing is written.
    """
    with db.writing():
        if db.rows("SELECT 1 FROM episodes WHERE id = ?", (write.episode.id,)):
            return "already_stored"
        if any(_revision(db, change.key) != change.revision for change in write.slots):
            return "conflict"
        apply(db, _in_order(write, no_earlier(db, write.at)))
    return "stored"


def apply(db: Database, write: Write) -> None:
    """What `commit` does, inside a transaction that has checked that it may. Raises ValueError as it does."""
    try:
        _Writer(db, write).store()
    except apsw.ConstraintError as err:
        raise ValueError(f"the write of episode {write.episode.id} contradicts itself or the store: {err}") from err


def _in_order(write: Write, at: int) -> Write:
    """The same at the time `at`, where that is later."""
    if at == write.at:
        return write
    return replace(write, at=at, changes=tuple(replace(change, at=at) for change in write.changes))


def _revision(db: Database, key: str) -> int:
    return db.value("SELECT revision FROM slots WHERE key = ?", (key,)) or 0


class _Writer:
    """One write, inside its transaction; remembers the row numbers it met."""

    def __init__(self, db: Database, write: Write) -> None:
        self._db = db
        self._write = write
        self._at = write.at
        self._mark = embedder(db)
        self._facts: dict[str, int] = {}

    def store(self) -> None:
        write = self._write
        episode = self._add_episode(write.episode)
        slots = {key: self._touch_slot(key) for key in _slot_keys(write)}
        self._add_aliases(write.episode, episode)
        vectors = []
        for placed in write.placed:
            row = self._add_fact(placed.fact, slots[placed.slot])
            self._add_evidence(placed.fact, row, episode)
            vectors.append((row, placed.fact))
        for claim in write.moved:
            row = self._add_fact(claim.fact, slots[claim.slot])
            vectors.append((row, self._move_evidence(claim, row)))
        moved: dict[int, None] = {}
        for change in write.slots:
            for interval in change.close:
                moved[self._close(interval)] = None
            for interval in change.open:
                moved[self._open(interval)] = None
        move_envelopes(self._db, moved)
        for row, fact in vectors:
            self._add_fact_vector(row, fact)
        if write.episode.vector is not None and fits(self._mark, write.episode.vector):
            put_vector(self._db, 2 * episode, write.episode.vector)
        for entry in write.changes:
            self._log(entry)
        wake(self._db, (row for row, _ in vectors), moved, at=self._at, episode=episode)

    def _add_episode(self, episode: Episode) -> int:
        words = indexed_words(episode.text, episode.speaker)
        row = self._db.insert(
            "INSERT INTO episodes (id, text, t_ref, tz, source, speaker, session, meta, extra, tokens, recorded_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                episode.id, episode.text, episode.t_ref, episode.tz, episode.source, episode.speaker, episode.session,
                _json(episode.meta), _json(episode.extra), len(words), self._at,
            ),
        )  # fmt: skip
        add_text(self._db, 2 * row, words)
        expect_vector(self._db, 2 * row)
        return row

    def _add_aliases(self, episode: Episode, row: int) -> None:
        for alias, name in episode.aliases.items():
            self._db.run(
                "INSERT INTO aliases (key, entity, episode, recorded_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (name_key(alias), self._entity(name), row, self._at),
            )

    def _touch_slot(self, key: str) -> int:
        """The slot's row, its revision moved on."""
        row = self._db.value("SELECT row FROM slots WHERE key = ?", (key,))
        if row is None:
            return self._db.insert("INSERT INTO slots (key, revision) VALUES (?, 1)", (key,))
        self._db.run("UPDATE slots SET revision = revision + 1 WHERE row = ?", (row,))
        return int(row)

    def _entity(self, name: str) -> int:
        key = name_key(name)
        row = self._db.value("SELECT row FROM entities WHERE key = ?", (key,))
        if row is None:
            row = self._db.insert(
                "INSERT INTO entities (key, name, recorded_at) VALUES (?, ?, ?)", (key, name, self._at)
            )
        return int(row)

    def _add_fact(self, fact: Fact, slot: int) -> int:
        row = self._fact_row(fact.id)
        if row is not None:
            self._require_slot(fact, row, slot)
        else:
            words = indexed_words(fact.text)
            row = self._db.insert(
                "INSERT INTO facts (id, slot, subject, predicate, object, polarity, text, tokens, recorded_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    fact.id, slot, self._entity(fact.subject), fact.predicate, fact.object, fact.polarity, fact.text,
                    len(words), self._at,
                ),
            )  # fmt: skip
            add_text(self._db, 2 * row + 1, words)
            expect_vector(self._db, 2 * row + 1)
            self._facts[fact.id] = row
        return row

    def _require_slot(self, fact: Fact, row: int, slot: int) -> None:
        """Its past claims and intervals are in the slot it was first placed in; in two they'd be believed twice."""
        known = self._db.value("SELECT slot FROM facts WHERE row = ?", (row,))
        if known != slot:
            raise StoreUnavailable(
                f"{fact.predicate!r} was stored in {self._db.namespace} by another rule, functional or multi-valued",
                code="slot_moved",
                hint=f"take back the change to {fact.predicate!r} in the predicate table, or begin another namespace",
            )

    def _fact_row(self, id: str) -> int | None:
        row = self._facts.get(id) or self._db.value("SELECT row FROM facts WHERE id = ?", (id,))
        if row is not None:
            self._facts[id] = row
        return row

    def _known_fact(self, id: str) -> int:
        row = self._fact_row(id)
        if row is None:
            raise ValueError(f"the write names fact {id}, which is neither placed nor stored")
        return row

    def _add_evidence(self, fact: Fact, row: int, episode: int) -> None:
        self._db.run(
            "INSERT INTO evidence (fact, episode, text, quote, span_begin, span_end, valid_at, valid_to, time_text,"
            " relation, cue, confidence, salience, route, extra, recorded_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                row, episode, fact.text, fact.quote, *fact.span, fact.valid_at, fact.valid_to, fact.time_text,
                fact.relation, fact.cue, fact.confidence, fact.salience, fact.route, _json(fact.extra), self._at,
            ),
        )  # fmt: skip

    def _move_evidence(self, claim: Moved, row: int) -> Fact:
        """The same words of the same episode, as a claim on the fact under the name. Gives the fact with its vector."""
        was = self._known_fact(claim.was)
        episode = self._db.value("SELECT row FROM episodes WHERE id = ?", (claim.episode,))
        self._add_evidence(claim.fact, row, episode)
        self._db.run(
            "UPDATE evidence SET moved_at = ? WHERE fact = ? AND episode = ? AND span_begin = ? AND span_end = ?",
            (self._at, was, episode, *claim.fact.span),
        )
        data = self._db.value("SELECT data FROM vectors WHERE item = ?", (2 * was + 1,))
        if data is None or self._mark is None:
            return claim.fact
        return replace(claim.fact, vector=Vector(self._mark.name, self._mark.dim, data))

    def _close(self, interval: Interval) -> int:
        fact = self._known_fact(interval.fact)
        row = self._db.value(
            "SELECT row FROM validity WHERE fact = ? AND closed_at IS NULL AND valid_at IS ? AND valid_to IS ?",
            (fact, interval.valid_at, interval.valid_to),
        )
        if row is None:
            raise ValueError(f"the write closes an interval that is not open: {interval}")
        # A clock that ran ahead must not make a row end before it began.
        self._db.run("UPDATE validity SET closed_at = max(recorded_at, ?) WHERE row = ?", (self._at, row))
        return fact

    def _open(self, interval: Interval) -> int:
        fact = self._known_fact(interval.fact)
        self._db.run(
            "INSERT INTO validity (fact, valid_at, valid_to, recorded_at) VALUES (?, ?, ?, ?)",
            (fact, interval.valid_at, interval.valid_to, self._at),
        )
        return fact

    def _add_fact_vector(self, row: int, fact: Fact) -> None:
        """The vector is of the proposition's first wording; a later wording's is not it."""
        if fact.vector is None or not fits(self._mark, fact.vector):
            return
        if self._db.value("SELECT text FROM facts WHERE row = ?", (row,)) == fact.text:
            put_vector(self._db, 2 * row + 1, fact.vector)

    def _log(self, change: Change) -> None:
        episode = change.episode
        self._db.run(
            "INSERT INTO changes (at, action, fact, episode, cause)"
            " VALUES (?, ?, ?, (SELECT row FROM episodes WHERE id = ?), ?)",
            (change.at, change.action, self._known_fact(change.fact), episode, _json(change.cause)),
        )


def _slot_keys(write: Write) -> Iterable[str]:
    placed = [*(placed.slot for placed in write.placed), *(claim.slot for claim in write.moved)]
    return dict.fromkeys([*(change.key for change in write.slots), *placed])


def _json(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode("utf-8") if value else "{}"
