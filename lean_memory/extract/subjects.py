"""Who a clause is about: first person, names, relatives, pronouns, things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.objects import Value
from lean_memory.extract.people import Mention, People, told_apart
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token
from lean_memory.extract.turn import Turn
from lean_memory.extract.when import Times, read_times
from lean_memory.extract.word_names import is_word_name

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["DOCTORS", "Subjects"]

DOCTORS = frozenset(
    "doctor gp physio physiotherapist dentist consultant specialist optician therapist psychiatrist midwife "
    "dermatologist cardiologist surgeon nurse allergist".split()
)

_SAY = frozenset(
    "say tell text write message ask announce mention reply go insist shout whisper add explain admit "
    "confirm post email reveal swear brag yell report complain claim declare".split()
)
_NOBODY = frozenset(
    "you it this that these those there everyone everybody someone somebody anyone anybody nobody one what here".split()
)
_THING_OPENERS = frozenset("the our my this a an old new current".split())
_NO_THINGS = frozenset("his her their your its some any no every most many".split())

_LETTER = re.compile(r"\w")
_HEADING_ENDS = re.compile(r"[:：\n]")


class Subjects:
    """Who a clause is about: first person, names, relatives, pronouns, things."""

    def __init__(
        self,
        english: English,
        turn: Turn,
        toks: list[Token],
        mentions: list[Mention],
        sentence: str,
        before: list[Mention] | None = None,
    ) -> None:
        self.e = english
        self.turn = turn
        self.toks = toks
        self.mentions = mentions
        self.sentence = sentence
        self.words = frozenset([t.low for t in toks])
        self._times: dict[str, Times] = {}
        self._sure: dict[int, float] = {}
        self.question = False
        self.done: list[Reading] = []
        self.before = before or []
        first = next((t for t in toks if t.kind == "w"), None)
        self.lowercase = first is not None and first.text[0].islower()
        self.topic: tuple[str, str] | None = None  # the attribute last spoken of: (user, phone)

    def times(self, prefer: str = "past") -> Times:
        if prefer not in self._times:
            turn, names = self.turn, [(t.start, t.end) for t in self.toks if is_word_name(t)]
            found = [
                read_times(turn.text, begin, end, turn.t_ref, turn.tz, lang="en", prefer=prefer).moments
                for begin, end in self._stretches()
            ]
            self._times[prefer] = Times(tuple(chain.from_iterable(found))).without(names)
        return self._times[prefer]

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """Where the words stand in the turn: a list's heading, to its end, and the item that goes with it."""
        text, begin = self.turn.text, self.toks[0].start
        for one, other in pairwise(self.toks):
            if other.start - one.end > 1 and _LETTER.search(text, one.end, other.start):
                ends = _HEADING_ENDS.search(text, one.end, other.start)
                if ends is not None:
                    yield begin, ends.start()
                    begin = other.start
        yield begin, self.toks[-1].end

    def span(self, clause: Clause) -> tuple[int, int]:
        lo = clause.lo
        while lo < clause.hi - 1 and (self.toks[lo].kind == "p" or self.toks[lo].low in ("and", "but", "so")):
            lo += 1
        hi = clause.hi
        while hi > lo + 1 and self.toks[hi - 1].kind == "p":
            hi -= 1
        return self.toks[lo].start, self.toks[hi - 1].end

    def text(self, a: int, b: int) -> str:
        """Tokens [a, b) as written."""
        return People.text(self.toks, a, b)

    def clean(self, kind: str, a: int, b: int) -> list[Value]:
        """The values of a kind in tokens [a, b)."""
        return self.e.objects.clean(kind, self.toks, a, b)

    def forms(self, word: str) -> tuple[str, str] | None:
        """What verb form a word is."""
        return self.e.forms.get(word)

    def mention_at(self, a: int, b: int) -> Mention | None:
        """The mention whose tokens are [a, b), or that ends there."""
        best = None
        for m in self.mentions:
            fits = m.end == b or (m.start == a and m.end >= b)
            if fits and (best is None or (m.end - m.start) > (best.end - best.start)):
                best = m
        if best is not None and best.end < b and best.kind == "person" and best.start == a and best.end < b - 1:
            return None
        return best

    def antecedent(self, pronoun: str, at: int) -> Mention | None:
        """The last fitting person mentioned before the token at `at`."""
        gender = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f"}.get(pronoun)
        seen: list[Mention] = []
        known = {person.name: person for person in self.turn.memory.people}
        for m in [*self.before, *(m for m in self.mentions if m.end <= at)]:
            if m.kind in ("person", "animal") and m.owner != "you" and not (gender and m.several):
                live = known.get(m.name)
                if live is not None and not live.weak:
                    seen.append(live)
        fitting = [m for m in seen if gender is None or m.gender in (None, gender)]
        if pronoun in ("they", "them") and fitting:
            neutral = [m for m in fitting if m.gender is None]
            fitting = [m for m in neutral if m.several] or neutral or fitting
        if not fitting:
            return None
        best = told_apart([m for m in fitting if m.kind == "person"] or fitting, gender)
        if gender and best.gender is None:
            best.gender = gender
        return best

    def thing(self, a: int, b: int) -> str | None:
        """A subject that is no person: `the billing service`, `Project Falcon`, `the spring offsite`."""
        toks = self.toks
        while a < b and toks[a].low in _THING_OPENERS:
            if toks[a].low in ("a", "an"):
                return None
            a += 1
        if a >= b or b - a > 5:
            return None
        if toks[a].low in self.e.lex["pronoun_objects"] or toks[a].low in _NO_THINGS:
            return None
        if b - a == 1 and (toks[a].low in self.e.lex["vague"] or toks[a].low in self.e.lex["adverbs"]):
            return None
        return self.e.people.text(toks, a, b)

    def _ours(self, before: list[Clause]) -> list[tuple[str, float, str]]:
        """`Ann's team uses X, ours Y`, `his sister sings, mine dances`: what `mine` is stands in a clause before."""
        for clause in reversed(before):
            if clause.subject is None or self.toks[clause.subject[0]].low in ("mine", "ours"):
                continue
            noun = self.toks[clause.subject[1] - 1].low
            name = f"{self.turn.speaker}'s {noun}"
            if noun in self.e.people.groups:
                return [(name, 0.8, "group")]
            if noun in self.e.people.relations:
                return [(self.turn.memory.aliases.get(name, name), 0.8, "person")]
            return []
        return []

    def _named_thing(self, mention: Mention) -> bool:
        """`the Archive`, `our Print Room`: no person is called so, but for `the Smiths`."""
        i = mention.start
        if not mention.named or mention.kind != "person" or mention.relation or mention.owner or i == 0:
            return False
        article = self.toks[i - 1].low in ("the", "this", "our") and not mention.name.endswith("s")
        return article and self.toks[i].low not in self.e.lex["titles"]

    def _reporter(self, clause: Clause, clauses: list[Clause]) -> tuple[str, str] | None:
        """Who says this clause, when it stands under a verb of saying."""
        if clause.under is None:
            return None
        above = clauses[clause.under]
        if above.verbs[-1].lemma not in _SAY and above.verbs[-1].lemma not in ("claim",):
            return None
        people = self.who(above, clause.under, clauses)
        return (people[0][0], people[0][2]) if people else ("?", "unknown")

    def who(self, clause: Clause, index: int, clauses: list[Clause]) -> list[tuple[str, float, str]]:
        """(name, confidence, kind) of every subject; empty when it is nobody we can name."""
        if clause.elided and clause.subject is None:
            return [(self.turn.speaker, 0.85, "person")]
        if clause.subject is None:
            return []
        spans = [clause.subject, *clause.others]
        out: list[tuple[str, float, str]] = []
        for span in spans:
            out += self._one(span, clause, index, clauses)
        if len(spans) > 1 and len(out) < len(spans) and not any(o[0] == self.turn.speaker for o in out):
            return out
        return out

    def _one(
        self, span: tuple[int, int], clause: Clause, index: int, clauses: list[Clause]
    ) -> list[tuple[str, float, str]]:
        a, b = span
        toks, turn = self.toks, self.turn
        low = toks[a].low
        above = self._reporter(clause, clauses)
        if b - a == 1 and low in ("i", "we", "us", "me"):
            if above is not None and above[0] != turn.speaker and index:
                doctor = above[0].split()[-1].lower() in DOCTORS  # `my doctor says I have gout`
                return [(turn.speaker, 0.75, "person")] if doctor else []
            return [(turn.speaker, 0.95, "person")]
        if a + 1 < len(toks) and (low, toks[a + 1].low) in (("he", "himself"), ("she", "herself")):
            owners = {m.owner for m in self.mentions if m.end <= a}  # `his aunt sails, he himself ..`
            genders = (None, "m" if low == "he" else "f")
            for one in turn.memory.people:
                if one.name in owners and one.name != turn.speaker and one.gender in genders:
                    return [(one.name, 0.8, one.kind)]
            b = a + 1
        if b - a == 1 and low in ("he", "she", "they"):
            if above is not None and above[1] == "person" and above[0] != turn.speaker:
                known = next((p for p in turn.memory.people if p.name == above[0]), None)
                gender = {"he": "m", "she": "f"}.get(low)
                if known is None or known.gender in (None, gender) or gender is None:
                    if known is not None and gender:
                        known.gender = gender
                    return [(above[0], 0.7, "person")]
            if low == "they" and index:
                before = clauses[index - 1]
                if len(before.others) >= 1:
                    return self.who(before, index - 1, clauses)
            found = self.antecedent(low, a)
            return [(found.name, 0.8, found.kind)] if found else []
        if low == "it" and b - a == 1:
            return [(turn.memory.thing, 0.6, "thing")] if turn.memory.thing else []
        if low in ("who", "which", "that") and b - a == 1:
            return []
        if b - a == 1 and low in ("mine", "ours") and index:
            return self._ours(clauses[:index])
        mention = self.mention_at(a, b)
        if mention is not None:
            if mention.kind == "fictional" or mention.owner == "you" or mention.name.startswith("you's"):
                return []
            if self._named_thing(mention):
                name = self.thing(mention.start, mention.end)
                return [(name, 0.85, "thing")] if name else []
            return [(mention.name, 0.9, mention.kind)]
        if low in _NOBODY:
            return []
        name = self.thing(a, b)
        if (
            name
            and b - a == 1
            and self.lowercase
            and low.isalpha()
            and not low.endswith("s")
            and not self.e.objects.ordinary(low)
        ):
            return [(name, 0.75, "person")]  # `zoe lives in hobart now`
        return [(name, 0.85, "thing")] if name else []
