"""A memory at a chosen time, and what is said to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lean_memory.claims import View
from lean_memory.memory import Memory
from lean_memory.records import Cue, Episode, Fact, Note, Polarity, episode_id, fact_id
from lean_memory.settings import Settings

__all__ = ["DAY", "START", "at", "hot", "said", "shown"]

DAY = 86_400_000
START = 1_700_000_000_000


@contextmanager
def at(root: Path, day: float, **environ: str) -> Iterator[Memory]:
    """The memory under `root`, with the clock standing at a day."""
    chosen = Settings(root=root, fixed_now=START + int(day * DAY), environ={"LM_BACKENDS": "stub", **environ})
    with Memory(settings=chosen, fast=True) as memory:
        yield memory


def said(
    day: float,
    subject: str,
    predicate: str,
    value: str,
    *,
    salience: float = 5.0,
    polarity: Polarity = "positive",
    text: str | None = None,
    cue: Cue | None = None,
    ended: bool = False,
) -> Episode:
    """An episode of a day that says one fact."""
    when = START + int(day * DAY)
    verb = "likes" if predicate == "enjoys" else predicate  # two predicates, one sentence
    words = f"{subject} {verb} {value}{'' if polarity == 'positive' else ', not'}"
    whole = f"{words}{' no more' if ended else ''}, said on day {day:g}"
    fact = Fact(
        id=fact_id(subject, predicate, value, polarity), subject=subject, predicate=predicate, object=value,
        polarity=polarity, text=text or words, quote=words, span=(0, len(words)), salience=salience, cue=cue,
        valid_at=None if ended else when, valid_to=when if ended else None,
    )  # fmt: skip
    note = Note(text=whole, t_ref=when)
    return Episode(id=episode_id(note), text=whole, t_ref=when, facts=(fact,))


def also(episode: Episode, *facts: Fact) -> Episode:
    """The episode with more facts drawn from it."""
    return replace(episode, facts=(*episode.facts, *facts))


def shown(memory: Memory, day: float, **view: object) -> list[str]:
    """The texts of the facts that a view shows."""
    now = START + int(day * DAY)
    return [hit.text for hit in memory.visible("ns", View(now=now, kind="fact", **view))]  # type: ignore[arg-type]


def hot(memory: Memory) -> int:
    return memory.maintenance_status("ns").hot
