"""What the rules understand of each clause whatever its predicate: who it is about, and whether it is said to be so.

A model that finds relations does not know that they stand in a question, or are denied. The rules do, also where the
table has no phrase for what is said; here they say it of any stretch of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from lean_memory.extract.chinese import chinese_words
from lean_memory.extract.clauses import Clause
from lean_memory.extract.english import English
from lean_memory.extract.loopguard import recalled, without_recalled
from lean_memory.extract.people import Memory
from lean_memory.extract.segment import language, pieces, quotations, verbatim
from lean_memory.extract.sentence import Sentence
from lean_memory.extract.turn import Turn

__all__ = ["Frame", "Frames", "Gap"]

_THIRD = frozenset({"he", "she", "they"})
_NOT_YET = frozenset({"want", "plan", "think"})


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause, text[start:end], of a sentence that is text[sentence[0]:sentence[1]].

    `stated`: meant as a fact, not asked, supposed or wished. `denied`, `over`, `ahead`: it says that something is not,
    is no longer, or is yet to be. `past`: told in the past tense. `subjects` are names; empty when it is nobody the
    text names. `first`: the first person's words are in it.
    """

    start: int
    end: int
    sentence: tuple[int, int]
    stated: bool = True
    denied: bool = False
    over: bool = False
    ahead: bool = False
    past: bool = False
    subjects: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Stated, of the present, in the positive."""
        return self.stated and not (self.denied or self.over or self.ahead or self.past)


@dataclass(frozen=True, slots=True)
class Gap:
    """A statement, text[start:end], whose subject is a pronoun that nothing in the text explains."""

    start: int
    end: int
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Frames:
    """The clauses of one text in order, and its statements about nobody known.

    `closed` is where words stand that the writer does not say: quotations, quoted mail, code, and recalled memory.
    """

    text: str
    frames: tuple[Frame, ...]
    closed: tuple[tuple[int, int], ...]
    gaps: tuple[Gap, ...]
    sentences: tuple[tuple[int, int], ...]

    @classmethod
    def read(cls, english: English, text: str, *, t_ref: int, tz: tzinfo, speaker: str) -> Frames:
        """Reads every sentence. A Chinese one is a single frame, by its words of asking, supposing and denying."""
        said = without_recalled(text)
        quotes = quotations(said)
        turn = Turn(said, t_ref, tz, speaker, Memory(speaker), lowercase=not any(c.isupper() for c in text))
        frames: list[Frame] = []
        gaps: list[Gap] = []
        sentences: list[tuple[int, int]] = []
        shut = [*recalled(text), *verbatim(text)]
        for piece in pieces(said, quotes):
            span = piece.start, piece.end
            sentences.append(span)
            if any(span[0] < b and a < span[1] for a, b in shut):
                continue
            if language(text[slice(*span)]) == "zh":
                frames.append(_chinese(text[slice(*span)], span))
            else:
                _sentence(english, turn, span, quotes, frames, gaps)
        return cls(text, tuple(frames), (*quotes, *shut), tuple(gaps), tuple(sentences))

    def at(self, begin: int, end: int) -> Frame | None:
        """The clause that holds most of text[begin:end]; None where there is no clause."""
        best = max(self.frames, key=lambda frame: _shared(frame, begin, end), default=None)
        return best if best is not None and _shared(best, begin, end) > 0 else None

    def says(self, begin: int, end: int) -> bool:
        """May the words at text[begin:end] be the writer's own statement, by all that the rules know?"""
        if any(a < end and begin < b for a, b in self.closed):
            return False
        frame = self.at(begin, end)
        if frame is not None:
            return frame.stated
        return not any(mark in self.text[slice(*self.around(begin, end))] for mark in "?？")

    def around(self, begin: int, end: int) -> tuple[int, int]:
        """The sentences that text[begin:end] touches, as one stretch."""
        touched = [(a, b) for a, b in self.sentences if a < end and begin < b]
        return (touched[0][0], touched[-1][1]) if touched else (begin, end)


def _shared(frame: Frame, begin: int, end: int) -> int:
    return min(frame.end, end) - max(frame.start, begin)


def _sentence(
    english: English,
    turn: Turn,
    span: tuple[int, int],
    quotes: list[tuple[int, int]],
    frames: list[Frame],
    gaps: list[Gap],
) -> None:
    toks = english.tokens(turn.text, *span, quotes)
    if not toks:
        return
    before = list(turn.memory.people)
    mentions = english.people.find(toks, turn.memory, lowercase=turn.lowercase)
    run = Sentence(english, turn, toks, mentions, turn.text[slice(*span)], before)
    clauses = english.splitter.split(toks)
    run.question = any(token.low == "?" for token in toks[-3:])
    for index, clause in enumerate(clauses):
        who = run.who(clause, index, clauses)
        frame = _frame(run, clause, index, clauses, span, tuple(name for name, _, _ in who))
        frames.append(frame)
        if frame.stated and not who and _pronoun(run, clause):
            gaps += _gaps(run, clause, frame)


def _chinese(sentence: str, span: tuple[int, int]) -> Frame:
    words = chinese_words()

    def has(*names: str) -> bool:
        return any(word in sentence for name in names for word in words[name])

    asked = sentence.rstrip()[-1:] in ("?", "？") or has("questions")
    return Frame(
        *span,
        sentence=span,
        stated=not (asked or has("conditions", "hedges", "wishes", "jokes", "says")),
        denied=has("denials"),
        over=has("over", "past"),
    )


def _frame(
    run: Sentence, clause: Clause, index: int, clauses: Sequence[Clause], span: tuple[int, int], who: tuple[str, ...]
) -> Frame:
    outer, inner = clause.verbs[0], clause.verbs[-1]
    verbs = clause.verbs
    start = run.toks[clause.lo].start
    return Frame(
        start=start,
        end=max(start, run.toks[max(clause.lo, clause.hi - 1)].end),
        sentence=span,
        stated=run.stated(clause, index, list(clauses)) > 0 and not any(verb.tense == "cond" for verb in verbs),
        denied=inner.neg or outer.neg,
        over=any(verb.used_to or verb.longer or verb.phase == "stop" for verb in verbs),
        ahead=any(verb.tense == "fut" or verb.phase in _NOT_YET for verb in verbs)
        or (outer.modal is not None and outer.modal != "can"),
        past=inner.tense in ("past", "pluperf"),
        subjects=who,
    )


def _pronoun(run: Sentence, clause: Clause) -> bool:
    return clause.subject is not None and run.toks[clause.subject[0]].low in _THIRD


def _gaps(run: Sentence, clause: Clause, frame: Frame) -> list[Gap]:
    """What the rules would have read, had they known the subject."""
    for verb in reversed(clause.verbs):
        found = run.verb(clause, verb, [("?", 0.5, "person")], set())
        if found:
            return [Gap(frame.start, frame.end, reading.predicate, reading.object) for reading in found]
    return []
