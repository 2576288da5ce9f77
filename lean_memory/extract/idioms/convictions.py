"""What somebody holds to be so: `my dad is convinced the earth is flat`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["convictions"]

_NOT_FIRST = frozenset("of to by about i my me we our you your he she they it".split())
_HOLDS = frozenset("convinced adamant persuaded".split())


def convictions(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """An opinion of whoever is convinced: the words up to the next mark."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[-1], clause.verbs[-1].end
        if verb.lemma != "be" or verb.neg or verb.tense != "pres" or i + 2 >= len(toks) or toks[i].low not in _HOLDS:
            continue
        a = i + 1 + (toks[i + 1].low == "that")
        b = next((k for k in range(a, len(toks)) if toks[k].kind == "p" and toks[k].low in ",;:—.!?("), len(toks))
        if b - a < 3 or toks[a].low in _NOT_FIRST or s.stated(clause, index, clauses) == 0.0:
            continue
        begin, end = s.span(clause)[0], toks[b - 1].end
        for name, sure, kind in s.who(clause, index, clauses):
            if kind == "person" and "believes" in s.e.table:
                value, now = s.text(a, b), s.turn.t_ref
                got.append(Reading(name, "believes", value, begin, end, starts=now, confidence=min(sure, 0.8)))
    return new(got, out)
