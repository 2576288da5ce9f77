"""Words for relatives and roles: what each states, and whether it tells `he` or `she`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lean_memory.extract.lexicon import word_lists
from lean_memory.extract.table import PredicateTable

__all__ = ["CANON", "Relation", "gender_of", "relation_words"]

CANON = {
    "mam": "mum",
    "sis": "sister",
    "bro": "brother",
    "hubby": "husband",
    "wifey": "wife",
    "bf": "boyfriend",
    "gf": "girlfriend",
}
"""Short words for relatives, and the words that they are kept by."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation word: the predicate it states (None: none), whether over (`ex-wife`), `he`, `she` or unknown."""

    predicate: str | None
    former: bool = False
    gender: str | None = None


def gender_of(word: str | None) -> str | None:
    """m, f, or None where the word doesn't tell."""
    words = word_lists("people")
    return "m" if word in words["male"] else "f" if word in words["female"] else None


def relation_words(table: PredicateTable) -> Mapping[str, Relation]:
    """Every relation word that the table or the lists know, with what it states."""
    out: dict[str, Relation] = {}

    words = word_lists("people")
    for word in words["relatives"]:
        out[word] = Relation("relative_of" if "relative_of" in table else None, gender=gender_of(word))
    for word in words["roles"]:
        out[word] = Relation(None, gender=gender_of(word))
    for predicate in table.values():
        for word in predicate.relatives:
            if word not in ("boy", "girl", "report"):
                out[word] = Relation(predicate.name, gender=gender_of(word))
        for word in predicate.former:
            out[word] = Relation(predicate.name, former=True, gender=gender_of(word))
    return out
