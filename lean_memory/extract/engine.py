"""The extractor: a note in, an episode with its facts out."""

from __future__ import annotations

from dataclasses import replace
from datetime import timezone, tzinfo

from lean_memory.extract.chinese import Chinese
from lean_memory.extract.english import English
from lean_memory.extract.loopguard import without_recalled
from lean_memory.extract.owning import may_say
from lean_memory.extract.people import Memory
from lean_memory.extract.reading import Reading
from lean_memory.extract.render import render
from lean_memory.extract.salience import salience
from lean_memory.extract.secrets import mask_secrets
from lean_memory.extract.segment import language, pieces, quotations, touches, verbatim
from lean_memory.extract.table import PredicateTable, default_table
from lean_memory.extract.turn import Turn
from lean_memory.instants import zone
from lean_memory.parses import DependencyParser
from lean_memory.records import ASSISTANT, Episode, Fact, Note, episode_of, fact_id

__all__ = ["Extractor"]


class Extractor:
    """Reads notes with one predicate table. Compiled once; the same note always gives the same episode.

    Args:
        table: the predicates to look for; the packaged ones by default.
        mask: secrets (keys, tokens, passwords, card numbers) are replaced in the episode's text, see `secrets`.
        guard: text fenced as recalled memory is kept but not extracted again, see `loopguard`.
        parser: reads English sentences in which the rules leave something unread, see `parsing`.
    """

    def __init__(
        self,
        table: PredicateTable | None = None,
        *,
        mask: bool = True,
        guard: bool = True,
        parser: DependencyParser | None = None,
    ) -> None:
        self.table = table or default_table()
        self._mask = mask
        self._guard = guard
        self.english = English(self.table, parser)
        """The rules for English, for those who ask more than facts of them: `frames`."""
        self._chinese: Chinese | None = None  # made on first use

    @property
    def trouble(self) -> str | None:
        """Why the parser is asked no more; None while it works, and without one."""
        return self.english.parsed.trouble if self.english.parsed is not None else None

    def episode(self, note: Note) -> Episode:
        """The note as an episode with the facts that its words state; an assistant's turn states none."""
        if self._mask:
            masked = mask_secrets(note.text)
            note = note if masked == note.text else replace(note, text=masked)
        if note.source == ASSISTANT:
            return episode_of(note)
        facts, aliases = self._facts(note)
        return episode_of(note, facts, aliases=aliases)

    def _facts(self, note: Note) -> tuple[list[Fact], dict[str, str]]:
        tz = zone(note.tz) if note.tz else timezone.utc
        speaker = note.speaker or "user"
        text = without_recalled(note.text) if self._guard else note.text
        quotes = quotations(text)
        turn = Turn(text, note.t_ref, tz, speaker, Memory(speaker), lowercase=not any(c.isupper() for c in text))
        readings: list[Reading] = []
        closed = verbatim(text)
        for piece in pieces(text, quotes):
            if touches(closed, piece.start, piece.end):
                continue
            sentence = text[piece.start : piece.end]
            if language(sentence) == "zh":
                if self._chinese is None:
                    self._chinese = Chinese(self.table)
                readings += self._chinese.read(turn, piece.start, piece.end)
                continue
            readings += self.english.read(
                turn, piece.start, piece.end, quotes, item=piece.item, line=piece.line, gap=piece.gap
            )
        if turn.unsaid:
            readings = [r for r in readings if not any(r is gone for gone in turn.unsaid)]
        readings = [r for r in readings if may_say(note.speaker, r.subject)]
        aliases = {role: name for role, name in turn.memory.aliases.items() if may_say(note.speaker, role)}
        return self._records(readings, note, tz, speaker, aliases), aliases

    def _records(
        self, readings: list[Reading], note: Note, tz: tzinfo, speaker: str, aliases: dict[str, str]
    ) -> list[Fact]:
        roles = {(role.rpartition("'s ")[0], name): role for role, name in aliases.items()}
        best: dict[str, tuple[Reading, Fact]] = {}
        for reading in readings:
            predicate = self.table.get(reading.predicate)
            if predicate is None:
                continue
            span = (reading.start, reading.end)
            if reading.starts is not None and reading.ends is not None and reading.ends < reading.starts:
                reading.starts = None  # times of two clauses: that it is over is what counts
            role = roles.get((reading.subject, reading.object))
            if role and reading.text is None and not reading.negative and reading.ends is None:
                reading.text = f"{reading.object} is {role}"  # people ask for the sister, not for the sibling
            ident = fact_id(
                reading.subject, reading.predicate, reading.object, "negative" if reading.negative else "positive"
            )
            fact = Fact(
                id=ident,
                subject=reading.subject,
                predicate=reading.predicate,
                object=reading.object,
                text=render(predicate, reading, tz, note.t_ref),
                quote=note.text[span[0] : span[1]],
                span=span,
                polarity="negative" if reading.negative else "positive",
                valid_at=reading.starts,
                valid_to=reading.ends,
                time_text=reading.time_text,
                relation="derives" if reading.derived else "asserts",
                cue=reading.cue,
                confidence=round(max(0.0, min(1.0, reading.confidence)), 2),
                salience=salience(predicate, reading, speaker),
                route=reading.route,
            )
            known = best.get(ident)
            if known is None or self._says_more(reading, known[0]):
                begun = known[0].starts if known is not None else None
                if begun is not None and fact.valid_at is None and begun < (fact.valid_to or 0):
                    fact = replace(fact, valid_at=begun)  # `opened it in 1998 and sold it in 2014`
                best[ident] = (reading, fact)
        return [fact for _, fact in best.values()]

    @staticmethod
    def _says_more(new: Reading, old: Reading) -> bool:
        """The same fact twice in one turn: the one with a time counts, then the one that says it is over."""
        if (new.time_text is None) != (old.time_text is None):
            return new.time_text is not None
        return new.ends is not None and old.ends is None
