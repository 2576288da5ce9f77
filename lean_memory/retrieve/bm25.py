"""Ranking records that are in no store: those still in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lean_memory.claims import View
from lean_memory.names import name_key
from lean_memory.records import Episode, Fact, Hit
from lean_memory.retrieve.rank import rank
from lean_memory.words import query_terms, tokens

__all__ = ["bm25", "rank_in_memory"]

_OPEN: Final = 1 << 62


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Each text's BM25 score for the query, 0 without a match, by rank-bm25.

    Of its variants it is BM25+ (Lv and Zhai 2011) with delta 0: BM25 with the idf ln((N + 1) / n), which is never
    negative, so that a match is never worse than none, in however small a corpus.
    """
    terms = query_terms(query)
    corpus = [tokens(text) for text in texts]
    if not terms or not any(corpus):
        return [0.0] * len(texts)
    from rank_bm25 import BM25Plus

    return [float(score) for score in BM25Plus(corpus, k1=1.2, b=0.75, delta=0).get_scores(terms)]


def rank_in_memory(
    query: str, episodes: Sequence[Episode], *, k: int = 10, view: View, explain: bool = False
) -> list[Hit]:
    """The `k` best of the episodes and their facts that hold a word of the query, best first.

    The view's filters apply; what was said later than it looks, or did not hold then, is left out. The facts are
    taken as each line says them: nothing is known of what supersedes what.
    """
    hits = [hit for episode in episodes for hit in _hits(episode, view)]
    scores = bm25(query, [f"{hit.speaker or ''} {hit.text}" if hit.fact is None else hit.text for hit in hits])
    found = {item: hit for item, hit in enumerate(hits) if scores[item] > 0}
    return rank(query, found, sparse=enumerate(scores), k=k, now=view.at, explain=explain)


def _hits(episode: Episode, view: View) -> list[Hit]:
    """What the view sees of a line, as `Store.load` would give it."""
    told: dict[str, Any] = {
        "episode": episode.id,
        "speaker": episode.speaker,
        "t_ref": episode.t_ref,
        "session": episode.session,
    }
    facts = [fact for fact in episode.facts if _is_about(fact, view)]
    hits = []
    if view.kind != "fact" and _sees_episode(episode, view) and (facts or view.subject is view.predicate is None):
        hits.append(Hit(rank=None, kind="episode", id=episode.id, score=None, text=episode.text, **told))
    if view.kind != "episode":
        hits += [
            Hit(rank=None, kind="fact", id=fact.id, score=None, text=fact.text, fact=fact, **told)
            for fact in facts
            if _sees_fact(fact, view)
        ]
    return hits


def _is_about(fact: Fact, view: View) -> bool:
    return (view.subject is None or name_key(view.subject) == name_key(fact.subject)) and (
        view.predicate is None or view.predicate == fact.predicate
    )


def _sees_episode(episode: Episode, view: View) -> bool:
    begin, end = view.since, view.until
    return (
        episode.t_ref <= view.at and (begin is None or begin <= episode.t_ref) and (end is None or episode.t_ref < end)
    )


def _sees_fact(fact: Fact, view: View) -> bool:
    """Does it hold at the time looked at, and at some time within [since, until)?"""
    begins_by, ends_after = min(view.at, (view.until or _OPEN) - 1), max(view.at, view.since or -_OPEN)
    return (fact.valid_at is None or fact.valid_at <= begins_by) and (
        fact.valid_to is None or fact.valid_to > ends_after
    )
