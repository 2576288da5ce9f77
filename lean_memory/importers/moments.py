"""When the notes of one input were said."""

from __future__ import annotations

from typing import Final

__all__ = ["LATEST", "Moments"]

LATEST: Final = 253_370_764_800_000  # the year 9999: later times leave no room for zones


class Moments:
    """Gives each note its time: what the input says, else right after the note before.

    Notes of one stamp (a chat's minute, a diary's day) are a millisecond apart in the order of the input, so that
    the later line counts as said later, and reading the same input again gives the same times.
    """

    def __init__(self, start: int) -> None:
        self._next = start
        self._stamp: int | None = None

    def at(self, stamp: int | None) -> int:
        """The note's time, in milliseconds since the epoch."""
        if stamp is not None and stamp != self._stamp:
            self._stamp = self._next = stamp
        self._next += 1
        return self._next - 1
