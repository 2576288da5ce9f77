"""Single keys from the terminal. What is typed ahead waits: the mode is set once, not at every key."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

__all__ = ["keys", "line", "read_key"]

_ESCAPE = b"\x1b"
_LONGEST = 8  # of an escape sequence


@contextmanager
def keys() -> Iterator[None]:
    """Inside, `read_key` needs no Enter and shows nothing; Ctrl-C interrupts as ever. The terminal is as it was behind
    it, also after a SIGTERM."""
    if sys.platform == "win32":
        yield
        return
    import signal
    import termios
    import tty

    before = termios.tcgetattr(0)
    ended = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    tty.setcbreak(0, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
        signal.signal(signal.SIGTERM, ended)


@contextmanager
def _lines() -> Iterator[None]:
    """Inside `keys`: whole lines again, with the terminal's own editing."""
    if sys.platform == "win32":
        yield
        return
    import termios

    before = termios.tcgetattr(0)
    whole = termios.tcgetattr(0)
    whole[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(0, termios.TCSADRAIN, whole)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


def read_key() -> str:
    """A letter, or a key's whole escape sequence. Raises EOFError when the terminal is gone."""
    if sys.platform == "win32":
        return click.getchar()
    try:
        key = os.read(0, 1)
    except OSError:
        raise EOFError from None
    if not key or key == b"\x04":
        raise EOFError
    if key == _ESCAPE and _waiting():
        key += os.read(0, _LONGEST)
    while key[0] >= 0xC0 and len(key) < _width(key[0]):
        key += os.read(0, 1)
    return key.decode("utf-8", "replace")


def line(question: str) -> str:
    """A line that the person types, without the white space around it."""
    with _lines():
        answer: str = click.prompt(question, default="", show_default=False, prompt_suffix="")
    return answer.strip()


def _waiting() -> bool:
    import select

    return bool(select.select([0], [], [], 0.02)[0])


def _width(first: int) -> int:
    """Bytes of a UTF-8 letter, by its first one."""
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4
