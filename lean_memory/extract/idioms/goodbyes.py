"""What is over by itself or gone: contracts, subscriptions, pets, cars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import dated
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["farewell", "pet_deaths", "ran_out"]

_PET_CUES = re.compile(
    r"\b(?:poor (?:old )?(?:thing|boy|girl|baby|guy|lad|love)|old (?:thing|boy|girl)|vet|paws?|fur|tank"
    r"|cage|litter|good (?:boy|girl)|rainbow bridge|bowl|hutch)\b",
    re.IGNORECASE,
)
_ENDING = {
    "contract": ("works_at", "org"),
    "job": ("works_at", "org"),
    "internship": ("works_at", "org"),
    "employment": ("works_at", "org"),
    "subscription": ("uses", "tool"),
    "membership": ("member_of", "group"),
    "trial": ("uses", "tool"),
    "licence": ("uses", "tool"),
}


def ran_out(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my contract with Acme ended in March`: what the noun stands for is over."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if (
            verb.lemma not in ("end", "expire", "finish", "run", "lapse")
            or verb.tense not in ("past", "perf")
            or clause.subject is None
        ):
            continue
        a = clause.subject[0]
        head = next((i for i in range(a, verb.start) if s.toks[i].low in _ENDING), None)
        if s.toks[a].low not in ("my", "our") or head is None or verb.neg or s.stated(clause, index, clauses) == 0.0:
            continue
        link = head + 1
        if link >= verb.start or s.toks[link].low not in ("with", "at", "to", "of", "in"):
            continue
        predicate, kind = _ENDING[s.toks[head].low]
        values = s.clean(kind, link + 1, verb.start)
        then = dated(s, s.clause_times(clause).pick("at"))
        got += [
            then.end(Reading(s.turn.speaker, predicate, v.text, *s.span(clause), confidence=0.85, past=True))
            for v in values[:1]
        ]
    return got


def farewell(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`RIP the Golf`, `goodbye to our beagle`: a vehicle or a pet is gone. People are mourned, not owned."""
    toks = s.toks
    i = (
        1
        if toks[0].low in ("rip", "r.i.p.")
        else 2
        if [t.low for t in toks[:2]] in (["goodbye", "to"], ["farewell", "to"])
        else 0
    )
    if not i or len(toks) <= i or toks[i].low not in ("the", "my", "our"):
        return []
    stop = next((k for k in range(i, len(toks)) if toks[k].kind == "p"), len(toks))
    over = dated(s, s.times().pick("at")).when
    span = (toks[0].start, toks[stop - 1].end)
    pets = s.clean("animal", i, stop)
    if pets:
        return [Reading(s.turn.speaker, "has_pet", pets[0].text, *span, ends=over, confidence=0.75, past=True)]
    cars = s.clean("vehicle", i, stop)
    return [
        Reading(s.turn.speaker, p, v.text, *span, ends=over, confidence=0.7, past=True)
        for v in cars[:1]
        for p in ("drives", "owns")
    ]


def pet_deaths(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`our old cat Tom passed away in May`: nobody's pet any more. A person's death is not read."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        tail = [t.low for t in s.toks[verb.end : verb.end + 2]]
        passive = verb.lemma in ("be", "have") and tail[:2] == ["put", "down"]
        if not (
            verb.lemma == "die"
            or (verb.lemma == "pass" and tail[:1] in (["away"], ["on"]))
            or (verb.lemma == "cross" and "rainbow" in {t.low for t in s.toks})
            or passive
        ):
            continue
        if (
            verb.tense not in ("past", "perf")
            or verb.neg
            or clause.subject is None
            or s.stated(clause, index, clauses) == 0.0
        ):
            continue
        for span in [clause.subject, *clause.others]:
            m = s.mention_at(*span)
            if m is None:
                continue
            owner = m.owner or s.turn.speaker
            if m.kind != "animal":
                if m.relation or not s.turn.first(_PET_CUES) or not m.named:
                    continue
                owner = s.turn.speaker
            then = dated(s, s.clause_times(clause).pick("at"))
            name = m.name if m.named else (m.relation or m.name)
            for r in out:
                if r.predicate == "has_pet" and r.object == name:
                    r.starts, r.past = None, True
                    then.end(r)
            got.append(then.end(Reading(owner, "has_pet", name, *s.span(clause), confidence=0.85, past=True)))
    return got
