"""The ranking: everything a search knows of its candidates, to one list.

Theory of operation. A candidate's *match* is its BM25 and its cosine, each scaled by the best of the pool, summed.
Episodes gain from their neighbours in the conversation and their session (`context`); what fits the question in other
ways gains a boost: about the person asked for, of the predicate asked for, at the time asked for, telling a time when
one is asked for (`query`); a turn that a later one renews loses (`renewed`). That is scaled to relevance, weighed with
recency and importance (`score`), and what would be listed twice is merged (`merge`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lean_memory.records import Hit
from lean_memory.retrieve.context import Neighbours, with_neighbours, with_sessions, with_sources
from lean_memory.retrieve.fuse import max_scaled
from lean_memory.retrieve.merge import merge
from lean_memory.retrieve.query import Query, about, asks_for, tells_time, understand
from lean_memory.retrieve.renewed import with_renewed
from lean_memory.retrieve.score import Weights, final_score, importance, recency, spread, still_holds
from lean_memory.retrieve.tuning import Tuning

__all__ = ["rank", "rerank"]

CLOSENESS: Final = 0.3
_PARTS = ("relevance", "recency", "importance", "words", "meaning")


def rank(
    query: Query | str,
    loaded: Mapping[int, Hit],
    *,
    dense: Iterable[tuple[int, float]] = (),
    sparse: Iterable[tuple[int, float]] = (),
    neighbours: Neighbours | None = None,
    outdated: Collection[int] = (),
    k: int = 10,
    now: int,
    weights: Weights | None = None,
    tuning: Tuning | None = None,
    explain: bool = False,
) -> list[Hit]:
    """The `k` best of the loaded hits, best first, with `rank` and `score` filled (and `parts`, with `explain`).

    Args:
        query: the question, plain or as `understand` reads it (then predicates and dates in it count too).
        loaded: item -> hit: the items of both arms, and if known their neighbours.
        dense: items and cosines. Items of `loaded` without one count as not near at all; so give the cosines of
            the sparse arm's items and of neighbours too, where they are known.
        sparse: items and BM25 scores.
        neighbours: episode's item -> items of the turns before and after it in its session.
        outdated: episodes of which all that was understood is over, or yet to come.
        now: what recency is anchored to.

    Items that are not in `loaded` are left out. Equal scores are ordered by kind and id, so the order never
    depends on how the candidates came.
    """
    if isinstance(query, str):
        query = understand(query)
    weights, tuning = weights or Weights(), tuning or Tuning()
    words, meaning = max_scaled(_known(sparse, loaded)), max_scaled(_known(dense, loaded))
    match = {item: words.get(item, 0.0) + meaning.get(item, 0.0) for item in loaded}
    raised = with_neighbours(match, loaded, neighbours or {}, tuning)
    loss = 0.0 if query.past else tuning.outdated
    boosted = {
        item: score + boost(query, loaded[item], now, tuning) - (loss if item in outdated else 0.0)
        for item, score in raised.items()
    }
    in_session = with_renewed(with_sessions(boosted, loaded, query.telling, tuning), loaded, query, tuning)
    fits = with_sources(in_session, loaded, tuning.source)
    relevance = dict(zip(fits, spread(list(fits.values())), strict=True))
    parts = {
        item: (relevance[item], recency(hit, now, weights.half_life), importance(hit)) for item, hit in loaded.items()
    }
    scores = {item: final_score(*of_item, weights) for item, of_item in parts.items()}
    order = sorted(loaded.items(), key=lambda entry: (-scores[entry[0]], entry[1].kind != "fact", entry[1].id))
    answer = []
    for place, item in enumerate(merge(order, k), start=1):
        shown = dict(zip(_PARTS, (*parts[item], words.get(item, 0.0), meaning.get(item, 0.0)), strict=True))
        answer.append(replace(loaded[item], rank=place, score=scores[item], parts=shown if explain else None))
    return answer


def rerank(
    hits: Sequence[Hit], closeness: Sequence[float], *, k: int, now: int, weights: Weights | None = None
) -> list[Hit]:
    """The `k` best of ranked hits when a reranker has judged each one's text.

    Its judgement, scaled to [0, 1] over the hits, is one more part of the score, `closeness`; it counts
    `CLOSENESS` of what relevance counts. It does not take relevance's place: the model sees a text alone, without
    who says it of whom, when, and in answer to what.
    """
    weights = weights or Weights()
    least, most = min(closeness, default=0.0), max(closeness, default=0.0)
    share = CLOSENESS * weights.relevance / max(weights.relevance + weights.recency + weights.importance, 1e-9)
    judged = []
    for hit, close in zip(hits, closeness, strict=True):
        scaled = (close - least) / (most - least) if most > least else 1.0
        score = ((hit.score or 0.0) + share * scaled) / (1.0 + share)
        parts = None if hit.parts is None else {**hit.parts, "closeness": scaled}
        judged.append(replace(hit, score=score, parts=parts))
    judged.sort(key=lambda hit: (-(hit.score or 0.0), hit.rank or 0))
    return [replace(hit, rank=place) for place, hit in enumerate(judged[:k], start=1)]


def boost(query: Query, hit: Hit, now: int, tuning: Tuning) -> float:
    """What a hit gains for fitting the question other than by its words, in units of a match."""
    fact = hit.fact
    person = about(query, hit.speaker if fact is None else fact.subject)
    gain = tuning.person * person
    if fact is None:
        gain += tuning.length * min(1.0, len(hit.text) / tuning.long)
    else:
        answer = 0.0 if query.past and still_holds(hit, now) else tuning.answer * person
        gain += asks_for(query, fact.predicate, fact.subject) * (tuning.asked + answer)
        if (fact.polarity == "negative" and not query.denial) or fact.predicate in query.opposites:
            gain -= tuning.denied
    if query.asks_time and (tells_time(hit.text) if fact is None else fact.time_text is not None):
        gain += tuning.time
    if query.periods and any(_overlaps(hit, begin, end) for begin, end in query.periods):
        gain += tuning.period
    return gain


def _overlaps(hit: Hit, begin: int | None, end: int | None) -> bool:
    """Was it said, or true of the fact, in [begin, end)?"""
    said = hit.t_ref is not None and (begin is None or begin <= hit.t_ref) and (end is None or hit.t_ref < end)
    if said or hit.fact is None or hit.fact.valid_at is None:
        return said
    starts_before = end is None or hit.fact.valid_at < end
    ends_after = begin is None or hit.fact.valid_to is None or hit.fact.valid_to > begin
    return starts_before and ends_after


def _known(scored: Iterable[tuple[int, float]], loaded: Mapping[int, Hit]) -> list[tuple[int, float]]:
    return [(item, score) for item, score in scored if item in loaded]
