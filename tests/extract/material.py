"""Case files, and facts written on one line: `not user | likes | figs`, `user | lives_in | Bern | from 2021-01-01`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from lean_memory.extract import Extractor
from lean_memory.instants import format_instant, parse_instant
from lean_memory.records import Fact, Note

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
SAID_AT = parse_instant("2026-03-10T12:00:00Z")[0]  # a Tuesday


@dataclass(frozen=True)
class Case:
    say: str
    facts: tuple[str, ...]
    speaker: str | None = None


@dataclass(frozen=True)
class Kind:
    name: str
    title: str
    about: str
    cases: tuple[Case, ...]


def read_kinds() -> list[Kind]:
    """The case files in the order of their names."""
    out = []
    for path in sorted(Path(__file__).with_name("cases").glob("*.toml")):
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        cases = tuple(Case(c["say"], tuple(c["facts"]), c.get("speaker")) for c in raw["case"])
        out.append(Kind(path.stem, raw["title"], raw["about"], cases))
    return out


def load(extractor: Extractor, case: Case) -> list[str]:
    """The facts that a case's words give, one line each."""
    episode = extractor.episode(Note(text=case.say, t_ref=SAID_AT, speaker=case.speaker))
    return [written(fact) for fact in episode.facts]


def written(fact: Fact) -> str:
    """The fact on one line. The moment of speaking is left out as a start, and is `now` as an end."""
    parts = [f"{'not ' if fact.polarity == 'negative' else ''}{fact.subject}", fact.predicate, fact.object]
    if fact.valid_at not in (None, SAID_AT):
        parts.append("from " + format_instant(fact.valid_at)[:10])
    if fact.valid_to is not None:
        parts.append("until " + ("now" if fact.valid_to == SAID_AT else format_instant(fact.valid_to)[:10]))
    if fact.cue:
        parts.append(fact.cue)
    return " | ".join(parts)
