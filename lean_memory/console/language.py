"""The console's languages: the words are data, the reader's choice is `Accept-Language`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["LANGUAGES", "Words", "chosen", "words"]

_FOLDER: Final = Path(__file__).parent / "words"
LANGUAGES: Final = ("en", "zh")


class Words:
    """One language. `say("review.until", date=..)` is the phrase with its values."""

    def __init__(self, code: str, table: Mapping[str, str]) -> None:
        self.code = code
        self._table = table

    def say(self, key: str, **values: object) -> str:
        """The phrase. Raises KeyError where there is none. `count=1` takes the phrase for one, where there is one."""
        if values.get("count") == 1 and f"{key}_one" in self._table:
            key = f"{key}_one"
        return self._table[key].format_map(values)

    def keys(self) -> frozenset[str]:
        """Of all its phrases."""
        return frozenset(self._table)


@cache
def words(code: str) -> Words:
    """The language with this code."""
    parsed = tomllib.loads((_FOLDER / f"{code}.toml").read_text("utf-8"))
    table = {"name": parsed.pop("name")}
    table |= {f"{part}.{key}": phrase for part, phrases in parsed.items() for key, phrase in phrases.items()}
    return Words(code, table)


def chosen(accept: str) -> str:
    """The language that an Accept-Language header (RFC 9110, 12.5.4) likes best; English if none of ours."""
    wanted = []
    for place, item in enumerate(accept.split(",")):
        name, _, rest = item.strip().partition(";")
        try:
            weight = float(rest.strip().removeprefix("q=")) if rest else 1.0
        except ValueError:
            weight = 0.0
        wanted.append((-weight, place, name.split("-")[0].lower()))
    return next((name for weight, _, name in sorted(wanted) if name in LANGUAGES and weight < 0), "en")
