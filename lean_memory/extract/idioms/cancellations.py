"""Plans that come to nothing: `Lisbon's off`, `we called off the wedding`, `not going to Rome after all`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["cancellations"]

_CANCEL = r"(?:cancell?(?:ed|ing)|call(?:ed|ing)? off|scrapped|scrubbed|shelved|binned|axed|dropped)"
_WHAT = r"(?P<what>(?:[\w'’-]+ ){0,4}?[\w'’-]+?)"
_GOING = r"(?:going|moving|travell?ing|flying|heading|coming)"
_THEN = r"(?= (?:for|in|on|with|because|since|at|this|next)\b|[.,;!]|$)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_WHAT}(?:'s| is| are|'s been| (?:has|have) been)(?: all| now)? (?:off|{_CANCEL})\b(?=[.,;!]|$)",
        rf"\b{_CANCEL} (?:the|my|our) (?:plans? (?:to|for) )?{_WHAT}{_THEN}",
        rf"\bnot {_GOING} to {_WHAT} (?:after all|any ?more|now)\b",
        rf"\bno longer (?:{_GOING}|planning to (?:go|visit|move)) (?:to )?{_WHAT}(?=[.,;!]|$)",
    )
)
_MARKS = ("off", "cancel", "scrapped", "scrubbed", "shelved", "binned", "axed", "dropped", "not ", "no longer")
_PLAN_CUES = re.compile(
    rf"\b(?:{_CANCEL}|trips?|plans?|after all|holiday|flights?|tickets?|no longer)\b", re.IGNORECASE
)
_UNREAL = re.compile(r"\b(?:if|might|maybe|would|should|could|unless|wish)\b|\?\s*$", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:so|and|but|well|sadly|ok|okay|the|my|our|trip to|holiday in|visit to|we|i) +)+", re.IGNORECASE
)
_EMPTY = frozenset(
    "it that this everything all trip plan plans the holiday i we he she they you there thing things subscription "
    "membership contract order meeting what he's day".split()
)


def cancellations(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Ends the plan that the words name, in short or in full; who reads the slot knows which one that is."""
    begin, end = s.toks[0].start, s.toks[-1].end
    sentence = s.turn.text[begin:end]
    low = sentence.lower()
    if not any(mark in low for mark in _MARKS):
        return []
    if not s.turn.first(_PLAN_CUES) or _UNREAL.search(sentence):
        return []
    for form in _FORMS:
        found = form.search(sentence)
        if found is None:
            continue
        what = _LEAD.sub("", found["what"]).removesuffix(" trip").removesuffix(" holiday").strip()
        if not what or not _EMPTY.isdisjoint((what.lower(), what.split()[0].lower(), what.split()[-1].lower())):
            continue
        return [
            Reading(
                s.turn.speaker, "plans_to", what, begin, end, ends=s.turn.t_ref, confidence=0.7, past=True,
                text=f"{s.turn.speaker}'s plan is off: {what}",
            )
        ]  # fmt: skip
    return []
