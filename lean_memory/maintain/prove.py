"""What to ask before and after a run to prove that it changed no answer about the past."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["moments", "probes"]


def moments(boundaries: Sequence[int], now: int, *, count: int) -> list[int]:
    """A grid of times up to `now`: evenly between the first and last boundary, and on either side of some of them.

    Args:
        boundaries: when something began or ended, in order; those after `now` don't count.
    """
    past = [at for at in boundaries if at <= now]
    if not past:
        return [now]
    first, span = past[0], now - past[0]
    even = {first + span * step // count for step in range(count + 1)}
    picked = past[:: max(1, len(past) // count)]
    return sorted(even | {at + side for at in picked for side in (-1, 0) if at + side <= now} | {now})


def probes(texts: Sequence[str], *, count: int) -> list[str]:
    """Queries: texts of the memory itself, evenly picked."""
    return [text[:200] for text in texts[:: max(1, len(texts) // count)][:count]]
