"""Items of a list, or of a line behind its heading, as facts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.objects import Value
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.sentence import Sentence
from lean_memory.extract.tokens import Token
from lean_memory.extract.turn import Heading, Turn
from lean_memory.extract.when import read_times

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["read_items"]


def read_items(english: English, turn: Turn, toks: list[Token], a: int, b: int, heading: Heading) -> list[Reading]:
    while b > a and toks[b - 1].kind == "p" and toks[b - 1].low in ".!;,":
        b -= 1
    if a >= b:
        return []
    span = (toks[a].start, toks[b - 1].end)
    out: list[Reading] = []
    if heading.roster:
        return _roster(english, turn, toks, a, b)
    if heading.noun is not None:
        owner, noun = heading.noun
        theirs = _owner_of(english, turn, toks, a, b)
        if theirs is not None:
            owner, a = theirs
            turn.memory.add(Mention(0, 1, owner, named=True))
        elif english.nouns.get(noun) == ["deadline"]:
            mine = heading.toks[0].low in ("my", "our") or owner != turn.speaker
            owner, a = _task_of(english, toks, a, b) or (owner if mine else "project", a)
        elif english.nouns.get(noun) == ["decided"] and toks[a].capital and a + 2 < b:
            decided = _decided(english, toks, a, b)
            if decided is not None:
                return [Reading(*decided, *span, starts=turn.t_ref, confidence=0.85)]
        if heading.relation:
            return _relatives(english, turn, toks, a, b, owner, noun)
        out += _next_head(english, turn, toks, a, b)
        for predicate in english.nouns[noun]:
            kind = english.table[predicate].object if predicate != "hobby" else "thing"
            values = (
                english.objects.clean(kind, toks, a, b)
                if predicate == "has_pet" or english.table[predicate].functional
                else []
            )
            if predicate == "has_pet":  # `2 cats, 5 stick insects`: what is counted beside animals is one
                for x, y in english.objects.listed(toks, a, b) if values else []:
                    if toks[x].kind == "n" and y - x <= 4 and not any(v.a < y and x < v.b for v in values):
                        values = [*values, *english.objects.clean("thing", toks, x, y)[:1]]
            if not values:
                values = [v for x, y in english.objects.listed(toks, a, b) for v in _item(english, kind, toks, x, y)]
            out += [Reading(owner, predicate, v.text, *span, starts=turn.t_ref, confidence=0.9) for v in values]
            if not out and predicate == "diet" and toks[a].low == "no":  # `Ida - no gluten`
                foods = english.objects.clean("food", toks, a + 1, b)
                out += [Reading(owner, "diet", v.text, *span, starts=turn.t_ref, confidence=0.9) for v in foods]
            if out:
                break
        return out
    if heading.plan:
        values = english.objects.clean("thing", toks, a, b)
        if heading.doing:
            listed = english.objects.listed(toks, a, b)
            values = [v for x, y in listed for v in english.objects.clean("thing", toks, x, y)[:1]]
            values = [Value(f"{heading.doing} {v.text}", v.a, v.b) for v in values]
        return [Reading(turn.speaker, "plans_to", v.text, *span, starts=turn.t_ref, confidence=0.7) for v in values]
    clause = heading.clause
    assert clause is not None
    verb = clause.verbs[-1]
    joined = list(heading.toks)
    end = clause.hi
    if end > verb.end:  # `books I've read this year:`
        times = read_times(turn.text, joined[0].start, joined[-1].end, turn.t_ref, turn.tz, lang="en")
        cut = next((m.outer for m in times.moments), None)
        while cut is not None and end > verb.end and joined[end - 1].end > cut:
            end -= 1
    while (end > verb.end and joined[end - 1].low in english.headings["ends"]) or (
        end > verb.end and joined[end - 1].kind == "p"
    ):
        end -= 1
    out = []
    if verb.lemma in ("be", "go", "travel") and joined[0].low in english.headings["visitable"]:
        at = joined[end - 1].end  # `Places I've been:` to
        joined = [*joined[:end], Token("to", "to", at, at, "w")]
        end += 1
    mentions = english.people.find(joined[:end], turn.memory) if clause.subject else []
    for x, y in english.objects.listed(toks, a, b):
        pseudo = joined[:end] + toks[x:y]
        # The list's words follow the verb; their offsets stay those of the text.
        run = Sentence(english, turn, pseudo, mentions, "")
        again = replace(
            clause, lo=clause.subject[0] if clause.subject else clause.lo, hi=len(pseudo), marker=None, under=None
        )
        got = run.clause(again, 0, [again])
        for reading in got:
            reading.start, reading.end = toks[x].start, toks[y - 1].end
        if not got and verb.lemma in english.headings["tastes"]:
            again_values = english.objects.clean("thing", toks, x, y)
            if not again_values and toks[x].low in ("being", "having", "getting") and 1 < y - x <= 5:
                again_values = [Value(english.people.text(toks, x, y), x, y)]
            name = "dislikes" if (verb.lemma in ("hate", "dislike")) != verb.neg else "likes"
            who = next((person for person, _, _ in run.who(again, 0, [again])), turn.speaker)
            span = toks[x].start, toks[y - 1].end
            got = [Reading(who, name, v.text, *span, starts=turn.t_ref, confidence=0.85) for v in again_values[:1]]
        out += got
    return out


def _task_of(english: English, toks: list[Token], a: int, b: int) -> tuple[str, int] | None:
    """(task, where its date begins) of `report: Friday`, under `Deadlines:`."""
    for i in range(a + 1, min(b - 1, a + 6)):
        if toks[i].kind == "p":
            return (english.people.text(toks, a, i), i + 1) if toks[i].low in (":", "-", "—", "=") else None
    return None


def _decided(english: English, toks: list[Token], a: int, b: int) -> tuple[str, str, str] | None:
    """(project, `decided`, what) of `Decision: Falcon uses Postgres`."""
    j = english.people.name_at(toks, a)
    form = english.forms.get(toks[j].low) if a < j < b - 1 else None
    if form is None or not form[1].startswith("s") or form[0] in ("be", "have"):
        return None
    return english.people.text(toks, a, j), "decided", f"{form[0]} {english.people.text(toks, j + 1, b)}"


def _item(english: English, kind: str, toks: list[Token], a: int, b: int) -> list[Value]:
    """One item of a list whose heading tells its kind: trusted, though we may not know the word."""
    values = english.objects.clean(kind, toks, a, b)
    if values or kind not in english.headings["trusted_kinds"] or b - a > 3 or any(t.kind != "w" for t in toks[a:b]):
        return values
    a += toks[a].low in ("a", "an", "my", "some")
    plain = a < b and not any(t.low in english.lex["common"] or t.low in english.lex["prepositions"] for t in toks[a:b])
    return english.objects.clean("thing", toks, a, b)[:1] if plain else []


def _relatives(english: English, turn: Turn, toks: list[Token], a: int, b: int, owner: str, word: str) -> list[Reading]:
    """`Kids: Leo, Mia (6)`: names under a word for relatives."""
    out: list[Reading] = []
    relation = english.people.relations[word]
    for x, y in english.objects.listed(toks, a, b):
        j = english.people.name_at(toks, x)
        if j > x and relation.predicate and (j == y or toks[j].kind in "pn" or toks[j].low in ("and", "aged")):
            name = english.people.text(toks, x, j)
            ends = turn.t_ref if relation.former else None
            begin = None if ends else turn.t_ref
            at, to = toks[x].start, toks[j - 1].end
            out.append(Reading(owner, relation.predicate, name, at, to, starts=begin, ends=ends, confidence=0.9))
            out[-1].past = relation.former
    return out


def _next_head(english: English, turn: Turn, toks: list[Token], a: int, b: int) -> list[Reading]:
    """`email: a@b.org, phone: 555-0100`: another heading on the same line."""
    for i in range(a + 1, b - 1):
        if toks[i].low == ":" and toks[i].kind == "p":
            for start in range(max(a, i - 2), i):
                noun = " ".join(t.low for t in toks[start:i])
                if noun in english.nouns and toks[start - 1].kind == "p":
                    return read_items(
                        english, turn, toks, i + 1, b, Heading(toks[start:i], None, (turn.speaker, noun), 0)
                    )
    return []


def _roster(english: English, turn: Turn, toks: list[Token], a: int, b: int) -> list[Reading]:
    """`Olu (tech lead), Priya: backend dev`."""
    out: list[Reading] = []
    i = a
    while i < b:
        j = english.people.name_at(toks, i)
        if j == i or j >= b:
            i += 1
            continue
        name = english.people.text(toks, i, j)
        turn.memory.add(Mention(i, j, name, named=True))
        if toks[j].low in ("(", "-", "—", ":", "="):
            stop = j + 1
            while (
                stop < b
                and toks[stop].low not in (")", ",", ";")
                and not (toks[j].low != "(" and toks[stop].low == ",")
            ):
                stop += 1
            values = english.objects.clean("job", toks, j + 1, stop)
            if not values and toks[j].low == "(" and 0 < stop - j - 1 <= 3:
                values = [Value(english.people.text(toks, j + 1, stop), j + 1, stop)]
            out += [
                Reading(
                    name,
                    "job_title",
                    v.text,
                    toks[i].start,
                    toks[stop - 1].end + (1 if stop < b and toks[stop].low == ")" else 0),
                    starts=turn.t_ref,
                    confidence=0.85,
                )
                for v in values
            ]
            i = stop
        i = max(i + 1, j)
    return out


def _owner_of(english: English, turn: Turn, toks: list[Token], a: int, b: int) -> tuple[str, int] | None:
    """(owner, where the value begins) of an item `Hamza - halal`, `me: vegan`, `Ida (8)`."""
    if a >= b:
        return None
    j = english.people.name_at(toks, a)
    name = english.people.text(toks, a, j) if j > a else ""
    if toks[a].low in ("me", "myself", "i"):
        j, name = a + 1, turn.speaker
    if not name or j >= b or toks[j].low not in ("-", "—", ":", "="):
        return None
    if j == a + 1 and toks[a].low in english.lex["languages"] | english.lex["nationalities"]:
        return None
    return (name, j + 1) if j + 1 < b else None
