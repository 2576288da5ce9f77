"""Sentences said plainly: what a turn of phrase wraps around a statement comes off before the statement is read.

`Ben is the only one who plays piano` is `Ben plays piano`; `I'm not the one with asthma, Lea is` is `I don't have
asthma` and `Lea has asthma`; `my uncle, a retired vet, lives in Graz` says also `my uncle is a retired vet`. The words
that stay keep their places in the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lean_memory.extract.gapping import gapped
from lean_memory.extract.plurals import all_of, named_relatives, none_of, what_they_are
from lean_memory.extract.tokens import Token

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["recast"]

_BE = frozenset("am is are was were 's".split())
_ONE = frozenset("one ones person guy woman man girl boy lad kid child sibling colleague member".split())
_ONLY = frozenset("only first last main actual real same".split())
_SHAPES = frozenset("lady man woman guy gentleman bloke chap girl boy kid couple".split())
_NO_PERSON = frozenset("phd degree masters master's ma ba bsc msc mba doctorate diploma year week job place".split())
_ATTRIBUTES = frozenset("name number address email birthday surname nickname".split())
_PUT_OFF = frozenset("pushed postponed rescheduled delayed moved brought".split())
_EVENTS = frozenset("launch release deadline meeting demo call review kickoff workshop exam go-live offsite".split())
_WHO = frozenset("who that".split())
_STRESS = frozenset("it that 'twas".split())
_OBLIQUE = {"me": "i", "us": "we", "him": "he", "her": "she", "them": "they"}
_PLAIN_SUBJECTS = frozenset("i we you they".split())
_SELVES = frozenset("myself himself herself themselves ourselves themself".split())
_FOR_SELVES = frozenset("get buy find build grab make order adopt".split())
_TAILS = frozenset("is am are was were does do did has have can".split())


def recast(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """The sentence's plain form, and further plain sentences that it says."""
    lows = {t.low for t in toks}
    more: list[list[Token]] = []
    for marks, way in _WAYS:
        if not lows.isdisjoint(marks):
            toks, said = way(english, toks)
            more += said
    return toks, more


def _word(low: str, like: Token) -> Token:
    """A word that is understood, at the place of one that is written."""
    return Token(low, low, like.start, like.end, "w")


def _ends(toks: list[Token], i: int) -> bool:
    return i >= len(toks) or toks[i].kind == "p"


def _clause_end(toks: list[Token], i: int) -> int:
    while i < len(toks) and not (toks[i].kind == "p" and toks[i].low in ",;:—!?."):
        i += 1
    return i


def _tail(toks: list[Token], i: int) -> tuple[list[Token], int] | None:
    """(subject, where it ends) of `, Lea is` or `, it's my brother` at i."""
    if i + 2 >= len(toks) or toks[i].low not in (",", ";", "—", "-", ":", "."):
        return None
    a = i + 1
    a += toks[a].low in ("but", "and")
    if a + 2 < len(toks) and toks[a].low in _STRESS and toks[a + 1].low in _BE:  # `it's my brother`
        stop = _clause_end(toks, a + 2)
        return (toks[a + 2 : stop], stop) if 0 < stop - a - 2 <= 5 else None
    for b in range(a + 1, min(len(toks), a + 6)):
        if toks[b].low in _TAILS and _ends(toks, b + 1):
            return toks[a:b], b + 1
        if toks[b].kind == "p":
            return None
    return None


def _finite(english: English, subject: list[Token], verb: list[Token], *, negative: bool) -> list[Token]:
    """`who plays chess` with another subject: the form that goes with it."""
    first = verb[0]
    head = subject[-1].low
    known = english.forms.get(first.low)
    plural = len(subject) == 1 and head in _PLAIN_SUBJECTS
    base = known[0] if known else first.low
    if first.low in _BE:
        be = "am" if head == "i" else "are" if plural else "is"
        be = first.low if first.low in ("was", "were") else be
        return [_word(be, first), *([_word("not", first)] if negative else []), *verb[1:]]
    past = known is not None and "d" in known[1] and "b" not in known[1]
    if negative:
        do = "did" if past else "do" if plural else "does"
        return [_word(do, first), _word("not", first), _word(base, first), *verb[1:]]
    third = known is not None and known[1].startswith("s")
    return [_word(base, first), *verb[1:]] if third and plural else verb


