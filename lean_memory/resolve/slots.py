"""Which propositions can contradict each other, and so share a slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lean_memory.claims import Claim
from lean_memory.names import name_key

__all__ = ["PredicateRule", "Rules", "slot_key"]

_SEPARATOR = "\x1f"


class PredicateRule(Protocol):
    """What the predicate table says of one predicate.

    `functional`: one value at a time. `shared_slot`: many may hold, and an end may name one of them in short.
    `replaceable`: so too, and one said to hold now replaces the only one there was. `kind`: a state holds over
    time, an event has happened and stays so. `excludes`: predicates that can't be true of the same object together
    (likes, dislikes). `ends`: predicates that this one ends for the same object (married_to ends engaged_to).
    `alternatives`: values of which one holds at a time.
    """

    @property
    def functional(self) -> bool: ...
    @property
    def shared_slot(self) -> bool: ...
    @property
    def replaceable(self) -> bool: ...
    @property
    def kind(self) -> str: ...
    @property
    def excludes(self) -> tuple[str, ...]: ...
    @property
    def ends(self) -> tuple[str, ...]: ...
    @property
    def alternatives(self) -> tuple[str, ...]: ...


class Rules:
    """The predicate table as contradictions see it. A predicate that the table lacks is a multi-valued state."""

    def __init__(self, table: Mapping[str, PredicateRule]) -> None:
        self._functional = frozenset(name for name, rule in table.items() if rule.functional)
        self._replaceable = frozenset(name for name, rule in table.items() if rule.replaceable)
        self._alternatives = {
            name: frozenset(map(name_key, rule.alternatives)) for name, rule in table.items() if rule.alternatives
        }
        self._spanning = (
            self._functional
            | self._alternatives.keys()
            | self._replaceable
            | {n for n, rule in table.items() if rule.shared_slot}
        )
        self._events = frozenset(name for name, rule in table.items() if rule.kind == "event")
        self._excludes = frozenset(
            pair for name, rule in table.items() for other in rule.excludes for pair in ((name, other), (other, name))
        )
        self._ends = frozenset((name, other) for name, rule in table.items() for other in rule.ends)
        self._group: dict[str, tuple[str, ...]] = {}

    def is_event(self, predicate: str) -> bool:
        return predicate in self._events

    def is_functional(self, predicate: str) -> bool:
        return predicate in self._functional

    def group(self, predicate: str) -> tuple[str, ...]:
        """The predicates linked to this one through `excludes` and `ends`, itself included, sorted."""
        found = self._group.get(predicate)
        if found is None:
            links = self._excludes | self._ends
            members, fresh = {predicate}, {predicate}
            while fresh:
                fresh = {b for a, b in links if a in fresh} | {a for a, b in links if b in fresh}
                fresh -= members
                members |= fresh
            found = tuple(sorted(members))
            self._group.update(dict.fromkeys(members, found))
        return found

    def single(self, predicate: str) -> bool:
        """Whether the slot of this predicate spans all objects."""
        return not self._spanning.isdisjoint(self.group(predicate))

    def replaces(self, new: Claim, old: Claim) -> bool:
        """Whether `new`, said to hold now, can stand for `old` where that is the only one."""
        return new.predicate == old.predicate and new.predicate in self._replaceable and old.polarity == "positive"

    def conflicts(self, new: Claim, old: Claim) -> bool:
        """Whether `new`, once true, means that `old` no longer is."""
        if self.is_event(new.predicate):
            return self._denies(new, old)
        same_object = name_key(new.object) == name_key(old.object)
        if new.predicate == old.predicate:
            if new.polarity != old.polarity:
                return same_object
            if new.polarity == "negative" or same_object:
                return False
            alternatives = self._alternatives.get(new.predicate, frozenset())
            either = {name_key(new.object), name_key(old.object)} <= alternatives
            return either or new.predicate in self._functional
        if not same_object or old.polarity == "negative" or new.polarity == "negative":
            return False
        return (new.predicate, old.predicate) in self._excludes or (new.predicate, old.predicate) in self._ends

    @staticmethod
    def _denies(new: Claim, old: Claim) -> bool:
        return (
            new.predicate == old.predicate
            and new.polarity != old.polarity
            and name_key(new.object) == name_key(old.object)
        )


def slot_key(rules: Rules, subject: str, predicate: str, object: str) -> str:
    """The slot a proposition belongs to: its subject and predicate group, and its object where many may hold."""
    parts = [name_key(subject), rules.group(predicate)[0]]
    if not rules.single(predicate):
        parts.append(name_key(object))
    return _SEPARATOR.join(parts)
