"""Conditions, medicines, foods."""

from __future__ import annotations

import itertools

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Health"]


_ALSO_OTHERWISE = frozenset("contacts glasses specs cane retainer".split())
_FOOD_ENDS = frozenset("so but because since for though if when and-so which . ; — (".split())
_FEVERS = frozenset("hay glandular rheumatic yellow dengue scarlet".split())


class Health(Cutter):
    """Conditions, medicines, foods."""

    def _condition(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        known = self._lex["conditions"]
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            whole = y
            x, y = self._strip(toks, x, y)
            y += y < whole and toks[y].low == "back" and toks[y - 1].low in self._w["ailing"]  # `a bad back`
            stop = y
            for i in range(x + 1, y):
                if toks[i].low in self._w["condition_ends"]:
                    stop = i
                    break
            y = stop
            hit = next(
                (
                    i
                    for i in range(x, y)
                    if toks[i].low in known
                    or toks[i].low.endswith(("itis", "osis", "emia", "aemia", "algia", "phobia", "pathy"))
                    or (i > x and toks[i].low == "fever" and toks[i - 1].low in _FEVERS)
                    or (toks[i].low in ("underactive", "overactive") and i + 1 < y)
                ),
                None,
            )
            if hit is None and self._bad_part(toks, x, y):
                hit = y - 1
            if hit is None or y - x > 6:
                if index == 0:
                    return []
                break
            if toks[x].low in ("no", "high", "low") and toks[hit].low not in ("pressure", "cholesterol"):
                return out
            if toks[hit].low in self._w["not_conditions_alone"] and y - x < 2:
                continue
            if toks[hit].low in ("pressure",) and "blood" not in {t.low for t in toks[x:y]}:
                continue
            if toks[hit].low in ("condition",) and not {t.low for t in toks[x:y]} & {
                "heart",
                "skin",
                "medical",
                "thyroid",
                "lung",
                "kidney",
                "liver",
            }:
                continue
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def is_part(self, low: str) -> bool:
        """Is this a part of the body?"""
        return low in self._w["body_parts"] or low in (
            "arm",
            "arms",
            "rib",
            "ribs",
            "nose",
            "collarbone",
            "finger",
            "hamstring",
        )

    def _bad_part(self, toks: list[Token], a: int, b: int) -> bool:
        """`a bad hip`, `dodgy knees`: what ails a part of the body."""
        if not a + 1 < b <= a + 5 or toks[b - 1].low not in self._w["body_parts"]:
            return False
        ails = self._w["ailing"]
        return any(t.low in ails for t in toks[a : b - 1]) and (toks[a].low, toks[b - 1].low) != ("broken", "heart")

    def _condition_adjective(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        if x < y and toks[x].low in self._lex["adjective_conditions"]:
            nxt = toks[x + 1] if x + 1 < y else None
            if nxt is None or nxt.kind == "p" or nxt.low in self._w["after_condition_adjective"]:
                return [Value(toks[x].text, x, x + 1)]
            return []
        if (
            x + 1 < y
            and toks[x].low in ("lactose", "gluten", "histamine", "fructose")
            and toks[x + 1].low == "intolerant"
        ):
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        if (
            x + 1 < y
            and toks[x].low in ("colour", "color", "partially", "legally", "hard")
            and toks[x + 1].low in ("blind", "deaf", "sighted")
        ):
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        return []

    def _medicine(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        for x, y in self._chunks(toks, a, b):
            for i in range(x + 1, y):
                if toks[i].low in self._w["medicine_ends"] or toks[i].kind == "n":
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            while x < y and (toks[x].kind == "n" or toks[x].low in ("mg", "tablets", "of", "low-dose", "dose")):
                x += 1
            if x >= y or y - x > 3 or not any(self._is_medicine(t.low) for t in toks[x:y]):
                if not out:
                    return []
                continue
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _is_medicine(self, low: str) -> bool:
        return (
            low in self._w["med_words"]
            or (
                low.endswith(("traline", "triptyline", "cycline", "phylline"))  # the endings below shut out `..line`
            )
            or (
                len(low) > 5
                and low.endswith(tuple(self._w["meds_end"]))
                and low not in self._w["not_meds"]
                and not self.ordinary(low)
                and low not in self._lex["instruments"]
                and low not in self._lex["places"]  # `Berlin`
                and not low.endswith(
                    (
                        "tion",
                        "ing",
                        "line",
                        "site",
                        "phone",
                        "side",
                        "zone",
                        "time",
                        "mine",
                        "stone",
                        "chine",
                        "gate",
                        "mate",
                        "plate",
                        "date",
                        "rate",
                        "state",
                        "school",
                        "stool",
                        "pool",
                    )
                )
            )
        )

    def _medicine_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, _ = self._strip(toks, a, b)
        if x + 1 < b and toks[x].low == "beta" and toks[x + 1].low == "blockers":
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        known = x < b and any(self._is_medicine(t.low) for t in toks[x : min(b, x + 2)] if t.kind == "w")
        return self._medicine(toks, a, b) if known else []

    def _food(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one does not eat: `pork` as the diet `no pork`."""
        b = next((i for i in range(a + 1, b) if toks[i].low in _FOOD_ENDS), b)  # `.., so no ice cream for me`
        return [
            Value(f"no {toks[i].low}", i, i + 1)
            for i in range(a, min(b, a + 6))
            if toks[i].low in self._w["food"] and not (i + 1 < b and toks[i + 1].low in ("free", "-"))
        ]

    def _aid(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What is worn or carried for one's health: `a pacemaker`, `hearing aids`."""
        near = [t.low for t in toks[a : min(b, a + 7)]]
        pairs = [f"{x}_{y}" for x, y in itertools.pairwise(near)]
        if self._w["aids"].isdisjoint(near) and self._w["aids_of_two"].isdisjoint(pairs):
            return []
        y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        for i in range(x, min(y, x + 4)):
            pair = f"{toks[i].low}_{toks[i + 1].low}" if i + 1 < y else ""
            if pair in self._w["aids_of_two"]:
                return [Value(self._text(toks, x, i + 2), x, i + 2)]
            if toks[i].low in self._w["aids"] and (i + 1 == y or toks[i + 1].kind == "p"):
                return [Value(self._text(toks, x, i + 1), x, i + 1)]
        return []

    def _aid_had(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """One that to have is to need: `contacts` may be people, `glasses` to drink from."""
        return [v for v in self._aid(toks, a, b) if toks[v.b - 1].low not in _ALSO_OTHERWISE]
