"""Two texts and what differs between them, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

__all__ = ["Piece", "marked"]

Piece = tuple[str, bool]
"""Text, and whether only this side has it."""

_TOKEN: Final = re.compile(r"\s+|[぀-ヿ㐀-鿿]|\w+|.", re.DOTALL)


def marked(one: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Both as pieces whose texts join to the whole. Letter case counts as no difference."""
    ours, theirs = _TOKEN.findall(one), _TOKEN.findall(other)
    matcher = SequenceMatcher(None, [t.casefold() for t in ours], [t.casefold() for t in theirs], autojunk=False)
    left: list[Piece] = []
    right: list[Piece] = []
    for kind, begin, end, start, stop in matcher.get_opcodes():
        left += _piece(ours[begin:end], kind != "equal")
        right += _piece(theirs[start:stop], kind != "equal")
    return left, right


def _piece(tokens: list[str], only_here: bool) -> list[Piece]:
    """The white space around what differs is not marked."""
    text = "".join(tokens)
    core = text.strip()
    if not only_here or not core:
        return [(text, False)] if text else []
    before, _, after = text.partition(core)
    return [piece for piece in ((before, False), (core, True), (after, False)) if piece[0]]
