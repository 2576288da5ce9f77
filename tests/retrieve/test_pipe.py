"""Ranking records that are still in a pipe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.claims import View
from lean_memory.records import Episode, Fact, fact_id
from lean_memory.retrieve import bm25, rank_in_memory, understand

NOW = 1_000_000


def fact(
    subject: str, predicate: str, object: str, *, valid_at: int | None = None, valid_to: int | None = None
) -> Fact:
    return Fact(
        id=fact_id(subject, predicate, object), subject=subject, predicate=predicate, object=object,
        text=f"{subject} {predicate} {object}", quote="", span=(0, 0), valid_at=valid_at, valid_to=valid_to,
    )  # fmt: skip


def line(text: str, *facts: Fact, t_ref: int = 0, speaker: str | None = None) -> Episode:
    return Episode(id=text, text=text, t_ref=t_ref, speaker=speaker, facts=facts)


def found(query: str, *lines: Episode, **view: object) -> list[str]:
    return [hit.text for hit in rank_in_memory(query, lines, view=View(now=NOW, **view))]  # type: ignore[arg-type]


@pytest.mark.parametrize("others", [0, 1, 2, 10])
def test_a_match_is_found_in_however_small_a_corpus(others: int) -> None:
    lines = [line(f"I drink tea, number {n}") for n in range(others)]
    assert found("harbour tea", *lines, line("The harbour is wide"))[0] == "The harbour is wide"
    assert found("tea", *lines, line("tea"))[0] == "tea"


def test_what_holds_no_word_of_the_query_is_no_hit() -> None:
    assert found("sea", line("I drink tea"), line("The sea is wide")) == ["The sea is wide"]
    assert found("moon", line("I drink tea")) == []


def test_a_word_that_every_text_holds_is_still_a_match() -> None:
    assert all(score > 0 for score in bm25("tea", ["tea", "green tea", "tea tea"]))


def test_the_speaker_is_among_the_words_of_a_line() -> None:
    assert found("Anna", line("I moved", speaker="Anna"), line("I moved too", speaker="Ben")) == ["I moved"]


def test_facts_and_lines_are_in_one_ranking() -> None:
    lines = [line("I'm at Acme now", fact("user", "works_at", "Acme")), line("Acme is a firm in Berlin, they say")]
    assert found("works Acme", *lines) == ["user works_at Acme", "Acme is a firm in Berlin, they say"]


def test_the_filters_of_a_view() -> None:
    old = line("Acme then", fact("user", "works_at", "Acme", valid_at=10, valid_to=50), t_ref=10)
    new = line("Acme Bolt now", fact("user", "works_at", "Acme Bolt", valid_at=50), t_ref=50)
    later = line("Acme one day", fact("Anna", "likes", "Acme", valid_at=2 * NOW), t_ref=2 * NOW)
    lines = [old, new, later]
    assert found("Acme", *lines, kind="fact") == ["user works_at Acme Bolt"]
    assert found("Acme", *lines, kind="fact", as_of=20) == ["user works_at Acme"]
    assert found("Acme", *lines, kind="episode", until=50) == ["Acme then"]
    assert found("Acme", *lines, kind="episode", since=50) == ["Acme Bolt now"]
    assert found("Acme", *lines, kind="fact", since=60) == ["user works_at Acme Bolt"]
    assert found("Acme", *lines, kind="fact", until=50) == []
    assert found("Acme", *lines, subject="USER", kind="episode") == ["Acme Bolt now", "Acme then"]
    assert found("Acme", *lines, predicate="likes") == []
    assert found("Acme", *lines, subject="Anna", predicate="likes", kind="fact", as_of=3 * NOW) == ["Anna likes Acme"]


def test_a_line_of_which_nothing_holds_any_more_comes_later() -> None:
    was = line("I work at Acme today", fact("user", "works_at", "Acme", valid_at=1, valid_to=9), t_ref=1)
    now = line("I work at Bolt today, by the harbour", fact("user", "works_at", "Bolt", valid_at=9), t_ref=1)
    assert found("work today", was, now, kind="episode") == [now.text, was.text]


def test_a_question_that_is_understood_already() -> None:
    lines = [line("Tea", fact("user", "likes", "tea work")), line("Acme", fact("user", "works_at", "work"))]
    query = understand("work", asks={"works_at": ["work"]})
    assert rank_in_memory(query, lines, view=View(now=NOW))[0].text == "user works_at work"


def test_a_fact_that_two_lines_state_is_listed_once() -> None:
    fact_ = fact("user", "likes", "tea")
    assert found("tea", line("I like tea", fact_), line("Tea!", fact_), kind="fact") == ["user likes tea"]


def test_nothing_to_rank() -> None:
    assert found("tea") == []
    assert found("", line("tea")) == []
    assert found("tea", line("")) == []
    assert found("tea", line("!?"), line("")) == []


@given(st.text(), st.lists(st.text(), max_size=5))
def test_a_match_is_never_worse_than_none(query: str, texts: list[str]) -> None:
    scores = bm25(query, texts)
    assert len(scores) == len(texts)
    assert all(score >= 0 for score in scores)
