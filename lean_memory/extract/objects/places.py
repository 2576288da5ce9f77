"""Places, firms, schools, clubs."""

from __future__ import annotations

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Places"]


class Places(Cutter):
    """Places, firms, schools, clubs."""

    def _place(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x = a
        while x < b and (toks[x].low in self._w["place_adjectives"] or toks[x].low in self._w["modifiers"]):
            x += 1
        if x < b and x > a and toks[x - 1].low in self._w["directions"] and toks[x].capital:
            y = self._proper(toks, x, b, self._w["place_joins"])
            x -= 1
            return [Value(self._text(toks, x, y), x, y)] if y > x + 1 else []
        if x < b and toks[x].capital and toks[x].low not in self._months:
            if toks[x].low in self._w["tool_known"] and toks[x].low not in self._lex["places"]:
                return []
            y = self._proper(toks, x, b, self._w["place_joins"])
            if y == x or (toks[x].low in ("german", "french", "english") and y == x + 1):
                return []
            if y + 1 < b and toks[y].low == "," and toks[y + 1].capital and (y + 2 >= b or toks[y + 2].kind == "p"):
                z = self._proper(toks, y + 1, b, self._w["place_joins"])
                follow = toks[z].low if z < b else ""
                if (
                    z <= y + 3
                    and follow not in ("and", "who", "is")
                    and not (follow == "," and toks[y + 1].low in self._lex["common"])
                ):
                    return [Value(self._text(toks, x, z), x, z)]
            return [Value(self._text(toks, x, y), x, y)]
        y = self._until(toks, x, b, self._w["locative_stop"])
        if x < y and toks[a].low in ("a", "an", "the") and toks[y - 1].low in self._w["place_heads"] and y - x <= 4:
            extra = y
            if y + 1 < b and toks[y].low in self._w["beside"] and toks[y + 1].capital:
                extra = self._proper(toks, y + 1, b, self._w["place_joins"])
                if toks[y].low == "in":
                    return [Value(self._text(toks, y + 1, extra), y + 1, extra)]
            return [Value(self._text(toks, a, extra), a, extra)]
        if (
            x < y <= x + 2
            and x == a
            and toks[x].text.islower()
            and not self.ordinary(toks[x].low)
            and toks[x].low not in self._w["place_heads"]
            and not toks[x].low.endswith(("ing", "ness", "ment", "ly"))
        ):
            if y == x + 2 and self.ordinary(toks[x + 1].low):
                return []
            return [Value(self._text(toks, x, y), x, y)]
        return []

    def _place_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A place by its name alone: in the list of well-known ones."""
        values = self._place(toks, a, b)
        return values if values and values[0].text.split()[0].rstrip(",").lower() in self._lex["places"] else []

    def is_sight(self, word: str) -> bool:
        """Is it what one goes to see, though it has no name: `castle`?"""
        return word in self._w["sights"]

    def _sight_seen(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """One with its article: `the old lighthouse`."""
        if toks[a].low not in self._articles or self._w["sights"].isdisjoint(
            [t.low for t in toks[a + 1 : min(b, a + 6)]]
        ):
            return []
        x, y = self._strip(toks, a, b)
        while x < y and toks[x].low in self._w["destination_adjectives"] | {"new", "big", "famous"}:
            x += 1
        return self._sight(toks, x, y) if x < y else []

    def _sight(self, toks: list[Token], x: int, y: int) -> list[Value]:
        """`the tile museum`, `a lighthouse`: what one goes to see, without a name."""
        end = self._until(toks, x, y, self._w["locative_stop"])
        x += x < end and toks[x].low in ("a", "an")
        ok = 0 < end - x <= 3 and toks[end - 1].low in self._w["sights"]
        return [Value(self._text(toks, x, end), x, end)] if ok else []

    def _destination(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Places one travels to: names, not `the gym`."""
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            while x < y and (
                toks[x].low in self._w["destination_adjectives"]
                or toks[x].low in self._w["modifiers"]
                or (index and toks[x].low == "to")  # `to Peru or to Chile`
            ):
                x += 1
            if x >= y:
                break
            z = self._proper(toks, x, y, self._w["place_joins"])
            if z == x:
                if (
                    index == 0
                    and y - x == 1
                    and toks[x].text.islower()
                    and not self.ordinary(toks[x].low)
                    and toks[a].low not in self._articles
                    and not toks[x].low.endswith(("ing", "s", "ment"))
                ):
                    z = y
                elif index == 0 and toks[a].low in self._articles | {"see"}:
                    return self._sight(toks, x, y)
                else:
                    break
            if toks[x].low in self._months or toks[x].low in ("mum", "mom", "dad"):
                break
            if z < y and toks[z].low == "'s":
                break
            if (
                z < y
                and toks[z].kind == "w"
                and not toks[z].capital
                and toks[z].low not in self._lex["prepositions"]
                and toks[z].low not in self._lex["adverbs"]
                and toks[z].low not in self._asides
                and toks[z].low not in self._w["after_destination"]
            ):
                break
            out.append(Value(self._text(toks, x, z), x, z))
        return out

    def _org(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, b = self._strip(toks, a, b, keep=True)
        given = x < b and toks[x].low in self._articles
        while x < b and toks[x].low in self._articles | {
            "big",
            "large",
            "small",
            "local",
            "new",
            "huge",
            "tiny",
            "famous",
            "little",
            "great",
        }:
            if (
                toks[x].low in ("my", "his", "her", "their", "your")
                and x + 1 < b
                and not toks[x + 1].capital
                and toks[x + 1].low in ("desk", "own", "best", "self")
            ):
                return []
            x += 1
        if x >= b:
            return []
        if toks[x].kind == "q":
            return [Value(toks[x].low, x, x + 1)]
        if (toks[x].capital and toks[x].low not in self._months) or (
            toks[x].kind == "n" and x + 1 < b and toks[x + 1].capital and not toks[x].low.isdigit()
        ):
            y = self._proper(toks, x, b, self._w["org_joins"])
            if y == x:  # `at I`: a capital that is no name
                return []
            if y < b and not toks[y].capital and toks[y].low in self._w["org_heads"]:
                y += 1
            if toks[x].low in self._w["not_org"] and y == x + 1:
                return []
            own = y > x + 1 and y < len(toks) and toks[y].low == "'s"
            if own and (y + 1 >= len(toks) or toks[y + 1].kind == "p"):
                y += 1  # `St. Mary's`
            return [Value(self._text(toks, x, y), x, y)]
        y = self._until(toks, x, b, self._w["locative_stop"])
        x, y = self._strip(toks, x, y)
        if x >= y or y - x > 5 or toks[x].low in self._w["not_org"] or toks[y - 1].low in self._w["not_org"]:
            return []
        head = toks[y - 1].low
        if head in self._w["org_heads"] or head.rstrip("s") in self._w["org_heads"]:
            return [Value(self._text(toks, x, y), x, y)]
        if given and head in self._lex["vague"] | self._lex["evaluative"]:
            return []
        if (
            not given
            and y - x <= 2
            and not any(self.ordinary(t.low) for t in toks[x:y])
            and all(t.kind == "w" for t in toks[x:y])
            and toks[x].text.islower()
        ) and not head.endswith(("ing", "ness", "ment", "ly", "tion")):
            return [Value(self._text(toks, x, y), x, y)]
        return []

    def _org_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._org(toks, a, b)
        if not values or toks[a].low in ("a", "an"):
            return []
        end = values[0].b
        if any(t.low == "for" for t in toks[values[0].a : end]) and toks[values[0].a].low in self._people.first_names:
            return []  # `left Ann for Ben`
        more = end < b and toks[end].kind == "w" and not self.ordinary(toks[end].low)  # `the Harry Potter conference`
        return values if not more and len(values[0].text.split()) > 1 and values[0].text[0].isupper() else []

    def _org_named(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A firm by its name, with capitals."""
        return self._org(toks, a, b) if toks[a].capital or (b - a > 1 and toks[a].low in ("the", "my", "our")) else []

    def _employer(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Whom one may be `with`: no person."""
        nobody = self._people.first_names | self._lex["titles"] | {"same", "company", "firm"}
        return [v for v in self._org(toks, a, b) if toks[v.a].low not in nobody]

    def _org_left(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one leaves or quits: a firm by name, no place, no club, no `the house`."""
        values = self._org(toks, a, b)
        if not values:
            return []
        v = values[0]
        words = {t.low for t in toks[v.a : v.b]}
        named = toks[v.a].capital or toks[v.a].kind == "q"
        if (
            not named
            or toks[v.a].low in self._lex["places"]
            or words & self._w["group_heads"]
            or words & self._w["schoolish"]
        ):
            return []
        if v.b >= b or toks[v.b].kind != "w":
            return values
        after = toks[v.b]
        if after.low in self._w["not_left"] and after.low not in (
            "in",
            "on",
        ):
            return []
        if after.low in ("in", "on") and not (
            v.b + 1 < b and (toks[v.b + 1].low in self._months or toks[v.b + 1].kind == "n")
        ):
            return []
        function = self._lex["prepositions"] | self._lex["adverbs"] | self._lex["conjunctions"] | self._asides
        return values if after.low in function | {"last", "this", "two", "three", "next"} else []

    def _workplace(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A kind of place where people work: `a cinema`, `the library`."""
        values = self._org(toks, a, b)
        return [v for v in values if toks[v.b - 1].low in self._w["org_heads"]]

    def _school(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if a + 1 < b and toks[a].low in self._w["kinds_of_school"] and toks[a + 1].low == "school":  # `drama school`
            return [Value(self._text(toks, a, a + 2), a, a + 2)]
        values = self._org(toks, a, b)
        if not values:
            return []
        text = values[0].text
        words = set(text.lower().split())
        schoolish = words & (self._w["schoolish"] | {"faculty", "campus", "gymnasium", "high", "grammar", "business"})
        return values if schoolish or text[0].isupper() else []

    def _school_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._org(toks, a, b)
        return values if values and self.schoolish(values[0].text) and values[0].text[0].isalpha() else []

    def schoolish(self, name: str) -> bool:
        """Does the name say that it is a school?"""
        words = name.split()
        last = len(words) > 1 and words[-1] in ("High", "Grammar", "Juniors", "Technical", "Prep")
        return last or not self._w["schoolish"].isdisjoint(name.lower().split())

    def _group(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Clubs, choirs, teams: something whose head is a group."""
        out: list[Value] = []
        for x, y in self._chunks(toks, a, b):
            for i in range(x + 1, y):
                if toks[i].low in self._w["group_ends"] and not (
                    i + 1 < y and toks[i].low in ("for",) and toks[i + 1].capital
                ):
                    y = i
                    break
            given = toks[x].low in self._articles or toks[x].capital or toks[x].kind in "nq"
            if out and not given:  # `.. and conducts a choir`
                break
            x, y = self._strip(toks, x, y)
            while x < y and toks[x].low in ("local", "new"):
                x += 1
            if x >= y or y - x > 7:
                continue
            called = next((i for i in range(x + 1, y - 1) if toks[i].low in ("called", "named")), None)
            if called is not None and toks[called - 1].low in self._w["group_heads"]:
                z = self._proper(toks, called + 1, y, self._w["group_joins"])
                if z > called + 1:
                    out.append(Value(self._text(toks, called + 1, z), called + 1, z))  # `a band called Dust`
                    continue
            heads = {t.low for t in toks[x:y]} & self._w["group_heads"]
            if not heads and y < b and toks[y - 1].low in ("of",):
                continue
            named = heads or (
                all(t.capital or t.low in self._w["group_joins"] for t in toks[x:y])
                and y - x >= 2
                and any(t.text[-1:] == "s" for t in toks[x:y])
            )
            if (toks[y - 1].low in ("group", "class", "team") and y - x == 1) or toks[y - 1].low in ("games", "game"):
                continue
            if named:
                out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _shop(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one opens and then has: `a bakery`, `Café Blum`. No account, no door, no letter."""
        heads = self._w["shops"]
        if not any(t.low in heads or t.low.rstrip("s") in heads for t in toks[a : min(b, a + 7)]):
            return []
        values = self._org(toks, a, b)
        if toks[a].low not in self._articles and not toks[a].capital:  # a child `started nursery`
            return []
        words = {t.low for t in toks[a : values[0].b]} if values else set()
        if words & {"favourite", "favorite", "local", "regular", "usual"}:
            return []
        if toks[values[0].b - 1].low == "workshop" and toks[values[0].b - 2].low.endswith("ing") if values else False:
            return []  # `a painting workshop next weekend`
        return [v for v in values[:1] if any(t.low in heads or t.low.rstrip("s") in heads for t in toks[v.a : v.b])]
