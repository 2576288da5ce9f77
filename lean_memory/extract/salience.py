"""How much a fact matters, 0 to 10, by fixed rules.

The predicate's own weight (identity, health and family high; purchases and films low), then:
    +2    the sentence asks to be remembered (`remember`, `important`, `don't forget`, `for the record`)
    +1    about the first person or a close relative, when the predicate is about people
    -1    about somebody without a tie to the first person
    -1    a fact that is over
    -1    hedged, reported or derived (confidence below .7)
"""

from __future__ import annotations

import re

from lean_memory.extract.reading import Reading
from lean_memory.extract.table import Predicate

__all__ = ["emphasis", "salience"]

_EMPHASIS = re.compile(
    r"\b(?:remember|important(?:ly)?|don'?t forget|never forget|for the record|keep in mind|note that"
    r"|make a note|take note|please note|reminder"
    r"|crucial|critical|must know|need to know)\b|记住|重要|别忘",
    re.IGNORECASE,
)


def emphasis(sentence: str) -> float:
    """2 when the sentence asks to be remembered, else 0."""
    return 2.0 if _EMPHASIS.search(sentence) else 0.0


def salience(predicate: Predicate, reading: Reading, speaker: str) -> float:
    """The rules above, clamped to [0, 10]."""
    value = predicate.salience + reading.weight
    if predicate.subject == "person":
        close = reading.subject == speaker or reading.subject.startswith(f"{speaker}'s ")
        value += 0.5 if close else -1.0
    if reading.ends is not None:
        value -= 1.0
    if reading.confidence < 0.7:
        value -= 1.0
    return max(0.0, min(10.0, round(value, 1)))
