"""What is held does not grow with the input: small forms of `tests/bench/limits.py`."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from lean_memory.extract import Extractor
from lean_memory.records import Note
from tests.bench.limits import streamed, text


@pytest.mark.slow
def test_ten_times_as_much_input_streams_in_the_same_memory() -> None:
    few, many = streamed(0.2), streamed(2.0)
    assert [round(more / less, 2) for less, more in zip(few, many, strict=True) if more > 1.15 * less] == []


def test_a_text_eight_times_as_long_is_eight_times_the_work() -> None:
    """Counted in calls, which no other work on the machine changes. What is quadratic would show as 64."""
    extractor = Extractor()

    def calls(said: str) -> int:
        count = 0

        def counted(frame: Any, event: str, argument: Any) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        note = Note(text=said, t_ref=0)
        before = sys.getprofile()
        sys.setprofile(counted)
        try:
            extractor.episode(note)
        finally:
            sys.setprofile(before)
        return count

    once = text(1000)
    calls(once)  # what is made once and kept
    assert calls(" ".join([once] * 8)) < 10 * calls(once)
