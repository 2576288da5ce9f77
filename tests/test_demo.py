"""bin/demo gives the right answers, from the real model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_the_demo_answers_its_three_questions() -> None:
    done = subprocess.run([ROOT / "bin" / "demo"], capture_output=True, text=True, check=True)
    notes = (ROOT / "fixtures" / "notes.txt").read_text("utf-8").splitlines()
    assert f"{len(notes)} lines stored" in done.stdout
    answers = [part.splitlines()[1].strip() for part in done.stdout.split("\n$ lm-search ")[1:]]
    for answer, right in zip(answers, ["Harbour Press", "zoo", "piano"], strict=True):
        assert right in answer
