"""What is different between two moments: state(first) + difference = state(second)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lean_memory.claims import Claim, Interval, SlotState
from lean_memory.records import Difference, Fact, Hit
from lean_memory.resolve.slots import Rules
from lean_memory.resolve.timeline import timeline

__all__ = ["apply", "difference", "why_ended"]


def difference(
    first: Iterable[Hit], second: Iterable[Hit], ended: Mapping[Interval, tuple[str, Claim]], demoted: frozenset[str]
) -> list[Difference]:
    """The facts that only one of two views shows, in the interval it shows them: first what is gone, then what is new.

    Args:
        ended: why intervals ended: the action and the claim that did it (see `why_ended`).
        demoted: ids of facts that maintenance moved out of sight.
    """
    before, after = _by_interval(first), _by_interval(second)
    found = []
    for interval, hit in before.items():
        if interval in after or hit.fact is None:
            continue
        action, claim = ended.get(interval, (None, None))
        if claim is not None and claim.fact == interval.fact and action == "retracted":
            action = "ended"
        found.append(
            Difference(
                action=action or ("demoted" if interval.fact in demoted else "revised"),  # type: ignore[arg-type]
                fact=hit.fact,
                by=claim.fact if claim is not None and claim.fact != interval.fact else None,
                episode=claim.episode if claim is not None else hit.episode,
            )
        )
    for interval, hit in after.items():
        if interval not in before and hit.fact is not None:
            found.append(Difference(action="added", fact=hit.fact, episode=hit.episode, quote=hit.fact.quote))
    return found


def apply(first: Iterable[Hit], differences: Iterable[Difference]) -> set[Interval]:
    """The state that the differences lead to from the first one."""
    state = set(_by_interval(first))
    for entry in differences:
        interval = _interval(entry.fact)
        state = state | {interval} if entry.action == "added" else state - {interval}
    return state


def why_ended(state: SlotState, rules: Rules) -> dict[Interval, tuple[str, Claim]]:
    """For every interval of a slot that has ended, what happened and the claim that did it."""
    return {interval: (ending.action, ending.by) for interval, ending in timeline(state.claims, rules).endings.items()}


def _by_interval(hits: Iterable[Hit]) -> dict[Interval, Hit]:
    return {_interval(hit.fact): hit for hit in hits if hit.fact is not None}


def _interval(fact: Fact) -> Interval:
    return Interval(fact.id, fact.valid_at, fact.valid_to)
