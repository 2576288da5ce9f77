"""Which reranker is taken: the one asked for, else the best installed; with stubs none. And what `--warm` fetches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lean_memory.backends import choose, choose_reranker, fetch, files
from lean_memory.backends.cross_encoder import DEFAULT, CrossEncoderReranker
from lean_memory.backends.late_interaction import LateInteraction
from lean_memory.backends.minilm import MiniLM
from lean_memory.backends.sentence_transformer import DEFAULT as DEFAULT_EMBEDDER
from lean_memory.claims import EmbedderMark
from lean_memory.errors import BackendUnavailable, UsageError


def having(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def test_late_interaction_is_the_default_and_shares_the_embedder() -> None:
    embedder = MiniLM()
    reranker, reason = choose_reranker({}, embedder)
    assert isinstance(reranker, LateInteraction)
    assert reranker._model is embedder
    assert (reranker.name, reason) == ("late-interaction", "the default")


def test_the_cross_encoder_is_taken_when_it_is_there() -> None:
    reranker, reason = choose_reranker({}, installed=having("late-interaction", f"st:{DEFAULT}"))
    assert isinstance(reranker, CrossEncoderReranker)
    assert "[models]" in reason


@pytest.mark.parametrize("env", [{"LM_BACKENDS": "stub"}, {"LM_RERANKER": "none"}])
def test_there_is_none_with_stubs_or_when_none_is_wanted(env: dict[str, str]) -> None:
    reranker, reason = choose_reranker(env)
    assert reranker is None
    assert reason == "=".join(next(iter(env.items())))


def test_without_any_model_a_search_goes_without() -> None:
    reranker, reason = choose_reranker({}, installed=having())
    assert reranker is None
    assert "none is installed" in reason


def test_one_that_is_named_is_used_or_missed_loudly(tmp_path: Path) -> None:
    named = choose_reranker({"LM_RERANKER": f"st:{tmp_path}"}, installed=having(f"st:{tmp_path}"))
    assert named.reranker is not None
    assert named.reranker.name == f"st:{tmp_path}"
    with pytest.raises(BackendUnavailable, match="the reranker st:acme/ranker is not installed") as caught:
        choose_reranker({"LM_RERANKER": "st:acme/ranker", "HF_HOME": str(tmp_path)})
    assert "LM_RERANKER=st:acme/ranker lm-embed --warm" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["best", "st:", "minilm"])
def test_an_unknown_reranker_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        choose_reranker({"LM_RERANKER": name})


# ---------------------------------------------------------------------------------------------- fetching


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hub, as far as it is asked, on a machine with the extra [models]."""
    names: list[str] = []
    monkeypatch.setattr(files, "fetch", names.append)
    monkeypatch.setattr(choose, "find_spec", lambda name: object())
    return names


def test_warming_fetches_the_defaults_of_the_extra_once(tmp_path: Path, fetched: list[str]) -> None:
    env = {"HF_HUB_CACHE": str(tmp_path)}
    assert fetch(env, None) == fetched == [DEFAULT_EMBEDDER, DEFAULT]
    for name in fetched:
        snapshot = tmp_path / f"models--{name.replace('/', '--')}"
        (snapshot / "snapshots" / "abc").mkdir(parents=True)
        (snapshot / "refs").mkdir()
        (snapshot / "refs" / "main").write_text("abc")
    assert fetch(env, None) == []


@pytest.mark.parametrize(
    ("env", "recorded", "names"),
    [
        ({"LM_EMBEDDER": "st:acme/large"}, None, ["acme/large", DEFAULT]),
        ({"LM_EMBEDDER": "minilm", "LM_RERANKER": "none"}, None, []),
        ({"LM_RERANKER": "late-interaction"}, "st:acme/old", ["acme/old"]),
        ({}, "minilm", [DEFAULT]),
        ({"LM_BACKENDS": "stub"}, None, []),
    ],
)
def test_warming_fetches_what_will_be_used(
    env: dict[str, str], recorded: str | None, names: list[str], tmp_path: Path, fetched: list[str]
) -> None:
    mark = EmbedderMark(recorded, 8, "?") if recorded else None
    assert fetch(env | {"HF_HUB_CACHE": str(tmp_path)}, mark) == names == fetched


def test_nothing_is_fetched_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "find_spec", lambda name: None)
    assert fetch({}, None) == []
