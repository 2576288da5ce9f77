"""The standard streams as they are on any system: closed from the start, of any encoding, with a reader that goes away.

Records go to a stream's bytes and are UTF-8 everywhere. What is for people goes through its encoding, which Windows
often makes one of a few hundred letters (cp1252): a letter that it lacks is written so that it can still be told.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys

__all__ = ["discard_stdout", "prepare", "reader_is_gone"]

_SPELLED = "lean_memory_spelled"
_PLAIN = {"·": "-", "–": "-", "—": "-", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"', "→": "->", "×": "x"}
_CAREFUL = frozenset({"strict", "surrogateescape", "backslashreplace"})


def prepare() -> None:
    """To be called before anything is read or written."""
    _fill_closed_descriptors()
    codecs.register_error(_SPELLED, _spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in _CAREFUL:
            # ASCII says that no locale is set, not that the reader knows no other letters; click takes it so, too.
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding="utf-8" if ascii_only else None, errors=_SPELLED)
    if os.name == "nt":
        _show_colours()


def reader_is_gone(error: OSError) -> bool:
    """Whether a write failed since nobody reads any more. Windows has no word of its own for that."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


def discard_stdout() -> None:
    """So that the interpreter's own flush at exit can't fail on a closed pipe."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def _spell(error: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: typographic marks get plain, other letters become their number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lacking), error.end


def _fill_closed_descriptors() -> None:
    """A stream closed from the start (`>&-`) becomes the null device, so that no file is opened in its place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _show_colours() -> None:
    """The console of Windows takes escape sequences only when it is asked to."""
    from colorama import just_fix_windows_console  # click brings it there

    just_fix_windows_console()
