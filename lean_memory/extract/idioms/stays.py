"""`I've been at Acme for ten years`: who is somewhere for so long works there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import lasting
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["stations", "stays"]

_LONG = 60 * 86_400_000
_KINDS = {"live": ("lives_in", "place"), "work": ("works_at", "org_named")}
_NOW = frozenset("now currently presently nowadays".split())


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


def stations(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I've lived in Lyon, Ghent and now Trieste`: all places that were, and the one that is."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[-1], clause.verbs[-1].end
        kind = _KINDS.get(verb.lemma)
        done = verb.tense in ("past", "perf") and not verb.neg and not verb.prog
        if (
            kind is None
            or not done
            or lasting(s, clause) is not None
            or i + 3 >= clause.hi
            or toks[i].low not in ("in", "at", "for")
        ):
            continue
        parts = [(a + (toks[a].low in ("in", "at", "for")), b) for a, b in s.e.objects.listed(toks, i + 1, clause.hi)]
        nows = [next((k for k in range(a, b) if toks[k].low in _NOW), None) for a, b in parts]
        values = [
            s.clean(kind[1], a if now is None else now + 1, b)[:1] for (a, b), now in zip(parts, nows, strict=True)
        ]
        named = all(v and toks[v[0].a].capital for v in values)
        if len(parts) < 2 or not named or s.stated(clause, index, clauses) == 0.0 or len(s.times().moments) > 1:
            continue
        for name, sure, who in s.who(clause, index, clauses):
            for value, now in zip(values, nows, strict=True):
                if who != "person" or any(r.subject == name and r.object == value[0].text for r in out):
                    continue
                r = Reading(name, kind[0], value[0].text, *s.span(clause), confidence=min(sure, 0.85))
                if now is None:
                    r.ends, r.past = s.turn.t_ref, True
                else:
                    r.starts = s.turn.t_ref
                got.append(r)
    return got
