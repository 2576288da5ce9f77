"""The Chinese word lists of `chinese.toml`, longest word first, and patterns made of them."""

from __future__ import annotations

import functools
import re
import sys
from importlib import resources

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

__all__ = ["NAME", "QUOTE", "chinese_words", "one_of"]

NAME = re.compile(r"[\u4e00-\u9fff]{2,4}(?:·[\u4e00-\u9fff]{1,6})?|[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)?")
QUOTE = re.compile(r"[“「『\"]([^”」』\"]{2,200})[”」』\"]")


@functools.lru_cache(maxsize=1)
def chinese_words() -> dict[str, tuple[str, ...]]:
    raw = tomllib.loads(resources.files("lean_memory.extract").joinpath("chinese.toml").read_text(encoding="utf-8"))
    return {name: tuple(sorted(text.split(), key=len, reverse=True)) for name, text in raw.items()}


def one_of(words: tuple[str, ...]) -> str:
    return "(?:" + "|".join(map(re.escape, words)) + ")"
