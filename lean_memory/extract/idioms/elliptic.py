"""Sentences without a verb: `Not a big fan of opera`, `Vegan here`, `Jazz mad`, `On metformin since May`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["verbless"]

_LEADS = frozenset(
    "and also plus so well oh yeah yes yep no nope nah honestly currently now still just btw fyi me personally sorry "
    "ps hi hello hey really very quite super massively absolutely definitely always already fully "
    "strictly newly ok okay".split()
)
_BIG = frozenset(
    "big huge massive real great total keen avid lifelong life-long die-hard long-time longtime devoted proud".split()
)
_FANS = frozenset("fan lover addict enthusiast fanatic nerd geek buff nut junkie freak obsessive aficionado".split())
_MAD = frozenset("mad crazy obsessed mad-keen daft".split())
_STATES: dict[str, frozenset[str]] = {
    first: frozenset(predicates.split())
    for firsts, predicates in (
        ("into keen fond partial obsessed hooked addicted mad crazy nuts fan", "likes dislikes interested_in"),
        ("sick tired scared terrified afraid bored", "dislikes"),
        ("allergic intolerant", "allergic_to has_condition"),
        ("on off", "takes_medication diet"),
        ("back fresh", "visited"),
        ("based living", "lives_in works_at"),
        ("originally born from", "from born_in"),
        ("married engaged", "married_to engaged_to"),
        ("employed", "works_at job_title"),
        ("fluent conversational bilingual", "speaks"),
        ("retired", "job_title works_at"),
    )
    for first in firsts.split()
}


def verbless(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """The first part of a sentence whose verb and subject are understood: `I am`, and `not` denies it."""
    toks = s.toks
    if s.question or not toks or (clauses and clauses[0].lo == 0 and clauses[0].verbs[0].start < 3):
        return []
    got = _part(s, clauses, out, 0)
    for i, t in enumerate(toks[:-2]):  # `Not a night owl, and not a vegan either`
        nor = toks[i + 1].low if toks[i + 1].low not in ("and", "but", "so") else toks[i + 2].low
        if t.low in (",", ";", "—", "-") and nor == "not" and toks[0].low in (*_LEADS, "not"):
            got += _part(s, clauses, [*out, *got], i + 1)
    return got


def _part(s: Sentence, clauses: list[Clause], out: list[Reading], a: int) -> list[Reading]:
    toks = s.toks
    while a < len(toks) and (toks[a].kind == "p" or toks[a].low in _LEADS):
        a += 1
    negative = a < len(toks) and toks[a].low == "not"
    a += negative
    over = any(t.low == "anymore" for t in toks[a:]) or any(
        x.low == "any" and y.low in ("more", "longer") for x, y in itertools.pairwise(toks[a:])
    )
    if negative and toks[a : a + 1] and toks[a].low in ("a", "an"):
        a += a + 1 < len(toks) and toks[a + 1].low in s.e.lex["diets"]
    while a < len(toks) and toks[a].low in (*_LEADS, "that", "much", "too"):
        a += 1
    b = a
    while b < len(toks) and not (toks[b].kind == "p" and toks[b].low in ",;:—.!?("):
        b += 1
    if a >= b or b - a > 12 or any(a <= v.start < b for c in clauses for v in c.verbs):
        return []
    low, last = toks[a].low, toks[b - 1].low
    here = last == "here" and b - a > 1
    if here:
        b, last = b - 1, toks[b - 2].low
    only: frozenset[str] | None = _STATES.get(low)
    lex = s.e.lex
    if low in ("a", "an") or low in _BIG or (last in _FANS and b - a <= 5):
        fan = next((i for i in range(a, b) if toks[i].low in _FANS), None)
        if (
            fan is None
            or not (fan == b - 1 or toks[fan + 1].low == "of")
            or (fan == b - 1 and not (low in _BIG or here))
        ):
            return []
        x = a + (low in ("a", "an"))
        while x < fan and toks[x].low in (*_BIG, "not", "such"):
            x += 1
        x, y = (fan + 2, b) if fan < b - 1 else (x, fan)
        return _liked(s, x, y, a, b, negative)
    if last in _MAD and 1 < b - a <= 3 and low not in _STATES and low not in lex["subject_pronouns"] and not negative:
        return _liked(s, a, b - 1, a, b, False)
    if only is None and (low in lex["diets"] or low in lex["adjective_conditions"]):
        follow = toks[a + 1].low if a + 1 < b else ""
        if (
            follow
            in (
                "btw",
                "just",
                "but",
                "though",
                "anymore",
                "any",
                "",
                "since",
                "for",
                "and",
                "by",
                "now",
                "from",
                "type",
            )
            or here
        ):
            only = frozenset({"diet", "has_condition"})
    if only is None and here and last == "speaker":
        only = frozenset({"speaks"})
    if only is None and here and s.e.objects.is_job(toks, a, b):
        only = frozenset({"job_title", "works_at"})
    if only is None:
        return []
    at, lemma = a, "be"
    known = s.forms(low)
    if known and known[1] == "g":
        lemma, at = known[0], a + 1
    verb = Verb(lemma, a, at, neg=negative, longer=negative and over, prog=lemma != "be", bare=True)
    clause = Clause(a, b, None, [], [verb], elided=True, broken=True)
    got = s.verb(clause, verb, [(s.turn.speaker, 0.75, "person")], set())
    said = {(r.subject, r.predicate) for r in out}
    return [r for r in got if r.predicate in only and (r.subject, r.predicate) not in said]


def _liked(s: Sentence, x: int, y: int, a: int, b: int, negative: bool) -> list[Reading]:
    values = s.clean("liking", x, y) if x < y else []
    toks = s.toks
    return [
        Reading(
            s.turn.speaker, "dislikes" if negative else "likes", v.text, toks[a].start, toks[b - 1].end,
            starts=s.turn.t_ref, confidence=0.75,
        )
        for v in values[:2]
    ]  # fmt: skip
