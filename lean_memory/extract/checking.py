"""Is what a model says borne out by the text? Pure; every refusal has a name, so that it can be counted."""

from __future__ import annotations

import re
from datetime import tzinfo

from lean_memory.extract.candidates import fact_of, owner_of, timed
from lean_memory.extract.frames import Frame, Frames
from lean_memory.extract.reading import Reading
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.typing import Statement
from lean_memory.extract.when import read_times
from lean_memory.names import name_key
from lean_memory.records import Fact, Note

__all__ = ["CONFIDENCE", "checked"]

CONFIDENCE = 0.7
"""Of a fact that a language model reads and the text bears out."""

_FIRST = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|myself|ourselves|im|ive)\b|[我俺咱]", re.IGNORECASE)
_OWNED = re.compile(r"(?P<owner>.+?)(?:'s|’s) (?P<role>[\w -]+)\Z")


def checked(
    statement: Statement, frames: Frames, table: PredicateTable, note: Note, tz: tzinfo, speaker: str,
    window: tuple[int, int],
) -> Fact | str:  # fmt: skip
    """The fact that a statement about text[window] gives, or why it gives none.

    not_in_text   its quote or its object is not in the passage
    not_stated    those words are a question, a condition, a wish, or in quotation marks
    denied        it asserts what the words deny
    not_yet       it takes for present what the words put ahead
    whose         its subject is nobody the text names, or not the one whom the words are about
    """
    text = note.text
    quote = _find(text, statement.quote, *window)
    if quote is None:
        return "not_in_text"
    value = _find(text, statement.object, *quote) or _find(text, statement.object, *frames.around(*quote))
    if value is None or not (window[0] <= value[0] and value[1] <= window[1]):
        return "not_in_text"
    predicate = table[statement.predicate]
    frame = frames.at(*value) or frames.at(*quote)
    if not (frames.says(*value) and frames.says(*quote)):
        return "not_stated"
    owner = _owner(statement.subject, frames, frame, note, speaker, quote)
    if owner is None:
        return "whose"
    negated, ended = statement.negated, statement.ended
    if frame is not None:
        if frame.denied and not (negated or ended):
            return "denied"
        if frame.ahead and not negated and predicate.name not in ("plans_to", "wants"):
            return "not_yet"
        ended = ended or (frame.over and not negated)
        ended = ended or (frame.past and predicate.kind != "event" and not negated)
    begin, end = min(quote[0], value[0]), max(quote[1], value[1])
    reading = Reading(
        owner, statement.predicate, text[slice(*value)], begin, end, negative=negated, confidence=CONFIDENCE,
        ends=note.t_ref if ended and predicate.kind != "event" else None,
    )  # fmt: skip
    where = _find(text, statement.time, *frames.around(begin, end)) if statement.time else None
    times = read_times(text, *(where or (begin, begin)), note.t_ref, tz, lang="en")
    if where is not None and times.moments:
        reading.time_text = text[slice(*where)]
    return fact_of(timed(reading, predicate, times, note.t_ref), predicate, note, tz, speaker, route="llm")


def _owner(
    subject: str, frames: Frames, frame: Frame | None, note: Note, speaker: str, quote: tuple[int, int]
) -> str | None:
    """The subject's name, where the words of the text allow it."""
    mine = name_key(subject) in (name_key(speaker), "user", "speaker")
    owner = speaker if mine else owner_of(subject, speaker, frame)
    if owner is None:
        return None
    if owner == speaker:
        spoken = _FIRST.search(note.text, *frames.around(*quote)) is not None
        theirs = frame is not None and frame.subjects and speaker not in frame.subjects
        return speaker if spoken and not theirs else None
    if frame is not None and frame.subjects:  # the rules know whom the clause is about
        known = {name_key(name): name for name in frame.subjects}
        return known.get(name_key(owner))
    return owner if _named(owner, note.text, speaker) else None


def _named(owner: str, text: str, speaker: str) -> bool:
    if _find(text, owner, 0, len(text)) is not None:
        return True
    match = _OWNED.fullmatch(owner)
    if match is None or _find(text, match["role"], 0, len(text)) is None:
        return False
    return name_key(match["owner"]) == name_key(speaker) or _find(text, match["owner"], 0, len(text)) is not None


def _find(text: str, words: str, begin: int, end: int) -> tuple[int, int] | None:
    """Where the words stand in text[begin:end], whole: white space and case may differ, as may marks at their ends."""
    parts = [re.escape(part) for part in words.strip().strip("\"'“”‘’.,;:!?").split()]
    if not parts:
        return None
    pattern = r"\s+".join(parts)
    pattern = (
        (r"(?<!\w)" if words.strip()[0].isascii() else "")
        + pattern
        + (r"(?!\w)" if words.strip()[-1].isascii() else "")
    )
    match = re.compile(pattern, re.IGNORECASE).search(text, begin, end)
    return match.span() if match else None
