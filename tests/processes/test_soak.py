"""Everything at once on one memory: a short form of `tests/bench/soak.py`, which has the laws."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.soak import soak

pytestmark = pytest.mark.slow


def test_everything_at_once_loses_nothing(tmp_path: Path) -> None:
    seen = soak(tmp_path, seconds=3, writers=3, readers=2)
    assert seen.wrong == []
    assert seen.acknowledged
