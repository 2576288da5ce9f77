"""What every part above the store sees of it. No SQL, no connection: another engine can stand behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, Protocol

from lean_memory.claims import EmbedderMark, SlotState, View, Write
from lean_memory.records import Episode, Hit, Vector

__all__ = ["Scored", "Store"]

Scored = tuple[int, float]
"""An item number and how well it fits, greater is better. Item numbers are opaque; `load` turns them to hits."""


class Store(Protocol):
    """One namespace. Methods raise StoreBusy, StoreCorrupt or StoreTooNew (see `errors`)."""

    def close(self) -> None:
        """Lets go of the file."""

    # ------------------------------------------------------------------------------------------- writing

    def has_episodes(self, ids: Iterable[str]) -> set[str]:
        """Which of the episode ids are stored."""

    def slots(self, keys: Iterable[str]) -> Mapping[str, SlotState]:
        """The state of every slot asked for; of one that does not exist, an empty state at revision 0."""

    def names(self, keys: Iterable[str]) -> Mapping[str, str]:
        """Of the `name_key`s, the entities known: key -> the spelling seen first."""

    def commit(self, writes: Sequence[Write]) -> list[Literal["stored", "already_stored", "conflict"]]:
        """Applies each write in a transaction of its own, in order.

        `already_stored`: the episode is there, nothing is written. `conflict`: a slot is past the revision
        it was read at, nothing is written: read again, decide again, try again.
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
        """Stores vectors for items, in one transaction; an item that has one already keeps it."""

    def start_reindex(self, mark: EmbedderMark) -> None:
        """Drops vectors that another model made and records `mark`. Nothing happens if it is recorded already,
        so that an interrupted reindex goes on with `unembedded` where it stopped."""

    # ------------------------------------------------------------------------------------------- reading

    def dense(self, vector: Vector, view: View, limit: int) -> list[Scored]:
        """The visible items nearest by cosine, best first: coarse KNN on the vector's first 256 dimensions,
        re-scored on all of them. The score is the full cosine."""

    def sparse(self, terms: Sequence[str], view: View, limit: int) -> list[Scored]:
        """The visible items that hold any of the terms (see `words`), best BM25 first, the score positive."""

    def load(self, items: Sequence[int], view: View) -> list[Hit]:
        """Hits for items, in the order given, unranked (rank and score None), as the view sees them."""

    def visible(self, view: View) -> Iterator[Hit]:
        """Every visible item: facts by subject, predicate, start; then episodes by time."""

    def episodes(self) -> Iterator[Episode]:
        """Every episode verbatim, in order of arrival, without facts or vectors."""

    def counts(self) -> Mapping[str, int]:
        """Rows of each table, for status lines and tests."""

    def dump(self) -> Iterator[Mapping[str, object]]:
        """Every row of every table in a fixed order, as plain values, for golden files and comparisons."""
