"""One English sentence being read: who is it about, is it meant as a fact, when does it hold?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms import IDIOMS
from lean_memory.extract.match import Claim
from lean_memory.extract.objects import Value
from lean_memory.extract.people import Mention, People
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token, tokenize
from lean_memory.extract.turn import Turn
from lean_memory.extract.when import Moment, Times, read_times
from lean_memory.records import Cue

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["Sentence"]

_MOVABLE = frozenset(
    "launch release delivery rollout roll-out go-live submission exam deadline kickoff presentation demo milestone".split()
)
_SHIFTED = frozenset("moved pushed extended postponed changed shifted rescheduled delayed brought set".split())
_ADDS = frozenset("also too additionally".split())
_QUESTION_WORDS = frozenset("who what where when why how which whose whom".split())
_TAGS = frozenset("right remember ok okay no yeah eh huh correct innit see hm".split())
_UNREAL_LEMMAS = frozenset("wish imagine suppose pretend hope dream doubt assume guess wonder bet fantasize".split())
_SOFT_LEMMAS = frozenset("think believe reckon feel suspect expect figure".split())
_SAY = frozenset(
    "say tell text write message ask announce mention reply go insist shout whisper add explain admit confirm post email reveal swear brag yell report complain claim declare".split()
)
# In the progressive these are arrangements: `is moving to Ghent`, `we're adopting a cat in May`.
_ARRANGED = frozenset(
    "move go leave join start fly travel visit marry get buy sell adopt switch quit transfer return come attend begin retire graduate "
    "relocate emigrate drop take head become migrate resign change".split()
)


class Sentence:
    """One sentence being read."""

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
        self._times: dict[str, Times] = {}
        self._sure: dict[int, float] = {}
        self.question = False
        self.done: list[Reading] = []
        self.before = before or []
        first = next((t for t in toks if t.kind == "w"), None)
        self.lowercase = first is not None and first.text[0].islower()
        self.topic: tuple[str, str] | None = None  # the attribute last spoken of: (user, phone)

    # ------------------------------------------------------------------ frame

    def readings(self) -> list[Reading]:
        e, toks = self.e, self.toks
        out: list[Reading] = []
        clauses = e.splitter.split(toks)
        self.question = any(t.low == "?" for t in toks[-3:])
        out += self._relations(clauses)
        out += self._introductions(clauses)
        for index, clause in enumerate(clauses):
            got = self.clause(clause, index, clauses)
            self.done += got
            out += got
            self._newcomer(clause, index, clauses, got)
        out += self._quoted(clauses)
        for idiom in IDIOMS:
            out += idiom(self, clauses, out)
        return out

    def _newcomer(self, clause: Clause, index: int, clauses: list[Clause], got: list[Reading]) -> None:
        """`I have a cat`, `got a new girlfriend`: somebody without a name yet, whom `her name is ..` will name."""
        toks, verb = self.toks, clause.verbs[-1]
        if verb.lemma not in ("have", "get", "adopt", "own", "meet", "buy", "rescue") or verb.neg:
            return
        people = self.who(clause, index, clauses)
        if not people or self.stated(clause, index, clauses) == 0.0:
            return
        for i in range(verb.end, min(clause.hi, verb.end + 5)):
            word = toks[i].low
            pet = next((r for r in got if r.predicate == "has_pet" and r.object.split()[-1].lower() == word), None)
            relation = self.e.people.relations.get(word)
            if pet is None and (relation is None or relation.predicate is None):
                continue
            if toks[verb.end].low not in ("a", "an", "another", "this", "my", "our", "new"):
                return
            if i + 1 < clause.hi and (toks[i + 1].capital or toks[i + 1].low in ("called", "named", "'s")):
                return
            kind = "animal" if pet is not None else "person"
            owner = people[0][0]
            gender = relation.gender if relation else None
            self.turn.unnamed = Mention(i, i + 1, f"{owner}'s {word}", gender, kind=kind, relation=word, owner=owner)
            self.turn.unnamed_reading = pet
            return

    def times(self, prefer: str = "past") -> Times:
        if prefer not in self._times:
            begin, end = self.toks[0].start, self.toks[-1].end
            self._times[prefer] = read_times(
                self.turn.text, begin, end, self.turn.t_ref, self.turn.tz, lang="en", prefer=prefer
            )
        return self._times[prefer]

    def span(self, clause: Clause) -> tuple[int, int]:
        lo = clause.lo
        while lo < clause.hi - 1 and (self.toks[lo].kind == "p" or self.toks[lo].low in ("and", "but", "so")):
            lo += 1
        hi = clause.hi
        while hi > lo + 1 and self.toks[hi - 1].kind == "p":
            hi -= 1
        return self.toks[lo].start, self.toks[hi - 1].end

    # ------------------------------------------------------------------ is it said to be so?

    def stated(self, clause: Clause, index: int, clauses: list[Clause]) -> float:
        """How sure the words make it that this clause is meant as a fact: 0 for questions, conditions, wishes."""
        known = self._sure.get(id(clause))
        if known is None:
            known = self._sure[id(clause)] = self._stated(clause, index, clauses)
        return known

    def _stated(self, clause: Clause, index: int, clauses: list[Clause]) -> float:
        toks, verb = self.toks, clause.verbs[0]
        marker = clause.marker or ""
        bare = marker.removeprefix("even ")
        if bare in ("if", "unless", "whether", "case", "till", "until") or "as if" in marker:
            return 0.0
        if bare in ("when", "once", "whenever", "before") and verb.tense in ("pres", "fut") and not verb.prog:
            return 0.0
        if verb.inverted and "only" not in verb.adverbs and not self._so_do(clause):
            return 0.0
        lead = [t.low for t in toks[clause.lo : verb.start]]
        if {"almost", "nearly"} & {*lead, *verb.adverbs} and verb.tense == "past":
            return 0.0
        if (
            any(w in self.e.hedges for w in lead)
            or any(a in self.e.hedges for a in verb.adverbs)
            or any(t.low in self.e.hedges for t in toks[verb.end : min(verb.end + 2, clause.hi)])
        ):
            return 0.0
        if self.question and not self._before_question(index, clauses):
            return 0.0
        if lead and lead[0] in _QUESTION_WORDS and index == 0 and self.question:
            return 0.0
        first = toks[clause.lo].low if clause.lo < len(toks) else ""
        if (
            index == 0
            and first in ("who", "what", "where", "how", "why", "which")
            and clause.subject is not None
            and toks[clause.subject[0]].low in ("who", "what", "which", "where", "how", "why", "here", "there")
        ):
            return 0.0
        if index == 0 and toks[0].low in (
            "suppose",
            "imagine",
            "pretend",
            "say",
            "wish",
            "hopefully",
            "maybe",
            "perhaps",
            "if",
            "if",
        ):
            return 0.0
        for other in clauses[:index]:
            lemma = other.verbs[0].lemma
            if lemma in ("imagine", "suppose", "pretend") and other.elided | (other.subject is None):
                return 0.0
        # The consequence of a condition that stands before it.
        for other in clauses[:index]:
            m = (other.marker or "").removeprefix("even ")
            if (
                m in ("if", "unless")
                and not (other.marker or "").startswith("even")
                and clause.subject is not None
                and (verb.tense in ("fut", "cond", "pres") or clause.marker in ("then",))
            ):
                return 0.0
            if (
                other.verbs[0].inverted
                and (
                    other.verbs[0].modal in ("should", "could", "would")
                    or toks[other.verbs[0].start].low in ("had", "were")
                )
                and not self.question
                and index == clauses.index(other) + 1
            ):
                return 0.0
            if m in ("if", "unless") and clause.shared:
                return 0.0
        sure = 1.0
        under = clause.under
        seen = 0
        while under is not None and seen < 4:
            above = clauses[under]
            lemma = above.verbs[-1].lemma
            if lemma in _UNREAL_LEMMAS or above.verbs[-1].neg and lemma not in ("mention", "forget", "tell"):
                return 0.0
            if lemma in _SOFT_LEMMAS:
                return 0.0
            sure = min(sure, self.stated(above, under, clauses) or (0.0 if lemma not in ("turn",) else 1.0))
            if sure == 0.0:
                return 0.0
            under = above.under
            seen += 1
        if (
            index
            and clauses[index - 1].verbs[-1].lemma in _UNREAL_LEMMAS
            and clause.marker in (None, "that")
            and not clause.broken
        ):
            return 0.0
        if (
            clause.shared
            and index
            and (self.stated(clauses[index - 1], index - 1, clauses) == 0.0)
            and clauses[index - 1].verbs[-1].lemma not in ("think", "guess", "hope", "wish")
        ):
            prior = clauses[index - 1]
            if prior.marker in ("if", "unless") or prior.verbs[0].inverted or prior.verbs[0].tense == "cond":
                return 0.0
        return sure

    def _so_do(self, clause: Clause) -> bool:
        return clause.lo < len(self.toks) and any(
            t.low in ("so", "neither", "nor")
            for t in self.toks[max(0, clause.verbs[0].start - 1) : clause.verbs[0].start]
        )

    def _before_question(self, index: int, clauses: list[Clause]) -> bool:
        """A statement that a question follows: `I moved last week, did I tell you?`, `.. , remember?`"""
        toks = self.toks
        words = [t for t in toks if t.kind == "w"]
        if words and words[-1].low in _TAGS and len(toks) > 3 and any(t.low == "," for t in toks[-4:-1]):
            return True
        for later in clauses[index + 1 :]:
            lead = toks[later.lo].low if later.lo < len(toks) else ""
            if (
                later.verbs[0].inverted
                or lead in _QUESTION_WORDS
                or toks[max(0, later.verbs[0].start - 2)].low in ("what", "how")
            ):
                return (
                    later.broken
                    and not clauses[index].verbs[0].inverted
                    and clauses[index].marker not in ("if",)
                    and not any(
                        t.low in _QUESTION_WORDS for t in toks[clauses[index].lo : clauses[index].verbs[0].start]
                    )
                )
        return False

    # ------------------------------------------------------------------ who?

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
            if above is not None and above[0] != turn.speaker and index and not self._quoted_inside():
                return []
            return [(turn.speaker, 0.95, "person")]
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
        mention = self.mention_at(a, b)
        if mention is not None:
            if mention.kind == "fictional" or mention.owner == "you" or mention.name.startswith("you's"):
                return []
            return [(mention.name, 0.9, mention.kind)]
        if low in (
            "you",
            "it",
            "this",
            "that",
            "these",
            "those",
            "there",
            "everyone",
            "everybody",
            "someone",
            "somebody",
            "anyone",
            "anybody",
            "nobody",
            "one",
            "what",
            "here",
        ):
            return []
        name = self.thing(a, b)
        if name and b - a == 1 and self.lowercase and not self.e.objects.ordinary(low) and low.isalpha():
            return [(name, 0.75, "person")]  # `zoe lives in hobart now`
        return [(name, 0.85, "thing")] if name else []

    def _quoted_inside(self) -> bool:
        return False

    def mention_at(self, a: int, b: int) -> Mention | None:
        """The mention whose tokens are [a, b), or that ends there."""
        best = None
        for m in self.mentions:
            if m.start <= a and m.end >= b and m.start == a or m.end == b:
                if m.end <= b or m.start == a:
                    best = m if best is None or (m.end - m.start) > (best.end - best.start) else best
        if best is not None and best.end < b and best.kind == "person" and best.start == a and best.end < b - 1:
            return None
        return best

    def antecedent(self, pronoun: str, at: int) -> Mention | None:
        """The last fitting person mentioned before the token at `at`."""
        gender = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f"}.get(pronoun)
        seen: list[Mention] = []
        for m in [*self.before, *(m for m in self.mentions if m.end <= at)]:
            if m.kind in ("person", "animal") and m.owner != "you":
                live = next((p for p in self.turn.memory.people if p.name == m.name), None)
                if live is not None and not live.weak:
                    seen.append(live)
        fitting = [m for m in seen if gender is None or m.gender in (None, gender)]
        if pronoun in ("they", "them") and fitting:
            neutral = [m for m in fitting if m.gender is None]
            fitting = neutral or fitting
        if not fitting:
            return None
        best = next((m for m in reversed(fitting) if m.kind == "person"), fitting[-1])
        if gender and best.gender is None:
            best.gender = gender
        return best

    def thing(self, a: int, b: int) -> str | None:
        """A subject that is no person: `the billing service`, `Project Heron`, `the autumn offsite`."""
        toks = self.toks
        owner = None
        while a < b and toks[a].low in ("the", "our", "my", "this", "a", "an", "old", "new", "current"):
            if toks[a].low in ("my", "our"):
                owner = True
            if toks[a].low in ("a", "an"):
                return None
            a += 1
        if a >= b or b - a > 5:
            return None
        if toks[a].low in self.e.lex["pronoun_objects"] or toks[a].low in (
            "his",
            "her",
            "their",
            "your",
            "its",
            "some",
            "any",
            "no",
            "every",
            "most",
            "many",
        ):
            return None
        if b - a == 1 and (toks[a].low in self.e.lex["vague"] or toks[a].low in self.e.lex["adverbs"]):
            return None
        return self.e.people.text(toks, a, b)

    def _reporter(self, clause: Clause, clauses: list[Clause]) -> tuple[str, str] | None:
        """Who says this clause, when it stands under a verb of saying."""
        if clause.under is None:
            return None
        above = clauses[clause.under]
        if above.verbs[-1].lemma not in _SAY and above.verbs[-1].lemma not in ("claim",):
            return None
        people = self.who(above, clause.under, clauses)
        return (people[0][0], people[0][2]) if people else ("?", "unknown")

    # ------------------------------------------------------------------ a clause

    def clause(self, clause: Clause, index: int, clauses: list[Clause]) -> list[Reading]:
        sure = self.stated(clause, index, clauses)
        out: list[Reading] = []
        reporter = self._reporter(clause, clauses)
        people = self.who(clause, index, clauses)
        self._remember_thing(clause)
        if sure == 0.0:
            return []
        if reporter is not None:
            if reporter[1] == "unknown" or clauses[clause.under or 0].verbs[-1].lemma == "claim":
                return []
            sure = min(sure, 0.65)
        if not people:
            people = []
        nominal = self._nominal(clause, people)
        if nominal is not None:
            for reading in nominal:
                reading.confidence *= sure
            return nominal
        if not people:
            return []
        out += self._joint(clause, people)
        if out:
            return out
        seen: set[str] = set()
        # The governed verb says more than the one above it.
        for verb in reversed(clause.verbs):
            if out:
                break
            out += self.verb(clause, verb, people, seen)
        for reading in out:
            reading.confidence = round(reading.confidence * sure, 2)
        return out

    def _remember_thing(self, clause: Clause) -> None:
        tail = self.toks[clause.verbs[-1].end : clause.hi]
        a = clause.verbs[-1].end
        if tail and tail[0].low in ("the", "a", "an", "our", "my"):
            b = a + 1
            while (
                b < clause.hi
                and self.toks[b].kind in "wn"
                and self.toks[b].low not in self.e.lex["prepositions"]
                and self.toks[b].low not in self.e.lex["adverbs"]
            ):
                b += 1
            if b > a + 1:
                self.turn.memory.thing = self.e.people.text(self.toks, a + 1, b)
                return
        for i, t in enumerate(tail):
            if t.low in ("about", "of", "for") and i + 2 < len(tail) and tail[i + 1].low in ("the", "our", "my", "a"):
                b = a + i + 2
                while b < clause.hi and self.toks[b].kind == "w":
                    b += 1
                self.turn.memory.thing = self.e.people.text(self.toks, a + i + 2, b)
                return

    def verb(self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]], seen: set[str]) -> list[Reading]:
        toks = self.toks
        a, b = verb.end, clause.hi
        out: list[Reading] = []
        tail_end = self._cut_times(a, b)
        if (
            verb.phase in ("think",)
            or verb.tense == "cond"
            and verb.modal in ("would", "could", "should", "might", "may", "must", "'d")
            and verb.phase != "want"
        ):
            if not (verb.modal == "could" and False):
                return []
        if verb.modal in ("might", "may", "must", "should", "could", "would", "'d") and verb.phase != "want":
            return []
        if verb.phase == "want":
            return self._wants(clause, verb, people)
        if verb.modal == "can" and verb.lemma not in (
            "speak",
            "play",
            "understand",
            "read",
            "stand",
            "bear",
            "tolerate",
            "eat",
            "get",
        ):
            return []
        if verb.tense == "pres" and verb.prog and verb.phase is None and verb.lemma in _ARRANGED:
            verb = replace(verb, phase="plan")
        decided = (
            verb.phase == "plan"
            and clause.verbs[0].lemma in ("decide", "agree", "choose", "opt")
            and clause.verbs[0].tense in ("past", "perf")
        )
        if decided and verb is not clause.verbs[0]:
            return []  # the deciding itself is the fact
        if verb.tense == "fut" and verb.prog and verb.lemma == "report" and not verb.neg:
            verb = replace(verb, tense="pres", modal=None)  # `he'll be reporting to Ana`: settled
        if (
            verb.tense == "fut"
            and verb.lemma == "be"
            and not verb.neg
            and verb.phase is None
            and people
            and people[0][2] == "thing"
        ):
            verb = replace(verb, tense="pres", modal=None)  # `the offsite will be in Split`
        if verb.phase == "plan" or verb.tense == "fut":
            planned = self._future(clause, verb, people, seen)
            return planned
        echo = clause.hi
        none = a < b and toks[a].low == "no" and a + 1 < b and toks[a + 1].kind == "w" and toks[a + 1].low != "longer"
        for pattern, slots in self.e.matcher.match(verb.lemma, toks, a + none, b):
            negative = verb.neg != none  # `I have no pets`
            if pattern.progressive and not verb.prog:
                continue
            if pattern.negative:
                if not negative:
                    continue
                negative = False
            if verb.modal == "can" and verb.lemma == "get" and not negative:
                continue
            got = self._claims(clause, verb, pattern.claims, slots, people, negative, tail_end, seen)
            out += got
            if got and pattern.rule:
                break
        del echo
        return out

    def _cut_times(self, a: int, b: int) -> int:
        """The tail up to its first time expression (by token)."""
        return b

    def _claims(
        self, clause: Clause, verb: Verb, claims: tuple[Claim, ...], slots: dict[str, tuple[int, int]], people: list[tuple[str, float, str]],
        negative: bool, tail_end: int, seen: set[str],
    ) -> list[Reading]:  # fmt: skip
        cleaned: dict[str, list[Value]] = {}
        needed = {c.what for c in claims} | {c.who for c in claims if c.who != "s"}
        for claim in claims:
            if claim.what in cleaned:
                continue
            values = self._values(claim.kind, slots[claim.what], clause)
            if not values:
                return []
            cleaned[claim.what] = values
        out: list[Reading] = []
        del needed
        fresh: set[str] = set()
        for claim in claims:
            if claim.predicate in seen:
                continue
            who = people
            if claim.who != "s":
                who = self._slot_people(slots.get(claim.who))
                if not who:
                    if len(claims) > 1 or claim.who in slots:
                        continue
                    return []
            got = self._assert(clause, verb, claim, cleaned[claim.what], who, negative)
            if got:
                fresh.add(claim.predicate + claim.sign)
            out += got
        if out:
            seen |= {f.rstrip("+-!") for f in fresh}
        return out

    def _values(self, kind: str, slot: tuple[int, int], clause: Clause) -> list[Value]:
        """The slot's values, cut where a time expression begins."""
        a, b = slot
        toks = self.toks
        b = min(b, clause.hi)
        if kind in ("person",):
            return self._people_values(a, b)
        if kind not in ("date", "work", "age", "phone", "address", "email", "timezone"):
            for moment in self.times().moments:
                if toks[a].start < moment.outer < toks[b - 1].end:
                    cut = next((i for i in range(a, b) if toks[i].end > moment.outer), b)
                    if cut > a and not (
                        kind in ("liking", "thing")
                        and toks[cut - 1].low in ("a", "the", "rainy", "sunny", "on", "lazy", "and", ",")
                        and moment.relation == "every"
                    ):
                        nxt = next((i for i in range(cut, b) if toks[i].start >= moment.end), b)
                        if nxt < b and toks[nxt].low in (",", "and") and kind in ("thing", "liking", "tool", "animal"):
                            continue
                        b = cut
                        break
                if (
                    moment.outer <= toks[a].start
                    and moment.end >= toks[b - 1].end
                    and kind in ("place", "org", "job", "group", "school", "destination")
                ):
                    return []
        if b <= a:
            return []
        colon = next((k for k in range(a, b) if toks[k].low == ":" and toks[k].kind == "p"), None)
        if (
            colon is not None
            and toks[colon].start == toks[colon - 1].end
            and colon + 1 < len(toks)
            and toks[colon + 1].start > toks[colon].end
            and 0 < colon - a <= 4
            and colon + 1 < b
            and (toks[colon - 1].low.endswith("s") or toks[colon - 1].low in ("following", "people"))
        ):
            a = colon + 1  # `I speak three languages: Hindi, ..`
        if (
            kind == "animal"
            and b - a >= 3
            and toks[a + 1].low == "of"
            and toks[a + 2].low in ("them", "those", "these")
        ):
            of = next(
                (
                    r.object
                    for r in reversed([*self.done, *self.turn.last])
                    if r.predicate in ("allergic_to", "likes", "has_pet", "dislikes")
                ),
                None,
            )
            return (
                [Value(f"{toks[a].text} {of}", a, a + 3)]
                if of and self.e.objects.clean("animal", tokenize(f"two {of}"), 0, 2)
                else []
            )
        if (
            kind in ("liking", "tool", "playable")
            and toks[a].low in ("them", "it", "that")
            and (
                b - a == 1
                or toks[a + 1].kind == "p"
                or toks[a + 1].low in ("now", "and", "so", "too", "anymore", "either", "these", "again", "instead")
            )
        ):
            family = {"liking": ("likes", "dislikes"), "tool": ("uses",), "playable": ("plays",)}[kind]
            of = next((r.object for r in reversed([*self.done, *self.turn.last]) if r.predicate in family), None)
            return [Value(of, a, a + 1)] if of else []
        if (
            self.e.lex["pronoun_objects"].__contains__(toks[a].low)
            and toks[a].low == "it"
            and b - a == 1
            and kind in ("responsibility", "possession", "tool")
            and self.turn.last_negative is None
        ):
            thing = self._it(clause)
            return [Value(thing, a, b)] if thing else []
        if kind == "possession" and toks[a].low == "it" and self.turn.memory.thing:
            return [Value(self.turn.memory.thing, a, a + 1)]
        values = self.e.objects.clean(kind, toks, a, b)
        if kind in ("place", "destination") and not self.lowercase:  # `moved to security`
            values = [v for v in values if not v.text.islower() or " " in v.text]
        return values

    def _it(self, clause: Clause) -> str | None:
        for reading in reversed(self.done):
            return reading.object
        return self.turn.memory.thing

    def _people_values(self, a: int, b: int) -> list[Value]:
        out: list[Value] = []
        for m in self.mentions:
            if (
                m.start >= a
                and m.end <= b
                and m.kind == "person"
                and not self.e.objects.is_thing(m.name)
                and m.owner != "you"
                and not m.name.startswith("you's")
            ):
                between = self.toks[a : m.start]
                if out:
                    gap = [t.low for t in self.toks[out[-1].b : m.start]]
                    if any(g not in ("and", ",", "&", "both") for g in gap):
                        break
                elif (
                    any(
                        t.kind == "p"
                        or t.low in self.e.lex["prepositions"]
                        or t.low in ("who", "that", "and")
                        or t.capital
                        for t in between
                    )
                    or len(between) > 4
                ):
                    break
                if out and m.start < out[-1].b:
                    out[-1] = Value(m.name, m.start, m.end)
                    continue
                out.append(Value(m.name, m.start, m.end))
        if not out and a < b and self.toks[a].low in ("him", "her", "them") and b - a <= 2:
            found = self.antecedent(self.toks[a].low, a)
            if found and found.kind == "person":
                return [Value(found.name, a, a + 1)]
        return out

    def _slot_people(self, slot: tuple[int, int] | None) -> list[tuple[str, float, str]]:
        if slot is None:
            return []
        a, b = slot
        if self.toks[a].low in ("me", "us") and b - a == 1:
            return [(self.turn.speaker, 0.85, "person")]
        return [(v.text, 0.85, "person") for v in self._people_values(a, b)]

    # ------------------------------------------------------------------ tense

    def _assert(
        self,
        clause: Clause,
        verb: Verb,
        claim: Claim,
        values: list[Value],
        people: list[tuple[str, float, str]],
        negative: bool,
    ) -> list[Reading]:
        predicate = self.e.table[claim.predicate]
        frame = self._frame(clause, verb, claim.sign, predicate.kind, negative, claim.predicate)
        if frame is None:
            return []
        starts, ends, neg, moment, past = frame
        out: list[Reading] = []
        span = self.span(clause)
        if predicate.functional and len(values) > 1 and predicate.name not in ("deadline",):
            values = values[:1]
        cue: Cue | None = (
            "adds"
            if verb.adverbs & _ADDS
            or any(
                t.low in ("too", "also") or (t.low == "well" and self.toks[i - 1].low == "as")
                for i, t in enumerate(self.toks[clause.lo : clause.hi], clause.lo)
            )
            else None
        )
        for name, sure, kind in people:
            if not self._fits(predicate.subject, kind, predicate.name, name):
                continue
            for value in values:
                text = value.text
                if claim.predicate in ("has_condition",) and negative and not values:
                    continue
                if name == text or (claim.predicate == "age" and (clause.marker or "").endswith("when")):
                    continue
                out.append(
                    Reading(name, claim.predicate, text, *span, negative=neg, starts=starts, ends=ends, confidence=sure, cue=cue,
                            time_text=self.turn.text[moment.outer : moment.end] if moment else None, grain=moment.grain if moment else None, past=past)
                )  # fmt: skip
                denied = self._not_but(value, clause)
                if denied and not neg:
                    out.append(
                        Reading(name, claim.predicate, denied, *span, negative=True, starts=starts, confidence=0.85)
                    )
        if (
            claim.predicate == "lives_in"
            and claim.sign == "+"
            and out
            and "moved_to" in self.e.table
            and verb.lemma in ("move", "relocate", "emigrate", "immigrate")
            and ends is None
        ):
            out += [
                replace(r, predicate="moved_to", negative=r.negative, confidence=r.confidence)
                for r in out
                if r.predicate == "lives_in"
            ]
        return out

    def _not_but(self, value: Value, clause: Clause) -> str | None:
        """`X, not Y`."""
        i = value.b
        toks = self.toks
        if (
            i + 1 < len(toks)
            and toks[i].low in (",", "and", "(")
            and toks[i + 1].low == "not"
            and i + 2 < len(toks)
            and i + 2 < clause.hi + 3
        ):
            j = i + 2
            while (
                j < len(toks)
                and toks[j].kind in "wn"
                and toks[j].low not in ("and", "but", "as", "anymore", "so", "because", "in", "at", "like")
            ):
                j += 1
            if (
                0 < j - i - 2 <= 4
                and (j >= len(toks) or toks[j].kind == "p")
                and toks[i + 2].low not in self.e.lex["pronoun_objects"]
                and toks[i + 2].low not in self.e.lex["adverbs"]
                and (toks[i + 2].capital or toks[i + 2].kind == "n")
            ):
                return self.e.people.text(toks, i + 2, j)
        return None

    def _fits(self, wanted: str, kind: str, predicate: str, name: str) -> bool:
        if wanted == "any":
            return kind in ("person", "thing", "group", "animal")
        if wanted == "site":
            return kind == "thing"
        if kind == "animal":
            return predicate in ("takes_medication", "has_condition", "age", "allergic_to", "likes", "dislikes", "name")
        if kind == "group":
            return predicate in ("uses", "decided", "manages", "located_in")
        return kind == "person"

    def _frame(
        self, clause: Clause, verb: Verb, sign: str, kind: str, negative: bool, predicate: str
    ) -> tuple[int | None, int | None, bool, Moment | None, bool] | None:
        """(valid_at, valid_to, negative, the time expression used, past form) of a claim, None when it says nothing.

        A state in the present holds from `since`, or from now; in the past it is over. What begins or ends does so at
        the time given, else now. What is denied is denied now.
        """
        now = self.turn.t_ref
        times = self.clause_times(clause)
        tense = verb.tense
        ended = verb.longer or self._anymore(clause)
        since, lasted = times.pick("since"), times.pick("for")
        until, span, at = (
            times.pick("until", "before"),
            times.pick("range"),
            times.pick("at", "after") if not sign else times.pick("at"),
        )
        if self.turn.base is not None and at is None and not since and not span:
            at = self.turn.base
        point = at.happened if at else None
        future = point is not None and point > now
        if verb.phase == "stop":
            if negative or tense not in ("past", "perf", "pluperf", "pres"):
                return None
            sign = "-" if sign in ("", "-") else "x"
            if sign == "x":
                return None
        if verb.phase == "start" and sign == "" and kind == "state":
            sign = "+"
        if sign == "" and kind == "state" and ended and tense in ("pres", "perf") and (negative or verb.longer):
            return (
                None
                if predicate in ("name",)
                else (None, min(point, now) if point is not None else now, False, at, True)
            )
        if negative and kind == "event":
            if tense in ("perf", "past", "pres", "pluperf"):
                if tense == "pres":
                    return None
                return now, None, True, None, tense == "past"
            return None
        if sign == "-":
            if negative:
                return None
            if (
                tense in ("past", "perf")
                or (tense == "pres" and (verb.prog and future or "used" in verb.adverbs))
                or (clause.elided and verb.form in "dn")
                or (tense == "pres" and verb.lemma == "be" and not verb.prog)
            ):
                over = point if point is not None else (until.stop if until else None)
                if tense in ("past", "perf") and over is not None and over > now:
                    over = now
                return None, over if over is not None else now, False, at or until, True
            return None
        if sign == "+":
            if verb.used_to or tense == "pluperf" and False:
                return None
            if negative:
                return (now, None, True, None, True) if tense in ("past",) else None
            if tense in ("past", "perf"):
                if point is not None and future:
                    point = None
                begin = since or at or lasted
                start = (
                    since.start
                    if since
                    else point
                    if at
                    else lasted.start
                    if lasted and lasted.start is not None and tense == "perf"
                    else None
                )
                return start if start is not None else now, None, False, begin if start is not None else None, False
            if tense == "pres" and verb.lemma == "be":
                start = since.start if since else point
                return start if start is not None else now, None, False, since or at, False
            if tense == "pres" and (verb.prog or verb.phase == "start"):
                return None
            if tense == "pres" and not verb.prog and future:
                return point, None, False, at, False
            return None
        if kind == "event":
            if verb.used_to or verb.longer:
                return None
            if tense in ("past", "perf", "pluperf"):
                start = (
                    point
                    if point is not None and not future
                    else (since.start if since else span.start if span else None)
                )
                if start is None and tense == "perf" and verb.prog and lasted and lasted.start is not None:
                    return lasted.start, None, False, lasted, True
                if start is None and tense == "perf" and lasted and lasted.start is not None:
                    return lasted.start, None, False, lasted, True
                return start if start is not None else now, None, False, at or since or span, True
            if tense == "pres" and verb.prog and predicate in ("learned", "read", "watched"):
                start = since.start if since else lasted.start if lasted else None
                return start if start is not None else now, None, False, since or lasted, False
            return None
        # A state.
        if verb.used_to or tense == "pluperf" or (tense == "past" and not negative):
            if verb.used_to and negative:
                return None
            if (
                predicate
                in (
                    "plays",
                    "likes",
                    "dislikes",
                    "wants",
                    "prefers",
                    "interested_in",
                    "hobby",
                    "believes",
                    "name",
                    "takes_medication",
                    "manages",
                    "age",
                    "uses",
                    "parent_of",
                    "skilled_in",
                    "has_condition",
                    "is_a",
                )
                and not verb.used_to
                and not (until or span or lasted)
                and not self._was_once(clause, verb)
            ):
                if not (
                    predicate in ("has_condition", "is_a", "takes_medication", "manages", "uses") and (at is not None)
                ):
                    return None
            if verb.lemma == "have" and predicate in ("owns",) and not verb.used_to:
                return None
            if (
                predicate
                in ("has_pet", "owns", "drives", "plays", "speaks", "job_title", "lives_in", "works_at", "studies_at")
                and tense == "past"
                and verb.prog
                and not (until or span or lasted or at)
            ):
                return (
                    None if predicate not in ("lives_in", "works_at", "studies_at") else (None, now, False, None, True)
                )
            if predicate == "field_of_study" and not verb.used_to and not until and not span:
                return (
                    point if point is not None and not future else now,
                    None,
                    False,
                    at if not future else None,
                    False,
                )
            if predicate in ("born_in", "birthday", "from"):
                return point if point is not None and not future else now, None, False, None, False
            if span:
                return span.start, min(span.ends or now, now), False, span, True
            if until:
                return None, min(until.ends or until.stop or now, now), False, until, True
            if (
                at
                and at.stop is not None
                and not future
                and at.grain in ("year", "decade", "month", "season", "century", "quarter", "week")
            ):
                return at.start, min(at.stop - 1, now), False, at, True
            if at and point is not None and not future and not verb.used_to:
                return point, min((at.stop or now) - 1, now), False, at, True
            return None, now, False, None, True
        if negative:
            if (
                tense == "perf"
                and predicate in ("hobby", "plays", "works_at", "lives_in", "studies_at", "job_title")
                and verb.lemma != "be"
            ):
                return None  # `I haven't played in years` denies no state
            if tense in ("pres", "perf", "past"):
                if predicate in ("married_to",) and False:
                    return None
                return now, None, True, None, False
            return None
        if tense == "perf":
            if since:
                return since.start, None, False, since, False
            if span:
                return span.start, None if span.ends is None or span.ends >= now else span.ends, False, span, False
            if lasted and lasted.start is not None:
                return lasted.start, None, False, lasted, False
            if lasted and lasted.start is None and lasted.length:
                return self._back(lasted), None, False, lasted, False
            if point is not None and not future and verb.prog:
                return point, None, False, at, False
            if (
                predicate in ("lives_in", "works_at", "studies_at", "job_title")
                and not verb.prog
                and "always" not in verb.adverbs
                and not verb.adverbs & {"still", "now", "just"}
            ):
                return None, now, False, None, True
            return now, None, False, None, False
        if tense == "pres":
            if until and not since:
                return now, until.ends or until.stop, False, until, False
            start = None
            used = None
            if since:
                start, used = since.start, since
            elif lasted and lasted.start is not None and predicate not in ("plays", "likes"):
                start, used = lasted.start, lasted
            elif (
                at is not None
                and point is not None
                and (future or predicate in ("married_to", "engaged_to") or self._as_of(clause, at))
            ):
                start, used = point, at
                if future and predicate in ("likes", "dislikes", "is_a", "age"):
                    start, used = None, None
            return start if start is not None else now, None, False, used, False
        return None

    def _as_of(self, clause: Clause, at: Moment) -> bool:
        text = self.turn.text[max(0, at.outer - 12) : at.begin].lower()
        return any(w in text for w in ("as of", "from", "starting", "effective", "since"))

    def _back(self, lasted: Moment) -> int:
        amount, unit = lasted.length or (0.0, "day")
        days = {
            "second": 0.0,
            "minute": 0.0,
            "hour": 0.04,
            "day": 1.0,
            "week": 7.0,
            "weekend": 7.0,
            "month": 30.44,
            "quarter": 91.3,
            "year": 365.25,
            "decade": 3652.5,
            "century": 36525.0,
        }[unit]
        return int(self.turn.t_ref - amount * days * 86_400_000)

    def _was_once(self, clause: Clause, verb: Verb) -> bool:
        """`before this I was ..`, `back when ..`, `as a kid ..`."""
        lead = {t.low for t in self.toks[clause.lo : verb.start]} | {
            t.low for t in self.toks[max(0, clause.lo - 6) : clause.lo]
        }
        return bool(
            lead
            & {
                "before",
                "previously",
                "formerly",
                "once",
                "originally",
                "kid",
                "child",
                "teenager",
                "student",
                "back",
                "younger",
            }
        ) or bool(verb.adverbs & {"once", "previously", "formerly", "originally"})

    def _anymore(self, clause: Clause) -> bool:
        tail = [t.low for t in self.toks[clause.verbs[0].end : clause.hi]]
        return "anymore" in tail or any(
            x == "any" and y in ("more", "longer") for x, y in zip(tail, tail[1:], strict=False)
        )

    def clause_times(self, clause: Clause) -> Times:
        """The clause's own time expressions; else those of an adverbial that the clause shares."""
        if self.toks[0].start >= self.toks[-1].end:
            return Times()
        future = (
            clause.verbs[-1].tense == "fut"
            or clause.verbs[-1].phase == "plan"
            or (
                clause.verbs[-1].tense == "pres"
                and (
                    clause.verbs[-1].lemma in ("start", "join", "begin", "move", "leave")
                    or (clause.verbs[-1].prog and clause.verbs[-1].lemma in _ARRANGED)
                )
            )
        )
        times = self.times("future" if future else "past")
        if not times.moments:
            return times
        lo = clause.lo
        start = self.toks[lo].start
        # A leading adverbial belongs to the first clause, and to what is coordinated with it.
        begin = self.toks[0].start if clause.first else start
        own = times.within(begin, self.toks[min(clause.hi, len(self.toks)) - 1].end)
        if own.moments:
            return own
        if clause.shared or clause.marker in ("and",):
            return times.within(self.toks[0].start, self.toks[clause.verbs[0].start].start)
        first = self._lead(clause)
        return times.within(first, start) if first < start else own

    def _lead(self, clause: Clause) -> int:
        """Where the words between the clause before and this one begin."""
        i = clause.lo
        while i > 0 and self.toks[i - 1].low not in ("and", "but", ";"):
            i -= 1
            if self.toks[i].kind == "p" and self.toks[i].low in ".;:!?":
                return self.toks[i].end
        return self.toks[i].start

    # ------------------------------------------------------------------ future, wishes

    def _future(
        self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]], seen: set[str]
    ) -> list[Reading]:
        """What will be: a plan, and with a date the fact itself from that date on."""
        if verb.neg:
            return []
        out: list[Reading] = []
        toks = self.toks
        times = self.clause_times(clause)
        at = times.pick("at", "after", "since")
        if at is not None and at.happened is not None and at.happened > self.turn.t_ref and verb.phase != "think":
            plain = replace(verb, tense="pres" if verb.tense == "fut" else "past", modal=None, phase=None, prog=False)
            for pattern, slots in self.e.matcher.match(verb.lemma, toks, verb.end, clause.hi):
                if pattern.negative or any(
                    c.predicate not in self.e.table or self.e.table[c.predicate].kind == "event" for c in pattern.claims
                ):
                    continue
                if any(
                    c.predicate
                    in (
                        "likes",
                        "dislikes",
                        "is_a",
                        "prefers",
                        "interested_in",
                        "uses",
                        "located_in",
                        "wants",
                        "hobby",
                        "decided",
                        "skilled_in",
                        "plays",
                    )
                    for c in pattern.claims
                ):
                    continue
                got = self._claims(clause, plain, pattern.claims, slots, people, False, clause.hi, seen)
                for reading in got:
                    if reading.ends is not None:
                        reading.ends = at.happened
                        reading.starts = None
                        reading.past = False
                    else:
                        reading.starts, reading.ends = at.happened, None
                    reading.time_text = self.turn.text[at.outer : at.end]
                    reading.grain = at.grain
                    reading.confidence = min(reading.confidence, 0.8)
                out += [r for r in got if r.predicate != "moved_to"]
        out += self._plan(clause, verb, people, at)
        return out

    _IDLE = frozenset(
        "be see let know tell talk think say try check give take get keep make come look let need send help find do have love like miss remember share put hear ask wait catch show enjoy hope feel start go want continue chat stay use bring work call text hold cheer update hang believe happen pay stick rest finish add forget meet admit stop sleep eat drink thank leave turn support end bet set turn sound respond handle deal die cry mention worry follow rock crush play listen watch read cook win lose draw write run push".split()
    )

    def _plan(
        self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]], at: Moment | None
    ) -> list[Reading]:
        """`is moving to Ghent`, `will report to Ana`, `plan to visit Rome`: worth keeping when it has an object with a name, or a date."""
        toks = self.toks
        a, b = verb.end, clause.hi
        named = any(t.capital and t.low not in ("i",) or t.kind in "nx" for t in toks[a:b])
        strong = verb.phase == "plan" or verb.prog or verb.tense == "fut"
        plain = replace(verb, tense="past", modal=None, phase=None, prog=False)
        known = any(
            not p.negative and self._claims(clause, plain, p.claims, slots, people, False, b, set())
            for p, slots in self.e.matcher.match(verb.lemma, toks, a, b)
        )
        if not strong or (verb.lemma in self._IDLE and not (named and known)):
            return []
        if not (
            named
            or at is not None
            and at.happened is not None
            and at.happened > self.turn.t_ref
            or (verb.phase == "plan" and known)
        ):
            return []
        values = self.e.objects.clean("plan", toks, a, b)
        tail = values[0].text if values else ""
        if not tail:
            return []
        out = []
        lead = verb.lemma
        for name, sure, kind in people:
            if kind not in ("person", "group"):
                continue
            out.append(
                Reading(
                    name,
                    "plans_to",
                    f"{lead} {tail}".strip(),
                    *self.span(clause),
                    starts=self.turn.t_ref,
                    confidence=min(sure, 0.8),
                )
            )
        return out

    def _wants(self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]]) -> list[Reading]:
        toks = self.toks
        if (
            verb.lemma in self._IDLE - {"work", "go", "play", "write", "run", "read", "start"}
            or verb.neg
            or verb.tense not in ("pres", "cond")
            or clause.verbs[0].lemma in ("try", "need", "like", "love")
            and verb.tense == "pres"
        ):
            return []
        if verb.modal in ("might", "may", "could", "should"):
            return []
        known = any(True for _ in self.e.matcher.match(verb.lemma, toks, verb.end, clause.hi)) or verb.lemma in (
            "visit",
            "learn",
            "become",
            "open",
            "build",
            "travel",
            "study",
        )
        if not known:
            return []
        values = self.e.objects.clean("plan", toks, verb.end, clause.hi)
        if not values:
            return []
        return [
            Reading(name, "wants", f"to {verb.lemma} {values[0].text}", *self.span(clause), starts=self.turn.t_ref, confidence=min(sure, 0.75))
            for name, sure, kind in people if kind == "person"
        ]  # fmt: skip

    # ------------------------------------------------------------------ nouns, relations, together

    def _relations(self, clauses: list[Clause]) -> list[Reading]:
        """`my sister Anna`: a relation that the noun phrase itself states."""
        out: list[Reading] = []
        for m in self.mentions:
            if not m.named or m.owner is None or m.owner == "you" or m.relation is None:
                continue
            span = (self.toks[m.start].start, self.toks[m.end - 1].end)
            out += self._relation(m.owner, m.relation, m.name, span, m.kind, 0.9)
        return out

    def _relation(
        self, owner: str, word: str, name: str, span: tuple[int, int], kind: str, sure: float
    ) -> list[Reading]:
        if kind == "animal":
            if "has_pet" not in self.e.table:
                return []
            return [Reading(owner, "has_pet", name, *span, starts=self.turn.t_ref, confidence=sure)]
        relation = self.e.people.relations.get(word)
        if relation is None or relation.predicate is None:
            return []
        ends = self.turn.t_ref if relation.former else None
        return [
            Reading(
                owner,
                relation.predicate,
                name,
                *span,
                starts=None if ends else self.turn.t_ref,
                ends=ends,
                confidence=sure,
                past=relation.former,
            )
        ]

    def _introductions(self, clauses: list[Clause]) -> list[Reading]:
        """`I'm Anna`, `Anna here`, `this is Anna`, `call me Anna`, `name's Anna`."""
        toks, turn = self.toks, self.turn
        out: list[Reading] = []
        n = len(toks)
        if self.question or turn.reported:
            return []
        i = 0
        while i < n and (
            toks[i].kind == "p"
            or toks[i].low
            in (
                "hi",
                "hello",
                "hey",
                "yo",
                "btw",
                "so",
                "ok",
                "oh",
                "well",
                "also",
                "and",
                "all",
                "everyone",
                "folks",
                "team",
            )
        ):
            i += 1
        j = self.e.people.name_at(toks, i)
        if (
            j > i
            and j < n
            and toks[j].low == "here"
            and (j + 1 >= n or toks[j + 1].kind == "p" or toks[j + 1].low in ("from", "again"))
            and j - i <= 3
        ):
            out.append(self._named(i, j, 0.85))
        for k in range(n - 1):
            low = toks[k].low
            if low == "am" and k and toks[k - 1].low == "i":
                out += self._i_am(k + 1, k)
            elif low in ("call", "calls") and k + 2 < n and toks[k + 1].low == "me":
                values = self.e.objects.clean("name", toks, k + 2, min(n, k + 6))
                if (
                    values
                    and (
                        k == 0
                        or toks[k - 1].low
                        in ("please", "just", "can", "friends", "people", "everyone", "all", ",", "and")
                    )
                    and toks[k + 2].capital
                ):
                    out.append(self._named(values[0].a, values[0].b, 0.85))
            elif (
                low in ("is", "'s")
                and k
                and toks[k - 1].low == "name"
                and (
                    k < 2
                    or toks[k - 2].kind == "p"
                    or toks[k - 2].low
                    in ("my", "the", "real", "full", "first", "btw", "and", "so", "hi", "hey", "hello")
                )
            ):
                if k >= 2 and toks[k - 2].low in ("her", "his", "their", "its"):
                    continue
                values = self.e.objects.clean("name", toks, k + 1, min(n, k + 7))
                if values and toks[k + 1].low != "not":
                    out.append(self._named(values[0].a, values[0].b, 0.95))
        return out

    def _named(self, a: int, b: int, sure: float) -> Reading:
        toks = self.toks
        name = self.e.people.text(toks, a, b)
        self.turn.memory.people = [p for p in self.turn.memory.people if p.name != name]
        return Reading(
            self.turn.speaker,
            "name",
            name,
            toks[max(0, a - 2)].start,
            toks[b - 1].end,
            starts=self.turn.t_ref,
            confidence=sure,
        )

    def _i_am(self, a: int, verb: int) -> list[Reading]:
        toks, lex = self.toks, self.e.lex
        n = len(toks)
        if a >= n or toks[a].kind != "w" or any(t.low in ("if", "imagine", "suppose", "wish") for t in toks[:a]):
            return []
        t = toks[a]
        shouting = sum(1 for x in toks if x.kind == "w" and x.text.isupper() and len(x.text) > 1) > 1
        j = a
        while j < n and toks[j].capital and j < a + 4 and (j == a or toks[j].low not in lex["months"]):
            j += 1
        follow = toks[j].low if j < n else ""
        ends = (
            j >= n or toks[j].kind == "p" or follow in ("btw", "and", "from", "by", "the", "your", "here", "but", "i")
        )
        if (
            j > a
            and not shouting
            and ends
            and follow != "-"
            and t.low not in lex["nationalities"]
            and t.low not in lex["languages"]
            and t.low not in lex["evaluative"]
            and t.low not in lex["diets"]
            and t.low not in lex["common"]
            and t.low not in self.e.forms
            and not (t.low in lex["adverbs"] or t.low in lex["prepositions"])
            and not self.e.objects.is_job(toks, a, j)
        ):
            return [self._named(a, j, 0.9)]
        if (
            j == a
            and a == verb + 1
            and t.text.islower()
            and len(t.low) > 2
            and a + 1 < n
            and (
                toks[a + 1].low in ("btw", "here")
                or (toks[a + 1].low == "by" and a + 2 < n and toks[a + 2].low == "the")
            )
            and not self.e.objects.ordinary(t.low)
            and t.low not in self.e.forms
            and t.low not in lex["nationalities"]
            and t.low not in lex["diets"]
            and t.low not in lex["adjective_conditions"]
            and not t.low.endswith(("ing", "ed", "ful", "less", "ous", "able", "ish", "ive"))
            and not self.e.objects.is_job(toks, a, a + 1)
        ):
            return [self._named(a, a + 1, 0.8)]
        return []

    def _nominal(self, clause: Clause, people: list[tuple[str, float, str]]) -> list[Reading] | None:
        """`my new address is ..`, `Ilka's birthday is ..`, `Anna is my sister`, `his name is Rex`; None when it is none."""
        verb = clause.verbs[0]
        if (
            verb.lemma not in ("be", "stay", "remain", "become", "move", "change", "end", "slip")
            or clause.subject is None
        ):
            return None
        toks = self.toks
        a, b = clause.subject
        if toks[b : b + 1] and toks[b].low in ("for", "of") and b < verb.start:
            b = verb.start
        if verb.lemma == "be" and verb.tense in ("pres", "past", "perf", "fut") and people:
            inverse = self._is_my(clause, verb, people)
            if inverse is not None:
                return inverse
        owner, noun = self._owned_noun(a, b)
        if noun is None and b - a == 1 and toks[a].low == "it" and self.topic is not None:
            owner, noun = self.topic  # `my number changed, it's now ..`
        if noun is None and toks[b - 1].low in _MOVABLE and verb.lemma in ("move", "slip", "be", "change"):
            owner, noun = self.thing(a, b), "deadline"
            if verb.lemma == "be" and not (verb.end < clause.hi and toks[verb.end].low in _SHIFTED):
                return self._holder(clause, verb)
        if noun is None or owner is None:
            return self._holder(clause, verb)
        self.topic = (owner, noun)
        if verb.tense in ("cond",) or verb.modal not in (None, "will"):
            return []
        tail = verb.end
        if verb.lemma == "be" and tail < clause.hi and toks[tail].low in _SHIFTED:
            tail += 1
            while tail < clause.hi and toks[tail].low in ("back", "forward", "to", "until", "from"):
                tail += 1
        elif verb.lemma in ("move", "change", "slip"):
            if tail < clause.hi and toks[tail].low == "to":
                tail += 1
            elif noun != "last day":
                return None
        out: list[Reading] = []
        span = self.span(clause)
        if noun == "name":
            values = self.e.objects.clean("name", toks, tail, clause.hi)
            return self._rename(owner, values, span, verb) if values else []
        if noun.startswith(("favourite ", "favorite ")) or noun in ("favourite", "favorite"):
            values = self.e.objects.clean("thing", toks, tail, clause.hi)
            return [self._plain(owner, "favorite", v.text, span, verb) for v in values[:3]] if owner else []
        for predicate in self.e.nouns.get(noun, ()):
            kind = self.e.table[predicate].object
            if noun in ("home",) and toks[tail].low in ("in", "at"):
                tail += 1
            values = self._values(kind, (tail, clause.hi), clause) if tail < clause.hi else []
            if kind == "tool" and noun in ("phone", "new phone", "keyboard", "editor", "browser"):
                values = [v for v in values if any(t.capital for t in toks[v.a : v.b])]
            if self.e.table[predicate].functional:
                values = values[:1]
            for v in values:
                out.append(self._plain(owner, predicate, v.text, span, verb, clause))
            if out:
                break
        if not out and noun in ("birthday", "deadline"):
            return []
        if out:
            out = [r for r in out if r.subject != r.object]
            return out
        return None

    def _holder(self, clause: Clause, verb: Verb) -> list[Reading] | None:
        """`the new release manager is Ada`, `our accountant is Ms. Lee`: the role's holder."""
        toks = self.toks
        a, b = clause.subject or (0, 0)
        if verb.lemma != "be" or verb.tense not in ("pres", "fut") or a >= b or toks[a].low not in ("the", "our", "my"):
            return None
        m = next((m for m in self.mentions if m.start == verb.end and m.kind == "person" and m.named), None)
        if (
            m is None
            or m.end < clause.hi
            and toks[m.end].kind == "w"
            and toks[m.end].low not in ("now", "from", "and", "who", "again", "too")
        ):
            return None
        values = self.e.objects.clean("job", toks, a, b)
        if not values or values[0].b != b:
            return None
        return [
            Reading(
                m.name,
                "job_title",
                v.text,
                *self.span(clause),
                negative=verb.neg,
                starts=self.turn.t_ref,
                confidence=0.85,
            )
            for v in values[:1]
        ]

    def _plain(
        self, owner: str, predicate: str, value: str, span: tuple[int, int], verb: Verb, clause: Clause | None = None
    ) -> Reading:
        now = self.turn.t_ref
        if verb.tense == "past" and not verb.neg:
            ended = predicate not in ("birthday", "born_in", "deadline")
            if ended:
                return Reading(owner, predicate, value, *span, starts=None, ends=now, confidence=0.8, past=True)
        start, moment = now, None
        if clause is not None and predicate not in ("birthday", "deadline"):
            times = self.clause_times(clause)
            at = times.pick("since", "at", "after")
            if at is not None and at.start is not None and (at.relation == "since" or at.start > now):
                start, moment = at.start, at
        return Reading(owner, predicate, value, *span, negative=verb.neg, starts=start, confidence=0.9,
                       time_text=self.turn.text[moment.outer : moment.end] if moment else None, grain=moment.grain if moment else None)  # fmt: skip

    def _owned_noun(self, a: int, b: int) -> tuple[str | None, str | None]:
        """(owner, noun) of `my new address`, `Anna's phone number`, `the deadline for X`, `new number`."""
        toks, e = self.toks, self.e
        owner: str | None = None
        i = a
        marks = [k for k in range(a, b) if toks[k].low == "'s"]
        if marks:
            k = marks[-1]
            who = self.mention_at(a, k)
            owner = (
                who.name
                if who is not None and who.kind != "fictional"
                else e.people.text(toks, a + (1 if toks[a].low in ("the", "our", "my") else 0), k)
            )
            i = k + 1
        elif toks[a].low in ("my", "our"):
            owner, i = self.turn.speaker, a + 1
        elif toks[a].low in ("his", "her", "their", "its"):
            found = self.antecedent(toks[a].low, a) if toks[a].low != "its" else None
            if self.turn.unnamed is not None and toks[b - 1].low == "name":
                found = None
            if found is None and self.turn.unnamed is None:
                return None, None
            owner = found.name if found else self.turn.speaker
            i = a + 1
        elif toks[a].low in (
            "the",
            "new",
            "current",
            "name",
            "phone",
            "email",
            "number",
            "address",
            "deadline",
            "work",
            "home",
            "mobile",
            "birthday",
            "landlord",
        ):
            owner = self.turn.speaker
            i = a + 1 if toks[a].low == "the" else a
        elif toks[a].capital and a == 0:
            owner = self.turn.speaker
        if owner is None:
            return None, None
        words = [t.low for t in toks[i:b]]
        for drop in range(3):
            noun = " ".join(words[drop:])
            if noun in e.nouns or noun == "name":
                if toks[a].low == "the" and not marks and noun not in ("deadline", "due date", "new deadline"):
                    return None, None
                if noun in ("deadline", "due date") and not marks:
                    owner = "project" if toks[a].low not in ("my", "our") else owner
                return owner, noun
            if drop < len(words) and words[drop] in ("favourite", "favorite") and len(words) > drop + 1:
                noun = " ".join(words[drop:])
                for stop in ("of", "right", "to"):
                    if stop in words:
                        noun = " ".join(words[drop : words.index(stop)])
                return owner, noun
            if not (
                drop < len(words)
                and (
                    words[drop]
                    in (
                        "new",
                        "current",
                        "old",
                        "main",
                        "personal",
                        "work",
                        "first",
                        "full",
                        "real",
                        "own",
                        "present",
                        "actual",
                        "home",
                        "mobile",
                        "private",
                    )
                )
            ):
                break
            if words[drop] == "old" or words[drop] == "previous":
                return None, None
        if len(words) > 1 and words[0] in ("favourite", "favorite"):
            return owner, " ".join(words)
        # `the deadline for Heron`, `my favourite band of all time`
        if "for" in words or "of" in words:
            cut = words.index("for") if "for" in words else words.index("of")
            noun = " ".join(words[:cut])
            if noun in ("deadline", "due date", "new deadline"):
                return e.people.text(
                    toks, i + cut + 1 + (1 if words[cut + 1 :] and words[cut + 1] in ("the", "our", "my") else 0), b
                ), "deadline"
            if noun.startswith(("favourite", "favorite")) or noun in e.nouns and owner == self.turn.speaker:
                return owner, noun
        return None, None

    def _rename(self, owner: str, values: list[Value], span: tuple[int, int], verb: Verb) -> list[Reading]:
        """`her name is Pixel`: the newest unnamed one gets it."""
        turn = self.turn
        if owner == turn.speaker and turn.unnamed is None:
            return []  # `my name is ..` is read elsewhere
        target = turn.unnamed or next((p for p in reversed(turn.memory.people) if p.name == owner), None)
        return [] if target is None or verb.neg or target.named else self.rename(target, values[0].text, span)

    def rename(self, target: Mention, name: str, span: tuple[int, int]) -> list[Reading]:
        """The mention gets its name; what is known of its relation is said under that name."""
        turn = self.turn
        out = []
        if turn.unnamed_reading is not None and target is turn.unnamed:
            turn.unnamed_reading.object = name  # the same fact, by its name
        elif target.relation:
            out = self._relation(target.owner or turn.speaker, target.relation, name, span, target.kind, 0.85)
        turn.memory.people = [p for p in turn.memory.people if p is not target]
        turn.memory.add(replace(target, name=name, named=True, weak=False))
        turn.memory.aliases[target.role or target.name] = name
        turn.unnamed = turn.unnamed_reading = None
        return out

    def _is_my(self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]]) -> list[Reading] | None:
        """`Anna is my sister`, `Gudrun is our new boss`, `Tom isn't my manager`."""
        toks = self.toks
        i = verb.end
        if i >= clause.hi:
            return None
        hit = next((m for m in self.mentions if m.start == i and m.relation and not m.named), None)
        if hit is None or hit.owner in (None, "you"):
            return None
        people = [p for p in people if not p[0].startswith(f"{hit.owner}'s ")]
        if not people:
            return []
        name, sure, kind = people[0]
        relation = self.e.people.relations.get(hit.relation or "")
        if relation is None or relation.predicate is None or kind != "person" or name == hit.owner:
            return None
        rest = [t for t in toks[hit.end : clause.hi] if t.kind == "w"]
        if rest and rest[0].low in ("'s",):
            return None
        self.turn.memory.people = [p for p in self.turn.memory.people if p.name != hit.name]
        if hit.role:
            self.turn.memory.aliases[hit.role] = name
        frame = self._frame(clause, verb, "", "state", verb.neg, relation.predicate)
        if frame is None:
            return []
        starts, ends, neg, moment, past = frame
        if relation.former:
            starts, ends = None, self.turn.t_ref
        return [
            Reading(hit.owner or "", relation.predicate, who, *self.span(clause), negative=neg, starts=starts, ends=ends, confidence=conf, past=past)
            for who, conf, k in people if k == "person"
        ]  # fmt: skip

    def _joint(self, clause: Clause, people: list[tuple[str, float, str]]) -> list[Reading]:
        """`Idris and I broke up`, `Anna and Ben got married`."""
        if len(people) != 2:
            return []
        toks = self.toks
        for verb in clause.verbs:
            tail = " ".join(t.low for t in toks[verb.end : clause.hi])
            for lemma, rest, claim in self.e.matcher.together:
                if lemma != verb.lemma or not (tail == rest or tail.startswith(rest + " ") or not rest):
                    continue
                if (
                    not rest
                    and tail
                    and toks[verb.end].kind == "w"
                    and toks[verb.end].low not in self.e.lex["prepositions"]
                    and toks[verb.end].low not in self.e.lex["adverbs"]
                    and toks[verb.end].low not in ("last", "this", "yesterday", "two", "three")
                ):
                    continue
                sign = "" if lemma == "be" and claim.sign == "+" else claim.sign
                if verb.phase == "start":
                    sign = "+"
                frame = self._frame(clause, verb, sign, "state", verb.neg, claim.predicate)
                if frame is None:
                    continue
                starts, ends, neg, moment, past = frame
                first, second = people[1][0], people[0][0]
                if second == self.turn.speaker:
                    first, second = second, first
                if first == self.turn.speaker or True:
                    return [Reading(first, claim.predicate, second, *self.span(clause), negative=neg, starts=starts, ends=ends, confidence=0.9, past=past,
                                    time_text=self.turn.text[moment.outer : moment.end] if moment else None, grain=moment.grain if moment else None)]  # fmt: skip
        return []

    # ------------------------------------------------------------------ quotations

    def _quoted(self, clauses: list[Clause]) -> list[Reading]:
        """`Mum texted me "I've joined the choir"`: the words of a person we can name."""
        out: list[Reading] = []
        toks, turn = self.toks, self.turn
        for i, t in enumerate(toks):
            if t.kind != "q":
                continue
            who = self._speaker_of(i, clauses)
            if who is None or who == turn.speaker:
                continue
            out += self.e._embedded(turn, [t], who, 0.65)
        return out

    def _speaker_of(self, i: int, clauses: list[Clause]) -> str | None:
        toks = self.toks
        before = None
        after = i + 1 + (i + 1 < len(toks) and toks[i + 1].kind == "p")
        if after + 1 < len(toks) and (self.e.forms.get(toks[after].low) or ("",))[0] in _SAY:  # `"..", said Petra`
            m = next((m for m in self.mentions if m.start == after + 1 and m.kind == "person"), None)
            if m is not None:
                return m.name
        for index, clause in enumerate(clauses):
            v = clause.verbs[-1]
            if v.lemma in _SAY and v.end <= i and i - v.end <= 6 and not v.neg and v.tense != "cond":
                before = (index, clause)
            if v.lemma in _SAY and v.start > i and v.start - i <= 4:
                before = (index, clause)
                break
        if before is None:
            return None
        people = self.who(before[1], before[0], clauses)
        if not people or people[0][2] != "person":
            return None
        if self.stated(before[1], before[0], clauses) == 0.0:
            return None
        del toks
        return people[0][0]

    # ------------------------------------------------------------------ for the idioms

    def text(self, a: int, b: int) -> str:
        """Tokens [a, b) as written."""
        return People.text(self.toks, a, b)

    def clean(self, kind: str, a: int, b: int) -> list[Value]:
        """The values of a kind in tokens [a, b)."""
        return self.e.objects.clean(kind, self.toks, a, b)

    def forms(self, word: str) -> tuple[str, str] | None:
        """What verb form a word is."""
        return self.e.forms.get(word)
