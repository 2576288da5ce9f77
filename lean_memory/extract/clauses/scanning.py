"""Steps over a sentence's tokens that every part of the splitter takes: adverbs, openers, markers, boundaries."""

from __future__ import annotations

from lean_memory.extract.clauses.words import ClauseWords
from lean_memory.extract.lexicon import Lexicon, object_words, word_lists
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms

__all__ = ["Scanner"]


class Scanner:
    """Word classes, and what can be told of a place in the sentence by the words next to it."""

    def __init__(self, lexicon: Lexicon, verbs: VerbForms) -> None:
        words = self._words = ClauseWords.read()
        self._verbs = verbs
        self._adverbs = lexicon["adverbs"] | {"not", "no-longer"}
        self._determiners = lexicon["determiners"]
        self._prepositions = lexicon["prepositions"]
        self._conjunctions = lexicon["conjunctions"]
        self._pronouns = lexicon["subject_pronouns"]
        self._nominative = lexicon["nominative"]
        self._modals = lexicon["modals"]
        self._possessives = lexicon["possessives"]
        self._months = lexicon["months"] | lexicon["days"]
        self._titles = lexicon["titles"]
        self._complement = lexicon["say"] | lexicon["unreal"] | lexicon["believe"] | lexicon["known"]
        self._common = lexicon["common"]
        self._anchors = self._modals | words.be | words.have | words.do | {"'s", "'d"} | frozenset(verbs)
        self._no_verb_after = self._determiners - {"that", "this", "these", "those", "all", "both", "one"}
        said_of = lexicon["nationalities"] | lexicon["diets"] | lexicon["adjective_conditions"]
        self._predicative = said_of | object_words()["is_so"]
        self.people = word_lists("people")["person_nouns"]
        self.kin: frozenset[str] = frozenset()  # words that go with a name: `sister Anna`, `project Falcon`

    def _skip(self, toks: list[Token], i: int, hi: int, got: set[str]) -> int:
        while i < hi:
            low = toks[i].low
            if low == "no" and i + 1 < hi and toks[i + 1].low == "longer":
                got.add("no longer")
                i += 2
            elif low in self._adverbs:
                got.add(low)
                i += 1
            else:
                return i
        return i

    def _tags(self, word: str) -> str:
        known = self._verbs.get(word)
        return known[1] if known else ""

    def _base_at(self, toks: list[Token], i: int, hi: int) -> bool:
        i = self._skip(toks, i, hi, set())
        return i < hi and "b" in self._tags(toks[i].low)

    def _finite(self, toks: list[Token], j: int) -> bool:
        words = self._words
        low = toks[j].low
        return (
            low in words.finite
            or (
                self._tags(low).startswith("s") and toks[j - 1].low not in self._determiners and toks[j - 1].kind == "w"
            )
        ) and toks[j - 1].low not in self._pronouns

    def _front(self, toks: list[Token], i: int) -> bool:
        """Is nothing before i that could be a subject?"""
        words = self._words
        j = i - 1
        while j >= 0 and (toks[j].low in self._adverbs or toks[j].low in words.openers):
            j -= 1
        if j < 0:
            return True
        t = toks[j]
        return t.kind == "p" or (t.low in self._conjunctions and t.low not in ("who", "which", "that"))

    def _boundary(self, toks: list[Token], at: int, floor: int) -> bool:
        if at <= 0:
            return True
        t = toks[at - 1]
        return at - 1 >= floor - 1 and (
            (t.kind == "p" and t.low in ",;:—()-!?.")
            or t.low in self._conjunctions - {"as", "than", "that", "plus"}
            or t.low in ("plus",)
        )

    def _marker(self, toks: list[Token], at: int, floor: int) -> tuple[int, str | None]:
        """The conjunctions and adverbs right before `at`: where they begin, and the one that matters."""
        words = self._words
        marker: str | None = None
        i = at
        while i > floor:
            low = toks[i - 1].low
            if low in self._conjunctions and toks[i - 1].kind == "w":
                if (
                    marker is None
                    or marker in ("and", "but", "so", "or", "then")
                    or low in ("if", "unless", "because", "even")
                ):
                    marker = low
                i -= 1
            elif low in self._adverbs or low in words.openers or low in ("even", "case", "whether"):
                if low in ("whether",):
                    marker = low
                if low == "case" and i >= 2 and toks[i - 2].low == "in":
                    marker = "case"
                    i -= 1
                if low == "even":
                    marker = f"even {marker}" if marker else marker
                i -= 1
            else:
                break
        return i, marker
