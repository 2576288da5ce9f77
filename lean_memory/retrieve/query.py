"""What a question asks for, read from its words without a model. It boosts answers, it never cuts any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from lean_memory.retrieve import chinese
from lean_memory.words import STOP_WORDS, query_terms, tokens

__all__ = ["Period", "Query", "about", "roles", "tells_time", "understand"]

Period = tuple[int | None, int | None]
"""Half open [from, to) in milliseconds; None is no bound."""

USER: Final = "user"
"""The subject of the first person where no speaker is named."""

_FIRST_PERSON = re.compile(r"\b(i|i'm|i've|i'd|i'll|me|my|mine|myself|we|our|ours)\b", re.IGNORECASE)
_RELATIVE = (
    "mother|father|mom|mum|dad|parents?|sister|brother|siblings?|son|daughter|kids?|child(?:ren)?|wife|husband|spouse|"
    "partner|fianc[eé]e?|boyfriend|girlfriend|ex|uncle|aunt|cousin|nephew|niece|grand\\w+|[a-z]+-in-law|friends?|"
    "roommate|flatmate|neighbou?r|colleagues?|co-?workers?|boss|manager|team|doctor|teacher|landlord|dog|cat"
)
_ROLE = re.compile(rf"\b(?:my|our)\s+(?:\w+\s+)?({_RELATIVE})\b", re.IGNORECASE)
_OF_RELATIVE = re.compile(rf"\b(?:my|our)\s+(?:\w+\s+)?(?:{_RELATIVE})\b", re.IGNORECASE)
_WHO_IS_MY = re.compile(
    rf"\bwho(?:'s|\s+is|\s+was|\s+are|\s+were)\s+(?:my|our)\s+(?:[\w-]+\s+)?(?:{_RELATIVE})"
    r"(?:\s+(?:now|currently|again|these days|at the moment))?\W*$",
    re.IGNORECASE,
)
"""Asks who has the role, and so about the user; `who is my sister married to` asks about her."""

_ASKS = re.compile(r"\b(who|whom|whose|what|which|where|when|why|how)\b|\?", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(not|no|never|none|without|cannot|avoid|dislikes?|hates?)\b|n't\b|^\W*(do|does|did|is|are|am|was|were|has|have|can|could)\b",
    re.IGNORECASE,
)
_ASKS_TIME = re.compile(
    r"\b(when|since when|how long|how many (days|weeks|months|years)|how often|how old|what (day|date|month|year|time)"
    r"|which (day|date|month|year))\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(used to|previous(ly)?|former(ly)?|originally|at first|in the past|back then|(?<!how )old)\b", re.IGNORECASE
)
_EARLIER = re.compile(r"\b(before|last time)\b", re.IGNORECASE)  # of the past, unless it is asked what one does
_NOW = re.compile(r"\b(now|currently|nowadays|these days|at the moment|so far|at present)\b", re.IGNORECASE)
_NEWEST = re.compile(r"\b(latest|newest|(?:most )?recent(?:ly)?|current|lately|still|already|yet)\b", re.IGNORECASE)
_TENSE = re.compile(
    r"(?:\b(do|does|am|is|are|have|has|can)|'(?:m|s|re|ve))\b|\b(did|was|were|had|could|will|would|should)\b|n't\b",
    re.IGNORECASE,
)
_TIME_WORD = re.compile(r"[a-z]+|(?:19|20)\d\d")
_TIME_WORDS = frozenset(
    word
    for word in """
    yesterday today tonight tomorrow last next ago since recently just morning weekend week weeks month months year
    years summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january february march
    april may june july august september october november december
    """.split()
)
_VAGUE: Final = 0.5  # words that `where` and the like are worth when they alone ask
_GLANCE: Final = 2000  # characters of a text that are looked at


@dataclass(frozen=True, slots=True)
class Query:
    """A question understood.

    `words` are its tokens, `telling` those that are no stop words, `role` those that name people by what they are to
    the user. `first_person`: asked about the user, not about `my sister`. `asks_time`: when, how long. `past`: what
    used to be; `present`: what is so by now, or what came last. `denial`: what is not so (`what don't I eat`), whether
    it is (`does Anna`), or no question. `predicates`: of the facts that would answer it, and its words that ask for
    them. `opposites`: of those that say the contrary. `periods`: the times it names.
    """

    text: str
    words: frozenset[str]
    telling: frozenset[str] = frozenset()
    role: frozenset[str] = frozenset()
    first_person: bool = False
    asks_time: bool = False
    past: bool = False
    present: bool = False
    denial: bool = False
    predicates: Mapping[str, frozenset[str]] = field(default_factory=dict)
    opposites: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()


def roles(text: str) -> list[str]:
    """The people whom a question names by what they are to the user: `my little sister` is `user's sister`,
    `我妹妹` `user's 妹妹`."""
    found = [match[1] for match in _ROLE.finditer(text.replace("’", "'"))] + chinese.roles(text)
    return [f"{USER}'s {' '.join(role.lower().split())}" for role in dict.fromkeys(found)]


def understand(
    text: str,
    *,
    asks: Mapping[str, Sequence[str]] | None = None,
    excludes: Mapping[str, Sequence[str]] | None = None,
    periods: Sequence[Period] = (),
    names: Sequence[str] = (),
) -> Query:
    """Reads a question.

    Args:
        asks: predicate -> words that people ask for it with (`works_at`: `work`, `employer`). A predicate is asked
            for when the question holds all the words of one of them, in any form and order. Words like `where`, which
            go with most predicates, ask for one only when no others do.
        excludes: predicate -> those that say the contrary of the same object.
        periods: the times that the question's words name, as the caller's date parser found them.
        names: whom its `roles` stand for.
    """
    plain = text.replace("’", "'")
    words = frozenset(tokens(text)).union(*map(tokens, names))
    other = chinese.read(text)
    tense = _TENSE.search(plain)
    present_tense = (tense is not None and tense[2] is None) or (other is not None and other.tense)
    now = _NOW.search(plain) is not None or (other is not None and other.now)
    newest = _NEWEST.search(plain) is not None or (other is not None and other.newest)
    predicates = _predicates(words, asks or {})
    contrary = frozenset(name for asked in predicates for name in (excludes or {}).get(asked, ()))
    doing = tense is not None and tense[1] is not None and tense[1].lower() not in ("have", "has")
    earlier = _EARLIER.search(plain) is not None and not doing
    gone = earlier or _PAST.search(plain) is not None or (other is not None and other.past)
    past = gone and not (present_tense and now)
    mine = _FIRST_PERSON.search(_OF_RELATIVE.sub(" ", plain)) or _WHO_IS_MY.search(plain)
    asking = _ASKS.search(plain) is not None or (other is not None and other.asks)
    return Query(
        text=text,
        words=words,
        telling=frozenset(query_terms(text)) - STOP_WORDS,
        role=frozenset[str]().union(*map(tokens, roles(text))) - {USER},
        first_person=mine is not None or (other is not None and other.first_person),
        asks_time=_ASKS_TIME.search(plain) is not None or (other is not None and other.asks_time),
        past=past,
        present=not past and (present_tense or now or newest),
        denial=not asking or _DENIAL.search(plain) is not None or (other is not None and other.denial),
        predicates=predicates,
        opposites=contrary - predicates.keys(),
        periods=tuple(periods),
    )


def _predicates(words: frozenset[str], asks: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    asked: dict[str, frozenset[str]] = {}
    for name, phrases in asks.items():
        held = frozenset[str]().union(*(phrase for phrase in map(_phrase_words, phrases) if phrase <= words))
        if held:
            asked[name] = held
    return {name: held for name, held in asked.items() if held - STOP_WORDS} or asked


@lru_cache(maxsize=4096)
def _phrase_words(phrase: str) -> frozenset[str]:
    return frozenset(tokens(phrase))


def about(query: Query, name: str | None) -> float:
    """How far the question is about the person: 1 named in full, or first person and `name` is the user; in [0, 1].

    `name` is a fact's subject or an episode's speaker; None stands for the user.
    """
    if name is None or name == USER:
        return float(query.first_person)
    words = _name_words(name)
    return len(words & query.words) / len(words) if words else 0.0


@lru_cache(maxsize=4096)
def _name_words(name: str) -> frozenset[str]:
    """The words that name someone: of `user's sister`, `sister`."""
    return frozenset(tokens(name)) - STOP_WORDS - {USER}


def asks_for(query: Query, predicate: str, subject: str) -> float:
    """How far the question asks for that predicate of that subject, in [0, 1]: the share of its words that ask for it,
    of those that do not say whom it is about. `Where does my sister Anna work?` asks for where Anna works alone."""
    asking = query.predicates.get(predicate)
    if asking is None:
        return 0.0
    telling = query.telling - _name_words(subject) - (query.role - asking)
    return max(len(asking & telling), _VAGUE) / max(len(telling), 1)


def tells_time(text: str) -> bool:
    """Does an English text say when something was? (It need not be what was asked for: evidence, not proof.)"""
    words = _TIME_WORD.findall(text[:_GLANCE].lower())
    return not _TIME_WORDS.isdisjoint(words) or any(word[0] <= "9" for word in words)
