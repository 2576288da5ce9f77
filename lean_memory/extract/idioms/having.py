"""People whom a sentence brings in by what they are to somebody, and then names: `I have a brother, Tom, who ..`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import names_listed, new, singular
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["having"]

_COUNTS = frozenset("a an another one two three four five six my our".split())
_OWN = frozenset("have get gain".split())
_LINKS = frozenset("in from at back near down up over".split())
_NAMED = frozenset(", ( : - — called named".split())


def having(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I have a brother in Bonn, Tom`, `we've got two kids: Mia and Leo`, `she has a sister called Ida`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        if (
            verb.lemma not in _OWN
            or verb.neg
            or verb.used_to
            or verb.modal
            or verb.tense not in ("pres", "past", "perf")
        ):
            continue
        i = verb.end
        if i + 2 >= len(toks) or (toks[i].low not in _COUNTS and toks[i].kind != "n"):
            continue
        j = next(
            (k for k in range(i + 1, min(len(toks) - 1, i + 5)) if singular(toks[k].low) in s.e.people.relations), None
        )
        if j is None or s.stated(clause, index, clauses) == 0.0:
            continue
        word = singular(toks[j].low)
        if j + 1 < len(toks) and f"{word}-{toks[j + 1].low}" in s.e.people.relations:
            j, word = j + 1, f"{word}-{toks[j + 1].low}"
        relation = s.e.people.relations[word]
        k = j + 1 + (word == "baby" and j + 1 < len(toks) and toks[j + 1].low in ("girl", "boy"))  # `a baby girl, Ida`
        if k < len(toks) and toks[k].low in _LINKS:  # `a cousin in Oslo, Mia`
            k = next((x for x in range(k + 1, min(len(toks), k + 5)) if toks[x].low in _NAMED), k)
        if relation.predicate is None or k >= len(toks) or toks[k].low not in _NAMED:
            continue
        names, _end = names_listed(s, k + 1)
        people = s.who(clause, index, clauses)
        if not names or not people or people[0][2] != "person":
            continue
        owner = people[0][0]
        out[:] = [r for r in out if r.predicate != relation.predicate or r.object.lower() != word]
        for name, a, b in names:
            span = (toks[clause.lo].start, max(toks[b - 1].end, toks[clause.lo].end))
            got += s._relation(owner, word, name, span, "person", 0.9)
            s.turn.memory.add(Mention(a, b, name, relation.gender, relation=word, owner=owner, named=True))
        if len(names) == 1:
            s.turn.memory.aliases[f"{owner}'s {word}"] = names[0][0]
    return new(got, out)
