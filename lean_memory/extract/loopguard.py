"""Text that came back from memory is not extracted again.

What a memory hands out is fenced, and the fence is recognised here, so that a hallucination or a stale fact that an
agent repeats in its context does not become new evidence for itself.
"""

from __future__ import annotations

import re

__all__ = ["CLOSE", "OPEN", "fence", "recalled", "without_recalled"]

OPEN = "<recalled-memory>"
CLOSE = "</recalled-memory>"
# Our own fence, and those that other memories are seen to use around what they insert.
_FENCES = re.compile(
    r"<(?P<tag>recalled-memory|recalled_memory|memory|memories|relevant-memories|relevant_memories|memory-context|memory_context|retrieved-memories)"
    r"(?:\s[^<>]*)?>.*?(?:</(?P=tag)>|\Z)|^```memory\b.*?(?:^```|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)


def fence(text: str) -> str:
    """The text marked as recalled; a fence inside it is broken up, so it can't close early."""
    for tag in ("<recalled-memory", "</recalled-memory"):
        text = text.replace(tag, tag.replace("-", " "))
    return f"{OPEN}\n{text}\n{CLOSE}"


def recalled(text: str) -> list[tuple[int, int]]:
    """Where recalled text stands, fences included."""
    if "<" not in text and "```" not in text:
        return []
    return [match.span() for match in _FENCES.finditer(text)]


def without_recalled(text: str) -> str:
    """The text with line breaks in place of what was recalled, as many as it had letters: places in the text stay, and
    what stands beside a fence on its line is read for itself."""
    for begin, end in recalled(text):
        text = text[:begin] + "\n" * (end - begin) + text[end:]
    return text
