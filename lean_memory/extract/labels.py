"""Whose words: `me: ..`, `[Tom] ..`, `Anna: "i bought a kayak"`, `Email from Zoe: ".."`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lean_memory.extract.people import Memory, Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.segment import pieces
from lean_memory.extract.tokens import Token
from lean_memory.extract.turn import Turn

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["embedded", "read_label"]


def read_label(english: English, turn: Turn, toks: list[Token]) -> list[Reading] | None:
    """`me: ..`, `Anna: "i bought a kayak"`: another speaker's line."""
    said = _speaker_label(english, turn, toks)
    if said is not None:
        name, begin = said
        if name == turn.speaker:
            return embedded(english, turn, toks[begin:], name, 0.9)
        turn.memory.add(Mention(0, begin, name, named=True))
        return embedded(english, turn, toks[begin:], name, 0.85)
    colon = next((i for i, t in enumerate(toks[:5]) if t.low == ":" and t.kind == "p"), None)
    if not colon:
        return None
    words = toks[:colon]
    low = words[0].low
    rest = toks[colon + 1 :]
    if not rest:
        return None
    if low in ("me", "i") and len(words) == 1:
        return embedded(english, turn, rest, turn.speaker, 0.9)
    if all(t.capital for t in words) and len(words) <= 3 and english.people.name_at(words, 0) == len(words):
        name = english.people.text(words, 0, len(words))
        first = rest[0]
        if _of_the_named(english, turn, words, rest):  # `Anna: moved to Oslo`
            turn.memory.add(Mention(0, colon, name, named=True))
            return embedded(english, turn, rest, name, 0.8)
        if first.kind == "q" or any(t.low in ("i", "my", "we", "me") for t in rest):
            turn.memory.add(Mention(0, colon, name, named=True))
            return embedded(english, turn, rest, name, 0.85)
    return None


def _of_the_named(english: English, turn: Turn, words: list[Token], rest: list[Token]) -> bool:
    """Does a verb without subject stand behind what can only be a name: that of a person, or of a project?"""
    low = words[0].low
    i = 0
    while i < len(rest) - 1 and rest[i].low in english.lex["adverbs"]:
        i += 1
    form = (english.forms.get(rest[i].low) or ("", ""))[1]
    if (
        rest[i].capital
        or not ("d" in form or form in ("n", "g"))
        or any(t.low in ("i", "my", "me", "we") for t in rest)
    ):
        return False
    if low in english.people.first_names or any(p.name == words[0].text for p in turn.memory.people):
        return True
    topics = english.headings["topic_labels"] | english.lex["places"] | english.lex["languages"]
    return not (english.objects.ordinary(low) or low in topics or low in english.nouns or low in english.forms)


def embedded(english: English, turn: Turn, toks: list[Token], speaker: str, confidence: float) -> list[Reading]:
    """Words of another first person."""
    begin, end = toks[0].start, toks[-1].end
    if toks[0].kind == "q":
        begin, end = begin + 1, toks[0].end - 1
    others = [person for person in turn.memory.people if person.name != speaker]  # `she` is somebody else
    inner = replace(turn, speaker=speaker, memory=Memory(speaker, others), heading=None, last=[], unnamed=None)
    out: list[Reading] = []
    text = turn.text[:end]
    for piece in pieces(text[begin:], []):
        out += english.read(inner, begin + piece.start, begin + piece.end, [], item=False, line=0, gap=False)
    for reading in out:
        reading.confidence = min(reading.confidence, confidence)
    return out


def _speaker_label(english: English, turn: Turn, toks: list[Token]) -> tuple[str, int] | None:
    """(name, tokens) of `[Tom] ..`, `<Tom> ..`, `Tom> ..`, `[12:04] Tom: ..`; `me` is the speaker."""
    i = 0
    n = len(toks)
    if n > 3 and toks[0].low in ("[", "(") and toks[1].kind in "nx":  # a time stands first
        while i < n and toks[i].low not in ("]", ")"):
            i += 1
        i += 1
        j = english.people.name_at(toks, i) if i < n else i
        if i < j < n - 1 and toks[j].low in (":", ">"):
            return english.people.text(toks, i, j), j + 1
        return None
    said = next((k for k in range(1, min(n - 1, 14)) if toks[k].low == ":" and toks[k + 1].kind == "q"), None)
    if said is not None:  # `Email from Zoe: "..."`, `Zoe's out-of-office: "..."`
        if toks[0].low in english.headings["writings"] and toks[1].low == "from":
            j = english.people.name_at(toks, 2)
            if 2 < j == said:
                return english.people.text(toks, 2, j), said + 1
        who = _somebody(english, turn, toks, said)
        if who is not None:
            return who, said + 1
        j = english.people.name_at(toks, 0)
        if 0 < j < said - 1 and toks[j].low == "'s" and toks[said - 1].low in english.headings["writings"]:
            return english.people.text(toks, 0, j), said + 1
    if n > 3 and toks[0].low in ("[", "<"):
        close = "]" if toks[0].low == "[" else ">"
        j = english.people.name_at(toks, 1)
        if toks[1].low in ("me", "i") and toks[2].low == close:
            return turn.speaker, 3
        if 1 < j < n - 1 and toks[j].low == close:
            return english.people.text(toks, 1, j), j + 1 + (toks[j + 1].low == ":")
        return None
    j = english.people.name_at(toks, 0)
    if 0 < j < n - 1 and toks[j].low == ">" and toks[j].start == toks[j - 1].end:
        return english.people.text(toks, 0, j), j + 1
    return None


def _somebody(english: English, turn: Turn, toks: list[Token], stop: int) -> str | None:
    """`Little kid on the tram, very loudly: ".."`, `The old man at the till: ".."`: whoever says it, without a name."""
    words = english.people
    if stop == 2 and toks[0].low in ("my", "our") and toks[1].low in words.relations:  # `My sister: ".."`
        role = f"{turn.speaker}'s {toks[1].low}"
        return turn.memory.aliases.get(role, role)
    i = int(toks[0].low in ("the", "a", "an", "this", "that", "some"))
    begin = i
    while i < stop and toks[i].low in words.adjectives:
        i += 1
    if i >= stop or toks[i].low not in words.somebody or toks[i].kind != "w":
        return None
    if any(t.low in ("i", "my", "we", "me", "said", "and", "you") for t in toks[i + 1 : stop]):
        return None
    after = toks[i + 1].low
    if i + 1 < stop and toks[i + 1].kind == "w" and after not in english.lex["prepositions"] | english.lex["adverbs"]:
        return None
    name = words.text(toks, begin, i + 1)
    name = name[0].lower() + name[1:] if begin == 0 else name
    return f"the {name}" if toks[0].low in ("the", "this", "that") else name
