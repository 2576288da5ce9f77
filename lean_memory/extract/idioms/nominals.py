"""Sentences that only equate: `my wife is Anna`, `Hindi is my mother tongue`, `that red bike isn't mine`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.people import People
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["home", "mine", "my_language", "my_noun", "my_place", "names_listed", "new", "relatives_are", "singular"]

_MOVED_IN = re.compile(
    r"\b(?:keys?|flat|apartment|boxes|unpack(?:ed|ing)|mov(?:ed|ing)|settled|lease|landlord|new place)\b", re.IGNORECASE
)
_PLURALS = {
    "kids": "kid", "children": "child", "sons": "son", "daughters": "daughter", "boys": "son", "girls": "daughter",
    "brothers": "brother", "sisters": "sister", "siblings": "sibling", "parents": "parent", "friends": "friend",
    "cousins": "cousin", "aunts": "aunt", "uncles": "uncle", "grandparents": "grandparent", "neighbours": "neighbour",
    "neighbors": "neighbor", "in-laws": "in-law", "mates": "mate", "flatmates": "flatmate",
    "nephews": "nephew", "nieces": "niece", "colleagues": "colleague", "coworkers": "coworker",
    "twins": "child", "grandchildren": "grandchild", "grandkids": "grandchild", "teammates": "teammate",
}  # fmt: skip
_NOT_SPOKEN = frozenset("non-existent nonexistent gone zero on at homework".split())
_FARES = frozenset("be get improve suck need".split())
_MINE = {"mine": "", "ours": "", "hers": "she", "his": "he", "theirs": "they"}
_FAVOURITE = frozenset("favourite favorite fave fav".split())
_QUALIFIES = frozenset(
    "all-time absolute main first second current new go-to number-one number one personal real".split()
)
_LISTS = frozenset("bucket wish reading watch shopping".split())
_WORK = frozenset("job gig role position internship workplace apprenticeship placement".split())
_OWN = frozenset("new own little tiny small big current lovely 's own first actual shared".split())
_HOUSE = frozenset("flat apartment house place home pad digs studio cottage bungalow condo room".split())
_ENDS = frozenset("and but who so now too though because since these btw by if as for in at".split())


def singular(word: str) -> str:
    """`kids` -> `kid`; other words stay."""
    return _PLURALS.get(word, word)


def relatives_are(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my wife is Anna`, `my kids are Leo and Mia`, `my mum's Rosa`."""
    toks = s.toks
    got: list[Reading] = []
    for i, t in enumerate(toks[:-1]):
        if t.low not in ("is", "are", "'s") or not i or not toks[i + 1].capital or s.question:
            continue
        word = singular(toks[i - 1].low)
        relation = s.e.people.relations.get(word)
        if relation is None or relation.predicate is None:
            continue
        names, end = names_listed(s, i + 1)
        if not names or (t.low == "'s" and end < len(toks) and toks[end].kind == "w"):
            continue
        if t.low == "are" and len(names) == 1 and names[0][0].endswith("s"):  # `my parents are Methodists`
            continue
        clause = next((c for c in clauses if c.verbs[0].start == i), None)
        if clause is not None and s.stated(clause, clauses.index(clause), clauses) == 0.0:
            continue
        mention = next((m for m in s.mentions if m.end == i and m.relation and not m.named), None)
        owner = mention.owner if mention else None
        if mention is None:
            a = next((k for k in range(i - 2, max(-1, i - 5), -1) if toks[k].low in ("my", "our", "'s")), None)
            if a is None:
                continue
            holder = s.mention_at(a - 1, a) if toks[a].low == "'s" and a else None
            owner = s.turn.speaker if toks[a].low != "'s" else holder.name if holder else None
        if owner is None or owner == "you":
            continue
        for name, _, b in names:
            got += s._relation(owner, word, name, (toks[max(0, i - 2)].start, toks[b - 1].end), "person", 0.9)
            if mention is not None and mention.role and len(names) == 1:
                s.turn.memory.aliases[mention.role] = name
    return new(got, out)


