"""Trades that one trained for: `I trained as a carpenter at Hollis College`. Who trained need not work as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.dated import Dated, dated
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["trades"]

_TRAINED = {"train": "trained", "apprentice": "trained", "retrain": "retrained", "qualify": "qualified"}
_TO_BE = (["to", "be"], ["to", "become"])


def trades(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """The trade is a skill of whoever learned it, a field of study of whoever still does; the place is a school."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = next((v for v in clause.verbs if v.lemma in _TRAINED), None)
        if verb is None or verb.neg or verb.phase is not None or verb.modal is not None:
            continue
        learning = verb.tense == "pres" and verb.prog
        begin = _trade(s, verb, clause)
        if begin is None or not (learning or verb.tense in ("past", "perf")) or not s.stated(clause, index, clauses):
            continue
        jobs = s.clean("job", begin, clause.hi)[:1]
        then = dated(s, s.clause_times(clause).pick("at"))
        for name, sure, kind in s.who(clause, index, clauses) if jobs else ():
            if kind == "person":
                got += _said(s, clause, verb, jobs[0].text, name, sure, then, learning)
        if jobs and not learning:
            got += _at(s, clause, jobs[0].b, index, clauses, out, then)
    return got


def _trade(s: Sentence, verb: Verb, clause: Clause) -> int | None:
    """Where the trade stands: behind `as` or `to become`, with an article."""
    place = s.toks[verb.end : verb.end + 1] and s.toks[verb.end].low in ("at", "with")  # `trained at X as a ..`
    for i in range(verb.end, min(clause.hi - 1, verb.end + 5 if place else verb.end + 1)):
        words = [t.low for t in s.toks[i : i + 2]]
        after = i + 1 if words[0] == "as" else i + 2 if words in _TO_BE else None
        if after is not None and after < clause.hi:
            return after if s.toks[after].low in ("a", "an") else None
    return None


def _said(
    s: Sentence, clause: Clause, verb: Verb, job: str, name: str, sure: float, then: Dated, learning: bool
) -> list[Reading]:
    if not learning and verb.lemma in ("retrain", "qualify"):
        return []  # the table has these: it is the job now
    article = "an" if job[0].lower() in "aeiou" else "a"
    said = "is training" if learning else _TRAINED[verb.lemma]
    text = f"{name} {said} as {article} {job}"
    predicate = "field_of_study" if learning else "skilled_in"
    reading = Reading(name, predicate, job, *s.span(clause), confidence=round(0.9 * sure, 2), text=text)
    return [then.begin(reading)]


def _owned(s: Sentence, i: int) -> bool:
    """`Orlo's`: is the name one with a possessive?"""
    return i < len(s.toks) and s.toks[i].low == "'s"


def _at(
    s: Sentence, clause: Clause, a: int, index: int, clauses: list[Clause], out: list[Reading], then: Dated
) -> list[Reading]:
    """`.. at Kent Law School`, unless that is read already."""
    at = next((i for i in range(a, clause.hi - 1) if s.toks[i].low in ("at", "with")), None)
    schools = s.clean("school", at + 1, clause.hi)[:1] if at is not None else []
    known = {(r.subject, r.object) for r in out if r.predicate in ("studied_at", "studies_at", "works_at")}
    return [
        then.begin(
            Reading(
                name,
                "studied_at",
                s.text(v.a, v.b + _owned(s, v.b)),
                *s.span(clause),
                confidence=round(0.9 * sure, 2),
                past=True,
            )
        )
        for name, sure, kind in s.who(clause, index, clauses)
        for v in schools
        if kind == "person" and (name, v.text) not in known
    ]
