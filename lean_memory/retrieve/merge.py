"""Facts and episodes in one list, nothing listed twice."""

from __future__ import annotations

from collections.abc import Iterable

from lean_memory.records import Hit

__all__ = ["merge"]


def merge(ranked: Iterable[Hit], k: int) -> list[Hit]:
    """The first `k` of the hits, best first, without those that say again what a better one says.

    A fact that ranks above its episode stands for it: it names the episode and quotes it. An episode that ranks
    above its fact contains it. Further facts of one episode each say something of their own and stay.
    """
    kept: list[Hit] = []
    facts_of: set[str] = set()
    episodes: set[str] = set()
    for hit in ranked:
        if len(kept) == k:
            break
        if hit.kind == "episode":
            if hit.id in facts_of:
                continue
            episodes.add(hit.id)
        else:
            if hit.episode in episodes:
                continue
            if hit.episode is not None:
                facts_of.add(hit.episode)
        kept.append(hit)
    return kept
