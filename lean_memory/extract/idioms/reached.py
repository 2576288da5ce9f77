"""Numbers and addresses behind the name of whose they are: `the keys are with Mr. Lee, 555-0100`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["reached"]

_BETWEEN = frozenset(", ( : — - on at = :".split())


def reached(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Of each number or address that stands right behind a person, that it is theirs."""
    toks = s.toks
    if s.question or not any(t.kind == "x" for t in toks):
        return []
    names = {r.object for r in out if r.predicate == "name"}
    got: list[Reading] = []
    for i, t in enumerate(toks):
        at = i if t.text.startswith("(") else i - 1
        if t.kind != "x" or not i or (at < i and toks[at].low not in _BETWEEN):
            continue
        m = next((m for m in s.mentions if m.end == at and m.kind == "person"), None)
        if m is None or m.owner == "you" or m.several or not (m.named or m.relation):
            continue
        owner = s.turn.speaker if m.name in names else m.name
        for predicate in ("email", "phone"):
            values = s.clean(predicate, i, i + 1) if predicate in s.e.table else []
            if values and not any(r.predicate == predicate and r.object == values[0].text for r in out):
                start, now, value = toks[m.start].start, s.turn.t_ref, values[0].text.lstrip("(")
                got.append(Reading(owner, predicate, value, start, t.end, starts=now, confidence=0.85))
                break
    return new(got, out)
