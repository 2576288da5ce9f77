"""Allergies named as things: `nut allergy here`, `celery allergy on my end`, `no sesame for me, severe allergy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.objects import Value
    from lean_memory.extract.sentence import Sentence

__all__ = ["allergies"]

_WORDS = frozenset("allergy allergies intolerance".split())
_DEGREES = frozenset(
    "severe bad mild slight serious proper terrible deadly known nasty major awful strong full-blown life-threatening "
    "real massive horrible confirmed new acute moderate minor genuine lifelong food drug skin seasonal".split()
)
_SIDES = frozenset("end side part behalf account".split())
_NOT_BEFORE = frozenset("no any about without for against of if your their the this that to".split())
_ENDS = frozenset("so but because since and which that as too btw though if".split())


def allergies(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """What somebody is allergic to, by the noun for it."""
    toks = s.toks
    got = _said_as_condition(s, out)
    if s.question:
        return got
    for i, t in enumerate(toks):
        if t.low not in _WORDS or any(r.predicate == "allergic_to" for r in [*out, *got]):
            continue
        a = i
        while a > 0 and toks[a - 1].kind == "w" and toks[a - 1].low not in s.e.lex["determiners"] | _NOT_BEFORE:
            if toks[a - 1].low in s.e.lex["possessives"] or toks[a - 1].low in s.e.forms or toks[a - 1].low == "'s":
                break
            a -= 1
        if toks[a - 1 : a] and toks[a - 1].low in _NOT_BEFORE:
            continue
        owner, sure = _owner(s, clauses, a, i)
        values = _allergens(s, a, i) or (_without(s, i) if toks[a - 1 : a] and toks[a - 1].kind == "p" else [])
        if owner is not None:
            end, now = toks[i].end, s.turn.t_ref
            got += [
                Reading(owner, "allergic_to", v.text, toks[min(a, v.a)].start, end, starts=now, confidence=sure)
                for v in values
            ]
    return new(got, out)


def _allergens(s: Sentence, a: int, b: int) -> list[Value]:
    while a < b and (s.toks[a].low in _DEGREES or s.toks[a].low in s.e.lex["adverbs"] or s.toks[a].kind == "p"):
        a += 1
    return s.clean("allergen", a, b) if a < b else []


def _said_as_condition(s: Sentence, out: list[Reading]) -> list[Reading]:
    """`I have a mild walnut allergy`: no condition of that name; walnuts are what it is about."""
    for r in out:
        words = r.object.split()
        while r.predicate == "allergic_to" and len(words) > 1 and words[0].lower() in _DEGREES:
            words = words[1:]
            r.object = " ".join(words)
        if r.predicate == "has_condition" and words[-1].lower() in _WORDS and len(words) > 1:
            while len(words) > 2 and words[0].lower() in _DEGREES:
                words = words[1:]
            if words[0].lower() not in _DEGREES:
                r.predicate, r.object = "allergic_to", " ".join(words[:-1])
    return []


def _owner(s: Sentence, clauses: list[Clause], a: int, i: int) -> tuple[str | None, float]:
    """Whose allergy tokens [a, i] are, and how sure that is."""
    toks, me = s.toks, s.turn.speaker
    before = toks[a - 1].low if a else ""
    after = [t.low for t in toks[i + 1 : i + 5]]
    if before in ("my", "our"):
        return me, 0.9
    if before in ("his", "her"):
        found = s.antecedent(before, a - 1)
        return (found.name, 0.8) if found else (None, 0.0)
    if before == "'s":
        m = s.mention_at(max(0, a - 2), a - 1)
        return (m.name, 0.85) if m is not None and m.kind == "person" and m.owner != "you" else (None, 0.0)
    if after[:1] == ["here"] or (after[:2] in (["on", "my"], ["on", "our"], ["from", "my"]) and {*after} & _SIDES):
        return me, 0.85
    if after[:2] in (["for", "me"], ["over", "here"]):
        return me, 0.8
    opens = a == 0 or toks[a - 1].kind == "p" or before in ("a", "an")
    closed = i + 1 >= len(toks) or toks[i + 1].kind == "p" or toks[i + 1].low in _ENDS
    others = any(m.kind == "person" and m.name != me and not a <= m.start <= i for m in s.mentions)
    mine = not clauses or any(t.low in ("i", "me", "my") for t in toks)
    begun = clauses and any(c.verbs[0].start < a < c.hi and c.subject is not None for c in clauses)
    if opens and closed and mine and not others and not begun and before not in ("a", "an"):
        return me, 0.7
    return None, 0.0


def _without(s: Sentence, i: int) -> list[Value]:
    """`no sesame for me please, severe allergy`: what the allergy is about was named before."""
    toks = s.toks
    for k in range(min(i, len(toks) - 3)):
        if toks[k].low != "no" or (k and toks[k - 1].kind == "w"):
            continue
        stop = next((x for x in range(k + 1, min(i, k + 5)) if toks[x].low == "for"), None)
        if stop is not None and stop > k + 1 and toks[stop + 1].low in ("me", "us"):
            return s.clean("allergen", k + 1, stop)
    return []
