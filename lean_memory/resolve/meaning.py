"""Which value an end or a denial means, when it names it in short: `left the quiz team` of the `Tuesday quiz team`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lean_memory.claims import Claim
from lean_memory.resolve.ladder import tells_apart
from lean_memory.words import tokens

__all__ = ["meant"]


def meant(claims: Sequence[Claim]) -> list[Claim]:
    """The claims, with ends and denials of a value that nobody claimed under that name told of the one value they
    can mean: whose words hold all of its words, or the reverse. Where it could mean two it means none. A denial
    stands beside what it means, as it is a proposition of its own; an end is only that.
    """
    claimed: dict[str, dict[str, Claim]] = {}
    for claim in claims:
        if claim.polarity == "positive" and claim.valid_to is None:
            claimed.setdefault(claim.predicate, {})[claim.fact] = claim
    result: list[Claim] = []
    for claim in claims:
        known = claimed.get(claim.predicate, {})
        if not _ends(claim) or any(other.object.casefold() == claim.object.casefold() for other in known.values()):
            result.append(claim)
            continue
        candidates = [other for other in known.values() if _same_in_short(claim.object, other.object)]
        if len(candidates) != 1 or claim.polarity == "negative":
            result.append(claim)
        if len(candidates) == 1:
            [other] = candidates
            end = claim.valid_to if claim.polarity == "positive" else claim.valid_at
            result.append(
                replace(
                    claim, fact=other.fact, object=other.object, polarity="positive", valid_at=None,
                    valid_to=claim.said_at if end is None else end,
                )
            )  # fmt: skip
    return result


def _ends(claim: Claim) -> bool:
    return claim.polarity == "negative" or claim.valid_to is not None


def _same_in_short(one: str, other: str) -> bool:
    words, others = frozenset(tokens(one)), frozenset(tokens(other))
    if not words or not others or not (words <= others or others <= words):
        return False
    return tells_apart(one, other) in (None, "a name")  # the short form may well leave out a name
