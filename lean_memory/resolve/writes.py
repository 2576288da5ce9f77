"""One episode against the state of its slots: everything that storing it will do, decided before the transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lean_memory.claims import Claim, Interval, Placed, SlotChange, SlotState, Write
from lean_memory.records import Change, Episode, Fact, Receipt
from lean_memory.resolve.known import Decision
from lean_memory.resolve.ladder import Verdict, finer
from lean_memory.resolve.slots import Rules, slot_key
from lean_memory.resolve.timeline import Ending, timeline

__all__ = ["Resolved", "episode_slots", "plan_write"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The write to commit, and the receipt to give once it is."""

    write: Write
    receipt: Receipt


def episode_slots(episode: Episode, rules: Rules) -> dict[str, list[Fact]]:
    """The episode's facts by the slot they belong to, in order of first mention."""
    slots: dict[str, list[Fact]] = {}
    for fact in episode.facts:
        slots.setdefault(slot_key(rules, fact.subject, fact.predicate, fact.object), []).append(fact)
    return slots


def plan_write(
    episode: Episode, states: Mapping[str, SlotState], rules: Rules, *, at: int, decided: Sequence[Decision] = ()
) -> Resolved:
    """Decides what the episode changes.

    Args:
        states: every slot of `episode_slots`.
        at: the transaction time.
        decided: what was decided before of its facts (see `as_known`); it goes into the receipt and the log.
    """
    decisions = list(decided)
    placed: list[Placed] = []
    slots: list[SlotChange] = []
    changes: list[Change] = []
    added: list[str] = []
    reinforced: list[str] = []
    ended: list[str] = []
    for key, facts in episode_slots(episode, rules).items():
        state = states[key]
        placed.extend(Placed(fact, key) for fact in facts)
        result = timeline((*state.claims, *(_claim(fact, episode) for fact in facts)), rules)
        before, after = set(state.intervals), set(result.intervals)
        slots.append(SlotChange(key, state.revision, _sorted(before - after), _sorted(after - before)))
        known = {claim.fact for claim in state.claims}
        values = {claim.fact: claim.object for claim in state.claims} | {fact.id: fact.object for fact in facts}
        for fact in dict.fromkeys(fact.id for fact in facts):
            (reinforced if fact in known else added).append(fact)
            if fact in known and not any(decision.fact == fact for decision in decisions):
                decisions.append(Decision(fact, fact, Verdict("same", "slot", "said again")))
            if (by := result.restated.get(fact)) is not None:
                decisions.append(Decision(fact, by, Verdict("coarser", "containment", "it says less of the same")))
            cause = next((_cause(decision) for decision in decisions if decision.fact == fact), {})
            action: Literal["reinforced", "asserted"] = "reinforced" if fact in known else "asserted"
            changes.append(Change(at=at, action=action, fact=fact, episode=episode.id, cause=cause))
        for interval in _sorted(after - before):
            ending = result.endings.get(interval)
            if ending is not None and interval.fact in known:
                ended.append(interval.fact)
                decision = _contrary(interval.fact, ending, values)
                decisions.append(decision)
                changes.append(_ended(interval, ending, decision, episode, at))
    receipt = Receipt(
        id=episode.id,
        status="stored",
        added=tuple(added),
        reinforced=tuple(reinforced),
        superseded=tuple(dict.fromkeys(ended)),
        decisions=tuple({"fact": decision.fact, **_cause(decision)} for decision in decisions),
    )
    return Resolved(
        Write(at=at, episode=episode, placed=tuple(placed), slots=tuple(slots), changes=tuple(changes)), receipt
    )


def _claim(fact: Fact, episode: Episode) -> Claim:
    return Claim(
        fact=fact.id, object=fact.object, polarity=fact.polarity, predicate=fact.predicate, episode=episode.id,
        said_at=episode.t_ref, valid_at=fact.valid_at, valid_to=fact.valid_to, cue=fact.cue, time_text=fact.time_text,
    )  # fmt: skip


def _contrary(fact: str, ending: Ending, values: Mapping[str, str]) -> Decision:
    """What the ending of a known fact says of the fact that ended it."""
    by = ending.by
    if by.fact == fact:
        return Decision(fact, fact, Verdict("contrary", "slot", "said to be over"))
    if by.polarity == "positive" and finer(by.object, values.get(fact, "")):
        return Decision(by.fact, fact, Verdict("finer", "containment", "it says more of the same"))
    return Decision(by.fact, fact, Verdict("contrary", "slot", f"{ending.action}: both can't hold at a time"))


def _cause(decision: Decision) -> dict[str, Any]:
    verdict = decision.verdict
    told = {"known": decision.known, "relation": verdict.relation, "route": verdict.route, "reason": verdict.reason}
    return told if verdict.similarity is None else {**told, "similarity": round(verdict.similarity, 4)}


def _ended(interval: Interval, ending: Ending, decision: Decision, episode: Episode, at: int) -> Change:
    verdict = decision.verdict
    cause = {"by": ending.by.fact, "said_in": ending.by.episode, "route": verdict.route, "reason": verdict.reason}
    return Change(at=at, action=ending.action, fact=interval.fact, episode=episode.id, cause=cause)


def _sorted(intervals: set[Interval]) -> tuple[Interval, ...]:
    return tuple(sorted(intervals, key=lambda i: (i.fact, i.valid_at is not None, i.valid_at or 0, i.valid_to or 0)))
