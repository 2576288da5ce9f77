"""A deterministic embedder without a model, for golden files and tests. It must be asked for: LM_BACKENDS=stub."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from lean_memory.claims import EmbedderMark
from lean_memory.records import Vector
from lean_memory.vectors import normalised
from lean_memory.words import STOP_WORDS, tokens

__all__ = ["StubEmbedder"]

_DIM: Final = 64
_MARK: Final = EmbedderMark("stub", _DIM, "stub-1")


class StubEmbedder:
    """Feature hashing (arXiv:0902.2206) of word stems and their three-letter pieces into 64 signed dimensions.

    Texts that share words, or forms of one word, are near; meaning it does not know. Weights are whole numbers, so
    the sums are exact and the bytes are the same on every machine.
    """

    @property
    def mark(self) -> EmbedderMark:
        """Always the same."""
        return _MARK

    def warm(self) -> None:
        """Nothing to load."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One vector a text. A text without words has a direction too, always the same one."""
        return [Vector(_MARK.name, _DIM, normalised(_sums(text))) for text in texts]


def _sums(text: str) -> list[int]:
    sums = [0] * _DIM
    for token in tokens(text):
        for index, weight in _features(token):
            sums[index] += weight
    if not any(sums):
        sums[0] = 1
    return sums


@lru_cache(maxsize=1 << 14)
def _features(token: str) -> tuple[tuple[int, int], ...]:
    if token in STOP_WORDS:
        return (_feature(token, 1),)
    padded = f"<{token}>"
    return (_feature(token, 8), *(_feature(padded[i : i + 3], 2) for i in range(len(padded) - 2)))


def _feature(text: str, weight: int) -> tuple[int, int]:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=2).digest()
    return digest[0] % _DIM, weight if digest[1] & 1 else -weight
