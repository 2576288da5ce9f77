"""Whether a subject and a verb go together, and whether a verb can share the subject of the one before."""

from __future__ import annotations

from lean_memory.extract.clauses.model import Verb
from lean_memory.extract.clauses.scanning import Scanner
from lean_memory.extract.tokens import Token

__all__ = ["Agreement"]


class Agreement(Scanner):
    """Person, number and form."""

    def _agrees(
        self, toks: list[Token], subject: tuple[int, int], others: list[tuple[int, int]], verb: Verb, word: str, k: int
    ) -> bool:
        words = self._words
        low = toks[k].low
        if low in self._modals or low in words.agree_with_all:
            if low == "am":
                return word in ("i",) or word == "im"
            return True
        tags = self._tags(low)
        named = toks[subject[1] - 1].capital and toks[subject[0]].low not in self._possessives | self._determiners
        if subject == (0, 1) and "b" in tags and low != "like":  # `Nuts give me hives`: the capital is the sentence's
            named = False
        plural = (
            bool(others)
            or word in words.plural_nouns
            or (word.endswith("s") and not named and word not in words.singular_in_s)
        )
        if tags == "g":
            return False
        if "d" in tags and "b" not in tags:
            return low not in words.postmodifiers or low == "called" or low == "made"
        if tags.startswith("s"):
            either = others and subject[0] and toks[subject[0] - 1].low in ("nor", "or")
            return (not others or bool(either)) and word not in words.not_third_person
        if "d" in tags:  # read, put, cut, quit
            return True
        if "b" in tags:
            return plural
        return tags == "n" and word in ("i", "we", "he", "she", "they")  # `we gone`

    def _past_alike(
        self, toks: list[Token], k: int, subject: tuple[int, int], others: list[tuple[int, int]], word: str
    ) -> bool:
        """`Acme let me go`: a form that is base and past, behind one who would have it with `s`."""
        tags = self._tags(toks[k].low)
        if others or "b" not in tags or "d" not in tags or word in self._words.not_third_person:
            return False
        single = word not in self._words.plural_nouns and not word.endswith("s") and word.isalpha()
        return toks[subject[1] - 1].capital or word in ("he", "she", "it") or (single and word in self.kin)

    def _continues(self, verb: Verb, prior: Verb, before: Token, toks: list[Token], k: int) -> bool:
        """May this verb share the previous one's subject? Forms must agree: `I live in X and work at Y`."""
        words = self._words
        tags = self._tags(toks[k].low)
        if toks[k].low in words.auxiliaries or verb.modal:
            return True
        if "g" in tags and tags == "g":
            return prior.prog and before.low in words.continues
        if verb.tense == "past" or tags == "dn" or tags == "d":
            if before.kind == "p" and verb.lemma in ("name", "call", "base", "bear", "raise"):
                return False
            return (
                prior.tense in ("past", "perf", "pluperf")
                or (before.kind == "p" and verb.lemma in words.starting)
                or before.low in ("then",)
                or (verb.form == "d" and "n" not in tags)
            )
        if tags.startswith("s"):
            return (
                (prior.tense in ("pres", "perf") and prior.form == "s")
                or (prior.lemma == "be" and prior.tense == "pres")
                or (prior.prog and prior.tense == "pres" and before.low in words.continues)
                or toks[prior.start].low == "does"
                or (prior.tense == "past" and prior.form != "b" and before.low in words.continues)
                or (prior.tense in ("perf", "past") and before.low in ("and", "but"))
            )
        if "b" in tags:
            return (
                prior.tense in ("pres", "fut", "cond", "perf")
                and before.low in words.continues
                and prior.form in ("b", "s", "n")
            ) or (
                before.low in ("and", "but")
                and prior.tense == "past"
                and any(t.low in ("now", "nowadays", "instead") for t in toks[k + 1 : k + 6])
            )  # `I dropped French and study Dutch now`
        return False

    def _chance(self, toks: list[Token], subject: tuple[int, int], verb: Verb) -> bool:
        """`chess and old films`: a plain word before a form that may be a noun is no clause of its own."""
        words = self._words
        a, b = subject
        low = toks[a].low
        if b - a == 1 and a and toks[a - 1].kind == "p" and low not in self._common:
            return False
        if (
            b - a > 2
            or toks[a].capital
            or low in self._pronouns
            or low in self._possessives
            or low in self._determiners
        ):
            return False
        return (
            verb.form in ("s", "b")
            and toks[verb.start].low not in words.be | words.have | words.do | {"'s"}
            and verb.modal is None
        )
