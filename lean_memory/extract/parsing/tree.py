"""A sentence's dependency tree over the tokens of the rules."""

from __future__ import annotations

from lean_memory.extract.tokens import Token
from lean_memory.parses import DependencyParser, Word

__all__ = ["COPULAS", "SUBJECTS", "Tree"]

SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NOUN_PARTS = frozenset("det poss amod compound nummod nmod quantmod predet case neg".split())
_CLAUSAL = frozenset("relcl acl advcl ccomp parataxis appos conj cc preconj punct".split())
_POINTING = frozenset("it that this these those here there what".split())
COPULAS = frozenset("is are was were 's".split())
_QUOTED = "this"  # stands for a quotation, which is one token


class Tree:
    """`words[i]` is the node of `toks[i]`; `below[i]` are the places of what depends on it, in order."""

    def __init__(self, toks: list[Token], parser: DependencyParser) -> None:
        self.toks = toks
        self.words: list[Word] = parser.parse([_as_parsed(token) for token in toks])
        self.below: list[list[int]] = [[] for _ in toks]
        for i, word in enumerate(self.words):
            if word.head != i:
                self.below[word.head].append(i)

    def dep(self, i: int) -> str:
        """The label of i."""
        return self.words[i].dep

    def is_verb(self, i: int) -> bool:
        """Is i tagged as a verb form or an auxiliary?"""
        return self.words[i].tag.startswith("VB") or self.words[i].tag == "MD"

    def first(self, i: int, *deps: str) -> int | None:
        """The first dependant of i with one of the labels."""
        return next((j for j in self.below[i] if self.words[j].dep in deps), None)

    def subtree(self, i: int, *, leave: frozenset[str] = frozenset()) -> list[int]:
        """All places under i and i itself, in order, without what hangs below by a label of `leave`."""
        out, todo = [], [i]
        while todo:
            at = todo.pop()
            out.append(at)
            todo += [j for j in self.below[at] if self.words[j].dep not in leave]
        return sorted(out)

    def phrase(self, i: int) -> list[int]:
        """The noun phrase of i as one unbroken stretch: no relative clause, no apposition, no coordinated others."""
        return _unbroken(self.subtree(i, leave=_CLAUSAL), i)

    def noun(self, i: int) -> tuple[int, int]:
        """[a, b) of the noun at i with what stands before it: `my brother's wife`; a name in apposition counts in."""
        lo = i
        for j in self.below[i]:
            if j < i and self.words[j].dep in _NOUN_PARTS:
                lo = min(lo, self.subtree(j, leave=_CLAUSAL)[0])
        hi = i + 1
        if hi < len(self.toks) and self.words[hi].dep == "appos" and self.words[hi].head == i and self.toks[hi].capital:
            hi += 1
        while lo < i and self.toks[lo].kind == "p":
            lo += 1
        return lo, hi

    def same_as(self, i: int) -> int | None:
        """The noun that a copula equates with the noun i: Acme in `the firm I work for is Acme`."""
        outer = self.words[i].head
        if self.dep(i) not in ("nsubj", "attr") or self.toks[outer].low not in COPULAS:
            return None
        other = self.first(outer, "attr", "acomp") if self.dep(i) == "nsubj" else self.first(outer, "nsubj")
        return None if other is None or other == i or self.toks[other].low in _POINTING else other

    def coordinated(self, i: int) -> list[int]:
        """i and the nouns coordinated with it."""
        out = [i]
        for j in self.below[i]:
            if self.words[j].dep == "conj" and not self.is_verb(j):
                out += self.coordinated(j)
        return out


def _unbroken(places: list[int], around: int) -> list[int]:
    at = places.index(around)
    lo = hi = at
    while lo > 0 and places[lo - 1] == places[lo] - 1:
        lo -= 1
    while hi + 1 < len(places) and places[hi + 1] == places[hi] + 1:
        hi += 1
    return places[lo : hi + 1]


def _as_parsed(token: Token) -> str:
    if token.kind == "q":
        return _QUOTED
    if token.low == "i":
        return "I"
    return token.low if token.kind == "w" and token.text.lower() != token.low and token.low.isalpha() else token.text
