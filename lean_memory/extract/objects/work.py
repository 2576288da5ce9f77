"""Professions, roles, subjects, responsibilities."""

from __future__ import annotations

from lean_memory.extract.objects.cutting import Cutter, Value
from lean_memory.extract.tokens import Token

__all__ = ["Work"]


_LESSONS = frozenset("class classes lesson lessons course courses workshop workshops".split())
_AMATEURS = frozenset("swimmer cyclist boxer dancer singer cook driver painter footballer runner".split())
_DEPARTMENTS = frozenset(
    "support marketing sales finance hr operations ops engineering design product logistics payroll procurement "
    "recruiting security legal communications fundraising catering programming admissions maintenance".split()
)


class Work(Cutter):
    """Professions, roles, subjects, responsibilities."""

    def is_job(self, toks: list[Token], a: int, b: int) -> bool:
        """Does this noun phrase (its head last, or before `of`) name a profession?"""
        head = b - 1
        if any(t.low in ("a", "an") for t in toks[a + 1 : b]):  # `given a chair`
            return False
        if toks[a].low in self._w["made_so"]:  # `made head of sales`: the job is what follows
            return False
        for i in range(a, b):
            if toks[i].low == "of" and i > a:
                head = i - 1
                break
        word = toks[head].low
        if word == "keeper" and head + 2 < b:  # `keeper of prints`
            return True
        if word.endswith("s") and word[:-1] in self._lex["job_heads"]:
            word = word[:-1]
        lex = self._lex
        if (
            word in ("owner", "student", "manager", "partner")
            and head > a
            and toks[head - 1].low in self._w["not_owned_for_a_living"]
        ):
            return False
        if word in lex["job_heads"]:
            return not (
                head - a == 0
                and word in self._w["job_not_alone"]
                and head == b - 1
                and b - a == 1
                and word not in self._w["job_alone"]
            )
        if word in self._w["known_roles"]:  # `widower`
            return False
        if word in lex["not_jobs"] or word in lex["not_roles"] or word in lex["animals"]:
            return False
        if any(word.endswith(end) and len(word) > len(end) + 2 for end in lex["job_endings"]):
            return True
        if any(word.endswith(trade) and len(word) > len(trade) + 2 for trade in self._w["trades"]):
            return True  # `stonemason`, `stuntwoman`
        return (
            word.endswith(("er", "or"))
            and word not in lex.verbs  # `remember`
            and len(word) > 5
            and not word.endswith(
                (
                    "eater",
                    "lover",
                    "ever",
                    "ither",
                    "lier",
                    "nier",
                    "sier",
                    "rier",
                    "pier",
                    "dier",
                    "mier",
                    "tier",
                    "her",
                    "ier",
                )
            )
        )

    def _job(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        begin = a
        stop = b
        for i in range(a, b):
            low = toks[i].low
            if (
                (toks[i].kind == "p" and low in ",;:—()!?.[]")
                or low in self._w["locative_stop"] - {"and", "over", "under", "like", "next", "up", "in", "on", "to"}
                or (i > a and low in ("in", "on", "to", "like"))
            ):
                stop = i
                break
        parts: list[tuple[int, int]] = []
        for i in range(begin, stop):
            if toks[i].low in ("and", "&", "slash", "/", "plus"):
                parts.append((begin, i))
                begin = i + 1
        parts.append((begin, stop))
        for x, y in parts:
            x, y = self._strip(toks, x, y)
            if any(t.low == "'s" for t in toks[x:y]):
                return out
            while x < y and toks[x].low.endswith("-year-old"):
                x += 1
            while x < y and (
                toks[x].low in self._w["job_adjectives"]
                or (toks[x].low in self._lex["evaluative"] and toks[x].low != "special")
            ):
                if toks[x].low == "former":
                    return []
                x += 1
            if any(t.low in self._w["praise"] for t in toks[x : y - 1]) and (
                toks[y - 1].low not in self._lex["job_heads"] or toks[y - 1].low in _AMATEURS
            ):
                return out  # `a ridiculously good swimmer`
            if x >= y or y - x > 6 or not self.is_job(toks, x, y):
                if len(parts) > 1 and len(out) == 0 and y - x <= 3:
                    continue
                break
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _duty(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one takes on, handles or hands over at work, by its head: `the rollout`, `billing`, `Project Heron`."""
        values = self._responsibility(toks, a, b)
        return [v for v in values if any(t.low in self._w["duties"] for t in toks[v.a : v.b])]

    def _department(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`support`, `marketing` alone: what one runs at work."""
        x, y = self._strip(toks, a, self._until(toks, a, b, frozenset("and now for at here".split())))
        return [Value(toks[x].text, x, y)] if y == x + 1 and toks[x].low in _DEPARTMENTS else []

    def _people_counted(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`six people`, `the four folks on billing`: those one leads, by number."""
        x = a + (toks[a].low in ("the", "my", "our"))
        if x + 1 >= b or not (toks[x].kind == "n" or toks[x].low in self._lex["numbers"]):
            return []
        y = self._until(toks, x, b, frozenset("who that and but now in at under".split()))
        return [Value(self._text(toks, x, y), x, y)] if 1 < y - x <= 5 else []

    def _job_bare(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Without an article only what is a title beyond doubt: `head of fraud`, `CEO`, `team lead`."""
        x, _ = self._strip(toks, a, b)
        values = self._job(toks, x, b)
        if not values or toks[x].low.endswith("ed") or toks[x].low in ("made", "given", "chosen", "held", "taken"):
            return []
        words = [t.low for t in toks[values[0].a : values[0].b]]
        return values if words[-1] in self._lex["job_heads"] or "of" in words else []

    def _role(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What else someone is: `a twin`, `a feminist`. Judgements and figures of speech are none."""
        y = self._until(toks, a, b, self._w["locative_stop"] | {"of"})
        x, y = self._strip(toks, a, y)
        if x >= y or y - x > 3:
            return []
        head = toks[y - 1].low
        sure = head in self._w["known_roles"] and toks[y : y + 1] and toks[y].low in ("with", "in", "and", "who")
        if y < b and toks[y].low in self._w["role_ends"] and not sure:
            return []
        lex = self._lex
        if (
            head in lex["not_roles"]
            or head in lex["vague"]
            or head in lex["evaluative"]
            or head in lex["pronoun_objects"]
            or head in lex["diets"]
            or head in lex["nationalities"]
            or head in lex["animals"]
        ):
            return []
        if (
            any(t.low in lex["evaluative"] or t.low in lex["adverbs"] for t in toks[x:y])
            or toks[y - 1].kind != "w"
            or self.is_job(toks, x, y)
        ):
            return []
        known = head.endswith(("ist", "ian", "arian", "ic")) or head in self._w["known_roles"]
        return [Value(self._text(toks, x, y), x, y)] if known else []

    def _is_so(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`Jewish`, `left-handed`: what one is, by an adjective alone."""
        x = a + (toks[a].low in ("both", "openly", "proudly", "culturally", "fully", "six", "five", "seven", "months"))
        end = x + 1
        if x >= b or toks[x].low not in self._w["is_so"]:
            return []
        after = toks[end] if end < b else None
        closed = (
            after is None or after.kind == "p" or after.low in ("and", "but", "so", "now", "since", "for", "by", "with")
        )
        return [Value(toks[x].text, x, end)] if closed else []

    def is_role(self, word: str) -> bool:
        """A creed, a star sign and the like, in the singular: `quaker`, `buddhist`."""
        lex = self._lex
        if word in lex["not_roles"] or word in lex["not_jobs"] or word in lex["nationalities"]:
            return False
        return word in self._w["known_roles"] or (word.endswith("ist") and len(word) > 5)

    def _got_so(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one gets to be: `divorced`, `sober`."""
        return [v for v in self._is_so(toks, a, b) if v.text.lower() in ("divorced", "pregnant", "sober", "separated")]

    def _taught(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, self._w["locative_stop"])
        if y - 1 > a and toks[y - 1].low in _LESSONS:  # `teaches evening classes in French`
            if y + 1 >= b or toks[y].low not in ("in", "on"):
                return []
            a = y + 1
            y = self._until(toks, a, b, self._w["locative_stop"])
        x, y = self._strip(toks, a, y)
        if (
            x >= y
            or y - x > 3
            or not self._good(toks, x, y)
            or toks[x].low in self._lex["possessives"]
            or toks[x].low in self._w["not_taught"]
        ):
            return []
        if self.ordinary(toks[y - 1].low) and toks[y - 1].low not in self._w["taught_though_plain"]:
            return []
        return [Value(f"{self._text(toks, x, y)} teacher", x, y)]

    def _led(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one runs or leads: something definite, not `running late`, not `running for office`."""
        first = toks[a]
        if not (first.capital or first.kind == "n" or first.low in self._articles | self._lex["numbers"]):
            return []
        return self._responsibility(toks, a, b)

    def _responsibility(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a + 1, b):
            if toks[i].low in self._w["responsibility_ends"] and toks[i].kind == "w":
                stop = i
                break
        values = self._list(toks, a, stop)
        out = []
        for v in values:
            head = toks[v.b - 1].low
            if head in self._w["not_responsibilities"] and head != "business":
                continue
            if toks[v.a].kind == "n" and (
                v.b - v.a == 1 or toks[v.a + 1].low in ("km", "miles", "minutes", "k", "times")
            ):
                continue
            out.append(v)
        return out

    def _field_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A subject beyond doubt: `geology`, `civil engineering`."""
        values = self._field(toks, a, b)
        head = toks[values[0].b - 1].low if values else ""
        known = head in self._w["fields"] or head.endswith(("ology", "onomy", "ography", "omics", "onautics"))
        return values if known else []

    def _field(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(
            toks, a, b, self._w["locative_stop"] - {"and"} | {"over", "under", "every", "more", "hard", "abroad"}
        )
        x, y = self._strip(toks, a, y)
        if x >= y or y - x > 4 or not self._good(toks, x, y):
            return []
        head = toks[y - 1].low
        if head in self._w["not_studied"]:
            return []
        if (
            y - x == 1
            and head.endswith("s")
            and not head.endswith(("ics", "ss"))
            and head not in ("arts", "maths", "languages", "classics", "humanities")
        ):
            return []
        if toks[x].low in ("for", "the", "hard"):
            return []
        if any(t.kind != "w" for t in toks[x:y]) or toks[x].low in self._lex["places"]:
            return []
        return [Value(self._text(toks, x, y), x, y)]
