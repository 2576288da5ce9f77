"""What a verb governs: `used to live`, `stopped using`, `want to learn`, `am planning to move`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lean_memory.extract.clauses.model import Verb
from lean_memory.extract.clauses.scanning import Scanner
from lean_memory.extract.tokens import Token

__all__ = ["Governed"]


class Governed(Scanner):
    """The verbs behind a verb."""

    def _govern(self, toks: list[Token], verb: Verb, hi: int) -> list[Verb]:
        """`used to live`, `stopped using`, `want to learn`, `am planning to move`, `am back to using`."""
        words = self._words
        i = verb.end
        low = toks[i].low if i < hi else ""
        lemma = verb.lemma
        to = low == "to" and self._base_at(toks, i + 1, hi)
        ing = low and self._tags(low) == "g"
        got: set[str] = set()

        def inner(at: int, **more: Any) -> list[Verb]:
            at = self._skip(toks, at, hi, got)
            known = self._verbs.get(toks[at].low) if at < hi else None
            if known is None:
                return [verb]
            end = self._skip(toks, at + 1, hi, got)
            neg = verb.neg != bool(got & {"not", "never"})
            change: dict[str, Any] = {"neg": neg, **more}
            down = replace(verb, lemma=known[0], end=end, adverbs=verb.adverbs | got, form="b", **change)
            return [verb, *self._govern(toks, down, hi)]

        if lemma == "use" and to and (toks[i - 1].low == "used" or verb.tense == "past"):
            return inner(i + 1, used_to=True, tense="past")[1:] or [verb]
        if lemma in ("refuse", "decline") and to and verb.tense == "pres" and not verb.neg:
            return inner(i + 1, neg=True)  # `he refuses to use e-mail`: he doesn't
        if lemma in words.stop and ing:
            return inner(i, phase="stop")
        if lemma == "give" and low == "up" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1, phase="stop")
        if lemma in words.start and (ing or to):
            return inner(i if ing else i + 1, phase="start")
        if lemma in words.keep and (ing or to):
            return inner(i if ing else i + 1)
        if lemma == "keep" and low == "on" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1)
        if (
            lemma in ("go", "be", "get", "come", "return")
            and low == "back"
            and i + 1 < hi
            and toks[i + 1].low in ("to", "on", "into")
        ):
            j = i + 2
            if j < hi and self._tags(toks[j].low) == "g":
                return inner(j, phase="start", tense="past" if verb.tense == "pres" else verb.tense)
        if lemma == "return" and low == "to" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1, phase="start")
        if lemma == "end" and low == "up" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1)
        if to and lemma in words.plan:
            return inner(i + 1, phase="plan")
        if to and (lemma in words.want or (verb.tense == "cond" and lemma in ("like", "love", "prefer", "hate"))):
            if lemma in words.taste and verb.tense != "cond":
                return [verb]
            return inner(i + 1, phase="want")
        if lemma in ("plan", "decide") and low == "on" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1, phase="plan")
        if (
            lemma in ("think", "dream", "talk")
            and low in ("about", "of")
            and i + 1 < hi
            and self._tags(toks[i + 1].low) == "g"
        ):
            return inner(i + 1, phase="think")
        if lemma in ("consider", "contemplate") and ing:
            return inner(i, phase="think")
        if (
            lemma == "be"
            and low in words.intent
            and i + 1 < hi
            and toks[i + 1].low == "to"
            and self._base_at(toks, i + 2, hi)
        ):
            phase = {"able": None, "about": "plan", "set": "plan", "due": "plan"}.get(low, "think")
            return inner(i + 2, phase=phase)
        if lemma == "have" and to:
            return inner(i + 1, phase=None if verb.tense == "past" else "think")
        if lemma in words.catenatives and to:
            if lemma in ("learn", "teach"):
                return [verb]
            return inner(i + 1, phase="think" if lemma in ("seem", "appear", "pretend", "claim") else verb.phase)
        if lemma == "turn" and low == "out" and i + 1 < hi and toks[i + 1].low == "to":
            return inner(i + 2)
        if lemma == "look" and low == "forward" and i + 2 < hi and self._tags(toks[i + 2].low) == "g":
            return inner(i + 2, phase="plan")
        if lemma == "wait" and to and verb.modal in ("can",):
            return inner(i + 1, phase="plan", neg=False)
        if lemma == "get" and ing:
            return [verb]
        return [verb]
