"""Which models help extraction: what the environment asks for, what is installed, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lean_memory.backends import passes
from lean_memory.backends.passes import choose_finder, choose_generator
from lean_memory.errors import BackendUnavailable, UsageError


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The packages that are there, as far as the choice can see."""
    names: set[str] = set()
    monkeypatch.setattr(passes, "find_spec", lambda name: name if name in names else None)
    return names


def test_nothing_installed_nothing_asked_is_no_error(installed: set[str]) -> None:
    finder, generator = choose_finder({}), choose_generator({})
    assert (finder.model, generator.model) == (None, None)
    assert "lean-memory[extract]" in finder.reason
    assert "LM_OLLAMA_MODEL" in generator.reason


def test_gliner_is_used_by_itself_when_package_and_weights_are_there(installed: set[str], tmp_path: Path) -> None:
    installed |= {"gliner2", "torch"}
    env = {"HF_HUB_CACHE": str(tmp_path)}
    assert choose_finder(env).model is None
    hub = tmp_path / "models--fastino--gliner2-base-v1"
    (hub / "snapshots" / "abc").mkdir(parents=True)
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("abc")
    assert choose_finder(env).model is not None
    assert choose_finder({**env, "LM_GLINER": "off"}).model is None
    assert choose_finder({**env, "LM_BACKENDS": "stub"}).model is None


def test_gliner_takes_a_folder(installed: set[str], tmp_path: Path) -> None:
    installed |= {"gliner2", "torch"}
    chosen = choose_finder({"LM_GLINER": str(tmp_path)})
    assert chosen.model is not None
    assert chosen.model.name == f"gliner2:{tmp_path}"


@pytest.mark.parametrize(
    ("there", "says"),
    [(set(), r"needs gliner2"), ({"gliner2"}, r"needs gliner2"), ({"gliner2", "torch"}, "not on the disk")],
)
def test_a_finder_that_was_asked_for_is_missed_loudly(
    installed: set[str], tmp_path: Path, there: set[str], says: str
) -> None:
    installed |= there
    with pytest.raises(BackendUnavailable, match=says):
        choose_finder({"LM_GLINER": str(tmp_path / "absent"), "HF_HUB_CACHE": str(tmp_path)})


def test_a_language_model_is_used_only_when_asked_for(installed: set[str]) -> None:
    installed |= {"ollama", "xllamacpp"}
    assert choose_generator({}).model is None
    ollama = choose_generator({"LM_OLLAMA_MODEL": "small"})
    assert ollama.model is not None
    assert ollama.model.name == "ollama:small"
    assert "127.0.0.1" in ollama.reason
    gguf = choose_generator({"LM_GGUF": "models/small.gguf"})
    assert gguf.model is not None
    assert gguf.model.name == "gguf:small.gguf"
    assert choose_generator({"LM_OLLAMA_MODEL": "small", "LM_BACKENDS": "stub"}).model is None


def test_another_host_must_be_named(installed: set[str]) -> None:
    installed |= {"ollama"}
    assert "http://box:11434" in choose_generator({"LM_OLLAMA_MODEL": "m", "LM_OLLAMA_HOST": "http://box:11434"}).reason


@pytest.mark.parametrize(("env", "extra"), [({"LM_OLLAMA_MODEL": "small"}, "llm"), ({"LM_GGUF": "small.gguf"}, "gguf")])
def test_a_language_model_that_was_asked_for_is_missed_loudly(
    installed: set[str], env: dict[str, str], extra: str
) -> None:
    with pytest.raises(BackendUnavailable) as error:
        choose_generator(env)
    assert error.value.hint == f"install it with: pip install 'lean-memory[{extra}]'"


def test_two_language_models_are_one_too_many(installed: set[str]) -> None:
    with pytest.raises(UsageError, match="both set"):
        choose_generator({"LM_OLLAMA_MODEL": "small", "LM_GGUF": "small.gguf"})
