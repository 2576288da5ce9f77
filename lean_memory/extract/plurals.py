"""Statements about several at once, said as the rules for one expect them.

`Both of my sisters are nurses` is `my sisters are a nurse`, of each; `none of my kids like fish` denies it of all;
`my sisters, Ana and Eva, live in Porto` names them. What is said of some only (`one of my brothers ..`) is of nobody
we know, and stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.idioms.nominals import singular
from lean_memory.extract.tokens import Token

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["all_of", "named_relatives", "none_of", "what_they_are"]

_Recast = tuple[list[Token], list[list[Token]]]
_OWN = frozenset("my our his her their".split())
_COUNTS = frozenset("two three four five six seven 2 3 4 5 6 7 both all".split())
_PLACE_ENDS = frozenset("and or but at in for with from who now by too as on".split())


def _word(low: str, like: Token) -> Token:
    """A word that is understood, at the place of one that is written."""
    return Token(low, low, like.start, like.end, "w")


def _relatives(english: English, toks: list[Token], i: int) -> bool:
    """Is the word at i one for several relatives?"""
    return i < len(toks) and toks[i].low in english.people.relations and singular(toks[i].low) != toks[i].low


def all_of(english: English, toks: list[Token]) -> _Recast:
    """`both of my sisters`, `all my aunts`, `my two brothers`: the words that count come off."""
    for i, t in enumerate(toks):
        if t.low not in _OWN:
            continue
        b = i + 1
        while b < len(toks) and toks[b].low in _COUNTS:
            b += 1
        if not _relatives(english, toks, b):
            continue
        a = i
        while a > 0 and toks[a - 1].low in ("of", *_COUNTS):
            a -= 1
        if a < i and toks[a].low not in ("both", "all"):  # `two of my brothers` are not all of them
            a = i
        toks = [*toks[:a], t, *toks[b:]]
        break
    return toks, []


def none_of(english: English, toks: list[Token]) -> _Recast:
    """`neither of my sisters eats meat`: my sisters do not eat meat."""
    for i in range(len(toks) - 4):
        if toks[i].low not in ("none", "neither") or toks[i + 1].low != "of" or toks[i + 2].low not in _OWN:
            continue
        k = i + 4
        if not _relatives(english, toks, i + 3) or toks[k].kind != "w":
            return toks, []
        known = english.forms.get(toks[k].low)
        if known is None:
            return toks, []
        lemma, kind = known
        aux = lemma == "be" or toks[k].low in ("has", "have", "can", "will")
        if aux:
            said = [_word("are" if lemma == "be" and "d" not in kind else toks[k].low, toks[k]), _word("not", toks[k])]
        else:
            do = "did" if "d" in kind and "b" not in kind else "do"
            base = Token(toks[k].text, lemma, toks[k].start, toks[k].end, "w")
            said = [_word(do, toks[k]), _word("not", toks[k]), base]
        return [*toks[:i], *toks[i + 2 : k], *said, *toks[k + 1 :]], []
    return toks, []


def what_they_are(english: English, toks: list[Token]) -> _Recast:
    """`my brothers are both doctors`: each is a doctor."""
    for i in range(len(toks) - 2, 0, -1):  # from the end, so that places stay
        once = toks[i].low == "be" and i > 1 and toks[i - 2].low == "used"
        if (toks[i].low not in ("are", "were") and not once) or toks[i - 1].kind == "p":
            continue
        j = i + 1
        while j < len(toks) and (toks[j].low in ("not", "both", "all") or toks[j].low in english.lex["adverbs"]):
            j += 1
        k = _what(english, toks, j)
        if k is not None:
            each = Token(toks[k].text[:-1], toks[k].low[:-1], toks[k].start, toks[k].end, "w")
            toks = [*toks[:j], _word("a", toks[j]), *toks[j:k], each, *toks[k + 1 :]]
    return toks, []


def _what(english: English, toks: list[Token], j: int) -> int | None:
    """Where the job or diet of several stands, the head of the noun phrase at j; None when there is none."""
    lex = english.lex
    for k in range(j, min(len(toks), j + 4)):
        doing = (english.forms.get(toks[k].low) or ("", ""))[1] == "g"
        if toks[k].kind != "w" or doing or toks[k].low in lex["determiners"] or toks[k].low in lex["possessives"]:
            return None
        if (
            k + 1 >= len(toks)
            or toks[k + 1].kind == "p"
            or toks[k + 1].low in _PLACE_ENDS | {"until", "till", "right", "before", "when"}
        ):
            one = toks[k].low[:-1]
            known = one in lex["job_heads"] or one in lex["diets"] or english.objects.is_role(one)
            return k if toks[k].low.endswith("s") and known else None
    return None


def named_relatives(english: English, toks: list[Token]) -> _Recast:
    """`my sisters, Ana and Eva, live in Porto`: they are, and Ana and Eva do."""
    for i in range(len(toks) - 6):
        h = i + 1
        while h < len(toks) - 3 and (toks[h].low in _COUNTS or toks[h].low in english.people.adjectives):
            h += 1  # `my two oldest friends`
        if toks[i].low not in _OWN or not _relatives(english, toks, h):
            continue
        close = toks[h + 1].low in (",", "(")
        if not close and not toks[h + 1].capital:
            continue
        a = b = h + 1 + close
        while b < len(toks) and (toks[b].capital or (b > a and toks[b].low in ("and", "&", ","))):
            b += 1
        if toks[b - 1].low == ",":
            b -= 1
        joined = [t.low for t in toks[a:b]]
        if b >= len(toks) - 1 or not {"and", "&"} & {*joined} or b - a < 3:
            continue
        if close != (toks[b].low in (",", ")")):
            continue
        are = [toks[i], toks[h], _word("are", toks[h + 1]), *toks[a:b]]
        while i > 0 and toks[i - 1].low in ("of", *_COUNTS):  # `two of my friends, Ana and Eva, ..`
            i -= 1
        return [*toks[:i], *toks[a:b], *toks[b + close :]], [are]
    return toks, []
