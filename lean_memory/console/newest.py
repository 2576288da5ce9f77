"""The end of a log that can only be read from a time on, oldest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, TypeVar

__all__ = ["newest"]

_Entry = TypeVar("_Entry")

_FIRST: Final = 60_000  # ms
_WIDER: Final = 8
_ALL: Final = 1 << 47  # ms; longer than there are times


def newest(read: Callable[[int | None], Iterable[_Entry]], *, now: int, wanted: int) -> list[_Entry]:
    """The last `wanted` entries, newest first.

    Widens a window that ends now until it holds enough, then narrows it until it holds few more than that, so that a
    large import some hours ago isn't read whole.

    Args:
        read: gives the entries from a time on (None: all of them), oldest first, as they are asked for.
    """

    def count(since: int) -> int:
        return sum(1 for _ in islice(read(since), 4 * wanted + 1))

    short, enough, held = now + 1, now - _FIRST, 0
    while (held := count(enough)) < wanted and now - enough < _ALL:
        short, enough = enough, now - _WIDER * (now - enough)
    while held > 4 * wanted and short - enough > 1:
        middle = (short + enough) // 2
        found = count(middle)
        if found < wanted:
            short = middle
        else:
            enough, held = middle, found
    since = enough if held >= wanted else None
    return list(deque(read(since), maxlen=wanted))[::-1]
