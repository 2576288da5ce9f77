"""Where a working life led: `maths at York, then six years as a clerk at Acme, and now I teach`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["careers"]

_ABOUT_A_LIFE = frozenset("cv career background resume résumé path bio story education history".split())
_SPANS = frozenset("year years decade decades month months stint spell".split())
_LEADS = frozenset("then first and also later before after that afterwards next finally a an".split())
_GOES_ON = frozenset("now nowadays currently today these".split())


def careers(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """The stations of a life, between commas: what was studied where, and so many years as what, at whose."""
    toks = s.toks
    if s.question:
        return []
    headed = any(t.low in _ABOUT_A_LIFE for t in toks[:6])
    cuts = [-1, *(i for i, t in enumerate(toks) if t.kind == "p" and t.low in ",;:—.!"), len(toks)]
    verbs = [v.start for c in clauses for v in c.verbs]
    pieces = [(x + 1, y) for x, y in itertools.pairwise(cuts) if x + 1 < y]
    later = any(t.low in _GOES_ON or t.low == "then" for t in toks)
    if not headed and not later:
        return []
    got: list[Reading] = []
    for n, (a, b) in enumerate(pieces):
        last = n == len(pieces) - 1
        if any(a <= v < b for v in verbs) or (b < len(toks) and toks[b].low == ":"):
            continue
        got += _studies(s, a, b) or _years(s, a, b, over=not last or headed)
        if n == 0 and not got and not headed:
            return []
    return new(got, out)


def _lead(s: Sentence, a: int, b: int) -> int:
    while a < b and s.toks[a].low in _LEADS:
        a += 1
    return a


def _studies(s: Sentence, a: int, b: int) -> list[Reading]:
    """`maths at York University`, `a physics degree at Leeds`."""
    a = _lead(s, a, b)
    at = next((k for k in range(a + 1, b - 1) if s.toks[k].low in ("at", "from", "in")), None)
    if at is None or at - a > 4:
        return []
    head = s.toks[at - 1].low
    degree = head in ("degree", "phd", "masters", "ma", "ba", "bsc", "msc", "doctorate")
    field = s.clean("field_known", a, at - degree) if at - degree > a else []
    school = s.clean("school_known", at + 1, b) or (s.clean("school", at + 1, b) if field else [])
    if not school or (not field and not degree):
        return []
    return [
        *(_over(s, "studied_at", v.text, a, b, event=True) for v in school[:1]),
        *(_over(s, "field_of_study", v.text, a, b, event=True) for v in field[:1]),
    ]


def _years(s: Sentence, a: int, b: int, *, over: bool) -> list[Reading]:
    """`seven years as a clerk with Acme`."""
    toks = s.toks
    a = _lead(s, a, b)
    k = next((k for k in range(a, min(b, a + 4)) if toks[k].low in _SPANS), None)
    if k is None or k + 2 >= b or not over:
        return []
    link = toks[k + 1].low
    got: list[Reading] = []
    stop = next((x for x in range(k + 2, b) if toks[x].low in ("at", "with", "for", "in")), b)
    if link in ("as", "in"):
        got += [_over(s, "job_title", v.text, a, b) for v in s.clean("job", k + 2, stop)[:1] if link == "as"]
    elif link in ("at", "with"):
        stop = k + 1
    else:
        return []
    if stop < b - 1 and toks[stop].low in ("at", "with", "for"):
        got += [_over(s, "works_at", v.text, a, b) for v in s.clean("org", stop + 1, b)[:1]]
    return got


def _over(s: Sentence, predicate: str, value: str, a: int, b: int, *, event: bool = False) -> Reading:
    now = s.turn.t_ref
    ends = None if event else now
    start = now if event else None
    begin, end = s.toks[a].start, s.toks[b - 1].end
    return Reading(s.turn.speaker, predicate, value, begin, end, starts=start, ends=ends, confidence=0.75, past=True)
