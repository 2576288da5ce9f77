"""Verbs that are a pastime by themselves (`I knit`), aims (`my dream is to ..`), and introductions in fragments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["aims", "due", "introduced", "pastimes"]

_PASTIMES = {
    word: word + "ing" if word[-1] != "e" else word[:-1] + "ing"
    for word in (
        "knit paint climb sew crochet garden fish hike ski surf skate cycle jog row sail box wrestle fence "
        "camp draw sculpt sing dance juggle bake kayak canoe snorkel snowboard skateboard forage whittle "
        "embroider quilt busk birdwatch meditate"
    ).split()
} | {"run": "running", "swim": "swimming", "knit": "knitting", "jog": "jogging", "ski": "skiing"}
_ALONE = frozenset("myself himself herself ourselves themselves from by".split())
_MAKING = {"weave": "weaving", "brew": "brewing", "carve": "carving", "spin": "spinning", "cook": "cooking"}
_MADE = _MAKING.keys() | set("knit sew crochet bake draw paint embroider quilt sculpt grow".split())
_HABIT = frozenset(
    "every most twice once regularly daily weekly too and as competitively recreationally professionally".split()
)
_FREE = frozenset(
    "free spare weekends weekend evenings fun pleasure hobby mornings sundays saturdays holidays summer winter".split()
)
_WATERS = frozenset("lake sea ocean river pool bay lido".split())
_ROUTINE = frozenset("every before after daily most each".split())
_AIMS = {
    "dream": "wants", "goal": "wants", "ambition": "wants", "aim": "wants", "resolution": "wants", "hope": "wants",
    "wish": "wants", "target": "wants", "aspiration": "wants", "plan": "plans_to", "intention": "plans_to",
    "idea": "plans_to",
    "decision": "decided", "verdict": "decided", "outcome": "decided",
}  # fmt: skip
_GREETED = frozenset("hi hello hey hiya howdy yo greetings intro hallo namaste".split())


def pastimes(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I knit`, `she paints in her free time`, `I swim every morning`, `I no longer climb`."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        tail = s.toks[verb.end : clause.hi]
        name = _PASTIMES.get(verb.lemma) or _MAKING.get(verb.lemma)
        made = verb.lemma in _MADE and _all_ones_own([t.low for t in tail[:3]])
        if verb.lemma in _MAKING and not made:
            continue
        if (
            name is None
            or (verb.tense != "pres" and not verb.used_to)
            or verb.prog
            or verb.modal
            or verb.phase not in (None, "stop")
            or verb.inverted
        ):
            continue
        if (
            clause.elided
            or s.stated(clause, index, clauses) == 0.0
            or any(r.start >= s.toks[clause.lo].start for r in out if r.predicate == "hobby")
        ):
            continue
        words = {t.low for t in tail[:6]}
        first = next((t.low for t in tail if t.kind != "p"), "")
        outdoors = first in ("in", "at") and bool(words & _WATERS) and bool(words & _ROUTINE or "still" in verb.adverbs)
        if verb.used_to and first == "for" and tail[1:2] and tail[1].capital:
            first = ""  # `I used to row for Durham`
        if first and not (
            made
            or (verb.neg and first in ("any", "anymore"))
            or outdoors
            or first in _HABIT
            or (first in ("in", "on", "at", "for", "a", "with", "when") and words & _FREE)
        ):
            continue
        if verb.neg and not (verb.longer or s._anymore(clause)):
            continue
        over = verb.longer or verb.used_to or s._anymore(clause)
        a, b = s.span(clause)
        for who, sure, kind in s.who(clause, index, clauses):
            if kind == "person":
                now = s.turn.t_ref
                begun, ended = (None, now) if over else (now, None)
                got.append(
                    Reading(who, "hobby", name, a, b, starts=begun, ends=ended, confidence=min(sure, 0.8), past=over)
                )
    return got


def _all_ones_own(tail: list[str]) -> bool:
    """`knits everything herself`, `bakes her own bread`."""
    own = tail[:1] in (["my"], ["our"], ["his"], ["her"], ["their"]) and tail[1:2] == ["own"]
    alone = not tail[1:] or tail[1] in _ALONE or not tail[1].isalpha()
    return own or (tail[:1] == ["everything"] and alone) or tail[:2] == ["all", "my"]


def aims(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my dream is to open a cafe`, `the plan is to visit Rome`."""
    toks = s.toks
    for i in range(1, len(toks) - 2):
        predicate = _AIMS.get(toks[i - 1].low)
        if predicate is None or toks[i].low not in ("is", "was") or toks[i + 1].low != "to" or s.question:
            continue
        if (toks[i].low == "was") != (predicate == "decided"):
            continue
        lead = {t.low for t in toks[max(0, i - 4) : i - 1]}
        if not lead & ({"my", "our", "the"} if predicate != "wants" else {"my", "our"}):
            continue
        values = s.clean("plan", i + 2, len(toks))
        if values:
            text = ("to " if predicate == "wants" else "") + values[0].text
            begin = toks[max(0, i - 2)].start
            return [
                Reading(
                    s.turn.speaker,
                    predicate,
                    text,
                    begin,
                    toks[values[0].b - 1].end,
                    starts=s.turn.t_ref,
                    confidence=0.8,
                )
            ]
    return []


