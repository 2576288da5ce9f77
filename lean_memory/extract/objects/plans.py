"""Wishes, plans, decisions."""

from __future__ import annotations

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Plans"]


class Plans(Cutter):
    """Wishes, plans, decisions."""

    def _wish(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low in ("to",):
            return []
        if toks[a].low not in ("a", "an", "another") and toks[a].kind != "n":
            return []
        if toks[a].low in ("some",):
            return []
        y = self._until(toks, a, b, frozenset("for to so because that who which if when with as but and since".split()))
        x, _ = self._strip(toks, a, y)
        if x >= y or y - x > 6 or toks[y - 1].low in self._lex["vague"] or toks[x].low in self._w["not_wished_first"]:
            return []
        if toks[y - 1].low in self._w["not_wished"]:
            return []
        return [Value(self._text(toks, a, y), a, y)]

    def _plan(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a, b):
            if (toks[i].kind == "p" and toks[i].low in ";:—()!?.") or (i > a and toks[i].low in self._w["plan_ends"]):
                stop = i
                break
            if toks[i].low == "," and i > a:
                stop = i
                break
        _, y = self._strip(toks, a, stop, keep=True)
        x = a
        if x >= y or not self._good(toks, x, y, prepositions=True):
            return []
        if toks[x].low in self._w["not_planned"]:
            return []
        y = min(y, x + 14)
        return [Value(self._text(toks, x, y), x, y)]

    def _against(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`against microservices`: the word belongs to the decision."""
        return self._plan(toks, a, b) if toks[a].low == "against" else []
