"""What is told of a text at a glance is what the grammar would find."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.extract.glance import TIME_WORDS, may_name_time
from lean_memory.extract.times import find_times
from lean_memory.extract.times.language import load

NOW = datetime(2026, 3, 10, tzinfo=timezone.utc)


def test_its_words_are_those_of_the_grammar() -> None:
    """When `english.toml` gets or loses a word, so does `glance.py`."""
    assert sorted(TIME_WORDS) == sorted(load("english").trigger_words)


@pytest.mark.parametrize("text", ["last May", "on 2024-05-01", "去年", "two years ago", "3 Uhr", "½ an hour"])
def test_a_text_that_may_name_a_time(text: str) -> None:
    assert may_name_time(text)


@given(
    st.lists(
        st.sampled_from([*"where do I work now we in for since the ago year Anna May 5th 周一 昨天".split()]),
        max_size=5,
    )
)
def test_where_it_says_no_there_is_none(words: list[str]) -> None:
    text = " ".join(words)
    assert may_name_time(text) or not find_times(text, NOW)
