"""Turns that a later one renews: of two that say as much about what is asked, the later one tells how it is now.

What was said is never wrong as a record, so it stays in the answer, below the turn that renews it. Facts need none of
this: of theirs the store knows which one superseded which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lean_memory.records import Hit
from lean_memory.retrieve.query import Query
from lean_memory.retrieve.tuning import Tuning
from lean_memory.words import held_terms

__all__ = ["with_renewed"]

_TOP: Final = 10  # episodes that could be the answer
_APART: Final = 43_200_000  # ms: what is said within half a day is one telling
_AS_GOOD: Final = 0.7  # of the earlier one's score, that the later one has at least
_AS_TELLING: Final = 0.7  # of the question's words in the earlier one, how many the later one has at least
_SAME_MATTER: Final = 2  # words of the question that both have


def with_renewed(
    scores: Mapping[int, float], hits: Mapping[int, Hit], query: Query, tuning: Tuning
) -> dict[int, float]:
    """The scores, those of the first episodes that another of them renews at most `tuning.renewed` of that one's.

    It does so if it was said later, in another session, by the same speaker, is nearly as good an answer and has the
    same words of the question.
    """
    lowered = dict(scores)
    if not query.present:
        return lowered
    episodes = [item for item, hit in hits.items() if hit.kind == "episode" and scores[item] > 0.0]
    first = sorted(episodes, key=lambda item: -scores[item])[:_TOP]
    words = {item: held_terms(hits[item].text, query.telling) for item in first}
    held = frozenset[str]().union(*words.values())  # the rest, as the many of `how many`, is in no answer
    for earlier in first:
        for later in first:
            shared = words[earlier] & words[later]
            if (
                _follows(hits[earlier], hits[later])
                and scores[later] >= _AS_GOOD * scores[earlier]
                and len(words[later]) >= _AS_TELLING * len(words[earlier])
                and len(shared) >= min(_SAME_MATTER, max(1, len(held)))
            ):
                lowered[earlier] = min(lowered[earlier], tuning.renewed * scores[later])
    return lowered


def _follows(earlier: Hit, later: Hit) -> bool:
    """Does the same person come back to it another time?"""
    if earlier.t_ref is None or later.t_ref is None or later.t_ref - earlier.t_ref < _APART:
        return False
    same_session = earlier.session is not None and earlier.session == later.session
    return earlier.speaker == later.speaker and not same_session
