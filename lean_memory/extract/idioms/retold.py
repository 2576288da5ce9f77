"""A change told by what came with it: `woke up in my own flat in Graz`, `goodbye Acme College, degree in hand`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import dated
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence
    from lean_memory.extract.tokens import Token

__all__ = [
    "accepted",
    "given_away",
    "here_since",
    "left_home",
    "my_own_home",
    "my_studies",
    "no_member",
    "on_to",
    "parting",
    "so_since",
]

_HOMES = frozenset("flat apartment house place home studio cottage bungalow condo room bed bedroom digs".split())
_OWN = frozenset("new own very little tiny first shiny lovely beautiful".split())
_LEFT_BEHIND = frozenset("leave sell vacate view visit rent let lose miss give quit show list buy".split())
_STUDIES = frozenset(
    "master's masters bachelor's bachelors degree phd doctorate mba msc bsc ba ma course diploma studies".split()
)
_SESSIONS = frozenset("seminar lecture class tutorial day week term semester month year module lab".split())
_ABOUT = re.compile(r"(?:about|re|regarding|concerning|as for) (?:the |my |our )?([\w' -]{3,40}?)[:,.]", re.I)
_STRAIGHT = frozenset("straight right directly over on across off away back up".split())
_CROSSING = frozenset("jump defect cross hop switch".split())
_WENT = frozenset("go move walk head step".split())
_FOUND = frozenset("find get land take secure start".split())
_OFFER = re.compile(r"\boffered\b.{0,30}\b(?:job|position|post|role)\b", re.I)
_TAKEN = re.compile(r"\b(?:said yes|accepted|took it|taken it|i'm in|signed)\b", re.I)
_TAKEN_IN = re.compile(
    r"\b(?:(?:took|taken|taking) (?:her|him|it) (?:in|on)|rehom\w+|new home|shelter|gave (?:her|him|it) (?:up|away)"
    r"|has (?:her|him) now)\b",
    re.I,
)
_BYES = frozenset("goodbye bye farewell adieu adios ciao cheerio".split())
_GRADUATED = re.compile(r"\b(?:degree|graduat\w+|cap|gown|diploma|finals|last exam|thesis|dissertation)\b", re.I)
_MOVED = re.compile(
    r"\b(?:lorry|van|movers?|removal|boxes|packed|packing|suitcases?|moving|moved|one-way|keys|landlord|lease)\b", re.I
)
_RESIGNED = re.compile(r"\b(?:last day|resign\w*|notice|retire\w*|badge|laptop back|leaving do|farewell cake)\b", re.I)


def my_own_home(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Woke up in my very own flat in Graz`: where one's own new home is, there one lives."""
    toks = s.toks
    if s.question or any(c.verbs[-1].lemma in _LEFT_BEHIND or c.verbs[0].neg for c in clauses):
        return []
    if any(c.verbs[0].tense in ("fut", "cond") or c.verbs[0].modal for c in clauses):
        return []
    if any(s.stated(c, i, clauses) == 0.0 for i, c in enumerate(clauses)):
        return []
    for i, t in enumerate(toks[:-4]):
        if t.low not in ("in", "at", "into") or toks[i + 1].low not in ("my", "our"):
            continue
        k = i + 2
        while k < len(toks) - 2 and toks[k].low in _OWN:
            k += 1
        if k == i + 2 or toks[k].low not in _HOMES or toks[k + 1].low not in ("in", "near") or not toks[k + 2].capital:
            continue
        span = (toks[i].start, toks[min(k + 3, len(toks)) - 1].end)
        found = s.clean("place", k + 2, len(toks))[:1]
        got = [Reading(s.turn.speaker, "lives_in", v.text, *span, starts=s.turn.t_ref, confidence=0.75) for v in found]
        return new(got, out) if not any(r.predicate == "lives_in" for r in out) else []
    return []


