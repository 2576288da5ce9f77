"""Two arms of a search, one scale."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["max_scaled"]


def max_scaled(scored: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Each score divided by the best one: in [0, 1], negative scores 0.

    Summed over the arms it ranks chats' evidence better than reciprocal rank fusion (Cormack et al. 2009), which
    forgets by how much one candidate beats the next: see `tests/bench/recall.py`.
    """
    scores = dict(scored)
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return dict.fromkeys(scores, 0.0)
    return {item: max(0.0, score / best) for item, score in scores.items()}
