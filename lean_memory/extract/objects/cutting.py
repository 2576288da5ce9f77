"""Where an object ends, how it lists, and what is no object: what all kinds share."""

from __future__ import annotations

from dataclasses import dataclass

from lean_memory.extract.lexicon import Lexicon, object_words
from lean_memory.extract.people import People
from lean_memory.extract.tokens import Token

__all__ = ["Cutter", "Value"]


@dataclass(frozen=True, slots=True)
class Value:
    """An object: its text, the tokens [a, b) that give it, and a note on its form (`lowercase`, `known`)."""

    text: str
    a: int
    b: int


class Cutter:
    """The tools that every kind of object uses."""

    def __init__(self, lexicon: Lexicon, people: People) -> None:
        self._lex = lexicon
        self._w = object_words()
        self._people = people
        self._asides = lexicon["asides"]
        self._articles = frozenset(
            "a an the some any our my his her their your its this these those that another".split()
        )
        self._months = lexicon["months"] | lexicon["days"]

    def _text(self, toks: list[Token], a: int, b: int) -> str:
        if b - a == 1 and toks[a].kind == "q":
            return toks[a].low
        out = ""
        for i in range(a, b):
            if i > a and toks[i].start > toks[i - 1].end:
                out += " "
            out += toks[i].low if toks[i].kind == "q" else toks[i].text
        return out

    def _strip(self, toks: list[Token], a: int, b: int, *, keep: bool = False) -> tuple[int, int]:
        while a < b and (
            toks[a].low in self._w["modifiers"]
            or (
                not keep
                and toks[a].low in self._articles
                and not (toks[a].text == "The" and a + 1 < b and toks[a + 1].capital)  # a title's own
            )
            or (toks[a].kind == "p" and toks[a].low not in "($")
        ):
            a += 1
        while b > a and (
            toks[b - 1].low in self._asides
            or toks[b - 1].low in self._w["trailing"]
            or (toks[b - 1].kind == "p" and toks[b - 1].low not in ")%")
        ):
            b -= 1
        return a, b

    def _chunks(self, toks: list[Token], a: int, b: int) -> list[tuple[int, int]]:
        """The parts of a list in prose."""
        return self._listed(toks, self.listed(toks, a, b))

    def listed(self, toks: list[Token], a: int, b: int) -> list[tuple[int, int]]:
        """Splits at commas and `and`, after cutting at a bracket, a dash, or where a clause begins."""
        stop = b
        depth = 0
        for i in range(a, b):
            low = toks[i].low
            depth += (low == "(") - (low == ")")
            if toks[i].kind == "p" and (low in ";:—.!?[]" or depth < 0 or (low == "(" and i == a)):
                stop = i
                break
            if low == "-" and toks[i].kind == "p":
                stop = i
                break
            if (
                low in self._w["stop_markers"]
                and i > a
                and depth == 0
                and toks[i].kind == "w"
                and not (low == "as" and i + 2 < b and toks[i + 1].low == "well" and toks[i + 2].low == "as")
            ):
                stop = i
                break
        out: list[tuple[int, int]] = []
        begin = a
        i = a
        while i < stop:
            low = toks[i].low
            if low == "(":
                j = i
                while j < stop and toks[j].low != ")":
                    j += 1
                counted = toks[begin].kind == "n" or toks[begin].low in self._lex["numbers"]
                if begin == i or (
                    counted and i - begin == 1 and j - i == 2 and toks[i + 1].kind == "n"
                ):  # `one (1) plant`
                    begin = i = min(j + 1, stop)
                    continue
                out.append((begin, i))
                begin = i = min(j + 1, stop)
                continue
            if (toks[i].kind == "p" and low in ",/;&+") or low in ("and", "plus", "or", "nor"):
                out.append((begin, i))
                begin = i + 1
            elif low == "as" and i + 2 < stop and toks[i + 1].low == "well":
                out.append((begin, i))
                begin = i + 3
                i += 2
            i += 1
        out.append((begin, stop))
        return [(x, y) for x, y in out if x < y]

    def _listed(self, toks: list[Token], parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Prose lists end with `and`: what follows a comma otherwise, or the comma after `and X`, is comment.

        `shrimp, remember`; `the harp, bad wrists`; `Catalan and French, handy for the job`. A list of three or more
        short parts may do without `and`.
        """
        if len(parts) < 2:
            return parts
        joined = [toks[y].low if y < len(toks) else "" for _, y in parts[:-1]]
        hard = next((i for i, word in enumerate(joined) if word not in (",", ")")), None)
        if hard is None:
            short = all(y - x <= 3 for x, y in parts[1:]) and not any(
                toks[x].low in self._lex.verbs for x, _ in parts[1:]
            )
            if toks[parts[0][0]].low in ("a", "an"):  # `a paper diary, red leather, smells of ink`
                short = short and all(self._opens_item(toks[x]) for x, _ in parts[1:])
            return parts if len(parts) > 2 and short else parts[:1]
        last = hard
        while last < len(joined) and joined[last] not in (",", ")"):
            last += 1
        if last < len(joined) and not (joined[last] == "," and toks[parts[last][1] + 1].low in ("and", "plus", "or")):
            return parts[: last + 1]
        return parts

    def _opens_item(self, token: Token) -> bool:
        return token.low in self._articles or token.kind == "n" or token.low in self._lex["numbers"] or token.capital

    def _list(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Any things, listed."""
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            x, y = self._strip(toks, x, y)
            for start in ("a", "bit", "of", "lot", "lots", "kinds", "sorts"):
                if x < y and toks[x].low == start:
                    x += 1
            if x >= y or not self._good(toks, x, y):
                if index == 0:
                    return []
                break
            if y - x > 9 or (index and y - x > 6):
                if index == 0 and y - x <= 14:
                    out.append(Value(self._text(toks, x, y), x, y))
                break
            last = out[-1] if out else None
            if (
                last is not None
                and x - last.b == 1
                and toks[last.b].low == "and"
                and y - x <= 2
                and any(t.low in ("with", "of", "between", "about", "for") for t in toks[last.a : last.b])
            ):  # `trips with friends and family` is one thing
                out[-1] = Value(self._text(toks, last.a, y), last.a, y)
                continue
            if out and toks[x].low in self._w["hollow_gerunds"]:
                break
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _good(self, toks: list[Token], a: int, b: int, *, prepositions: bool = False) -> bool:
        """Not a pronoun, a vague word or the beginning of a clause."""
        first = toks[a]
        if first.kind == "q":
            return bool(first.low.strip())
        if first.low in self._lex["pronoun_objects"] and (b - a == 1 or first.low in self._w["pointing_first"]):
            return False
        if (
            (first.low in self._w["bad_object_start"] and not (prepositions and first.low == "to"))
            or first.low in self._lex["modals"]
            or first.low in self._lex["nominative"]
        ):
            return False
        if first.low in ("not", "no", "nobody", "never") or first.low in self._w["finite"]:
            return False
        if first.low in ("one", "each") and b - a > 1 and toks[a + 1].low in ("another", "other"):
            return False
        if not prepositions and first.low in self._lex["prepositions"] and not first.capital and first.low != "past":
            return False
        if any(t.low in self._w["finite"] for t in toks[a + 1 : b]) and not any(t.kind == "q" for t in toks[a:b]):
            return False
        last = toks[b - 1].low
        if b - a <= 2 and last in self._lex["vague"] and not (first.kind == "n" and last == "people"):
            return False
        if b - a == 1 and (
            first.low in self._lex["evaluative"]
            or first.low in self._lex["prepositions"]
            or first.low in self._lex["adverbs"]
        ):
            return False
        return any(t.kind in "wnxq" for t in toks[a:b])

    def _until(self, toks: list[Token], a: int, b: int, stops: frozenset[str]) -> int:
        for i in range(a, b):
            if (
                i > a
                and toks[i].kind == "w"
                and toks[i].low in stops
                and not (
                    toks[i].capital
                    and toks[i].low not in ("and",)
                    and i + 1 < b
                    and toks[i + 1].capital
                    and toks[i].low in ("the",)
                )
            ):
                return i
            if toks[i].kind == "p" and toks[i].low in ',;:—()!?.[]-"' and not (toks[i].low == "." and i + 1 < b):
                return i
        return b

    def _nothing(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return []

    def ordinary(self, low: str) -> bool:
        """Is this a plain English word, so no name?"""
        lex = self._lex
        return (
            low in lex["common"]
            or low in lex["adverbs"]
            or low in lex["evaluative"]
            or low in lex["determiners"]
            or low in lex["prepositions"]
            or low in lex["vague"]
            or low in lex["pronoun_objects"]
            or low in lex["conjunctions"]
            or low in lex.verbs
            or low in lex["asides"]
        )

    def is_thing(self, name: str) -> bool:
        """Is this the name of a well-known tool or place, not of a person?"""
        low = name.lower()
        return low in self._w["tool_known"] or low in self._lex["places"]

    def _words_of(self, toks: list[Token], a: int, b: int, known: frozenset[str], limit: int = 12) -> list[Value]:
        out: list[Value] = []
        for x, y in self._chunks(toks, a, b):
            for i in range(x, min(y, x + limit)):
                if toks[i].low in known or (toks[i].low.endswith("s") and toks[i].low[:-1] in known):
                    out.append(Value(toks[i].text, i, i + 1))
                    break
        return out

    def _proper(self, toks: list[Token], a: int, b: int, joins: frozenset[str]) -> int:
        """Where the chain of capitalised words from a ends, small words inside names included."""
        i = a
        while i < b:
            t = toks[i]
            if t.kind == "q" and i == a:
                return i + 1
            if t.capital and t.kind == "w" and t.low not in ("i",):
                if t.low in self._months and i > a and (i + 1 >= b or toks[i + 1].kind == "n"):
                    break
                i += 1
            elif (
                (
                    i > a
                    and (t.low in joins or t.low == "'s")
                    and i + 1 < b
                    and (toks[i + 1].capital or (toks[i + 1].low in joins and i + 2 < b and toks[i + 2].capital))
                )
                or (
                    (i > a and t.kind == "n" and i + 1 <= b and t.low.isdigit() and len(t.low) < 4)
                    or (
                        i == a
                        and t.kind == "n"
                        and i + 1 < b
                        and toks[i + 1].capital
                        and t.low.isalnum()
                        and not t.low.isdigit()
                    )
                )
                or (i > a and t.low == "." and i + 1 < b and toks[i + 1].capital)
            ):
                i += 1
            else:
                break
        return i
