"""What extraction and the models that help it exchange: relations to look for, what was found, a prompt, an answer.

Extraction knows models only by these two ports; `backends` fills them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Candidate", "CandidateGenerator", "Generator", "Relation"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A predicate as a model is told of it: its name and, in a few words, what it says."""

    name: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A relation that a model sees in a text; whether it is stated, denied or asked is not its business.

    `text[head[0]:head[1]] == subject` and `text[tail[0]:tail[1]] == object`. `confidence` is in [0, 1].
    """

    subject: str
    predicate: str
    object: str
    head: tuple[int, int]
    tail: tuple[int, int]
    confidence: float

    @property
    def span(self) -> tuple[int, int]:
        """The least stretch of text that holds both ends."""
        return min(self.head[0], self.tail[0]), max(self.head[1], self.tail[1])


class CandidateGenerator(Protocol):
    """Finds relations in a text. Making one is cheap; the model loads at the first call, or at `warm`."""

    @property
    def name(self) -> str:
        """Which model it is."""

    def warm(self) -> None:
        """Loads the model now. Raises BackendUnavailable when it is missing or does not load."""

    def candidates(self, text: str, relations: Sequence[Relation]) -> list[Candidate]:
        """What it sees of these relations in the whole text, however long. Raises BackendUnavailable as `warm` does."""


class Generator(Protocol):
    """A language model. Making one is cheap; the model loads at the first call, or at `warm`."""

    @property
    def name(self) -> str:
        """Which model it is."""

    def warm(self) -> None:
        """Loads the model now. Raises BackendUnavailable when it is missing or does not load."""

    def generate(self, prompt: str, schema: Mapping[str, Any]) -> str:
        """The answer to a prompt. The model is held to the JSON Schema as far as it can be: the answer may still be
        cut short, or not be JSON at all.

        Raises:
            BackendUnavailable: no answer came: the model is missing, does not load, or its server fails.
        """
