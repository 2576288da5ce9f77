"""The stub: reproducible to the byte, and near where words are shared, so that golden searches make sense."""

from __future__ import annotations

import hashlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.backends.stub import StubEmbedder
from lean_memory.vectors import cosine, unpack


def similarity(a: str, b: str) -> float:
    one, other = StubEmbedder().embed([a, b])
    return cosine(one.data, other.data)


def test_shared_words_make_texts_near() -> None:
    query = "Where does Anna work?"
    assert similarity(query, "Anna works at Acme.") > similarity(query, "Anna lives in Berlin.")
    assert similarity(query, "Anna lives in Berlin.") > similarity(query, "The soup was cold.")


def test_forms_of_a_word_are_near() -> None:
    assert similarity("painting", "paintings") > 0.8 > 0.3 > abs(similarity("painting", "bicycle"))


@given(st.text())
def test_any_text_has_a_vector_of_length_one(text: str) -> None:
    [vector] = StubEmbedder().embed([text])
    floats = unpack(vector.data)
    assert (vector.model, vector.dim, len(floats)) == ("stub", 64, 64)
    assert math.sqrt(sum(x * x for x in floats)) == pytest.approx(1, abs=1e-6)


@given(st.lists(st.text(max_size=20), max_size=5))
def test_a_vector_depends_on_its_text_alone(texts: list[str]) -> None:
    stub = StubEmbedder()
    assert stub.embed(texts) == [stub.embed([text])[0] for text in texts]


def test_the_bytes_are_the_same_on_every_machine() -> None:
    [vector] = StubEmbedder().embed(["Anna works at Acme"])
    assert hashlib.sha256(vector.data).hexdigest()[:16] == "cd0b48ef45f380e6"
