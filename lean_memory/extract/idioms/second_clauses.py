"""Clauses that date or imply an end or a beginning that another clause states: `.., I left in March`."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.dated import Dated, dated, dated_clauses
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["after_years", "then_left", "then_started", "took_over", "went_through"]

_LEAVING = frozenset("leave quit finish resign retire stop go end".split())
_STARTING = frozenset("start join begin move".split())
_TIME_OPENERS = frozenset("in on last this yesterday two three a back just at around earlier".split())
_START_OPENERS = frozenset("in on last this yesterday today two three a just at back".split())
_TAKEN_ENDS = frozenset("in on from last this now . ! for since yesterday instead".split())
_SPANS = frozenset("year decade month stint season week".split())
_AGREED = re.compile(
    r"\b(?:got|get|land(?:ed)?|accept(?:ed)?|hired|offer(?:ed)?|sign(?:ed)?|join(?:ed)?|new)\b", re.IGNORECASE
)
_CAME = frozenset("it that this divorce wedding sale move".split())
_ABOUT = frozenset(
    {("go", "through"), ("come", "through"), ("become", "official"), ("become", "final"), ("take", "place")}
    | {("be", word) for word in "finalised finalized final official settled completed done over signed".split()}
)
_WHEN = frozenset("in on last yesterday back two three a".split())
_COMES = frozenset("married_to engaged_to partner_of".split())
_BEGUN = ("works_at", "job_title", "studies_at", "lives_in", "member_of")


def then_left(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I no longer work for Acme, I left in March`: the second clause only dates the end that the first states."""
    for clause, then in dated_clauses(s, clauses, _LEAVING, _TIME_OPENERS):
        for r in out:
            if r.ends is not None and r.time_text is None and not r.negative and r.end <= s.toks[clause.lo].start:
                then.end(r)
    return []


