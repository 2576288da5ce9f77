"""Reranking by the default embedder's token vectors: nothing more to install than it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lean_memory.backends.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["LateInteraction", "maxsim"]


class LateInteraction:
    """Scores a text by how well each word of the query is met by some word of it, as ColBERT does."""

    name: Final = "late-interaction"

    def __init__(self, model: MiniLM) -> None:
        self._model = model

    def warm(self) -> None:
        """Loads the embedder. Raises BackendUnavailable."""
        self._model.warm()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The mean over the query's tokens of their best cosine in the text; 0 if one of the two has no token."""
        if not texts:
            return []
        found, *candidates = self._model.token_vectors([query, *texts])
        return maxsim(found, candidates)


def maxsim(query: Floats, texts: Sequence[Floats]) -> list[float]:
    """ColBERT's MaxSim (Khattab and Zaharia 2020, arXiv:2004.12832) of unit token vectors, as a mean.

    Args:
        query: (query tokens, dimensions).
        texts: for each text (its tokens, dimensions).

    Returns:
        For each text the mean over query tokens of the greatest cosine with one of its tokens, in [0, 1]; a
        negative mean counts as 0.
    """
    import numpy as np

    scores = [0.0] * len(texts)
    filled = [index for index, text in enumerate(texts) if len(text)]
    if not filled or not len(query):
        return scores
    lengths = [len(texts[index]) for index in filled]
    cosines = np.concatenate([texts[index] for index in filled]) @ query.T
    best = np.maximum.reduceat(cosines, np.cumsum([0, *lengths[:-1]]), axis=0)
    for index, mean in zip(filled, best.mean(axis=1).tolist(), strict=True):
        scores[index] = min(max(mean, 0.0), 1.0)
    return scores
