"""What every part above the store sees of it. No SQL, no connection: another engine can stand behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from lean_memory.claims import EmbedderMark, Interval, LogFilter, SlotState, View, Write
from lean_memory.records import Change, Claimed, Episode, Hit, Vector

if TYPE_CHECKING:
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

__all__ = ["Scored", "Store"]

Scored = tuple[int, float]
"""An item number and how well it fits, greater is better. Item numbers are opaque; `load` turns them to hits."""


class Store(Protocol):
    """One namespace. Methods raise StoreUnavailable or one of its subclasses (see `errors`); threads may share it."""

    @property
    def namespace(self) -> str:
        """Its name."""

    def close(self) -> None:
        """Lets go of the file."""

    # ------------------------------------------------------------------------------------------- writing

    def has_episodes(self, ids: Iterable[str]) -> set[str]:
        """Which of the episode ids are stored."""

    def slots(self, keys: Iterable[str]) -> Mapping[str, SlotState]:
        """The state of every slot asked for; of one that does not exist, an empty state at revision 0."""

    def names(self, keys: Iterable[str]) -> Mapping[str, str]:
        """Of the `name_key`s, the entities known: key -> the spelling seen first."""

    def aliases(self, keys: Iterable[str], view: View | None = None) -> Mapping[str, list[str]]:
        """Of the `name_key`s, those that are other names: key -> the names they may stand for. With a view, as the
        episodes that it sees say."""

    def together(self) -> AbstractContextManager[None]:
        """What is committed inside is durable when the block ends, not commit by commit: one wait for the disk."""

    def commit(self, writes: Sequence[Write]) -> list[Literal["stored", "already_stored", "conflict"]]:
        """Applies each write in a transaction of its own, in order.

        `already_stored`: the episode is there, nothing is written. `conflict`: a slot is past the revision
        it was read at, nothing is written: read again, decide again, try again. Vectors on the records are stored
        if the recorded model made them, and else left out.

        Raises:
            ValueError: a write closes an interval that is not open or names an unknown fact. It writes nothing,
                nor do those after it.
        """

    # ------------------------------------------------------------------------------------------- vectors

    def embedder(self) -> EmbedderMark | None:
        """The model that made this namespace's vectors; None before the first."""

    def set_embedder(self, mark: EmbedderMark) -> EmbedderMark:
        """Records the model, unless one is recorded already; returns the one recorded."""

    def unembedded(self, *, limit: int) -> list[tuple[int, str]]:
        """Items without a vector and their texts, oldest first, at most `limit`."""

    def count_unembedded(self) -> int:
        """How many items have no vector."""

    def add_vectors(self, vectors: Sequence[tuple[int, Vector]]) -> None:
        """Stores vectors for items, in one transaction; an item that has one already keeps it.

        Raises:
            StoreUnavailable: `embedder_mismatch`, another model than the recorded one made them.
            ValueError: there is no such item.
        """

    def start_reindex(self, mark: EmbedderMark) -> None:
        """Drops vectors that another model made and records `mark`. Nothing happens if it is recorded already,
        so that an interrupted reindex goes on with `unembedded` where it stopped."""

    # ------------------------------------------------------------------------------------------- reading

    def snapshot(self) -> AbstractContextManager[None]:
        """All that is read inside is of one moment, whatever other processes store meanwhile. Keep it short, and
        write nothing inside."""

    def dense(self, vector: Vector, view: View, limit: int) -> list[Scored]:
        """The visible items nearest by cosine, best first: coarse KNN on the vector's first 256 dimensions,
        re-scored on all of them. The score is the full cosine; equal ones are ordered by id.

        Raises:
            StoreUnavailable: `embedder_mismatch`, another model than the recorded one made the vector.
        """

    def sparse(self, terms: Sequence[str], view: View, limit: int) -> list[Scored]:
        """The visible items that hold any of the terms (see `words`), best BM25 first, the score positive; equal
        ones are ordered by id. For a view with `as_of` or `known_at` the scores depend on the visible rows alone."""

    def load(self, items: Sequence[int], view: View) -> Mapping[int, Hit]:
        """Hits for items, unranked (rank and score None), as the view sees them; in the order given.

        Without an item that the view does not see, which is possible only outside of a `snapshot`. A fact's words,
        episode, confidence and salience are those of its last claim said by the view's time.
        """

    def neighbours(self, items: Sequence[int], view: View) -> Mapping[int, tuple[int | None, int | None]]:
        """Of each episode among the items that has a session: the items of the visible episodes before and after it
        there, by the time said, those of one time by arrival."""

    def outdated(self, items: Sequence[int], view: View) -> set[int]:
        """The episodes among the items that facts were drawn from, none of which holds at the view's time: what they
        say is over, was corrected, or is yet to come."""

    def cosines(self, vector: Vector, items: Sequence[int]) -> list[Scored]:
        """The full cosine of each of the items that has a vector. Raises StoreUnavailable as `dense` does."""

    def visible(self, view: View) -> Iterator[Hit]:
        """Every visible item: facts by subject, predicate, start; then episodes by time."""

    def episodes(self) -> Iterator[Episode]:
        """Every episode verbatim, in order of arrival, without facts or vectors."""

    def changes(self, *, after: int = 0) -> Iterator[tuple[int, Change]]:
        """The log, from behind its entry number `after` on, with the numbers."""

    def history(self, asked: LogFilter) -> Iterator[Change]:
        """The log's entries that are asked for, oldest first, each with its fact and the words that caused it."""

    def claims_about(self, subject: str) -> list[Claimed]:
        """Every claim about the subject under just this name, by the time it was said; without those that were moved
        to another."""

    def claims_of(self, fact: str) -> list[Claimed]:
        """Every episode that says the fact, by the time it was said."""

    def counts(self) -> Mapping[str, int]:
        """Rows of each table, for status lines and tests."""

    def check(self) -> list[str]:
        """What is wrong with the store, in words: damage, dangling references, an index that lags. Empty if nothing."""

    def export(self) -> Iterator[Mapping[str, Any]]:
        """All there is as plain values, for `restore`: first {"schema"}, then {"table", "values"} of each row."""

    def restore(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """Fills this new namespace with what `export` gave, history included; returns the rows. All or nothing.

        Raises:
            Malformed: not what `export` gives.
            StoreUnavailable: `not_empty`.
        """

    def dump(self) -> Iterator[Mapping[str, object]]:
        """Every row of every table in a fixed order, as plain values, for golden files and comparisons."""

    # --------------------------------------------------------------------------------------- maintenance

    def transaction(self) -> AbstractContextManager[None]:
        """All that is written inside is written whole or, if the body raises, not at all. What follows joins it."""

    def standing(self, now: int) -> list[Standing]:
        """The hot facts that hold at `now` and have no end yet, by id."""

    def roles(self) -> Mapping[str, str]:
        """`name_key` of a role (`my sister`) -> that of the entity it stands for, where it is one alone."""

    def cosines_of(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """The cosine of each pair of facts, by id; None where one has no vector."""

    def boundaries(self) -> list[int]:
        """Every time at which something began, ended or was said, in order."""

    def sample(self, count: int) -> list[str]:
        """Texts of about `count` facts, evenly picked."""

    def sample_vectors(self, count: int) -> list[Vector]:
        """Vectors of about `count` items, evenly picked."""

    def tally(self) -> Mapping[str, int]:
        """How many `episodes`, `hot` and `cold` facts, and `summaries` among them."""

    def since(self, cursor: int) -> tuple[int, float]:
        """Facts that came after an entry of the log, and the sum of their salience."""

    def retire(self, retirements: Sequence[Retirement], *, run: str, at: int) -> int:
        """Retires duplicates into their survivors; those that are no more as planned stay. Returns how many went."""

    def evict(self, evictions: Sequence[Eviction], *, run: str, at: int) -> int:
        """Moves facts to the cold tier; those that are no more as planned stay. Returns how many went."""

    def promote(self, facts: Sequence[str], *, at: int, cause: Mapping[str, Any]) -> list[str]:
        """Puts facts into the hot tier for good: maintenance leaves them there. Returns those that were cold."""

    def stage(self, drafts: Sequence[Draft], *, run: str, at: int, expires_at: int) -> int:
        """Stores proposals that are not there yet and whose facts are as planned. Returns how many."""

    def staged(self) -> set[str]:
        """The ids of all proposals there ever were."""

    def waiting(self, now: int) -> int:
        """How many proposals wait for a decision."""

    def declined(self) -> set[tuple[ProposalKind, frozenset[str]]]:
        """What somebody decided to keep as it is: kind and facts."""

    def over(self, now: int) -> Mapping[str, int]:
        """How many waiting proposals are `expired` by `now`, or `stale` since a fact of theirs changed."""

    def close_over(self, now: int) -> Mapping[str, int]:
        """Marks those as what they are; how many."""

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
        """Proposals by entity, kind and age. `worth` is a fact's value from its salience, last mention and hits."""

    def targets(
        self, kind: ProposalKind, payload: Mapping[str, Any], worth: Callable[[float, int, int], float]
    ) -> list[Target]:
        """The facts that a payload names, as they are now."""

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
        """Compare-and-set, in one transaction: does what the verdict says if the proposal waits, has not expired, and
        its facts are as they were. `slot` and `vector` are of the summary that would be made."""

    def me(self) -> str:
        """This process, as a holder of the lease; another at every call."""

    def acquire(self, holder: str) -> None:
        """Takes the lease of maintenance, also from a dead holder. Raises StoreBusy, `lease`, if another has it."""

    def beat(self, holder: str) -> None:
        """Says that the holder lives."""

    def still_mine(self, holder: str) -> None:
        """Inside a transaction: raises StoreBusy, `lease`, if another took the lease over."""

    def release(self, holder: str) -> None:
        """Lets go of the lease."""

    def holder(self) -> str | None:
        """The living holder of the lease, in words."""

    def runs(self, limit: int) -> Sequence[tuple[int, Run]]:
        """The last runs, newest first, each with the last entry of the log that it saw."""

    def unfinished(self, config: str) -> tuple[str, int] | None:
        """The last run of a configuration, if it never ended: its id and its present."""

    def begin_run(self, id: str, *, trigger: str, config: str, at: int) -> None:
        """A new entry of the ledger; any that never ended is marked as abandoned."""

    def end_run(self, id: str, *, at: int, counts: Mapping[str, int]) -> Mapping[str, int]:
        """Closes the entry; returns what the run did in all, also before it was cut and taken up again."""

    def note_usage(self, items: Sequence[int], *, at: int) -> None:
        """Notes that a search found them, if that costs nothing: never waits, fails, or writes to the store itself."""

    def drop_folded_usage(self) -> None:
        """Lets go of notes that `end_run` has counted."""

    def erase(self, *, fact: str | None = None, episode: str | None = None, text: str | None = None) -> Erased:
        """Takes a fact or an episode (by id), or whatever holds a text, out of every table. Inside `transaction`; what
        held when is then to be settled for the slots it names, and the file to be scrubbed."""

    def settle(self, states: Iterable[tuple[SlotState, Sequence[Interval]]], *, at: int) -> None:
        """Gives slots the intervals that follow from the claims that are left."""

    def bytes_left(self) -> bool:
        """Whether a `scrub` that something erased needs was cut short."""

    def scrub(self, needles: Iterable[str]) -> tuple[int, int]:
        """Rewrites the file without what was erased and searches it: bytes searched, places where a needle stands.

        Raises:
            StoreBusy: another process has it open.
        """

    def back_up(self, path: Path) -> Copy:
        """A verified copy. Raises UsageError, `exists`."""

    def remove(self) -> list[str]:
        """Removes the namespace with all its files, whose names it returns, and closes this.

        Raises:
            StoreBusy: `lease` or `busy`, somebody works on it.
        """
