"""Phrases of the table, compiled: which say what, given a verb and the words after it."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from lean_memory.errors import UsageError
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms

__all__ = ["Claim", "Matcher", "Pattern"]

_SLOT = re.compile(r"\{(-?)(\w+)(?::(\w+))?\}")
_FACT = re.compile(r"(\w) ([-+!]?)(\w+)(?: (\w)(?::(\w+))?)?$")


_NO_VERBS = frozenset("no never always only just".split())  # phrases may begin with these
_compiled = functools.lru_cache(maxsize=None)(re.compile)

_CLOSED = (
    r"(?=$| [.,;:!?()—-]| (?:and|but|so|in|on|from|since|today|yesterday|tomorrow|last|this|next|now|after|as|at|then"
    r"|when|again)(?: |$))"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One fact that a pattern states: `who` and `what` name slots (`s`: subject), `sign` + begins, - ends."""

    who: str
    sign: str
    predicate: str
    what: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase as the table has it, its verb taken off."""

    say: str
    rest: str
    claims: list[Claim]
    negative: bool
    progressive: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """`verb` with a tail that matches `source`. `negative`: only in the negative, which is used up."""

    verb: str
    first: frozenset[str] | None
    source: str  # compiled on first use: most patterns are never asked
    claims: tuple[Claim, ...]
    negative: bool
    say: str
    progressive: bool = False
    rule: bool = False  # from a [[rule]]: when it fits, nothing else is asked


class Matcher:
    """All patterns of a table, by verb. Those of a verb are made when it is first asked for."""

    def __init__(self, table: PredicateTable, forms: VerbForms) -> None:
        self._table = table
        self._forms = forms
        self._by_verb: dict[str, list[_Phrase]] = {}
        self._by_first: dict[str, dict[str, list[Pattern]]] = {}
        for rule in table.rules:
            if rule.facts:
                self._add(rule.say, [self._claim(fact, rule.say) for fact in rule.facts])
        for predicate in table.values():
            for sign, phrases in (("", predicate.phrases), ("+", predicate.starts), ("-", predicate.stops)):
                for phrase in phrases:
                    self._add(phrase, [Claim("s", sign, predicate.name, "o", predicate.object)])
        self.together = self._together(table)
        self.words = self._words(table)
        self.verbs = (frozenset(self._by_verb) | frozenset(verb for verb, _, _ in self.together)) - _NO_VERBS

    def _claim(self, fact: str, say: str) -> Claim:
        match = _FACT.match(fact)
        if match is None or match[3] not in self._table:
            raise UsageError(f"rule {say!r}: cannot read the fact {fact!r}", code="bad_predicates")
        return Claim(match[1], match[2], match[3], match[4] or "x", match[5] or self._table[match[3]].object)

    def _together(self, table: PredicateTable) -> list[tuple[str, str, Claim]]:
        out = []
        for predicate in table.values():
            for sign, phrases in (("+", predicate.together), ("-", predicate.together_stops)):
                for phrase in phrases:
                    verb, _, tail = phrase.partition(" ")
                    head, _, more = tail.partition(" ")
                    known = self._forms.get(head) if verb == "be" else None
                    if known and known[1] == "g":  # `be dating` is `date`
                        verb, tail = known[0], more
                    out.append((verb, tail, Claim("s", sign, predicate.name, "o", "person")))
        return out

    @staticmethod
    def _words(table: PredicateTable) -> frozenset[str]:
        """The plain words that phrases consist of, verbs aside."""
        out: set[str] = set()
        for predicate in table.values():
            for phrase in (
                *predicate.phrases,
                *predicate.starts,
                *predicate.stops,
                *predicate.together,
                *predicate.together_stops,
            ):
                for word in phrase.split()[1:]:
                    if not word.startswith("{") and word != "*":
                        out.update(word.split("|"))
        return frozenset(out)

    def _add(self, say: str, claims: list[Claim]) -> None:
        negative = say.startswith("not ")
        verbs, _, tail = (say[4:] if negative else say).partition(" ")
        if tail.startswith("not ") and verbs == "be":
            negative, tail = True, tail[4:]
        for word in verbs.split("|"):
            verb, rest = word, tail
            progressive = False
            if verb == "be":  # `be living in {o}` is `live in {o}`; `have been diagnosed` is `be diagnosed`
                head, _, more = tail.partition(" ")
                known = self._forms.get(head)
                if known and known[1] == "g" and not head.startswith("being"):
                    verb, rest, progressive = known[0], more, True
            if verb == "have" and tail.startswith("been "):
                verb, rest = "be", tail[5:]
            if verb in ("can't|cannot", "can", "can't", "cannot", "would"):
                verb, _, rest = tail.partition(" ")
                if verb == "rather":
                    verb, _, rest = rest.partition(" ")
            self._by_verb.setdefault(verb, []).append(_Phrase(say, rest, claims, negative, progressive))

    def _pattern(self, verb: str, phrase: _Phrase) -> Pattern:
        claims = list(phrase.claims)
        source = self._regex(phrase.rest, claims)
        rule = len(phrase.claims) > 1
        return Pattern(
            verb, self._first(phrase.rest), source, tuple(claims), phrase.negative, phrase.say, phrase.progressive, rule
        )

    def _regex(self, tail: str, claims: list[Claim]) -> str:
        parts: list[str] = []
        words = tail.split()
        for index, word in enumerate(words):
            slot = _SLOT.fullmatch(word)
            poss = _SLOT.match(word)
            last = index == len(words) - 1
            if slot or poss:
                got = slot or poss
                assert got is not None
                name, kind = got[2], got[3]
                if name in self._table:
                    claims.append(
                        Claim(
                            "s",
                            claims[0].sign if claims[0].sign != "-" else "-",
                            name,
                            name,
                            kind or self._table[name].object,
                        )
                    )
                elif kind and name == "o":
                    claims[0] = Claim(claims[0].who, claims[0].sign, claims[0].predicate, "o", kind)
                parts.append(
                    f"(?P<{name}>.+)" if last else f"(?P<{name}>[^;:()—]+?)" if kind else f"(?P<{name}>[^,;:()—]+?)"
                )
            elif word == "*":
                parts.append(r"(?:[^,;:()—]+? )??")
            elif word == "$":  # nothing but a time follows
                return "".join(p if p.endswith("??") else p + " " for p in parts).rstrip(" ") + _CLOSED
            else:
                parts.append("(?:" + "|".join(re.escape(choice) for choice in word.split("|")) + ")")
        joined = ""
        for part in parts:
            joined += part if part.endswith("??") or not part else part + " "
        return joined.rstrip(" ") + r"(?= |$)"

    def _index(self, verb: str) -> dict[str, list[Pattern]] | None:
        """By the first word after the verb, in the table's order; under "" those that may begin with any word."""
        known = self._by_first.get(verb)
        if known is None and verb in self._by_verb:
            known = {"": []}
            for pattern in (self._pattern(verb, phrase) for phrase in self._by_verb[verb]):
                if pattern.first is None:
                    for listed in known.values():
                        listed.append(pattern)
                    continue
                for word in pattern.first:
                    if word not in known:
                        known[word] = list(known[""])
                    known[word].append(pattern)
            self._by_first[verb] = known
        return known

    @staticmethod
    def _first(tail: str) -> frozenset[str] | None:
        word = tail.split(" ", 1)[0]
        return None if not word or word == "*" or word.startswith("{") else frozenset(word.split("|"))

    def match(
        self, verb: str, toks: list[Token], a: int, b: int
    ) -> Iterator[tuple[Pattern, dict[str, tuple[int, int]]]]:
        """The patterns whose tail fits tokens [a, b), with the token range of every slot."""
        index = self._index(verb)
        if index is None or a >= b:
            return
        words = [t.low if t.kind != "q" else "“”" for t in toks[a:b]]
        patterns = index.get(words[0]) or index[""]
        text = " ".join(words)
        starts: list[int] | None = None
        known: dict[str, dict[str, tuple[int, int]] | None] = {}  # many patterns differ only in the kind of their slot
        for pattern in patterns:
            source = pattern.source
            if source in known:
                slots = known[source]
            else:
                found = _compiled(source).match(text)
                slots = None
                if found is not None:
                    if starts is None:
                        starts = []
                        at = 0
                        for word in words:
                            starts.append(at)
                            at += len(word) + 1
                    slots = {
                        name: (
                            a + bisect_right(starts, found.start(name)) - 1,
                            a + bisect_right(starts, max(found.end(name) - 1, 0)),
                        )
                        for name in found.re.groupindex
                    }
                known[source] = slots
            if slots is None:
                continue
            yield pattern, slots
