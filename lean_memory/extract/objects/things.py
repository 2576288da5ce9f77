"""Pets, vehicles, possessions, tools."""

from __future__ import annotations

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Things"]


class Things(Cutter):
    """Pets, vehicles, possessions, tools."""

    def _animal(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._pets(toks, a, b, strict=False)

    def _animal_strict(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low not in self._w["counts_of_pets"] and toks[a].kind != "n":
            return []
        return self._pets(toks, a, b, strict=True)

    def _livestock(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Animals in the plural: `bees`, `a few hens`."""
        return [
            v
            for v in self._pets(toks, a, b, strict=True)
            if toks[v.b - 1].low.endswith(("s", "geese", "sheep", "mice", "fish"))
        ]

    def _pets(self, toks: list[Token], a: int, b: int, *, strict: bool) -> list[Value]:
        """`a cat called Tom` is Tom; `two rabbits called Tom and Kim` both; `3 cats, 2 ferrets` each."""
        out: list[Value] = []
        stop = b
        for i in range(a, b):
            if (toks[i].kind == "p" and toks[i].low in ";:—!?.") or (
                toks[i].low in self._w["stop_markers"] - {"so", "as"} and i > a
            ):
                stop = i
                break
        begin = a
        i = a
        animals = self._lex["animals"]
        if (
            a + 2 < b and toks[a].capital and toks[a + 1].low in ("(", "-") and toks[a + 2].low in animals
        ):  # `Bruno (dog), Kit (cat)`
            for k in range(a, stop - 2):
                if toks[k].capital and toks[k + 1].low in ("(", "-") and toks[k + 2].low in animals:
                    out.append(Value(toks[k].text, k, k + 1))
            return out
        while i < stop:
            j = i
            while j < stop and not (toks[j].kind == "p" and toks[j].low in ",&") and toks[j].low not in ("and", "plus"):
                j += 1
            found = None
            for k in range(i, min(j, i + 7)):
                low = toks[k].low
                singular = low[:-1] if low.endswith("s") else low
                if (
                    low in animals
                    or singular in animals
                    or (low.endswith("ies") and low[:-3] + "y" in animals)
                    or low in self._w["plural_pets"]
                ) and not (low == "mouse" and k > i and toks[k - 1].low in ("wireless", "computer")):
                    found = k
                if toks[k].low in self._w["pet_ends"]:
                    break
            if found is None:
                if begin == i:
                    return []
                break
            if found + 1 < j and toks[found + 1].kind == "w" and toks[found + 1].low in self._w["not_pets_after"]:
                return out
            at = found + 1
            if at < stop and toks[at].low == ",":
                at += 1
            names: list[Value] = []
            if (at < stop and toks[at].low in ("called", "named", "-", "(", ":")) or (
                at < stop and toks[at].capital and at > found
            ):
                n = at + 1 if toks[at].low in ("called", "named", "-", "(", ":") else at
                loose = n > at and toks[at].low in ("called", "named")
                while n < stop:
                    e = n
                    while (
                        e < stop
                        and toks[e].kind == "w"
                        and (
                            toks[e].capital
                            or (loose and e == n and toks[e].text.islower() and not self.ordinary(toks[e].low))
                        )
                    ):
                        e += 1
                    if toks[n].kind == "q":
                        e = n + 1
                    if e == n:
                        break
                    names.append(Value(self._text(toks, n, e), n, e))
                    if (e + 1 < stop and (toks[e].low in (",", "and", "&")) and toks[e + 1].capital) or (
                        e + 2 < stop and toks[e].low == "," and toks[e + 1].low == "and" and toks[e + 2].capital
                    ):
                        n = e + 1 if toks[e + 1].low != "and" else e + 2
                        continue
                    n = e
                    break
                if names:
                    j = max(j, n)
            if names:
                out += names
            else:
                x, y = self._strip(toks, i, found + 1)
                while x < y and toks[x].kind == "w" and toks[x].low in self._w["pet_adjectives"]:
                    x += 1
                x = min(x, found)
                out.append(Value(self._text(toks, x, found + 1), x, found + 1))
            i = j
            while i < stop and ((toks[i].kind == "p" and toks[i].low in ",&)") or toks[i].low in ("and", "plus")):
                i += 1
            if i == begin:
                break
            if (
                names
                and i < stop
                and toks[i].kind == "w"
                and j < i
                and not any(t.low in animals or t.low.rstrip("s") in animals for t in toks[i : min(i + 4, stop)])
            ):
                break
        return out

    def _vehicle(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if b - a >= 1 and toks[a].low in self._w["not_driven"]:
            return []
        given = toks[a].low in self._articles
        x, y = a, self._until(toks, a, b, self._w["locative_stop"] - {"and"} | {"called", "named", "cross-country"})
        for i in range(x, y):
            if toks[i].low == "and":
                y = i
                break
        x, y = self._strip(toks, x, y)
        if x >= y or y - x > 6:
            return []
        if toks[y - 1].low in self._lex["vehicles"]:
            return [Value(self._text(toks, x, y), x, y)] if given or y - x > 1 or toks[x].kind == "n" else []
        if given and any(t.capital or t.kind in "nx" for t in toks[x:y]):
            return [Value(self._text(toks, x, y), x, y)]
        if (
            given
            and y - x <= 2
            and toks[y - 1].text.islower()
            and not self.ordinary(toks[y - 1].low)
            and toks[y - 1].kind == "w"
            and toks[a].low in ("a", "an")
        ):
            return [Value(self._text(toks, x, y), x, y)]
        return []

    def _vehicle_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._vehicle(toks, a, b)
        return [v for v in values if toks[v.b - 1].low in self._lex["vehicles"]]

    def _goods(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`a leaky canoe`, `an allotment`: lasting things that whoever has them owns."""
        if toks[a].low not in ("a", "an", "our", "my", "his", "her", "two", "three", "another"):
            return []
        y = self._until(toks, a, b, self._w["locative_stop"] | {"called", "named"})
        x, y = self._strip(toks, a, y)
        head = toks[y - 1].low if y > x else ""
        known = head in self._w["goods"] or (head.endswith("s") and head[:-1] in self._w["goods"])
        return [Value(self._text(toks, x, y), x, y)] if known and y - x <= 5 else []

    def _device(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low not in ("a", "an") and toks[a].kind != "n":
            return []
        y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        return (
            [Value(self._text(toks, x, y), x, y)]
            if x < y <= x + 4 and toks[y - 1].low in self._lex["devices"] and y - x > 1
            else []
        )

    def _possession(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            given = (
                toks[x].low in self._w["possession_openers"]
                or toks[x].kind == "n"
                or bool(out)
                or (index == 0 and toks[a].low == "one")
            )
            for i in range(x + 1, y):
                if toks[i].low in self._w["possession_ends"]:
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            while x < y and toks[x].low in self._w["worn_adjectives"] and y - x > 1:
                if toks[x].low in ("second-hand", "used"):
                    break
                x += 1
            while x < y and toks[x].low in ("one", "(", ")") and y - x > 1:
                x += 1
            if (
                x >= y
                or y - x > 6
                or not self._good(toks, x, y)
                or (not given and not any(t.capital for t in toks[x:y]) and not out)
            ):
                if (
                    not given
                    and x < y <= x + 3
                    and index == 0
                    and toks[y - 1].low.endswith("s")
                    and not self.ordinary(toks[y - 1].low)
                    and y - x >= 2
                ):
                    out.append(Value(self._text(toks, x, y), x, y))
                    continue
                if index == 0:
                    return []
                break
            if toks[y - 1].low in self._w["not_bought"]:
                continue
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _possession_given(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """One with its article or number: `my kayak`, no bare name."""
        given = toks[a].low in self._w["possession_openers"] or toks[a].kind == "n"
        return self._possession(toks, a, b) if given else []

    def _possession_own(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Somebody's, and with a name: `my Golf`."""
        values = self._possession(toks, a, b) if toks[a].low in self._lex["possessives"] else []
        return [v for v in values if any(t.capital for t in toks[v.a : v.b])]

    def _possession_named(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`this Polo`, `a ThinkPad`: something with a brand's name. Degrees and shouted letters are none."""
        if toks[a].low not in self._w["determiners_of_one"]:
            return []
        y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        worn = x
        while worn < y and toks[worn].low in self._w["conditions_of_things"] and not toks[worn].capital:
            worn += 1
        described, x = worn > x, worn
        if x >= y or y - x > 3 or not all(t.capital or t.kind == "n" for t in toks[x:y]) or toks[x].kind != "w":
            return []
        if toks[x].text.isupper() or toks[x].low in self._w["degrees"] or toks[x].low in self._lex["nationalities"]:
            return []
        return (
            [Value(self._text(toks, x, y), x, y)]
            if y >= b
            or toks[y].kind == "p"
            or toks[y].low in ("for", "since", "and", "now", "but")
            or (described and toks[y].low in ("with", "that", "which", "without"))
            else []
        )

    def _tool(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a + 1, b):
            if toks[i].low in self._w["tool_ends"] and toks[i].kind == "w":
                stop = i
                break
        if toks[a].low in self._w["not_tools_first"]:
            return []
        values = self._list(toks, a, stop)
        out: list[Value] = []
        for v in values:
            head = toks[v.b - 1].low
            if toks[v.a - 1].low in ("your", "their", "his", "her", "my") and v.a - 1 >= a and not toks[v.a].capital:
                continue
            if head in self._lex["vague"] or (head in self._w["not_tools"] and not toks[v.b - 1].capital):
                if head == "coffee" and out:
                    continue
                if not out:
                    return []
                continue
            if toks[v.a].low in ("too", "way", "much", "so"):
                continue
            subject = self._lex["languages"] | (self._w["fields"] if toks[v.a].text.islower() else frozenset())
            if v.b - v.a == 1 and toks[v.a].low in subject:  # `switched to Dutch`, `to law`
                continue
            out.append(v)
        return out

    def _tool_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, _ = self._strip(toks, a, b)
        if x < b and (
            toks[x].low in self._w["tool_known"] or (toks[x].capital and toks[x].low in self._w["tool_names"])
        ):
            return self._tool(toks, a, b)
        return []

    def _service(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`Facebook`, `Netflix`: what whoever has it uses."""
        return self._words_of(toks, a, min(b, a + 3), self._w["services"])

    def _tool_named(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A tool by its name: well known, or with a capital."""
        x, _ = self._strip(toks, a, b)
        if x < b and (toks[x].low in self._months or toks[x].low.rstrip("s") in self._lex["days"]):
            return []  # `paints on Sundays`
        return self._tool(toks, a, b) if x < b and (toks[x].capital or toks[x].low in self._w["tool_known"]) else []

    def _os(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._words_of(toks, a, min(b, a + 3), self._w["os"])

    def _tool_unplaced(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A tool by its name that is no place's."""
        return [v for v in self._tool_named(toks, a, b) if toks[v.a].low not in self._lex["places"]]

    def _tool_impersonal(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """One whose name is no person's either: people are ditched, too."""
        return [v for v in self._tool_unplaced(toks, a, b) if toks[v.a].low not in self._people.first_names]
