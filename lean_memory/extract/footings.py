"""Lists that are told what they are at their end: `two cats and a newt: those are my pets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.headings import read_heading
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token
from lean_memory.extract.turn import Turn

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["read_footing"]

_POINTING = frozenset("those these they that this it".split())
_ALL = frozenset("all both just basically still now currently".split())
_OWNERS = frozenset("my our his her their the".split())


def read_footing(english: English, turn: Turn, toks: list[Token]) -> list[Reading] | None:
    """The list read under its footing as it would be under the same words as its head; None when there is none."""
    for i in range(2, len(toks) - 3):
        if toks[i].low not in (":", "—", "-", ";", ".", ",") or toks[i + 1].low not in _POINTING:
            continue
        if toks[i + 2].low not in ("are", "is", "'s"):
            continue
        a = i + 3
        while a < len(toks) - 1 and toks[a].low in _ALL:
            a += 1
        stop = next((k for k in range(a, len(toks)) if toks[k].kind == "p"), len(toks))
        if toks[a].low not in _OWNERS or not 1 < stop - a <= 4 or any(t.low in ("i", "we", "you") for t in toks[:i]):
            return None
        colon = Token(":", ":", toks[i].start, toks[i].end, "p")
        return read_heading(english, turn, [*toks[a:stop], colon, *toks[:i]]) or None
    return None
