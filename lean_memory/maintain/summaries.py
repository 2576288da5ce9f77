"""Old facts of one kind about one entity, told in one sentence.

The sentence is extractive: the values in a row behind the words that all the facts begin with, so it says nothing that
they don't. A language model's sentence is taken only where it adds no number and no name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from lean_memory.maintain.policy import Policy
from lean_memory.maintain.value import age_days
from lean_memory.upkeep import Draft, Standing

__all__ = ["SCHEMA", "Cluster", "answered", "clusters", "extract", "prompt", "with_text"]

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"summary": {"type": "string", "maxLength": 300}},
    "required": ["summary"],
}
"""What a language model answers with."""

_LONGEST: Final = 300
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Facts of one subject and predicate, oldest first, and what would stand for them."""

    facts: tuple[Standing, ...]
    text: str
    object: str


def clusters(facts: Sequence[Standing], *, single: Callable[[str], bool], now: int, policy: Policy) -> list[Cluster]:
    """What to propose, largest first. Values that exclude each other (`single`) and denials are left alone."""
    groups: dict[tuple[str, str], list[Standing]] = defaultdict(list)
    for fact in facts:
        if (
            fact.polarity == "positive"
            and not single(fact.predicate)
            and fact.salience < policy.kept_salience
            and age_days(fact.said_at, now) > policy.old_days
        ):
            groups[fact.subject, fact.predicate].append(fact)
    found = []
    for _, group in sorted(groups.items()):
        group.sort(key=lambda fact: (fact.said_at, fact.id))
        for start in range(0, len(group), policy.longest):
            chunk = tuple(group[start : start + policy.longest])
            if len(chunk) >= policy.cluster:
                found.append(Cluster(chunk, *extract(chunk)))
    return sorted(found, key=lambda cluster: (-len(cluster.facts), cluster.facts[0].id))


def extract(facts: Sequence[Standing]) -> tuple[str, str]:
    """The sentence and its object: `user bought a lamp, a kettle and a chair`."""
    values = [fact.object for fact in facts]
    listed = f"{', '.join(values[:-1])} and {values[-1]}"
    openings = {fact.text.removesuffix(fact.object) for fact in facts}
    if len(openings) == 1 and all(fact.text.endswith(fact.object) for fact in facts):
        return f"{openings.pop()}{listed}", listed
    return "; ".join(fact.text.rstrip(". ") for fact in facts), listed


def prompt(texts: Sequence[str]) -> str:
    """What a language model is asked."""
    listed = "\n".join(f"- {text}" for text in texts)
    return (
        "These facts are about one person or thing. Write one short sentence that says them all. Add nothing: no"
        ' number, no name, no date that is not among them. Answer with JSON: {"summary": "..."}\n\n' + listed
    )


def answered(answer: str, texts: Sequence[str]) -> str | None:
    """The model's sentence; None where it is none, is too long, or says a number or a name that the facts don't."""
    try:
        told = orjson.loads(answer)["summary"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
    if not isinstance(told, str) or not told.strip() or len(told) > _LONGEST:
        return None
    known = {word.casefold() for text in texts for word in _WORD.findall(text)}
    for place, word in enumerate(_WORD.findall(told)):
        telling = any(c.isdigit() for c in word) or (place > 0 and word[0].isupper())
        if telling and word.casefold() not in known:
            return None
    return " ".join(told.split())


def with_text(draft: Draft, text: str, by: str) -> Draft:
    """A summary's draft with a model's sentence in place of the extracted one."""
    return replace(draft, payload={**draft.payload, "text": text}, evidence={**draft.evidence, "written_by": by})
