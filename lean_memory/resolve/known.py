"""A new fact that says in other words what a known one says is a restatement of that one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lean_memory.errors import BackendUnavailable
from lean_memory.records import Episode, Fact, fact_id
from lean_memory.resolve.ladder import SCHEMA, Verdict, ask, judge, read_answer
from lean_memory.resolve.slots import Rules

__all__ = ["Alike", "Decision", "Model", "as_known"]

Alike = tuple[str, str, float]
"""A known fact of the same subject and kind: its id, its object, and the cosine to the new one."""

Model = tuple[str, Callable[[str, Mapping[str, Any]], str]]
"""A language model: its name, and what answers a prompt in the form of a JSON Schema."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a fact of an episode stands to a known one."""

    fact: str
    known: str
    verdict: Verdict


def as_known(
    episode: Episode, alike: Callable[[Fact], Sequence[Alike]], rules: Rules, model: Model | None = None
) -> tuple[Episode, list[Decision]]:
    """The episode with its facts about known values under the names they are known by, and what was decided.

    Args:
        alike: known facts that a new one may restate, nearest first.
        model: asked where words and cosine leave it open; without one the two stay apart.

    Values of a functional predicate are left alone, as its slot settles them, and so are events, which happen more
    than once, and corrections, which mean what they say.
    """
    decisions: list[Decision] = []
    facts = []
    for fact in episode.facts:
        if not (rules.is_event(fact.predicate) or rules.is_functional(fact.predicate) or fact.cue == "corrects"):
            fact = _known(fact, alike(fact), model, decisions)
        facts.append(fact)
    return replace(episode, facts=tuple(facts)), decisions


def _known(fact: Fact, candidates: Sequence[Alike], model: Model | None, decisions: list[Decision]) -> Fact:
    for known, value, similarity in candidates:
        verdict = judge(fact.object, value, similarity)
        if verdict is not None and verdict.route == "slot":
            return fact  # known under just this name
        if verdict is None:
            verdict = _asked(fact, value, similarity, model)
        if verdict.relation == "same":
            id = fact_id(fact.subject, fact.predicate, value, fact.polarity)
            decisions.append(Decision(id, known, verdict))
            return replace(fact, id=id, object=value)
        decisions.append(Decision(fact.id, known, verdict))
    return fact


def _asked(fact: Fact, value: str, similarity: float, model: Model | None) -> Verdict:
    if model is None:
        return Verdict("other", "cosine", "alike, in other words, and no language model to ask", similarity)
    name, answer = model
    try:
        said = answer(ask(fact.subject, fact.predicate, fact.object, value), SCHEMA)
    except BackendUnavailable as error:  # a note is stored whether or not a model is up
        return Verdict("other", "llm", f"{name} did not answer: {error}", similarity)
    return read_answer(said, name, similarity)
