"""What a sentence was read to say, before it becomes a record."""

from __future__ import annotations

from dataclasses import dataclass

from lean_memory.records import Cue

__all__ = ["Reading"]


@dataclass(slots=True)
class Reading:
    """One proposition with world time in epoch milliseconds; [start, end) is the clause that says it.

    `starts` None with `ends` set: over, and nobody said since when.
    """

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    negative: bool = False
    starts: int | None = None
    ends: int | None = None
    confidence: float = 0.9
    cue: Cue | None = None
    time_text: str | None = None
    grain: str | None = None
    derived: bool = False
    past: bool = False
    weight: float = 0.0  # what the sentence adds to the salience
    text: str | None = None  # the standalone sentence, where the language gives it; else the predicate's template
    route: str = "rules"  # which pass read it
