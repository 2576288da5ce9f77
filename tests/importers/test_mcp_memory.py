"""memory.json of the MCP reference memory server: each observation becomes a text that names whom it is about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lean_memory.extract import Extractor
from lean_memory.records import Note
from tests.importers.inputs import EXPORTED, errors, notes, read


def entity(name: str, *observations: Any, kind: str = "person") -> str:
    return json.dumps({"type": "entity", "name": name, "entityType": kind, "observations": observations}) + "\n"


def relation(first: str, kind: str, second: str) -> str:
    return json.dumps({"type": "relation", "from": first, "to": second, "relationType": kind}) + "\n"


def test_an_observation_is_a_note() -> None:
    [note] = notes("mcp-memory", entity("Aunt_Nora", "Speaks fluent Spanish"), tz="Europe/Oslo")
    assert note == Note(
        text="Aunt Nora speaks fluent Spanish", t_ref=EXPORTED, tz="Europe/Oslo", source="mcp-memory",
        speaker="Aunt Nora", meta={"entity": "Aunt_Nora", "entity_type": "person"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("observation", "text"),
    [
        ("Works at the zoo", "Nora works at the zoo"),
        ("Nora works at the zoo", "Nora works at the zoo"),
        ("She works at the zoo", "Nora works at the zoo"),
        ("Graduated in 2019", "Nora graduated in 2019"),
        ("Is a nurse", "Nora is a nurse"),
        ("Allergic to nuts", "Nora is allergic to nuts"),
        ("Her birthday is May 3", "Nora's birthday is May 3"),
        ("Nora's birthday is May 3", "Nora's birthday is May 3"),
        ("Birthday: May 3", "Nora: Birthday: May 3"),
        ("Software engineer", "Nora: Software engineer"),
        ("works\n  at the zoo ", "Nora works at the zoo"),
    ],
)
def test_every_text_stands_alone(observation: str, text: str) -> None:
    assert [note.text for note in notes("mcp-memory", entity("Nora", observation))] == [text]


def test_nothing_said_of_another_lands_on_the_user() -> None:
    found = notes("mcp-memory", entity("Nora", "birthday May 3", "likes tea", "I live in Oslo", "allergic to nuts"))
    subjects = {fact.subject for note in found for fact in Extractor().episode(note).facts}
    assert subjects == {"Nora"}


@pytest.mark.parametrize("name", ["default_user", "User", "me"])
def test_what_is_said_of_the_user_is_the_users(name: str) -> None:
    found = notes("mcp-memory", entity(name, "Works at the zoo", "I like tea", "User speaks Spanish"))
    facts = [fact.text for note in found for fact in Extractor().episode(note).facts]
    assert facts == ["user works at zoo", "user likes tea", "user speaks Spanish"]
    assert {note.speaker for note in found} == {None}


def test_what_an_entity_says_of_the_user_is_the_users() -> None:
    found = notes("mcp-memory", entity("Preferences", "User prefers tea", "The user's birthday is May 3", kind="topic"))
    assert [(n.speaker, n.text) for n in found] == [(None, "user prefers tea"), (None, "user's birthday is May 3")]


def test_the_user_can_have_a_name() -> None:
    [note] = notes("mcp-memory", entity("default_user", "Works at the zoo"), speaker="Anna")
    assert (note.text, note.speaker) == ("Anna works at the zoo", "Anna")


@pytest.mark.parametrize("kind", ["works_at", "worksAt", "works at", "WORKS_AT"])
def test_a_relation_is_a_sentence(kind: str) -> None:
    [note] = notes("mcp-memory", relation("Aunt_Nora", kind, "Larkfield_Books"))
    assert note.text == "Aunt Nora works at Larkfield Books"


def test_a_graph_in_one_line_is_read_too() -> None:
    graph = {
        "entities": [json.loads(entity("Nora", "Likes tea"))],
        "relations": [json.loads(relation("Nora", "knows", "Ben"))],
    }
    del graph["entities"][0]["type"]
    assert [note.text for note in notes("mcp-memory", json.dumps(graph))] == ["Nora likes tea", "Nora knows Ben"]


def test_observations_with_a_time_beside_them_are_read() -> None:
    [note] = notes("mcp-memory", entity("Nora", {"content": "Likes tea", "timestamp": "2024-05-12"}))
    assert note.text == "Nora likes tea"


def test_an_entity_without_observations_is_nothing() -> None:
    assert notes("mcp-memory", entity("Nora")) == []


@pytest.mark.parametrize(
    "line",
    [
        "I like tea.",
        "[]",
        "{}",
        '{"type":"entity"}',
        '{"type":"entity","name":"Nora"}',
        '{"type":"entity","name":" ","observations":[]}',
        '{"type":"entity","name":"Nora","observations":[7]}',
        '{"type":"relation","from":"Nora"}',
        '{"entities":[7]}',
    ],
)
def test_a_bad_line_is_told_and_costs_itself_alone(line: str) -> None:
    data = f"{line}\n{entity('Nora', 'Likes tea')}"
    [error] = errors("mcp-memory", data)
    assert error.line == 1
    assert error.hint
    assert read("mcp-memory", data)[-1].text == "Nora likes tea"
