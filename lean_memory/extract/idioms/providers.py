"""Whom one is with as a customer: `we're with Acme Energy`, `I was with Acme until they doubled the price`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["providers"]

_SERVES = re.compile(
    r"\b(?:mobile|telecom|telekom|broadband|fib(?:re|er)|energy|electric(?:ity)?|power|gas|water|bank|banking|insurance|mutual|"
    r"assurance|credit union|internet|wireless|cellular)\b",
    re.IGNORECASE,
)
_BILLED = re.compile(
    r"\b(?:prices?|tariffs?|bills?|premiums?|contract|provider|broadband|wi-?fi|internet|insurance|electricity|the gas"
    r"|mortgage|current account|sim|roaming|data plan|mobile plan|reception|signal|customer service|fees?|per month"
    r"|a month|streaming|subscription|policy|landline|phone bill|direct debit)\b",
    re.IGNORECASE,
)
_AS_STAFF = re.compile(r"\b(?:as an?|team|department|colleagues?|boss|manager|shift|job|office)\b", re.IGNORECASE)


def providers(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """Who is `with` a firm that serves customers uses it, and does not work there. Changes what was read so."""
    for clause in clauses:
        verb, i = clause.verbs[-1], clause.verbs[-1].end
        while i < clause.hi and s.toks[i].low in s.e.lex["adverbs"]:
            i += 1
        if verb.lemma not in ("be", "stay") or i >= clause.hi or s.toks[i].low != "with":
            continue
        a, b = s.span(clause)
        for r in out:
            if r.predicate != "works_at" or not (a <= r.start and r.end <= b):
                continue
            several = clause.subject is not None and s.toks[clause.subject[0]].low == "we"
            served = _SERVES.search(r.object) or s.turn.first(_BILLED)
            if (served or several) and not s.turn.first(_AS_STAFF) and "uses" in s.e.table:
                r.predicate = "uses"
    return []
