"""Mentions of people, animals and groups, and the memory of those of one turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

__all__ = ["Memory", "Mention", "told_apart"]

_SEVERAL = frozenset(
    "parents grandparents kids children sisters brothers sons daughters neighbours neighbors cousins grandchildren "
    "colleagues friends in-laws siblings twins nephews nieces aunts uncles".split()
)


@dataclass(slots=True)
class Mention:
    """A person, animal or group in the sentence: tokens [start, end), what to call it, what the words tell."""

    start: int
    end: int
    name: str
    gender: str | None = None
    kind: str = "person"  # person, animal, group, speaker, fictional
    relation: str | None = None  # the relation word, as in `sister`
    owner: str | None = None  # whose
    named: bool = False
    role: str | None = None  # what it was called before its name was known: `user's sister`
    weak: bool = False  # a name where that of a place or a thing would stand too: `in Berlin`
    sentence: int = 0  # in which sentence of the turn it was last
    former: bool = False  # `my former boss`

    @property
    def several(self) -> bool:
        """`Tom's parents`: nobody whom `he` or `she` can mean."""
        return self.relation in _SEVERAL


_REMEMBERED: Final = 64
"""People of a turn, the last ones. Each sentence looks through them all."""


@dataclass(slots=True)
class Memory:
    """The people of one turn, newest last, and other names they go by."""

    speaker: str
    people: list[Mention] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    thing: str | None = None  # what `it` was last
    sentence: int = 0  # how many have been read

    def add(self, mention: Mention) -> None:
        for known in self.people:
            if known.name == mention.name:
                known.gender = known.gender or mention.gender
                known.weak = known.weak and mention.weak
                self.people.remove(known)
                known.kind = mention.kind if known.kind == "person" else known.kind
                known.relation = known.relation or mention.relation
                known.owner = known.owner or mention.owner
                known.sentence = mention.sentence
                self.people.append(known)
                return
        self.people.append(mention)
        del self.people[:-_REMEMBERED]
        if mention.role and mention.named:
            self.aliases[mention.role] = mention.name

    def resolve(self, pronoun: str, *, skip: frozenset[str] = frozenset()) -> Mention | None:
        """The last person who can be `he` or `she` (or `they`); who is so called keeps that gender."""
        gender = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f"}.get(pronoun)
        fitting = [
            p
            for p in self.people
            if p.name not in skip
            and not p.weak
            and p.kind in ("person", "animal")
            and not (gender and p.several)
            and (gender is None or p.gender in (None, gender))
        ]
        if not fitting:
            return None
        if gender is None and pronoun in ("they", "them", "their"):
            fitting = [p for p in fitting if p.gender is None] or fitting
        best = told_apart(fitting, gender)
        if gender and best.gender is None:
            best.gender = gender
        return best


def told_apart(fitting: list[Mention], gender: str | None) -> Mention:
    """The last of those that fit; of `Tom and Runa`, whose names stand in one sentence, `he` is Tom."""
    best = fitting[-1]
    exact = [p for p in fitting if p.gender == gender and gender]
    if best.gender is None and exact and (best.kind == "animal" or exact[-1].sentence == best.sentence):
        return exact[-1]
    return best
