"""Recorded parses: what the real pipeline says of the sentences in `parses.json`, so that no test needs it.

Record anew, with the extra [parse] installed: python -m tests.extract.parse.material
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from lean_memory.parses import Word

__all__ = ["INTRODUCED", "READ", "SPLIT", "UNREAD", "Recorded"]

PARSES = Path(__file__).with_name("parses.json")

READ = {
    "The company I work for is Acme.": "user | works_at | Acme",
    "The instrument I play is the cello.": "user | plays | cello",
    "Leeds is where I live.": "user | lives_in | Leeds",
    "What I play is the bassoon.": "user | plays | bassoon",
    "Acme, where I have worked since 2019, pays well.": "user | works_at | Acme | from 2019-01-01",
    "Porto is the city that Anna lives in.": "Anna | lives_in | Porto",
    "I love and my wife hates mushrooms.": "user | likes | mushrooms",
    "Mushrooms I really hate.": "user | dislikes | mushrooms",
}
"""What is said, and a fact that the words state in no plain order."""

UNREAD = (
    "The company I would work for is Acme.",
    "If Leeds is where I live next year, come and visit.",
    "Is Leeds where you live?",
    "Tom thinks that the instrument I play is the cello.",
    "Living in Ghent must be nice.",
    "Nobody who works at Acme plays chess.",
    "I wish the city I live in were Porto.",
    "Anybody living in Hull knows that smell.",
)
"""Of the same shapes, and nothing that is meant as a fact."""


SPLIT = (
    "My sister Anna, who moved to Hull in May, works at Acme and is learning Polish.",
    "Living in Ghent, I speak some Dutch.",
    "Neither Anna nor Tom eats meat.",
    "I think my brother does not live in Leeds any more.",
)
"""For the clauses."""

INTRODUCED = "I'm Jonas, a welder from Bremen, and the firm I work for is Acme."


class Recorded:
    """A parser that knows the recorded sentences and no other."""

    name = "recorded"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._parses = {
            key: [Word(*word) for word in words]
            for key, words in json.loads(PARSES.read_text(encoding="utf-8")).items()
        }

    def warm(self) -> None:
        """Nothing to load."""

    def parse(self, words: Sequence[str]) -> list[Word]:
        """The recorded parse; KeyError for a sentence without one."""
        key = " ".join(words)
        self.asked.append(key)
        return self._parses[key]


def _record() -> None:
    from lean_memory.backends.spacy_parse import SpacyParser
    from lean_memory.extract.parsing.tree import Tree
    from lean_memory.extract.tokens import tokenize

    class Recorder(SpacyParser):
        def parse(self, words: Sequence[str]) -> list[Word]:
            out = super().parse(words)
            found[" ".join(words)] = [[word.tag, word.dep, word.head] for word in out]
            return out

    found: dict[str, list[list[str | int]]] = {}
    for text in (*READ, *UNREAD, *SPLIT, INTRODUCED):
        Tree(tokenize(text), Recorder())
    lines = [f"{json.dumps(key)}: {json.dumps(words)}" for key, words in sorted(found.items())]
    PARSES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    _record()
