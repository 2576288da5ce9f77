"""A memory extracts with the models that the environment names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lean_memory.backends import passes
from lean_memory.errors import BackendUnavailable
from lean_memory.memory import Memory
from lean_memory.settings import Settings
from tests.extract.passes.material import note


def memory(root: Path, **environ: str) -> Memory:
    return Memory(settings=Settings.from_environ({"LM_DATA_ROOT": str(root), "HF_HUB_CACHE": str(root), **environ}))


def test_without_models_facts_come_by_rules(tmp_path: Path) -> None:
    extractor = memory(tmp_path).extractor()
    assert {fact.route for fact in extractor.episode(note("I work at Acme.")).facts} == {"rules"}
    assert extractor.stats.facts == {"rules": 1}


def test_a_model_that_is_asked_for_and_not_there_is_an_error_before_the_first_line(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable):
        memory(tmp_path, LM_GLINER=str(tmp_path / "absent")).extractor()


def test_models_are_made_once_for_all_that_a_memory_extracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "find_spec", lambda name: name)
    here = memory(tmp_path, LM_GLINER=str(tmp_path), LM_OLLAMA_MODEL="small")
    first, second = here.extractor(), here.extractor()
    assert first._finder is second._finder is not None
    assert first._generator is second._generator is not None
