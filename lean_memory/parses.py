"""A dependency parse as plain values. Extraction knows a parser only by this port; `backends` fills it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["DependencyParser", "Word"]


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a parse: its Penn Treebank tag, its ClearNLP dependency label, and the place of the word it depends
    on; a root's is its own."""

    tag: str
    dep: str
    head: int


class DependencyParser(Protocol):
    """Parses English. Making one is cheap; the model loads at the first `parse`, or at `warm`."""

    @property
    def name(self) -> str:
        """Which model it is."""

    def warm(self) -> None:
        """Loads the model now. Raises BackendUnavailable when it is missing or does not load."""

    def parse(self, words: Sequence[str]) -> list[Word]:
        """One Word a word, in order; the same words always give the same parse. Raises BackendUnavailable as `warm`
        does."""
