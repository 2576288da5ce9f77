from __future__ import annotations

from collections.abc import Callable
from datetime import timezone

import pytest

from lean_memory.extract import Extractor
from lean_memory.extract.frames import Frames
from tests.extract.passes.material import T_REF


@pytest.fixture(scope="session")
def extractor() -> Extractor:
    return Extractor()


@pytest.fixture(scope="session")
def read_frames(extractor: Extractor) -> Callable[[str], Frames]:
    def read(text: str) -> Frames:
        return Frames.read(extractor.english, text, t_ref=T_REF, tz=timezone.utc, speaker="user")

    return read
