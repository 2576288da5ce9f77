"""Texts as they may arrive."""

from __future__ import annotations

__all__ = ["whole"]


def whole(text: str) -> str:
    """The text with each half of a surrogate pair that stands alone replaced by U+FFFD, as UTF-8 has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
