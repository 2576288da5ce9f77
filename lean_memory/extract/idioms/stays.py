"""`I've been at Acme for ten years`: who is somewhere for so long works there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import lasting
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["stays"]

_LONG = 60 * 86_400_000


def stays(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Been at Acme since 2012`. Months at least: nobody works at the airport after three hours there."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        a = verb.end + (s.toks[verb.end : verb.end + 1] != [] and s.toks[verb.end].low in ("here", "back", "still"))
        if verb.lemma != "be" or verb.tense != "perf" or verb.neg or a + 1 >= clause.hi or s.toks[a].low != "at":
            continue
        then = lasting(s, clause)
        if then is None or s.turn.t_ref - then.when < _LONG or not s.toks[a + 1].capital:
            continue
        if s.stated(clause, index, clauses) == 0.0:
            continue
        school = s.clean("school_known", a + 1, clause.hi)
        predicate = "studies_at" if school else "works_at"
        values = school or s.clean("employer", a + 1, clause.hi)
        said = {(r.subject, r.predicate) for r in out}
        got += [
            then.begin(Reading(name, predicate, v.text, *s.span(clause), confidence=round(0.9 * sure, 2)))
            for name, sure, kind in s.who(clause, index, clauses)
            if kind == "person" and (name, predicate) not in said
            for v in values[:1]
        ]
    return got
