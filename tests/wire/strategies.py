"""Arbitrary records, for laws."""

from __future__ import annotations

import struct
from typing import Any

from hypothesis import strategies as st

from lean_memory.records import Change, Episode, Fact, Hit, Note, Receipt, Vector, episode_of, fact_id

__all__ = ["changes", "episodes", "facts", "hits", "instants", "json_values", "notes", "receipts", "texts", "vectors"]

EXAMPLES = (
    "I work at Acme.", "我在柏林工作。", "Ich wohne in Köln 🏡",
    "👩‍👩‍👧", "e\u0301", "\u202eright to left", "\x00\x1f\x7f\x85",
    "\u2028\u2029", '"\\/', "", " \t ", "line\nline\r\n", "\ufeff", "ǅ", "𝔘",
)  # fmt: skip

texts = st.sampled_from(EXAMPLES) | st.text(max_size=60)
instants = st.integers(-62_135_596_800_000, 253_402_300_799_999)  # the years 1 to 9999
ids = st.text("0123456789abcdef", min_size=32, max_size=32)
zones = st.sampled_from((None, "+05:45", "-03:30", "Europe/Berlin", "America/New_York"))
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
metas = st.dictionaries(texts, json_values, max_size=3)
unknown = st.dictionaries(st.text(max_size=8).map("x_".__add__), json_values, max_size=3)
millionths = st.integers(0, 1_000_000).map(lambda n: n / 1_000_000)


@st.composite
def vectors(draw: st.DrawFn) -> Vector:
    numbers = draw(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=8))
    return Vector(draw(texts), len(numbers), struct.pack(f"<{len(numbers)}f", *numbers))


@st.composite
def notes(draw: st.DrawFn) -> Note:
    return Note(
        text=draw(texts),
        t_ref=draw(instants),
        tz=draw(zones),
        source=draw(texts.filter(bool)),
        speaker=draw(st.none() | texts.filter(bool)),
        session=draw(st.none() | texts.filter(bool)),
        meta=draw(metas),
        extra=draw(unknown),
    )


@st.composite
def facts(draw: st.DrawFn, text: str) -> Fact:
    begin, end = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    since, until = sorted(draw(st.tuples(instants, instants)))
    subject, predicate, value = draw(texts), draw(st.sampled_from(("likes", "works_at", "x", "a_1"))), draw(texts)
    polarity = draw(st.sampled_from(("positive", "negative")))
    return Fact(
        id=fact_id(subject, predicate, value, polarity),
        subject=subject,
        predicate=predicate,
        object=value,
        polarity=polarity,
        text=draw(texts),
        quote=text[begin:end],
        span=(begin, end),
        valid_at=draw(st.sampled_from((None, since))),
        valid_to=draw(st.sampled_from((None, until))),
        time_text=draw(st.none() | texts),
        relation=draw(st.sampled_from(("asserts", "derives"))),
        cue=draw(st.sampled_from((None, "adds", "corrects"))),
        confidence=draw(millionths),
        salience=draw(millionths),
        route=draw(texts.filter(bool)),
        vector=draw(st.none() | vectors()),
        extra=draw(unknown),
    )


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    note = draw(notes())
    drawn = draw(st.lists(facts(note.text), max_size=3))
    return episode_of(note, drawn, vector=draw(st.none() | vectors()))


@st.composite
def receipts(draw: st.DrawFn) -> Receipt:
    some = st.lists(ids, max_size=3).map(tuple)
    status = draw(st.sampled_from(("stored", "already_stored", "rejected")))
    return Receipt(
        id=draw(ids), status=status, added=draw(some), reinforced=draw(some), superseded=draw(some), extra=draw(unknown)
    )


@st.composite
def hits(draw: st.DrawFn) -> Hit:
    text = draw(texts)
    fact = draw(st.none() | facts(text))
    ranked = draw(st.booleans())
    return Hit(
        rank=draw(st.integers(1, 1000)) if ranked else None,
        kind="episode" if fact is None else "fact",
        id=draw(ids),
        episode=draw(st.none() | ids),
        score=draw(millionths) if ranked else None,
        text=text if fact is None else fact.text,
        speaker=draw(st.none() | texts),
        t_ref=draw(st.none() | instants),
        session=draw(st.none() | texts),
        fact=fact,
        parts=draw(st.none() | st.dictionaries(texts, millionths, max_size=3)),
        extra=draw(unknown),
    )


@st.composite
def changes(draw: st.DrawFn) -> Change:
    action = draw(st.sampled_from(("asserted", "reinforced", "superseded", "retracted", "retired", "summarised")))
    return Change(
        at=draw(instants), action=action, fact=draw(ids), episode=draw(st.none() | ids), cause=draw(metas)
    )  # fmt: skip
