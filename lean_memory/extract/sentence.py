"""One English sentence being read."""

from __future__ import annotations

from dataclasses import replace

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms import asked
from lean_memory.extract.labels import embedded
from lean_memory.extract.nouns import Nouns
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.subjects import DOCTORS

__all__ = ["Sentence"]

_SAY = frozenset(
    "say tell text write message ask announce mention reply go insist shout whisper add explain admit "
    "confirm post email reveal swear brag yell report complain claim declare".split()
)
_ARRANGED = frozenset(
    "move go leave join start fly travel visit marry get buy sell adopt switch quit transfer return come "
    "attend begin retire graduate "
    "relocate emigrate drop take head become migrate resign change".split()
)
_ACQUIRE = frozenset("have get adopt own meet buy rescue".split())
_INDEFINITE = frozenset("a an another this my our new".split())
_UNREAL_MODALS = frozenset("would could should might may must 'd".split())
_SOFT_MODALS = frozenset("might may must should could would 'd".split())
_LEARNERS = frozenset("student pupil undergrad undergraduate postgrad".split())
_DIGEST = frozenset("have do touch digest stomach drink".split())
_ABLE = frozenset("speak play understand read stand bear tolerate eat get".split())

_HOLDING = frozenset("have own get buy keep".split())
_HELD = frozenset("has_pet owns drives bought".split())
_LESS_LIKELY = frozenset("likes interested_in hobby uses".split())
_NOBODY = frozenset(
    "i we he she they you it this that these those who which there everyone everybody someone somebody "
    "anyone nobody".split()
)


