"""What the words before it complete: `that's Ben`, `so does Lea`, `at work it's English`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["according_to", "echoes", "elsewhere"]

_AFTER_ECHO = frozenset(". ! , who instead you actually i".split()) | {""}
_ECHO_VERBS = frozenset("do does did is are am has have was".split())
_TOO_VERBS = frozenset("does do is am are has have 's".split())


def echoes(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I'm not allergic to nuts, that's Ben`; `X uses Redis and so does Y`; `Lea is a member too`."""
    toks = s.toks
    got: list[Reading] = []
    previous = [*s.turn.last, *out]
    for clause in clauses:
        verb = clause.verbs[0]
        a, b = clause.subject or (clause.lo, clause.lo)
        head = toks[a].low if b > a else ""
        # that's Ben: the denied thing is true of another.
        if head in ("that", "it") and verb.lemma == "be" and not verb.neg and not verb.inverted:
            denied = [r for r in out or s.turn.last if r.negative and r.predicate not in ("dislikes",)]
            m = next((m for m in s.mentions if m.start == verb.end and m.kind == "person"), None)
            after = toks[m.end].low if m and m.end < clause.hi else ""
            if denied and m and after in _AFTER_ECHO:
                got += [
                    replace(
                        r,
                        subject=m.name,
                        negative=False,
                        start=toks[clause.lo].start,
                        end=toks[m.end - 1].end,
                        confidence=0.75,
                    )
                    for r in denied
                    if True
                ]
            continue
        # so does Y, neither does Ben
        lead = toks[verb.start - 1].low if verb.start else ""
        if (verb.inverted and lead in ("so", "neither", "nor") and verb.lemma in ("do", "be", "have")) or (
            lead in ("so", "neither", "nor") and toks[verb.start].low in _ECHO_VERBS
        ):
            stop = verb.start + 1
            m = next((m for m in s.mentions if m.start == stop), None)
            name = (
                m.name
                if m
                else s.thing(stop, min(len(toks), stop + 1))
                if stop < len(toks) and toks[stop].capital
                else None
            )
            name = s.turn.speaker if stop < len(toks) and toks[stop].low in ("i", "we") else name
            base = [r for r in previous if r.subject != name]
            if name and base:
                last = base[-1]
                end = m.end if m else stop + 1
                got += [
                    replace(r, subject=name, start=toks[verb.start - 1].start, end=toks[end - 1].end, confidence=0.75)
                    for r in base
                    if r.predicate == last.predicate and r.start == last.start
                ]
    got += _too(s, clauses, previous)
    return got


def _too(s: Sentence, clauses: list[Clause], previous: list[Reading]) -> list[Reading]:
    """`Anna is a member too`, `Ben does too`: the last thing said, of another."""
    out: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if verb.neg or verb.tense != "pres" or s.stated(clause, index, clauses) == 0.0:
            continue
        tail = [t.low for t in s.toks[verb.end : clause.hi] if t.kind == "w"]
        short = tail in (
            ["too"],
            ["as", "well"],
            [],
            ["a", "member", "too"],
            ["a", "member"],
            ["one", "too"],
            ["in", "it", "too"],
        )
        too = "too" in tail or tail[-2:] == ["as", "well"] or "also" in verb.adverbs or "too" in verb.adverbs
        if not (short and too and s.toks[verb.start].low in _TOO_VERBS):
            continue
        wanted = "member_of" if "member" in tail else None
        for name, _, kind in s.who(clause, index, clauses):
            base = [
                r
                for r in previous
                if r.subject != name and not r.negative and (wanted is None or r.predicate == wanted)
            ]
            if base and kind == "person":
                first = base[0] if wanted else base[-1]
                a, b = s.span(clause)
                out.append(replace(first, subject=name, start=a, end=b, confidence=0.7))
    return out


def elsewhere(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`at home I speak Thai, at work it's all English`."""
    for clause in clauses[1:]:
        a, b = clause.subject or (0, 0)
        if b - a != 1 or s.toks[a].low != "it" or clause.verbs[0].lemma != "be" or clause.verbs[0].neg:
            continue
        base = next((r for r in reversed(out) if r.predicate == "speaks" and not r.negative), None)
        i = clause.verbs[0].end
        while i < clause.hi and s.toks[i].low in ("all", "mostly", "just", "only"):
            i += 1
        values = s.clean("language", i, clause.hi) if base and i < clause.hi else []
        if base and values:
            begin, end = s.span(clause)
            return [replace(base, object=values[0].text, start=begin, end=end, confidence=0.8)]
    return []


def according_to(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`According to Ben, tabs are a crime`: Ben's opinion, nobody's fact."""
    toks = s.toks
    lead = [t.low for t in toks[:3]]
    asked = lead == ["if", "you", "ask"]  # `If you ask Ben, tabs are a crime`
    if len(toks) < 6 or not (asked or lead[:2] == ["according", "to"]):
        return []
    m = next((m for m in s.mentions if m.start == 2 + asked and m.kind == "person"), None)
    if asked and (m is None or toks[m.end].low != "," or s.question):
        return []
    out.clear()
    if m is None:
        return []
    a = m.end + (1 if m.end < len(toks) and toks[m.end].kind == "p" else 0)
    b = len(toks)
    while b > a and toks[b - 1].kind == "p":
        b -= 1
    if b - a < 3:
        return []
    return [
        Reading(m.name, "believes", s.text(a, b), toks[0].start, toks[b - 1].end, starts=s.turn.t_ref, confidence=0.65)
    ]