def names_listed(s: Sentence, i: int) -> tuple[list[tuple[str, int, int]], int]:
    """The names listed from i, and where they end; none when more than names stands there."""
    toks, people = s.toks, s.e.people
    names: list[tuple[str, int, int]] = []
    while i < len(toks):
        j = people.name_at(toks, i)
        low = toks[i].low
        if j == i or (
            j == i + 1 and (low in s.e.lex["nationalities"] or low in s.e.lex["languages"] or low in s.e.lex["places"])
        ):
            break
        names.append((People.text(toks, i, j), i, j))
        i = j
        if i + 2 < len(toks) and toks[i].low == "(" and toks[i + 1].kind == "n" and toks[i + 2].low == ")":
            i += 3  # `Leo (6) and Mia (4)`
        if i + 1 < len(toks) and toks[i].low in (",", "and", "&") and (toks[i + 1].capital or toks[i + 1].low == "and"):
            i += 2 if toks[i + 1].low == "and" else 1
            continue
        break
    if (i < len(toks) and not (toks[i].kind == "p" or toks[i].low in _ENDS)) or (
        i < len(toks) and toks[i].low in ("'s", "-")
    ):
        return [], i
    return names, i


def my_noun(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Hindi is my mother tongue`, `Alien is my favourite film`, `Rome is on my bucket list`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        i = verb.end
        if verb.lemma != "be" or clause.subject is None or i + 1 >= len(toks) or verb.inverted:
            continue
        listed = (
            toks[i].low == "on"
            and i + 3 < len(toks)
            and toks[i + 2].low in _LISTS
            and toks[i + 3].low in ("list", "wishlist")
        )
        i += listed
        of_mine = next((k for k in range(i + 2, min(i + 6, len(toks) - 1)) if toks[k].low == "of"), None)
        if [t.low for t in toks[i : i + 2]] == ["one", "of"] and i + 3 < len(toks):  # `chess is one of my hobbies`
            i += 2
            x = clause.subject[0]
            if not {toks[x].low, toks[x - 1].low if x else ""}.isdisjoint(("that", "this", "those", "these")):
                continue
        elif toks[i].low in ("a", "an") and of_mine is not None and toks[of_mine + 1].low in _MINE:
            got += _of_mine(s, clause, i, of_mine) if s.stated(clause, index, clauses) else []
            continue
        if toks[i].low in ("my", "our"):
            owner: str | None = s.turn.speaker
        elif toks[i].low in ("his", "her"):
            found = s.antecedent(toks[i].low, i)
            owner = found.name if found else None
        else:
            continue
        a, b = clause.subject
        head = toks[a].low
        if head in ("which", "what", "whose"):
            continue
        if owner is None or (
            b - a == 1 and (head in s.e.lex["pronoun_objects"] or head in s.e.lex["subject_pronouns"])
        ):
            continue
        if s.stated(clause, index, clauses) == 0.0 or verb.tense not in ("pres", "past", "perf"):
            continue
        if listed:
            got += [s._plain(owner, "wants", v.text, s.span(clause), verb) for v in s.clean("thing", a, b)[:1]]
            continue
        predicate, kind = _named_noun(s, i + 1, min(len(toks), i + 7))
        if predicate is None:
            continue
        values = s.clean(kind, a, b)
        if clause.others and kind == "thing":
            values = [v for x, y in [clause.subject, *clause.others] for v in s.clean(kind, x, y)]
        got += [s._plain(owner, predicate, v.text, s.span(clause), verb, clause) for v in values[:3] if v.text != owner]
    return new(got, out)


def _of_mine(s: Sentence, clause: Clause, i: int, of: int) -> list[Reading]:
    """`chess is a hobby of mine`: as `chess is my hobby`."""
    toks = s.toks
    who = _MINE[toks[of + 1].low]
    found = s.antecedent(who, i) if who else None
    owner = found.name if found else None if who else s.turn.speaker
    noun = toks[of - 1].low
    if owner is None or noun not in s.e.nouns or clause.subject is None:
        return []
    predicate = s.e.nouns[noun][0]
    kind = s.e.table[predicate].object
    spans = [clause.subject, *clause.others]
    values = [] if kind == "person" else [v for x, y in spans for v in s.clean(kind, x, y)[:1]]
    return [s._plain(owner, predicate, v.text, s.span(clause), clause.verbs[0], clause) for v in values[:3]]


def _named_noun(s: Sentence, i: int, end: int) -> tuple[str | None, str]:
    """The predicate that the noun from i names, and the kind of its object."""
    toks = s.toks
    while (
        i < end
        and toks[i].low in _QUALIFIES
        and f"{toks[i].low} {toks[i + 1].low if i + 1 < end else ''}" not in s.e.nouns
    ):
        i += 1
    if i < end and toks[i].low in _FAVOURITE:
        return "favorite", "thing"
    for size in (3, 2, 1):
        noun = " ".join(t.low for t in toks[i : i + size])
        after = toks[i + size] if i + size < len(toks) else None
        if i + size <= end and noun in s.e.nouns and (after is None or after.kind == "p" or after.low in _ENDS):
            predicate = s.e.nouns[noun][0]
            kind = s.e.table[predicate].object
            return (None, "") if kind == "person" else (predicate, kind)
    return None, ""


def mine(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`the red Skoda is mine`, `that bike isn't mine`, `mine's the blue van`, `the piano belongs to me`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if clause.subject is None or verb.inverted or verb.tense not in ("pres", "past", "perf") or verb.modal:
            continue
        i = verb.end
        a, b = clause.subject
        slot: tuple[int, int] | None = None
        word = ""
        after = toks[i + 1] if i + 1 < len(toks) else None
        if (
            verb.lemma == "be"
            and i < len(toks)
            and toks[i].low in _MINE
            and (after is None or after.kind == "p" or after.low in _ENDS)
        ):
            word, slot = toks[i].low, (a, b)
        elif verb.lemma == "belong" and i + 1 < len(toks) and toks[i].low == "to" and toks[i + 1].low in ("me", "us"):
            word, slot = "mine", (a, b)
        elif (
            verb.lemma == "be"
            and b - a == 1
            and toks[a].low in ("mine", "ours")
            and i < clause.hi
            and toks[i].low in ("the", "that", "a", "an")
        ):
            before = clauses[index - 1].subject if index else None
            noun = toks[before[1] - 1].low if before else ""
            if noun in s.e.people.relations or noun in s.e.people.groups:
                continue  # `his brother is a nurse, mine is a vet`
            word, slot = "mine", (i, clause.hi)
        if slot is None or s.stated(clause, index, clauses) == 0.0:
            continue
        owner: str | None = s.turn.speaker
        if _MINE[word]:
            found = s.antecedent(_MINE[word], a)
            owner = found.name if found and found.start < a else None
        x, y = slot
        if toks[x].low in ("that", "this", "those", "these", "the") and y - x > 1:
            x += 1
        vehicle = s.clean("vehicle_known", x, y)
        values = vehicle or s.clean("thing", x, y)
        if owner and values and toks[x].kind != "p" and toks[x].low not in s.e.lex["pronoun_objects"]:
            got.append(s._plain(owner, "owns", values[0].text, s.span(clause), verb, clause))
    return new(got, out)


def new(got: list[Reading], out: list[Reading]) -> list[Reading]:
    """Those not said yet."""
    said = {(r.subject, r.predicate, r.object) for r in out}
    return [r for r in got if (r.subject, r.predicate, r.object) not in said]


def my_place(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my new job is at Acme`, `our flat is in Ghent`, `Anna's place is on Mill Lane`."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        i = verb.end
        if (
            verb.lemma != "be"
            or clause.subject is None
            or i + 1 >= clause.hi
            or verb.inverted
            or verb.tense not in ("pres", "past")
        ):
            continue
        a, b = clause.subject
        noun = toks[b - 1].low
        if (noun not in _WORK and noun not in _HOUSE) or toks[i].low not in ("at", "in", "with", "on", "near"):
            continue
        if toks[a].low in ("my", "our"):
            owner = s.turn.speaker
        else:
            mark = next((k for k in range(a, b) if toks[k].low == "'s"), None)
            who = s.mention_at(a, mark) if mark else None
            if who is None or who.kind != "person":
                continue
            owner = who.name
        if s.stated(clause, index, clauses) == 0.0 or any(
            t.low in ("old", "previous", "former", "last", "dream") for t in toks[a:b]
        ):
            continue
        if noun in _HOUSE and b - a > 2 and toks[b - 2].low not in _OWN:  # `our print room`, `our holiday house`
            continue
        if noun in _WORK:
            predicate, values = "works_at", s.clean("org", i + 1, clause.hi) if toks[i].low in ("at", "with") else []
        else:
            predicate, values = "address", s.clean("address", i + 1, clause.hi)
            if not values:
                predicate, values = "lives_in", s.clean("place", i + 1, clause.hi)
        for value in values[:1]:
            out[:] = [r for r in out if not (r.predicate == "located_in" and r.object == value.text)]
            got.append(s._plain(owner, predicate, value.text, s.span(clause), verb, clause))
    return new(got, out)


def home(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Graz is home now`: a place that is somebody's home is where the speaker lives."""
    for index, clause in enumerate(clauses):
        verb = clause.verbs[0]
        if (
            verb.lemma != "be"
            or verb.tense != "pres"
            or verb.neg
            or clause.subject is None
            or s.stated(clause, index, clauses) == 0.0
        ):
            continue
        tail = [t.low for t in s.toks[verb.end : clause.hi] if t.kind == "w"]
        if tail[:1] != ["home"] and tail[:2] not in (["my", "home"], ["our", "home"]):
            continue
        rest = tail[1 if tail[0] == "home" else 2 :]
        if rest and rest[0] not in ("now", "again", "these", "for", "from", "to", "sweet"):
            continue
        a, b = clause.subject
        values = s.clean("place", a, b) if s.toks[a].capital and s.toks[a].low not in s.e.people.relations else []
        sure = values and (values[0].text.lower() in s.e.lex["places"] or s.turn.first(_MOVED_IN))  # `Anna is home now`
        if values and sure and values[0].b == b and "lives_in" in s.e.table:
            begin, end = s.span(clause)
            return [
                Reading(s.turn.speaker, "lives_in", values[0].text, begin, end, starts=s.turn.t_ref, confidence=0.75)
            ]
    return []


def my_language(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my French is rusty`, `her Thai is getting better`: spoken, well or badly."""
    toks = s.toks
    got: list[Reading] = []
    for index, clause in enumerate(clauses):
        a, b = clause.subject or (0, 0)
        verb, i = clause.verbs[0], clause.verbs[0].end
        if (
            b - a != 2
            or toks[a + 1].low not in s.e.lex["languages"]
            or not toks[a + 1].capital
            or verb.lemma not in _FARES
        ):
            continue
        owner: str | None = s.turn.speaker if toks[a].low == "my" else None
        if toks[a].low in ("his", "her"):
            found = s.antecedent(toks[a].low, a)
            owner = found.name if found else None
        none = i < clause.hi and toks[i].low in (
            "non-existent",
            "nonexistent",
            "gone",
            "zero",
            "better",
            "on",
            "at",
            "homework",
        )
        if owner is None or none or verb.tense != "pres" or s.stated(clause, index, clauses) == 0.0:
            continue
        span, now = s.span(clause), s.turn.t_ref
        got.append(Reading(owner, "speaks", toks[a + 1].text, *span, starts=now, confidence=0.8))
    return new(got, out)
