"""The English word lists of `english.toml`, read once, as sets."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from importlib import resources

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

__all__ = ["Lexicon", "lexicon", "object_words"]


@dataclass(frozen=True)
class Lexicon:
    """Word sets by name: `lexicon()["adverbs"]`. `verbs` are base forms."""

    words: dict[str, frozenset[str]]
    verbs: frozenset[str]

    def __getitem__(self, name: str) -> frozenset[str]:
        return self.words[name]


@functools.lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The packaged English lexicon."""
    raw = tomllib.loads(resources.files(__package__).joinpath("english.toml").read_text(encoding="utf-8"))
    return Lexicon(
        {name: frozenset(text.split()) for name, text in raw["words"].items()},
        frozenset(raw["verbs"]["known"].split()) - {"can't"},
    )


@functools.lru_cache(maxsize=1)
def object_words() -> dict[str, frozenset[str]]:
    """The word lists of `objects.toml`: what object phrases may be, and where they end."""
    raw = tomllib.loads(resources.files(__package__).joinpath("objects.toml").read_text(encoding="utf-8"))
    return {name: frozenset(text.split()) for name, text in raw["words"].items()}