def _only_one(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`X is (not) the (only) one who V, Y is`, `.. the one with N`."""
    for i in range(1, len(toks) - 3):
        if toks[i].low not in _BE:
            continue
        j = i + 1
        negative = toks[j].low == "not"
        j += negative
        if toks[j].low != "the" or i + 4 >= len(toks):
            continue
        j += 1
        only = toks[j].low in _ONLY
        j += only
        if j + 1 >= len(toks) or toks[j].low not in _ONE or (toks[j].low != "one" and not only):
            continue
        link = toks[j + 1]
        stop = _clause_end(toks, j + 2)
        if link.low in _WHO and j + 2 < stop and english.splitter.parse(toks, j + 2, len(toks)):
            verb = toks[j + 2 : stop]
        elif link.low == "with" and j + 2 < stop and toks[j].low == "one":
            verb = [_word("has", link), *toks[j + 2 : stop]]
        else:
            continue
        a = i
        while a > 0 and toks[a - 1].kind != "p" and toks[a - 1].low not in ("and", "but", "because"):
            a -= 1
        if negative and only:  # `not the only one who ..` has it too
            negative = False
        subject = toks[a:i]
        if not subject or toks[a].low in ("it", "who", "that", "you"):
            continue
        more = []
        end = stop
        other = _tail(toks, stop) if negative else None
        if other is not None:
            name, end = other
            more = [[*name, *_finite(english, name, verb, negative=False)]]
        return [*toks[:i], *_finite(english, subject, verb, negative=negative), *toks[end:]], more
    return toks, []


def _cleft(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`it's Lea who works here`, `it's not me who has asthma, it's my brother`."""
    for i in range(len(toks) - 4):
        if toks[i].low not in _STRESS or toks[i + 1].low not in _BE or (i and toks[i - 1].kind == "w"):
            continue
        j = i + 2
        negative = toks[j].low == "not"
        j += negative
        k = next((k for k in range(j + 1, min(len(toks) - 1, j + 5)) if toks[k].low == "who"), None)
        if k is None or any(t.kind == "p" for t in toks[j:k]) or not english.splitter.parse(toks, k + 1, len(toks)):
            continue
        subject = [_word(_OBLIQUE[toks[j].low], toks[j])] if toks[j].low in _OBLIQUE and k == j + 1 else toks[j:k]
        if toks[j].low in ("a", "an", "the", "people", "those", "everyone"):
            continue
        stop = _clause_end(toks, k + 1)
        verb = toks[k + 1 : stop]
        more = []
        end = stop
        other = _tail(toks, stop)
        if (
            other is None
            and not negative
            and stop + 2 < len(toks)
            and toks[stop].low == ","
            and toks[stop + 1].low == "not"
        ):
            end = _clause_end(toks, stop + 1)
            name = toks[stop + 2 : end]
            name = [_word(_OBLIQUE[name[0].low], name[0])] if len(name) == 1 and name[0].low in _OBLIQUE else name
            more = [[*name, *_finite(english, name, verb, negative=True)]] if name else []
        if other is not None and negative:
            name, end = other
            name = [_word(_OBLIQUE[name[0].low], name[0])] if len(name) == 1 and name[0].low in _OBLIQUE else name
            more = [[*name, *_finite(english, name, verb, negative=False)]]
        return [*toks[:i], *subject, *_finite(english, subject, verb, negative=negative), *toks[end:]], more
    return toks, []


def _not_me(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`I'm not the vegetarian, my sister is`: what is denied of one is so of another."""
    for i in range(1, len(toks) - 3):
        if toks[i].low != "not" or toks[i - 1].low not in _BE or (i > 1 and toks[i - 2].low in _ATTRIBUTES):
            continue
        stop = _clause_end(toks, i + 1)
        other = _tail(toks, stop) if stop > i + 1 else None
        if other is None or stop - i > 7:
            continue
        name, end = other
        rest = toks[i + 1 : stop]
        if rest[0].low == "the" and len(rest) > 1:
            rest = [_word("a", rest[0]), *rest[1:]]
        return [*toks[: i + 1], *rest, *toks[end:]], [[*name, _word("is", toks[i - 1]), *rest]]
    return toks, []


def _guess_who(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`guess who just adopted a dog`: the one who says it."""
    begins = len(toks) > 3 and toks[0].low == "guess" and toks[1].low == "who" and toks[-1].low != "?"
    if begins and english.splitter.parse(toks, 2, len(toks)):
        return [_word("i", toks[1]), *toks[2:]], []
    return toks, []


def _apposition(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`my uncle, a retired vet, lives in Graz`; `I hired Ben, a chemist from Bonn.`"""
    more: list[list[Token]] = []
    kin = english.people.relations
    c = 1
    while c < len(toks) - 2:
        if toks[c].low not in (",", "(") or toks[c + 1].low not in ("a", "an") or toks[c + 1].kind != "w":
            c += 1
            continue
        a = c
        while a > 0 and c - a < 6:
            t = toks[a - 1]
            if t.low in english.lex["possessives"]:
                a -= 1
                break
            if not (t.low == "'s" or t.low in kin or (t.capital and t.low != "i")):
                break
            a -= 1
        stop = c + 1
        while stop < len(toks) and not (toks[stop].kind == "p" and toks[stop].low in ",;:—!?.()"):
            stop += 1
        if _goes_on(english, toks, c + 1, stop):
            c += 1
            continue
        first, last = toks[a], toks[c - 1]
        person = a < c and (first.low in english.lex["possessives"] or first.capital) and first.low != "your"
        introduced = a > 0 and toks[a - 1].low in ("am", "is", "'s", "name", "called", "me")
        closed = toks[c].low == "," or (stop < len(toks) and toks[stop].low == ")")
        if (
            not person
            or introduced
            or any(t.low in _NO_PERSON for t in toks[c + 2 : c + 4])
            or not closed
            or stop - c > 9
            or last.low == "'s"
            or (first.low in english.lex["possessives"] and not any(t.low in kin for t in toks[a:c]))
            or (stop < len(toks) and toks[stop].low not in ",.!;)")
        ):
            c += 1
            continue
        more.append([*toks[a:c], _word("is", toks[c]), *toks[c + 1 : stop]])
        toks = [*toks[:c], *toks[stop + (stop < len(toks) and toks[stop].low in ",)") :]]
    return toks, more


def _goes_on(english: English, toks: list[Token], a: int, stop: int) -> bool:
    """`Ink, a drawing tablet and an old iMac`: a list, unless both are trades."""
    both = next((k for k in range(a + 1, stop - 1) if toks[k].low == "and"), None)
    if both is None:
        return stop + 1 < len(toks) and toks[stop].low == "," and toks[stop + 1].low == "and"
    item = toks[both + 1]
    more = item.low in english.lex["determiners"] or item.kind == "n" or item.low in english.lex["numbers"]
    return more and not english.objects.is_job(toks, a + 1, both)


def _name_then_verb(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`Ida: lives in Graz, speaks Dutch`, `Review, Ida: wants to teach`: what is noted of whoever stands before."""
    colon = next((i for i, t in enumerate(toks[:9]) if t.low in (":", "-", "—") and t.kind == "p"), 0)
    if not 0 < colon < len(toks) - 2 or (toks[colon].low != ":" and toks[colon].start == toks[colon - 1].end):
        return toks, []
    if toks[colon - 1].low == ")":  # `Ida (sales): ..`
        opened = next((k for k in range(colon - 2, 0, -1) if toks[k].low == "("), 0)
        if not opened:
            return toks, []
        toks = [*toks[:opened], *toks[colon:]]
        colon = opened
    verb = toks[colon + 1]
    third = (english.forms.get(verb.low) or ("", ""))[1].startswith("s") or verb.low in ("does", "has", "is")
    a = next((k + 1 for k in range(colon - 1, -1, -1) if toks[k].kind == "p"), 0)
    low = toks[a].low
    named = english.people.name_at(toks, a) == colon and colon - a <= 2
    topic = english.objects.ordinary(low) or low in english.nouns or low in english.headings["topic_labels"]
    if not third or not named or topic or low in english.lex["places"] or verb.capital:
        return toks, []
    return [*toks[a:colon], *toks[colon + 1 :]], []


def _noun_apposition(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`setting up my new phone, a Nokia this time`: the phone is one."""
    for c in range(2, len(toks) - 2):
        it_is = [t.low for t in toks[c + 1 : c + 4]]
        if (
            toks[c].low == ","
            and it_is[:1] == ["it"]
            and it_is[1:2] in (["is"], ["'s"])
            and it_is[2:] in (["a"], ["an"])
        ):
            a = next((k for k in range(c - 2, max(-1, c - 4), -1) if toks[k].low in ("a", "an", "my", "our")), None)
            stop = _clause_end(toks, c + 4)  # `got a new phone, it's a Nokia`
            named = a is not None and toks[a + 1].low == "new" and toks[c - 1].low in english.nouns
            if a is not None and named and any(t.capital for t in toks[c + 4 : stop]):
                more = [_word("my", toks[a]), *toks[a + 1 : c], _word("is", toks[c]), *toks[c + 3 : stop]]
                return [*toks[:c], *toks[stop:]], [more]
        if toks[c].low != "," or toks[c + 1].low not in ("a", "an", "the", "called"):
            continue
        a = next((k for k in range(c - 2, max(-1, c - 5), -1) if toks[k].low in ("my", "our")), None)
        if a is None or not all(t.kind == "w" for t in toks[a:c]) or toks[c - 1].low not in english.nouns:
            continue
        stop = _clause_end(toks, c + 1)
        value = toks[c + 1 : stop]
        if any(t.low in ("this", "and", "as") for t in value[1:]):
            value = value[: next(k for k, t in enumerate(value) if k and t.low in ("this", "and", "as"))]
        if not any(t.capital for t in value) or any(t.low in english.lex["subject_pronouns"] for t in value):
            continue
        rest = toks[stop + 1 :] if stop < len(toks) and toks[stop].low == "," else toks[stop:]
        return [*toks[:c], *rest], [[*toks[a:c], _word("is", toks[c]), *value]]
    return toks, []


def _all_i_have(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`all I have is a bike`, `the only thing she drinks is tea`."""
    for i, t in enumerate(toks[:-4]):
        k = i + 1 if t.low == "all" else i + 3 if [x.low for x in toks[i : i + 3]] == ["the", "only", "thing"] else 0
        if not k or k + 3 >= len(toks) or (i and toks[i - 1].low in ("in", "after", "for", "of")):
            continue
        k += toks[k].low == "that"
        be = next((x for x in range(k + 2, min(len(toks) - 1, k + 5)) if toks[x].low in ("is", "'s", "are")), None)
        if be is None or toks[k].low not in english.lex["nominative"] or toks[be - 1].kind == "p":
            continue
        return [*toks[:i], *toks[k:be], *toks[be + 1 :]], []
    return toks, []


def _its(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`my new number, its 555-0100`: `it's`."""
    out: list[Token] = []
    for i, t in enumerate(toks):
        after = toks[i + 1] if i + 1 < len(toks) else None
        if t.low == "its" and after is not None and (after.kind in "nx" or after.low in ("a", "an", "the", "now")):
            out += [Token("it", "it", t.start, t.end - 1, "w"), Token("s", "is", t.end - 1, t.end, "w")]
        else:
            out.append(t)
    return out, []


def _reflexive(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`got himself a drone`, `bought me a bike`."""
    out = []
    for i, t in enumerate(toks):
        lemma = (english.forms.get(toks[i - 1].low) or ("",))[0] if i else ""
        after = toks[i + 1].low if i + 1 < len(toks) else ""
        if t.low in _SELVES and lemma in _FOR_SELVES and (after in ("a", "an", "the", "some", "new", "another")):
            continue
        out.append(t)
    return out, []


def _person_then_name(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`the lady upstairs, Mrs. Lind, plays`: whoever is named is meant."""
    for c in range(2, len(toks) - 4):
        if toks[c].low != "," or not toks[c + 1].capital:
            continue
        j = english.people.name_at(toks, c + 1)
        a = c - 1
        while a > 0 and c - a < 6 and toks[a - 1].kind != "p" and toks[a].low != "the":
            a -= 1
        shaped = any(t.low in _SHAPES for t in toks[a:c])
        if c + 1 < j < len(toks) - 1 and toks[j].low == "," and toks[a].low == "the" and shaped:
            verb = toks[j + 1].low in english.forms or toks[j + 1].low in _BE
            return ([*toks[:a], *toks[c + 1 : j], *toks[j + 1 :]] if verb else toks), []
    return toks, []


def _born_and_raised(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`born and raised in Graz`: born there, above all."""
    for i in range(len(toks) - 4):
        if toks[i].low == "born" and toks[i + 1].low == "and" and toks[i + 2].low in ("raised", "bred", "brought"):
            j = i + 3 + (toks[i + 3].low == "up")
            if i == 0 or toks[i - 1].low not in ("was", "were") or toks[j].low != "in":
                return toks, []
            a = i - 1
            while a > 0 and toks[a - 1].kind != "p" and toks[a - 1].low not in ("and", "but"):
                a -= 1
            grew = [_word("grew", toks[i]), _word("up", toks[i])]
            return [*toks[: i + 1], *toks[j:]], [[*toks[a : i - 1], *grew, *toks[j : _clause_end(toks, j)]]]
    return toks, []


def _headline(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`Launch pushed back to 9 September`: it was."""
    for i in range(1, min(4, len(toks) - 2)):
        late = toks[i].low in _PUT_OFF and toks[i + 1].low in ("to", "back", "until", "till", "by", "forward")
        if late and toks[i - 1].low in _EVENTS and all(t.kind == "w" for t in toks[:i]):
            return [*toks[:i], _word("was", toks[i]), *toks[i:]], []
    return toks, []


def _one_thing(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`cats are the one thing I'm allergic to`: I'm allergic to cats."""
    for i in range(1, len(toks) - 5):
        if toks[i].low not in ("is", "are", "'s") or toks[i + 1].low != "the":
            continue
        k = i + 2 + (toks[i + 2].low in ("one", "only", "main", "single"))
        if k == i + 2 or toks[k].low not in ("thing", "things", "food", "instrument", "language", "animal"):
            continue
        k += 1 + (toks[k + 1].low == "that")
        a = i
        while a > 0 and toks[a - 1].kind != "p" and toks[a - 1].low not in ("and", "but", "because", "so"):
            a -= 1
        stop = _clause_end(toks, k)
        if toks[k].low in english.lex["nominative"] and a < i and stop > k + 1 and toks[a].low not in _STRESS:
            return [*toks[:a], *toks[k:stop], *toks[a:i], *toks[stop:]], []
    return toks, []


def _and_never(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`I am not, and have never been, a golfer`: what is put in between denies the more."""
    for i in range(1, len(toks) - 4):
        if toks[i].low not in ("not", "never") or toks[i + 1].low not in (",", "(", "—"):
            continue
        close = next((k for k in range(i + 3, min(len(toks) - 1, i + 10)) if toks[k].low in (",", ")", "—")), None)
        inside = {t.low for t in toks[i + 2 : close]} if close is not None else set()
        if (
            close is not None
            and toks[i + 2].low in ("and", "nor", "or")
            and inside & {"never", "not", "have", "will", "nor"}
        ):
            return [*toks[: i + 1], *toks[close + 1 :]], []
    return toks, []


def _in_pair(english: English, t: Token) -> bool:
    small = t.kind == "w" and not english.objects.ordinary(t.low)
    return t.capital or small or t.low in ("and", "i", "my") or t.low in english.people.relations


def _at_the_end(english: English, toks: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """`She's a nurse, my sister`; `we broke up, Tom and I`: whom the pronoun at the head means."""
    end = len(toks)
    while end and toks[end - 1].kind == "p" and toks[end - 1].low in ".!":
        end -= 1
    a = next((i for i in range(len(toks)) if toks[i].low not in ("so", "oh", "well", "and", ",")), 0)
    c = next((k for k in range(end - 2, max(a + 1, end - 7), -1) if toks[k].low == ","), None)
    if c is None or toks[a].low not in ("he", "she", "we", "they") or any(t.low == "," for t in toks[a:c]):
        return toks, []
    who = [_word("i", t) if t.low == "me" else t for t in toks[c + 1 : end]]
    several = toks[a].low in ("we", "they")
    kin = english.people.relations
    alone = len(who) == 2 and who[0].low in ("my", "our", "his", "her") and who[1].low in kin
    pair = any(t.low == "and" for t in who) and all(_in_pair(english, t) for t in who)
    if not (pair if several else alone) or (toks[a].low == "we" and not any(t.low == "i" for t in who)):
        return toks, []
    verb = toks[a + 1 : c]
    if verb and verb[0].low == "'s":
        verb = [_word("is", verb[0]), *verb[1:]]
    return [*toks[:a], *who, *verb, *toks[end:]], []


_Way = Callable[["English", list[Token]], tuple[list[Token], list[list[Token]]]]
# The words without one of which there is nothing to do, and what does it.
_WAYS: tuple[tuple[frozenset[str], _Way], ...] = (
    (frozenset({"none", "neither"}), none_of),
    (frozenset({"both", "all", "two", "three", "four", "five", "six", "2", "3", "4", "5"}), all_of),
    (frozenset({"and", "&"}), named_relatives),
    (frozenset({"and", "while", ",", ";", "but", "whereas"}), gapped),
    (frozenset({"are", "were", "be"}), what_they_are),
    (frozenset({"one", "person", "only"}), _only_one),
    (frozenset({"who"}), _cleft),
    (frozenset({"not"}), _not_me),
    (frozenset({"guess"}), _guess_who),
    (frozenset({":", "-", "—"}), _name_then_verb),
    (frozenset({"my", "our", "new"}), _noun_apposition),
    (frozenset({"a", "an"}), _apposition),
    (frozenset({"all", "thing"}), _all_i_have),
    (frozenset({"its"}), _its),
    (_SHAPES, _person_then_name),
    (_PUT_OFF, _headline),
    (frozenset({"born"}), _born_and_raised),
    (frozenset({"thing", "things", "food", "instrument", "language", "animal"}), _one_thing),
    (_SELVES, _reflexive),
    (frozenset({","}), _at_the_end),
    (frozenset({"not", "never"}), _and_never),
)
