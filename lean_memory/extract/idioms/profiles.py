"""People who introduce themselves in pieces: `Anna here. Data analyst at Acme, 34, home is Graz, two cats`."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence
    from lean_memory.extract.tokens import Token

__all__ = ["profiles"]

_HEAD = frozenset("profile intro bio me summary introduction background details facts basics about".split())
_MINE = frozenset("i my me we our mine".split())
_LEADS = frozenset("and also plus proud happy currently now still just so hi hello hey".split())
_ORIGINS = frozenset(
    "born raised bred from originally based living married engaged single divorced vegan vegetarian".split()
)
_OF_OTHERS = frozenset("father mother dad mum mom parent owner stepfather stepmother".split())
_PARENTS = frozenset("full-time proud single working stay-at-home busy tired doting".split())
_UNTOLD = _ORIGINS | {"called", "named"}  # verbs that such a piece may hold
_OVER = frozenset("ex former retired formerly".split())
_LABELS = {
    "date of birth": "birthday", "dob": "birthday", "birthday": "birthday", "born on": "birthday", "phone": "phone",
    "mobile": "phone", "landline": "phone", "phone number": "phone", "email": "email", "e-mail": "email",
}  # fmt: skip
_GREETING = re.compile(
    r"\b(?:here|first post|(?:hello|hi|hey),? (?:all|every(?:one|body)|folks)|new (?:here|to|in)|nice to meet|name'?s"
    r"|my name|intro|profile|about me|bio)\b",
    re.I,
)


def profiles(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """The pieces between commas that hold no verb, where the turn is about who the speaker is."""
    toks = s.toks
    if s.question or s.turn.reported or len(toks) < 2:
        return []
    pieces = _pieces(s)
    verbs = [v.start for c in clauses for v in c.verbs if toks[v.start].low not in _UNTOLD]
    bare = [
        (a, b) for a, b in pieces if not any(a <= v < b for v in verbs) and not (b < len(toks) and toks[b].low == ":")
    ]
    got = [*_now_in(s, clauses, out), *(r for a, b in bare for r in _labelled(s, a, b))]
    kinds = [kind for a, b in bare if (kind := _kind(s, a, b))]
    if not kinds or not _introduces(s, out, pieces, bare, kinds):
        return new(got, out)
    if _of_another(s, bare, {c.verbs[0].start for c in clauses}):
        return new(got, out)
    got += _first_name(s, out, bare)
    for a, b in bare:
        got += _piece(s, a, b)
    said = {r.object for r in out}  # `two ferrets, Salt and Pepper`
    return [r for r in new(got, out) if r.object not in said]


def _now_in(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Anna here, I'm in Berlin`: where one is, said with one's name, is where one lives."""
    named = any(r.predicate == "name" and r.subject == s.turn.speaker for r in [*s.turn.last, *out])
    got: list[Reading] = []
    for clause in clauses if named else []:
        verb, i = clause.verbs[0], clause.verbs[0].end
        first = clause.subject is not None and s.toks[clause.subject[0]].low == "i"
        if not first or verb.lemma != "be" or verb.tense != "pres" or verb.neg or i + 1 >= clause.hi:
            continue
        values = s.clean("place", i + 1, clause.hi) if s.toks[i].low == "in" else []
        ends = values[0].b if values else 0
        if values and (ends >= clause.hi or s.toks[ends].kind == "p" or s.toks[ends].low in ("and", "now")):
            got.append(_reading(s, "lives_in", values[0].text, clause.verbs[0].start, ends))
    return got


def _labelled(s: Sentence, a: int, b: int) -> list[Reading]:
    """`Date of birth 6 April 1987`, `mobile 555-0100`: a label and its value, without a colon."""
    for size in (3, 2, 1):
        words = [t.low for t in s.toks[a : a + size]]
        predicate = _LABELS.get(" ".join(words[1:] if words[0] in ("my", "our") else words))
        if predicate is not None and a + size < b and predicate in s.e.table:
            values = s.clean(s.e.table[predicate].object, a + size, b)
            return [_reading(s, predicate, v.text, a, b) for v in values[:1] if v.a == a + size]
    return []


def _of_another(s: Sentence, bare: list[tuple[int, int]], verbs: set[int]) -> bool:
    """`Marta, nurse at Acme, is my sister`: the pieces are about the subject of what follows."""
    return any(
        s.e.people.name_at(s.toks, a) == b and x == b + 1 and y + 1 in verbs
        for (a, b), (x, y) in itertools.pairwise(bare)
    )


def _first_name(s: Sentence, out: list[Reading], bare: list[tuple[int, int]]) -> list[Reading]:
    """`Quick intro: Maria, 34, nurse at ..`: the name that stands before age and trade."""
    toks = s.toks
    if any(r.predicate == "name" for r in [*s.turn.last, *out]):
        return []
    for (a, b), (x, y) in itertools.pairwise(bare):
        named = s.e.people.name_at(toks, a) == b and b - a <= 2 and not s.e.objects.is_job(toks, a, b)
        place = toks[a].low in s.e.lex["places"] or s.e.objects.is_thing(s.text(a, b))
        kind = _kind(s, x, y)
        told = kind == "age" or (kind == "job" and s.turn.first(_GREETING) is not None)
        if named and not place and told and toks[b].low == ",":
            return [_reading(s, "name", s.text(a, b), a, b)]
    return []


