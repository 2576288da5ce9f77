from __future__ import annotations

from collections.abc import Callable

import pytest

from lean_memory.extract import Extractor
from lean_memory.records import Episode, Note
from tests.extract.material import SAID_AT
from tests.extract.parse.material import Recorded


@pytest.fixture(scope="session")
def recorded() -> Recorded:
    return Recorded()


@pytest.fixture(scope="session")
def parsed(recorded: Recorded) -> Callable[[str], Episode]:
    """`parsed("Leeds is where I live.")`: the episode, read with the recorded parse at hand."""
    extractor = Extractor(parser=recorded)

    def said(text: str) -> Episode:
        return extractor.episode(Note(text=text, t_ref=SAID_AT))

    return said
