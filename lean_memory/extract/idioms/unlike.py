"""What is said of one by a verb alone, of what was said of another: `I'm vegetarian, my husband isn't`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["unlike"]

_AUXILIARY = {"be": "be", "do": "do", "have": "have"}
_OF_BEING = frozenset(
    "diet is_a job_title has_condition allergic_to nationality likes member_of married_to age from skilled_in".split()
)
_DOING = frozenset(
    "likes dislikes diet uses speaks plays drives owns has_pet takes_medication is_a hobby works_at lives_in".split()
)


def unlike(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Of a clause that is but a subject and `is`, `isn't`, `does`, `don't`: the clause before, of another."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses[1:], 1):
        verb, before = clause.verbs[0], clauses[index - 1]
        tail = [
            t.low for t in s.toks[verb.end : clause.hi] if t.kind != "p" and t.low not in ("though", "tho", "either")
        ]
        if (
            verb.lemma not in _AUXILIARY
            or len(clause.verbs) > 1
            or verb.inverted
            or tail
            or verb.modal
            or clause.shared
        ):
            continue
        if verb.tense not in ("pres", "past") or "too" in verb.adverbs or clause.subject is None:
            continue
        being = before.verbs[-1].lemma == "be"
        if (verb.lemma == "be") != being or s.question or s.stated(clause, index, clauses) == 0.0:
            continue
        a, b = s.toks[before.lo].start, s.toks[max(before.lo, before.hi - 1)].end
        kinds = _OF_BEING if being else _DOING
        base = [r for r in out if a <= r.start and r.end <= b and r.predicate in kinds]
        if not base or (verb.tense == "past" and not verb.neg):
            continue
        denied = not verb.neg and any(r.negative for r in base)
        for name, sure, kind in s.who(clause, index, clauses):
            for r in base:
                if kind != "person" or name == r.subject or r.derived or r.start != base[-1].start:
                    continue
                if denied and not r.negative:
                    continue
                said = replace(r, subject=name, text=None, cue=None, time_text=None, confidence=min(sure, 0.75))
                said.start, said.end = s.span(clause)
                said.negative, said.starts, said.ends, said.past = verb.neg, s.turn.t_ref, None, False
                if r.ends is None or "still" in verb.adverbs or verb.neg:
                    got.append(said)
    return new(got, [r for r in out if r.negative is False])
