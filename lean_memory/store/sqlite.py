"""The `Store` protocol over one SQLite file. Each method is a function of the module that knows how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal

from lean_memory.claims import EmbedderMark, LogFilter, SlotState, View, Write
from lean_memory.records import Change, Claimed, Episode, Hit, Vector
from lean_memory.store import history as _history
from lean_memory.store import ledger, lexical, nearby, read, transfer, write
from lean_memory.store import vectors as _vectors
from lean_memory.store.check import check
from lean_memory.store.database import Database
from lean_memory.store.port import Scored

__all__ = ["SqliteStore"]


class SqliteStore:
    """See `port.Store`. Made by `connect.open_store`; safe to share between threads."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def close(self) -> None:
        self._db.close()

    def has_episodes(self, ids: Iterable[str]) -> set[str]:
        return read.has_episodes(self._db, ids)

    def slots(self, keys: Iterable[str]) -> Mapping[str, SlotState]:
        return read.slots(self._db, keys)

    def names(self, keys: Iterable[str]) -> Mapping[str, str]:
        return read.names(self._db, keys)

    def aliases(self, keys: Iterable[str], view: View | None = None) -> Mapping[str, list[str]]:
        return read.aliases(self._db, keys, view)

    def commit(self, writes: Sequence[Write]) -> list[Literal["stored", "already_stored", "conflict"]]:
        return [write.commit(self._db, one) for one in writes]

    def embedder(self) -> EmbedderMark | None:
        return _vectors.embedder(self._db)

    def set_embedder(self, mark: EmbedderMark) -> EmbedderMark:
        return _vectors.set_embedder(self._db, mark)

    def unembedded(self, *, limit: int) -> list[tuple[int, str]]:
        return _vectors.unembedded(self._db, limit)

    def count_unembedded(self) -> int:
        return _vectors.count_unembedded(self._db)

    def add_vectors(self, vectors: Sequence[tuple[int, Vector]]) -> None:
        _vectors.add_vectors(self._db, vectors)

    def start_reindex(self, mark: EmbedderMark) -> None:
        _vectors.start_reindex(self._db, mark)

    def snapshot(self) -> AbstractContextManager[None]:
        return self._db.reading()

    def dense(self, vector: Vector, view: View, limit: int) -> list[Scored]:
        return _vectors.dense(self._db, vector, view, limit)

    def sparse(self, terms: Sequence[str], view: View, limit: int) -> list[Scored]:
        return lexical.sparse(self._db, terms, view, limit)

    def load(self, items: Sequence[int], view: View) -> Mapping[int, Hit]:
        return read.load(self._db, items, view)

    def neighbours(self, items: Sequence[int], view: View) -> Mapping[int, tuple[int | None, int | None]]:
        return nearby.neighbours(self._db, items, view)

    def outdated(self, items: Sequence[int], view: View) -> set[int]:
        with self._db.reading():
            return nearby.outdated(self._db, items, view)

    def cosines(self, vector: Vector, items: Sequence[int]) -> list[Scored]:
        return _vectors.cosines(self._db, vector, items)

    def visible(self, view: View) -> Iterator[Hit]:
        return read.visible(self._db, view)

    def episodes(self) -> Iterator[Episode]:
        return read.episodes(self._db)

    def changes(self, *, after: int = 0) -> Iterator[tuple[int, Change]]:
        return ledger.changes(self._db, after=after)

    def history(self, asked: LogFilter) -> Iterator[Change]:
        return _history.history(self._db, asked)

    def claims_of(self, fact: str) -> list[Claimed]:
        return _history.claims_of(self._db, fact)

    def counts(self) -> Mapping[str, int]:
        return ledger.counts(self._db)

    def check(self) -> list[str]:
        return check(self._db)

    def export(self) -> Iterator[Mapping[str, Any]]:
        return transfer.export(self._db)

    def restore(self, rows: Iterable[Mapping[str, Any]]) -> int:
        return transfer.restore(self._db, rows)

    def dump(self) -> Iterator[Mapping[str, object]]:
        return ledger.dump(self._db)
