from __future__ import annotations

from collections.abc import Callable

import pytest

from lean_memory.extract import Extractor
from lean_memory.records import Episode, Note
from tests.extract.material import SAID_AT


@pytest.fixture(scope="session")
def extractor() -> Extractor:
    return Extractor()


@pytest.fixture(scope="session")
def say(extractor: Extractor) -> Callable[..., Episode]:
    """`say("I work at Acme")`: the episode of a turn said on 10 March 2026."""

    def said(text: str, **more: object) -> Episode:
        return extractor.episode(Note(**{"text": text, "t_ref": SAID_AT, **more}))  # type: ignore[arg-type]

    return said
