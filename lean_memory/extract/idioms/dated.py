"""When a clause says that something happened: never later than the turn itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading
from lean_memory.extract.when import Moment

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["Dated", "dated", "dated_clauses", "lasting"]

_DONE = ("past", "perf")


@dataclass(frozen=True, slots=True)
class Dated:
    """A point of time in epoch milliseconds, the words that told it, and their grain; None: nothing told it."""

    when: int
    words: str | None = None
    grain: str | None = None

    def stamp(self, reading: Reading) -> Reading:
        """The reading with these words for its time."""
        reading.time_text, reading.grain = self.words, self.grain
        return reading

    def end(self, reading: Reading) -> Reading:
        """The reading, over since then."""
        reading.ends = self.when
        return self.stamp(reading)

    def begin(self, reading: Reading) -> Reading:
        """The reading, true since then."""
        reading.starts = self.when
        return self.stamp(reading)


def dated(s: Sentence, at: Moment | None) -> Dated:
    """When the moment was; the time of the turn without one, and for one still to come, whose words are kept."""
    now = s.turn.t_ref
    if at is None:
        return Dated(now)
    happened = at.happened
    when = now if happened is None or happened > now else happened
    return Dated(when, s.turn.text[at.outer : at.end], at.grain)


def lasting(s: Sentence, clause: Clause) -> Dated | None:
    """Since when, by `since 2012` or `for ten years`; None where the clause doesn't say."""
    times = s.clause_times(clause)
    at = times.pick("since") or times.pick("for")
    return None if at is None or at.start is None else Dated(at.start, s.turn.text[at.outer : at.end], at.grain)


def dated_clauses(
    s: Sentence, clauses: list[Clause], lemmas: frozenset[str], openers: frozenset[str]
) -> Iterator[tuple[Clause, Dated]]:
    """Clauses that say no more than when: a verb that is over and done, and a past time behind it (`I left in March`).

    Args:
        lemmas: the verbs.
        openers: what may stand behind the verb, if anything does: words that time expressions begin with.
    """
    for clause in clauses:
        verb = clause.verbs[0]
        tail = s.toks[verb.end : clause.hi]
        if verb.lemma not in lemmas or verb.tense not in _DONE or verb.neg:
            continue
        if tail and tail[0].low not in openers:
            continue
        at = s.clause_times(clause).pick("at")
        if at is not None and at.happened is not None and at.happened <= s.turn.t_ref:
            yield clause, dated(s, at)
