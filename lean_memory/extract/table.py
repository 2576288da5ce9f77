"""The predicate table: what may be said of whom, read from `predicates.toml` and a user's own file.

The phrase language. A phrase is a verb in its base form and what follows it, in plain words:

    work at|for {o}        alternatives with `|`
    be {job_title} at {o}  a slot named after another predicate states that one too
    have * called {o}      `*` is up to four words without punctuation
    not stand {o}          only in the negative, which is used up
    my first words (really)  words in parentheses may be missing
    take {y} on $          nothing but a time or another clause follows

`{o}` is the object of the predicate under which the phrase stands. `phrases` state it, `starts` begin it, `stops` end
it. `nouns` give `my NOUN is {o}`, `NOUN: {o}` and `{o} is my NOUN`; `relatives` give `my NOUN Anna`. A `[[rule]]` says
several things at once: `say = "switch from {x} to {y}"`, `facts = ["s -uses x", "s +uses y"]`, where `-` ends, `+`
begins, `!` denies and no mark states.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from lean_memory.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

__all__ = ["Predicate", "PredicateTable", "Rule", "default_table", "extended_table", "load_table"]


@dataclass(frozen=True)
class Predicate:
    """One row of the table. `functional`: one value at a time. `shared_slot`: many, which an end may name
    in short (`left the club`). `replaceable`: so too, and `I use X now` replaces the one there was.
    `kind`: a `state` holds for a while, an `event` happens.

    `excludes`: predicates that can't hold with this one of the same pair (likes, dislikes). `ends`: what this one
    ends with the same person (married_to ends engaged_to). `alternatives`: values of which one holds at a time (vegan,
    vegetarian), among others that may hold beside them. `asks`: words that people ask with. `text`: the sentence,
    with {s}, {o} and the verb in brackets.
    """

    name: str
    functional: bool = False
    shared_slot: bool = False
    replaceable: bool = False
    kind: str = "state"
    subject: str = "person"
    object: str = "thing"
    excludes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    inverse: str | None = None
    symmetric: bool = False
    salience: float = 5.0
    text: str = "{s} [be] {o}"
    asks: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    together_stops: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    relatives: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()
    zh_starts: tuple[str, ...] = ()
    zh_stops: tuple[str, ...] = ()
    zh_nouns: tuple[str, ...] = ()
    zh_relatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A phrase that states several facts; see the module's text."""

    say: str
    facts: tuple[str, ...]


class PredicateTable(Mapping[str, Predicate]):
    """All predicates by name, and the rules over them."""

    def __init__(self, predicates: Mapping[str, Predicate], rules: tuple[Rule, ...] = ()) -> None:
        self._predicates = dict(predicates)
        self.rules = rules

    def __getitem__(self, name: str) -> Predicate:
        return self._predicates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._predicates)

    def __len__(self) -> int:
        return len(self._predicates)


_FIELDS = {name: field.type for name, field in Predicate.__dataclass_fields__.items() if name != "name"}


def load_table(*texts: str) -> PredicateTable:
    """Reads TOML texts in order; a later one adds predicates, and replaces fields of earlier ones.

    Lists of phrases are added to, not replaced: a user's file that gives `works_at` one more phrase keeps the rest.

    Raises:
        UsageError: a text is not TOML, names an unknown field, or a value has the wrong type.
    """
    rows: dict[str, dict[str, Any]] = {}
    rules: list[Rule] = []
    for text in texts:
        try:
            raw = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"the predicate file is not TOML: {error}", code="bad_predicates") from None
        for entry in raw.pop("rule", []):
            try:
                rules.append(Rule(str(entry["say"]), tuple(str(fact) for fact in entry["facts"])))
            except (KeyError, TypeError):
                raise UsageError(
                    "a [[rule]] of the predicate file needs `say` and `facts`",
                    hint='write it like say = "switch from {x} to {y}", facts = ["s -uses x", "s +uses y"]',
                    code="bad_predicates",
                ) from None
        for name, entry in raw.items():
            row = rows.setdefault(name, {})
            if not isinstance(entry, dict):
                raise UsageError(f"predicate {name!r} is not a table", hint=f"write [{name}]", code="bad_predicates")
            for key, value in entry.items():
                row[key] = _merged(name, key, value, row.get(key))
    return PredicateTable({name: Predicate(name, **row) for name, row in rows.items()}, tuple(rules))


def _merged(name: str, key: str, value: Any, before: Any) -> Any:
    kind = _FIELDS.get(key)
    if kind is None:
        raise UsageError(
            f"predicate {name!r} has an unknown field {key!r}", hint="known: " + " ".join(sorted(_FIELDS)),
            code="bad_predicates",
        )  # fmt: skip
    if str(kind).startswith("tuple"):
        if isinstance(value, str):
            value = value.split() if key in ("relatives", "former", "excludes", "ends", "zh_relatives") else [value]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise UsageError(f"{name}.{key} must be a list of strings", code="bad_predicates")
        return (before or ()) + tuple(item for item in value if item not in (before or ()))
    wanted = {"bool": bool, "float": (int, float)}.get(str(kind), str)
    if not isinstance(value, wanted):  # type: ignore[arg-type]
        raise UsageError(f"{name}.{key} must be a {kind}", code="bad_predicates")
    return value


@functools.lru_cache(maxsize=1)
def default_table() -> PredicateTable:
    """The packaged table."""
    return load_table(_packaged())


def extended_table(own: str) -> PredicateTable:
    """The packaged table with a user's own TOML text over it. Raises UsageError as `load_table`."""
    return load_table(_packaged(), own)


def _packaged() -> str:
    return resources.files("lean_memory.extract").joinpath("predicates.toml").read_text(encoding="utf-8")
