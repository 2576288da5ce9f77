"""What one was and is, without a verb: `Formerly a butcher, currently a vegan`, `once a smoker, now a runner`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["then_and_now"]

_THEN = frozenset("formerly previously once originally ex former erstwhile".split())
_NOW = frozenset("currently now nowadays today presently lately".split())
_LEADS = frozenset("and but so then also me: me i'm".split())
_KINDS = frozenset("job_title is_a diet works_at lives_in from nationality studies_at likes has_condition".split())


def then_and_now(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Pieces that begin with `formerly` or `now`, the first with `formerly`: over, and so."""
    toks = s.toks
    if s.question or any(not v.bare for c in clauses for v in c.verbs[:1] if v.start < 2):
        return []
    cuts = [-1, *(i for i, t in enumerate(toks) if t.kind == "p" and t.low in ",;—-.!:("), len(toks)]
    got: list[Reading] = []
    begun = False
    for x, y in itertools.pairwise(cuts):
        a, b = x + 1, y
        while a < b and toks[a].low in _LEADS:
            a += 1
        if a >= b or b - a > 8:
            continue
        over, now = _opens(s, a, b, _THEN), _opens(s, a, b, _NOW)
        if toks[a].low.startswith("ex-") and not begun and s.e.objects.is_job(_bare(toks[a]), 0, 1):
            begun = True
            got.append(_was(s, toks[a]))
            continue
        if not over and not (now and begun):
            if toks[a].low in s.e.lex["subject_pronouns"]:
                return new(got, out)
            continue
        if any(a <= v.start < b for c in clauses for v in c.verbs):
            continue
        begun = begun or bool(over)
        got += _piece(s, over or now, b, over=bool(over))
    return new(got, out) if begun else []


def _opens(s: Sentence, a: int, b: int, words: frozenset[str]) -> int:
    """Where what follows such a word begins; 0 without one."""
    toks = s.toks
    if a + 1 >= b:
        return 0
    if toks[a].low in words:
        return a + 1 + (toks[a + 1].kind == "p")
    if toks[a].low == "these" and toks[a + 1].low == "days" and "now" in words:
        return a + 2
    return 0


def _bare(t: Token) -> list[Token]:
    """`ex-banker` without `ex-`."""
    return [Token(t.text[3:], t.low[3:], t.start + 3, t.end, "w")]


def _was(s: Sentence, t: Token) -> Reading:
    now = s.turn.t_ref
    return Reading(s.turn.speaker, "job_title", t.text[3:], t.start, t.end, ends=now, confidence=0.75, past=True)


def _piece(s: Sentence, a: int, b: int, *, over: bool) -> list[Reading]:
    who = [(s.turn.speaker, 0.75, "person")]
    if a >= b:
        return []
    at = a
    if s.toks[a].low in ("at", "with", "in"):  # `previously at Acme`
        verb = Verb("work" if s.toks[a].low != "in" else "live", at, at, used_to=over, bare=True)
    else:
        verb = Verb("be", at, at, used_to=over, bare=True)
    if over:
        verb.tense = "past"
    clause = Clause(a, b, None, [], [verb], elided=True, broken=True)
    return [r for r in s.verb(clause, verb, who, set()) if r.predicate in _KINDS]
