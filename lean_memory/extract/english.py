"""English sentences to readings: what kind of line it is, and who reads it.

Whose words it is (`labels`), a list's head (`headings`) and its items (`lists`), or a sentence of clauses (`sentence`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Splitter
from lean_memory.extract.cues import corrects, cue_of, elsewhere, jokes
from lean_memory.extract.footings import read_footing
from lean_memory.extract.headings import read_heading
from lean_memory.extract.labels import read_label
from lean_memory.extract.lexicon import lexicon, word_lists
from lean_memory.extract.lists import read_items
from lean_memory.extract.match import Matcher
from lean_memory.extract.objects import Objects
from lean_memory.extract.people import Letters, People
from lean_memory.extract.reading import Reading
from lean_memory.extract.recast import recast
from lean_memory.extract.salience import emphasis
from lean_memory.extract.sentence import Sentence
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.tokens import Token, tokenize
from lean_memory.extract.triggers import Triggers
from lean_memory.extract.turn import Turn
from lean_memory.extract.verbs import VerbForms
from lean_memory.extract.when import read_times
from lean_memory.extract.word_names import WordNames

if TYPE_CHECKING:
    from lean_memory.extract.parsing import ParseReader
    from lean_memory.parses import DependencyParser

__all__ = ["English"]

_DATED_HEAD = re.compile(
    r"\b(?:journal|diary|entry|notes?|minutes|log|meeting|sync|standup|stand-up|retro|call|update|report|recap|day)\b",
    re.IGNORECASE,
)


class English:
    """The rules for English over a predicate table. Compiled once, used for every turn."""

    def __init__(self, table: PredicateTable, parser: DependencyParser | None = None) -> None:
        lex = lexicon()
        verbs = set(lex.verbs)
        self.forms = VerbForms(verbs)
        matcher = Matcher(table, self.forms)
        self.forms = VerbForms(verbs | set(matcher.verbs))
        self.matcher = Matcher(table, self.forms)
        self.splitter = Splitter(lex, self.forms)
        self.people = People(lex, table)
        self.objects = Objects(lex, self.people)
        self.lex = lex
        self.people.verb_forms = frozenset(self.forms)
        self.splitter.kin = frozenset(self.people.relations) | lex["animals"] | {"project", "team"}
        self.table = table
        self.nouns: dict[str, list[str]] = {}
        for predicate in table.values():
            for noun in predicate.nouns:
                self.nouns.setdefault(noun, []).append(predicate.name)
        self.hedges = lex["hedges"]
        self.headings = word_lists("headings")
        self.noun_words = word_lists("noun_phrases")
        self.topics = {word: noun for noun, words in word_lists("topics").items() for word in words}
        self._triggers = Triggers(lex, self.forms, self.matcher, self.nouns, self.people.relations)
        self._letters = Letters(lex, self.forms)
        self._word_names = WordNames(lex, self.forms, self.objects, frozenset(self.people.relations) | lex["animals"])
        self.parsed: ParseReader | None = None
        if parser is not None:
            from lean_memory.extract.parsing import ParseReader, ParseSplitter

            self.parsed = ParseReader(self, ParseSplitter(self.splitter, parser), self._triggers.telling)

    # ------------------------------------------------------------------ a sentence

    def read(
        self, turn: Turn, begin: int, end: int, quotes: list[tuple[int, int]], *, item: bool, line: int, gap: bool
    ) -> list[Reading]:
        """The readings of text[begin:end], one sentence or list item."""
        toks = self.tokens(turn.text, begin, end, quotes)
        if not toks:
            return []
        if gap and not item:
            turn.heading = None
        out: list[Reading] = []
        sentence = turn.text[begin:end]
        low = sentence.lower()
        joke = jokes(sentence, low)
        if joke:
            turn.unsaid += turn.last
            turn.last = []
        correcting = corrects(sentence, low)
        if turn.heading is not None and item:
            out = read_items(self, turn, toks, 0, len(toks), turn.heading)
        if not out:
            if turn.heading is not None and not item and turn.heading.line != line:
                turn.heading = None
            out = self._sentence(turn, toks, sentence)
        if joke:
            out = [r for r in out if r.negative]
        if out:
            cue = cue_of(sentence, correcting=correcting or turn.correcting)
            weight = emphasis(sentence)
            for reading in out:
                reading.weight += weight
                if reading.cue is None and (cue == "corrects" or (cue and self._replaceable(reading))):
                    reading.cue = cue
            turn.last = list(out)
        turn.correcting = correcting and not out
        return out

    def _replaceable(self, reading: Reading) -> bool:
        """Whether it is of a kind of which one that holds now may take the place of another."""
        row = self.table.get(reading.predicate)
        return row is not None and row.replaceable and reading.ends is None and not reading.negative

    def tokens(self, text: str, begin: int, end: int, quotes: list[tuple[int, int]]) -> list[Token]:
        """The tokens of text[begin:end]; each of the quotations inside is one."""
        first = bisect_left(quotes, (begin,))
        inside = [(a, b) for a, b in takewhile(lambda quote: quote[0] < end, islice(quotes, first, None)) if b <= end]
        if not inside:
            return self._names(tokenize(text, begin, end))
        out: list[Token] = []
        at = begin
        for a, b in inside:
            out += tokenize(text, at, a)
            inner = text[a + 1 : b - 1].strip().rstrip(",.!?")
            out.append(Token(text[a:b], inner, a, b, "q"))
            at = b
        return self._names(out + tokenize(text, at, end))

    def _names(self, toks: list[Token]) -> list[Token]:
        return self._word_names.tell(self._letters.off(toks))

    def _sentence(self, turn: Turn, toks: list[Token], sentence: str) -> list[Reading]:
        head = self._dated(turn, toks)
        if head:
            toks = toks[head:]
            if not toks:
                return []
        label = read_label(self, turn, toks)
        if label is not None:
            return label
        heading = read_heading(self, turn, toks)
        if heading is not None:
            return heading
        if elsewhere(sentence, sentence.lower()):
            return []
        footed = read_footing(self, turn, toks)
        if footed is not None:
            return footed
        toks, more = recast(self, toks)
        if more:
            return [r for part in (toks, *more) for r in self._clauses(turn, part, sentence)]
        return self._clauses(turn, toks, sentence)

    def _clauses(self, turn: Turn, toks: list[Token], sentence: str) -> list[Reading]:
        if not self._triggers.promising(toks):
            if any(t.capital for t in toks):
                self.people.find(toks, turn.memory, lowercase=turn.lowercase)
            return []
        before = list(turn.memory.people)
        mentions = self.people.find(toks, turn.memory, lowercase=turn.lowercase)
        run = Sentence(self, turn, toks, mentions, sentence, before)
        out = run.readings()
        for reading in out:
            if reading.start >= reading.end:  # words said elsewhere in the sentence
                reading.start, reading.end = min(t.start for t in toks), max(t.end for t in toks)
        return out if self.parsed is None else out + self.parsed.more(run, out)

    def _dated(self, turn: Turn, toks: list[Token]) -> int:
        """`Journal entry for 2 November 2025: ..`, `Notes from yesterday's meeting.`: when the rest happened.

        Returns how many tokens the head takes.
        """
        n = len(toks)
        colon = next((i for i, t in enumerate(toks[:14]) if t.low in (":", "—") and t.kind == "p"), n)
        head = toks[:colon]
        if (
            not head
            or len(head) > 10
            or (
                not _DATED_HEAD.search(turn.text, head[0].start, head[-1].end)
                and not (colon < n and head[0].kind in "nx")
            )
        ):
            return 0
        if any(t.low in self.headings["clause_words"] for t in head):
            return 0
        if any(
            "d" in (self.forms.get(t.low) or ("", ""))[1] and not t.capital
            for t in head
            if t.low not in ("read", "set")
        ):
            return 0
        times = read_times(turn.text, head[0].start, head[-1].end, turn.t_ref, turn.tz, lang="en")
        at = times.pick("at")
        if (
            at is None
            or at.happened is None
            or at.grain not in ("day", "hour", "minute", "weekend")
            or at.happened > turn.t_ref
        ):
            return 0
        turn.base = at
        return colon + 1 if colon < n else n
