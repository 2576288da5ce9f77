"""Markdown notes: paragraphs and list items, said on the day that stands above them."""

from __future__ import annotations

import pytest

from tests.importers.inputs import notes, read, when


def days(data: str, **given: object) -> list[tuple[str, str]]:
    """Text and day of each note."""
    return [(note.text, when(note)[:10]) for note in notes("markdown", data, **given)]


def test_a_paragraph_or_a_list_item_is_a_note() -> None:
    page = (
        "I live in Oslo.\nIt rains.\n\n- tea\n- cake\n  and more\n\n  of it\n\n1. bread\n   * butter\nDone.\n\nEnd.\n"
    )
    texts = [text for text, _ in days(page)]
    assert texts == ["I live in Oslo.\nIt rains.", "tea", "cake\nand more\nof it", "bread", "butter\nDone.", "End."]


def test_a_dated_heading_holds_until_one_of_its_level() -> None:
    page = "# Diary\nnone\n## 2024-05-12\none\n### Evening\ntwo\n## 2024-05-13 Monday\nthree\n## Ideas\nfour\n"
    assert days(page) == [
        ("none", "2024-06-01"), ("one", "2024-05-12"), ("two", "2024-05-12"), ("three", "2024-05-13"),
        ("four", "2024-06-01"),
    ]  # fmt: skip


def test_a_days_notes_keep_their_order_and_know_their_heading() -> None:
    first, second = notes(
        "markdown", "## 2024-05-12\n- one\n- two\n", tz="Europe/Oslo", name="diary.md", speaker="Anna"
    )
    assert (when(first), when(second)) == ("2024-05-11T22:00:00.000Z", "2024-05-11T22:00:00.001Z")
    assert (first.meta, first.session, first.source, first.speaker) == (
        {"heading": "2024-05-12"},
        "diary",
        "markdown",
        "Anna",
    )


@pytest.mark.parametrize(
    "heading",
    [
        "## 2024-05-12",
        "# [[2024-05-12]]",
        "### Sunday, 12 May 2024 ##",
        "# May 12th, 2024",
        "# 2024/5/12",
        "2024-05-12\n==========",
        "12 May 2024\n---",
        "# Trip, 12 May 2024",
        "# 12.05.2024",
        "# Sunday, 12.05.24",
        "# 12.5.2024",
    ],
)
def test_days_as_headings_name_them(heading: str) -> None:
    assert days(f"{heading}\n\nI live in Oslo.\n") == [("I live in Oslo.", "2024-05-12")]


@pytest.mark.parametrize(
    "heading", ["# 1.2.3", "# 2.0.10", "# 45/12/2024", "# 2024-13-40", "# 2024-05-12 to 2024-05-14", "# Plan 2024"]
)
def test_a_heading_that_names_no_one_day_gives_none(heading: str) -> None:
    assert days(f"{heading}\n\nI live in Oslo.\n") == [("I live in Oslo.", "2024-06-01")]


def test_a_heading_that_does_not_tell_the_day_from_the_month_is_not_guessed() -> None:
    page = "# Diary\none\n## 05/12/2024\ntwo\n### Evening\nthree\n## 05/13/2024\nfour\n"
    first, error, last = read("markdown", page)
    assert (first.text, error.code, error.line, last.text) == ("one", "date_order", 3, "four")
    assert error.hint == "say which comes first: --dates dmy or --dates mdy"
    assert days(page, dates="mdy")[1:] == [("two", "2024-05-12"), ("three", "2024-05-12"), ("four", "2024-05-13")]


def test_nor_is_front_matter() -> None:
    page = "---\ndate: 05/12/2024\n---\none\n## 2024-05-13\ntwo\n"
    error, last = read("markdown", page)
    assert (error.code, error.line, last.text) == ("date_order", 2, "two")
    assert days(page, dates="dmy")[0] == ("one", "2024-12-05")


def test_front_matter_gives_the_files_day() -> None:
    page = "---\ntitle: Oslo\ndate: 2024-05-12\ntags:\n  - move\n---\n\nI live in Oslo.\n## 2024-05-13\nI work.\n"
    assert days(page) == [("I live in Oslo.", "2024-05-12"), ("I work.", "2024-05-13")]
    [note] = notes("markdown", '---\ncreated: "2024-05-12T10:30:00+02:00"\n---\nHi\n')
    assert when(note) == "2024-05-12T08:30:00.000Z"


def test_a_files_name_gives_its_day_else_its_own_time_counts() -> None:
    assert days("I live in Oslo.", name="daily/2024-05-12.md") == [("I live in Oslo.", "2024-05-12")]
    assert days("I live in Oslo.", name="oslo.md") == [("I live in Oslo.", "2024-06-01")]


def test_a_day_before_an_entry_is_its_own() -> None:
    assert days("- 2024-05-12: I moved.\n- **2024-05-13** – It rained.\n- 2024-05-14\n") == [
        ("I moved.", "2024-05-12"), ("It rained.", "2024-05-13"), ("2024-05-14", "2024-06-01"),
    ]  # fmt: skip


def test_code_comments_and_rules_are_left_out() -> None:
    page = "a\n```py\nb = 1\n\n# c\n```\n\n    d\n\n~~~~\n```\n~~~\n~~~~\n<!-- e -->\n<!--\nf\n-->\n***\ng\n"
    assert [text for text, _ in days(page)] == ["a", "g"]


def test_tasks_say_whether_they_are_done() -> None:
    done, to_do = notes("markdown", "- [x] call Anna\n- [ ] buy tea\n")
    assert [(done.text, done.meta), (to_do.text, to_do.meta)] == [
        ("call Anna", {"task": "done"}), ("buy tea", {"task": "open"}),
    ]  # fmt: skip


def test_windows_lines_and_a_byte_order_mark_make_no_difference() -> None:
    assert days("\ufeff---\r\ndate: 2024-05-12\r\n---\r\n\r\nI live\r\nin Oslo.\r\n") == [
        ("I live\nin Oslo.", "2024-05-12")
    ]


def test_a_line_that_is_no_utf_8_costs_itself_alone() -> None:
    first, error, second = read("markdown", b"one\n\ncaf\xe9\n\ntwo\n")
    assert (first.text, error.line, second.text) == ("one", 3, "two")


def test_a_fence_or_front_matter_that_never_ends_hides_no_error() -> None:
    assert [text for text, _ in days("a\n\n```\nb\n")] == ["a"]
    assert [text for text, _ in days("---\n" + "key: value\n" * 300)] != []
