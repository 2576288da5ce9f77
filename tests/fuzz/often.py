"""How often a law is tried: a share of what the profile says, so that `just fuzz-input` tries all of them more."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["often"]


def often(share: float) -> settings:
    """`share` 1 is a hundred times in the tests of every day."""
    return settings(max_examples=max(1, round(share * settings.default.max_examples)))
