"""What is looked for first, to be quick, passes nothing over."""

from __future__ import annotations

from importlib import import_module

import pytest

from lean_memory.extract import Extractor, cues, sentence
from lean_memory.extract.idioms import IDIOMS
from tests.extract.material import load, read_kinds


def test_asking_every_rule_every_time_gives_the_same(extractor: Extractor, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for kind in read_kinds() for case in kind.cases]
    quick = [load(extractor, case) for case in cases]
    monkeypatch.setattr(sentence, "asked", lambda words: tuple(idiom for idiom, _ in IDIOMS))
    monkeypatch.setattr(import_module("lean_memory.extract.idioms.cancellations"), "_MARKS", ("",))
    for marks in ("CORRECTION_MARKS", "ELSEWHERE_MARKS", "JOKE_MARKS"):
        monkeypatch.setattr(cues, marks, ("",))
    assert [(case.say, load(extractor, case)) for case in cases] == list(
        zip((case.say for case in cases), quick, strict=True)
    )
