"""Names: which capitalised words are one, and where it ends."""

from __future__ import annotations

from lean_memory.extract.lexicon import Lexicon, object_words, word_lists
from lean_memory.extract.people.relations import relation_words
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.tokens import Token

__all__ = ["Names"]


class Names:
    """The words that tell names from other capitalised words."""

    def __init__(self, lexicon: Lexicon, table: PredicateTable) -> None:
        self._lists = word_lists("people")
        self.first_names = lexicon["first_names"] | self._lists["he_names"] | self._lists["she_names"]
        """Those most likely to be met; nobody must be in it to be a person."""
        self._titles = lexicon["titles"]
        self._common = lexicon["common"]
        self._places = lexicon["places"]
        self._fictional = lexicon["fictional"]
        self._animals = lexicon["animals"]
        self._months = lexicon["months"] | lexicon["days"]
        self._possessives = lexicon["possessives"]
        self._nationalities = lexicon["nationalities"] | lexicon["languages"]
        self._particles = self._lists["particles"]
        self._lower_stop = (
            lexicon["common"]
            | lexicon["adverbs"]
            | lexicon["prepositions"]
            | lexicon["conjunctions"]
            | lexicon["modals"]
            | lexicon["determiners"]
            | lexicon["subject_pronouns"]
            | lexicon["evaluative"]
            | lexicon["animals"]
            | frozenset(lexicon.verbs)
        )
        self._openers = (lexicon["evaluative"] | lexicon["openers"]) - {"rich"}
        self._after_openers = lexicon["conjunctions"] | lexicon["determiners"] | lexicon["subject_pronouns"]
        self.relations = relation_words(table)
        # The small words that may begin a mention; everything else that does is a capitalised name.
        self._leads = (
            self._possessives
            | self._lists["bare"]
            | self._lists["roles"]
            | self._lists["uncles"]
            | self._lists["bare_with_names"]
            | frozenset(self.relations)
            | {"the", "a", "an", "our"}
        )
        self._beliefs = object_words()["is_so"]
        self.adjectives = self._lists["adjectives"]
        self.somebody = self._lists["person_nouns"] | self._lists["strangers"]
        self.verb_forms: frozenset[str] = frozenset()
        self._shouted = (
            lexicon["adverbs"]
            | lexicon["prepositions"]
            | lexicon["conjunctions"]
            | lexicon["determiners"]
            | lexicon["modals"]
            | self._lists["shouted"]
        )
        self._month_verbs = self._lists["month_verbs"]

    @property
    def groups(self) -> frozenset[str]:
        """Words for groups that people have: `team`, `crew`."""
        return self._lists["groups"]

    def name_at(self, toks: list[Token], i: int) -> int:
        """Where the name that begins at i ends; i when none does."""
        n = len(toks)
        j = i
        title = (
            j + 1 < n
            and toks[j].low in self._titles
            and (toks[j].capital or toks[j].low in self._lists["lower_titles"])
        )
        if title and toks[j + 1].capital and toks[j + 1].low not in self._months:
            j += 1
        begin = j
        while j < n:
            t = toks[j]
            if t.kind == "w" and t.capital and len(t.text) > 0 and t.low not in ("i",):
                if t.low in self._months and j == begin and not self._month_name(toks, j):
                    break
                if j == begin and t.low in self._beliefs:  # `I'm Catholic, my wife is Hindu`
                    break
                if (
                    t.text.isupper()
                    and len(t.text) > 1
                    and j > begin
                    and t.low not in self._lists["numerals"]
                    and (not toks[j - 1].text.isupper() or t.low in self._shouted or t.low in self.verb_forms)
                ):
                    break
                if j == 0 and t.low.endswith("ing") and len(t.low) > 5:  # `Networking was ..`
                    break
                if j == 0 and t.low in self._lists["no_names_first"] and n > 1 and not toks[1].capital:
                    break  # `Big news from Anna`
                bid = j == begin and t.low in self._lists["bids"] and self._opens(toks, j)
                if bid and j + 1 < n and toks[j + 1].capital:  # `Ask Anna`
                    break
                if (
                    j == 0
                    and t.low in self._openers
                    and (n == 1 or toks[1].kind == "p" or toks[1].low in self._after_openers)
                ):
                    break  # `Awkward, because her fiancé ..`
                if (
                    j == begin
                    and t.low in self._common
                    and (j == 0 or t.low in self._possessives or len(t.text) < 3 or self._opens(toks, j))
                ):
                    break
                j += 1
            elif j > begin and t.low in self._particles and j + 1 < n and toks[j + 1].capital:
                j += 1
            else:
                break
        return j if j > begin else i

    def gender_of_name(self, low: str) -> str | None:
        """m or f for a first name that is hardly ever anybody else's."""
        return "m" if low in self._lists["he_names"] else "f" if low in self._lists["she_names"] else None

    def _month_name(self, toks: list[Token], j: int) -> bool:
        """`Two days ago Jan got engaged`: a name that is a month's too, before a verb."""
        if (
            j + 1 >= len(toks)
            or toks[j].low in ("march", "sun", "sat")
            or (j and (toks[j - 1].kind == "n" or toks[j - 1].low in self._lists["before_months"]))
        ):
            return False
        nxt = toks[j + 1]
        return nxt.kind == "w" and nxt.low in self._month_verbs

    @staticmethod
    def _opens(toks: list[Token], j: int) -> bool:
        return j == 0 or toks[j - 1].kind == "p"

    def _verb_follows(self, low: str) -> bool:
        return (
            low == ""
            or low in self._lists["after_names"]
            or (low.isalpha() and (low.endswith(("s", "ed")) or low in self._lists["past_forms"]))
        )

    @staticmethod
    def text(toks: list[Token], a: int, b: int) -> str:
        """The tokens as written, with their spaces as single ones."""
        out = ""
        for i in range(a, b):
            if i > a and toks[i].start > toks[i - 1].end:
                out += " "
            out += toks[i].text
        return out
