"""What one can or cannot do, does not do, does unpaid, and what ails one: `I can't swim`, `we don't smoke`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import dated
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading
from lean_memory.extract.verbs import gerund

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["abilities", "abstains", "aged", "injured", "volunteers"]

_SKILLS = frozenset(
    "swim drive cook ski dance sing whistle knit sew juggle skate bake crochet code type surf dive draw paint weld "
    "yodel sail row ride weave forage lip-read sign touch-type read write cycle climb box fence parallel-park".split()
)
_INJURIES = {
    "break": "broken", "fracture": "fractured", "sprain": "sprained", "twist": "twisted", "dislocate": "dislocated",
    "tear": "torn", "rupture": "ruptured", "pull": "pulled", "bust": "busted",
}  # fmt: skip
_OWN_WORD = {"drive": "driving", "ride": "riding"}
_CLOSES = frozenset(
    "and but so because either too at to very well yet anymore much for though properly really now".split()
)
_ALONE = frozenset("and or but alcohol anymore at any since in last the this two three years when for".split())
_NEVER_SO = frozenset("today tonight tomorrow now right this until home there here".split())


def abilities(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """A skill that somebody has or lacks: `can` and the verb alone, or with a thing without a name."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        if verb.modal != "can" or verb.lemma not in _SKILLS or verb.inverted or verb.phase is not None or verb.prog:
            continue
        tail = toks[verb.end : clause.hi]
        words = [t.low for t in tail]
        thing = ""
        if words[:1] in (["a"], ["an"]) and len(words) > 1 and (len(words) == 2 or tail[2].kind == "p"):
            thing, words = f" {words[0]} {words[1]}", words[2:]
        if {*words[:5], *verb.adverbs} & _NEVER_SO or any(t.capital for t in tail):
            continue
        if words and tail[-len(words)].kind == "w" and words[0] not in _CLOSES:
            continue
        if not thing and verb.lemma in ("ride", "read", "write", "sign", "type", "count", "dive", "box"):
            continue
        if s.stated(clause, index, clauses) == 0.0:
            continue
        for name, sure, kind in s.who(clause, index, clauses):
            if kind == "person" and "skilled_in" in s.e.table:
                value, now = _OWN_WORD.get(verb.lemma, gerund(verb.lemma)) + thing, s.turn.t_ref
                r = Reading(name, "skilled_in", value, *s.span(clause), starts=now, confidence=min(sure, 0.85))
                r.negative = verb.neg
                got.append(r)
    return new(got, [r for r in out if not r.negative])


def abstains(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I don't smoke`, `she never drinks`, `I've never smoked`, `he smokes`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        if (
            verb.lemma not in ("smoke", "drink")
            or verb.inverted
            or verb.modal
            or verb.prog
            or verb.phase not in (None, "stop")
        ):
            continue
        never = verb.tense == "perf" and "never" in verb.adverbs
        tail = toks[verb.end : clause.hi]
        alone = not tail or tail[0].kind == "p" or tail[0].low in _ALONE
        stopped = (verb.phase == "stop" or verb.used_to) and verb.tense in ("past", "perf") and not verb.neg
        plain = (verb.tense == "pres" and verb.phase is None) or never or stopped
        if not plain or not alone or s.stated(clause, index, clauses) == 0.0:
            continue
        over = stopped or (verb.neg and (verb.longer or s._anymore(clause)))
        denied, now = verb.neg or never, s.turn.t_ref
        for name, sure, kind in s.who(clause, index, clauses):
            if kind != "person" or (clause.elided and not stopped):
                continue
            r = Reading(name, "is_a", "smoker", *s.span(clause), starts=now, confidence=min(sure, 0.8))
            if verb.lemma == "drink":
                if not denied:
                    continue
                r.predicate, r.object = "diet", "no alcohol"
            elif over:
                r.starts, r.past = None, True
                r = dated(s, s.clause_times(clause).pick("at")).end(r)
            else:
                r.negative = denied
            got.append(r)
    return new(got, out)


def injured(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I've broken my wrist`, `she sprained her ankle on Monday`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[-1], clause.verbs[-1].end
        done = verb.tense in ("past", "perf") and not verb.neg and not verb.used_to and verb.modal is None
        word = _INJURIES.get(verb.lemma)
        if word is None or not done or i + 1 >= clause.hi or toks[i].low not in ("my", "his", "her", "their"):
            continue
        stop = next((k for k in range(i + 1, min(clause.hi, i + 4)) if s.e.objects.is_part(toks[k].low)), None)
        if stop is None or s.stated(clause, index, clauses) == 0.0:
            continue
        then = dated(s, s.clause_times(clause).pick("at"))
        for name, sure, kind in s.who(clause, index, clauses):
            if kind == "person" and (name == s.turn.speaker) == (toks[i].low == "my"):
                value = f"{word} {s.text(i + 1, stop + 1)}"
                got.append(
                    then.begin(Reading(name, "has_condition", value, *s.span(clause), confidence=min(sure, 0.85)))
                )
    return new(got, out)


def volunteers(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I volunteer at the lifeboat station`: as a habit, not for a day."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[-1], clause.verbs[-1].end
        habit = verb.tense == "pres" and not verb.prog and not verb.neg and verb.modal is None and verb.phase is None
        if verb.lemma != "volunteer" or not habit or i + 1 >= clause.hi or s.toks[i].low not in ("at", "with", "for"):
            continue
        values = s.clean("org", i + 1, clause.hi)[:1]
        if not values or clause.elided or s.stated(clause, index, clauses) == 0.0:
            continue
        for name, sure, kind in s.who(clause, index, clauses):
            if kind == "person" and not any(r.predicate == "member_of" and r.subject == name for r in out):
                span, now = s.span(clause), s.turn.t_ref
                got.append(Reading(name, "member_of", values[0].text, *span, starts=now, confidence=min(sure, 0.8)))
    return new(got, out)


def aged(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my nan, 94, still drives`, `Leo (6) and Mia (4)`: how old whoever stands before the number is."""
    toks = s.toks
    got: list[Reading] = []
    if s.question:
        return []
    for m in s.mentions:
        e = m.end
        if m.name.isupper():
            continue  # `WN (4)`
        if (
            m.kind != "person"
            or m.weak
            or m.owner == "you"
            or e + 2 >= len(toks)
            or not (m.named or m.relation)
            or m.several
        ):
            continue
        pair = (toks[e].low, toks[e + 2].low)
        age = toks[e + 1].low
        if pair in ((",", ","), ("(", ")")) and toks[e + 1].kind == "n" and age.isdigit() and 0 < int(age) < 111:
            span, now = (toks[m.start].start, toks[e + 1].end), s.turn.t_ref
            if not any(r.predicate == "age" and r.object == age for r in out) and m.name != s.turn.speaker:
                got.append(Reading(m.name, "age", age, *span, starts=now, confidence=0.8))
    return new(got, out)
