"""A verb said once of several: `Ana works at Acme and Ben at Bolt`, `I play the cello, my brother the flute`.

What follows the second subject has the form of what follows the verb: both an article, the same preposition, both a
number, or both a language. So much alike, the verb is understood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import present

if TYPE_CHECKING:
    from lean_memory.extract.clauses import Clause
    from lean_memory.extract.english import English

__all__ = ["gapped"]

_JOINS = frozenset("and while but whereas".split()) | {",", ";"}
_ALIKE = (frozenset("a an".split()), frozenset({"the"}))
_LINKS = frozenset("in at for from with near as on under to".split())
_PLAIN = frozenset("i we you they".split())
_BE = frozenset("am is are was were 's".split())


def gapped(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """The sentence without what the verb is missing from, and that with the verb in it."""
    more: list[list[Token]] = []
    i = 2
    while i < len(toks) - 2:
        if toks[i].low not in _JOINS:
            i += 1
            continue
        a = i + 1 + (toks[i].kind == "p" and toks[i + 1].low in ("and", "while", "but"))
        b = _subject(english, toks, a)
        stop = _stop(english, toks, b) if b > a else b
        verb = _verb(english, toks, i) if b < stop else None
        if verb is None or not _parallel(english, toks, verb, i, b, stop):
            i += 1
            continue
        more.append([*toks[a:b], *_finite(english, toks, verb, a, b), *toks[b:stop]])
        toks = [*toks[:i], *toks[stop:]]
    return toks, more


def _subject(english: English, toks: list[Token], a: int) -> int:
    """Where the name or relative that begins at a ends; a when none does."""
    if a >= len(toks) or toks[a].kind != "w":
        return a
    b = a if not toks[a].capital else english.people.name_at(toks, a)
    if b > a:  # `Lou Korean`: the language is no part of the name
        return b - 1 if b > a + 1 and toks[b - 1].low in english.lex["languages"] else b
    if toks[a].low in english.lex["possessives"] and a + 1 < len(toks) and toks[a + 1].low in english.people.relations:
        return max(a + 2, english.people.name_at(toks, a + 2) if a + 2 < len(toks) else 0)
    return (
        a + 1 if toks[a].low in ("i", "he", "she", "mine", "hers") and toks[a].low in english.lex["nominative"] else a
    )


def _stop(english: English, toks: list[Token], b: int) -> int:
    """Where the words that follow the second subject end: at a mark, or where a third subject begins."""
    for k in range(b + 1, len(toks)):
        if toks[k].kind == "p" and toks[k].low in ",;:—!?.()":
            return k
        if toks[k].low in ("and", "but", "so", "because", "who", "which") and toks[k].kind == "w":
            return k
    return len(toks)


def _verb(english: English, toks: list[Token], i: int) -> Clause | None:
    """The last clause before i, if it has a subject of its own and stands in the plain present or past."""
    if not any(t.low in english.forms or t.low in _BE for t in toks[:i]):
        return None
    clauses = english.splitter.split(toks[:i])
    if not clauses:
        return None
    clause = clauses[-1]
    plain = clause.subject is not None and not clause.shared and clause.under is None
    verb = clause.verbs[0]
    return clause if plain and not verb.inverted and verb.modal is None and len(clause.verbs) == 1 else None


def _parallel(english: English, toks: list[Token], clause: Clause, i: int, b: int, stop: int) -> bool:
    verb = clause.verbs[0]
    tail, rest = toks[_link(toks, clause, b) : i], toks[b:stop]
    if not tail or len(rest) > 6 or toks[verb.start].low in ("give", "gave", "gives", "tell", "told", "tells"):
        return False
    f, g = tail[0], rest[0]
    if any(t.low in _BE or (t.low in english.forms and _finite_form(english, t)) for t in rest):
        return False
    if f.low in _LINKS and f.low == g.low and len(rest) > 1:
        after, before = rest[1], tail[1] if len(tail) > 1 else f
        if g.low == "to" and after.text.islower() and after.low in english.forms:
            return False  # `to relax`
        return after.capital == before.capital or after.low in english.lex["determiners"]
    if any(f.low in same and g.low in same for same in _ALIKE):
        last = tail[-1]  # `a car for Tom and Ana a bike` is bought, or given
        return len(rest) > 1 and rest[1].kind == "w" and not (last.capital and tail[-2:-1] and tail[-2].low in _LINKS)
    languages = english.lex["languages"]
    if f.low in languages and g.low in languages and toks[b - 1].low not in languages:
        return len(tail) == 1 and len(rest) == 1
    return f.kind == g.kind == "n" and f.low.isdigit() and g.low.isdigit() and len(rest) == 1 and verb.lemma == "be"


def _link(toks: list[Token], clause: Clause, b: int) -> int:
    """Where what differs begins: behind the verb, or `allergic` in `is allergic to wasps, my father to bees`."""
    end = clause.verbs[0].end
    if clause.verbs[0].lemma == "be" and toks[b].low in _LINKS:
        for k in range(end + 1, min(end + 3, len(toks))):
            if toks[k].low == toks[b].low and toks[end].low not in _LINKS:
                return k
    return end


def _finite_form(english: English, t: Token) -> bool:
    """A form that can be nothing but a verb with a subject: `moved`, `works`, not `coach`."""
    tags = (english.forms.get(t.low) or ("", ""))[1]
    return not t.capital and "d" in tags and "b" not in tags


def _finite(english: English, toks: list[Token], clause: Clause, a: int, b: int) -> list[Token]:
    """The verb, in the form that goes with its second subject."""
    verb = clause.verbs[0]
    said = toks[verb.start : _link(toks, clause, b)]
    first, low = said[0], toks[b - 1].low
    known = english.forms.get(first.low)
    if first.low in _BE:
        past = first.low in ("was", "were")
        be = "am" if low == "i" and not past else "was" if past else "is"
        return [_word(be, first), *said[1:]]
    if first.low in ("has", "have"):
        return [_word("have" if low in _PLAIN else "has", first), *said[1:]]
    if known is None or "d" in known[1]:
        return said
    return [_word(known[0] if low in _PLAIN else present(known[0]), first), *said[1:]]


def _word(low: str, like: Token) -> Token:
    """A word that is understood, at the place of one that is written."""
    return Token(low, low, like.start, like.end, "w")
