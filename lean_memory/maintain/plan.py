"""The plan of a run: what it does by itself, and what it proposes within its budget.

A fact is touched once: what is retired or evicted is not proposed, and a fact has one proposal at a time. The order
is fixed, so that a run which was cut and begun again ends where an uninterrupted one does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from lean_memory.maintain.duplicates import retirements
from lean_memory.maintain.policy import Policy
from lean_memory.maintain.similar import Cosines, merges
from lean_memory.maintain.summaries import clusters
from lean_memory.maintain.value import age_days, parts, value
from lean_memory.names import content_id
from lean_memory.upkeep import Draft, Eviction, Plan, ProposalKind, Standing

__all__ = ["make_plan"]


class Predicates(Protocol):
    """What the plan asks of the predicate table (see `resolve.Rules`)."""

    def is_event(self, predicate: str) -> bool: ...
    def single(self, predicate: str) -> bool: ...


def make_plan(
    facts: Sequence[Standing],
    *,
    now: int,
    policy: Policy,
    rules: Predicates,
    roles: Mapping[str, str],
    cosines: Cosines,
    declined: Collection[tuple[ProposalKind, frozenset[str]]] = (),
    staged: Collection[str] = (),
    budget: int | None = None,
) -> Plan:
    """What to do with the facts that stand.

    Args:
        roles: `name_key` of a role -> that of the one person who has it.
        cosines: the store's; asked once.
        declined: what a person decided to keep as it is: kind and facts.
        staged: ids of proposals that were made before, in any state.
        budget: how many proposals, at most; the policy's by default. A run has what those that wait leave of it.
    """
    retired = retirements(facts, is_event=rules.is_event)
    survivors = {retirement.into for retirement in retired}
    gone = {retirement.fact for retirement in retired}
    evicted = [
        Eviction(fact=fact.id, text=fact.text, revision=fact.revision, value=_worth(fact, now, policy))
        for fact in sorted(facts, key=lambda fact: fact.id)
        if fact.id not in gone and fact.id not in survivors and _strict(fact, now, policy)
    ]
    gone |= {eviction.fact for eviction in evicted}
    free = [fact for fact in facts if fact.id not in gone and not (fact.proposed or fact.summary)]
    proposed = _Drafts(declined, staged)
    for merge in merges(free, roles, cosines, policy):
        ids = [fact.id for fact in merge.duplicates]
        proposed.add(
            "merge", [merge.survivor, *merge.duplicates], {"survivor": merge.survivor.id, "duplicates": ids},
            merge.evidence,
        )  # fmt: skip
    free = [fact for fact in free if not fact.pinned]
    for cluster in clusters(proposed.untouched(free), single=rules.single, now=now, policy=policy):
        payload = {"text": cluster.text, "object": cluster.object, "sources": [fact.id for fact in cluster.facts]}
        proposed.add("summary", cluster.facts, payload, _cluster_evidence(cluster.facts, now, policy))
    unworthy = sorted((_worth(fact, now, policy), fact.id, fact) for fact in proposed.untouched(free))
    for worth, _, fact in unworthy:
        if worth < policy.threshold and _evictable(fact, now, policy):
            proposed.add("eviction", [fact], {"facts": [fact.id]}, _evidence(fact, worth, now, policy))
    room = max(0, policy.budget if budget is None else budget)
    drafts = proposed.drafts
    return Plan(
        retirements=tuple(retired),
        evictions=tuple(evicted),
        drafts=tuple(drafts[:room]),
        deferred=max(0, len(drafts) - room),
    )


class _Drafts:
    """The proposals so far; a fact is in one of them at most, and what was declined or staged is not drafted."""

    def __init__(self, declined: Collection[tuple[ProposalKind, frozenset[str]]], staged: Collection[str]) -> None:
        self._declined = declined
        self._staged = staged
        self._touched: set[str] = set()
        self.drafts: list[Draft] = []

    def add(
        self,
        kind: ProposalKind,
        facts: Sequence[Standing],
        payload: Mapping[str, object],
        evidence: Mapping[str, float | str],
    ) -> None:
        targets = tuple((fact.id, fact.revision) for fact in facts)
        id = content_id("proposal", kind, *sorted(targets))
        if id in self._staged or (kind, frozenset(fact.id for fact in facts)) in self._declined:
            return
        self._touched |= {fact.id for fact in facts}
        self.drafts.append(
            Draft(id=id, kind=kind, entity=facts[0].name, targets=targets, payload=payload, evidence=evidence)
        )

    def untouched(self, facts: Sequence[Standing]) -> list[Standing]:
        return [fact for fact in facts if fact.id not in self._touched]


def _worth(fact: Standing, now: int, policy: Policy) -> float:
    return round(value(fact.salience, fact.said_at, fact.hits, now=now, policy=policy), 4)


def _evictable(fact: Standing, now: int, policy: Policy) -> bool:
    """The guards: nothing that matters, is young, is a summary, waits for a decision or was promoted."""
    return not (
        fact.salience >= policy.kept_salience
        or age_days(fact.said_at, now) < policy.young_days
        or fact.summary
        or fact.proposed
        or fact.pinned
    )


def _strict(fact: Standing, now: int, policy: Policy) -> bool:
    return (
        fact.salience < policy.strict_salience
        and fact.hits == 0
        and age_days(fact.said_at, now) > policy.strict_days
        and _evictable(fact, now, policy)
    )


def _evidence(fact: Standing, worth: float, now: int, policy: Policy) -> dict[str, float | str]:
    part = parts(fact.salience, fact.said_at, fact.hits, now=now, policy=policy)
    return {
        "value": worth,
        **{name: round(number, 4) for name, number in part.items()},
        "age_days": round(age_days(fact.said_at, now)),
        "hits": fact.hits,
        "claims": fact.claims,
    }


def _cluster_evidence(facts: Sequence[Standing], now: int, policy: Policy) -> dict[str, float | str]:
    worths = [_worth(fact, now, policy) for fact in facts]
    ages = [round(age_days(fact.said_at, now)) for fact in facts]
    return {
        "facts": len(facts),
        "value_min": min(worths),
        "value_max": max(worths),
        "youngest_days": min(ages),
        "oldest_days": max(ages),
        "written_by": "extraction",
    }
