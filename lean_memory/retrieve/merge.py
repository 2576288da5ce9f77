"""Facts and episodes in one list, nothing listed twice."""

from __future__ import annotations

from collections.abc import Iterable

from lean_memory.records import Hit

__all__ = ["merge"]


def merge(ranked: Iterable[tuple[int, Hit]], k: int) -> list[int]:
    """The first `k` of the items, best first, without those that say again what a better one says.

    A fact that ranks above its episode stands for it: it names the episode and quotes it. An episode that ranks
    above its fact contains it. Further facts of one episode each say something of their own and stay. A fact that
    several lines of a pipe state is listed once.
    """
    kept: list[int] = []
    quoted: set[str | None] = set()
    listed: set[str | None] = set()
    for item, hit in ranked:
        if len(kept) == k:
            break
        if hit.id in listed or (hit.id in quoted if hit.fact is None else hit.episode in listed):
            continue
        listed.add(hit.id)
        if hit.fact is not None:
            quoted.add(hit.episode)
        kept.append(item)
    return kept
