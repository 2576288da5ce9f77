"""The thresholds of maintenance, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Final

from lean_memory.names import content_id

__all__ = ["DAY", "Policy", "due"]

DAY: Final = 86_400_000  # ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """When a run is due, what it may do by itself, and what it proposes. Days and salience (0 to 10) are as told.

    By itself it evicts what is below `strict_salience`, was never used and last said more than `strict_days` ago; what
    is worth less than `threshold` (see `value`) is proposed. Nothing of `kept_salience` or more, nor said within
    `young_days`, is evicted or summarised. Facts are near by `overlap` of their words, or half of it and `cosine`.
    Summaries are of `cluster` to `longest` facts, each older than `old_days`. No more than `budget` proposals wait at a
    time: a person must be able to read them.
    """

    strict_salience: float = 2.0
    strict_days: int = 180
    threshold: float = 0.2
    kept_salience: float = 6.0
    young_days: int = 90
    half_life: float = 180.0
    cosine: float = 0.9
    overlap: float = 0.6
    old_days: int = 180
    cluster: int = 5
    longest: int = 8
    budget: int = 50
    expiry_days: int = 30
    due_facts: int = 200
    due_salience: float = 300.0
    due_days: int = 7

    def hash(self) -> str:
        """Names the configuration in the ledger of runs."""
        return content_id("policy", *astuple(self))[:12]


def due(since: Mapping[str, float], policy: Policy, *, ran: bool) -> list[str]:
    """Why a run is due, in words; empty if it is not.

    Args:
        since: `facts`, `salience` and `days` since the last run.
        ran: whether there was one.
    """
    if not ran:
        return ["it never ran"]
    reasons = []
    if since["facts"] >= policy.due_facts:
        reasons.append(f"{since['facts']:.0f} new facts")
    if since["salience"] >= policy.due_salience:
        reasons.append(f"new facts of salience {since['salience']:.0f} in all")
    if since["days"] >= policy.due_days and since["facts"]:
        reasons.append(f"{since['days']:.0f} days since the last run")
    return reasons
