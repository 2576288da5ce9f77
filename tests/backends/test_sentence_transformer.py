"""The extra [models], run for real on a tiny BERT with random weights that the test writes to the disk."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lean_memory.backends import choose_embedder
from lean_memory.backends import minilm as minilm_module
from lean_memory.backends.sentence_transformer import SentenceTransformerEmbedder
from lean_memory.errors import BackendUnavailable
from lean_memory.vectors import cosine, unpack

pytest.importorskip("sentence_transformers", reason="the extra [models] is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # torch and transformers warn of their own affairs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    path = tmp_path_factory.mktemp("tiny")
    vocabulary = Path(minilm_module.__file__).parent / "data" / "vocab.txt"
    BertTokenizerFast(vocab=str(vocabulary), model_max_length=64).save_pretrained(path)
    torch.manual_seed(1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=30522, max_position_embeddings=64, **shape)).save_pretrained(path)
    (path / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 16, "pooling_mode_mean_tokens": True}
    (path / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    kind = "sentence_transformers.models"
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": f"{kind}.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{kind}.Pooling"},
    ]
    (path / "modules.json").write_text(json.dumps(modules))
    (path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 64, "do_lower_case": False}))
    (path / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "look for: "}, "default_prompt_name": None})
    )
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> SentenceTransformerEmbedder:
    embedder = choose_embedder({"LM_EMBEDDER": f"st:{folder}"}, None).embedder
    assert isinstance(embedder, SentenceTransformerEmbedder)
    return embedder


@pytest.mark.parametrize("text", ["", "Anna lives in Berlin.", "😀", "我在柏林工作", "\ud800", "word " * 500])
def test_any_text_has_a_vector_of_length_one(model: SentenceTransformerEmbedder, text: str) -> None:
    [vector] = model.embed([text])
    assert (vector.model, vector.dim) == (model.mark.name, 16)
    assert math.hypot(*unpack(vector.data)) == pytest.approx(1, abs=1e-5)


def test_a_vector_depends_on_its_text_alone(model: SentenceTransformerEmbedder) -> None:
    texts = ["short", "a longer text about the weather in the north", "word " * 200]
    for text, vector in zip(texts, model.embed(texts), strict=True):
        assert cosine(vector.data, model.embed([text])[0].data) > 1 - 1e-5


def test_a_query_gets_the_model_s_prompt(model: SentenceTransformerEmbedder) -> None:
    [query], [same] = model.embed(["bees"], query=True), model.embed(["look for: bees"])
    assert cosine(query.data, same.data) > 1 - 1e-5
    assert model.embed(["bees"])[0] != query


@pytest.mark.parametrize("at", [0, 40, 60, 61, 62, 63, 64, 100, 150, 199])
def test_every_word_of_a_long_text_is_in_a_window(model: SentenceTransformerEmbedder, at: int) -> None:
    words = ["plain"] * 200
    changed = [*words[:at], "zebra", *words[at + 1 :]]
    before, after = model.embed([" ".join(words), " ".join(changed)])
    assert before.data != after.data


def test_other_weights_have_another_fingerprint(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    mark = SentenceTransformerEmbedder(str(folder), {}).mark
    assert SentenceTransformerEmbedder(str(copy), {}).mark.fingerprint == mark.fingerprint
    weights = copy / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert SentenceTransformerEmbedder(str(copy), {}).mark.fingerprint != mark.fingerprint


def test_a_folder_that_does_not_load_is_an_error(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "broken"
    shutil.copytree(folder, copy)
    (copy / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(BackendUnavailable, match="does not load"):
        SentenceTransformerEmbedder(str(copy), {}).warm()


def test_nothing_is_printed(folder: Path) -> None:
    program = (
        "import sys; from lean_memory.backends import choose_embedder; "
        "choose_embedder({'LM_EMBEDDER': sys.argv[1]}, None).embedder.embed(['one', 'word ' * 300])"
    )
    done = subprocess.run([sys.executable, "-c", program, f"st:{folder}"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
