"""The table's `zh` phrases as patterns, and what a match asserts: when, whether denied or over."""

from __future__ import annotations

import re

from lean_memory.extract.chinese.model import ChineseClause, Phrase
from lean_memory.extract.chinese.values import ChineseValues
from lean_memory.extract.chinese.words import one_of
from lean_memory.extract.reading import Reading
from lean_memory.extract.table import Predicate, PredicateTable
from lean_memory.extract.turn import Turn
from lean_memory.extract.when import Moment

__all__ = ["ChinesePhrases"]

_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


class ChinesePhrases(ChineseValues):
    """Phrases to readings."""

    def __init__(self, table: PredicateTable) -> None:
        super().__init__(table)
        words = self.words
        nouns = [noun for predicate in table.values() for noun in predicate.zh_nouns]
        self._heads = re.compile(one_of(tuple(sorted(nouns, key=len, reverse=True))))
        self._phrases = [phrase for predicate in table.values() for phrase in self._compiled(predicate)]
        self._before = re.compile(
            f"(?:{one_of(words['adverbs'])}|{one_of(words['past'])}|{one_of(words['denials'])}|\\s)+$"
        )

    def _compiled(self, predicate: Predicate) -> list[Phrase]:
        out = []
        for sign, phrases in (("", predicate.zh), ("+", predicate.zh_starts), ("-", predicate.zh_stops)):
            for phrase in phrases:
                kind, extra = predicate.object, []
                for slot in _SLOT.finditer(phrase):
                    if slot[1] == "o" and slot[2]:
                        kind = slot[2]
                    elif slot[1] in self._table:
                        extra.append((slot[1], slot[1]))
                source = _SLOT.sub(lambda m: f"(?P<{m[1]}>[^\\s，。]{{1,24}}?)", phrase)
                tail = f"(?:{one_of(self.words['end_particles'])}|\\s)*$"
                out.append(Phrase(predicate.name, sign, kind, re.compile(source + tail), tuple(extra)))
        if predicate.zh_nouns:
            nouns = one_of(tuple(sorted(predicate.zh_nouns, key=len, reverse=True)))
            source = (
                f"(?:的)?{nouns}\\s*(?:号码)?\\s*(?:是|换成了?|改成了?|为|：|:|有)\\s*(?P<o>.+?)(?:了|的|哦|啊|\\s)*$"
            )
            out.append(Phrase(predicate.name, "", predicate.object, re.compile(source), (), True))
        return out

    def _assert(
        self,
        turn: Turn,
        clause: ChineseClause,
        phrase: Phrase,
        values: list[str],
        who: list[tuple[str, float]],
        marks: str,
        match: re.Match[str],
    ) -> list[Reading]:
        predicate = self._table[phrase.predicate]
        past = any(w in marks for w in self.words["past"]) or any(
            w in clause.text[: match.start()] for w in self.words["past"]
        )
        over = any(w in marks for w in self.words["over"])
        denied = any(w in marks for w in self.words["denials"])
        ended = clause.text.rstrip().endswith("了") and denied and "没" not in marks
        frame = self._frame(turn, clause, predicate.name, predicate.kind, phrase.sign, past, denied, over or ended)
        if frame is None:
            return []
        starts, ends, negative, moment = frame
        out = []
        for name, sure in who:
            rest = turn.text[clause.start + self._subject_end(clause.text, match.start()) : clause.end]
            for value in values[: 1 if predicate.functional else None]:
                if value == name:
                    continue
                out.append(
                    Reading(
                        name,
                        phrase.predicate,
                        value,
                        clause.start,
                        clause.end,
                        negative=negative,
                        starts=starts,
                        ends=ends,
                        confidence=sure,
                        time_text=turn.text[moment.outer : moment.end] if moment else None,
                        grain=moment.grain if moment else None,
                        past=past,
                        text=f"{name}{rest}" if rest.isascii() is False else None,
                    )
                )
        if (
            phrase.predicate == "lives_in"
            and phrase.sign == "+"
            and "moved_to" in self._table
            and ends is None
            and not negative
        ):
            out += [
                Reading(
                    r.subject,
                    "moved_to",
                    r.object,
                    r.start,
                    r.end,
                    starts=r.starts,
                    confidence=r.confidence,
                    time_text=r.time_text,
                    grain=r.grain,
                    text=r.text,
                )
                for r in out
            ]
        return out

    def _subject_end(self, text: str, at: int) -> int:
        """Where the subject ends and its adverbs begin, so that the rest can be said of a name."""
        head = text[:at]
        flags = self._before.search(head)
        return len(head) - len(flags[0]) if flags else at

    def _frame(
        self,
        turn: Turn,
        clause: ChineseClause,
        predicate: str,
        kind: str,
        sign: str,
        past: bool,
        denied: bool,
        over: bool,
    ) -> tuple[int | None, int | None, bool, Moment | None] | None:
        now, times = turn.t_ref, clause.times
        since, lasted, span = times.pick("since"), times.pick("for"), times.pick("range")
        until, at = times.pick("until", "before"), times.pick("at", "after")
        point = at.happened if at else None
        future = point is not None and point > now
        if sign == "-":
            return None if denied else (None, min(point, now) if point is not None else now, False, at)
        if over and sign == "":
            return None, now if point is None or future else point, False, at
        if denied:
            return now, None, True, None
        if kind == "event" or sign == "+":
            return (point if point is not None else now), None, False, at
        if span:
            return span.start, min(span.ends or now, now), False, span
        if until:
            return None, min(until.ends or now, now), False, until
        if past:
            if at and at.stop is not None and not future and at.grain in ("year", "month", "season"):
                return at.start, min(at.stop - 1, now), False, at
            return None, now, False, None
        if since:
            return since.start, None, False, since
        if lasted and lasted.start is not None:
            return lasted.start, None, False, lasted
        if (
            at
            and at.stop is not None
            and not future
            and at.stop <= now
            and at.grain in ("year", "month", "season", "week")
        ):
            return at.start, at.stop - 1, False, at
        if predicate == "plans_to":
            return now, None, False, None
        return (point if future else now), None, False, at if future else None
