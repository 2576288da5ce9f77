"""The noun phrases before a verb: its subject, and those that are coordinated with it."""

from __future__ import annotations

from lean_memory.extract.clauses.model import Verb
from lean_memory.extract.clauses.scanning import Scanner
from lean_memory.extract.tokens import Token

__all__ = ["NounPhrases"]


class NounPhrases(Scanner):
    """Noun phrases, found from their end leftwards."""

    def _subject(
        self, toks: list[Token], e: int, floor: int, later: bool
    ) -> tuple[tuple[int, int], list[tuple[int, int]], int] | None:
        """The noun phrase that ends at e: (head, coordinated others, where the whole begins)."""
        words = self._words
        if e <= floor:
            return None
        t = toks[e - 1]
        if t.low == ")":
            j = e - 1
            while j > floor and toks[j].low != "(":
                j -= 1
            return self._subject(toks, j, floor, later) if j > floor else None
        if t.low == "," and e - floor > 2:  # `Anna, my sister, works`; `Anna, who works at X, is bringing`
            j = e - 2
            while j > floor and toks[j].low != ",":
                j -= 1
            if toks[j].low == "," and e - 2 - j <= 7 and j > floor:
                return self._subject(toks, j, floor, later)
            return None
        if t.kind == "p" or t.kind == "q":
            return None
        if t.low in ("who", "which", "that") and e - 1 > floor:
            before = self._subject(
                toks, e - 1 - (toks[e - 2].low == ","), max(0, floor - 8) if t.low == "who" else floor, later
            )
            if before is not None and t.low != "that":
                return before[0], before[1], e - 1
            if t.low != "that":
                return (e - 1, e), [], e - 1
        if t.low in self._pronouns:
            return self._coordinate(toks, (e - 1, e), floor, later)
        if t.low == "door" and e - 3 >= floor and toks[e - 2].low == "next" and toks[e - 3].low in self.people:
            return self._subject(toks, e - 2, floor, later)  # `the man next door plays ..`
        if (
            t.low in words.hereabouts
            and e - 2 >= floor
            and (toks[e - 2].capital or toks[e - 2].low in self.kin or toks[e - 2].low in self.people)
        ):
            return self._subject(toks, e - 1, floor, later)  # `Mr. Lee downstairs plays ..`
        numbered = t.kind == "n" and e - 3 > floor and toks[e - 2].low in words.doors  # `Lea at number 31`
        head = (e - 2, e) if numbered else self._phrase(toks, e, floor)
        if head is None:
            return None
        full = head[0]
        # A modifier: `Lea in my team`, `Tom from sales`. The head is what stands before the preposition.
        if full - 1 > floor and toks[full - 1].low in words.modifying:
            over = full - 2 > floor and toks[full - 2].low in words.directions  # `Lea over in sales`
            owner = self._phrase(toks, full - 1 - over, floor)
            if (
                (owner is not None and owner[0] <= floor + 0)
                or (owner is not None and self._boundary(toks, owner[0], floor))
            ) and (toks[owner[0]].low in self._determiners or toks[owner[0]].capital):
                return self._coordinate(toks, owner, floor, later)
        return self._coordinate(toks, head, floor, later)

    def _coordinate(
        self, toks: list[Token], head: tuple[int, int], floor: int, later: bool
    ) -> tuple[tuple[int, int], list[tuple[int, int]], int]:
        others: list[tuple[int, int]] = []
        full = head[0]
        while full - 1 > floor and toks[full - 1].low in ("and", "&", ",", "nor"):
            if toks[full - 1].low == "," and not others:
                break
            at = full - 1
            if toks[at].low == "and" and toks[at - 1].low == ",":
                if later or others:
                    break
                at -= 1
            before = self._phrase(toks, at, floor) if at > floor else None
            if before is None and at - 1 >= floor and toks[at - 1].low in ("he", "she", "i", "you", "they"):
                before = (at - 1, at)
            if before is None or (later and not self._boundary(toks, before[0], floor)):
                break
            first = toks[before[0]]
            person = first.capital or first.low in self._possessives or first.low in ("he", "she", "i", "both")
            if not person and (later or toks[head[0]].low != "i"):
                break
            if later and toks[before[0] - 1].low == "," and toks[head[0]].low in self._pronouns:
                break
            others.insert(0, before)
            full = before[0]
        return head, others, full

    def _phrase(self, toks: list[Token], e: int, floor: int) -> tuple[int, int] | None:
        """The noun phrase that ends at e, leftwards to its determiner or as far as it can be one."""
        words = self._words
        i = e
        while i > floor and e - i < 8:
            t = toks[i - 1]
            low = t.low
            if t.kind == "p":
                if low in ("&",) and i - 1 > floor and i < e:
                    i -= 1
                    continue
                break
            if t.kind == "q":
                break
            if low in self._possessives or (low in self._determiners and low not in ("that",)):
                i -= 1
                break
            if t.kind == "n" and i < e and not toks[i].capital:
                i -= 1
                break
            if t.kind in "nx":
                break
            if low == "'s":
                i -= 1
                continue
            if (
                low in self._prepositions
                or low in self._conjunctions
                or low in self._pronouns
                or low in self._modals
                or low in words.be
                or low in words.have
                or low in words.do
            ):
                if t.capital and low in ("will", "may") and i - 1 == floor:
                    i -= 1
                    continue
                break
            if low in self._adverbs or low in words.openers:
                break
            if (low in self._months and i < e) or low in ("today", "yesterday", "tomorrow", "tonight", "ago"):
                break
            i -= 1
        if i == e:
            return None
        # A name without a determiner to its left stands alone: `last week Anna`, `At work Anna`.
        if toks[e - 1].capital and toks[i].low not in self._determiners and toks[i].low not in self._possessives:
            j = e - 1
            while (
                j > i
                and (toks[j - 1].capital or toks[j - 1].low in words.name_particles)
                and not (
                    toks[j - 1].low in self._common
                    and toks[j - 1].low not in self._titles
                    and j - 1 == 0
                    and j < e
                    and toks[j].capital
                    and j - 1 != i
                )
            ):
                j -= 1
            if j > i and toks[j - 1].low in self._titles:
                j -= 1
            if j > i:
                if toks[j - 1].low not in self.kin:
                    i = j
                elif not any(t.low == "'s" for t in toks[i:j]):
                    i = j - 1
        return (i, e)

    def _after(self, toks: list[Token], k: int, verb: Verb) -> tuple[int, int] | None:
        j = k + 1
        while j < verb.end and toks[j].low in self._adverbs:
            j += 1
        if j >= len(toks):
            return None
        x = j + 1
        if toks[j].low not in self._pronouns:
            while x < len(toks) and (
                toks[x].capital or (toks[j].low in self._determiners and x < j + 3 and not self._tags(toks[x].low))
            ):
                x += 1
        return (j, x)
