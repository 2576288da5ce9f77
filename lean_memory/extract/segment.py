"""A text in pieces: lines, list items, sentences and the quotations inside them, each with its place in the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Piece", "language", "pieces", "quotations", "touches", "verbatim"]

_BULLET = re.compile(r"\s*(?:[-*•·‣–]\s+|\(?\d{1,2}[.)]\s+|\[[ xX]?\]\s+)(?=\S)")
_INLINE_NUMBER = re.compile(r"(?:(?<=[.;:,!?]\s)|(?<=[.;:,!?])|^)\(?\d{1,2}\)\s+(?=\S)")
_QUOTES = re.compile(
    r"\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|«([^»\n]{1,400})»|„([^“”\n]{1,400})[“”]|「([^」\n]{1,400})」"
    r"|(?<![\w'’])['‘]([^'‘’\n]{2,}(?:['’]\w[^'‘’\n]*){0,6})['’](?!\w)"
)
_END = re.compile(
    r"(?:\.{2,}|…|[.!?]+[\"”»')\]]*|[☀-➿\U0001F300-\U0001FAFF]️?)(?=\s|$)\s*|[。！？；]+[”」』\"]?\s*|(?:\s[-–—]{1,2}\s)(?=\Z)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Sr|Sra|Jr|vs|etc|e\.g|i\.e|approx|no|dept|Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Aug|Sept?|Oct"
    r"|Nov|Dec|[A-Z]|[ap]\.m)|\b[A-Z]\.[A-Z])\.$"
)
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_VERBATIM = re.compile(r"^[ \t]*```.*?(?:^[ \t]*```|\Z)|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Piece:
    """text[start:end] is one sentence. `line` counts lines; `item` marks a list item; `last`: the line's end."""

    start: int
    end: int
    line: int
    item: bool
    last: bool
    gap: bool  # a blank line stands before it


def language(text: str) -> str:
    """`zh` when Han letters carry the sentence, else `en`."""
    han = 0 if text.isascii() else len(_HAN.findall(text))
    if not han:
        return "en"
    text = _ADDRESS.sub("", text)
    return "zh" if 3 * han >= len(_LETTER.findall(text)) else "en"


def quotations(text: str) -> list[tuple[int, int]]:
    """Where quoted words stand, quotation marks included; in order."""
    if not any(mark in text for mark in "\"“«„「'‘"):
        return []
    return [match.span() for match in _QUOTES.finditer(text)]


def verbatim(text: str) -> list[tuple[int, int]]:
    """Code blocks and quoted mail (`> ..`): not the writer's own statements."""
    if "```" not in text and ">" not in text:
        return []
    return [match.span() for match in _VERBATIM.finditer(text)]


def pieces(text: str, quotes: list[tuple[int, int]]) -> Iterator[Piece]:
    """Every sentence of the text in order. No sentence ends inside a quotation."""
    at = 0
    gap = False
    for number, line in enumerate(text.splitlines(keepends=True)):
        start, end = at, at + len(line)
        at = end
        body = line.strip()
        if not body:
            gap = True
            continue
        bullet = _BULLET.match(line)
        if bullet:
            start += bullet.end()
        yield from _sentences(text, start, end, quotes, number, bullet is not None, gap)
        gap = False


def _sentences(
    text: str, start: int, end: int, quotes: list[tuple[int, int]], line: int, item: bool, gap: bool
) -> Iterator[Piece]:
    cuts: list[tuple[int, int]] = []
    begin = start
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if _inside(quotes, match.start()):
            continue
        if match[0].rstrip() == "." and _ABBREVIATION.search(text, max(begin, match.start() - 8), match.start() + 1):
            continue
        cuts.append((begin, stop))
        begin = stop
    cuts.append((begin, end))
    numbered: list[tuple[int, int]] = []
    brackets = text.find(")", start, end) >= 0
    for a, b in cuts:
        for match in _INLINE_NUMBER.finditer(text, a, b) if brackets else ():
            if not _inside(quotes, match.start()):
                numbered.append((a, match.start()))
                a = match.end()
        numbered.append((a, b))
    spans = [(a, b) for a, b in (_trim(text, a, b) for a, b in numbered) if a < b]
    for index, (a, b) in enumerate(spans):
        yield Piece(a, b, line, item, index == len(spans) - 1, gap and index == 0)


def touches(spans: list[tuple[int, int]], begin: int, end: int) -> bool:
    """Whether one of the spans, which are in order and apart, has a letter of [begin, end)."""
    last = bisect_left(spans, (end,)) - 1
    return last >= 0 and begin < spans[last][1]


def _inside(quotes: list[tuple[int, int]], at: int) -> bool:
    """Whether a quoted letter stands there."""
    last = bisect_left(quotes, (at,)) - 1
    return last >= 0 and at < quotes[last][1] - 1


def _trim(text: str, a: int, b: int) -> tuple[int, int]:
    while a < b and text[a].isspace():
        a += 1
    while b > a and text[b - 1].isspace():
        b -= 1
    return a, b
