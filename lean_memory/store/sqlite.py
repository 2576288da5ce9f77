"""The `Store` protocol over one SQLite file. Each method is a function of the module that knows how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lean_memory.claims import EmbedderMark, Interval, LogFilter, SlotState, View, Write
from lean_memory.records import Change, Claimed, Episode, Hit, Vector
from lean_memory.store import lexical, nearby, read, write
from lean_memory.store import vectors as _vectors
from lean_memory.store.database import Database
from lean_memory.store.port import Scored

if TYPE_CHECKING:
    from lean_memory.store import backup, forget, ledger, transfer, upkeep, usage
    from lean_memory.store import check as _check
    from lean_memory.store import history as _history
    from lean_memory.store import proposals as _proposals
    from lean_memory.store import runs as _runs
    from lean_memory.upkeep import (
        Copy,
        Draft,
        Erased,
        Eviction,
        Outcome,
        Proposal,
        ProposalKind,
        Retirement,
        Run,
        Standing,
        Target,
        Verdict,
    )
else:

    class _Later:
        """A module that is imported when it is first used: a search needs none of what keeps a memory in order."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(f"lean_memory.store.{self._name}"), name)

    backup, forget, ledger, transfer, upkeep, usage, _check, _history, _proposals, _runs = map(
        _Later, "backup forget ledger transfer upkeep usage check history proposals runs".split()
    )

__all__ = ["SqliteStore"]


class SqliteStore:
    """See `port.Store`. Made by `connect.open_store`; safe to share between threads."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @property
    def namespace(self) -> str:
        return self._db.namespace

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

    def together(self) -> AbstractContextManager[None]:
        return self._db.together()

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

    def claims_about(self, subject: str) -> list[Claimed]:
        return _history.claims_about(self._db, subject)

    def claims_of(self, fact: str) -> list[Claimed]:
        return _history.claims_of(self._db, fact)

    def counts(self) -> Mapping[str, int]:
        return ledger.counts(self._db)

    def check(self) -> list[str]:
        return _check.check(self._db)

    def export(self) -> Iterator[Mapping[str, Any]]:
        return transfer.export(self._db)

    def restore(self, rows: Iterable[Mapping[str, Any]]) -> int:
        return transfer.restore(self._db, rows)

    def dump(self) -> Iterator[Mapping[str, object]]:
        return ledger.dump(self._db)

    # --------------------------------------------------------------------------------------- maintenance

    def transaction(self) -> AbstractContextManager[None]:
        return self._db.writing()

    def standing(self, now: int) -> list[Standing]:
        return upkeep.standing(self._db, now)

    def roles(self) -> Mapping[str, str]:
        return upkeep.roles(self._db)

    def cosines_of(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        return upkeep.cosines_of(self._db, pairs)

    def boundaries(self) -> list[int]:
        return upkeep.boundaries(self._db)

    def sample(self, count: int) -> list[str]:
        return upkeep.sample(self._db, count)

    def sample_vectors(self, count: int) -> list[Vector]:
        return upkeep.sample_vectors(self._db, count)

    def tally(self) -> Mapping[str, int]:
        return upkeep.tally(self._db)

    def since(self, cursor: int) -> tuple[int, float]:
        return upkeep.since(self._db, cursor)

    def retire(self, retirements: Sequence[Retirement], *, run: str, at: int) -> int:
        return upkeep.retire_all(self._db, retirements, run=run, at=at)

    def evict(self, evictions: Sequence[Eviction], *, run: str, at: int) -> int:
        return upkeep.evict(self._db, evictions, run=run, at=at)

    def promote(self, facts: Sequence[str], *, at: int, cause: Mapping[str, Any]) -> list[str]:
        return upkeep.promote(self._db, facts, at=at, cause=cause)

    def stage(self, drafts: Sequence[Draft], *, run: str, at: int, expires_at: int) -> int:
        return _proposals.stage(self._db, drafts, run=run, at=at, expires_at=expires_at)

    def staged(self) -> set[str]:
        return _proposals.staged(self._db)

    def waiting(self, now: int) -> int:
        return _proposals.waiting(self._db, now)

    def declined(self) -> set[tuple[ProposalKind, frozenset[str]]]:
        return _proposals.declined(self._db)

    def over(self, now: int) -> Mapping[str, int]:
        return _proposals.over(self._db, now)

    def close_over(self, now: int) -> Mapping[str, int]:
        return _proposals.close_over(self._db, now)

    def proposals(
        self,
        worth: Callable[[float, int, int], float],
        *,
        now: int,
        id: str | None = None,
        status: str | None = None,
        kind: str | None = None,
        entity: str | None = None,
        limit: int | None = None,
    ) -> list[Proposal]:
        return _proposals.proposals(
            self._db, worth, now=now, id=id, status=status, kind=kind, entity=entity, limit=limit
        )

    def targets(
        self, kind: ProposalKind, payload: Mapping[str, Any], worth: Callable[[float, int, int], float]
    ) -> list[Target]:
        with self._db.reading():
            return list(_proposals.targets(self._db, kind, payload, worth))

    def decide(
        self,
        proposal: str,
        verdict: Verdict,
        edits: Mapping[str, Any],
        *,
        by: str,
        at: int,
        slot: str | None = None,
        vector: Vector | None = None,
    ) -> Outcome:
        return _proposals.decide(self._db, proposal, verdict, edits, by=by, at=at, slot=slot, vector=vector)

    def me(self) -> str:
        return _runs.me()

    def acquire(self, holder: str) -> None:
        _runs.acquire(self._db, holder)

    def beat(self, holder: str) -> None:
        _runs.beat(self._db, holder)

    def still_mine(self, holder: str) -> None:
        _runs.still_mine(self._db, holder)

    def release(self, holder: str) -> None:
        _runs.release(self._db, holder)

    def holder(self) -> str | None:
        return _runs.holder_of(self._db)

    def runs(self, limit: int) -> Sequence[tuple[int, Run]]:
        return _runs.runs(self._db, limit)

    def unfinished(self, config: str) -> tuple[str, int] | None:
        return _runs.unfinished(self._db, config)

    def begin_run(self, id: str, *, trigger: str, config: str, at: int) -> None:
        _runs.begin_run(self._db, id, trigger=trigger, config=config, at=at)

    def end_run(self, id: str, *, at: int, counts: Mapping[str, int]) -> Mapping[str, int]:
        return _runs.end_run(self._db, id, at=at, counts=counts)

    def note_usage(self, items: Sequence[int], *, at: int) -> None:
        usage.note_usage(self._db.path, items, at=at)

    def drop_folded_usage(self) -> None:
        usage.drop_folded(self._db)

    def erase(self, *, fact: str | None = None, episode: str | None = None, text: str | None = None) -> Erased:
        return forget.erase(self._db, fact=fact, episode=episode, text=text)

    def settle(self, states: Iterable[tuple[SlotState, Sequence[Interval]]], *, at: int) -> None:
        forget.settle(self._db, states, at=at)

    def bytes_left(self) -> bool:
        return forget.bytes_left(self._db)

    def scrub(self, needles: Iterable[str]) -> tuple[int, int]:
        return forget.scrub(self._db, needles)

    def back_up(self, path: Path) -> Copy:
        return backup.back_up(self._db, path)

    def free_of_runs(self) -> None:
        backup.free_of_runs(self._db)

    def remove(self) -> list[str]:
        return backup.remove(self._db)
