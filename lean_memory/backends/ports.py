"""What the rest of the program sees of a model: plain values in, plain values out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lean_memory.claims import EmbedderMark
from lean_memory.records import Vector

__all__ = ["Embedder", "Reranker"]


class Embedder(Protocol):
    """Turns texts to vectors. Making one is cheap; the model loads at the first `embed`, or at `warm`."""

    @property
    def mark(self) -> EmbedderMark:
        """Which model this is. Costs no model load."""

    def warm(self) -> None:
        """Loads the model now. Raises BackendUnavailable when it is missing, or not the expected one."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One L2-normalised vector a text, in order; `query` for a search's words rather than stored text.

        A text longer than the model's window is read in windows, to its end. A text's vector does not depend
        on the texts beside it. Raises BackendUnavailable as `warm` does.
        """


class Reranker(Protocol):
    """Judges how well each text answers a query, reading both closely; too slow for more than some dozens."""

    @property
    def name(self) -> str:
        """Which model this is. Costs no model load."""

    def warm(self) -> None:
        """Loads the model now. Raises BackendUnavailable when it is missing."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text in [0, 1], in order, greater is better. Raises BackendUnavailable as `warm` does."""
