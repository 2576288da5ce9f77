"""Ranking records that are in no store: those still in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lean_memory.claims import View
from lean_memory.names import name_key
from lean_memory.records import Episode, Fact, Hit
from lean_memory.retrieve.query import Query
from lean_memory.retrieve.rank import rank
from lean_memory.retrieve.score import Weights
from lean_memory.words import query_terms, tokens

__all__ = ["bm25", "rank_in_memory"]


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
    query: Query | str,
    episodes: Sequence[Episode],
    *,
    k: int = 10,
    view: View,
    weights: Weights | None = None,
    explain: bool = False,
) -> list[Hit]:
    """The `k` best of the episodes and their facts that hold a word of the query, best first.

    The view's filters apply; what was said later than it looks, or did not hold then, is left out. The facts are
    taken as each line says them: nothing is known of what supersedes what.
    """
    text = query if isinstance(query, str) else query.text
    hits = [hit for episode in episodes for hit in _hits(episode, view)]
    scores = bm25(text, [f"{hit.speaker or ''} {hit.text}" if hit.fact is None else hit.text for hit in hits])
    found = {item: hit for item, hit in enumerate(hits) if scores[item] > 0}
    over = {
        episode.id for episode in episodes if episode.facts and not any(_holds(fact, view) for fact in episode.facts)
    }
    outdated = {item for item, hit in found.items() if hit.fact is None and hit.id in over}
    return rank(
        query,
        found,
        sparse=enumerate(scores),
        outdated=outdated,
        k=k,
        now=view.at,
        weights=weights,
        explain=explain,
    )


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


def _holds(fact: Fact, view: View) -> bool:
    return (fact.valid_at is None or fact.valid_at <= view.at) and (fact.valid_to is None or fact.valid_to > view.at)


def _sees_fact(fact: Fact, view: View) -> bool:
    """Does it hold at the time looked at, and at some time within [since, until)?"""
    ended = view.since is not None and fact.valid_to is not None and fact.valid_to <= view.since
    ahead = view.until is not None and fact.valid_at is not None and fact.valid_at >= view.until
    return _holds(fact, view) and not ended and not ahead
