"""Models that say what a test has them say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lean_memory.candidates import Candidate, Relation
from lean_memory.errors import BackendUnavailable
from lean_memory.records import Note

T_REF = 1_772_582_400_000  # 2026-03-04


class Finder:
    """Finds the (subject, predicate, object, confidence) it was told of, wherever the text has those words."""

    name = "scripted"

    def __init__(self, *triples: tuple[str, str, str, float]) -> None:
        self.triples = triples
        self.asked: list[tuple[str, Sequence[Relation]]] = []

    def warm(self) -> None:
        pass

    def candidates(self, text: str, relations: Sequence[Relation]) -> list[Candidate]:
        self.asked.append((text, relations))
        return [candidate(text, *triple) for triple in self.triples if triple[0] in text and triple[2] in text]


class Writer:
    """A language model that gives one answer after the other; an exception is raised."""

    name = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []
        self.schemas: list[Mapping[str, Any]] = []

    def warm(self) -> None:
        pass

    def generate(self, prompt: str, schema: Mapping[str, Any]) -> str:
        self.prompts.append(prompt)
        self.schemas.append(schema)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def candidate(text: str, subject: str, predicate: str, value: str, confidence: float) -> Candidate:
    head, tail = text.index(subject), text.rindex(value)
    return Candidate(
        subject=subject, predicate=predicate, object=value, confidence=confidence,
        head=(head, head + len(subject)), tail=(tail, tail + len(value)),
    )  # fmt: skip


def note(text: str, **fields: Any) -> Note:
    return Note(text=text, t_ref=T_REF, **fields)


def out_of_order() -> BackendUnavailable:
    return BackendUnavailable("no answer came", hint="start it")
