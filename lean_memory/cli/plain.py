"""Text that others wrote, on a terminal: it must not drive it, hide in it, or turn it around."""

from __future__ import annotations

__all__ = ["plain", "plain_lines"]

_JOINERS = "\u200c\u200d"  # scripts and emoji need them, and they do nothing by themselves


def plain(text: str) -> str:
    """One line, a space in place of whatever is no letter: controls (also of C1), marks and overrides of direction,
    breaks of lines, what has no width, halves of surrogates."""
    return "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)


def plain_lines(text: str) -> str:
    """The same for a text of ours that has lines."""
    return "\n".join(map(plain, text.split("\n")))
