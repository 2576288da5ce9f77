"""Facts that say the same word for word: what the proposition's id could not see to be one.

Two facts are exact duplicates when they are about the same subject with the same polarity, and either their predicate
and value are the same but for enclosing quotation marks and a final full stop or comma, or their sentences are.
Events are also of one time: two visits are two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final

from lean_memory.names import name_key
from lean_memory.upkeep import Retirement, Standing

__all__ = ["retirements", "survivor_rank", "value_key"]

_FINAL: Final = ".,;:"
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "`": "`"}


def value_key(text: str) -> str:
    """`name_key` without enclosing quotation marks and final punctuation: `“jazz”.` is `jazz`. `Yahoo!` stays."""
    key = name_key(text)
    while True:
        shorter = key.rstrip(_FINAL)
        if len(shorter) > 2 and _QUOTES.get(shorter[0]) == shorter[-1]:
            shorter = shorter[1:-1].strip()
        if not shorter or shorter == key:
            return key
        key = shorter


def survivor_rank(fact: Standing) -> tuple[object, ...]:
    """The order in which facts may stand for others: pinned, known longest, most salient, said most often."""
    known = fact.since is not None
    return (not fact.pinned, known, fact.since or 0, -fact.salience, -fact.claims, fact.recorded_at, fact.id)


def retirements(facts: Iterable[Standing], *, is_event: Callable[[str], bool]) -> list[Retirement]:
    """Which duplicates to retire into which survivor; every survivor stays. In a fixed order."""
    found = []
    for cluster in _clusters([fact for fact in facts if not (fact.proposed or fact.summary)], is_event):
        first, *others = sorted(cluster, key=survivor_rank)
        found += [
            Retirement(fact=other.id, text=other.text, revision=other.revision, into=first.id)
            for other in others
            if not other.pinned
        ]
    return sorted(found, key=lambda retirement: retirement.fact)


def _clusters(facts: Sequence[Standing], is_event: Callable[[str], bool]) -> Iterator[list[Standing]]:
    """Facts linked by a shared key, directly or through others, two at least."""
    by_key: dict[Hashable, list[int]] = defaultdict(list)
    for index, fact in enumerate(facts):
        when = fact.since if is_event(fact.predicate) else None
        by_key["value", fact.subject, fact.polarity, fact.predicate, value_key(fact.object), when].append(index)
        by_key["text", fact.subject, fact.polarity, value_key(fact.text), when].append(index)
    leader = list(range(len(facts)))

    def find(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    linked = set()
    for same in by_key.values():
        for other in same[1:]:
            leader[find(other)] = find(same[0])
            linked |= {same[0], other}
    clusters: dict[int, list[Standing]] = defaultdict(list)
    for index in sorted(linked):
        clusters[find(index)].append(facts[index])
    yield from clusters.values()
