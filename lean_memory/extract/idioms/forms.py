"""Entries of a form about one's health: `allergic to nuts, asthma as a child, currently on warfarin`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["forms"]

_HEADS = frozenset(
    "form questionnaire history intake medical health dentist dental doctor gp clinic hospital allergies conditions "
    "medication patient checklist screening card".split()
)
_LEADS = frozenset("currently now still also and plus already only just has".split())
_OVER = frozenset("child kid teenager teen childhood past young boy girl baby previously formerly former once".split())
_STOPS = frozenset("since for from as in when but until".split())
_GONE = (
    ("not", "any", "more"), ("not", "anymore"), ("no", "longer"), ("gone", "now"), ("now", "gone"), ("outgrown",),
    ("but", "outgrown"), ("since", "recovered"), ("cleared", "up"), ("long", "gone"), ("but", "gone"), ("none", "now"),
    ("not", "now"), ("grew", "out"), ("over", "it", "now"), ("in", "remission"),
)  # fmt: skip


def forms(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Of each piece without a verb of its own, what it says of the speaker's health, where all is about that."""
    toks = s.toks
    if s.question or any(t.low in ("he", "she", "they", "you") for t in toks):
        return []
    colon = next((i for i, t in enumerate(toks[:8]) if t.low == ":" and t.kind == "p"), None)
    headed = colon is not None and any(t.low in _HEADS for t in toks[:colon])
    begin = colon + 1 if headed and colon is not None else 0
    if colon is not None and not headed:
        return []
    marks = (i for i in range(begin, len(toks)) if toks[i].kind == "p" and toks[i].low in ",;.!—|")
    pieces = [(x + 1, y) for x, y in itertools.pairwise([begin - 1, *marks, len(toks)]) if x + 1 < y]
    subjects = [c for c in clauses if c.subject is not None]
    bare = [(a, b) for a, b in pieces if not any(a <= c.verbs[0].start < b for c in subjects)]
    first = bare and bare[0] == pieces[0] and _opens(s, *bare[0])
    if not headed and not (first and len(bare) > 1):
        return []
    got: list[Reading] = []
    for a, b in bare:
        if got and _says(s, a, b, _GONE):
            got[-1] = _ended(s, got[-1])
            continue
        got += _entry(s, a, b)
    said = {(r.subject, r.predicate) for r in out if r.predicate in ("takes_medication",)}
    return new([r for r in got if (r.subject, r.predicate) not in said], out)


def _opens(s: Sentence, a: int, b: int) -> bool:
    """Does the list begin with something about health?"""
    low = s.toks[a].low
    known = s.e.lex["adjective_conditions"] | s.e.lex["conditions"] | s.e.lex["diets"] | {"allergic", "intolerant"}
    return low in known or (low == "on" and bool(s.clean("medicine_known", a + 1, b)))


def _says(s: Sentence, a: int, b: int, phrases: tuple[tuple[str, ...], ...]) -> bool:
    words = [t.low for t in s.toks[a:b] if t.low not in ("but", "and", "though", "luckily", "thankfully")]
    return any(tuple(words[: len(phrase)]) == phrase for phrase in phrases)


def _ended(s: Sentence, r: Reading) -> Reading:
    if r.predicate in ("has_condition", "allergic_to", "takes_medication"):
        r.starts, r.ends, r.past, r.time_text = None, s.turn.t_ref, True, None
    return r


def _entry(s: Sentence, a: int, b: int) -> list[Reading]:
    toks = s.toks
    while a < b and toks[a].low in _LEADS:
        a += 1
    if a >= b or toks[a].low in ("no", "not", "none", "never"):
        return []
    low = toks[a].low
    mark = next((k for k in range(a + 1, b) if toks[k].low in ("as", "in", "when", "but", "until", "not")), b)
    over = any(t.low in _OVER for t in toks[mark:b]) or low in _OVER or _any_gone(s, mark, b)
    if low in _OVER:
        a += 1
    if low in ("on", "takes", "taking", "take"):
        values = s.clean("medicine_known", a + 1, b)
        return [_reading(s, "takes_medication", v.text, a, b) for v in values]
    if low in ("allergic", "intolerant") or low in s.e.lex["adjective_conditions"] or low in s.e.lex["diets"]:
        verb = Verb("be", a, a, bare=True)
        clause = Clause(a, b, None, [], [verb], elided=True, broken=True)
        kinds = ("allergic_to", "has_condition", "diet")
        return [r for r in s.verb(clause, verb, [(s.turn.speaker, 0.8, "person")], set()) if r.predicate in kinds]
    if low in ("had", "has", "have"):
        a += 1
    stop = next((k for k in range(a, b) if toks[k].low in _STOPS), b)
    got = [_reading(s, "has_condition", v.text, a, b) for v in s.clean("condition", a, stop)] if a < stop else []
    return [_ended(s, r) for r in got] if over or low == "had" else got


def _any_gone(s: Sentence, a: int, b: int) -> bool:
    return any(_says(s, k, b, _GONE) for k in range(a, b))


def _reading(s: Sentence, predicate: str, value: str, a: int, b: int) -> Reading:
    begin, end = s.toks[a].start, s.toks[b - 1].end
    return Reading(s.turn.speaker, predicate, value, begin, end, starts=s.turn.t_ref, confidence=0.8)
