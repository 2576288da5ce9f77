"""What people like, play, read, learn, attend."""

from __future__ import annotations

import re

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Pastimes"]

_KINDS_OF_PEOPLE = frozenset("morning evening night people bad good nice mean jealous patient religious".split())
_AGE_GROUP = re.compile(r"(?:under|u|over)-?(?:\d\d?|[a-z]+)s$")
_COACHED = frozenset(
    "rowing swimming running athletics cycling sailing skating skiing debating wrestling climbing diving".split()
)
_NO_SIDES = frozenset("times news express netherlands philippines bahamas maldives alps andes states".split())
_CLUBS = frozenset("united city town rovers wanderers fc rfc cc".split())
_COLLECT = re.compile(r"[a-z-]+s$")


class Pastimes(Cutter):
    """What people like, play, read, learn, attend."""

    def _playable(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Instruments, sports and games. After `the` anything with a plain name may be an instrument."""
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            article = toks[x].low in ("the", "a", "an")
            for i in range(x + 1, y):
                if toks[i].low in self._w["play_ends"]:
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            while x < y - 1 and toks[x].low in (
                "little",
                "tiny",
                "wee",
                "bit",
                "of",
                "spot",
                "lot",
            ):  # `a little banjo`
                x += 1
            if x >= y or y - x > 3:
                break
            known = any(t.low in self._lex["instruments"] or t.low in self._lex["games"] for t in toks[x:y])
            known = known or (y - x == 1 and toks[x].low in self._w["positions"] | self._w["voices"])
            head = toks[y - 1].low
            if not known and head in self._w["not_played"]:
                if head in ("cards", "games") and y - x == 2 and toks[x].low in ("board", "video", "card", "computer"):
                    known = True
                else:
                    return out
            if not known and (
                not (article or out or toks[x].capital) or self.ordinary(head) or not self._good(toks, x, y)
            ):
                if index == 0:
                    return []
                break
            if not known and toks[x].low in self._lex["possessives"]:
                return out
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _playable_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        if x < y and any(
            t.low in self._lex["instruments"] or t.low in self._lex["games"] for t in toks[x : min(y, x + 2)]
        ):
            return self._playable(toks, x, y)
        return []

    def _voice(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`alto`, `second tenor`: what one sings in a choir."""
        x, y = self._strip(toks, a, self._until(toks, a, b, self._w["play_ends"]))
        known = x < y <= x + 2 and toks[y - 1].low in self._w["voices"]
        return [Value(self._text(toks, x, y), x, y)] if known else []

    def _position(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`centre-back`, `goal`: where one plays."""
        x, y = self._strip(toks, a, self._until(toks, a, b, self._w["play_ends"]))
        if not x < y <= x + 2 or toks[y - 1].low not in self._w["positions"]:
            return []
        text = {"goal": "in goal", "wicket": "wicketkeeper"}.get(toks[y - 1].low, self._text(toks, x, y))
        return [Value(text, x, y)]

    def _side(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`the under-tens`, `the Rovers`, `a girls' team`: whom one plays for, or trains."""
        y = self._until(toks, a, b, self._w["group_ends"])
        x, y = self._strip(toks, a, y)
        if not x < y <= x + 5:
            return []
        head = toks[y - 1]
        age = _AGE_GROUP.match(head.low) is not None
        plural = (
            toks[a].low == "the"
            and head.capital
            and y - x == 1
            and head.low.endswith("s")
            and head.low not in _NO_SIDES
        )
        if age or plural or head.low in self._w["side_words"]:
            return [Value(self._text(toks, x, y), x, y)]
        named = all(t.capital for t in toks[x:y]) and head.low in _CLUBS
        return [Value(self._text(toks, x, y), x, y)] if named else self._group(toks, a, b)  # type: ignore[attr-defined]

    def _sport_coached(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`coaches rowing`: a rowing coach."""
        x, y = self._strip(toks, a, self._until(toks, a, b, self._w["play_ends"]))
        known = self._lex["games"] | self._w["sports"] | _COACHED
        return [Value(f"{self._text(toks, x, y)} coach", x, y)] if x < y <= x + 2 and toks[y - 1].low in known else []

    def _liking(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What people like: things and activities, not `it`, not `to be honest`, not a clause."""
        x = a
        if toks[x].low == "to" and x + 1 < b:
            x += 1
            if toks[x].low in self._w["idle_verbs"]:
                return []
        first = toks[x].low
        if first in self._w["not_liked_first"] and first not in ("the", "a", "an", "my", "our"):
            return []
        if first == "the" and not any(t.capital or t.low in self._w["the_liked"] for t in toks[x + 1 : b]):
            return []
        if first == "the" and x + 1 < b and toks[x + 1].low in self._w["reactions"]:
            return []
        if first in ("a", "an") and x + 1 < b and toks[x + 1].low not in self._w["liked_with_a"]:
            return []
        if (
            first in ("my", "our")
            and x + 1 < b
            and not toks[x + 1].low.endswith(("coffee", "tea", "steak", "eggs", "job", "work"))
        ):
            return []
        values = self._list(toks, x, b)
        values = [v for v in values if not any(t.low in self._w["pointing"] for t in toks[v.a : v.b])]
        return [
            v
            for v in values
            if toks[v.b - 1].low not in ("so", "much", "fan", "lover")
            and not (v.b - v.a == 1 and toks[v.a].low in self._lex["adverbs"])
        ]

    def _preference(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a + 1, b):
            if (
                toks[i].low in self._w["preference_ends"]
                and toks[i].kind == "w"
                and not (toks[i].low == "to" and i == a)
            ):
                stop = i
                break
        x = a + 1 if toks[a].low == "to" else a
        if x >= b:
            return []
        if toks[x].low in ("not",):
            return []
        values = self._list(toks, x, stop)
        return values[:1] if values else []

    def _outing(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        if x + 1 < y and toks[x + 1].low in ("the", "this", "my", "a"):
            return []
        if x < y and toks[x].low.endswith("ing") and toks[x].low not in self._w["not_outings"]:
            return [Value(toks[x].text, x, x + 1)] if y - x <= 3 else []
        return []

    def _fondness(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one is a person for: `not a dog person`; nobody dislikes mornings for being no morning person."""
        return [v for v in self._liking(toks, a, b) if v.text.lower() not in _KINDS_OF_PEOPLE]

    def _pastime(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._sport(toks, a, b) or self._outing(toks, a, b)

    def _sport(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._words_of(toks, a, min(b, a + 5), self._w["sports"])

    def _collection(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        if (
            x < y <= x + 3
            and _COLLECT.match(toks[y - 1].low)
            and toks[y - 1].low not in self._w["not_collected"]
            and toks[a].low not in self._articles
        ):
            return [Value(f"collecting {self._text(toks, x, y)}", x, y)]
        return []

    def _craft(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one makes: `pottery` is making pottery."""
        if self._w["crafts"].isdisjoint([t.low for t in toks[a : min(b, a + 5)]]):
            return []
        y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        ok = x < y <= x + 3 and toks[y - 1].low in self._w["crafts"] and toks[a].low not in ("the", "some", "a")
        return [Value(f"making {self._text(toks, x, y)}", x, y)] if ok else []

    def _learnable(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        if toks[a].low in ("that", "about", "from"):
            return []
        for i in range(a + 1, b):
            if toks[i].low in self._w["learnable_ends"] and toks[i].low != "and":
                stop = i
                break
        x, y = self._strip(toks, a, stop)
        for i in range(x, y):
            if toks[i].kind == "p":
                y = i
                break
        if x >= y or y - x > 5 or not self._good(toks, x, y):
            return []
        if toks[x].low in self._w["not_learned_first"]:
            return []
        if toks[y - 1].low in self._w["not_learned"]:
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _skillverb(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._learnable(toks, a, b)

    def _work(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Titles of books and films: quoted, or with capitals."""
        x = a
        while (
            x < b
            and (toks[x].low in self._w["work_openers"] or toks[x].low in self._w["modifiers"])
            and not (toks[x].capital)
        ):
            x += 1
        if x < b and toks[x].low == "the" and not toks[x].capital and x + 1 < b:
            if toks[x + 1].low in self._w["work_nouns"]:
                x += 2
                if x < b and toks[x].low in ("called", "titled"):
                    x += 1
            elif toks[x + 1].capital:
                x += 1
        if x >= b:
            return []
        if toks[x].kind == "q":
            if toks[x].low.lower() in self._lex["pronoun_objects"] or not toks[x].low.strip():
                return []
            out = [Value(toks[x].low, x, x + 1)]
            j = x + 1
            while j + 1 < b and toks[j].low in (",", "and", "&"):
                j += 1
                if toks[j].kind == "q":
                    out.append(Value(toks[j].low, j, j + 1))
                    j += 1
            return out
        y = x
        while y < b:
            t = toks[y]
            if (
                t.capital
                or t.kind == "n"
                or (
                    y > x
                    and (t.low in self._w["title_small"] or t.low in ("'s", "&", ":", "-"))
                    and y + 1 < b
                    and (
                        toks[y + 1].capital
                        or (toks[y + 1].low in self._w["title_small"] and y + 2 < b and toks[y + 2].capital)
                    )
                )
            ):
                if y > x and t.low in self._w["not_in_titles"] and not t.capital:
                    break
                y += 1
            else:
                break
        if y > x and y < b and toks[y].low in self._w["bookish"]:
            y += 1
        if y == x or (
            y - x == 1
            and (
                toks[x].kind == "n"
                or toks[x].low in self._lex["common"]
                or toks[x].low in ("i", "english", "netflix", "youtube", "tv")
            )
        ):
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _titled(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A title beyond doubt: quoted, or `The` and more capitals."""
        values = self._work(toks, a, b)
        return (
            values
            if values and (toks[a].kind == "q" or (toks[a].text == "The" and values[0].b - values[0].a >= 2))
            else []
        )

    def _film(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`saw Anna` is no film: only a quoted title, or `the film X`."""
        if toks[a].kind == "q" or (
            toks[a].low in ("the", "a") and a + 1 < b and toks[a + 1].low in self._w["film_nouns"]
        ):
            return self._work(toks, a, b)
        return []

    def _book(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].kind == "q" or any(t.low in self._w["bookish"] for t in toks[a : min(b, a + 8)]):
            return self._work(toks, a, b)
        return []

    def _occasion(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = b
        for i in range(a + 1, b):
            if toks[i].low in self._w["occasion_ends"] and not (
                toks[i].low in ("and", "for") and i + 1 < b and toks[i + 1].capital
            ):
                y = i
                break
        given = a
        x, y = self._strip(toks, a, y)
        if x >= y or y - x > 7 or not self._good(toks, x, y):
            return []
        words = {t.low for t in toks[x:y]} | {t.low.rstrip("s") for t in toks[x:y]}
        if toks[given].low in ("this", "that", "your", "these") and y - x < 2:
            return []
        return [Value(self._text(toks, x, y), x, y)] if words & self._w["event_heads"] else []

    def _undertaking(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Things begun and finished that are worth a fact: studies, businesses, works with a name."""
        stop = b
        for i in range(a + 1, b):
            if toks[i].low in self._w["undertaking_ends"] or toks[i].kind == "p":
                stop = i
                break
        x, y = self._strip(toks, a, stop)
        if x >= y or y - x > 7 or not self._good(toks, x, y):
            return []
        heads = {t.low for t in toks[x:y]}
        worth = heads & {
            "degree",
            "phd",
            "master",
            "masters",
            "thesis",
            "dissertation",
            "book",
            "novel",
            "course",
            "training",
            "apprenticeship",
            "business",
            "company",
            "startup",
            "start-up",
            "shop",
            "store",
            "bakery",
            "café",
            "cafe",
            "restaurant",
            "podcast",
            "blog",
            "channel",
            "school",
            "studio",
            "marathon",
            "migration",
            "project",
            "nonprofit",
            "charity",
            "foundation",
            "band",
            "club",
            "chemotherapy",
            "therapy",
            "residency",
            "internship",
            "program",
            "programme",
            "certification",
            "manuscript",
            "album",
            "screenplay",
            "script",
            "bootcamp",
            "clinic",
            "practice",
            "farm",
            "line",
            "family",
            "campaign",
            "exam",
            "exams",
            "report",
            "diploma",
            "sabbatical",
            "diet",
        }
        if not worth:
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _exam(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        return [Value(self._text(toks, x, y), x, y)] if x < y <= x + 5 and toks[y - 1].low in self._w["exam"] else []
