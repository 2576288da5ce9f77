"""Words with their places in the text. Contractions come apart: `I'm` is `i` + `am`, `dont` is `do` + `not`."""

from __future__ import annotations

import re

__all__ = ["Token", "tokenize"]

_ADDRESS = r"""
    (?P<x>  [\w.+-]+@[\w-]+(?:\.[\w-]+)+                     # e-mail
          | https?://[^\s<>"']+[^\s<>"'.,;:!?)]
          | UTC\s?[+-]\s?\d{1,2}(?::\d\d)? | GMT\s?[+-]\s?\d{1,2}(?::\d\d)?
          | \+?\(?\d[\d ()/.-]{5,}\d(?![\w]) )                # phone, date or other long number
  | """
_NUMBER = r"""
    (?P<n>  [$€£¥]?\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|[a-zA-Z%°]{1,3})?(?![\w]|-[A-Za-z]) )
  | """
_WORD = r"""
    (?P<w>  (?:[A-Za-z]\.){2,} | (?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Sr|Sra|Jr)\.(?=\s)
          | [^\W_][\w\u0300-\u036f\u200d]*
            (?:(?:['’](?=\w)|[-‐‑&/](?=[^\W_])|\.(?=[a-zA-Z]{2,}\b))[\w\u0300-\u036f\u200d]*)*(?:\+\+|\#)? )
  | (?P<p>  \S )
"""
_TOKEN = re.compile(_ADDRESS + _NUMBER + _WORD, re.VERBOSE)
# Without a digit, an @ or an address all tokens are words and punctuation, which is quicker to say.
_PLAIN = re.compile(_WORD, re.VERBOSE)
_NUMERIC = re.compile(r"[\d@]|://")

_CLITICS = {
    "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "'d", "'s": "'s",
}  # fmt: skip
# Written without the apostrophe. `were`, `well`, `its`, `wont`-the-noun stay what they are.
_BARE = {
    "im": ("i", "am"), "ive": ("i", "have"), "youre": ("you", "are"), "youve": ("you", "have"),
    "hes": ("he", "'s"), "shes": ("she", "'s"), "theyre": ("they", "are"), "theyve": ("they", "have"),
    "weve": ("we", "have"), "thats": ("that", "'s"), "theres": ("there", "'s"), "whats": ("what", "'s"),
    "whos": ("who", "'s"), "dont": ("do", "not"), "doesnt": ("does", "not"), "didnt": ("did", "not"),
    "isnt": ("is", "not"), "arent": ("are", "not"), "wasnt": ("was", "not"), "werent": ("were", "not"),
    "havent": ("have", "not"), "hasnt": ("has", "not"), "hadnt": ("had", "not"), "cant": ("can", "not"),
    "couldnt": ("could", "not"), "wouldnt": ("would", "not"), "shouldnt": ("should", "not"), "wont": ("will", "not"),
    "cannot": ("can", "not"), "aint": ("is", "not"), "gonna": ("going", "to"), "wanna": ("want", "to"),
    "gotta": ("got", "to"), "its": ("it", "'s?"),
}  # fmt: skip
_WHOLE = frozenset(
    "master's bachelor's parkinson's alzheimer's crohn's hashimoto's asperger's mcdonald's o'clock".split()
)
_NOT = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_SPELLED = {
    "u": "you",
    "n": "and",
    "ur": "your",
    "r": "are",
    "bc": "because",
    "cuz": "because",
    "cos": "because",
    "tho": "though",
}


class Token:
    """`low` is the word as rules compare it (lower case, contractions apart); `text` is as written, at [start, end)."""

    __slots__ = ("capital", "end", "kind", "low", "start", "text")

    def __init__(self, text: str, low: str, start: int, end: int, kind: str) -> None:
        self.text = text
        self.low = low
        self.start = start
        self.end = end
        self.kind = kind  # w word, n number, x address or long number, p punctuation, q a quotation cut out
        first = text[0]
        # Starts like a name: an upper-case letter, or a letter of a script without case.
        self.capital = kind == "w" and (
            first.isupper() or (first > "\u024f" and first.isalpha() and first.lower() == first.upper())
        )

    def __repr__(self) -> str:
        return f"{self.low}/{self.kind}"


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of text[start:end], with offsets into `text`."""
    out: list[Token] = []
    end = len(text) if end is None else end
    pattern = _TOKEN if _NUMERIC.search(text, start, end) else _PLAIN
    for match in pattern.finditer(text, start, end):
        kind = match.lastgroup or "p"
        word = match[0]
        at, stop = match.span()
        if kind != "w":
            low = word.lower() if kind == "x" else word
            out.append(Token(word, "—" if word == "–" else low, at, stop, kind))
            continue
        low = word.lower()
        if word.isalpha() and word.isascii() and low not in _BARE:
            spelled = _SPELLED.get(word, low) if at == 0 or text[at - 1] not in "'’" else low  # `mac 'n cheese`
            out.append(Token(word, spelled, at, stop, "w"))  # not `Python and R`
            continue
        low = low.replace("’", "'")
        if len(low) != len(word):  # a capital whose small form is longer: places must stay comparable
            low = "".join(c.lower() if len(c.lower()) == 1 else c for c in word).replace("’", "'")
        if low[-1] == ".":
            out.append(Token(word, low.rstrip(".") if low.count(".") == 1 else low, at, match.end(), "w"))
        elif "'" in low and low not in _WHOLE:
            _split(out, word, low, at)
        elif low in _BARE:
            first, second = _BARE[low]
            if second == "'s?":
                out.append(Token(word, low, at, match.end(), "w"))
                continue
            cut = min(len(first), len(word) - 1)
            out.append(Token(word[:cut], first, at, at + cut, "w"))
            out.append(Token(word[cut:], second, at + cut, match.end(), "w"))
        else:
            out.append(Token(word, _SPELLED.get(low, low), at, match.end(), "w"))
    return out


def _split(out: list[Token], word: str, low: str, at: int) -> None:
    end = at + len(word)
    if low.endswith("n't") and len(low) > 3:
        stem = low[:-3]
        cut = end - 3
        out.append(Token(word[:-3], _NOT.get(stem, stem), at, cut, "w"))
        out.append(Token(word[-3:], "not", cut, end, "w"))
        return
    mark = low.rfind("'")
    tail = low[mark:]
    if tail in _CLITICS and mark > 0:
        out.append(Token(word[:mark], low[:mark], at, at + mark, "w"))
        out.append(Token(word[mark:], _CLITICS[tail], at + mark, end, "w"))
        return
    out.append(Token(word, low, at, end, "w"))
