"""A language's tables, compiled: words to roles, rules to a cascade."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from importlib import resources
from typing import Any

from lean_memory.extract.times import clocks, cycles, dates, parts, quantities, ranges, relations, relative, years
from lean_memory.extract.times.grammar import Action, Alphabet, Stage, Token
from lean_memory.extract.times.periods import Cycle
from lean_memory.extract.times.tokens import NUMERIC_ROLE_SETS, RAW, han_number, number_roles, numeric_roles

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

__all__ = ["Language", "load"]

_ACTIONS: dict[str, Action] = {
    **quantities.ACTIONS, **dates.ACTIONS, **years.ACTIONS, **relative.ACTIONS, **parts.ACTIONS, **clocks.ACTIONS,
    **ranges.ACTIONS, **relations.ACTIONS,
}  # fmt: skip

_NODES = ("dur", "fixed", "yearly", "monthly", "weekly", "window", "range", "span", "x", "clock", "moment")

_CYCLES: dict[str, tuple[str, Callable[[Any], Cycle]]] = {
    "month": ("yearly", cycles.month), "wmonth": ("wyearly", cycles.month),
    "wday": ("weekly", cycles.weekday), "wwday": ("wweekly", cycles.weekday),
    "season": ("yearly", cycles.season), "wseason": ("wyearly", cycles.season),
    "holiday": ("yearly", cycles.named_day), "wholiday": ("wyearly", cycles.named_day),
    "qtr": ("yearly", cycles.quarter), "hlf": ("yearly", cycles.half),
    "md": ("mdate", lambda md: cycles.day_of_year(*md)),
    "wdays": ("turns", cycles.weekday), "seasons": ("turns", cycles.season), "holidays": ("turns", cycles.named_day),
}  # fmt: skip

_NOTHING: Mapping[str, Any] = {}
_POSSESSIVE: Mapping[str, Any] = {"poss": None}
_NO_TIME = frozenset({"ver", "break", "letters"})
_HAN_NUMBER = re.compile("[〇零一二两兩三四五六七八九十百千]+")

_ALIASES = {"date": dates.DATE_ROLES}


def _entries(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """word or phrase -> role -> value, from the file's `roles` and `words`."""
    entries: dict[str, dict[str, Any]] = {}
    for role, words in table["roles"].items():
        for word in words.split(","):
            entries.setdefault(" ".join(word.split()), {})[role] = None
    for role, groups in table["words"].items():
        for words, value in groups.items():
            for word in words.split(","):
                entries.setdefault(" ".join(word.split()), {})[role] = (
                    tuple(value) if isinstance(value, list) else value
                )
    return entries


def _stages(table: Mapping[str, Any]) -> list[list[tuple[str, str]]]:
    """The rules of each stage, macros put in."""
    macros = table.get("macros", {})

    def put(match: re.Match[str]) -> str:
        return str(macros[match[1]])

    return [
        [(action, re.sub(r"\{([A-Z]\w*)\}", put, pattern)) for action, pattern in stage["rules"]]
        for stage in table["stages"]
    ]


def _expand(roles: dict[str, Any]) -> dict[str, Any]:
    """Adds the cycle behind a month, a weekday, a holiday."""
    for role, (cycle, make) in _CYCLES.items():
        if role in roles and cycle not in roles:
            roles[cycle] = make(roles[role])
            if cycle in ("yearly", "wyearly", "mdate"):
                roles["named"] = roles[cycle]
    return roles


@functools.cache
def load(name: str) -> Language:
    """The language of the file `name.toml` beside this module."""
    file = resources.files(__package__) / f"{name}.toml"
    return Language(tomllib.loads(file.read_text(encoding="utf-8")))


