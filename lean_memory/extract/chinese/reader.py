"""Chinese sentences, clause by clause, and the quoted words of people we can name."""

from __future__ import annotations

import re

from lean_memory.extract.chinese.model import ChineseClause, Phrase
from lean_memory.extract.chinese.phrases import ChinesePhrases
from lean_memory.extract.chinese.words import QUOTE, one_of
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.salience import emphasis
from lean_memory.extract.turn import Turn
from lean_memory.extract.when import Times, read_times

__all__ = ["Chinese"]

_CLAUSE = re.compile(r"[^，,；;。！!？?\n：:]+[，,；;。！!？?：:]?")
_TIMED = frozenset({"date", "plan", "decision", "wish", "phone"})  # objects that may hold a time


class Chinese(ChinesePhrases):
    """The rules for Chinese over a predicate table."""

    def read(self, turn: Turn, begin: int, end: int) -> list[Reading]:
        """The readings of text[begin:end]."""
        words, text = self.words, turn.text
        sentence = text[begin:end]
        if any(w in sentence for w in words["jokes"]):
            return []
        quoted = self._quoted(turn, begin, end)
        masked = QUOTE.sub(lambda m: " " * len(m[0]), sentence)
        correcting = any(w in masked for w in words["corrections"])
        weight = emphasis(sentence)
        times = read_times(text, begin, end, turn.t_ref, turn.tz, lang="zh")
        out: list[Reading] = []
        unreal = False
        subject: list[tuple[str, float]] | None = None
        for match in _CLAUSE.finditer(masked):
            raw = match[0]
            unreal = unreal or any(w in raw for w in words["conditions"])
            if (
                unreal
                or self._asked(raw)
                or any(w in raw for w in words["wishes"])
                or any(w in raw for w in words["hedges"])
            ):
                continue
            a, b = begin + match.start(), begin + match.end()
            clause = self._clause(turn, raw, a, b, times)
            listed = raw.rstrip()[-1:] in ":：" and self._heads.search(raw) is not None
            if listed and match.end() < len(masked.rstrip()):
                rest = masked[match.start() :]
                clause = self._clause(turn, rest, a, begin + len(masked), times)
            got, subject = self._read_clause(turn, clause, subject, out)
            out += got
            if listed:
                break
        for reading in out:
            reading.weight += weight
            if correcting or turn.correcting:
                reading.cue = "corrects"
        turn.correcting = correcting and not out
        return out + quoted

    def _asked(self, clause: str) -> bool:
        return clause.rstrip()[-1:] in "?？" or any(w in clause for w in self.words["questions"])

    def _clause(self, turn: Turn, raw: str, a: int, b: int, times: Times) -> ChineseClause:
        own = times.within(a, b)
        chars = list(raw)
        for m in own.moments:
            for i in range(max(0, m.outer - a), min(len(chars), m.end - a)):
                chars[i] = " "
        length = len(raw.rstrip("，,；;。！!？?：: \n"))
        return ChineseClause("".join(chars[:length]), a, a + length, own, raw[:length])

    def _read_clause(
        self, turn: Turn, clause: ChineseClause, subject: list[tuple[str, float]] | None, earlier: list[Reading]
    ) -> tuple[list[Reading], list[tuple[str, float]] | None]:
        out: list[Reading] = []
        found: list[tuple[str, float]] | None = None
        done: list[tuple[str, int, int]] = []
        relations: list[Reading] = []
        for phrase in self._phrases:
            body = clause.raw if phrase.kind in _TIMED else clause.text
            match = phrase.pattern.search(body)
            if match is None or any(
                match.start() < e and s < match.end() and (p == phrase.predicate or (s, e) != match.span())
                for p, s, e in done
            ):
                continue
            head = clause.text[: match.start()]
            flags = self._before.search(head)
            marks = flags[0] if flags else ""
            who, named = self._who(turn, head[: len(head) - len(marks)], clause, subject, noun=phrase.noun)
            if not who:
                continue
            values = self._values(phrase.kind, match["o"])
            if not values:
                continue
            relative = next((p for p in turn.memory.people if p.name == who[0][0] and p.relation and not p.named), None)
            if phrase.predicate == "name" and relative is not None and marks == "":
                predicate, former = self._relations[relative.relation or ""]
                turn.memory.people.remove(relative)
                turn.memory.add(
                    Mention(
                        0,
                        0,
                        values[0],
                        relative.gender,
                        relation=relative.relation,
                        owner=relative.owner,
                        named=True,
                        role=relative.role,
                    )
                )
                done.append(("name", *match.span()))
                found = [(values[0], 0.85)]
                if predicate:
                    ends = turn.t_ref if former else None
                    out.append(
                        Reading(
                            relative.owner or turn.speaker,
                            predicate,
                            values[0],
                            clause.start,
                            clause.end,
                            starts=None if former else turn.t_ref,
                            ends=ends,
                            confidence=0.9,
                        )
                    )
                continue
            if (
                phrase.predicate == "name"
                and (not head.strip() or head.strip() in ("它", "他", "她", "名字"))
                and self._christen(turn, values[0], earlier)
            ):
                continue
            got = self._assert(turn, clause, phrase, values, who, marks, match)
            if got:
                done.append((phrase.predicate, *match.span()))
                found, relations = who, named
                out += got
                for slot, predicate in phrase.extra:
                    more = self._values(self._table[predicate].object, match[slot])
                    out += self._assert(
                        turn, clause, Phrase(predicate, phrase.sign, "", phrase.pattern, ()), more, who, marks, match
                    )
        if found is None:
            start, named = self._who(turn, clause.text.strip()[:12], clause, None, loose=True)
            return named, start or subject
        return [*relations, *out], found

    def _christen(self, turn: Turn, name: str, earlier: list[Reading]) -> bool:
        """`我养了一只猫，叫豆豆`: the pet or relative just mentioned has a name."""
        if (
            earlier
            and earlier[-1].predicate == "has_pet"
            and any(w in earlier[-1].object for w in self.words["animals"])
        ):
            earlier[-1].object = name
            return True
        return False

    def _quoted(self, turn: Turn, begin: int, end: int) -> list[Reading]:
        """`妈妈说“我加入了合唱团”`: the words of a person we can name; all other quotations are skipped."""
        out: list[Reading] = []
        text = turn.text
        says = one_of(self.words["says"])
        for quote in QUOTE.finditer(text, begin, end):
            lead = text[begin : quote.start()]
            match = re.search(f"(?:^|[，,。；;])([^，,。；;]{{1,10}}?)(?:{says})[：:，,]?$", lead)
            if match is None:
                continue
            who, _ = self._who(turn, match[1], ChineseClause("", begin, end, Times()), None)
            if len(who) != 1 or who[0][0] == turn.speaker:
                continue
            inner = Turn(text, turn.t_ref, turn.tz, who[0][0], turn.memory)
            for reading in self.read(inner, quote.start() + 1, quote.end() - 1):
                reading.confidence = min(reading.confidence, 0.65)
                out.append(reading)
        return out