def my_studies(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Survived the first seminar of my master's at Elm University`: the studies have begun."""
    toks = s.toks
    for i in range(2, len(toks) - 4):
        if toks[i].low != "of" or toks[i + 1].low not in ("my", "our") or s.question:
            continue
        if toks[i - 1].low not in _SESSIONS:
            continue
        k = next((k for k in range(i + 2, min(i + 5, len(toks) - 2)) if toks[k].low in _STUDIES), None)
        first = any(t.low in ("first", "second", "third", "1st") for t in toks[max(0, i - 3) : i - 1])
        if k is None or not first or any(s.stated(c, n, clauses) == 0.0 for n, c in enumerate(clauses)):
            continue
        at = next((x for x in range(k + 1, min(k + 5, len(toks) - 1)) if toks[x].low == "at"), None)
        values = s.clean("school", at + 1, len(toks))[:1] if at is not None else []
        span = (toks[i - 1].start, toks[-1].end)
        who, now = s.turn.speaker, s.turn.t_ref
        return new([Reading(who, "studies_at", v.text, *span, starts=now, confidence=0.75) for v in values], out)
    return []


def parting(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Degree in hand, goodbye Elm`, `Boxes packed. Bye, Graz.`: what the rest tells that one leaves."""
    toks, turn = s.toks, s.turn
    if s.question:
        return []
    for i, t in enumerate(toks[:-1]):
        opens = not i or toks[i - 1].kind == "p" or toks[i - 1].low in ("and", "so", "say", "saying")
        if t.low not in _BYES or not opens:
            continue
        a = i + 1
        while a < len(toks) - 1 and toks[a].low in (",", "then", "to", "dear", "old", "and", "thanks"):
            a += 1
        if not toks[a].capital or toks[a].low in s.e.lex["common"] | s.e.people.first_names:
            continue
        ways = (("studies_at", "school", _GRADUATED), ("works_at", "org", _RESIGNED), ("lives_in", "place", _MOVED))
        hit = next(((p, kind) for p, kind, cue in ways if turn.first(cue)), None)
        values = s.clean(hit[1], a, len(toks))[:1] if hit else []
        then = dated(s, s.times().pick("at"))
        if hit and values:
            got = Reading(turn.speaker, hit[0], values[0].text, t.start, toks[values[0].b - 1].end, confidence=0.7)
            got.past = True
            return new([then.end(got)], out)
    return []


def left_home(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I left Corby in 2020 and live in Bath since`: a town was left, no firm."""
    text = s.turn.text
    homes = [r for r in out if r.predicate == "lives_in" and r.ends is None and not r.negative]
    homes = [r for r in homes if "since" in text[r.start : r.end].lower().split()[-4:]]
    if not homes or any(r.predicate == "works_at" and r.ends is None for r in out):
        return []
    for r in out:
        left = r.predicate == "works_at" and r.ends is not None and "left" in text[r.start : r.end].lower().split()
        if left and any(h.subject == r.subject and h.object != r.object and h.start > r.start for h in homes):
            r.predicate = "lives_in"
    return []


def on_to(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Ben quit Acme and went straight to Bolt`, `lost his job at Acme but found another at Bolt`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb, a = clause.verbs[-1], clause.verbs[-1].end
        if not index or verb.tense not in ("past", "perf") or verb.neg or s.stated(clause, index, clauses) == 0.0:
            continue
        left = [
            r for r in out if r.predicate == "works_at" and r.ends is not None and r.end <= toks[clause.lo].start + 1
        ]
        if not left or any(r.predicate == "works_at" and r.ends is None for r in out):
            continue
        sure = verb.lemma in _CROSSING
        while a < clause.hi and toks[a].low in _STRAIGHT:
            sure = sure or toks[a].low in ("straight", "right", "directly")
            a += 1
        moved = verb.lemma in _CROSSING | _WENT and a + 1 < clause.hi and toks[a].low in ("to", "into") and sure
        found = verb.lemma in _FOUND and _another(toks, a, clause.hi)
        at = a if moved else found
        if not at:
            continue
        values = s.clean("org_left", at + 1, clause.hi)[:1]
        who = s.who(clause, index, clauses)
        for r in left:
            if any(name == r.subject for name, _, _ in who):
                then = dated(s, s.clause_times(clause).pick("at"))
                span = s.span(clause)
                new_ones = [Reading(r.subject, "works_at", v.text, *span, confidence=0.75) for v in values]
                for one in new_ones:
                    then.begin(one)
                    one.starts = one.starts if then.words else r.ends
                got += new_ones
    return new(got, out)


def _another(toks: list[Token], a: int, hi: int) -> int:
    """Where `at` stands in `another one at ..`, `a new job with ..`; 0 without."""
    if a >= hi or toks[a].low not in ("another", "a", "one", "new"):
        return 0
    at = next((k for k in range(a + 1, min(a + 5, hi - 1)) if toks[k].low in ("at", "with")), 0)
    return at if at and (toks[a].low in ("another", "one") or any(t.low == "one" for t in toks[a:at])) else 0


def accepted(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Acme offered me the job and I said yes`: one works there."""
    offer = s.turn.first(_OFFER)
    if s.question or offer is None or not _OFFER.search(s.sentence) or not _TAKEN.search(s.turn.text, offer.end()):
        return []
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        if (
            verb.lemma != "offer"
            or verb.neg
            or verb.tense not in ("past", "perf")
            or not s.stated(clause, index, clauses)
        ):
            continue
        a = verb.end
        me = a < clause.hi and s.toks[a].low in ("me", "us")
        at = next((k for k in range(a, clause.hi - 1) if s.toks[k].low in ("at", "with")), None)
        if me and clause.subject is not None and s.toks[clause.subject[0]].capital:
            values = s.clean("org_named", *clause.subject)[:1]
        else:
            first = clause.subject is not None and s.toks[clause.subject[0]].low in ("i", "we")
            values = s.clean("org", at + 1, clause.hi)[:1] if at is not None and (first or me) else []
        who, now, span = s.turn.speaker, s.turn.t_ref, s.span(clause)
        got += [Reading(who, "works_at", v.text, *span, starts=now, confidence=0.75) for v in values]
    return new(got, out)


def here_since(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I left Corby in 2019 and have been in Bath ever since`: living there."""
    left = [r for r in out if r.predicate in ("lives_in", "works_at") and r.ends is not None]
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[-1], clause.verbs[-1].end
        if not index or not left or verb.lemma != "be" or verb.tense != "perf" or verb.neg or i + 1 >= clause.hi:
            continue
        words = [t.low for t in s.toks[i : clause.hi] if t.kind == "w"]
        if words[0] != "in" or words[-1] != "since" or s.stated(clause, index, clauses) == 0.0:
            continue
        values = s.clean("place", i + 1, clause.hi)[:1]
        who = [name for name, _, _ in s.who(clause, index, clauses)]
        for r in left:
            if r.subject in who and r.end <= s.toks[clause.lo].start + 1:
                span = s.span(clause)
                got += [Reading(r.subject, "lives_in", v.text, *span, starts=r.ends, confidence=0.75) for v in values]
                if r.predicate == "works_at" and values and s.text(0, len(s.toks)).lower().split()[1:2] == ["left"]:
                    r.predicate = "lives_in"
    return new(got, out)


def so_since(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`It runs on Redis, has done since May`, `I work at Acme, have for years`: since when what was said holds."""
    for index, clause in enumerate(clauses):
        if not index or not out:
            continue
        verb = clause.verbs[-1]
        tail = [t.low for t in s.toks[verb.end : clause.hi] if t.kind == "w"]
        if verb.lemma not in ("do", "be", "have") or verb.neg or verb.tense not in ("perf", "pres"):
            continue
        opens = tail[:1] in (["since"], ["for"], ["ever"], ["so"], ["always"])
        times = s.clause_times(clause)
        at = times.pick("since") or times.pick("for")
        if not opens or at is None or at.start is None:
            continue
        before = s.toks[clause.lo].start
        for r in out:
            if r.end <= before and r.ends is None and not r.negative and r.time_text is None:
                r.starts, r.time_text, r.grain = at.start, s.turn.text[at.outer : at.end], at.grain
    return []


def no_member(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`About the choir: .. I'm not a member after all`: of what was spoken of."""
    toks, turn = s.toks, s.turn
    for index, clause in enumerate(clauses):
        verb, i = clause.verbs[0], clause.verbs[0].end
        words = [t.low for t in toks[i : i + 4]]
        over = verb.longer or s._anymore(clause)
        if verb.lemma != "be" or not (verb.neg or over) or words[:2] != ["a", "member"] or words[2:3] == ["of"]:
            continue
        told = next((r.object for r in reversed(turn.last) if r.predicate == "member_of"), None)
        group = told or _group(s, turn.text)
        if group is None or s.stated(clause, index, clauses) == 0.0:
            continue
        now = turn.t_ref
        return [
            Reading(
                name, "member_of", group, *s.span(clause), negative=not over, starts=None if over else now,
                ends=now if over else None, confidence=min(sure, 0.8), past=over,
            )
            for name, sure, kind in s.who(clause, index, clauses)
            if kind == "person"
        ]  # fmt: skip
    return []


def given_away(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Lea doesn't have Duchess any more, her sister took her in`: a pet that somebody else has."""
    if s.turn.first(_TAKEN_IN) is None or any(r.predicate in ("has_pet", "owns") for r in out):
        return []
    for index, clause in enumerate(clauses):
        verb, a = clause.verbs[-1], clause.verbs[-1].end
        over = verb.lemma == "have" and (verb.longer or (verb.neg and s._anymore(clause)))
        if not over or a >= clause.hi or not s.toks[a].capital or s.stated(clause, index, clauses) == 0.0:
            continue
        name = s.clean("name", a, a + 1)[:1]
        then = dated(s, s.clause_times(clause).pick("at"))
        return [
            then.end(Reading(who, "has_pet", v.text, *s.span(clause), confidence=min(sure, 0.75), past=True))
            for who, sure, kind in s.who(clause, index, clauses)
            if kind == "person"
            for v in name
        ]
    return []


def _group(s: Sentence, text: str) -> str | None:
    """The group that the turn begins with: `About the choir: ..`."""
    head = _ABOUT.match(text)
    if head is None:
        return None
    toks = s.e.tokens(text, *head.span(1), [])
    values = s.e.objects.clean("group", toks, 0, len(toks)) if toks else []
    return values[0].text if values else None
