"""Heads of lines and lists: whose words (`[Tom] ..`), a verb (`Lives in: Oslo`), relatives (`Kids: Leo, Mia`).

The heads that `english` knows by their nouns are not read here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.idioms.nominals import singular
from lean_memory.extract.turn import Heading, Turn

if TYPE_CHECKING:
    from lean_memory.extract.english import English
    from lean_memory.extract.tokens import Token

__all__ = ["head_of", "owner_of", "speaker_label"]

_BE = frozenset(
    "allergic born based married engaged fluent interested skilled good member fan scared employed due".split()
)
_SAYS = frozenset(
    "lives live living works working speaks speak speaking plays playing owns drives driving uses using "
    "reads reading watching watched learning studies studying collects wants reports likes loves hates "
    "dislikes enjoys visited bought prefers knows teaches manages moved takes taking".split()
)
_CUTS = frozenset(", for so at in ( as this right now these currently so-far atm and again".split())
_WRITINGS = frozenset(
    "email e-mail mail message text note sms dm letter voicemail reply post postcard status bio profile out-of-office "
    "autoreply auto-reply update caption story tweet email-signature signature reply answer".split()
)
_LEAD = frozenset("currently now also still just recently usually mostly mainly presently".split())
# A word in a longer head that tells what its items are: `Dietary stuff for the retreat:`.
_TOPICS = {
    "dietary": "diet", "diets": "diet", "diet": "diet", "allergies": "allergies", "allergy": "allergies", "ages": "age",
    "birthdays": "birthday", "roles": "role", "jobs": "job", "emails": "email", "phones": "phone",
    "numbers": "phone number",
    "locations": "location", "cities": "city", "timezones": "timezone", "languages": "languages", "hobbies": "hobbies",
    "skills": "skills", "meds": "meds", "medication": "medication", "medications": "medications",
    "instruments": "instruments",
    "pets": "pets", "headcount": "pets", "menagerie": "pets", "animals": "pets", "livestock": "pets", "flock": "pets",
    "herd": "pets", "census": "pets", "zoo": "pets", "household": "pets", "deadlines": "deadline",
    "wishes": "wish list",
}  # fmt: skip


def speaker_label(english: English, turn: Turn, toks: list[Token]) -> tuple[str, int] | None:
    """(name, tokens) of `[Tom] ..`, `<Tom> ..`, `Tom> ..`, `[12:04] Tom: ..`; `me` is the speaker."""
    i = 0
    n = len(toks)
    if n > 3 and toks[0].low in ("[", "(") and toks[1].kind in "nx":  # a time stands first
        while i < n and toks[i].low not in ("]", ")"):
            i += 1
        i += 1
        j = english.people.name_at(toks, i) if i < n else i
        if i < j < n - 1 and toks[j].low in (":", ">"):
            return english.people.text(toks, i, j), j + 1
        return None
    said = next((k for k in range(1, min(n - 1, 7)) if toks[k].low == ":" and toks[k + 1].kind == "q"), None)
    if said is not None:  # `Email from Zoe: "..."`, `Zoe's out-of-office: "..."`
        if toks[0].low in _WRITINGS and toks[1].low == "from":
            j = english.people.name_at(toks, 2)
            if 2 < j == said:
                return english.people.text(toks, 2, j), said + 1
        j = english.people.name_at(toks, 0)
        if 0 < j < said - 1 and toks[j].low == "'s" and toks[said - 1].low in _WRITINGS:
            return english.people.text(toks, 0, j), said + 1
    if n > 3 and toks[0].low in ("[", "<"):
        close = "]" if toks[0].low == "[" else ">"
        j = english.people.name_at(toks, 1)
        if toks[1].low in ("me", "i") and toks[2].low == close:
            return turn.speaker, 3
        if 1 < j < n - 1 and toks[j].low == close:
            return english.people.text(toks, 1, j), j + 1 + (toks[j + 1].low == ":")
        return None
    j = english.people.name_at(toks, 0)
    if 0 < j < n - 1 and toks[j].low == ">" and toks[j].start == toks[j - 1].end:
        return english.people.text(toks, 0, j), j + 1
    return None


def head_of(english: English, head: list[Token], owner: str, rest: list[str]) -> Heading | None:
    """A heading of relatives, of a verb without subject, or of a topic."""
    if not rest or len(rest) > 7:
        return None
    if rest in (["please", "no"], ["no", "thanks"], ["no", "thank", "you"], ["not", "for", "me"]):
        return Heading(head, None, (owner, "dislikes"), 0)
    for i, word in enumerate(rest):  # `Favourites, ranked:`, `Date of birth for the form:`
        noun = " ".join(rest[:i])
        if i and word in _CUTS and noun in english.nouns:
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
    while a < len(toks) and toks[a].low in _LEAD:
        a += 1
    if a < len(toks) and len(toks) - a <= 3 and head[0] is toks[0]:
        low = toks[a].low
        known = english.forms.get(low)
        verb = None
        if low in _BE:
            verb = Verb("be", a, a, bare=True)
        elif low in _SAYS and known:
            tense = "past" if known[1] in ("d", "dn") else "pres"
            verb = Verb(known[0], a, a + 1, tense=tense, prog=known[1] == "g", form=known[1][0], bare=True)
        if verb is not None:
            return Heading(head, Clause(0, len(toks), None, [], [verb], elided=True, broken=True), None, 0)
    if any(word in english.forms and word not in english.nouns and word not in _TOPICS for word in rest[:3]):
        return None
    for word in rest:
        if word in _TOPICS and "." not in rest:
            return Heading(head, None, (owner, _TOPICS[word]), 0)
    return None


def owner_of(english: English, turn: Turn, toks: list[Token], a: int, b: int) -> tuple[str, int] | None:
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
