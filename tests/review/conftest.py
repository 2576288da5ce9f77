"""A memory to review, made once and copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.review.material import make_memory


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("review")
    make_memory(folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A place with the memory `work`, to change."""
    shutil.copytree(made / "memory", tmp_path / "memory")
    return tmp_path
