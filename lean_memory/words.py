"""Search tokens: what the text index, BM25 and queries take as the words of a text.

Theory of operation. A text is folded (compatibility forms, case, diacritics), cut into words, and each word
becomes a token: English words their stem, other words themselves. Scripts written without spaces (Han, kana,
Hangul, Thai, Lao, Khmer, Myanmar) become overlapping pairs of letters, and for one-letter queries the single
letters too. E-mail addresses, phone numbers and versions are found by their parts, emoji by themselves.

Tokens hold no ASCII character but a-z and 0-9, so that they can be joined by spaces and indexed by FTS5's
`ascii` tokenizer, and no user's text can be taken for query syntax.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from types import ModuleType
from typing import NamedTuple

__all__ = ["MAX_TERMS", "STOP_WORDS", "held_terms", "query_terms", "tokens"]

MAX_TERMS = 64
"""A query has no more terms than this."""

_MAX_WORD = 64  # letters of a word that count

STOP_WORDS = frozenset(
    word
    for word in """
    a an the and or but nor if then than so as of at by for with about against between into through during
    before after above below to from up down in out on off over under again further once here there all any
    both each few more most other some such no not only own same too very just also ever
    i me my mine myself im ive we us our ours ourselves you your yours yourself he him his himself she her hers
    herself it its itself they them their theirs themselves this that these those who whom whose what which
    when where why how am is are was were be been being have has had having do does did doing done
    can could will would shall should might must
    dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt wont wouldnt cant couldnt shouldnt cannot
    please tell
    """.split()
)
"""Words that a query is better off without, as `tokens` folds them, before stemming."""

_TYPOGRAPHY = {
    **dict.fromkeys(map(ord, "‘’ʼʹ＇"), "'"),
    **dict.fromkeys(map(ord, "“”„«»–—―…‐‑•·\u00a0\u2009\u202f"), " "),
    **dict.fromkeys(map(ord, "\u00ad\u200c\u200d\u2060\ufeff\u200e\u200f"), None),  # invisible inside words
}
# Letters whose stroke or ligature no decomposition takes apart.
_LETTERS = str.maketrans(
    {"ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "_": " "}
)

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_CLITIC = re.compile(r"(.)'(?:s|ll|re|ve|d|m)")
_ELISION = re.compile(r"(?:[ldj]|qu|un|dell|all|nell|sull|dall)'(.+)")  # French, Italian: l'arte

# What asks, and the people who talk; cut out of a query before it comes apart in pairs of letters, which have no words.
_CHINESE_STOPS = re.compile(
    "[我咱俺你您妳][们們]?[的是]?|是?几[号點点]|是?幾[號點]|哪里|哪裡|哪儿|哪兒|哪[个個些位家座]|哪(?!吒)|什么|什麼|谁|誰|怎么样?|怎麼樣?|为什么|為什麼"
    r"|是不是|有没有|有沒有|请问|請問|[吗嗎呢吧呀啊的了](?=\W*$)"
)

_FOREIGN_DIGIT = re.compile(r"[^\x00-\x7f\D]")

_EMOJI = "[\U0001f1e6-\U0001f1ff]{2}|[\U0001f300-\U0001f3fa\U0001f400-\U0001faff\u2600-\u27bf]"
_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # kana, Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)


def tokens(text: str) -> list[str]:
    """The search tokens of `text`, in order, with repeats. What is indexed, and what a query's terms match.

    `Gdańsk` gives `gdansk`; `Ilka's` `ilka`; `don't` `dont`; `memories` the stem `memori`; `東京都` gives
    `東 東京 京 京都 都`. The stemmer is Snowball's English one (Porter 2).
    """
    return [_stem(word) for word in _words(text, singles=True)]


def query_terms(text: str) -> list[str]:
    """The terms to look for: the query's tokens without stop words and repeats, in order; of Chinese, pairs of letters.

    If all are stop words, all stay. Of a long query the `MAX_TERMS` longest terms stay: they tend to be the
    rarest, and so say the most.
    """
    words = list(_words(text, singles=False))
    if not text.isascii() and (rest := list(_words(_CHINESE_STOPS.sub(" ", text), singles=False))):
        words = rest
    telling = [word for word in words if word not in STOP_WORDS]
    terms = list(dict.fromkeys(map(_stem, telling or words)))
    if len(terms) > MAX_TERMS:
        kept = set(sorted(terms, key=lambda term: (-len(term), term))[:MAX_TERMS])
        terms = [term for term in terms if term in kept]
    return terms


def held_terms(text: str, terms: frozenset[str]) -> frozenset[str]:
    """Those of the terms that are among the text's tokens, without stemming all of it."""
    if not text.isascii():
        return terms.intersection(tokens(text))
    text = _join_thousands(text.lower())
    roots = tuple(root for root in {_root(term) for term in terms} if root in text)
    if not roots:
        return frozenset()
    # An apostrophe may hide the beginning of a word.
    words = (word for word in _ASCII_WORD.findall(text) if word.startswith(roots) or "'" in word)
    return terms.intersection(_stem(_bare(word)) for word in words)


