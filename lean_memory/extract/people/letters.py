"""Letters behind a name: `Anna Weber, PhD, works at ..` is about Anna Weber."""

from __future__ import annotations

from lean_memory.extract.lexicon import Lexicon, word_lists
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms

__all__ = ["Letters"]


class Letters:
    """Degrees, orders and `Esq.`, left out where they follow a name and a comma."""

    def __init__(self, lex: Lexicon, forms: VerbForms) -> None:
        self._letters = word_lists("people")["letters"]
        self._states = word_lists("people")["letters_of_states"]
        self._no_names = lex["common"] | lex["places"] | lex["determiners"]
        self._forms = forms

    def off(self, toks: list[Token]) -> list[Token]:
        """The sentence without them."""
        if self._letters.isdisjoint([t.low for t in toks]):
            return toks
        out: list[Token] = []
        i = 0
        while i < len(toks):
            end = self._behind(toks, i, out)
            if end == i:
                out.append(toks[i])
            i = max(end, i + 1)
        return out

    def _behind(self, toks: list[Token], i: int, out: list[Token]) -> int:
        """Where the letters end that begin with the comma at i; i when none do."""
        if toks[i].low != "," or not out or not out[-1].capital or out[-1].low in self._no_names | self._letters:
            return i
        end = i
        while end + 1 < len(toks) and toks[end].low == "," and self._is_letters(toks, end + 1):
            end += 2
            if end + 1 < len(toks) and toks[end].low == "." and toks[end].start == toks[end - 1].end:
                end += 1  # `Esq.,`
        if end == i:
            return i
        if end < len(toks) and toks[end].low == ",":
            return end + 1
        after = toks[end].low if end < len(toks) else ""
        return end if after == "" or toks[end].kind == "p" or after == "'s" or after in self._forms else i

    def _is_letters(self, toks: list[Token], i: int) -> bool:
        low = toks[i].low
        if low in self._states and any(t.low in ("in", "from", "near", "to", "at") for t in toks[max(0, i - 4) : i]):
            return False  # `in Easton, MD`
        return low in self._letters
