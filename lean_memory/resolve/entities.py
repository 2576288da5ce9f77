"""Whom a fact is about, when the words name a role: `my sister` is Anna once some episode has said so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lean_memory.claims import Moved
from lean_memory.names import name_key
from lean_memory.records import Claimed, Episode, Fact, fact_id
from lean_memory.resolve.slots import Rules, slot_key

__all__ = ["moved", "newly_named", "with_names"]


def with_names(episode: Episode, known: Mapping[str, Sequence[str]]) -> Episode:
    """The episode with its facts about a role put to the one person who has it.

    Args:
        known: `name_key` of a role -> the names that episodes gave it. A role that two people have (two sisters)
            names neither, so its facts stay as they were said.
    """
    named = {name_key(role): name for role, name in episode.aliases.items()}
    return replace(episode, facts=tuple(_named(fact, known, named) for fact in episode.facts))


def _named(fact: Fact, known: Mapping[str, Sequence[str]], named: Mapping[str, str]) -> Fact:
    role = name_key(fact.subject)
    names = {name_key(name): name for name in [*known.get(role, ()), *([named[role]] if role in named else [])]}
    if len(names) != 1:
        return fact
    [name] = names.values()
    return replace(fact, id=fact_id(name, fact.predicate, fact.object, fact.polarity), subject=name)


def newly_named(episode: Episode, known: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Role -> name, of the roles that this episode is the first to name. `known` as of `with_names`."""
    return {role: name for role, name in episode.aliases.items() if not known.get(name_key(role))}


def moved(claims: Sequence[Claimed], name: str, rules: Rules) -> list[Moved]:
    """What was said of someone while only a role was known, as claims on the one who has it by that name."""
    found = []
    for claimed in claims:
        was = claimed.fact
        named = replace(was, id=fact_id(name, was.predicate, was.object, was.polarity), subject=name)
        found.append(
            Moved(
                fact=named,
                slot=slot_key(rules, name, was.predicate, was.object),
                was=was.id,
                was_slot=slot_key(rules, was.subject, was.predicate, was.object),
                episode=claimed.episode,
                said_at=claimed.t_ref,
                reason=f"{was.subject} is {name}",
            )
        )
    return found
