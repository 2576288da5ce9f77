"""A record with a wrong field is refused, and the message names the field."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import pytest

from lean_memory.errors import Malformed
from lean_memory.records import Note
from lean_memory.wire import Line, decode_episode, decode_note

DEFAULT = Note(text="", t_ref=0, tz="Europe/Berlin", source="chat", speaker="Anna", session="s1")
EPISODE: dict[str, Any] = {
    "type": "episode", "v": 1, "text": "I work at Acme.", "t_ref": "2026-03-10T12:00:00.000Z",
    "facts": [{"subject": "user", "predicate": "works_at", "object": "Acme", "text": "user works at Acme",
               "quote": "Acme", "span": [10, 14]}],
}  # fmt: skip


def with_field(path: str, value: Any) -> dict[str, Any]:
    obj = copy.deepcopy(EPISODE)
    target = obj["facts"][0] if path.startswith("fact.") else obj
    target[path.removeprefix("fact.")] = value
    return json.loads(json.dumps(obj))  # type: ignore[no-any-return]


def vector(model: Any = "m", dim: Any = 1, data: bytes = b"\0\0\x80?") -> dict[str, Any]:
    return {"model": model, "dim": dim, "b64": base64.b64encode(data).decode()}


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("text", 1, "bad_field"),
        ("text", None, "bad_field"),
        ("t_ref", None, "bad_field"),
        ("t_ref", 1773144000, "bad_field"),
        ("t_ref", "yesterday", "bad_time"),
        ("t_ref", "2026-02-30T00:00:00Z", "bad_time"),
        ("t_ref", "2026-03-10T12:00:61Z", "bad_time"),
        ("t_ref", "2026-03-10T12:00:00+05:75", "bad_time"),
        ("t_ref", "0001-01-01T00:00:00+14:00", "bad_time"),
        ("tz", "Mars/Olympus", "bad_zone"),
        ("tz", 1, "bad_field"),
        ("source", [], "bad_field"),
        ("speaker", {}, "bad_field"),
        ("session", 7, "bad_field"),
        ("meta", [], "bad_field"),
        ("facts", {}, "bad_field"),
        ("facts", [1], "bad_field"),
        ("type", "receipt", "wrong_type"),
        ("type", 1, "wrong_type"),
        ("v", 2, "too_new"),
        ("v", 0, "bad_field"),
        ("v", True, "bad_field"),
        ("v", "1", "bad_field"),
        ("vector", [0.1], "bad_field"),
        ("vector", {"model": "m", "dim": 1, "b64": "#"}, "bad_field"),
        ("vector", vector(model=None), "bad_vector"),
        ("vector", vector(dim=2), "bad_vector"),
        ("vector", vector(dim=0, data=b""), "bad_vector"),
        ("vector", vector(data=b"\0\0\xc0\x7f"), "bad_vector"),
        ("vector", vector(data=b"\0\0\x80\x7f"), "bad_vector"),
        ("fact.subject", None, "bad_field"),
        ("fact.predicate", "works at", "bad_field"),
        ("fact.predicate", "", "bad_field"),
        ("fact.object", 7, "bad_field"),
        ("fact.polarity", "maybe", "bad_field"),
        ("fact.text", None, "bad_field"),
        ("fact.quote", "Apex", "bad_span"),
        ("fact.span", [10, 13], "bad_span"),
        ("fact.span", [-5, -1], "bad_span"),
        ("fact.span", [10, 99], "bad_span"),
        ("fact.span", [14, 10], "bad_span"),
        ("fact.span", [10], "bad_field"),
        ("fact.span", [True, 14], "bad_field"),
        ("fact.span", "10-14", "bad_field"),
        ("fact.valid_at", "soon", "bad_time"),
        ("fact.valid_to", 5, "bad_field"),
        ("fact.time_text", 5, "bad_field"),
        ("fact.relation", "implies", "bad_field"),
        ("fact.cue", "also", "bad_field"),
        ("fact.confidence", 1.1, "bad_field"),
        ("fact.confidence", True, "bad_field"),
        ("fact.confidence", "high", "bad_field"),
        ("fact.salience", -1, "bad_field"),
        ("fact.route", 1, "bad_field"),
        ("fact.vector", vector(dim=3), "bad_vector"),
    ],
)
def test_a_wrong_field_is_named(path: str, value: Any, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode_episode(with_field(path, value))
    assert caught.value.code == code
    named = {"type": "type", "v": "version" if code == "too_new" else "'v'", "fact.quote": "span"}
    assert named.get(path, path.removeprefix("fact.")) in caught.value.message


def test_an_interval_ends_after_it_begins() -> None:
    obj = with_field("fact.valid_at", "2026-03-10T12:00:00Z")
    obj["facts"][0]["valid_to"] = "2026-03-10T11:59:59.999Z"
    with pytest.raises(Malformed, match="valid_to is before valid_at"):
        decode_episode(obj)


def test_a_newer_version_is_refused_with_the_way_to_upgrade() -> None:
    with pytest.raises(Malformed) as caught:
        decode_note({"text": "hi", "v": 2}, default=DEFAULT)
    assert "pip install -U lean-memory" in str(caught.value.hint)


def test_a_note_needs_nothing_but_text() -> None:
    assert decode_note({"text": "hi"}, default=DEFAULT) == Note(
        text="hi", t_ref=0, tz="Europe/Berlin", source="chat", speaker="Anna", session="s1"
    )


@pytest.mark.parametrize(
    ("fields", "t_ref", "tz"),
    [
        ({"t_ref": "2026-03-10T12:00:00Z"}, 1_773_144_000_000, None),
        ({"t_ref": "2026-03-10T12:00:00+05:45"}, 1_773_123_300_000, "+05:45"),
        ({"t_ref": "2026-03-10T12:00:00Z", "tz": "Asia/Kathmandu"}, 1_773_144_000_000, "Asia/Kathmandu"),
        ({"t_ref": "2026-03-10T12:00:00", "tz": "Asia/Kathmandu"}, 1_773_123_300_000, "Asia/Kathmandu"),
        ({"t_ref": "2026-03-10T12:00:00+05:45", "tz": "UTC"}, 1_773_123_300_000, None),
        ({"t_ref": "2026-06-30T23:59:60Z"}, 1_782_863_999_000, None),
    ],
    ids=["utc", "offset", "zone beside it", "local time in its zone", "zone before offset", "leap second"],
)
def test_the_time_of_a_note_and_its_zone(fields: dict[str, str], t_ref: int, tz: str | None) -> None:
    note = decode_note({"text": "hi", **fields}, default=DEFAULT)
    assert (note.t_ref, note.tz) == (t_ref, tz)


def test_the_text_of_a_line_that_is_not_utf8_names_the_byte() -> None:
    with pytest.raises(Malformed, match="line 3 is not UTF-8 at byte 3") as caught:
        Line(3, 40, b"caf\xe9").text()
    assert "iconv" in str(caught.value.hint)
