"""Chat logs: a name, a colon, and what is said."""

from __future__ import annotations

import pytest

from lean_memory.extract import Extractor
from tests.importers.inputs import EXPORTED, errors, notes, said, when


def test_a_name_begins_a_message_and_other_lines_go_on_with_it() -> None:
    chat = "Anna: I moved to Oslo.\nIngredients: none\n\nIt rains.\nBen: Nice.\nAnna: Yes!\nBen: Bye.\n"
    assert said(notes("chat", chat)) == [
        ("Anna", "I moved to Oslo.\nIngredients: none\nIt rains."), ("Ben", "Nice."), ("Anna", "Yes!"), ("Ben", "Bye."),
    ]  # fmt: skip


def test_where_every_line_has_a_name_each_is_a_message() -> None:
    assert said(notes("chat", "Anna: Hi!\nBen: I moved to Oslo.")) == [("Anna", "Hi!"), ("Ben", "I moved to Oslo.")]


def test_what_each_says_of_himself_is_his() -> None:
    facts = [
        f.text
        for n in notes("chat", "Anna: I live in Oslo.\nBen: I live in Rome.")
        for f in Extractor().episode(n).facts
    ]
    assert facts == ["Anna lives in Oslo", "Ben lives in Rome"]


@pytest.mark.parametrize(
    ("mine", "its"), [("User", "Assistant"), ("Human", "AI"), ("Me", "ChatGPT"), ("You", "Claude")]
)
def test_in_a_talk_with_an_assistant_the_user_is_the_user(mine: str, its: str) -> None:
    [first, second] = notes("chat", f"{mine}: I live in Oslo.\n{its}: I live in Rome.\n")
    assert (first.speaker, first.source) == (None, "chat")
    assert (second.speaker, second.source) == (its, "assistant")
    assert Extractor().episode(second).facts == ()


def test_me_is_who_the_user_is_called_there() -> None:
    [first, _] = notes("chat", "Anna: Hi!\nBen: Hi!", me="ANNA")
    assert first.speaker is None


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("2024-05-14 21:03 ", "21:03:00.000"),
        ("2024-05-14 21:03:11 - ", "21:03:11.000"),
        ("[2024-05-14 21:03:11] ", "21:03:11.000"),
        ("[2024-05-14T21:03:11Z] ", "21:03:11.000"),
        ("2024-05-14T23:03:11+02:00 ", "21:03:11.000"),
        ("14/05/2024, 21:03 - ", "21:03:00.000"),
    ],
)
def test_a_date_before_the_name_is_when_it_was_said(stamp: str, at: str) -> None:
    [note] = notes("chat", f"{stamp}Anna: I live in Oslo.\nIngredients: none\n")
    assert said([note]) == [("Anna", "I live in Oslo.\nIngredients: none")]
    assert when(note) == f"2024-05-14T{at}Z"


def test_without_dates_the_lines_are_a_millisecond_apart() -> None:
    assert [n.t_ref - EXPORTED for n in notes("chat", "[21:03] Anna: Hi!\n[21:04] Ben: Hi!")] == [0, 1]


@pytest.mark.parametrize("line", ["<anna> I live in Oslo.", "**anna**: I live in Oslo.", "anna : I live in Oslo."])
def test_other_ways_to_write_a_name(line: str) -> None:
    assert said(notes("chat", line)) == [("anna", "I live in Oslo.")]


@pytest.mark.parametrize("chat", ["I live in Oslo.", "See http://example.org", "14:30 lunch", "(: fine"])
def test_what_nobody_says_is_told_and_not_made_up(chat: str) -> None:
    [error] = errors("chat", chat)
    assert (error.code, error.line) == ("no_speaker", 1)


def test_a_time_within_a_text_stays_there() -> None:
    assert said(notes("chat", "Anna: lunch at 12:30 today")) == [("Anna", "lunch at 12:30 today")]
