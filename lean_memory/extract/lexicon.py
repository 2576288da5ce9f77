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

__all__ = ["Lexicon", "lexicon", "object_words", "word_lists"]


@dataclass(frozen=True)
class Lexicon:
    """Word sets by name: `lexicon()["adverbs"]`. `verbs` are base forms."""

    words: dict[str, frozenset[str]]
    verbs: frozenset[str]

    def __getitem__(self, name: str) -> frozenset[str]:
        return self.words[name]


@functools.lru_cache(maxsize=1)
def _raw() -> dict[str, dict[str, str]]:
    raw: dict[str, dict[str, str]] = tomllib.loads(
        resources.files(__package__).joinpath("english.toml").read_text(encoding="utf-8")
    )
    return raw


@functools.lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The packaged English lexicon."""
    return Lexicon(word_lists("words"), frozenset(_raw()["verbs"]["known"].split()) - {"can't"})


@functools.cache
def word_lists(section: str) -> dict[str, frozenset[str]]:
    """The word lists of one section of `english.toml`, by name."""
    return {name: frozenset(text.split()) for name, text in _raw()[section].items()}


@functools.lru_cache(maxsize=1)
def object_words() -> dict[str, frozenset[str]]:
    """The word lists of `objects.toml`: what object phrases may be, and where they end."""
    raw = tomllib.loads(resources.files(__package__).joinpath("objects.toml").read_text(encoding="utf-8"))
    return {name: frozenset(text.split()) for name, text in raw["words"].items()}