class Language:
    """Reads text into tokens and runs the cascade. Building one takes some milliseconds; reading has no state."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        """`table` is the content of a language's file; see `english.toml`.

        Raises:
            ValueError: a pattern names an unknown role, or an action does not exist.
        """
        entries = {word: _expand(roles) for word, roles in _entries(table).items()}
        self.lists = {name: frozenset(words.split()) for name, words in table.get("lists", {}).items()}
        self.day_first: bool = table["day_first"]
        self.marks: Mapping[str, Mapping[str, Any]] = {mark: {role: None} for mark, role in table["marks"].items()}
        self.words: dict[str, Mapping[str, Any]] = {word: roles for word, roles in entries.items() if " " not in word}
        self.phrases: dict[str, list[tuple[tuple[str, ...], dict[str, Any]]]] = {}
        for phrase, roles in entries.items():
            if " " in phrase:
                head, *tail = phrase.split()
                self.phrases.setdefault(head, []).append((tuple(tail), roles))
        for options in self.phrases.values():
            options.sort(key=lambda option: -len(option[0]))
        aliases = {**_ALIASES, **{name: tuple(roles.split()) for name, roles in table["aliases"].items()}}
        sets = [frozenset(roles) for roles in entries.values()]
        sets += [frozenset({name}) for name in (*_NODES, *table["marks"].values())]
        sets += [
            frozenset(_expand(dict.fromkeys(roles, (1, 1)))) if "md" in roles else roles for roles in NUMERIC_ROLE_SETS
        ]
        self.alphabet = Alphabet(sets, aliases)
        self.x = self.alphabet.char({"x": None})
        self.stages = [Stage(rules, _ACTIONS, self.alphabet) for rules in _stages(table)]
        triggers = frozenset(table["triggers"].split())
        self.trigger_words = frozenset(
            max(re.split(r"\W+", word), key=len)
            for word, roles in entries.items()
            if not triggers.isdisjoint(roles) or roles.get("nw") in (19, 20, 1000)  # years in words
        )
        self._longest = max(len(word) for word in self.words)
        han = [word for word in self.trigger_words if word[0] >= "\u3400"]
        self.trigger_han = re.compile("|".join(map(re.escape, han)) or "(?!)")
        chars = "".join(re.escape(c) for roles, c in self.alphabet.chars.items() if not triggers.isdisjoint(roles))
        self.segment = re.compile(f"[^{re.escape(self.x)}]*[{chars}][^{re.escape(self.x)}]*")

    def tokens(self, text: str, tz: tzinfo) -> list[Token]:
        """All tokens of the text; words without a role have the character `x`."""
        raw = [(m.lastgroup or "", m.start(), m.end()) for m in RAW.finditer(text)]
        lowered = [text[b:e].lower().replace("’", "'") for _, b, e in raw]
        words, phrases, x, char = self.words, self.phrases, self.x, self.alphabet.char
        out: list[Token] = []
        i, numbers = 0, False
        while i < len(raw):
            kind, begin, end = raw[i]
            if kind == "han":
                i = self._han(raw, i, text, out)
                continue
            word = lowered[i]
            i += 1
            if kind == "word":
                roles = words.get(word)
                if word in phrases:
                    step, roles = self._phrase(lowered, i - 1)
                    i += step - 1
                    end = raw[i - 1][2]
                if roles is None:
                    if word[-2:] != "'s" or word[:-2] not in words:
                        out.append(Token(begin, end, _NOTHING, x))
                        continue
                    base = words[word[:-2]]
                    out.append(Token(begin, end - 2, base, char(base)))
                    begin, roles = end - 2, _POSSESSIVE
                elif begin and text[begin - 1] in "$#@_":
                    roles = None
                elif "nw" in roles:
                    numbers = True
            elif kind == "mark":
                if word == "." and self._abbreviates(out, text, begin):
                    continue
                roles = self.marks.get(word)
            elif kind in ("wn", "nw"):
                roles = words.get(word)
                parts = None if roles else self._mixed(word, text[end - 1])
                if parts is not None:
                    (head, head_roles), (_, roles) = parts
                    out.append(Token(begin, begin + len(head), head_roles, char(head_roles)))
                    begin += len(head)
            elif kind in _NO_TIME:
                roles = None
            else:
                roles = self._numeric(kind, text, begin, end, tz, out)
            out.append(Token(begin, end, _NOTHING, x) if roles is None else Token(begin, end, roles, char(roles)))
        if numbers:
            self._join_numbers(out)
        for index, token in enumerate(out):
            token.first = token.last = index
        return out

    def _han(self, raw: Sequence[tuple[str, int, int]], i: int, text: str, out: list[Token]) -> int:
        """Adds the number or the longest word of the table that starts here; returns the next raw token's place."""
        begin = raw[i][1]
        number = _HAN_NUMBER.match(text, begin)
        most = min(self._longest, len(text) - begin)
        longest = next((n for n in range(most, 0, -1) if text[begin : begin + n] in self.words), 0)
        if number is not None and "han" in self.words.get(number[0][0], ()) and len(number[0]) >= longest:
            value = han_number([self.words[c]["han"] for c in number[0]])
            roles: Mapping[str, Any] = number_roles(value, digits=len(str(value)))
            out.append(Token(begin, number.end(), roles, self.alphabet.char(roles)))
            return i + len(number[0])
        roles = self.words[text[begin : begin + longest]] if longest else _NOTHING
        end = begin + max(longest, 1)
        out.append(Token(begin, end, roles, self.alphabet.char(roles) if roles else self.x))
        return i + max(longest, 1)

    def _numeric(
        self, kind: str, text: str, begin: int, end: int, tz: tzinfo, out: Sequence[Token]
    ) -> Mapping[str, Any] | None:
        """The roles of digits, None for prices, percentages, tags and what a hyphen ties to a word (`GPT-4`)."""
        before, after = text[begin - 1 : begin], text[end : end + 1]
        if (before and before in "$€£¥#@_") or (after and after in "%°"):
            return None
        if before == "-" and kind == "int" and len(out) > 1 and out[-2].char == self.x and out[-2].end == begin - 1:
            return None
        roles = numeric_roles(kind, text[begin:end], day_first=self.day_first, tz=tz)
        return _expand(dict(roles)) if roles is not None and "md" in roles else roles

    def _phrase(self, lowered: Sequence[str], i: int) -> tuple[int, Mapping[str, Any] | None]:
        """How many raw tokens the longest entry that starts here takes, and its roles."""
        for tail, roles in self.phrases[lowered[i]]:
            j = i + 1
            for part in tail:
                if j < len(lowered) and lowered[j] in ("-", "'") and part != lowered[j]:
                    j += 1
                if j >= len(lowered) or lowered[j] != part:
                    break
                j += 1
            else:
                return j - i, roles
        return 1, self.words.get(lowered[i])

    def _mixed(
        self, word: str, final: str
    ) -> tuple[tuple[str, Mapping[str, Any]], tuple[str, Mapping[str, Any]]] | None:
        """`3h`, `20min`, `mar4`, `dec31`: a number and a unit, a month and a day."""
        match = re.fullmatch(r"(\d{1,6})([a-z]+)|([a-z]+)(\d{1,4})", word)
        if match is None:
            return None
        head, tail = (match[1], match[2]) if match[1] else (match[3], match[4])
        letters, digits = (tail, head) if match[1] else (head, tail)
        known = self.words.get(letters, {})
        wanted = ("unit", "glued") if match[1] else ("month", "fy")
        if not any(role in known for role in wanted):
            return None
        number = number_roles(int(digits), digits=len(digits))
        if match[1] and len(tail) == 1 and final in "DW":
            return None  # `3D`, `7W`
        if "glued" in known and match[1]:
            known = {"unit": known["glued"]}
        return ((head, number), (tail, known)) if match[1] else ((head, known), (tail, number))

    def _abbreviates(self, out: Sequence[Token], text: str, at: int) -> bool:
        """`Sept. 12`: the full stop of an abbreviation, not of the sentence."""
        if not out or out[-1].end != at or out[-1].char == self.x or out[-1].end - out[-1].begin > 4:
            return False
        following = text[at + 1 : at + 3].strip()[:1]
        return following.isdigit() or (
            following.islower() and not out[-1].roles.keys().isdisjoint(("month", "wday", "unit"))
        )

    def _join_numbers(self, out: list[Token]) -> None:
        """`twenty-five`, `two thousand and fifteen`, `nineteen ninety six`, `twenty-third` become one token."""
        joined: list[Token] = []
        i = 0
        while i < len(out):
            if "nw" not in out[i].roles:
                joined.append(out[i])
                i += 1
                continue
            items: list[tuple[int, Mapping[str, Any]]] = []
            j = i
            while j < len(out):
                roles = out[j].roles
                if "nw" in roles or ("ord" in roles and "dth" not in roles and items and roles["ord"] < 10):
                    items.append((j, roles))
                    j += 1
                    if "nw" not in roles:
                        break
                elif (
                    items
                    and ("dash" in roles or ("and" in roles and items[-1][1].get("nw", 0) >= 100))
                    and j + 1 < len(out)
                ):
                    following = out[j + 1].roles
                    if "nw" in following or ("ord" in following and "dth" not in following):
                        j += 1
                    else:
                        break
                else:
                    break
            used, value, ordinal = _number([roles for _, roles in items])
            stop = items[used - 1][0]
            roles = {"ord": value} if ordinal else number_roles(value)
            joined.append(Token(out[i].begin, out[stop].end, roles, self.alphabet.char(roles)))
            i = stop + 1
        out[:] = joined


def _number(words: Sequence[Mapping[str, Any]]) -> tuple[int, int, bool]:
    """The number that the first words spell: how many words it takes, its value, whether it is an ordinal."""
    total, group, used = 0, 0, 0
    year: int | None = None
    for roles in words:
        if "nw" not in roles:
            if group % 10 == 0 and group:
                return used + 1, total + group + roles["ord"], True
            break
        value = roles["nw"]
        if value == 100 and 0 < group < 100:
            group *= 100
        elif value == 1000 and group:
            total, group = total + group * 1000, 0
        elif value >= 100:
            if used:
                break
            group = value
        elif (
            group == 0 or (group % 100 == 0 and group >= 100) or (group % 10 == 0 and value < 10 and group % 100 >= 20)
        ):
            group += value
        elif year is None and total == 0 and 15 <= group <= 20 and value >= 10:
            year, group = group, value
        else:
            break
        used += 1
    return max(used, 1), (year * 100 + group if year is not None else total + group), False
