"""What of an episode a language model should look at, and why. Recall-biased, and sparing: it is the slow pass.

Four things escalate, each with its reason:
    low_confidence  a fact that the rules give less than `LOW`
    inference       a fact that the words imply rather than say (`derives`), and that isn't sure anyway
    unresolved      a statement about `he`, `she` or `they`, of whom nothing in the text says who it is
    uncovered       a candidate of the candidate generator where the rules read nothing, not sure enough to be kept
                    as it is, or in a clause that denies, ends or plans, whose form a model must read

Nothing is lost by not escalating: the rules' facts stand, and a candidate of at least `SURE` in a clause that plainly
states it is kept. One in a question, a condition, a wish or somebody's quoted words never is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from lean_memory.candidates import Candidate
from lean_memory.extract.candidates import owner_of, same_matter
from lean_memory.extract.frames import Frame, Frames, Gap
from lean_memory.extract.table import PredicateTable
from lean_memory.records import Fact

__all__ = ["LOW", "SURE", "WEAK", "Escalation", "Reason", "Routing", "route"]

Reason = Literal["inference", "low_confidence", "uncovered", "unresolved"]

LOW: Final = 0.8
"""Below this the rules guess: hearsay, `it` for the thing named last, a wish taken for a plan."""

CERTAIN: Final = 0.9
"""An inference at least this sure is one of grammar (`my sister Anna`), not of meaning."""

SURE: Final = 0.8
"""A candidate at least this sure is kept where its clause plainly states it."""

WEAK: Final = 0.4
"""A candidate below this is noise."""


@dataclass(frozen=True, slots=True)
class Escalation:
    """Something at text[start:end] for a language model to read, and the rules' fact there, if there is one."""

    reason: Reason
    start: int
    end: int
    predicate: str
    object: str
    subject: str
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Routing:
    """`kept` candidates become facts, `escalated` go to a model, `dropped` counts the rest of the candidates by why.

    `considered` is how many things were sorted: facts, statements about nobody known, and candidates.
    """

    kept: tuple[tuple[Candidate, Frame], ...] = ()
    escalated: tuple[Escalation, ...] = ()
    dropped: Counter[str] = field(default_factory=Counter)
    considered: int = 0


def route(
    facts: Sequence[Fact], candidates: Sequence[Candidate], frames: Frames, table: PredicateTable, speaker: str
) -> Routing:
    """Sorts what the rules and the candidate generator found in one text."""
    kept: list[tuple[Candidate, Frame]] = []
    dropped: Counter[str] = Counter()
    escalated = [escalation for fact in facts for escalation in _doubts(fact)]
    escalated += [_gap(gap) for gap in frames.gaps]
    for candidate in candidates:
        verdict = _verdict(candidate, facts, frames, table, speaker)
        frame = frames.at(*candidate.tail)
        if verdict == "keep" and frame is not None:
            kept.append((candidate, frame))
        elif verdict in ("uncovered", "unresolved"):
            escalated.append(_escalated(candidate, "uncovered" if verdict == "uncovered" else "unresolved"))
        else:
            dropped[verdict] += 1
    return Routing(
        tuple(kept),
        tuple(sorted(escalated, key=lambda e: (e.start, e.end))),
        dropped,
        len(facts) + len(frames.gaps) + len(candidates),
    )


def _doubts(fact: Fact) -> list[Escalation]:
    if fact.relation == "derives" and fact.confidence < CERTAIN:
        reason: Reason = "inference"
    elif fact.confidence < LOW:
        reason = "low_confidence"
    else:
        return []
    return [Escalation(reason, *fact.span, fact.predicate, fact.object, fact.subject, fact)]


def _gap(gap: Gap) -> Escalation:
    return Escalation("unresolved", gap.start, gap.end, gap.predicate, gap.object, "?")


def _escalated(candidate: Candidate, reason: Reason) -> Escalation:
    return Escalation(reason, *candidate.span, candidate.predicate, candidate.object, candidate.subject)


def _verdict(candidate: Candidate, facts: Sequence[Fact], frames: Frames, table: PredicateTable, speaker: str) -> str:
    """keep, uncovered, unresolved, or why it is dropped."""
    predicate = table.get(candidate.predicate)
    if predicate is None:
        return "unknown_predicate"
    if same_matter(candidate, facts):
        return "covered"
    if candidate.confidence < WEAK:
        return "weak"
    head, frame = frames.at(*candidate.head), frames.at(*candidate.tail)
    if not (frames.says(*candidate.head) and frames.says(*candidate.tail)):
        return "not_stated"
    if frame is None or head is None:
        return "uncovered"  # no clause that the rules can judge: a heading, a list
    if head.sentence != frame.sentence:
        return "far_apart"
    if owner_of(candidate.subject, speaker, head) is None:
        return "unresolved"
    told = frame.past and predicate.kind != "event"
    odd = any(f.denied or f.over or f.ahead for f in (head, frame)) or told
    return "keep" if candidate.confidence >= SURE and not odd else "uncovered"
