"""Reranking by the default embedder's token vectors: nothing more to install than it.

Theory of operation. Every word piece of the query looks for the text's piece that is nearest to it; a text's
score is the mean of these cosines (MaxSim of ColBERT: Khattab and Zaharia 2020, arXiv:2004.12832). In the mean a
rare piece weighs more than a common one, by the logarithm of its rank in BERT's vocabulary, whose words stand in
the order of their frequency. That needs no statistics of the texts at hand, so a score depends on query and text
alone. Token vectors of texts are kept a while, as the next queries tend to meet the same candidates.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from lean_memory.backends.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

__all__ = ["LateInteraction", "maxsim"]

_KEPT: Final = 32_768  # tokens, of 768 bytes each
_FIRST_WORD: Final = 1996  # its id; before it stand single characters and markers, in no order of frequency
_CHARACTER: Final = 2.0  # the weight of a single character


class LateInteraction:
    """Scores a text by how well each word of the query is met by some word of it. Safe to use from several threads."""

    name: Final = "late-interaction"

    def __init__(self, model: MiniLM) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Floats] = OrderedDict()
        self._kept_tokens = 0

    def warm(self) -> None:
        """Loads the embedder. Raises BackendUnavailable."""
        self._model.warm()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The weighted mean over the query's tokens of their best cosine in the text; 0 where one has no token.

        Raises:
            BackendUnavailable: as the embedder does.
        """
        if not texts:
            return []
        [asked] = self._model.token_vectors([query])
        weights = [
            _weight(piece, number) for piece, number in zip(self._model.pieces(asked.ids), asked.ids, strict=True)
        ]
        return maxsim(asked.vectors, self._vectors(texts), weights)

    def _vectors(self, texts: Sequence[str]) -> list[Floats]:
        """Half precision, from the cache or not, so that a score is the same either way."""
        import numpy as np

        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        for text, tokens in zip(new, self._model.token_vectors(new), strict=True):
            found[text] = tokens.vectors.astype(np.float16)
        with self._lock:
            for text, vectors in found.items():
                if text not in self._kept:
                    self._kept[text] = vectors
                    self._kept_tokens += len(vectors)
                self._kept.move_to_end(text)
            while self._kept_tokens > _KEPT:
                self._kept_tokens -= len(self._kept.popitem(last=False)[1])
        return [found[text] for text in texts]


def maxsim(query: Floats, texts: Sequence[Floats], weights: Sequence[float] | None = None) -> list[float]:
    """MaxSim of unit token vectors.

    Args:
        query: (query tokens, dimensions).
        texts: for each text (its tokens, dimensions).
        weights: one a query token; None, or all 0, is all alike.

    Returns:
        For each text the weighted mean over query tokens of the greatest cosine with one of its tokens, in [0, 1]; a
        negative mean counts as 0.
    """
    import numpy as np

    scores = [0.0] * len(texts)
    filled = [index for index, text in enumerate(texts) if len(text)]
    if not filled or not len(query):
        return scores
    lengths = [len(texts[index]) for index in filled]
    cosines = np.concatenate([texts[index] for index in filled]).astype(np.float32) @ query.T
    best = np.maximum.reduceat(cosines, np.cumsum([0, *lengths[:-1]]), axis=0)
    share = np.asarray(weights if weights and any(weights) else [1.0] * len(query), np.float32)
    for index, mean in zip(filled, (best @ (share / share.sum())).tolist(), strict=True):
        scores[index] = min(max(mean, 0.0), 1.0)
    return scores


def _weight(piece: str, number: int) -> float:
    if not any(map(str.isalnum, piece)):
        return 0.0
    return _CHARACTER if number < _FIRST_WORD else math.log(number - _FIRST_WORD + 2)
