"""What the rules for Chinese pass on: a phrase of the table, compiled, and a clause."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lean_memory.extract.when import Times

__all__ = ["ChineseClause", "Phrase"]


@dataclass(frozen=True, slots=True)
class Phrase:
    predicate: str
    sign: str
    kind: str
    pattern: re.Pattern[str]
    extra: tuple[tuple[str, str], ...]  # (slot, predicate) of further facts
    noun: bool = False


@dataclass(slots=True)
class ChineseClause:
    """A clause with its times blanked out by spaces: `text` has the length of the original [start, end)."""

    text: str
    start: int
    end: int
    times: Times
    raw: str = ""
