"""The final score: a weighted mean of relevance, recency and importance, each in [0, 1].

After Park et al. 2023, Generative Agents, 4.1. Relevance is relative to the best candidate, so recency and
importance, which know nothing of the question, could lift anything recent into an answer; see `spread`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lean_memory.records import Hit

__all__ = ["NEUTRAL", "Weights", "final_score", "importance", "recency", "spread", "still_holds"]

DAY: Final = 86_400_000  # ms

NEUTRAL: Final = 0.5
"""An episode's importance, as nobody judged it: that of a fact of middling salience."""

_TAIL: Final = 100
"""The relevance scale begins at the candidate of this rank."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score counts; `half_life` is the days in which recency halves.

    Half a year, since what a memory holds is dated by months and years: with 30 days recency would say the
    same of all that is older than a season.
    """

    relevance: float = 0.6
    recency: float = 0.2
    importance: float = 0.2
    half_life: float = 180.0


def recency(hit: Hit, now: int, half_life: float) -> float:
    """0.5 ** (age / half-life), of when the episode, or a fact's last restatement, was said; in [0, 1].

    A fact that still holds is at least half recent: what was said of it long ago is still so.
    """
    if hit.t_ref is None:
        return 0.0
    decayed = float(0.5 ** (max(0, now - hit.t_ref) / (half_life * DAY)))
    return 0.5 + 0.5 * decayed if still_holds(hit, now) else decayed


def still_holds(hit: Hit, now: int) -> bool:
    """Is it a fact that has not ended by then?"""
    return hit.fact is not None and (hit.fact.valid_to is None or hit.fact.valid_to > now)


def importance(hit: Hit) -> float:
    """A fact's salience, of 10; in [0, 1]."""
    return NEUTRAL if hit.fact is None else hit.fact.salience / 10.0


def spread(relevance: Sequence[float]) -> list[float]:
    """Relevance of any scale to [0, 1]: 1 the best, 0 the `_TAIL`th best (or nothing) and all below it.

    So the candidates that could be answers span the whole scale, and the other parts decide between near
    equals only.
    """
    best = max(relevance, default=0.0)
    ordered = sorted(relevance, reverse=True)
    floor = max(ordered[_TAIL - 1], 0.0) if len(ordered) >= _TAIL else 0.0
    if best <= floor:
        return [float(best > 0.0 and value >= best) for value in relevance]
    return [max(0.0, (value - floor) / (best - floor)) for value in relevance]


def final_score(relevance: float, recency: float, importance: float, weights: Weights) -> float:
    """The weighted mean: in [0, 1] whatever the weights."""
    total = weights.relevance + weights.recency + weights.importance
    if total <= 0:
        return 0.0
    return (weights.relevance * relevance + weights.recency * recency + weights.importance * importance) / total