def _root(term: str) -> str:
    """Letters that every word with this stem begins with: `dying` has the stem `die`, `memory` has `memori`."""
    return term[: max(1, min(4, len(term) - 2))]


def _words(text: str, *, singles: bool) -> Iterator[str]:
    """Folded words before stemming. `singles`: the letters of an unspaced script by themselves too."""
    if not text.isascii():
        text = text.translate(_TYPOGRAPHY)
    if text.isascii():
        for word in _ASCII_WORD.findall(_join_thousands(text.lower())):
            yield _bare(word)
        return
    patterns = _unicode_patterns()
    for word in patterns.word.findall(_join_thousands(_fold(text, patterns))):
        if word.isascii():
            yield _bare(word)
            continue
        for run in patterns.run.findall(word):
            if patterns.unspaced.match(run):
                yield from _pairs(patterns.letter.findall(run), singles=singles)
            elif bare := _bare(run.strip("'")):
                yield bare


def _join_thousands(text: str) -> str:
    return _THOUSANDS.sub("", text) if "," in text else text


def _bare(word: str) -> str:
    """The word without apostrophes and what English, French or Italian hang on by them; `5th` is `5`."""
    if "'" in word:
        elided = _ELISION.fullmatch(word)
        word = _CLITIC.sub(r"\1", elided[1] if elided else word).replace("'", "")
    elif word[:1] <= "9" and (ordinal := _ORDINAL.fullmatch(word)):
        word = ordinal[1]
    return word[:_MAX_WORD]


def _pairs(letters: list[str], *, singles: bool) -> Iterator[str]:
    """`東京都` -> `東京 京都`, with singles `東 東京 京 京都 都`. One letter alone is always a token."""
    last = len(letters) - 1
    for i, letter in enumerate(letters):
        if singles or not last:
            yield letter
        if i < last:
            yield letter + letters[i + 1]


def _fold(text: str, patterns: _Patterns) -> str:
    """Compatibility forms and case folded, decimal digits of any script to 0-9, diacritics dropped."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    text = patterns.diacritic.sub("", text).translate(_LETTERS)
    text = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    return unicodedata.normalize("NFC", text)


def _is_diacritic(mark: str) -> bool:
    """Marks that combine above, below or attached (Latin, Greek, Cyrillic), Hebrew points and Arabic harakat,
    enclosing marks and variation selectors. Vowel signs and tone marks that tell words apart (Indic, Thai, Lao,
    Khmer, Myanmar; kana's voicing) are of other combining classes."""
    place = unicodedata.combining(mark)
    return place >= 200 or 10 <= place <= 36 or unicodedata.category(mark) == "Me" or "\ufe00" <= mark <= "\ufe0f"


class _Patterns(NamedTuple):
    diacritic: re.Pattern[str]
    word: re.Pattern[str]
    run: re.Pattern[str]
    unspaced: re.Pattern[str]
    letter: re.Pattern[str]


@cache
def _unicode_patterns() -> _Patterns:
    """Compiled at the first text that is not ASCII: `re` has no class for combining marks, so they are listed.

    Marks beyond the basic plane (of rare and ancient scripts) are left out, since a class with them is slow.
    """
    marks = [char for char in map(chr, range(0x300, 0x10000)) if unicodedata.category(char)[0] == "M"]
    mark, word, unspaced = f"[{''.join(marks)}]", rf"[\w{''.join(marks)}]", rf"[{_UNSPACED}]"
    return _Patterns(
        diacritic=re.compile(f"[{''.join(filter(_is_diacritic, marks))}\U000e0100-\U000e01ef]+"),
        word=re.compile(rf"{word}+(?:'{word}+)*|{_EMOJI}"),
        run=re.compile(rf"{unspaced}+|[^{_UNSPACED}]+"),
        unspaced=re.compile(unspaced),
        letter=re.compile(rf".{mark}*"),
    )


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return _stemmer()(word) if word.isascii() and word.isalpha() else word


@cache
def _stemmer() -> Callable[[str], str]:
    """Snowball's English stemmer, alone: importing the package loads those of thirty languages, which takes longer
    than the rest of a search without a model. So its modules are found through a package of another name."""
    from importlib import import_module
    from importlib.util import find_spec

    spec = find_spec("snowballstemmer")
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError("snowballstemmer is not installed: pip install snowballstemmer")
    package = ModuleType("lean_memory_snowball")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[package.__name__] = package
    stem: Callable[[str], str] = import_module(f"{package.__name__}.english_stemmer").EnglishStemmer().stemWord
    return stem
