"""What stands beside a text lends it relevance: a short answer says little without its question.

An episode's own match is raised by a share of the turn before it and of the turn after it. A question's share in
the turn after it is larger, as an answer seldom repeats the question's words; and the question itself counts a
little less, as it asks for what others state. Long turns stand for themselves, and lend little. A session that
matches as a whole raises each of its turns, and so does one whose turns hold what is asked between them: one names
the matter, another the answer. And a fact is judged with the episode that it was drawn from.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

from lean_memory.records import Hit
from lean_memory.retrieve.tuning import Tuning
from lean_memory.words import held_terms

__all__ = ["Neighbours", "with_neighbours", "with_sessions", "with_sources"]

Neighbours = Mapping[int, tuple[int | None, int | None]]
"""An episode's item -> the items of the turns before and after it in its session. Enough for the candidates: what
it says of theirs is known of the neighbours themselves."""

_TOP: Final = 3  # turns of a session that speak for it
_READ: Final = 100  # the best episodes, whose words are looked at
_ELSEWHERE: Final = 0.5


def with_neighbours(
    match: Mapping[int, float], hits: Mapping[int, Hit], neighbours: Neighbours, tuning: Tuning
) -> dict[int, float]:
    """Every item's match, an episode's with the shares of its neighbours. `match` holds 0 for what is not there."""
    before, after = _sides(neighbours)
    raised = dict(match)
    for item, hit in hits.items():
        if hit.kind != "episode":
            continue
        own = match.get(item, 0.0) * (tuning.question if _is_question(hit) else 1.0)
        brief = _brevity(hit, tuning.long)
        if (asked := before.get(item)) is not None and asked in hits:
            share = tuning.answers if _is_question(hits[asked]) else tuning.before
            own += share * brief * _brevity(hits[asked], tuning.long) * match.get(asked, 0.0)
        if (reply := after.get(item)) is not None and reply in hits:
            own += tuning.after * brief * _brevity(hits[reply], tuning.long) * match.get(reply, 0.0)
        raised[item] = own
    return raised


def _sides(neighbours: Neighbours) -> tuple[dict[int, int], dict[int, int]]:
    """Item -> the turn before it, and item -> the turn after it. What is said of one turn says it of the other too."""
    before: dict[int, int] = {}
    after: dict[int, int] = {}
    for item, (previous, following) in neighbours.items():
        if previous is not None:
            before[item], after[previous] = previous, item
        if following is not None:
            after[item], before[following] = following, item
    return before, after


def with_sessions(
    scores: Mapping[int, float], hits: Mapping[int, Hit], terms: frozenset[str], tuning: Tuning
) -> dict[int, float]:
    """Each score raised by its session: by a share of the mean of the three best there, and by how much of what is
    asked (`terms`) these hold between them."""
    sessions: dict[str, list[float]] = defaultdict(list)
    for item, score in scores.items():
        if (session := hits[item].session) is not None:
            sessions[session].append(score)
    covered = _covered(scores, hits, terms)
    bonus = {
        session: tuning.session * sum(sorted(found, reverse=True)[:_TOP]) / min(_TOP, len(found))
        + tuning.covered * covered.get(session, 0.0)
        for session, found in sessions.items()
    }
    return {item: score + bonus.get(hits[item].session or "", 0.0) for item, score in scores.items()}


def _covered(scores: Mapping[int, float], hits: Mapping[int, Hit], terms: frozenset[str]) -> dict[str, float]:
    """Of each session the share of the terms that its three best turns hold, in [0, 1].

    A term weighs ln(1 + N / n), where n of the N best episodes hold it; one that none holds weighs nothing.
    """
    episodes = [item for item, hit in hits.items() if hit.kind == "episode" and scores[item] > 0.0]
    best = sorted(episodes, key=lambda item: -scores[item])[:_READ]
    holds = {item: held_terms(hits[item].text, terms) for item in best}
    counts = Counter(term for found in holds.values() for term in found)
    weights = {term: math.log1p(len(best) / count) for term, count in counts.items()}
    together: dict[str, set[str]] = defaultdict(set)
    turns: Counter[str] = Counter()
    for item in best:
        if (session := hits[item].session) is not None and turns[session] < _TOP:
            turns[session] += 1
            together[session] |= holds[item]
    return {
        session: math.fsum(weights[term] for term in found) / math.fsum(weights.values())
        for session, found in together.items()
        if found
    }


def with_sources(scores: Mapping[int, float], hits: Mapping[int, Hit], share: float) -> dict[int, float]:
    """Each fact's score averaged with that of the episode it was drawn from, as far as `share` says.

    A fact's few words match easily; that the words it was drawn from match as well tells the right one. A fact whose
    episode is no candidate is taken to be drawn from `_ELSEWHERE` as good a one.
    """
    episodes = {hit.id: scores[item] for item, hit in hits.items() if hit.fact is None}
    return {
        item: score
        if (fact := hits[item]).fact is None
        else (1 - share) * score + share * episodes.get(fact.episode or "", _ELSEWHERE * score)
        for item, score in scores.items()
    }


def _brevity(hit: Hit, long: int) -> float:
    return min(1.0, long / max(1, len(hit.text)))


def _is_question(hit: Hit) -> bool:
    return hit.kind == "episode" and hit.text.rstrip(" \n\"')”’»]*").endswith(("?", "？", "؟"))
