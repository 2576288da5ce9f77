"""What others say one is, and one is not: `he says "she's a cat lover". I'm not.`, `they call me a vegan, I'm not`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token, tokenize

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["ascribed"]

_OTHERS = frozenset("he she they you".split())
_BE = frozenset("am is are 's".split())
_SAY = frozenset("call say tell think claim assume swear insist announce joke believe figure reckon".split())
_AFTER = frozenset("though really at one honestly actually but and i anymore".split())
_NOTHING = re.compile(r"[\W_]*(?:and|but|well|except|only|which|no)?[\W_]*\Z", re.IGNORECASE)


def ascribed(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Denies what was ascribed to the speaker in the words before; notes what is ascribed in these."""
    turn = s.turn
    got: list[Reading] = []
    said = _quoted(s, clauses) + _reported(s, clauses)
    for index, clause in enumerate(clauses):
        first = clause.subject is not None and s.toks[clause.subject[0]].low == "i"
        verb = clause.verbs[0]
        tail = s.toks[verb.end : clause.hi]
        short = verb.lemma == "be" and verb.neg and verb.tense == "pres" and not verb.longer
        if not first or not short or (tail and tail[0].kind != "p" and tail[0].low not in _AFTER):
            continue
        a, b = s.span(clause)
        known = [r for r in (*turn.ascribed, *said) if r.end <= a and _NOTHING.match(turn.text, r.end, a)]
        if known and not s.question and s.stated(clause, index, clauses):
            got += [replace(r, start=a, end=b, negative=True, confidence=0.7) for r in known]
    turn.ascribed = said
    return got


def _quoted(s: Sentence, clauses: list[Clause]) -> list[Reading]:
    """`he says "she's a cat person"`: of the speaker, if of anybody here."""
    out: list[Reading] = []
    for i, t in enumerate(s.toks):
        if t.kind != "q" or not any(c.verbs[-1].lemma in _SAY and c.verbs[-1].end <= i for c in clauses):
            continue
        inner = tokenize(s.turn.text, t.start + 1, t.end - 1)
        at = next((k for k in range(min(4, len(inner) - 2)) if inner[k].low in _OTHERS), None)
        if at is not None and inner[at + 1].low in _BE:
            out += _of_me(s, inner[at : at + 2], inner[at + 2 :], t.start, t.end)
    return out


def _reported(s: Sentence, clauses: list[Clause]) -> list[Reading]:
    """`people say I'm a morning person`, `they call me a vegan`."""
    out: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        k = verb.end
        if verb.lemma == "call" and k + 1 < clause.hi and s.toks[k].low == "me" and s.toks[k + 1].low in ("a", "an"):
            out += _of_me(s, s.toks[k : k + 2], s.toks[k + 1 : clause.hi], *s.span(clause))
        above = clauses[clause.under].verbs[-1] if clause.under is not None else None
        mine = clause.subject is not None and s.toks[clause.subject[0]].low == "i"
        teller = clauses[clause.under].subject if clause.under is not None else None
        told = teller is not None and s.toks[teller[0]].low not in ("i", "we")
        told = told and index > 0 and above is not None and above.lemma in _SAY
        if mine and told and verb.lemma == "be" and not verb.neg:
            out += _of_me(s, s.toks[verb.start : verb.start + 1] * 2, s.toks[verb.end : clause.hi], *s.span(clause))
    return out


def _of_me(s: Sentence, like: list[Token], rest: list[Token], a: int, b: int) -> list[Reading]:
    """What `I am` and these words would say, at text[a:b]."""
    me = Token("I", "i", like[0].start, like[0].end, "w")
    am = Token("am", "am", like[-1].start, like[-1].end, "w")
    while rest and rest[-1].kind == "p":
        rest = rest[:-1]
    toks = [me, am, *rest]
    clauses = s.e.splitter.split(toks)
    if not rest or not clauses or clauses[0].subject is None:
        return []
    run = type(s)(s.e, s.turn, toks, [], "")
    read = run.clause(clauses[0], 0, clauses)
    kinds = ("likes", "is_a", "job_title", "diet", "nationality", "has_condition")
    return [replace(r, start=a, end=b) for r in read if r.predicate in kinds and not r.negative and r.ends is None]
