"""Text that would drive a terminal, hide in it, or turn it around."""

from __future__ import annotations

import re

__all__ = ["HOSTILE", "drives"]

HOSTILE = {
    "colour": "\x1b[31mred\x1b[0m",
    "clear": "\x1b[2J\x1b[H",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;http://example.com\x1b\\here\x1b]8;;\x1b\\",
    "clipboard": "\x1b]52;c;b3duZWQ=\x07",
    "device": "\x1bP+q544e\x1b\\",
    "c1": "\x9b31mred \x9d0;owned\x9c \x90x\x9c \x85next",
    "overwrite": "safe\rbad\x08\x08\x7f",
    "bidi": "user\u202egnp.exe\u202c \u2066a\u2069 \u200f\u061c",
    "lines": "one\ntwo\x0bthree\x0cfour\u2028five\u2029six",
    "rest": "\x00\x01\x07\x0e\x0f\x1f",
}

_DRIVES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def drives(text: str) -> list[str]:
    """What in a text a terminal obeys, apart from tab and newline."""
    return _DRIVES.findall(text)