def _pieces(s: Sentence) -> list[tuple[int, int]]:
    toks = s.toks
    cuts = [-1, *(i for i, t in enumerate(toks) if t.kind == "p" and t.low in ",;:—.!?()|/-"), len(toks)]
    out = []
    for x, y in itertools.pairwise(cuts):
        a, b = x + 1, y
        while a < b and toks[a].low in _LEADS:
            a += 1
        if a < b:
            both = next((k for k in range(a + 3, b - 3) if toks[k].low == "and" and _of_others(toks, k + 1)), b)
            out += [(a, both), *([(both + 1, b)] if both < b else [])]
    return out


def _of_others(toks: list[Token], i: int) -> bool:
    """`father of ..` at i."""
    return toks[i].low in _OF_OTHERS and toks[i + 1].low == "of"


def _introduces(
    s: Sentence, out: list[Reading], pieces: list[tuple[int, int]], bare: list[tuple[int, int]], kinds: list[str]
) -> bool:
    """Is this about the speaker: a name or an age before it, `I` beside it, or pieces that say nothing else?"""
    toks, turn = s.toks, s.turn
    before = [r for r in [*turn.last, *out] if r.subject == turn.speaker and not r.negative]
    if any(r.predicate == "name" for r in before):
        return True
    first = any(t.low in _MINE for t in toks) and any(r.predicate not in ("plans_to", "likes") for r in before)
    home = any(toks[a].low == "home" and a + 1 < b and toks[a + 1].low in ("is", "'s") for a, b in pieces)
    about = first or home or toks[0].low in _HEAD or turn.first(_GREETING) is not None
    a, b = pieces[0]
    alone = pieces[0] in bare and len(pieces) > 1 and toks[pieces[1][0]].low == "i"
    if not about and not alone and len(bare) < 2:
        return False
    if alone and _kind(s, a, b) and (toks[a].low == "age" or any(t.capital for t in toks[a + 1 : b])):
        return True  # `Tester from Cork, I've been ..`
    return len(set(kinds)) >= 2 or about


def _kind(s: Sentence, a: int, b: int) -> str | None:
    toks = s.toks
    if toks[a].low in ("age", "aged") and b - a == 2 and toks[a + 1].low.isdigit():
        return "age"
    if b - a == 1 and toks[a].kind == "n" and toks[a].low.isdigit() and 15 < int(toks[a].low) < 100:
        return "age"
    if toks[a].low in _ORIGINS:
        return "origin"
    a += toks[a].low in _PARENTS and b - a > 3
    if b - a > 2 and toks[a].low in _OF_OTHERS and toks[a + 1].low == "of":
        return "family"
    at = next((i for i in range(a, b) if toks[i].low in ("at", "for", "with", "from", "in", "by")), b)
    over = toks[a].low in _OVER or toks[a].low.startswith("ex-")
    over = over or toks[a].low in s.e.lex["prepositions"]
    over = over or toks[a].low in s.e.lex["possessives"] or toks[a].low in s.e.lex["determiners"]
    if not over and at > a and at - a <= 4 and s.e.objects.is_job(toks, a, at):
        return "job"
    return None


def _piece(s: Sentence, a: int, b: int) -> list[Reading]:
    toks = s.toks
    kind = _kind(s, a, b)
    who = [(s.turn.speaker, 0.8, "person")]
    if kind == "age":
        return _understood(s, "be", b - 1, a, b, who, frozenset({"age"}))
    if kind == "family":
        a += toks[a].low in _PARENTS
        if toks[a].low == "owner":
            return _understood(s, "have", a + 2, a, b, who, frozenset({"has_pet", "owns", "drives"}))
        if b == a + 3 and toks[a + 2].low in s.e.lex["numbers"]:
            return [_reading(s, "parent_of", f"{toks[a + 2].low} children", a, b)]
        return [_reading(s, "parent_of", v.text, a, b) for v in s.clean("children", a + 2, b)[:1]]
    if kind == "origin" and toks[a].low == "living":
        return _understood(s, "live", a + 1, a, b, who, frozenset({"lives_in"}))
    if kind == "origin":
        out: list[Reading] = []
        marks = [i for i in range(a, b) if toks[i].low in ("born", "from", "raised", "based", "living")]
        out += _understood(s, "be", a, a, b, who, None)
        if not out and marks:
            out += _understood(s, "be", marks[0], a, b, who, None)
        return out
    if kind == "job":
        at = next((i for i in range(a, b) if toks[i].low in ("at", "for", "with", "from", "in", "by")), b)
        jobs = s.clean("job", a, at)
        out = [_reading(s, "job_title", jobs[0].text, a, b)] if jobs else []
        if at < b - 1 and out:
            link = toks[at].low
            if link in ("at", "for", "with"):
                out += [_reading(s, "works_at", v.text, a, b) for v in s.clean("org", at + 1, b)[:1]]
            elif link == "from":
                out += [_reading(s, "from", v.text, a, b) for v in s.clean("place", at + 1, b)[:1]]
            elif link == "in" and toks[at + 1].capital:
                out += [_reading(s, "lives_in", v.text, a, b) for v in s.clean("place", at + 1, b)[:1]]
        return out
    return []


def _reading(s: Sentence, predicate: str, value: str, a: int, b: int) -> Reading:
    toks = s.toks
    return Reading(
        s.turn.speaker, predicate, value, toks[a].start, toks[b - 1].end, starts=s.turn.t_ref, confidence=0.8
    )


def _understood(
    s: Sentence, lemma: str, at: int, a: int, b: int, who: list[tuple[str, float, str]], only: frozenset[str] | None
) -> list[Reading]:
    verb = Verb(lemma, a, at, bare=True)
    clause = Clause(a, b, None, [], [verb], elided=True, broken=True)
    return [r for r in s.verb(clause, verb, who, set()) if only is None or r.predicate in only]
