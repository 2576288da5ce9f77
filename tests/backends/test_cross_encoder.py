"""The reranker of the extra [models], run for real on a tiny BERT with random weights that the test writes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lean_memory.backends import minilm as minilm_module
from lean_memory.backends.cross_encoder import CrossEncoderReranker
from lean_memory.errors import BackendUnavailable

pytest.importorskip("sentence_transformers", reason="the extra [models] is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # torch and transformers warn of their own affairs


def save(path: Path, *, labels: int) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    vocabulary = Path(minilm_module.__file__).parent / "data" / "vocab.txt"
    BertTokenizerFast(vocab=str(vocabulary), model_max_length=64).save_pretrained(path)
    torch.manual_seed(1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=30522, max_position_embeddings=64, num_labels=labels, initializer_range=0.5, **shape)
    BertForSequenceClassification(config).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("tiny-reranker"), labels=1)


@pytest.fixture(scope="module")
def reranker(folder: Path) -> CrossEncoderReranker:
    return CrossEncoderReranker(str(folder), {})


def test_scores_are_from_0_to_1_and_differ(reranker: CrossEncoderReranker) -> None:
    texts = ["Anna keeps bees.", "", "😀", "我在柏林工作", "\ud800", "the train leaves at nine", "word " * 500]
    scores = reranker.score("Who keeps bees?", texts)
    assert len(scores) == len(texts)
    assert all(0 <= score <= 1 for score in scores)
    assert len(set(scores)) > 3


def test_a_score_depends_on_query_and_text_alone(reranker: CrossEncoderReranker) -> None:
    texts = ["short", "a longer text about the weather in the north", "word " * 200]
    together = reranker.score("weather", texts)
    assert together == pytest.approx([reranker.score("weather", [text])[0] for text in texts], abs=1e-5)
    assert together != pytest.approx(reranker.score("bicycle", texts), abs=1e-5)


def test_a_long_text_is_as_good_as_its_best_part(reranker: CrossEncoderReranker) -> None:
    beginning = reranker.score("bees", ["plain " * 40])[0]
    assert all(score >= beginning - 0.05 for score in reranker.score("bees", ["plain " * n for n in (100, 200, 400)]))


def test_a_query_longer_than_the_window_is_scored(reranker: CrossEncoderReranker) -> None:
    assert len(reranker.score("where " * 2000, ["here", "there " * 300])) == 2


def test_nothing_to_score() -> None:
    assert CrossEncoderReranker("there is no such model", {}).score("bees", []) == []


def test_a_model_that_is_not_there_is_named_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="acme/ranker is not on the disk") as caught:
        CrossEncoderReranker("acme/ranker", {"HF_HOME": str(tmp_path)}).warm()
    assert "lm-embed --warm" in str(caught.value.hint)


def test_a_model_that_does_not_load_is_an_error(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(BackendUnavailable, match="does not load"):
        CrossEncoderReranker(str(broken), {}).warm()


def test_a_classifier_of_several_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="3 scores"):
        CrossEncoderReranker(str(save(tmp_path / "labels", labels=3)), {}).warm()
