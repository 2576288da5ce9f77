"""Facts that say nearly the same, for a person to judge.

Two facts about one subject and predicate are near when their values share most words, or share half of them and their
vectors are close, or when one is told of a role and the other of the person who has it. Never when they differ in
a number, a date, a name, a negation or a word that turns the meaning: there likeness says nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lean_memory.maintain.duplicates import survivor_rank, value_key
from lean_memory.maintain.policy import Policy
from lean_memory.upkeep import Standing
from lean_memory.words import STOP_WORDS, tokens

__all__ = ["Cosines", "Merge", "merges", "pairs"]

Cosines = Callable[[Sequence[tuple[str, str]]], Sequence["float | None"]]
"""The cosine of each pair of facts (by id); None where one has no vector."""

_COMMON: Final = 64
"""A word that more values of one group hold links none of them: it would link all."""

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_TURNS: Final = frozenset(
    """no not never none non without anti un nor neither nobody nothing hardly except but less more least most fewer
    only before after early late earlier later left right up down in out on off old new north south east west first
    last with against for over under high low hot cold big small large little true false open closed
    morning noon afternoon evening night hourly daily weekly monthly yearly
    mother father brother sister son daughter wife husband uncle aunt nephew niece boy girl man woman men women
    buy sell buying selling start stop starting stopping
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter double
    once twice second third fourth fifth sixth seventh eighth ninth tenth
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter
    monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday""".split()
)
"""Words that turn a value into another one: negations, numbers, dates, opposites, people by what they are."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A survivor, what would be retired into it, and the evidence for the loosest of them."""

    survivor: Standing
    duplicates: tuple[Standing, ...]
    evidence: Mapping[str, float | str]


@dataclass(frozen=True, slots=True)
class _Pair:
    one: Standing
    other: Standing
    overlap: float
    why: str


def merges(facts: Sequence[Standing], roles: Mapping[str, str], cosines: Cosines, policy: Policy) -> list[Merge]:
    """The merges to propose, surest first.

    Args:
        facts: those that may be touched.
        roles: `name_key` of a role -> that of the one person who has it.
    """
    found = pairs(facts, roles, policy)
    near: dict[str, dict[str, tuple[_Pair, float | None]]] = defaultdict(dict)
    for pair, cosine in zip(found, cosines([(pair.one.id, pair.other.id) for pair in found]), strict=True):
        if pair.why == "another name" or pair.overlap >= policy.overlap or (cosine or 0.0) >= policy.cosine:
            near[pair.one.id][pair.other.id] = near[pair.other.id][pair.one.id] = (pair, cosine)
    by_id = {fact.id: fact for fact in facts}
    taken: set[str] = set()
    result = []
    for survivor in sorted((by_id[id] for id in near), key=lambda fact: (fact.subject in roles, survivor_rank(fact))):
        if survivor.id in taken:
            continue
        joined = sorted(id for id in near[survivor.id] if id not in taken and not by_id[id].pinned)
        if joined:
            taken |= {survivor.id, *joined}
            result.append(
                Merge(survivor, tuple(by_id[id] for id in joined), _evidence([near[survivor.id][id] for id in joined]))
            )
    return sorted(result, key=lambda merge: (-float(merge.evidence["overlap"]), merge.survivor.id))


def pairs(facts: Sequence[Standing], roles: Mapping[str, str], policy: Policy) -> list[_Pair]:
    """Every pair that could be near, by words alone, in a fixed order."""
    groups: dict[tuple[str, str, str], list[Standing]] = defaultdict(list)
    for fact in facts:
        groups[roles.get(fact.subject, fact.subject), fact.predicate, fact.polarity].append(fact)
    return [pair for _, group in sorted(groups.items()) if len(group) > 1 for pair in _within(group)]


def _within(group: Sequence[Standing]) -> Iterator[_Pair]:
    words = {fact.id: frozenset(tokens(fact.object)) - STOP_WORDS for fact in group}
    for one, other in _sharing(sorted(group, key=lambda fact: fact.id), words):
        if one.subject != other.subject:  # a role, and who has it
            if value_key(one.object) == value_key(other.object):
                yield _Pair(one, other, 1.0, "another name")
            continue
        ours, theirs = words[one.id], words[other.id]
        overlap = len(ours & theirs) / len(ours | theirs)
        if overlap >= 0.5 and not _tells_apart(one.object, other.object, ours ^ theirs):
            yield _Pair(one, other, overlap, "nearly the same words")


def _sharing(group: Sequence[Standing], words: Mapping[str, frozenset[str]]) -> Iterator[tuple[Standing, Standing]]:
    """Pairs that share a word that is not common in the group."""
    holding: dict[str, list[int]] = defaultdict(list)
    for index, fact in enumerate(group):
        for word in words[fact.id]:
            holding[word].append(index)
    seen: set[tuple[int, int]] = set()
    for _, indices in sorted(holding.items()):
        if len(indices) <= _COMMON:
            seen |= {(one, other) for place, one in enumerate(indices) for other in indices[place + 1 :]}
    for one, other in sorted(seen):
        yield group[one], group[other]


def _tells_apart(one: str, other: str, different: Iterable[str]) -> bool:
    """Whether what only one of two values says is a number, a name, or a word that turns the meaning. Of scripts
    without capitals any difference could be a name.

    Args:
        different: the tokens that one of them has and the other lacks.
    """
    different = set(different)
    if _sharp(one) != _sharp(other) or any(char.isdigit() for word in different for char in word):
        return True
    if any(char.isalpha() and char.lower() == char.upper() for word in different for char in word):
        return True
    return any(
        not word.islower() and not different.isdisjoint(tokens(word)) for word in _WORD.findall(f"{one} {other}")
    )


def _sharp(text: str) -> list[str]:
    """The numbers, and the words that turn a meaning, in order of the alphabet."""
    words = (word.casefold() for word in _WORD.findall(text))
    return sorted(word for word in words if word in _TURNS or word.endswith("n't") or any(c.isdigit() for c in word))


def _evidence(near: Sequence[tuple[_Pair, float | None]]) -> dict[str, float | str]:
    """Of the loosest pair."""
    pair, cosine = min(near, key=lambda found: found[0].overlap)
    evidence: dict[str, float | str] = {"why": pair.why, "overlap": round(pair.overlap, 3)}
    if cosine is not None:
        evidence["cosine"] = round(cosine, 3)
    return evidence
