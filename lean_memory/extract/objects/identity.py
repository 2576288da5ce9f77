"""Names, ages, dates, numbers, languages, diets, nationalities, children."""

from __future__ import annotations

import re

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Identity"]

_NUMBER = {
    w: str(i)
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
_TENS = {w: 10 * i for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_WORDS_TOO = frozenset("wet est ist mst eet".split())
_PHONE = re.compile(r"\+?\(?\d[\d ()/.-]{4,}\d$")
_ADDRESS = re.compile(r"\d+[a-z]?$", re.I)
_STREETISH = re.compile(
    r"(?:straße|strasse|str\.?|gasse|weg|platz|allee|gata|gatan|vej|laan|straat|plein|utca|ulica|caddesi|rue|via|calle)$",
    re.I,
)


class Identity(Cutter):
    """Names, ages, dates, numbers, languages, diets, nationalities, children."""

    def _name(self, toks: list[Token], a: int, b: int) -> list[Value]:
        b = self._until(toks, a, b, frozenset("and but from by with or in because for so though if when who i".split()))
        if a < b and toks[a].kind == "q":
            return [Value(toks[a].low, a, a + 1)]
        j = a
        while (
            j < b and toks[j].kind == "w" and (toks[j].capital or (j > a and toks[j].low in self._w["name_particles"]))
        ):
            j += 1
        if j > a and j - a <= 5:
            if toks[a].low in self._lex["evaluative"] or (toks[a].low in self._lex["common"] and j - a == 1):
                return []
            return [Value(self._text(toks, a, j), a, j)]
        if b - a <= 2 and toks[a].kind == "w" and toks[a].text.islower() and not self.ordinary(toks[a].low):
            return [Value(self._text(toks, a, a + 1), a, a + 1)]
        return []

    def _person_name(self, toks: list[Token], a: int, b: int) -> list[Value]:
        j = self._people.name_at(toks, a)
        return [Value(self._text(toks, a, j), a, j)] if j > a and j <= b else []

    def _age(self, toks: list[Token], a: int, b: int) -> list[Value]:
        a, b = self._strip(toks, a, b)
        if a >= b:
            return []
        t = toks[a]
        low = t.low
        nxt = toks[a + 1].low if a + 1 < b else ""
        end = a + 1
        number = None
        if t.kind == "n" and low.isdigit() and 0 < int(low) < 120:
            number = int(low)
        elif low in _NUMBER:
            number = int(_NUMBER[low])
        elif low in _TENS:
            number = _TENS[low]
        elif "-" in low and low.split("-")[0] in _TENS and low.split("-")[1] in _NUMBER:
            number = _TENS[low.split("-")[0]] + int(_NUMBER[low.split("-")[1]])
        if number is None:
            return []
        if nxt and toks[a + 1].kind == "w" and nxt not in self._w["after_age"]:
            return []
        if nxt in ("in", "at", "on", "of") and a + 2 < b and toks[a + 2].low in ("total", "all", "them", "us"):
            return []
        return [Value(str(number), a, end)]

    def _date(self, toks: list[Token], a: int, b: int) -> list[Value]:
        a, b = self._strip(toks, a, b)
        while a < b and toks[a].low in self._w["before_date"]:
            a += 1
        keep = a
        ok = False
        while keep < b:
            t = toks[keep]
            if (
                t.low in self._months
                or t.kind in "nx"
                or t.low in self._w["date_words"]
                or (t.low == "," and keep + 1 < b and toks[keep + 1].kind == "n")
            ):
                ok = (
                    ok
                    or t.low in self._months
                    or t.kind == "x"
                    or t.low in ("tomorrow", "today", "eod")
                    or (t.kind == "n" and any(c in t.low for c in "/.-"))
                    or t.low in self._w["date_words_sure"]
                    or (t.kind == "n" and t.low[-2:] in ("th", "st", "nd", "rd"))
                )
                keep += 1
            else:
                break
        while keep > a and toks[keep - 1].low in ("of", "the", ","):
            keep -= 1
        return [Value(self._text(toks, a, keep), a, keep)] if ok and keep > a else []

    def _address(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = a
        number = street = False
        while (
            stop < b
            and not (toks[stop].kind == "p" and toks[stop].low in ";!?().—")
            and toks[stop].low not in self._w["address_ends"]
        ):
            number = number or bool(_ADDRESS.match(toks[stop].low))
            street = street or toks[stop].low in self._w["street"] or bool(_STREETISH.search(toks[stop].low))
            stop += 1
        while stop > a and toks[stop - 1].kind == "p":
            stop -= 1
        if number and stop - a >= 2 and (street or toks[a].kind in "nx"):
            return [Value(self._text(toks, a, stop), a, stop)]
        return []

    def _phone(self, toks: list[Token], a: int, b: int) -> list[Value]:
        for i in range(a, min(b, a + 4)):
            digits = sum(c.isdigit() for c in toks[i].low)
            if toks[i].kind in "xn" and digits >= 5 and (_PHONE.match(toks[i].low) or digits >= 6):
                j = i + 1
                while j < b and toks[j].kind in "nx" and toks[j].low.replace("-", "").isdigit():
                    j += 1
                return [Value(self._text(toks, i, j), i, j)]
            if toks[i].kind == "n":
                j = i
                while j < b and toks[j].kind == "n":
                    j += 1
                if sum(c.isdigit() for t in toks[i:j] for c in t.low) >= 6:
                    return [Value(self._text(toks, i, j), i, j)]
        return []

    def _email(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return [Value(t.text, i, i + 1) for i, t in enumerate(toks[a:b], a) if t.kind == "x" and "@" in t.text][:2]

    def _timezone(self, toks: list[Token], a: int, b: int) -> list[Value]:
        for i in range(a, min(b, a + 4)):
            t = toks[i]
            zone = t.low in self._w["zones"] and (t.text.isupper() or t.low not in _WORDS_TOO)
            if zone or t.low.startswith(("utc+", "utc-", "gmt+", "gmt-", "utc +", "gmt +")):
                return [Value(t.text, i, i + 1)]
            if "/" in t.text and t.capital and t.text.split("/")[1][:1].isupper():
                return [Value(t.text, i, i + 1)]
            if (
                t.low in ("eastern", "pacific", "central", "mountain", "european")
                and i + 1 < b
                and toks[i + 1].low in ("time", "european")
            ):
                j = i + 2 if toks[i + 1].low == "time" else min(b, i + 3)
                return [Value(self._text(toks, i, j), i, j)]
        return []

    def _nationality(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        while x < y and toks[x].low in ("half", "part", "originally"):
            x += 1
        if x >= y or toks[x].low not in self._lex["nationalities"]:
            return []
        nxt = toks[x + 1].low if x + 1 < b else ""
        if nxt and toks[x + 1].kind == "w" and nxt not in self._w["after_nationality"]:
            return []
        if not toks[x].capital and toks[x].low in ("polish", "kiwi", "danish", "finish", "turkish"):
            return []
        return [Value(toks[x].text, x, x + 1)]

    def _language(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low in self._lex["not_languages"]:
            return []
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            got = None
            for i in range(x, min(y, x + 6)):
                low = toks[i].low
                if (
                    low in self._lex["languages"]
                    and (
                        low not in ("sign", "latin", "polish", "georgian")
                        or toks[i].capital
                        or low == "polish"
                        or y - x > 1
                    )
                ) or (toks[i].capital and low.endswith(("ish", "ese", "lish")) and len(low) > 4):
                    j = i + 1
                    if low == "sign" and j < y and toks[j].low == "language":
                        j += 1
                    k = i
                    if i > x and toks[i - 1].low in self._w["language_varieties"]:
                        k = i - 1
                    got = Value(self._text(toks, k, j), k, j)
                    break
            if got:
                out.append(got)
            elif index == 0:
                return []
            elif out and x + 1 == y and toks[x].capital and toks[x].low not in self._lex["common"]:
                out.append(Value(self._text(toks, x, y), x, y))
            else:
                break
        return out

    def _diet(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, min(b, a + 4))
        if (x < y and toks[x].low in self._lex["diets"]) or (
            x + 1 < y and toks[x].low in self._w["diet_intensifiers"] and toks[x + 1].low in self._lex["diets"]
        ):
            z = x + 1 if toks[x].low in self._lex["diets"] else x + 2
            nxt = toks[z].low if z < b else ""
            if nxt and toks[z].kind == "w" and nxt not in self._w["after_diet"]:
                return []
            return [Value(toks[z - 1].text.lower() if toks[z - 1].text[0].isupper() else toks[z - 1].text, z - 1, z)]
        if (
            x + 1 < y
            and toks[x].low in ("gluten", "dairy", "lactose", "sugar", "plant")
            and toks[x + 1].low in ("free", "based", "intolerant")
            and toks[x + 1].low != "intolerant"
        ):
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        return []

    def _counted_children(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`a mother of two`: how many children."""
        ends = a + 1 >= b or toks[a + 1].kind == "p" or toks[a + 1].low in ("and", "from", "in", "who", "now")
        few = toks[a].low in ("one", *_NUMBER)
        return [Value(f"{toks[a].low} children", a, a + 1)] if ends and few else []

    def _children(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`two kids`, `a son`, `twin boys`."""
        if toks[a].low in ("twins", "kids", "children", "triplets") and (
            a + 1 >= b or toks[a + 1].kind == "p" or toks[a + 1].low in ("and", "now")
        ):
            return [Value(toks[a].text, a, a + 1)]
        return self._family(toks, a, b, self._w["child"])

    def _family(self, toks: list[Token], a: int, b: int, words: frozenset[str]) -> list[Value]:
        for i in range(a, min(b, a + 5)):
            if (
                toks[i].low in words
                and i > a
                and (
                    toks[a].low in self._lex["numbers"] or toks[a].low in self._w["child_counts"] or toks[a].kind == "n"
                )
            ):
                if i + 1 < b and toks[i + 1].kind == "w" and toks[i + 1].low in self._w["not_with_children"]:
                    return []
                if toks[a].low in ("my", "our"):
                    return []
                x = a + 1 if toks[a].low in ("a", "an") else a
                j = i + 1
                if j + 1 < b and toks[j].low in ("called", "named", ","):
                    k = self._people.name_at(toks, j + 1)
                    names = []
                    at = j + 1
                    while k > at:
                        names.append(Value(self._text(toks, at, k), at, k))
                        if k + 1 < b and toks[k].low in ("and", ",", "&") and toks[k + 1].capital:
                            at = k + 1
                            k = self._people.name_at(toks, at)
                        else:
                            break
                    if names:
                        return names
                return [Value(self._text(toks, x, i + 1), x, i + 1)]
            if toks[i].low in ("food", "dog", "cat") or (i > a and toks[i].low in self._lex["prepositions"]):
                return []  # `a call from my brother`
        return []

    def _siblings(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._family(toks, a, b, self._w["sibling"])
