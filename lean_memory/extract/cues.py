"""What a sentence as a whole says of itself: that it corrects, replaces, jokes, or speaks of another world."""

from __future__ import annotations

import re

from lean_memory.records import Cue

__all__ = ["CORRECTION_MARKS", "ELSEWHERE_MARKS", "JOKE_MARKS", "corrects", "cue_of", "elsewhere", "jokes"]

_CORRECTION = re.compile(
    r"^\W*(?:(?:oh|ah|um|wait|hmm|no|nope|ok|okay|so|and|but|well|hang on)[\s,.!]+)*(?:actually,"
    r"|actually i\b(?! also)|correction|i meant|i mean,|sorry[,:;]? (?:wrong|autocorrect|typo|my mistake"
    r"|i meant|that'?s wrong|i was wrong)"
    r"|scratch that|strike that|my mistake|my bad|i was wrong|i misspoke|i take that back|wrong:|typo"
    r"|autocorrect|let me correct|to correct|oops|whoops|edit:"
    r"|i (?:had|got) (?:that|it) wrong|i (?:mixed|mix) (?:that|it|them|this) up|that was wrong)"
    r"|\b(?:i take that back|i had that wrong|i got that wrong|i mixed them up|i mix this up|i misspoke"
    r"|, autocorrect)\b",
    re.IGNORECASE,
)
# What stands in every match of the two: looking for these first is much quicker.
CORRECTION_MARKS = tuple(
    "actually|correct|i mean|sorry|scratch|strike|mistake|bad|wrong|misspoke|take that|typo|oops|edit:|mix".split("|")
)
JOKE_MARKS = ("kidding", "joking", "jk", "j/k", "april fool", "not really lol", "as if")
_REPLACING = re.compile(
    r"\b(?:now|nowadays|these days|from now on|instead|back to|back on|has replaced|replaces)\b"
    r"(?<!until now)(?<!right now)"
    r"|\b(?:my|our) (?:[a-z]+ ){1,3}(?:is|are)\b",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"\b(?:just kidding|jk|j/k|i'?m (?:just )?(?:kidding|joking)|only joking|just joking|april fools?"
    r"|kidding!|not really lol|as if)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:in (?:another|a parallel|an alternate|an alternative|some parallel|a different)"
    r" (?:universe|reality|world|timeline|dimension|life)"
    r"|in my dreams|in a perfect world|in an ideal world|if only)\b",
    re.IGNORECASE,
)
ELSEWHERE_MARKS = ("universe", "reality", "world", "timeline", "dimension", "life", "dream", "if only")


def corrects(sentence: str, low: str) -> bool:
    """`Actually, ..`, `I meant ..`: what was said before was wrong. `low` is the sentence in small letters."""
    return any(mark in low for mark in CORRECTION_MARKS) and _CORRECTION.search(sentence) is not None


def jokes(sentence: str, low: str) -> bool:
    """`Just kidding`."""
    return any(mark in low for mark in JOKE_MARKS) and _JOKE.search(sentence) is not None


def elsewhere(sentence: str, low: str) -> bool:
    """`In another life ..`."""
    return any(mark in low for mark in ELSEWHERE_MARKS) and _ELSEWHERE.search(sentence) is not None


def cue_of(sentence: str, *, correcting: bool) -> Cue | None:
    """How the sentence as a whole relates to what was known."""
    if correcting:
        return "corrects"
    return "replaces" if _REPLACING.search(sentence) else None