def due(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Report due Friday`, `Tax return due by 5 June`."""
    toks = s.toks
    if clauses or s.question:
        return []
    for i in range(1, min(6, len(toks) - 1)):
        if toks[i].low != "due" or toks[i - 1].kind != "w":
            continue
        values = s.clean("date", i + 1, len(toks))
        thing = s.thing(0, i)
        if values and thing:
            return [
                Reading(
                    thing,
                    "deadline",
                    values[0].text,
                    toks[0].start,
                    toks[values[0].b - 1].end,
                    starts=s.turn.t_ref,
                    confidence=0.8,
                )
            ]
    return []


def introduced(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Myself Ravi, residing at Pune`, `Hi, Ida from Acme here`, `I'm Ida, software tester at Acme`."""
    toks, people = s.toks, s.e.people
    if s.question:
        return []
    got: list[Reading] = []
    at = 0
    while at < len(toks) and (toks[at].kind == "p" or toks[at].low in _GREETED):
        at += 1
    end = at
    if at + 1 < len(toks) and toks[at].low == "myself":
        end = people.name_at(toks, at + 1)
        if end > at + 1:
            got.append(s._named(at + 1, end, 0.9))
    elif at < len(toks):
        j = people.name_at(toks, at)
        if at < j < len(toks) - 2 and toks[j].low in ("from", "at"):
            k = people.name_at(toks, j + 1)
            if k > j + 1 and k < len(toks) and toks[k].low == "here":
                values = s.clean("org_named", j + 1, k)
                got.append(s._named(at, j, 0.85))
                got += [
                    Reading(
                        s.turn.speaker,
                        "works_at",
                        v.text,
                        toks[at].start,
                        toks[k].end,
                        starts=s.turn.t_ref,
                        confidence=0.6,
                    )
                    for v in values[:1]
                ]
                return got
    named = next((r for r in (*got, *out) if r.predicate == "name" and r.subject == s.turn.speaker), None)
    if named is None:
        return got
    verbs = {v.start for c in clauses for v in c.verbs if not v.bare}
    only = {"job_title", "works_at", "lives_in", "from", "address", "studies_at", "field_of_study"}
    for i, t in enumerate(toks):
        if t.low != "," or t.start < named.start or i + 1 >= len(toks):
            continue
        a = i + 1
        b = a
        while b < len(toks) and not (toks[b].kind == "p" and toks[b].low in ",;.!("):
            b += 1
        while a < b and toks[a].low in ("currently", "now", "and", "also", "a", "an"):
            a += 1
        if a >= b or any(a < v < b for v in verbs):
            continue
        known = s.forms(toks[a].low)
        going = known is not None and known[1] == "g"
        if not going and not s.e.objects.is_job(toks, a, _head(s, a, b)) and toks[a].low not in ("based", "from"):
            continue
        verb = Verb(known[0] if going and known else "be", a, a + 1 if going else a, prog=going, bare=True)
        clause = Clause(a, b, None, [], [verb], elided=True, broken=True)
        got += [r for r in s.verb(clause, verb, [(s.turn.speaker, 0.8, "person")], set()) if r.predicate in only]
    said = {(r.subject, r.predicate) for r in out}
    return [r for r in got if (r.subject, r.predicate) not in said]


def _head(s: Sentence, a: int, b: int) -> int:
    """Where the noun phrase from a ends: before its first preposition."""
    stops = s.e.lex["prepositions"] - {"of"}
    return next((i for i in range(a + 1, b) if s.toks[i].low in stops), b)
