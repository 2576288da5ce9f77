"""What is said in passing: `Born in Graz, 4 May 1988`, `Slack is gone, we use Zulip`, `write to a@example.org`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import Dated, lasting
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading
from lean_memory.extract.verbs import gerund

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["ages_in_turn", "born", "by_then", "couples", "for_a_living", "gone", "held_on", "write_to"]

_EVENTS = frozenset("launch release demo review kickoff go-live offsite cutover workshop inspection audit exam".split())

_GONE = frozenset("gone out history dead retired dropped toast".split())
_CLOSES = frozenset("now and so as since by from for".split())
_COUPLE = re.compile(
    r"\b(?:(?:liv(?:e|ing)|been|moved in|at home) together"
    r"|shar(?:e|ing) an? (?:flat|house|home|place|bed|bedroom)|in love|happily|our anniversary"
    r"|married for|engaged for|moved in with (?:him|her))\b",
    re.IGNORECASE,
)
_WRITE = frozenset("write email mail e-mail line message contact rsvp reply shout".split())
_FOR_ME = re.compile(
    r"\b(?:urgent|urgently|questions?|anything|me|my|rsvp|needed|if you|emergenc(?:y|ies)|reach)\b", re.IGNORECASE
)
_DESKS = frozenset(
    "support info help billing sales admin contact hello noreply no-reply office jobs hr press team".split()
)


def born(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Born in Graz, 4 May 1988`: the place and the day, in either order."""
    toks = s.toks
    i = next((k for k, t in enumerate(toks) if t.low == "born"), None)
    first = [t.low for t in toks[:i] if t.kind == "w"] if i is not None else ["?"]
    if i is None or s.question or first not in ([], ["i", "was"], ["i", "am"], ["was"], ["me"]):
        return []
    stop = next((k for k in range(i + 1, len(toks)) if toks[k].low in ("if", "but", "and", "raised", ".")), len(toks))
    got: list[Reading] = []
    for k in range(i + 1, stop):
        t = toks[k]
        if t.low == "in" and k + 1 < stop and toks[k + 1].capital and toks[k + 1].low not in s.e.lex["months"]:
            end = next((x for x in range(k + 1, stop) if toks[x].kind in "pn" or toks[x].low == "on"), stop)
            got += _both(s, "born_in", "place", k + 1, end, i)
        opens = t.kind == "n" or t.low in s.e.lex["months"]
        if opens and (toks[k - 1].kind == "p" or toks[k - 1].low in ("on", "in", "born")):
            got += _both(s, "birthday", "date", k, stop, i)
    said = {r.predicate for r in out if r.subject == s.turn.speaker}
    return [r for r in got if r.predicate not in said]


def _both(s: Sentence, predicate: str, kind: str, a: int, b: int, begin: int) -> list[Reading]:
    toks, now = s.toks, s.turn.t_ref
    return [
        Reading(s.turn.speaker, predicate, v.text, toks[begin].start, toks[v.b - 1].end, starts=now, confidence=0.85)
        for v in s.clean(kind, a, b)[:1]
    ]