class Sentence(Nouns):
    """One English sentence being read."""

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
        words = self.words.union([v.lemma for clause in clauses for v in clause.verbs])
        for idiom in asked(words):
            out += idiom(self, clauses, out)
        return out

    def _newcomer(self, clause: Clause, index: int, clauses: list[Clause], got: list[Reading]) -> None:
        """`I have a cat`, `got a new girlfriend`: somebody without a name yet, whom `her name is ..` will name."""
        toks, verb = self.toks, clause.verbs[-1]
        if verb.lemma not in _ACQUIRE or verb.neg:
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
            if toks[verb.end].low not in _INDEFINITE:
                return
            if i + 1 < clause.hi and (toks[i + 1].capital or toks[i + 1].low in ("called", "named", "'s")):
                return
            kind = "animal" if pet is not None else "person"
            owner = people[0][0]
            gender = relation.gender if relation else None
            self.turn.unnamed = Mention(i, i + 1, f"{owner}'s {word}", gender, kind=kind, relation=word, owner=owner)
            self.turn.unnamed_reading = pet
            return

    def clause(self, clause: Clause, index: int, clauses: list[Clause]) -> list[Reading]:
        sure = self.stated(clause, index, clauses)
        out: list[Reading] = []
        first = clause.verbs[0]
        more = first.end < clause.hi and self.toks[first.end].kind != "p"
        if first.inverted and more and self._so_do(clause) and first.lemma != "do":
            low = self.toks[first.start - 1].low  # `nor have I read Emma`
            clause = replace(clause, verbs=[replace(first, neg=low != "so"), *clause.verbs[1:]])
        reporter = self._reporter(clause, clauses)
        people = self.who(clause, index, clauses)
        self._remember_thing(clause)
        if sure == 0.0:
            return []
        if reporter is not None:
            if reporter[1] == "unknown" or clauses[clause.under or 0].verbs[-1].lemma == "claim":
                return []
            sure = min(sure, 0.65)
        told = reporter is not None and reporter[0].split()[-1].lower() in DOCTORS
        if not people:
            people = []
        nominal = self._nominal(clause, people)
        if nominal is not None:
            for reading in nominal:
                reading.confidence *= sure
            return nominal
        nobody = clause.subject is None or self.toks[clause.subject[0]].low in _NOBODY - {"they"}
        if not people and nobody:  # whoever `they put me on tablets` are
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
        if any(r.predicate == "studies_at" for r in out):  # `a student at X`, `got into X`
            learns = any(r.predicate == "job_title" and r.object.split()[-1] in _LEARNERS for r in out)
            school = {r.object for r in out if r.predicate == "studies_at"} if learns else set()
            out = [
                r
                for r in out
                if r.predicate not in ("likes", "interested_in")
                and (r.predicate != "works_at" or r.object not in school)
            ]
        if told and people and people[0][0] == self.turn.speaker:
            out = [r for r in out if r.predicate in ("has_condition", "allergic_to")]
        joined = {r.object for r in out if r.predicate == "member_of"}  # `left the Greens`: no employer
        out = [r for r in out if r.predicate != "works_at" or r.object not in joined or len(r.object.split()) > 1]
        pets = {r.object.split()[-1] for r in out if r.predicate == "has_pet"}  # the cat is no other possession
        return [
            r for r in out if r.predicate not in _HELD or r.predicate == "has_pet" or r.object.split()[-1] not in pets
        ]

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
        if verb.phase in ("think",) or (verb.tense == "cond" and verb.modal in _UNREAL_MODALS and verb.phase != "want"):
            return []
        if verb.modal in _SOFT_MODALS and verb.phase != "want":
            return []
        if verb.phase == "want":
            return self._wants(clause, verb, people)
        if verb.modal == "can" and verb.lemma not in _ABLE:
            if not verb.neg or verb.lemma not in _DIGEST:
                return []  # `can't do dairy`
            return [r for r in self._matched(clause, verb, people, seen, a, b) if r.predicate == "diet"]
        chosen = verb.lemma == "go" and a < b and toks[a].low in ("with", "for")  # `we're going with Redis`
        if verb.tense == "pres" and verb.prog and verb.phase is None and verb.lemma in _ARRANGED and not chosen:
            verb = replace(verb, phase="plan")
        if chosen and verb.tense == "pres" and verb.prog and not verb.neg:
            verb = replace(verb, tense="perf", prog=False)
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
            return self._future(clause, verb, people, seen)
        several = self._none_of(a - ("neither" in verb.adverbs and toks[a - 1].low == "neither"), b)
        if several and not verb.neg:
            return [
                r for x, y in several for r in self._matched(clause, replace(verb, neg=True), people, set(seen), x, y)
            ]
        if "neither" in verb.adverbs and toks[a - 1].low == "neither" and not verb.neg:
            verb = replace(verb, neg=True)
        return self._matched(clause, verb, people, seen, a, b)

    def _none_of(self, a: int, b: int) -> list[tuple[int, int]]:
        """The parts of `no pets and no kids`, `neither kids nor pets`, without `no`."""
        toks = self.toks
        if a + 3 >= b or toks[a].low not in ("no", "neither", "zero") or toks[a + 1].kind != "w":
            return []
        cuts = [
            k
            for k in range(a + 2, b - 1)
            if toks[k].low == "nor" or (toks[k].low in ("no", "zero") and toks[k - 1].low in ("and", ",", "or", "but"))
        ]
        if not cuts or toks[a + 1].low == "longer":
            return []
        starts = [a, *cuts]
        ends = [*(k - (toks[k].low != "nor") for k in cuts), b]
        return [(x + 1, y) for x, y in zip(starts, ends, strict=True) if x + 1 < y]

    def _matched(
        self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]], seen: set[str], a: int, b: int
    ) -> list[Reading]:
        toks = self.toks
        out: list[Reading] = []
        if verb.lemma == "remain" and a < b and toks[a].low in ("a", "an", "the", "our", "my"):
            verb = replace(verb, lemma="be")
        none = a < b and toks[a].low == "no" and a + 1 < b and toks[a + 1].kind == "w" and toks[a + 1].low != "longer"
        for pattern, slots in self.e.matcher.match(verb.lemma, toks, a + none, b):
            if not people and all(claim.who == "s" for claim in pattern.claims):
                continue
            negative = verb.neg != none  # `I have no pets`
            if pattern.progressive and not verb.prog:
                continue
            if pattern.negative:
                if not negative:
                    continue
                negative = False
            if verb.modal == "can" and verb.lemma == "get" and not negative:
                continue
            got = self._claims(clause, verb, pattern.claims, slots, people, negative, seen)
            out += got
            if got and pattern.rule:
                break
        if out and verb.lemma in _HOLDING:
            out += self._other_kinds(out, a, b)
        joined = {
            r.object for r in out if r.predicate in ("studies_at", "member_of", "works_at", "lives_in", "learned")
        }
        out = [r for r in out if not (r.object in joined and r.predicate in _LESS_LIKELY)]
        founded = (
            {r.object for r in out if r.predicate == "owns"} if verb.lemma in ("found", "start", "open") else set()
        )
        out = [r for r in out if not (r.predicate == "member_of" and r.object in founded)]
        pastimes = {r.object for r in out if r.predicate == "hobby"}
        out = [r for r in out if not (r.predicate == "interested_in" and r.object in pastimes)]
        schools = {r.object for r in out if r.predicate == "studies_at" and self.e.objects.schoolish(r.object)}
        if schools and verb.lemma in ("start", "begin"):  # as a lecturer one works there
            other = "studies_at" if any(r.predicate == "job_title" for r in out) else "works_at"
            out = [r for r in out if not (r.predicate == other and r.object in schools)]
        return out

    def _other_kinds(self, out: list[Reading], a: int, b: int) -> list[Reading]:
        """`two goats and a van`: what of a list is not of the kind that was read."""
        got: list[Reading] = []
        base = next((r for r in out if r.predicate in _HELD), None)
        parts = self.e.objects.listed(self.toks, a, b) if base else []
        if base is None or not 1 < len(parts) < 6:
            return []
        said = [r.object for r in out]
        named = base.predicate == "has_pet" and all(text[:1].isupper() for text in said)
        for x, y in parts:
            if self.toks[x].low not in ("a", "an", "two", "three", "four", "one") or y - x > 4:
                continue
            if any(self.toks[y - 1].text in text.split() for text in said):
                continue
            pets = self.e.objects.clean("pet_got", self.toks, x, y)
            if pets and named:  # `two ferrets, Tick and Tock`
                continue
            values = pets or self.e.objects.clean("possession", self.toks, x, y)
            predicate = "has_pet" if pets else "owns"
            got += [replace(base, predicate=predicate, object=v.text) for v in values[:1] if predicate in self.e.table]
        return got

    def _quoted(self, clauses: list[Clause]) -> list[Reading]:
        """`Mum wrote "I've joined a band"`: the words of a person we can name."""
        out: list[Reading] = []
        toks, turn = self.toks, self.turn
        for i, t in enumerate(toks):
            if t.kind != "q":
                continue
            who = self._speaker_of(i, clauses)
            if who is None or who == turn.speaker:
                continue
            out += embedded(self.e, turn, [t], who, 0.65)
        return out

    def _speaker_of(self, i: int, clauses: list[Clause]) -> str | None:
        toks = self.toks
        before = None
        after = i + 1 + (i + 1 < len(toks) and toks[i + 1].kind == "p")
        if after + 1 < len(toks) and (self.e.forms.get(toks[after].low) or ("",))[0] in _SAY:  # `"..", said Lea`
            m = next((m for m in self.mentions if m.start == after + 1 and m.kind == "person"), None)
            if m is not None:
                return m.name
        for index, clause in enumerate(clauses):
            v = clause.verbs[-1]
            if v.lemma in _SAY and v.end <= i and i - v.end <= 6 and not v.neg and v.tense != "cond":
                before = (index, clause)
            if v.lemma in _SAY and v.start > i and v.start - i <= 4 and toks[i + 1].low not in ("and", "but", "so"):
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
