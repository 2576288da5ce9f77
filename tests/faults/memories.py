"""A memory with something in every table, as a closed file and as a process leaves it that is killed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lean_memory.claims import View
from lean_memory.memory import Memory
from lean_memory.settings import Settings
from lean_memory.upkeep import Decision
from tests.maintain.material import DAY, START, said

__all__ = ["NAME", "NOW", "answers", "at", "fill", "killed_copy", "rows"]

NAME = "work"
NOW = START + 700 * DAY
TOLD = (
    ("My sister Nora works at the zoo.", "2025-01-01T00:00:00Z"),
    ("I work at Larkfield Books.", "2025-02-01T00:00:00Z"),
    ("I work at Harbour Press now.", "2025-05-01T00:00:00Z"),
)
WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "mn"]


@contextmanager
def at(root: Path, now: int = NOW) -> Iterator[Memory]:
    """The memories under `root` at a time of the clock."""
    settings = Settings(root=root, fixed_now=now, environ={"LM_BACKENDS": "stub"})
    with Memory(settings=settings, fast=True) as memory:
        yield memory


def fill(root: Path, now: int = NOW) -> None:
    """Tells it things that change, lets it be maintained, and decides on some of what that proposes."""
    with at(root, now) as memory:
        for text, when in TOLD:
            memory.add(NAME, text, t_ref=when)
        memory.store(NAME, [said(n / 100, "user", "likes", word) for n, word in enumerate(WORDS[:6])])
        memory.store(NAME, [said(1 + n / 100, "user", "enjoys", word) for n, word in enumerate(WORDS[:6])])
        memory.store(NAME, [said(n / 100, "user", "bought", word, salience=1) for n, word in enumerate(WORDS[:9])])
        memory.store(NAME, [said(n / 100, "Anna", f"saw_{n}", word, salience=2) for n, word in enumerate(WORDS[20:40])])
        memory.search(NAME, "what do I like?")
        memory.maintain(NAME, apply=True)
        for proposal, verdict in zip(memory.proposals(NAME), ("approve", "keep"), strict=False):
            memory.decide(NAME, [Decision(proposal=proposal.id, verdict=verdict)], by="user")  # type: ignore[arg-type]
        memory.store(NAME, [said(3, "Nora", "likes", "tea")], embed=False)


def killed_copy(root: Path, copy: Path, *texts: str) -> None:
    """A copy as a process leaves it that is killed after it told the last texts: they are in the log alone."""
    with at(root) as memory:
        for text in texts:
            memory.add(NAME, text, t_ref="2025-06-01T00:00:00Z")
        shutil.copytree(root, copy)


def rows(root: Path) -> list[object]:
    with at(root) as memory:
        return list(memory.dump(NAME))


def answers(root: Path) -> list[object]:
    """To questions about now, about the past, and about what was known then."""
    with at(root) as memory:
        views = [View(now=NOW), View(now=NOW, as_of=START + 30 * DAY), View(now=NOW, known_at=NOW - DAY)]
        return [memory.search(NAME, query, view=view) for view in views for query in ("where do I work?", "Nora")]
