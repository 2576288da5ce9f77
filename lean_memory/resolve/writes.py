"""One episode against the state of its slots: everything that storing it will do, decided before the transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lean_memory.claims import Claim, Interval, Moved, Placed, SlotChange, SlotState, Write
from lean_memory.records import Action, Change, Episode, Fact, Receipt
from lean_memory.resolve.known import Decision
from lean_memory.resolve.ladder import Verdict, finer
from lean_memory.resolve.slots import Rules, slot_key
from lean_memory.resolve.timeline import Ending, Timeline, timeline

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
    episode: Episode,
    states: Mapping[str, SlotState],
    rules: Rules,
    *,
    at: int,
    decided: Sequence[Decision] = (),
    moved: Sequence[Moved] = (),
) -> Resolved:
    """Decides what the episode changes.

    Args:
        states: every slot of `episode_slots`, and those that `moved` leaves and comes to.
        at: the transaction time.
        decided: what was decided before of its facts (see `as_known`); it goes into the receipt and the log.
        moved: earlier claims about someone whom this episode is the first to name.
    """
    plan = _Plan(episode, rules, at, list(decided))
    by_slot = episode_slots(episode, rules)
    for key in dict.fromkeys([*by_slot, *(key for claim in moved for key in (claim.was_slot, claim.slot))]):
        plan.settle(states[key], by_slot.get(key, []), moved)
    receipt = Receipt(
        id=episode.id,
        status="stored",
        added=tuple(plan.added),
        reinforced=tuple(plan.reinforced),
        superseded=tuple(dict.fromkeys(plan.ended)),
        decisions=tuple({"fact": decision.fact, **_cause(decision)} for decision in plan.decisions),
    )
    write = Write(
        at=at, episode=episode, placed=tuple(plan.placed), moved=tuple(moved), slots=tuple(plan.slots),
        changes=tuple(plan.changes),
    )  # fmt: skip
    return Resolved(write, receipt)


@dataclass(slots=True)
class _Plan:
    """What has been decided so far, slot by slot."""

    episode: Episode
    rules: Rules
    at: int
    decisions: list[Decision]
    placed: list[Placed] = field(default_factory=list)
    slots: list[SlotChange] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    reinforced: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    def settle(self, state: SlotState, facts: Sequence[Fact], moved: Sequence[Moved]) -> None:
        """What the episode's facts of a slot, and claims moved to it or away, change there."""
        key = state.key
        leaving = {(claim.was, claim.episode): claim for claim in moved if claim.was_slot == key}
        coming = [claim for claim in moved if claim.slot == key]
        claims = [claim for claim in state.claims if (claim.fact, claim.episode) not in leaving]
        claims += [_claim(claim.fact, claim.episode, claim.said_at) for claim in coming]
        claims += [_claim(fact, self.episode.id, self.episode.t_ref) for fact in facts]
        result = timeline(claims, self.rules)
        before, after = set(state.intervals), set(result.intervals)
        self.placed.extend(Placed(fact, key) for fact in facts)
        self.slots.append(SlotChange(key, state.revision, _sorted(before - after), _sorted(after - before)))
        stored = {claim.fact for claim in state.claims}
        known = stored | {claim.fact.id for claim in coming}
        for claim in {claim.fact.id: claim for claim in coming}.values():
            self._name(claim, stored)
        for fact in dict.fromkeys(fact.id for fact in facts):
            self._say(fact, known, result)
        for interval in _sorted(before - after):
            for was, claim in ((was, claim) for (was, _), claim in leaving.items() if was == interval.fact):
                self._change("superseded", was, {"by": claim.fact.id, "route": "slot", "reason": claim.reason})
                break
        values = {claim.fact: claim.object for claim in claims}
        for interval in _sorted(after - before):
            ending = result.endings.get(interval)
            if ending is not None and interval.fact in known:
                self._end(interval.fact, ending, _contrary(interval.fact, ending, values))

    def _name(self, claim: Moved, stored: set[str]) -> None:
        """A claim comes under the name of whom it is about."""
        decision = Decision(claim.fact.id, claim.was, Verdict("same", "slot", claim.reason))
        self.decisions.append(decision)
        self._change("reinforced" if claim.fact.id in stored else "asserted", claim.fact.id, _cause(decision))

    def _say(self, fact: str, known: set[str], result: Timeline) -> None:
        """The episode says the fact."""
        (self.reinforced if fact in known else self.added).append(fact)
        if fact in known and not any(decision.fact == fact for decision in self.decisions):
            self.decisions.append(Decision(fact, fact, Verdict("same", "slot", "said again")))
        if (by := result.restated.get(fact)) is not None:
            self.decisions.append(Decision(fact, by, Verdict("coarser", "containment", "it says less of the same")))
        cause = next((_cause(decision) for decision in self.decisions if decision.fact == fact), {})
        self._change("reinforced" if fact in known else "asserted", fact, cause)

    def _end(self, fact: str, ending: Ending, decision: Decision) -> None:
        """Something known is over, and why."""
        self.ended.append(fact)
        self.decisions.append(decision)
        route, reason = decision.verdict.route, decision.verdict.reason
        cause = {"by": ending.by.fact, "said_in": ending.by.episode, "route": route, "reason": reason}
        self._change(ending.action, fact, cause)

    def _change(self, action: Action, fact: str, cause: Mapping[str, Any]) -> None:
        self.changes.append(Change(at=self.at, action=action, fact=fact, episode=self.episode.id, cause=cause))


def _claim(fact: Fact, episode: str, said_at: int) -> Claim:
    return Claim(
        fact=fact.id, object=fact.object, polarity=fact.polarity, predicate=fact.predicate, episode=episode,
        said_at=said_at, valid_at=fact.valid_at, valid_to=fact.valid_to, cue=fact.cue, time_text=fact.time_text,
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


def _sorted(intervals: set[Interval]) -> tuple[Interval, ...]:
    return tuple(sorted(intervals, key=lambda i: (i.fact, i.valid_at is not None, i.valid_at or 0, i.valid_to or 0)))
