"""The extra [extract], run for real: gliner2 loads and reads with a tiny model that the test makes, of random weights.

What such a model finds is noise; that it loads from a folder or a cache without a network, that its spans are those
of the text, and that any text is read to its end, is not.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lean_memory.backends.gliner import GLiNER
from lean_memory.candidates import Relation
from lean_memory.errors import BackendUnavailable

pytest.importorskip("gliner2", reason="the extra [extract] is not installed")
pytest.importorskip("torch", reason="the extra [extract] is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),
]  # torch and transformers warn of their own affairs

KNOWN = "head tail works_at lives_in i work at acme anna lives in berlin my sister and . , 我 在 柏 林"
RELATIONS = [Relation("works_at", "a person works at an organisation"), Relation("lives_in", "where a person lives")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from gliner2 import ExtractorConfig, SpanExtractor
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import DebertaV2Config, PreTrainedTokenizerFast

    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    vocabulary = {word: index for index, word in enumerate([*special.values(), *KNOWN.split()])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    encoder = DebertaV2Config(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        relative_attention=True, pos_att_type=["p2c", "c2p"], position_biased_input=False, initializer_range=3.0,
    )  # fmt: skip
    torch.manual_seed(0)
    model = SpanExtractor(
        ExtractorConfig(model_name="tiny", max_width=4, counting_layer="count_lstm_v2"),
        encoder_config=encoder,
        tokenizer=PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special),
    )
    with torch.no_grad():
        model.count_pred[-1].bias[19] += 1000  # so that it sees many pairs,
        for weights in model.count_embed.parameters():
            weights.mul_(5)  # of different ends
    path = tmp_path_factory.mktemp("gliner") / "tiny"
    model.save_pretrained(str(path))
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> GLiNER:
    return GLiNER(str(folder), threshold=0.0)  # all that random weights see


@pytest.mark.parametrize(
    "text",
    [
        "I work at Acme, and my sister Anna lives in Berlin.",
        "Anna lives in Berlin! " * 70,
        "我在柏林工作。",
        "İstanbul'da ﬁne 😀 e\u0301 Anna",
        "a lone surrogate \ud800 and Anna",
    ],
)
def test_what_it_finds_is_quoted_from_the_text(model: GLiNER, text: str) -> None:
    found = model.candidates(text, RELATIONS)
    assert found
    for candidate in found:
        assert candidate.predicate in ("works_at", "lives_in")
        assert text[slice(*candidate.head)] == candidate.subject
        assert text[slice(*candidate.tail)] == candidate.object
        assert 0.0 <= candidate.confidence <= 1.0
        assert candidate.span == (min(candidate.head + candidate.tail), max(candidate.head + candidate.tail))


def test_a_long_text_is_read_to_its_end(model: GLiNER) -> None:
    text = "Anna lives in Berlin. " * 120
    assert (
        max(candidate.span[1] for candidate in model.candidates(text, RELATIONS)) > len(text) // 2
    )  # a window is less than half of it


def test_text_without_spaces_has_spans_inside_it(model: GLiNER) -> None:
    text = "我在柏林工作我在柏林工作"
    assert any(candidate.span != (0, len(text)) for candidate in model.candidates(text, RELATIONS))


def test_more_relations_than_are_asked_for_at_once_are_all_asked_for(model: GLiNER) -> None:
    many = [Relation(f"relation_{n}", "") for n in range(40)]
    found = {candidate.predicate for candidate in model.candidates("Anna lives in Berlin.", many)}
    numbers = {int(name.removeprefix("relation_")) for name in found}
    assert min(numbers) < 16
    assert max(numbers) >= 32


def test_the_same_text_has_the_same_candidates(model: GLiNER, folder: Path) -> None:
    text = "I work at Acme, and my sister Anna lives in Berlin."
    assert model.candidates(text, RELATIONS) == GLiNER(str(folder), threshold=0.0).candidates(text, RELATIONS)


def test_below_the_threshold_nothing_is_given(model: GLiNER, folder: Path) -> None:
    text = "I work at Acme, and my sister Anna lives in Berlin."
    everything = model.candidates(text, RELATIONS)
    middle = sorted(candidate.confidence for candidate in everything)[len(everything) // 2]
    for candidate in GLiNER(str(folder), threshold=middle).candidates(text, RELATIONS):
        assert candidate.confidence >= middle


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_text_has_none(model: GLiNER, text: str) -> None:
    assert model.candidates(text, RELATIONS) == []


def test_no_relations_no_candidates(model: GLiNER) -> None:
    assert model.candidates("Anna lives in Berlin.", []) == []


def test_a_hub_model_is_read_from_the_cache_alone(folder: Path, tmp_path: Path) -> None:
    hub = tmp_path / "models--acme--tiny"
    shutil.copytree(folder, hub / "snapshots" / "abc")
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("abc")
    model = GLiNER("acme/tiny", {"HF_HUB_CACHE": str(tmp_path)}, threshold=0.0)
    assert model.candidates("Anna lives in Berlin.", RELATIONS)


def test_a_missing_model_is_not_fetched_but_said_how_to(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="not on the disk") as error:
        GLiNER("acme/absent", {"HF_HUB_CACHE": str(tmp_path)}).warm()
    assert "--warm" in (error.value.hint or "")


def test_a_folder_without_a_model_says_what_it_must_hold(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="does not load") as error:
        GLiNER(str(tmp_path)).warm()
    assert "GLiNER2" in (error.value.hint or "")


def test_a_model_that_brings_code_is_refused(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    path = copy / "encoder_config" / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "auto_map": {"AutoModel": "evil.Model"}}))
    (copy / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(BackendUnavailable, match="own code"):
        GLiNER(str(copy)).warm()
    assert not (tmp_path / "ran").exists()


def test_a_damaged_file_is_an_error_that_names_the_folder(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / "model.safetensors").write_bytes(b"\x00" * 64)
    with pytest.raises(BackendUnavailable, match="copy does not load"):
        GLiNER(str(copy)).warm()


def test_loading_and_reading_print_nothing(folder: Path) -> None:
    code = (
        "import sys; from lean_memory.backends.gliner import GLiNER; from lean_memory.candidates import Relation\n"
        "assert GLiNER(sys.argv[1], threshold=0.0).candidates('Anna lives in Berlin.', [Relation('lives_in', 'where')])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