def gone(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Slack is gone, we use Zulip now`: what went before a tool came is used no more."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses[:-1]):
        verb, i = clause.verbs[0], clause.verbs[0].end
        went = verb.lemma == "go" and verb.tense == "perf"
        word = toks[i].low if i < clause.hi else ""
        closed = i + 1 >= clause.hi or toks[i + 1].kind == "p" or toks[i + 1].low in _CLOSES
        if clause.subject is None or verb.neg or not (went or (verb.lemma == "be" and word in _GONE and closed)):
            continue
        a, b = clause.subject
        come = next((r for r in out if r.predicate == "uses" and r.ends is None and not r.negative), None)
        if come is None or come.start < toks[b - 1].end or s.stated(clause, index, clauses) == 0.0:
            continue
        season = toks[a].low in s.e.lex["common"]  # `Summer is gone`
        values = [] if season else s.clean("tool_named", a, b) or s.clean("tool_known", a, b)
        got += [
            Reading(
                come.subject, "uses", v.text, toks[a].start, toks[min(i, len(toks) - 1)].end,
                ends=min(come.starts or s.turn.t_ref, s.turn.t_ref), confidence=0.8, past=True,
            )
            for v in values[:1]
            if v.text != come.object
        ]  # fmt: skip
    return new(got, out)


def for_a_living(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I fix clocks for a living`: what somebody does well enough to live from."""
    toks = s.toks
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        stop = next((i for i in range(verb.end, clause.hi - 2) if toks[i].low == "for"), 0)
        words = [t.low for t in toks[stop : stop + 3]]
        if (
            words != ["for", "a", "living"]
            or verb.tense != "pres"
            or verb.neg
            or verb.modal
            or not 0 < stop - verb.end < 5
        ):
            continue
        if s.question or s.stated(clause, index, clauses) == 0.0 or verb.lemma in ("do", "be", "have"):
            continue
        object_ = f"{gerund(verb.lemma)} {s.text(verb.end, stop)}"
        span = s.span(clause)
        return [
            Reading(who, "skilled_in", object_, *span, starts=s.turn.t_ref, confidence=min(sure, 0.8))
            for who, sure, kind in s.who(clause, index, clauses)
            if kind == "person" and not any(r.subject == who and r.predicate == "job_title" for r in out)
        ]
    return []


def ages_in_turn(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Leo and Mia are 6 and 4`: each their own."""
    for clause in clauses:
        i = clause.verbs[0].end
        parts = [s.toks[k] for k in range(i, min(clause.hi, i + 6))]
        ages = [t.low for t in parts if t.kind == "n"]
        joined = len(parts) > 2 and len(ages) > 1 and parts[1].low in ("and", ",", "&")
        if clause.verbs[0].lemma != "be" or not joined or not ages[0].isdigit():
            continue
        spans = (s.toks[clause.lo].start, s.toks[clause.hi - 1].end)
        told = [r for r in out if r.predicate == "age" and spans[0] <= r.start < spans[1] and r.object == ages[0]]
        if len(told) < 2:  # `our kids are 9 and 7`: which is which, nobody says
            out[:] = [r for r in out if not any(r is t for t in told)]
        told.sort(key=lambda r: s.turn.text.find(r.subject, spans[0]))
        for r, age in zip(told, ages, strict=False):
            r.object = age
    return []


def held_on(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`The release is on 14 May`: the day by which it has to be."""
    toks = s.toks
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[0], clause.verbs[0].end
        if clause.subject is None or verb.lemma != "be" or verb.tense != "pres" or verb.neg or i + 1 >= clause.hi:
            continue
        a, b = clause.subject
        if toks[b - 1].low not in _EVENTS or toks[i].low not in ("on", "next", "this", "due"):
            continue
        name = s.thing(a, b)
        values = s.clean("date", i + (toks[i].low in ("on", "due")), clause.hi)[:1]
        if name and values and s.stated(clause, index, clauses):
            out[:] = [r for r in out if r.predicate != "located_in" or r.object not in values[0].text]
            day = values[0].text
            return [Reading(name, "deadline", day, *s.span(clause), starts=s.turn.t_ref, confidence=0.75)]
    return []


def by_then(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`The next release is called Otter, deadline 3 June`: a date between commas, of what the clause is about."""
    toks = s.toks
    if s.question or not clauses or clauses[0].subject is None or any(r.predicate == "deadline" for r in out):
        return []
    for i in range(clauses[0].verbs[0].end, len(toks) - 1):
        a = i + 1 + (toks[i + 1].low in ("is", "on", "by", ":"))
        if toks[i].low not in ("deadline", "due") or toks[i - 1].kind != "p" or a >= len(toks):
            continue
        values = s.clean("date", a, len(toks))[:1]
        x, y = clauses[0].subject
        verb = clauses[0].verbs[0].end
        called = toks[verb].low in ("called", "named") and verb + 1 < i
        name = next((v.text for v in s.clean("name", verb + 1, i)), None) if called else s.thing(x, y)
        person = any(m.start == x and m.kind == "person" for m in s.mentions) and not called
        if values and name and not person and toks[x].low not in s.e.lex["subject_pronouns"]:
            span = (toks[i].start, toks[values[0].b - 1].end)
            return [Reading(name, "deadline", values[0].text, *span, starts=s.turn.t_ref, confidence=0.8)]
    return []


def couples(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Been with Marta for nine years, sharing a flat for five`: that is a partner, not an employer."""
    if not _COUPLE.search(s.sentence):
        return []
    for clause in clauses:
        verb, i = clause.verbs[0], clause.verbs[0].end
        while i < clause.hi and s.toks[i].low in s.e.lex["adverbs"]:
            i += 1
        if verb.lemma != "be" or i + 1 >= clause.hi or s.toks[i].low != "with":
            continue
        end = s.e.people.name_at(s.toks, i + 1)
        if end == i + 1 or s.stated(clause, clauses.index(clause), clauses) == 0.0:
            continue
        name = s.text(i + 1, end)
        taken = [r for r in out if r.predicate == "works_at" and r.object == name]
        for r in taken:
            r.predicate = "partner_of"
        if not taken:
            then = lasting(s, clause) or Dated(s.turn.t_ref)
            who = [(n, sure) for n, sure, kind in s.who(clause, clauses.index(clause), clauses) if kind == "person"]
            return [then.begin(Reading(n, "partner_of", name, *s.span(clause), confidence=sure)) for n, sure in who[:1]]
    return []


def write_to(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Anything urgent, write to anna@example.org`: where one is written to."""
    toks = s.toks
    if s.question or any(r.predicate == "email" for r in out) or not s.turn.first(_FOR_ME):
        return []
    for i, t in enumerate(toks):
        if t.kind != "x" or "@" not in t.text or not i or t.low.split("@")[0] in _DESKS:
            continue
        k = i - 1
        while k > 0 and toks[k].low in ("to", "at", "on", "via", ":", "me", "us"):
            k -= 1
        other = k and (
            toks[k - 1].low in s.e.lex["subject_pronouns"] or toks[k - 1].low in ("his", "her", "their", "'s")
        )
        named = any(m.kind == "person" and m.name != s.turn.speaker for m in s.mentions)
        if toks[k].low in _WRITE and not other and not named and "email" in s.e.table:
            at = (toks[k].start, t.end)
            return [Reading(s.turn.speaker, "email", t.text, *at, starts=s.turn.t_ref, confidence=0.7)]
    return []
