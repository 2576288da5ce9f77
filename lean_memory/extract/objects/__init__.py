"""What a slot may hold: an object phrase is cut where comment begins, split where it lists, and checked by its kind."""

from __future__ import annotations

from collections.abc import Callable

from lean_memory.extract.lexicon import Lexicon
from lean_memory.extract.objects.cutting import Value
from lean_memory.extract.objects.health import Health
from lean_memory.extract.objects.identity import Identity
from lean_memory.extract.objects.pastimes import Pastimes
from lean_memory.extract.objects.places import Places
from lean_memory.extract.objects.plans import Plans
from lean_memory.extract.objects.things import Things
from lean_memory.extract.objects.work import Work
from lean_memory.extract.people import People
from lean_memory.extract.tokens import Token

__all__ = ["Objects", "Value"]

_THEN = frozenset("the that this".split())
_SAME = frozenset("same very following next".split())
_UNITS = frozenset(
    "minute hour morning afternoon evening night day week weekend month season summer winter spring autumn year".split()
)


class Objects(Identity, Places, Work, Health, Things, Pastimes, Plans):
    """`clean(kind, tokens, a, b)` gives the values that tokens [a, b) name when a `kind` is wanted."""

    def __init__(self, lexicon: Lexicon, people: People) -> None:
        super().__init__(lexicon, people)
        self._kinds: dict[str, Callable[[list[Token], int, int], list[Value]]] = {
            "name": self._name,
            "age": self._age,
            "date": self._date,
            "place": self._place,
            "address": self._address,
            "phone": self._phone,
            "email": self._email,
            "timezone": self._timezone,
            "org": self._org,
            "school": self._school,
            "job": self._job,
            "role": self._role,
            "is_so": self._is_so,
            "got_so": self._got_so,
            "language": self._language,
            "diet": self._diet,
            "nationality": self._nationality,
            "animal": self._animal,
            "pet_got": self._animal_strict,
            "livestock": self._livestock,
            "vehicle": self._vehicle,
            "device": self._device,
            "goods": self._goods,
            "condition": self._condition,
            "condition_adjective": self._condition_adjective,
            "medicine": self._medicine,
            "medicine_known": self._medicine_known,
            "allergen": self._list,
            "liking": self._liking,
            "thing": self._list,
            "interest": self._liking,
            "tool": self._tool,
            "tool_known": self._tool_known,
            "service": self._service,
            "tool_named": self._tool_named,
            "os": self._os,
            "tool_unplaced": self._tool_unplaced,
            "tool_impersonal": self._tool_impersonal,
            "aid": self._aid,
            "aid_had": self._aid_had,
            "craft": self._craft,
            "sight": self._sight_seen,
            "possession_given": self._possession_given,
            "possession_own": self._possession_own,
            "shop": self._shop,
            "group": self._group,
            "playable": self._playable,
            "playable_known": self._playable_known,
            "voice": self._voice,
            "position": self._position,
            "side": self._side,
            "sport_coached": self._sport_coached,
            "activity": self._liking,
            "field": self._field,
            "field_known": self._field_known,
            "destination": self._destination,
            "occasion": self._occasion,
            "work": self._work,
            "film": self._film,
            "book": self._book,
            "learnable": self._learnable,
            "undertaking": self._undertaking,
            "exam": self._exam,
            "responsibility": self._responsibility,
            "led": self._led,
            "people": self._people_counted,
            "duty": self._duty,
            "department": self._department,
            "skill": self._liking,
            "possession": self._possession,
            "purchase": self._possession,
            "preference": self._preference,
            "wish": self._wish,
            "plan": self._plan,
            "decision": self._plan,
            "opinion": self._plan,
            "children": self._children,
            "child": self._children,
            "subject_taught": self._taught,
            "outing": self._outing,
            "sport": self._sport,
            "fondness": self._fondness,
            "counted_children": self._counted_children,
            "hobby_known": self._pastime,
            "collection": self._collection,
            "place_known": self._place_known,
            "org_left": self._org_left,
            "employer": self._employer,
            "org_named": self._org_named,
            "workplace": self._workplace,
            "school_known": self._school_known,
            "job_bare": self._job_bare,
            "vehicle_known": self._vehicle_known,
            "possession_named": self._possession_named,
            "against": self._against,
            "siblings": self._siblings,
            "food": self._food,
            "titled": self._titled,
            "org_known": self._org_known,
            "need": self._nothing,
            "belief": self._nothing,
            "skillverb": self._skillverb,
            "person": self._person_name,
            "project": self._list,
        }

    def knows(self, kind: str) -> bool:
        """Is there such a type?"""
        return kind in self._kinds

    def clean(self, kind: str, toks: list[Token], a: int, b: int) -> list[Value]:
        """The values in tokens [a, b), empty when they are not of that kind."""
        while b > a and ((toks[b - 1].kind == "p" and toks[b - 1].low not in ")%") or toks[b - 1].low in self._asides):
            b -= 1
        if b - a > 2 and toks[b - 2].low == "any" and toks[b - 1].low in ("more", "longer"):
            b -= 2
        for i in range(a + 1, b - 2):  # `a house the same year`
            if (
                toks[i].low in _THEN
                and toks[i + 1].low in _SAME
                and {toks[i + 2].low, toks[min(i + 3, b - 1)].low} & _UNITS
            ):
                b = i
                break
        while b - a > 1 and toks[b - 1].low in ("the", "a", "an", "very"):  # what followed was a time
            b -= 1
        if a >= b or toks[a].low == "rid":  # `got rid of ..`
            return []
        return [v for v in self._kinds.get(kind, self._list)(toks, a, b) if v.a < v.b and v.text.strip()]
