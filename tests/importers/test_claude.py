"""Claude's conversations.json."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lean_memory.records import Note
from tests.importers.inputs import claude, errors, notes, read, said, when


def turn(sender: str, text: str, at: str | None = "2024-05-12T08:00:01.500000Z", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"uuid": text, "sender": sender, "text": text, "content": content, "created_at": at, **more}


def test_each_turn_is_a_note_with_its_time_and_conversation() -> None:
    export = claude(turn("human", "I like tea."), turn("assistant", "I love tea.", "2024-05-12T10:00:02+02:00"))
    [mine, its] = notes("claude", export, tz="Europe/Berlin", speaker="Anna")
    assert mine == Note(
        text="I like tea.", t_ref=1715500801500, tz="Europe/Berlin", source="claude", speaker="Anna", session="u-1",
        meta={"title": "Tea"},
    )  # fmt: skip
    assert (its.speaker, its.source, when(its)) == ("Claude", "assistant", "2024-05-12T08:00:02.000Z")


def test_what_tools_and_thinking_wrote_is_left_out() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Yes."},
        {"type": "tool_use", "input": {}},
    ]
    message = {"sender": "assistant", "text": "Yes. This block is not supported", "content": blocks}
    assert said(notes("claude", claude(message))) == [("Claude", "Yes.")]


def test_older_exports_have_the_text_alone() -> None:
    assert said(notes("claude", claude({"sender": "human", "text": "I like tea."}))) == [(None, "I like tea.")]
    assert said(notes("claude", claude({"sender": "human", "text": "I like tea.", "content": []}))) == [
        (None, "I like tea.")
    ]


def test_an_edited_branch_is_left_out_where_the_export_links_its_messages() -> None:
    root = "00000000-0000-4000-8000-000000000000"
    tree = [
        turn("human", "I live in Rome.", parent_message_uuid=root),
        turn("assistant", "Fine.", parent_message_uuid="I live in Rome."),
        turn("human", "I live in Oslo.", parent_message_uuid=root),
        turn("assistant", "Cold!", parent_message_uuid="I live in Oslo."),
    ]
    assert said(notes("claude", claude(*tree))) == [(None, "I live in Oslo."), ("Claude", "Cold!")]
    assert said(notes("claude", claude(*tree, current_leaf_message_uuid="Fine.")))[0] == (None, "I live in Rome.")


def test_a_circle_of_links_loses_nothing() -> None:
    tree = [turn("human", "a", parent_message_uuid="b"), turn("human", "b", parent_message_uuid="a")]
    assert len(notes("claude", claude(*tree))) == 2


def test_a_turn_without_a_time_follows_the_one_before() -> None:
    export = claude(turn("human", "a"), turn("human", "b", None), created_at="2024-05-12T07:00:00Z")
    assert [when(note)[11:] for note in notes("claude", export)] == ["08:00:01.500Z", "08:00:01.501Z"]
    assert when(notes("claude", claude(turn("human", "b", None), created_at="2024-05-12T07:00:00Z"))[0])[11:13] == "07"


def test_an_empty_conversation_and_an_empty_turn_are_nothing() -> None:
    assert notes("claude", claude()) == notes("claude", claude(turn("human", "  "))) == []


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (turn("human", "a", "yesterday"), "conversation 1 (u-1), message 1: not a time: 'yesterday'"),
        ({**turn("human", "a"), "created_at": 5}, "conversation 1 (u-1), message 1: not a time: '5'"),
        ("hello", "conversation 1 (u-1), message 1: it is no object"),
    ],
)
def test_an_error_names_the_conversation_and_the_rest_is_read(message: Any, told: str) -> None:
    export = claude(message, turn("human", "I like tea."))
    assert [error.message for error in errors("claude", export)] == [told]
    assert read("claude", export)[1].text == "I like tea."


def test_messages_that_are_no_list_are_told() -> None:
    [error] = errors("claude", json.dumps([{"uuid": "u-1", "chat_messages": {}}]))
    assert error.message == "conversation 1 (u-1): 'chat_messages' is no list"
