"""Which sentences may say something that the table knows. Looked for first, to be quick."""

from __future__ import annotations

from collections.abc import Iterable

from lean_memory.extract.lexicon import Lexicon, word_lists
from lean_memory.extract.match import Matcher
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms

__all__ = ["Triggers"]

# Lists of the lexicon any word of which may be the whole point of a sentence.
_KINDS = (
    "diets",
    "animals",
    "languages",
    "conditions",
    "adjective_conditions",
    "nationalities",
    "job_heads",
    "places",
    "instruments",
    "vehicles",
)


class Triggers:
    """The words without one of which (nor a name, a number, a job) a sentence says nothing that the table knows.

    Args:
        nouns: the nouns of the table's predicates, of one or more words.
        relations: words for relatives and roles.
    """

    def __init__(
        self, lex: Lexicon, forms: VerbForms, matcher: Matcher, nouns: Iterable[str], relations: Iterable[str]
    ) -> None:
        words = word_lists("triggers")
        light = words["light_verbs"]
        self._first = words["first"]
        function = (
            lex["prepositions"] | lex["determiners"] | lex["conjunctions"] | lex["adverbs"] | lex["subject_pronouns"]
        )
        self.telling = matcher.verbs - light
        """Verbs of the table that mean something alone."""
        strong = {form for form in forms if (forms.get(form) or ("",))[0] in self.telling}
        literal = matcher.words - function - light
        listed = frozenset().union(*(lex[kind] for kind in _KINDS))
        single = {word for noun in nouns for word in noun.split()}
        self._words = frozenset(strong) | (
            (literal | listed | single | frozenset(relations) | words["idioms"]) - function
        )

    def promising(self, toks: list[Token]) -> bool:
        """May the sentence state a fact?"""
        trigger, first = self._words, self._first
        for i, t in enumerate(toks):
            low = t.low
            if low in first or low in trigger or t.kind in "nxq":
                return True
            if (
                t.kind == "w"
                and i
                and (
                    (t.capital and low != "i")
                    or (
                        low.endswith(("er", "or", "ist", "ian", "ant", "s"))
                        and (low[:-1] in trigger or (len(low) > 5 and low[-1] != "s"))
                    )
                )
            ):
                return True
        return False
