"""First names that are words too: `Will works at ..`, `May I ..?`, `Rose is a nurse`, `Mark my words`.

Which it is, the next words tell. A name is then written large in `low` as well, where no rule takes it for the word.
"""

from __future__ import annotations

from collections.abc import Collection

from lean_memory.extract.lexicon import Lexicon, word_lists
from lean_memory.extract.objects import Objects
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms

__all__ = ["WordNames", "is_word_name"]


def is_word_name(token: Token) -> bool:
    """Was the token told to be a name, though it is a word too?"""
    return token.kind == "w" and token.low[:1].isupper()


class WordNames:
    """Tells names from words.

    Args:
        of_somebody: words for relatives and animals: `May is my sister`, `May has a cat`.
    """

    def __init__(self, lex: Lexicon, forms: VerbForms, objects: Objects, of_somebody: Collection[str]) -> None:
        self._words = word_lists("word_names")
        self._all = self._words["modals"] | self._words["nouns"] | self._words["verbs"]
        self._names = self._words["modals"] | self._words["nouns"]
        self._forms = forms
        self._objects = objects
        self._somebody = of_somebody
        self._conditions = lex["conditions"]
        self._possessives = lex["possessives"]
        self._modals = lex["modals"]

    def tell(self, toks: list[Token]) -> list[Token]:
        """The sentence, with what is a name told as one, and what is a verb as none."""
        for i, t in enumerate(toks):
            if t.capital and t.low in self._all and not (t.text.isupper() and len(t.text) > 1):
                if t.low in self._names and self._is_name(toks, i):
                    toks[i] = Token(t.text, t.text, t.start, t.end, t.kind)
                elif self._is_verb(toks, i):
                    t.capital = False
        return toks

    def _is_verb(self, toks: list[Token], i: int) -> bool:
        """`Mark my words`: at the head of a sentence, before its object."""
        low = toks[i].low
        if i + 1 >= len(toks) or low not in self._words["verbs"] or not (i == 0 or toks[i - 1].kind == "p"):
            return False
        return toks[i + 1].low in self._words["after_verbs"] or (low == "hope" and toks[i + 1].capital)

    def _is_name(self, toks: list[Token], i: int) -> bool:
        words, low = self._words, toks[i].low
        j = i + 1
        while j < len(toks) and toks[j].low in words["aside"]:
            j += 1
        if j >= len(toks):
            return False
        time = low in words["times"]
        if time and i and toks[i - 1].low not in ("and", "or", ",", "but", "because", "that", "says", "said"):
            return False
        after = toks[j].low
        if low == "will" and i and toks[i - 1].low in words["before_names"]:
            return True
        if after == "," and not time:
            return j + 1 < len(toks) and toks[j + 1].low in ("who", "my", "our", "whose")
        if after == "and" and j == i + 1:
            return (not time and self._beside(toks, j + 1)) or (low == "may" and self._beside(toks, j + 1))
        if toks[j].kind != "w":
            return False
        if low == "will":
            return self._acts(toks, j) or after in words["be"] | words["have"] | self._modals
        if after in words["be"]:
            return self._of_people(toks, j + 1)
        if after in words["have"]:
            return self._has(toks, j + 1)
        if after in self._modals or after in ("does", "did"):
            return not time or low == "may"
        return after in words["acts"] and self._acts(toks, j) if time else self._acts(toks, j)

    def _beside(self, toks: list[Token], j: int) -> bool:
        """`Grace and I`, `Will and May are ..`."""
        if j + 1 >= len(toks):
            return False
        t, after = toks[j], toks[j + 1]
        return t.low == "i" or (
            t.capital and after.kind == "w" and self._finite(after.low) and t.low not in self._forms
        )

    def _finite(self, low: str) -> bool:
        known = self._forms.get(low)
        return low in self._modals or (known is not None and known[1] != "g")

    def _acts(self, toks: list[Token], j: int) -> bool:
        """Does a form stand at j that goes with a single person, and no noun: `works at`, `moved to`?"""
        known = self._forms.get(toks[j].low)
        if known is None or "b" in known[1] or known[1] == "g" or known[1] == "n":
            return False
        follow = toks[j + 1].low if j + 1 < len(toks) else ""
        if follow in self._words["no_acts"]:
            return False
        return not (known[1].startswith("s") and (follow in ("is", "are", "was", "were", "has", "have", "do", "need")))

    def _of_people(self, toks: list[Token], j: int) -> bool:
        """What follows `Rose is`."""
        if j < len(toks) and toks[j].low in ("not", *self._words["aside"]):
            j += 1
        if j >= len(toks):
            return False
        low = toks[j].low
        if low in self._words["of_people"] or (toks[j].kind == "n" and self._years(toks, j)):
            return True
        known = self._forms.get(low)
        if known is not None and known[1] == "g":
            return j + 1 < len(toks) and toks[j + 1].kind == "w"
        stop = next((k for k in range(j, len(toks)) if toks[k].kind == "p" or self._ends(toks[k].low)), len(toks))
        if low in self._possessives or (j + 1 < len(toks) and toks[j + 1].low == "'s"):
            return any(t.low in self._somebody for t in toks[j + 1 : stop])
        return low in ("a", "an", "the") and stop > j + 1 and self._objects.is_job(toks, j + 1, stop)

    @staticmethod
    def _ends(low: str) -> bool:
        return low in ("and", "but", "who", "at", "in", "from", "for", "with", "on", "now", "of")

    @staticmethod
    def _years(toks: list[Token], j: int) -> bool:
        return toks[j].low.isdigit() and (
            j + 1 >= len(toks) or toks[j + 1].low in ("years", ".", "now", "and", "today")
        )

    def _has(self, toks: list[Token], j: int) -> bool:
        """What follows `May has`: a pet, a relative, a condition, or what was done."""
        if j >= len(toks):
            return False
        known = self._forms.get(toks[j].low)
        if known is not None and "n" in known[1] and toks[j].low in self._words["acts"] | {"been", "moved", "joined"}:
            return True
        return any(
            t.low in self._somebody or t.low in self._conditions or t.low.rstrip("s") in self._somebody
            for t in toks[j : j + 4]
        )
