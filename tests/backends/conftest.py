from __future__ import annotations

from pathlib import Path

import pytest

from lean_memory.backends.minilm import MiniLM, installed_model


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """The real default model, loaded once."""
    model = MiniLM()
    model.warm()
    return model


@pytest.fixture(scope="session")
def model_file() -> Path:
    path = installed_model()
    assert path is not None, "the default model is a dependency: pip install ."
    return path
