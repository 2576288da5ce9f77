"""What is held does not grow with the input: small forms of `tests/bench/limits.py`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import lean_memory.extract
from lean_memory.extract import Extractor
from lean_memory.records import Note
from tests.bench.limits import streamed, text


@pytest.mark.slow
def test_ten_times_as_much_input_streams_in_the_same_memory() -> None:
    few, many = streamed(0.2), streamed(2.0)
    assert [round(more / less, 2) for less, more in zip(few, many, strict=True) if more > 1.15 * less] == []


NAMES = "Anna Ben Carla Dirk Eva Finn Gerd Hana".split()
TEXTS = {
    "a letter": lambda n: " ".join([text(1000)] * (n // 40)),
    "one line of people": lambda n: " ".join(f"{NAMES[i % 8]}{i} lives in Rome and she likes tea." for i in range(n)),
    "one sentence": lambda n: "i like tea and then we go off to the park " * n,
    "talk": lambda n: 'He said "I hate jazz" and left. ' * n,
    "mail": lambda n: "> He likes tea.\nI live in Rome.\n" * n,
    "a list": lambda n: "Books I've read this year:\n" + "".join(f"- Emma {i} and her sisters\n" for i in range(n)),
    "the same again": lambda n: "I like tea and coffee. " * n,
    "Chinese": lambda n: "我在腾讯工作，我妹妹住在柏林。" * n,
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_eight_times_as_long_is_eight_times_the_work(kind: str) -> None:
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

    less, more = TEXTS[kind](40), TEXTS[kind](320)
    calls(less)  # what is made once and kept
    assert calls(more) < 10 * calls(less)


def test_no_sentence_has_the_whole_turn_searched() -> None:
    """A search is one call however long the text. `Turn.first` remembers what it found for the next sentence."""
    sources = Path(lean_memory.extract.__file__).parent.rglob("*.py")
    searched = [
        path.name for path in sources if re.search(r"\.search\((?:\w+\.)?turn\.text\)", path.read_text("utf-8"))
    ]
    assert searched == []
