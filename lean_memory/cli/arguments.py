"""The command line as text: what is stored and searched is UTF-8, what a system hands over need not be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

__all__ = ["ANY_WORDS", "check_words", "files_named"]


def check_words(command: click.Command) -> None:
    """From now on the command refuses words that are no text, and paths that SQLite can't open: it takes UTF-8 alone.

    A file that is only read may have any name.
    """
    for param in command.params:
        if type(param.type) is click.types.StringParamType:
            param.type = _Text()
        elif isinstance(param.type, click.Path) and param.type.type is Path:
            param.type = _Place(param.type)
    if isinstance(command, click.Group):
        for one in command.commands.values():
            check_words(one)


def files_named(names: Sequence[str]) -> list[str]:
    """The files on the command line. Windows leaves `*.txt` to the program that is called."""
    if os.name != "nt":
        return list(names)
    from glob import glob

    return [file for name in names for file in (not os.path.exists(name) and sorted(glob(name))) or [name]]


class _Text(click.types.StringParamType):
    """UTF-8, also where the locale knows no more than ASCII."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = super().convert(value, param, ctx)
        try:
            return text if _is_text(text) else os.fsencode(text).decode("utf-8")
        except UnicodeError:
            self.fail(f"{_shown(text)} is not UTF-8", param, ctx)


class _AnyWords(click.types.StringParamType):
    """What of it is no text is left out of consideration: for a question."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = super().convert(value, param, ctx)
        return text if _is_text(text) else os.fsencode(text).decode("utf-8", "replace")


ANY_WORDS = _AnyWords()


class _Place(click.Path):
    def __init__(self, like: click.Path) -> None:
        super().__init__(dir_okay=like.dir_okay, path_type=like.type)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if not _is_text(str(path)):
            self.fail(f"{_shown(str(path))} is not UTF-8", param, ctx)
        return path


def _is_text(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _shown(text: str) -> str:
    return repr(os.fsencode(text))[1:]
