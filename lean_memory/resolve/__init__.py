"""What is true, and since when: facts against what is known. Pure."""

from __future__ import annotations

from lean_memory.resolve.diff import apply, difference, why_ended
from lean_memory.resolve.entities import moved, newly_named, with_names
from lean_memory.resolve.known import Alike, Decision, Model, as_known
from lean_memory.resolve.slots import PredicateRule, Rules, slot_key
from lean_memory.resolve.timeline import Ending, Timeline, timeline
from lean_memory.resolve.writes import Resolved, episode_slots, plan_write

__all__ = [
    "Alike",
    "Decision",
    "Ending",
    "Model",
    "PredicateRule",
    "Resolved",
    "Rules",
    "Timeline",
    "apply",
    "as_known",
    "difference",
    "episode_slots",
    "moved",
    "newly_named",
    "plan_write",
    "slot_key",
    "timeline",
    "why_ended",
    "with_names",
]
