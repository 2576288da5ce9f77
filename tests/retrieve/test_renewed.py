"""Of two turns that say as much about what is asked, the later one tells how it is now."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lean_memory.records import Hit
from lean_memory.retrieve import rank, understand
from tests.retrieve.hits import DAY, NOW, said

OLD, NEW = 2, 4
OLD_TEXT = "I have twelve plants on the balcony, and I adore each of them"
NEW_TEXT = "Could you name a good soil? I have fifteen plants on the balcony by now"


def first(question: str, old: Hit, new: Hit) -> str:
    loaded = {OLD: old, NEW: new, 6: said("What a nice day", at=NOW)}
    sparse: Sequence[tuple[int, float]] = [(OLD, 3.0), (NEW, 2.2), (6, 0.3)]  # the old one fits better
    return rank(question, loaded, sparse=sparse, now=NOW)[0].text


def older(text: str = OLD_TEXT, **fields: str) -> Hit:
    return said(text, at=NOW - 60 * DAY, **fields)


@pytest.mark.parametrize(
    "question",
    [
        "How many plants do I have on the balcony?",
        "How many plants are on the balcony now?",
        "How many plants have I got on my balcony so far?",
        "What was my latest count of balcony plants?",
    ],
)
def test_what_is_so_now_is_answered_by_the_later_turn(question: str) -> None:
    assert first(question, older(), said(NEW_TEXT)) == NEW_TEXT


@pytest.mark.parametrize(
    "question",
    ["How many plants did I have on the balcony?", "How many plants did I use to have on the balcony?"],
)
def test_what_was_once_is_answered_by_the_best(question: str) -> None:
    assert first(question, older(), said(NEW_TEXT)) == OLD_TEXT


def test_a_turn_about_something_else_renews_nothing() -> None:
    other = "I have three chairs in the kitchen, and a lot of time"
    assert first("How many plants do I have on the balcony?", older(), said(other)) == OLD_TEXT


def test_another_person_renews_nothing() -> None:
    question = "How many plants do you have on the balcony?"
    assert first(question, older(speaker="Anna"), said(NEW_TEXT, speaker="Ben")) == OLD_TEXT


def test_what_is_said_in_one_go_is_one_telling() -> None:
    question = "How many plants do I have on the balcony?"
    earlier = said(OLD_TEXT, at=NOW - DAY // 24)
    assert first(question, earlier, said(NEW_TEXT)) == OLD_TEXT
    assert first(question, older(session="a"), said(NEW_TEXT, session="a")) == OLD_TEXT


def test_what_is_renewed_stays_in_the_answer() -> None:
    loaded = {OLD: older(), NEW: said(NEW_TEXT)}
    hits = rank("How many plants do I have?", loaded, sparse=[(OLD, 3.0), (NEW, 2.5)], now=NOW)
    assert [hit.text for hit in hits] == [NEW_TEXT, OLD_TEXT]


@pytest.mark.parametrize("question", ["Where do I work?", "Where's my bike?", "Which car did I drive most recently?"])
def test_asks_for_the_present(question: str) -> None:
    assert understand(question).present


@pytest.mark.parametrize("question", ["Where did I work?", "Where did I live before?", "What was his name?"])
def test_asks_for_what_was(question: str) -> None:
    assert not understand(question).present


def test_an_old_colleagues_present_is_the_present() -> None:
    query = understand("Where does the old colleague of my previous firm work now?")
    assert query.present
    assert not query.past
