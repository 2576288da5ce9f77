"""Heads of lists: what the items under `Things I like:`, `my hobbies:`, `Lives in:` or `Team roster:` say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.nominals import singular
from lean_memory.extract.lists import read_items
from lean_memory.extract.reading import Reading
from lean_memory.extract.tokens import Token
from lean_memory.extract.turn import Heading, Turn

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["read_heading"]

_POINTING = frozenset("that this these those here there it what who".split())
_PLAN_HEADS = frozenset(
    {("on", "the"), ("on", "my"), ("to", "read"), ("to", "watch"), ("to", "do"), ("to", "try"), ("to", "visit"),
     ("up", "next"), ("still", "to"), ("want", "to")}
)  # fmt: skip


def read_heading(english: English, turn: Turn, toks: list[Token]) -> list[Reading] | None:
    """`Things I like:`, `my hobbies: a, b`, `Allergies - latex`, `Team roster: ..`: a heading and its list."""
    n = len(toks)
    colon = _is_roster(english, toks)
    for i, t in enumerate(toks[:14] if colon is None else []):
        if i and t.kind == "p" and (t.low == ":" or t.low == "—" or (t.low == "-" and toks[i].start > toks[i - 1].end)):
            colon = i
            break
    if colon is None or (toks[colon].low not in (":", "is", "are") and colon > 4):
        return None
    head = toks[: colon + (toks[colon].low in ("is", "are"))]
    heading = _head(english, turn, head)
    if heading is None:
        return None
    if colon == n - 1:
        turn.heading = heading
        return []
    out = read_items(english, turn, toks, colon + 1, n, heading)
    if out or heading.roster:
        turn.heading = heading if heading.noun is None else None
        return out
    return None


def _is_roster(english: English, toks: list[Token]) -> int | None:
    """`The team is Ada (lead), Ben (QA)`: where `is` stands."""
    for i, t in enumerate(toks[1:5], 1):
        if t.low in ("is", "are") and toks[i - 1].low in english.headings["teams"]:
            rest = toks[i + 1 :]
            return i if len(rest) > 3 and rest[0].capital and rest[1].low in ("(", "-") else None
    return None


def _head(english: English, turn: Turn, head: list[Token]) -> Heading | None:
    if len(head) > 3 and head[0].low in _POINTING and head[1].low in ("is", "are", "'s"):  # `Those are my pets: ..`
        head = head[3 if head[2].low in ("all", "both", "just") and len(head) > 4 else 2 :]
    for i, t in enumerate(head[:-2]):  # `I can't eat the following (allergies): ..`
        if t.low == "(" and head[i + 1].low in english.nouns and head[i + 2].low == ")" and i > 1:
            return Heading(head, None, (turn.speaker, head[i + 1].low), 0) if head[0].low in ("i", "my", "we") else None
    aside = next((i for i, t in enumerate(head) if i > 1 and t.low == ","), None)
    if aside is not None and head[0].low in english.headings["listable"]:  # `Things I hate, since you asked: ..`
        head = head[:aside]
    words = [t.low for t in head]
    if len(words) > 2 and words[-1] in ("is", "are"):  # `The team is Ada (lead), Ben (QA)`
        head, words = head[:-1], words[:-1]
    owner = turn.speaker
    i = 0
    if words[0] in english.headings["openers"]:
        i = 1
    elif words[0] in ("his", "her", "their"):
        found = turn.memory.resolve(words[0])
        if found is None:
            return None
        owner, i = found.name, 1
    elif "'s" in words and head[0].capital and words[0] not in _POINTING:
        j = words.index("'s")
        owner, i = english.people.text(head, 0, j), j + 1
    rest = words[i:]
    while rest and rest[-1] in (")",) and "(" in rest:
        rest = rest[: rest.index("(")]
    while rest and rest[0] in english.headings["adjectives"] and " ".join(rest) not in english.nouns and len(rest) > 1:
        rest = rest[1:]
    noun = " ".join(rest)
    deadline = _deadline(english, head, rest, mine=words[0] in ("my", "our"))
    if deadline is not None:
        return deadline
    if noun in english.nouns:
        return Heading(head, None, (owner, noun), 0)
    if words[-1] in english.headings["rosters"] or (
        words[0] == "who" and {"what", "who"} & {*words[2:]} and "i" not in words
    ):
        return Heading(head, None, None, 0, roster=True)
    plain = words[: words.index("(")] if "(" in words else words
    doing = _to_do(english, plain)
    if doing == "avoid":
        return Heading(head, None, (owner, "avoid"), 0) if "avoid" in english.nouns else None
    if doing is not None:
        return Heading(head, None, None, 0, plan=True, doing=doing)
    pile = tuple(plain[:2]) in _PLAN_HEADS and len(plain) < 5 and plain[-1] in english.headings["piles"]
    if (words[0] in english.headings["plans"] or pile) and "i" not in words:
        return Heading(head, None, None, 0, plan=True)
    return _said(english, head) or _verb_or_topic(english, head, owner, rest)


def _deadline(english: English, head: list[Token], rest: list[str], *, mine: bool) -> Heading | None:
    """`Deadline for the grant:`, `Falcon deadline:`, `Launch date:`: what is due is the task, not whoever writes it."""
    dated = [n for n in range(len(rest), 0, -1) if english.nouns.get(" ".join(rest[:n])) == ["deadline"]]
    begin = len(head) - len(rest)
    if dated:
        i = dated[0]
        if i == len(rest):
            return None if mine else Heading(head, None, ("project", " ".join(rest)), 0)
        if rest[i] not in ("for", "of", "to") or len(rest) == i + 1:
            return None
        i += 1 + (rest[i + 1] in ("the", "our", "my", "a"))
        task = english.people.text(head, begin + i, len(head))
        return Heading(head, None, (task, " ".join(rest[: dated[0]])), 0) if task else None
    tail = next((n for n in (2, 1) if len(rest) > n and english.nouns.get(" ".join(rest[-n:])) == ["deadline"]), None)
    if (
        tail is None
        or len(rest) > 5
        or rest[-1] not in ("deadline", "date", "cutoff")
        or any(w in english.forms for w in rest[:1])
    ):
        return None
    return Heading(head, None, (english.people.text(head, begin, len(head) - tail), " ".join(rest[-tail:])), 0)


def _to_do(english: English, words: list[str]) -> str | None:
    """The verb of `To buy:`, `Things to buy:`, `Need to get:`, `Shopping list:`; None when it is no such head."""
    if words in (["shopping", "list"], ["groceries"], ["grocery", "list"]):
        return "buy"
    before = words[: words.index("to")] if "to" in words else []
    if words[-2:-1] != ["to"] or before not in ([], ["things"], ["stuff"], ["need"], ["still"]):
        return None
    return words[-1] if words[-1] in english.headings["to_do"] else None


def _said(english: English, head: list[Token]) -> Heading | None:
    """`Things I like:`, `Foods Anna hates:`, `I don't want:`, `Can't eat:`: a clause whose object the list is."""
    understood = head[0].low in ("do", "can", "never") and len(head) > 1 and head[1].low not in ("i", "you", "we")
    if understood:  # `Don't want:`
        head = [Token("I", "i", head[0].start, head[0].start, "w"), *head]
    clauses = english.splitter.split(head)
    if not clauses or not clauses[-1].subject:
        return None
    clause = clauses[-1]
    a, b = clause.subject or (0, 0)
    if a == 0 and b > 1 and head[0].low in english.headings["listable"] and head[1].capital:
        a, clause = 1, replace(clause, subject=(1, b))  # `Things Anna likes:`
    me = head[a].low in ("i", "we")
    if a > 0:
        named = head[a].capital or head[a].low in english.lex["possessives"]
        return Heading(head, clause, None, 0) if head[0].low in english.headings["listable"] and (me or named) else None
    verb = clause.verbs[-1]
    closed = all(t.low in english.headings["ends"] for t in head[verb.end :])
    if understood and verb.lemma not in english.headings["not_ordered"]:  # `Do not use:` is an order
        return None
    if len(clauses) == 1 and closed and verb.lemma in english.headings["list_verbs"] and me:
        return Heading(head, clause, None, 0)
    return None


def _verb_or_topic(english: English, head: list[Token], owner: str, rest: list[str]) -> Heading | None:
    """A heading of relatives, of a verb without subject, or of a topic."""
    if not rest or len(rest) > 7:
        return None
    if rest in (["please", "no"], ["no", "thanks"], ["no", "thank", "you"], ["not", "for", "me"]):
        return Heading(head, None, (owner, "dislikes"), 0)
    for i, word in enumerate(rest):  # `Favourites, ranked:`, `Date of birth for the form:`
        noun = " ".join(rest[:i])
        if i and word in english.headings["cuts"] and noun in english.nouns:
            return Heading(head, None, (owner, noun), 0)
    relation = english.people.relations.get(singular(rest[-1]))
    if (
        len(rest) <= 2
        and relation is not None
        and relation.predicate is not None
        and (len(rest) == 1 or f"{rest[0]}-{rest[1]}" in english.people.relations)
    ):
        return Heading(head, None, (owner, singular(rest[-1])), 0, relation=True)
    toks = head[len(head) - len(rest) :]
    a = 0
    while a < len(toks) and toks[a].low in english.headings["lead"]:
        a += 1
    if a < len(toks) and len(toks) - a <= 3 and head[0] is toks[0]:
        low = toks[a].low
        known = english.forms.get(low)
        verb = None
        if low in english.headings["after_be"]:
            verb = Verb("be", a, a, bare=True)
        elif low in english.headings["verbs"] and known:
            tense = "past" if known[1] in ("d", "dn") else "pres"
            verb = Verb(known[0], a, a + 1, tense=tense, prog=known[1] == "g", form=known[1][0], bare=True)
        if verb is not None:
            return Heading(head, Clause(0, len(toks), None, [], [verb], elided=True, broken=True), None, 0)
    if any(word in english.forms and word not in english.nouns and word not in english.topics for word in rest[:3]):
        return None
    for word in rest:
        if word in english.topics and "." not in rest:
            return Heading(head, None, (owner, english.topics[word]), 0)
    return None
