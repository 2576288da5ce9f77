"""When are two names one? And the content-derived ids that follow from it."""

from __future__ import annotations

import hashlib
import unicodedata

import orjson

__all__ = ["content_id", "name_key"]


def name_key(name: str) -> str:
    """NFC, full case folding, white space collapsed. Punctuation and diacritics stay: `Yahoo!` is not `Yahoo`.

    Case folding can undo NFC and the reverse, so it is NFC on both sides
    (Unicode Standard, 3.13, canonical caseless matching).
    """
    if name.isascii():
        return " ".join(name.lower().split())
    folded = unicodedata.normalize("NFC", name).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def content_id(kind: str, *fields: object) -> str:
    """32 hex digits: blake2b-128 over the JSON array of `kind` and the fields."""
    return hashlib.blake2b(orjson.dumps([kind, *fields]), digest_size=16).hexdigest()
