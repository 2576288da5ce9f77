"""Is it meant as a fact? Questions, conditions, wishes and guesses are not."""

from __future__ import annotations

from typing import Final

from lean_memory.extract.clauses import Clause
from lean_memory.extract.subjects import Subjects

__all__ = ["Modality"]

_QUESTION_WORDS = frozenset("who what where when why how which whose whom".split())
_TAGS = frozenset("right remember ok okay no yeah eh huh correct innit see hm".split())
_UNREAL_LEMMAS = frozenset("wish imagine suppose pretend hope dream doubt assume guess wonder bet fantasize".split())
_SOFT_LEMMAS = frozenset("think believe reckon feel suspect expect figure".split())
_CONDITIONS = frozenset("if unless whether case till until".split())
_ASKING = frozenset("who what where how why which".split())
_ASKING_SUBJECTS = frozenset("who what which where how why here there".split())
_BEFORE_PICTURES = frozenset("just now ok okay so and but well please only".split())
_THOUGHT = frozenset("convinced sure certain adamant positive confident persuaded worried paranoid".split())
_SET_ASIDE = frozenset("that because as like".split())
_SUPPOSING = frozenset("suppose imagine pretend say wish hopefully maybe perhaps if if".split())

_WHOEVER = frozenset("you anyone anybody someone somebody anything something it there people".split())
_CONTACTS = frozenset("number phone mobile cell landline extension email e-mail mail address handle username".split())


_FAR: Final = 20
"""Clauses of one sentence between a condition and what it still makes doubtful, at most."""


class Modality(Subjects):
    """Is it meant as a fact? Questions, conditions, wishes and guesses are not."""

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
        if marker == "like" or (clause.lo and toks[clause.lo - 1].low == "like"):  # `explain it like I'm five`
            return 0.0
        if bare in _CONDITIONS or "as if" in marker:
            return 0.0
        if self._not_so(clause) or self._thought(clause, index, clauses):
            return 0.0
        if bare in ("when", "once", "whenever", "before") and verb.tense in ("pres", "fut") and not verb.prog:
            return 0.0
        if verb.inverted and "only" not in verb.adverbs and not self._so_do(clause):
            return 0.0
        lead = [t.low for t in toks[clause.lo : verb.start]]
        if verb.tense == "past" and {"almost", "nearly"} & {*lead, *verb.adverbs}:
            return 0.0
        if (
            not self.e.hedges.isdisjoint(lead)
            or not self.e.hedges.isdisjoint(verb.adverbs)
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
            and first in _ASKING
            and clause.subject is not None
            and toks[clause.subject[0]].low in _ASKING_SUBJECTS
        ):
            return 0.0
        if index == 0 and toks[0].low in _SUPPOSING:
            return 0.0
        if self._pictured():
            return 0.0
        earlier = clauses[max(0, index - _FAR) : index]
        for other in earlier:
            lemma = other.verbs[0].lemma
            if lemma in ("imagine", "suppose", "pretend") and other.elided | (other.subject is None):
                return 0.0
        # The consequence of a condition that stands before it.
        for other in earlier:
            m = (other.marker or "").removeprefix("even ")
            if m == "if" and self._wanted(other) and self._reaches(clause):  # `if you need me, my number is ..`
                continue
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
            if lemma in _UNREAL_LEMMAS or (above.verbs[-1].neg and lemma not in ("mention", "forget", "tell")):
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

    def _not_so(self, clause: Clause) -> bool:
        """`it's not that I mind him`, `not because I own one`: what is set aside is not said to be so."""
        stop = clause.subject[0] if clause.subject else clause.verbs[0].start
        for i in range(max(0, stop - 4), stop - 1):
            if self.toks[i].low == "not" and self.toks[i + 1].low in _SET_ASIDE:
                between = [t.low for t in self.toks[i + 2 : stop]]  # not so: `I do not like fish but my son does`
                return between in ([], ["if"], ["my"], ["our"], ["the"])
        return False

    def _wanted(self, clause: Clause) -> bool:
        """`if you need me`, `if anything comes up`."""
        return clause.subject is not None and self.toks[clause.subject[0]].low in _WHOEVER

    def _reaches(self, clause: Clause) -> bool:
        """Does the clause say where somebody is reached? That holds whether the other needs it or not."""
        toks, verb = self.toks, clause.verbs[0]
        if clause.subject is None or verb.lemma != "be" or verb.tense != "pres":
            return False
        a, b = clause.subject
        mine = toks[a].low in ("my", "our", "the", "his", "her", "their") or "'s" in {t.low for t in toks[a:b]}
        return mine and toks[b - 1].low in _CONTACTS and any(t.kind in "nx" for t in toks[verb.end : verb.end + 4])

    def _thought(self, clause: Clause, index: int, clauses: list[Clause]) -> bool:
        """`he's convinced I'm a doctor`, `I'm sure she works there`: what somebody thinks, or fears."""
        if index == 0 or clause.subject is None or clause.shared:
            return False
        i = clause.subject[0] - 1
        i -= i > 0 and self.toks[i].low == "that"
        return i > 0 and self.toks[i].low in _THOUGHT and clauses[index - 1].verbs[-1].end <= i

    def _pictured(self) -> bool:
        """`Picture it: we own a castle`, `just imagine: ..`: nothing of the sentence is so."""
        words = [t.low for t in self.toks[:6]]
        while words and (words[0] in _BEFORE_PICTURES or not words[0].isalpha()):
            words = words[1:]
        if words[:2] in (["i", "can"], ["i", "could"], ["you", "can"]):
            words = [word for word in words[2:] if word not in _BEFORE_PICTURES]
        if len(words) < 2 or words[0] not in ("picture", "imagine", "envision", "visualise", "visualize"):
            return False
        return words[1] in (":", ",", "me", "us") or (words[1] in ("it", "this") and words[2:3] != ["is"])

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
