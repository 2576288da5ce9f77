"""English sentences to readings: labels, headings and lists here; single sentences in `sentence`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Splitter
from lean_memory.extract.labels import head_of, owner_of, speaker_label
from lean_memory.extract.lexicon import lexicon
from lean_memory.extract.match import Matcher
from lean_memory.extract.objects import Objects, Value
from lean_memory.extract.people import Memory, Mention, People
from lean_memory.extract.reading import Reading
from lean_memory.extract.recast import recast
from lean_memory.extract.salience import emphasis
from lean_memory.extract.segment import pieces
from lean_memory.extract.sentence import Sentence
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.tokens import Token, tokenize
from lean_memory.extract.turn import Heading, Turn
from lean_memory.extract.verbs import VerbForms
from lean_memory.extract.when import read_times
from lean_memory.records import Cue

if TYPE_CHECKING:
    from lean_memory.extract.parsing import ParseReader
    from lean_memory.parses import DependencyParser

__all__ = ["English"]

# Verbs too common to mean anything alone.
_LIGHT = (
    "be have get go take make do see come know say tell need keep put think feel give find look let call ask bring "
    "show mean talk meet hear"
)
# Whoever speaks of themselves may say it in words too common to trigger: `I'm into jazz`, `I take metformin`.
_FIRST = frozenset("i my me mine our we us".split())
_CORRECTION = re.compile(
    r"^\W*(?:(?:oh|ah|um|wait|hmm|no|nope|ok|okay|so|and|but|well|hang on)[\s,.!]+)*(?:actually,"
    r"|actually i\b(?! also)|correction|i meant|i mean,|sorry[,:;]? (?:wrong|autocorrect|typo|my mistake"
    r"|i meant|that'?s wrong|i was wrong)"
    r"|scratch that|strike that|my mistake|my bad|i was wrong|i misspoke|i take that back|wrong:|typo"
    r"|autocorrect|let me correct|to correct|oops|whoops|edit:"
    r"|i (?:had|got) (?:that|it) wrong|i (?:mixed|mix) (?:that|it|them|this) up|that was wrong)"
    r"|\b(?:i take that back|i had that wrong|i got that wrong|i mixed them up|i mix this up|i misspoke"
    r"|, autocorrect)\b",
    re.IGNORECASE,
)
# What stands in every match of the two: looking for these first is much quicker.
_CORRECTION_MARKS = tuple(
    "actually|correct|i mean|sorry|scratch|strike|mistake|bad|wrong|misspoke|take that|typo|oops|edit:|mix".split("|")
)
_JOKE_MARKS = ("kidding", "joking", "jk", "j/k", "april fool", "not really lol", "as if")
_REPLACING = re.compile(
    r"\b(?:now|nowadays|these days|from now on|instead|back to|back on|has replaced|replaces)\b"
    r"(?<!until now)(?<!right now)"
    r"|\b(?:my|our) (?:[a-z]+ ){1,3}(?:is|are)\b",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"\b(?:just kidding|jk|j/k|i'?m (?:just )?(?:kidding|joking)|only joking|just joking|april fools?"
    r"|kidding!|not really lol|as if)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:in (?:another|a parallel|an alternate|an alternative|some parallel|a different)"
    r" (?:universe|reality|world|timeline|dimension|life)"
    r"|in my dreams|in a perfect world|in an ideal world|if only)\b",
    re.IGNORECASE,
)
_ELSEWHERE_MARKS = ("universe", "reality", "world", "timeline", "dimension", "life", "dream", "if only")
_DATED_HEAD = re.compile(
    r"\b(?:journal|diary|entry|notes?|minutes|log|meeting|sync|standup|stand-up|retro|call|update|report|recap|day)\b",
    re.IGNORECASE,
)
_CLAUSE_WORDS = frozenset("i we he she they is was have has will my".split())
_TEAMS = frozenset("team crew staff lineup cast roster".split())
_HEAD_OPENERS = frozenset("my our current known the new".split())
_HEAD_ADJECTIVES = frozenset("new current main known other favourite favorite".split())
_ROSTERS = frozenset(
    "roster team crew staff lineup line-up members roles attendees contacts people who's who cast".split()
)
_PLANS = frozenset("next planned upcoming todo to-do plans goals wishlist bucket coming".split())
_LISTABLE = frozenset(
    "things stuff food foods languages countries places cities books films movies games instruments tools"
    " people apps sports activities what bands music all some clubs medication meds medications pets "
    "shows programming software drinks meals the".split()
)
_HEAD_ENDS = frozenset("so far already most really the best fluently well at moment regularly ) (".split())
_TRUSTED = frozenset("medicine condition playable wish".split())
_PLAN_HEADS = frozenset(
    {("on", "the"), ("on", "my"), ("to", "read"), ("to", "watch"), ("to", "do"), ("to", "try"), ("to", "visit"),
     ("up", "next"), ("still", "to"), ("want", "to")}
)  # fmt: skip
_PILES = frozenset("pile list shelf nightstand stack backlog agenda cards horizon read watch do try visit next".split())
_TASTES = frozenset("like love enjoy hate dislike adore".split())


def _cue(sentence: str, *, correcting: bool) -> Cue | None:
    """How the sentence as a whole relates to what was known."""
    if correcting:
        return "corrects"
    return "replaces" if _REPLACING.search(sentence) else None


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
        self._trigger = self._triggers(table)
        self.parsed: ParseReader | None = None
        if parser is not None:
            from lean_memory.extract.parsing import ParseReader, ParseSplitter

            telling = self.matcher.verbs - frozenset(_LIGHT.split())
            self.parsed = ParseReader(self, ParseSplitter(self.splitter, parser), telling)

    def _triggers(self, table: PredicateTable) -> frozenset[str]:
        """Words without one of which (nor a name, a number, a job) a sentence says nothing that the table knows."""
        lex, light = self.lex, frozenset(_LIGHT.split())
        function = (
            lex["prepositions"] | lex["determiners"] | lex["conjunctions"] | lex["adverbs"] | lex["subject_pronouns"]
        )
        telling = self.matcher.verbs - light
        strong = {form for form in self.forms if (self.forms.get(form) or ("",))[0] in telling}
        literal = self.matcher.words - function - light
        kinds = (
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
        listed = frozenset().union(*(lex[kind] for kind in kinds))
        nouns = {word for noun in self.nouns for word in noun.split()}
        idioms = (
            "here died dies passed asked proposed took according neither reach contact call text engaged every weekly "
            "day home rip goodbye farewell shift kids child children pills wheelchair"
        )
        return frozenset(strong) | (
            (literal | listed | nouns | frozenset(self.people.relations) | frozenset(idioms.split())) - function
        )

    def _promising(self, toks: list[Token]) -> bool:
        trigger = self._trigger
        for i, t in enumerate(toks):
            low = t.low
            if low in _FIRST or low in trigger or t.kind in "nxq":
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

    # ------------------------------------------------------------------ a sentence

    def read(
        self, turn: Turn, begin: int, end: int, quotes: list[tuple[int, int]], *, item: bool, line: int, gap: bool
    ) -> list[Reading]:
        """The readings of text[begin:end], one sentence or list item."""
        toks = self._tokens(turn.text, begin, end, quotes)
        if not toks:
            return []
        if gap and not item:
            turn.heading = None
        out: list[Reading] = []
        sentence = turn.text[begin:end]
        low = sentence.lower()
        joke = any(mark in low for mark in _JOKE_MARKS) and _JOKE.search(sentence) is not None
        if joke:
            turn.unsaid += turn.last
            turn.last = []
        correcting = any(mark in low for mark in _CORRECTION_MARKS) and _CORRECTION.search(sentence) is not None
        if turn.heading is not None and item:
            out = self._items(turn, toks, 0, len(toks), turn.heading)
        if not out:
            if turn.heading is not None and not item and turn.heading.line != line:
                turn.heading = None
            out = self._sentence(turn, toks, sentence)
        if joke:
            out = [r for r in out if r.negative]
        if out:
            cue = _cue(sentence, correcting=correcting or turn.correcting)
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

    def _tokens(self, text: str, begin: int, end: int, quotes: list[tuple[int, int]]) -> list[Token]:
        inside = [(a, b) for a, b in quotes if a >= begin and b <= end]
        if not inside:
            return tokenize(text, begin, end)
        out: list[Token] = []
        at = begin
        for a, b in inside:
            out += tokenize(text, at, a)
            inner = text[a + 1 : b - 1].strip().rstrip(",.!?")
            out.append(Token(text[a:b], inner, a, b, "q"))
            at = b
        return out + tokenize(text, at, end)

    def _sentence(self, turn: Turn, toks: list[Token], sentence: str) -> list[Reading]:
        head = self._dated(turn, toks)
        if head:
            toks = toks[head:]
            if not toks:
                return []
        label = self._label(turn, toks)
        if label is not None:
            return label
        heading = self._heading(turn, toks)
        if heading is not None:
            return heading
        if any(mark in sentence.lower() for mark in _ELSEWHERE_MARKS) and _ELSEWHERE.search(sentence):
            return []
        toks, more = recast(self, toks)
        if more:
            return [r for part in (toks, *more) for r in self._clauses(turn, part, sentence)]
        return self._clauses(turn, toks, sentence)

    def _clauses(self, turn: Turn, toks: list[Token], sentence: str) -> list[Reading]:
        if not self._promising(toks):
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
        if any(t.low in _CLAUSE_WORDS for t in head):
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

    # ------------------------------------------------------------------ labels, headings, lists

    def _label(self, turn: Turn, toks: list[Token]) -> list[Reading] | None:
        """`me: ..`, `Anna: "i bought a kayak"`: another speaker's line."""
        said = speaker_label(self, turn, toks)
        if said is not None:
            name, begin = said
            if name == turn.speaker:
                return self._embedded(turn, toks[begin:], name, 0.9)
            turn.memory.add(Mention(0, begin, name, named=True))
            return self._embedded(turn, toks[begin:], name, 0.85)
        colon = next((i for i, t in enumerate(toks[:5]) if t.low == ":" and t.kind == "p"), None)
        if not colon:
            return None
        words = toks[:colon]
        low = words[0].low
        rest = toks[colon + 1 :]
        if not rest:
            return None
        if low in ("me", "i") and len(words) == 1:
            return self._embedded(turn, rest, turn.speaker, 0.9)
        if all(t.capital for t in words) and len(words) <= 3 and self.people.name_at(words, 0) == len(words):
            name = self.people.text(words, 0, len(words))
            first = rest[0]
            if first.kind == "q" or any(t.low in ("i", "my", "we", "me") for t in rest):
                turn.memory.add(Mention(0, colon, name, named=True))
                return self._embedded(turn, rest, name, 0.85)
        return None

    def _embedded(self, turn: Turn, toks: list[Token], speaker: str, confidence: float) -> list[Reading]:
        """Words of another first person."""
        begin, end = toks[0].start, toks[-1].end
        if toks[0].kind == "q":
            begin, end = begin + 1, toks[0].end - 1
        inner = replace(
            turn, speaker=speaker, memory=Memory(speaker, turn.memory.people[:]), heading=None, last=[], unnamed=None
        )
        out: list[Reading] = []
        text = turn.text[:end]
        for piece in pieces(text[begin:], []):
            out += self.read(inner, begin + piece.start, begin + piece.end, [], item=False, line=0, gap=False)
        for reading in out:
            reading.confidence = min(reading.confidence, confidence)
        return out

    def _heading(self, turn: Turn, toks: list[Token]) -> list[Reading] | None:
        """`Things I like:`, `my hobbies: a, b`, `Allergies - latex`, `Team roster: ..`: a heading and its list."""
        n = len(toks)
        colon = self._is_roster(toks)
        for i, t in enumerate(toks[:14] if colon is None else []):
            if (
                i
                and t.kind == "p"
                and (t.low == ":" or t.low == "—" or (t.low == "-" and toks[i].start > toks[i - 1].end))
            ):
                colon = i
                break
        if colon is None or (toks[colon].low not in (":", "is", "are") and colon > 4):
            return None
        head = toks[: colon + (toks[colon].low in ("is", "are"))]
        heading = self._head(turn, head)
        if heading is None:
            return None
        if colon == n - 1:
            turn.heading = heading
            return []
        out = self._items(turn, toks, colon + 1, n, heading)
        if out or heading.roster:
            turn.heading = heading if heading.noun is None else None
            return out
        return None

    @staticmethod
    def _is_roster(toks: list[Token]) -> int | None:
        """`The team is Ada (lead), Ben (QA)`: where `is` stands."""
        for i, t in enumerate(toks[1:5], 1):
            if t.low in ("is", "are") and toks[i - 1].low in _TEAMS:
                rest = toks[i + 1 :]
                return i if len(rest) > 3 and rest[0].capital and rest[1].low in ("(", "-") else None
        return None

    def _head(self, turn: Turn, head: list[Token]) -> Heading | None:
        words = [t.low for t in head]
        if len(words) > 2 and words[-1] in ("is", "are"):  # `The team is Ada (lead), Ben (QA)`
            head, words = head[:-1], words[:-1]
        owner = turn.speaker
        i = 0
        if words[0] in _HEAD_OPENERS:
            i = 1
        elif words[0] in ("his", "her", "their"):
            found = turn.memory.resolve(words[0])
            if found is None:
                return None
            owner, i = found.name, 1
        elif "'s" in words and head[0].capital:
            j = words.index("'s")
            owner, i = self.people.text(head, 0, j), j + 1
        rest = words[i:]
        while rest and rest[-1] in (")",) and "(" in rest:
            rest = rest[: rest.index("(")]
        while rest and rest[0] in _HEAD_ADJECTIVES and " ".join(rest) not in self.nouns and len(rest) > 1:
            rest = rest[1:]
        noun = " ".join(rest)
        if noun in self.nouns:
            return Heading(head, None, (owner, noun), 0)
        if words[-1] in _ROSTERS or (words[0] == "who" and {"what", "who"} & {*words[2:]} and "i" not in words):
            return Heading(head, None, None, 0, roster=True)
        plain = words[: words.index("(")] if "(" in words else words
        pile = tuple(plain[:2]) in _PLAN_HEADS and len(plain) < 5 and plain[-1] in _PILES
        if (words[0] in _PLANS or pile) and "i" not in words:
            return Heading(head, None, None, 0, plan=True)
        clauses = self.splitter.split(head)
        if (
            clauses
            and clauses[-1].subject
            and head[clauses[-1].subject[0]].low in ("i", "we")
            and clauses[-1].subject[0] > 0
        ) and head[0].low in _LISTABLE:
            return Heading(head, clauses[-1], None, 0)
        return head_of(self, head, owner, rest)

    def _items(self, turn: Turn, toks: list[Token], a: int, b: int, heading: Heading) -> list[Reading]:
        while b > a and toks[b - 1].kind == "p" and toks[b - 1].low in ".!;,":
            b -= 1
        if a >= b:
            return []
        span = (toks[a].start, toks[b - 1].end)
        out: list[Reading] = []
        if heading.roster:
            return self._roster(turn, toks, a, b)
        if heading.noun is not None:
            owner, noun = heading.noun
            theirs = owner_of(self, turn, toks, a, b)
            if theirs is not None:
                owner, a = theirs
                turn.memory.add(Mention(0, 1, owner, named=True))
            if heading.relation:
                return self._relatives(turn, toks, a, b, owner, noun)
            out += self._next_head(turn, toks, a, b)
            for predicate in self.nouns[noun]:
                kind = self.table[predicate].object if predicate != "hobby" else "thing"
                values = (
                    self.objects.clean(kind, toks, a, b)
                    if predicate == "has_pet" or self.table[predicate].functional
                    else []
                )
                if predicate == "has_pet":  # `2 cats, 5 stick insects`: what is counted beside animals is one
                    for x, y in self.objects.listed(toks, a, b) if values else []:
                        if toks[x].kind == "n" and y - x <= 4 and not any(v.a < y and x < v.b for v in values):
                            values = [*values, *self.objects.clean("thing", toks, x, y)[:1]]
                if not values:
                    values = [v for x, y in self.objects.listed(toks, a, b) for v in self._item(kind, toks, x, y)]
                out += [Reading(owner, predicate, v.text, *span, starts=turn.t_ref, confidence=0.9) for v in values]
                if not out and predicate == "diet" and toks[a].low == "no":  # `Ida - no gluten`
                    foods = self.objects.clean("food", toks, a + 1, b)
                    out += [Reading(owner, "diet", v.text, *span, starts=turn.t_ref, confidence=0.9) for v in foods]
                if out:
                    break
            return out
        if heading.plan:
            values = self.objects.clean("thing", toks, a, b)
            return [Reading(turn.speaker, "plans_to", v.text, *span, starts=turn.t_ref, confidence=0.7) for v in values]
        clause = heading.clause
        assert clause is not None
        verb = clause.verbs[-1]
        joined = list(heading.toks)
        end = clause.hi
        if end > verb.end:  # `books I've read this year:`
            times = read_times(turn.text, joined[0].start, joined[-1].end, turn.t_ref, turn.tz, lang="en")
            cut = next((m.outer for m in times.moments), None)
            while cut is not None and end > verb.end and joined[end - 1].end > cut:
                end -= 1
        while (end > verb.end and joined[end - 1].low in _HEAD_ENDS) or (
            end > verb.end and joined[end - 1].kind == "p"
        ):
            end -= 1
        out = []
        for x, y in self.objects.listed(toks, a, b):
            pseudo = joined[:end] + toks[x:y]
            # The list's words follow the verb; their offsets stay those of the text.
            run = Sentence(self, turn, pseudo, [], "")
            again = replace(
                clause, lo=clause.subject[0] if clause.subject else clause.lo, hi=len(pseudo), marker=None, under=None
            )
            got = run.clause(again, 0, [again])
            for reading in got:
                reading.start, reading.end = toks[x].start, toks[y - 1].end
            if not got and verb.lemma in _TASTES:
                again_values = self.objects.clean("thing", toks, x, y)
                name = "dislikes" if (verb.lemma in ("hate", "dislike")) != verb.neg else "likes"
                got = [
                    Reading(
                        turn.speaker, name, v.text, toks[x].start, toks[y - 1].end, starts=turn.t_ref, confidence=0.85
                    )
                    for v in again_values[:1]
                ]
            out += got
        return out

    def _item(self, kind: str, toks: list[Token], a: int, b: int) -> list[Value]:
        """One item of a list whose heading tells its kind: trusted, though we may not know the word."""
        values = self.objects.clean(kind, toks, a, b)
        if values or kind not in _TRUSTED or b - a > 3 or any(t.kind != "w" for t in toks[a:b]):
            return values
        a += toks[a].low in ("a", "an", "my", "some")
        plain = a < b and not any(t.low in self.lex["common"] or t.low in self.lex["prepositions"] for t in toks[a:b])
        return self.objects.clean("thing", toks, a, b)[:1] if plain else []

    def _relatives(self, turn: Turn, toks: list[Token], a: int, b: int, owner: str, word: str) -> list[Reading]:
        """`Kids: Leo, Mia (6)`: names under a word for relatives."""
        out: list[Reading] = []
        relation = self.people.relations[word]
        for x, y in self.objects.listed(toks, a, b):
            j = self.people.name_at(toks, x)
            if j > x and relation.predicate and (j == y or toks[j].kind in "pn" or toks[j].low in ("and", "aged")):
                name = self.people.text(toks, x, j)
                ends = turn.t_ref if relation.former else None
                begin = None if ends else turn.t_ref
                at, to = toks[x].start, toks[j - 1].end
                out.append(Reading(owner, relation.predicate, name, at, to, starts=begin, ends=ends, confidence=0.9))
                out[-1].past = relation.former
        return out

    def _next_head(self, turn: Turn, toks: list[Token], a: int, b: int) -> list[Reading]:
        """`email: a@b.org, phone: 555-0100`: another heading on the same line."""
        for i in range(a + 1, b - 1):
            if toks[i].low == ":" and toks[i].kind == "p":
                for start in range(max(a, i - 2), i):
                    noun = " ".join(t.low for t in toks[start:i])
                    if noun in self.nouns and toks[start - 1].kind == "p":
                        return self._items(turn, toks, i + 1, b, Heading(toks[start:i], None, (turn.speaker, noun), 0))
        return []

    def _roster(self, turn: Turn, toks: list[Token], a: int, b: int) -> list[Reading]:
        """`Olu (tech lead), Priya: backend dev`."""
        out: list[Reading] = []
        i = a
        while i < b:
            j = self.people.name_at(toks, i)
            if j == i or j >= b:
                i += 1
                continue
            name = self.people.text(toks, i, j)
            turn.memory.add(Mention(i, j, name, named=True))
            if toks[j].low in ("(", "-", "—", ":", "="):
                stop = j + 1
                while (
                    stop < b
                    and toks[stop].low not in (")", ",", ";")
                    and not (toks[j].low != "(" and toks[stop].low == ",")
                ):
                    stop += 1
                values = self.objects.clean("job", toks, j + 1, stop)
                if not values and toks[j].low == "(" and 0 < stop - j - 1 <= 3:
                    values = [Value(self.people.text(toks, j + 1, stop), j + 1, stop)]
                out += [
                    Reading(
                        name,
                        "job_title",
                        v.text,
                        toks[i].start,
                        toks[stop - 1].end + (1 if stop < b and toks[stop].low == ")" else 0),
                        starts=turn.t_ref,
                        confidence=0.85,
                    )
                    for v in values
                ]
                i = stop
            i = max(i + 1, j)
        return out
