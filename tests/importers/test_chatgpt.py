"""ChatGPT's conversations.json: what the user and the assistant said, on the branch that was shown."""

from __future__ import annotations

import json

import pytest

from lean_memory.extract import Extractor
from lean_memory.records import Note
from tests.importers.inputs import chatgpt, errors, message, notes, read, said, when

TALK = {
    "root": {"parent": None, "message": None, "children": ["a"]},
    "a": message("user", "I live in Oslo.", 1715500000.25, parent="root"),
    "b": message("assistant", "Bob lives in Rome.", 1715500009.5, parent="a"),
}


def test_each_turn_is_a_note_with_its_time_and_conversation() -> None:
    [first, second] = notes("chatgpt", chatgpt(TALK, "b", title="Moving"), tz="Europe/Berlin")
    assert first == Note(
        text="I live in Oslo.", t_ref=1715500000250, tz="Europe/Berlin", source="chatgpt", speaker=None, session="c-1",
        meta={"title": "Moving"},
    )  # fmt: skip
    assert (second.speaker, second.source, when(second)) == ("ChatGPT", "assistant", "2024-05-12T07:46:49.500Z")


def test_what_the_assistant_says_is_kept_but_is_no_fact() -> None:
    mine, its = (Extractor().episode(note) for note in notes("chatgpt", chatgpt(TALK, "b")))
    assert [fact.text for fact in mine.facts] == ["user lives in Oslo"]
    assert (its.text, its.facts) == ("Bob lives in Rome.", ())


def test_only_the_branch_that_was_shown_last_is_read() -> None:
    edited = {**TALK, "a2": message("user", "I live in Bergen.", 1715500020, parent="root")}
    assert said(notes("chatgpt", chatgpt(edited, "a2"))) == [(None, "I live in Bergen.")]
    assert said(notes("chatgpt", chatgpt(edited, "b")))[0] == (None, "I live in Oslo.")


def test_without_a_current_node_it_is_the_newest_branch() -> None:
    edited = {**TALK, "a2": message("user", "I live in Bergen.", 1715500020, parent="root")}
    assert said(notes("chatgpt", chatgpt(edited, None))) == [(None, "I live in Bergen.")]
    assert said(notes("chatgpt", chatgpt(edited, "gone"))) == [(None, "I live in Bergen.")]


@pytest.mark.parametrize(
    "unseen",
    [
        message("system", "You are helpful."),
        message("tool", "result"),
        message("assistant", "search(1)", recipient="browser"),
        message("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        message("user", {"content_type": "user_editable_context", "user_profile": "I am a nurse."}),
        message("assistant", {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}),
        message("assistant", {"content_type": "code", "text": "print(1)"}),
        message("user", {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]}),
        message("user", ""),
        message("user", {"content_type": "text", "parts": None}),
        {"parent": None, "message": {"author": {"role": "user"}, "content": None}},
        {"parent": None, "message": {"author": None}},
        {"parent": None},
    ],
)
def test_what_nobody_typed_or_saw_is_left_out(unseen: dict[str, object]) -> None:
    mapping = {"a": unseen, "b": message("user", "I live in Oslo.", 1715500000, parent="a")}
    assert said(notes("chatgpt", chatgpt(mapping, "b"))) == [(None, "I live in Oslo.")]


def test_words_beside_an_image_and_spoken_words_are_read() -> None:
    parts = [
        {"content_type": "image_asset_pointer"},
        "My cat Pixel.",
        {"content_type": "audio_transcription", "text": "Hi"},
    ]
    [note] = notes("chatgpt", chatgpt({"a": message("user", {"content_type": "multimodal_text", "parts": parts})}, "a"))
    assert note.text == "My cat Pixel.\nHi"


def test_a_turn_without_a_time_follows_the_one_before() -> None:
    mapping = {**TALK, "c": message("user", "And you?", None, parent="b")}
    assert [when(note)[17:] for note in notes("chatgpt", chatgpt(mapping, "c"))] == ["40.250Z", "49.500Z", "49.501Z"]
    [note] = notes("chatgpt", chatgpt({"a": message("user", "Hi")}, "a", create_time=1715500000))
    assert when(note) == "2024-05-12T07:46:40.000Z"


def test_marks_of_footnotes_and_halves_of_characters_are_cleaned() -> None:
    export = chatgpt({"a": message("assistant", "It rains\ue200cite\ue202turn0search0\ue201.", 1)}, "a")
    assert notes("chatgpt", export)[0].text == "It rains."
    assert notes("chatgpt", chatgpt({"a": message("user", "so \ud83d", 1)}, "a"))[0].text == "so ?"


def test_one_conversation_alone_is_an_export_too() -> None:
    [conversation] = json.loads(chatgpt(TALK, "b"))
    assert len(notes("chatgpt", json.dumps(conversation))) == 2
    assert len(notes("chatgpt", json.dumps({"conversations": [conversation, conversation]}))) == 4


def test_a_tree_that_runs_in_a_circle_ends() -> None:
    mapping = {"a": message("user", "one", 1, parent="b"), "b": message("user", "two", 2, parent="a")}
    assert said(notes("chatgpt", chatgpt(mapping, "b"))) == [(None, "one"), (None, "two")]


def test_an_error_names_the_conversation_and_the_rest_is_read() -> None:
    bad = message("user", "I live in Oslo.", "noon", parent="a")
    found = read(
        "chatgpt", chatgpt({"a": message("user", "Hi", 1), "b": bad, "c": message("user", "Bye", 3, parent="b")}, "c")
    )
    assert [getattr(item, "text", None) for item in found] == ["Hi", None, "Bye"]
    assert found[1].message == "conversation 1 (c-1), message 2: a time is no number of seconds"


@pytest.mark.parametrize("conversation", [{"mapping": []}, {"mapping": {}, "create_time": -5}, {}, 7, None])
def test_what_is_no_conversation_is_told_by_its_number(conversation: object) -> None:
    export = json.dumps([conversation, json.loads(chatgpt(TALK, "b"))[0]])
    [error] = errors("chatgpt", export)
    assert "conversation 1" in error.message
    assert error.hint
    assert len(read("chatgpt", export)) == 3


def test_a_file_that_breaks_off_gives_what_came_before() -> None:
    data = chatgpt(TALK, "b")
    found = read("chatgpt", data[:-1] + "," + data[1:60])
    assert [getattr(item, "text", None) for item in found] == ["I live in Oslo.", "Bob lives in Rome.", None]
    assert "conversation 2 does not end" in found[-1].message
    assert "download the export again" in found[-1].hint


def test_another_export_names_the_format_it_is() -> None:
    [error] = errors("claude", chatgpt(TALK, "b"))
    assert error.hint == "use --from chatgpt"


@pytest.mark.parametrize("data", ["hello", "", " \n", "PK\x03\x04zip"])
def test_what_is_no_json_is_told(data: str) -> None:
    assert [bool(error.hint) for error in errors("chatgpt", data)] == ([True] if data.strip() else [])
