"""Reranking by token vectors: each word of the query looks for its best match in the text."""

from __future__ import annotations

import numpy as np
import pytest

from lean_memory.backends import late_interaction as module
from lean_memory.backends.late_interaction import LateInteraction, maxsim
from lean_memory.backends.minilm import MiniLM


@pytest.fixture(scope="module")
def reranker(minilm: MiniLM) -> LateInteraction:
    return LateInteraction(minilm)


def test_the_text_that_answers_comes_first(reranker: LateInteraction) -> None:
    texts = [
        "The train to Bergen leaves at nine.",
        "Anna has been a nurse at the harbour clinic since May.",
        "Anna bought a new bicycle.",
        "The clinic is closed on Sundays.",
    ]
    scores = reranker.score("What is Anna's job at the clinic?", texts)
    assert max(zip(scores, texts, strict=True))[1] == texts[1]
    assert min(zip(scores, texts, strict=True))[1] == texts[0]


def test_scores_are_from_0_to_1_and_a_text_meets_itself_fully(reranker: LateInteraction) -> None:
    texts = ["Anna keeps bees", "", "😀", "我在柏林工作", "item " * 700 + "Anna keeps bees"]
    scores = reranker.score("Anna keeps bees", texts)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[0] == pytest.approx(1, abs=1e-3)
    assert scores[1] == 0


def test_the_end_of_a_long_text_counts(reranker: LateInteraction) -> None:
    shelf = "an item is on the shelf. " * 200
    without, with_it = reranker.score("Anna keeps bees", [shelf, f"{shelf} Anna keeps bees."])
    assert with_it > without + 0.2


def test_a_score_depends_on_its_text_alone(reranker: LateInteraction) -> None:
    texts = ["short", "a much longer text about the weather in the north", ""]
    together = reranker.score("weather", texts)
    assert together == pytest.approx([reranker.score("weather", [text])[0] for text in texts], abs=1e-6)


def test_nothing_to_score(reranker: LateInteraction) -> None:
    assert reranker.score("bees", []) == []
    assert reranker.score("", ["bees"]) == [0]


def test_maxsim_is_the_mean_of_the_best_cosines() -> None:
    x, y, z = np.eye(3, dtype=np.float32)
    query = np.stack([x, y])
    texts = [np.stack([x, y, z]), np.stack([x]), np.stack([z, z]), np.empty((0, 3), np.float32), np.stack([-x, -y])]
    assert maxsim(query, texts) == [1, 0.5, 0, 0, 0]


def test_a_query_token_counts_by_its_weight() -> None:
    x, y, _ = np.eye(3, dtype=np.float32)
    assert maxsim(np.stack([x, y]), [np.stack([x]), np.stack([y])], [3, 1]) == [0.75, 0.25]
    assert maxsim(np.stack([x, y]), [np.stack([x])], [0, 0]) == [0.5]


def test_a_rare_word_counts_more_than_a_common_one(reranker: LateInteraction) -> None:
    rare, common = reranker.score("What is the harpsichord?", ["harpsichord", "what is the"])
    assert rare > common


def test_scores_are_the_same_when_texts_come_again(minilm: MiniLM) -> None:
    reranker = LateInteraction(minilm)
    texts = [f"note {n}: Anna keeps {n} bees" for n in range(20)]
    first = reranker.score("How many bees?", texts)
    assert reranker.score("How many bees?", texts[::-1])[::-1] == pytest.approx(first, abs=1e-6)


def test_only_so_many_token_vectors_are_kept(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 50)
    reranker = LateInteraction(minilm)
    texts = [f"note {n} on the shelf" for n in range(40)]
    scores = reranker.score("the shelf", texts)
    assert sum(map(len, reranker._kept.values())) == reranker._kept_tokens <= 50
    assert reranker.score("the shelf", [*texts, texts[0]]) == pytest.approx([*scores, scores[0]], abs=1e-6)


def test_token_vectors_are_unit_vectors_one_a_word_piece(minilm: MiniLM) -> None:
    tokens = minilm.token_vectors(["Anna keeps bees", "", "bee " * 300])
    assert minilm.pieces(tokens[0].ids) == ["anna", "keeps", "bees"]
    assert [len(ids) for ids, _ in tokens] == [len(vectors) for _, vectors in tokens]
    short, empty, long = (vectors for _, vectors in tokens)
    assert short.shape == (3, 384)
    assert empty.shape == (0, 384)
    assert long.shape == (254 + 300 - 222, 384)
    assert np.linalg.norm(np.concatenate([short, long]), axis=1) == pytest.approx(1, abs=1e-5)
