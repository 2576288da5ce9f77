"""What a fact is worth: 0.5 salience + 0.3 recency + 0.2 use, in [0, 1]."""

from __future__ import annotations

from typing import Final

from lean_memory.maintain.policy import DAY, Policy

__all__ = ["age_days", "parts", "value"]

_SALIENCE: Final = 0.5
_RECENCY: Final = 0.3
_USE: Final = 0.2
_HALF: Final = 3  # hits at which use is one half


def age_days(said_at: int, now: int) -> float:
    """Days since it was last said."""
    return max(0, now - said_at) / DAY


def parts(salience: float, said_at: int, hits: int, *, now: int, policy: Policy) -> dict[str, float]:
    """The three parts, each in [0, 1]: salience of 10; recency, which halves in `policy.half_life` days since the fact
    was last said; use, hits / (hits + 3)."""
    return {
        "salience": salience / 10.0,
        "recency": 0.5 ** (age_days(said_at, now) / policy.half_life),
        "use": hits / (hits + _HALF),
    }


def value(salience: float, said_at: int, hits: int, *, now: int, policy: Policy) -> float:
    """The weighted sum of the parts."""
    part = parts(salience, said_at, hits, now=now, policy=policy)
    return _SALIENCE * part["salience"] + _RECENCY * part["recency"] + _USE * part["use"]