def then_started(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I work at Acme again, started yesterday`: the second clause only dates the beginning of the first."""
    started = list(dated_clauses(s, clauses[1:], _STARTING, _START_OPENERS))
    coming = _will_start(s, clauses)
    homes = [then for clause, then in started if clause.verbs[0].lemma == "move"]
    for then in (*(then for _, then in started), *([coming] if coming else ())):
        earlier = s.turn.last if then is coming and not out else []
        for r in [*out, *(r for r in earlier if _AGREED.search(s.turn.text, r.start, r.end))]:
            fits = (r.predicate == "lives_in") == any(then is home for home in homes)
            if r.predicate in _BEGUN and fits and r.ends is None and r.time_text is None and not r.negative:
                then.begin(r)
    return []


def _will_start(s: Sentence, clauses: list[Clause]) -> Dated | None:
    """`I got the job at Acme! I start in May.`: when that will be."""
    for index, clause in enumerate(clauses):
        verb = clause.verbs[-1]
        settled = verb.tense == "fut" or (verb.tense == "pres" and verb.phase is None)
        if verb.lemma not in ("start", "begin") or not settled or verb.neg or s.stated(clause, index, clauses) == 0.0:
            continue
        if (
            clause.subject is not None
            and not clause.shared
            and s.toks[clause.subject[0]].low not in ("i", "we", "he", "she", "they")
        ):
            continue
        at = s.clause_times(clause).pick("at")
        if at is None or at.happened is None or at.happened <= s.turn.t_ref or at.grain == "hour":
            continue
        if verb.end < clause.hi and s.toks[verb.end].start >= at.outer:
            return Dated(at.happened, s.turn.text[at.outer : at.end], at.grain)
    return None


def took_over(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Ben no longer runs the depot, Ana took over in June`: what the first had the second has."""
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        tail = [t.low for t in s.toks[verb.end : clause.hi]]
        if tail[:1] in (["it"], ["that"], ["them"], ["this"]):  # `took it over`
            tail = tail[1:]
        if verb.lemma != "take" or tail[:1] != ["over"] or verb.tense not in ("past", "perf", "pres") or verb.neg:
            continue
        if len(tail) > 1 and tail[1] not in _TAKEN_ENDS:
            continue
        base = [r for r in [*s.turn.last, *out] if r.predicate in ("manages", "job_title") and r.ends is not None]
        if not base or s.stated(clause, index, clauses) == 0.0:
            continue
        then = dated(s, s.clause_times(clause).pick("at"))
        a, b = s.span(clause)
        old = base[-1]
        for name, _, kind in s.who(clause, index, clauses):
            if kind != "person" or name == old.subject:
                continue
            if then.words is not None and old.time_text is None:
                then.end(old)
            got.append(then.begin(replace(old, subject=name, start=a, end=b, ends=None, past=False, confidence=0.8)))
    return got


def went_through(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`They're divorced, it went through on 3 June`, `we've sold the van, that was in May`: when it came about."""
    if s.question:
        return []
    for clause in clauses:
        verb, subject = clause.verbs[0], clause.subject
        if subject is None or verb.neg or verb.tense not in ("past", "perf") or s.toks[subject[1] - 1].low not in _CAME:
            continue
        word = s.toks[verb.end].low if verb.end < clause.hi else ""
        if (verb.lemma, word) not in _ABOUT and verb.lemma != "happen" and not (verb.lemma == "be" and word in _WHEN):
            continue
        at = s.clause_times(clause).pick("at")
        if at is None or at.happened is None or at.happened > s.turn.t_ref:
            continue
        then = dated(s, at)
        until = s.toks[clause.lo].start + 1
        before = [r for r in [*s.turn.last, *out] if r.end <= until and r.time_text in (None, "now")]
        for r in before:
            row = s.e.table.get(r.predicate)
            fresh = r.predicate in _COMES or (row is not None and row.kind == "event")
            if r.start != before[-1].start or row is None:
                continue
            if r.ends is not None and r.ends == s.turn.t_ref:
                then.end(r)
            elif r.ends is None and fresh and not r.negative:
                then.begin(r)
    return []


def _was_enough(s: Sentence, i: int) -> bool:
    """`nine years at Acme were enough`, `.. was plenty`."""
    words = [t.low for t in s.toks[i : i + 10]]
    return any(
        x in ("was", "were", "is", "are") and y in ("enough", "plenty", "too", "more", "over")
        for x, y in pairwise(words)
    )


def after_years(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`After 12 years at Acme I've joined Bolt`: the first job is over when the second begins."""
    toks = s.toks
    begun = next(
        (r for r in out if r.predicate in ("works_at", "job_title") and r.ends is None and not r.negative), None
    )
    quit_ = any(
        c.verbs[0].lemma in ("leave", "quit", "resign", "retire")
        and c.verbs[0].tense in ("past", "perf")
        and not c.verbs[0].neg
        for c in clauses
    )
    for i, t in enumerate(toks[:-3]):
        years = t.low.rstrip("s") in _SPANS and toks[i + 1].low in ("at", "with") and _was_enough(s, i)
        if not years and (t.low != "after" or toks[i + 1].low in ("work", "school", "lunch")):
            continue
        j = next(
            (k for k in range(i + 1, min(i + 7, len(toks))) if toks[k].low in ("at", "with") and toks[k].kind == "w"),
            None,
        )
        if j is None or not any(x.low.rstrip("s") in _SPANS for x in toks[i:j]):
            continue
        if begun is None and not quit_ and not years:
            continue
        values = s.clean("org", j + 1, min(len(toks), j + 8))
        who = begun.subject if begun else s.turn.speaker
        if values and not (begun and begun.object == values[0].text):
            over = begun.starts if begun and begun.starts is not None and begun.starts <= s.turn.t_ref else s.turn.t_ref
            return [
                Reading(
                    who,
                    "works_at",
                    values[0].text,
                    t.start,
                    toks[values[0].b - 1].end,
                    ends=over,
                    confidence=0.85,
                    past=True,
                )
            ]
    return []
