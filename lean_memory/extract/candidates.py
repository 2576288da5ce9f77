"""The predicate table as a model's schema, and what a model found as readings of our own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo

from lean_memory.candidates import Candidate, Relation
from lean_memory.extract.frames import Frame
from lean_memory.extract.reading import Reading
from lean_memory.extract.render import render
from lean_memory.extract.salience import salience
from lean_memory.extract.table import Predicate, PredicateTable
from lean_memory.extract.verbs import present
from lean_memory.extract.when import Times, read_times
from lean_memory.names import name_key
from lean_memory.records import Fact, Note, fact_id

__all__ = ["describe", "fact_from_candidate", "fact_of", "owner_of", "relations", "same_matter", "timed"]

_LAST_RESORT = frozenset({"about"})  # it fits everything, so a model would see it everywhere
_VERB = re.compile(r"\[(\w+)\]")
_ME = "i me my mine we us our ours myself ourselves 我 我们"
_FIRST = frozenset(_ME.split())
_NOBODY = (
    "he she they it him her them his their its this that these those who which you your one someone somebody everyone "
    "everybody anyone anybody nobody there 他 她 它 他们 她们 你 你们 您"
)
_THIRD = frozenset(_NOBODY.split())
_MY = re.compile(r"(?:my|our) +(?P<role>[\w-]+)(?P<name>(?: +[^\W\d_a-z][\w'’-]*)*)\Z", re.IGNORECASE)


def describe(predicate: Predicate) -> str:
    """What a predicate says, in a few plain words: `person works at org`."""
    said = _VERB.sub(lambda match: present(match[1]), predicate.text)
    subject = "someone or something" if predicate.subject == "any" else predicate.subject
    return said.replace("{s}", subject).replace("{o}", predicate.object)


def relations(table: PredicateTable) -> tuple[Relation, ...]:
    """The table as the schema of a candidate generator."""
    return tuple(Relation(name, describe(row)) for name, row in table.items() if name not in _LAST_RESORT)


def owner_of(words: str, speaker: str, frame: Frame | None) -> str | None:
    """Whom a model's subject names: `I` the speaker, `my sister` theirs, a name itself; None for a bare pronoun.

    A pronoun is who the rules take it for, where the clause has one subject.
    """
    low = name_key(words)
    if low in _FIRST:
        return speaker
    if low in _THIRD:
        return frame.subjects[0] if frame is not None and len(frame.subjects) == 1 else None
    match = _MY.fullmatch(words.strip())
    if match:
        return match["name"].strip() or f"{speaker}'s {match['role'].lower()}"
    if set(low.split()) & (_FIRST | _THIRD):
        return None  # `her boss`: somebody, but whose?
    return words.strip() or None


def timed(reading: Reading, predicate: Predicate, times: Times, t_ref: int) -> Reading:
    """The reading with the world time that the words around it give, in place; else it holds from when it was said."""
    moment = times.pick("range", "since", "at", "for", "until", "after", "before")
    over = reading.ends is not None
    if moment is None:
        reading.starts = None if over else t_ref
        return reading
    reading.grain = moment.grain
    reading.starts = moment.happened if moment.relation not in ("until", "before") else None
    if over or moment.relation in ("until", "range"):
        reading.ends = moment.ends or reading.ends
    if predicate.kind == "event" or (reading.starts is None and reading.ends is None):
        reading.starts, reading.ends = moment.happened or t_ref, None
    if reading.starts is not None and reading.ends is not None and reading.ends < reading.starts:
        reading.ends = None
    return reading


def fact_of(
    reading: Reading,
    predicate: Predicate,
    note: Note,
    tz: tzinfo,
    speaker: str,
    *,
    route: str,
    relation: str = "asserts",
) -> Fact:
    """The record of a reading that a model's word led to."""
    polarity = "negative" if reading.negative else "positive"
    return Fact(
        id=fact_id(reading.subject, reading.predicate, reading.object, "negative" if reading.negative else "positive"),
        subject=reading.subject,
        predicate=reading.predicate,
        object=reading.object,
        text=render(predicate, reading, tz, note.t_ref),
        quote=note.text[reading.start : reading.end],
        span=(reading.start, reading.end),
        polarity=polarity,  # type: ignore[arg-type]
        valid_at=reading.starts,
        valid_to=reading.ends,
        time_text=reading.time_text,
        relation="derives" if reading.derived else "asserts",
        confidence=round(max(0.0, min(1.0, reading.confidence)), 2),
        salience=salience(predicate, reading, speaker),
        route=route,
    )


def fact_from_candidate(
    candidate: Candidate, frame: Frame, table: PredicateTable, note: Note, tz: tzinfo, speaker: str
) -> Fact | None:
    """The fact that a candidate in a plainly stated clause gives; None when it is about nobody the text names."""
    owner = owner_of(candidate.subject, speaker, frame)
    predicate = table.get(candidate.predicate)
    if owner is None or predicate is None:
        return None
    begin, end = min(frame.start, candidate.span[0]), max(frame.end, candidate.span[1])
    reading = Reading(owner, candidate.predicate, candidate.object, begin, end, confidence=candidate.confidence)
    times = read_times(note.text, begin, end, note.t_ref, tz, lang="en")
    outside = Times(tuple(m for m in times.moments if m.end <= candidate.tail[0] or m.outer >= candidate.tail[1]))
    if outside.moments:
        reading.time_text = note.text[outside.moments[0].outer : outside.moments[0].end]
    return fact_of(timed(reading, predicate, outside, note.t_ref), predicate, note, tz, speaker, route="gliner")


def same_matter(candidate: Candidate, facts: Sequence[Fact]) -> bool:
    """Have the rules read this stretch already: a fact there with this value, or this relation with part of it?"""
    value = name_key(candidate.object)
    for fact in facts:
        if fact.span[0] >= candidate.span[1] or candidate.span[0] >= fact.span[1]:
            continue
        known, about = name_key(fact.object), name_key(fact.subject)
        if value in known or known in value or (fact.predicate == candidate.predicate and value in about):
            return True
    return False
