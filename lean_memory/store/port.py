"""What every part above the store sees of it. No SQL, no connection: another engine can stand behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from lean_memory.claims import EmbedderMark, LogFilter, SlotState, View, Write
from lean_memory.records import Change, Claimed, Episode, Hit, Vector

__all__ = ["Scored", "Store"]

Scored = tuple[int, float]
"""An item number and how well it fits, greater is better. Item numbers are opaque; `load` turns them to hits."""


class Store(Protocol):
    """One namespace. Methods raise StoreUnavailable or one of its subclasses (see `errors`); threads may share it."""

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
