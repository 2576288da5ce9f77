"""What will be and what is wished."""

from __future__ import annotations

from dataclasses import replace

from lean_memory.extract.assertions import Assertions
from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.reading import Reading
from lean_memory.extract.when import Moment

__all__ = ["Future"]

_NOT_FORETOLD = frozenset(
    "likes dislikes is_a prefers interested_in uses located_in wants hobby decided skilled_in plays".split()
)
_PLANNED = frozenset("plan intend aim".split())
_DEFINITE = frozenset("the my our a an another his her their".split())
_REFUSED = frozenset("manage lead supervise move relocate travel study learn teach drive fly marry retire work".split())
_INTO = frozenset("move go get switch break transfer step".split())
_WANTED = frozenset("visit learn become open build travel study".split())


class Future(Assertions):
    """What will be and what is wished."""

    _IDLE = frozenset(
        "be see let know tell talk think say try check give take get keep make come look let need send help "
        "find do have love like miss remember share put hear ask wait catch show enjoy hope feel start go "
        "want continue chat stay use bring work call text hold cheer update hang believe happen pay stick "
        "rest finish add forget meet admit stop sleep eat drink thank turn support end bet set turn "
        "sound respond handle deal die cry mention worry follow rock crush play listen watch read cook win "
        "lose draw write run push".split()
    )

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
                if any(c.predicate in _NOT_FORETOLD for c in pattern.claims):
                    continue
                got = self._claims(clause, plain, pattern.claims, slots, people, False, seen)
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

    def _plan(
        self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]], at: Moment | None
    ) -> list[Reading]:
        """`is moving to Bern`, `plan to visit Rome`: worth keeping when it has a name or a date."""
        toks = self.toks
        a, b = verb.end, clause.hi
        named = any((t.capital and t.low not in ("i",)) or t.kind in "nx" for t in toks[a:b])
        strong = verb.phase == "plan" or verb.prog or verb.tense == "fut"
        plain = replace(verb, tense="past", modal=None, phase=None, prog=False)
        known = any(
            not p.negative and self._claims(clause, plain, p.claims, slots, people, False, set())
            for p, slots in self.e.matcher.match(verb.lemma, toks, a, b)
        )
        if not strong or (verb.lemma in self._IDLE and not (named and known)):
            return []
        if not (
            named
            or (at is not None and at.happened is not None and at.happened > self.turn.t_ref)
            or (verb.phase == "plan" and known)
            or (clause.verbs[0].lemma in _PLANNED and self._definite(a, b))
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

    def _unwanted(self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]]) -> list[Reading]:
        """`does not want to manage people`: a wish denied, when it is of a lasting kind."""
        tail = [t.low for t in self.toks[verb.end : clause.hi]]
        stop = next((k for k in range(verb.end, clause.hi) if self.toks[k].kind == "p"), clause.hi)
        if {"today", "tonight", "tomorrow", "now", "you", "it", "that", "this"} & {*tail} or stop == verb.end:
            return []
        what = self.text(verb.end, min(stop, verb.end + 8))
        return [
            Reading(
                name, "wants", f"to {verb.lemma} {what}", *self.span(clause), negative=True,
                starts=self.turn.t_ref, confidence=min(sure, 0.75),
            )
            for name, sure, kind in people
            if kind == "person"
        ]  # fmt: skip

    def _definite(self, a: int, b: int) -> bool:
        """`repaint the hallway`, `sell my bike`: something that can be done, and then is."""
        return b - a > 1 and self.toks[a].low in _DEFINITE and self.toks[a + 1].low not in self.e.lex["vague"]

    def _wants(self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]]) -> list[Reading]:
        toks = self.toks
        if verb.neg and verb.lemma in _REFUSED and verb.tense == "pres" and clause.verbs[0].lemma == "want":
            return self._unwanted(clause, verb, people)
        if (
            verb.lemma in self._IDLE - {"work", "go", "play", "write", "run", "read", "start"}
            or verb.neg
            or verb.tense not in ("pres", "cond")
            or (clause.verbs[0].lemma in ("try", "need", "like", "love") and verb.tense == "pres")
        ):
            return []
        if verb.modal in ("might", "may", "could", "should"):
            return []
        plain = replace(verb, tense="past", modal=None, phase=None, prog=False)
        into = verb.lemma in _INTO and verb.end < clause.hi and toks[verb.end].low == "into"
        known = (
            verb.lemma in _WANTED
            or into
            or any(
                not p.negative and self._claims(clause, plain, p.claims, slots, people, False, set())
                for p, slots in self.e.matcher.match(verb.lemma, toks, verb.end, clause.hi)
            )
        )
        if not known:
            return []
        values = self.e.objects.clean("plan", toks, verb.end, clause.hi)
        if not values:
            return []
        return [
            Reading(
                name,
                "wants",
                f"to {verb.lemma} {values[0].text}",
                *self.span(clause),
                starts=self.turn.t_ref,
                confidence=min(sure, 0.75),
            )
            for name, sure, kind in people
            if kind == "person"
        ]
