"""Whatever the bytes: every importer gives notes that can be written and read again, and errors that say where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.errors import Malformed
from lean_memory.importers import FORMATS
from lean_memory.wire import decode_note, encode
from tests import schemas
from tests.importers.inputs import EXPORTED, chatgpt, claude, message, read

KEYS = """mapping chat_messages current_node id uuid message author role content parts parent text sender create_time
created_at type name observations entities content_type title conversations"""
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS.split()),
            inner | st.sampled_from(["user", "human", "assistant", "text", "entity", "relation"]),
            max_size=5,
        )
    ),
    max_leaves=25,
)
nodes = st.dictionaries(
    st.sampled_from("abc"),
    st.fixed_dictionaries({"parent": st.sampled_from(["a", "b", "c", None]), "message": json_values}) | json_values,
)
exports = st.one_of(
    json_values,
    st.lists(st.fixed_dictionaries({"mapping": nodes, "current_node": json_values}), max_size=2),
    st.lists(st.fixed_dictionaries({"chat_messages": st.lists(json_values, max_size=3)}), max_size=2),
)
PIECES = r"""[12/05/2024, 21:03:11]·|12.05.24, 21:03 -·|2024-05-12 21:03·|99/99/9999, 99:99 -·|0001-01-01:·|Anna:·
|User:·|9999-12-31T23:59:59 A:·|~·Ben:·|<Media omitted>|I live in Oslo.|---¶|date: 2024-05-12¶|## 2024-05-12¶|#·|```|-·
|1.·|- [ ]·|····|<!--|-->|:·|[|{|·|¶|===¶|[{"mapping":|[{"chat_messages":|"}|]|}|,|\
|{"type":"entity","name":"Nora","observations":["Likes tea"]}¶"""  # · is a space, ¶ a new line
ODD = ["\ufeff", "\u200e", "\u202f", "\r\n", "\r", "\u2028", "\x85", "\x0b", "\x1c"]
pieces = st.sampled_from([*PIECES.replace("\n", "").split("|"), *ODD])
texts = st.lists(pieces | st.text(max_size=5), max_size=14).map(
    lambda found: "".join(found).replace("·", " ").replace("¶", "\n").encode("utf-8", "replace")
)
WHOLE = [
    chatgpt({"a": message("user", "I live in Oslo.", 1), "b": message("assistant", "Lovely!", 2, parent="a")}, "b"),
    claude({"sender": "human", "text": "I like tea.", "created_at": "2024-05-12T21:03:11Z"}, {"sender": "assistant"}),
    "[12/05/2024, 21:03:11] Anna: I live in Oslo.\n[13/05/2024, 08:00:00] Ben: <Media omitted>\nand more\n",
    "---\ndate: 2024-05-12\n---\n# Notes\n\n- I like tea.\n\n```\ncode\n```\n## 2024-05-13\nI moved.\n",
    '{"type":"entity","name":"Nora","entityType":"person","observations":["Likes tea"]}\n'
    '{"type":"relation","from":"Nora","to":"default_user","relationType":"sister"}\n',
    '{"type":"user","timestamp":"2024-05-12T21:03:11Z","message":{"role":"user","content":"I like tea."}}\n'
    '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Noted."}]}}\n',
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """An export that was cut, or in which bytes were changed, lost, doubled or put in."""
    data = bytearray(draw(st.sampled_from(WHOLE)).encode())
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(data))), draw(st.integers(0, 12))
        data[at : at + length] = draw(st.binary(max_size=4) | st.just(bytes(data[at : at + length] * 2)))
    return bytes(data[: draw(st.none() | st.integers(0, len(data)))])


anything = st.one_of(
    st.binary(max_size=120),
    texts,
    exports.map(lambda value: json.dumps(value).encode("utf-8", "replace")),
    damaged(),
)
formats = st.sampled_from(sorted(FORMATS))
zones = st.sampled_from([None, "Europe/Berlin", "-12:00", "+14:00"])


def shown(items: list[Any]) -> list[object]:
    """Notes as their bytes, errors as what is told of them."""
    return [
        (item.code, item.line, item.offset, item.message) if isinstance(item, Malformed) else encode(item)
        for item in items
    ]


@given(formats, anything, zones)
def test_any_bytes_give_notes_or_located_errors(format: str, data: bytes, tz: str | None) -> None:
    for item in read(format, data, tz=tz, name="a/2024-05-12.txt"):
        if isinstance(item, Malformed):
            assert item.hint or item.line, item.message
            assert item.message
            continue
        line = json.loads(encode(item))
        schemas.check(line)
        assert item.text.strip()
        assert decode_note(line, default=item) == item


@given(formats, anything, st.integers(1, 40))
def test_how_the_bytes_arrive_does_not_matter(format: str, data: bytes, chunk: int) -> None:
    assert shown(read(format, data, chunk=chunk)) == shown(read(format, data))


@given(anything)
def test_auto_loses_no_note_of_plain_lines(data: bytes) -> None:
    """What auto takes for lines is read as lines are."""
    from lean_memory.importers.auto import Auto
    from lean_memory.importers.ports import Input
    from lean_memory.records import Note

    reader = Auto(Input(default=Note(text="", t_ref=EXPORTED)))
    items = [*reader.feed(data), *reader.close()]
    if reader.found == "lines":
        assert shown(items) == shown(read("lines", data))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: chatgpt({"a": message("user", "x" * n, 1)}, "a"),
        lambda n: claude({"sender": "human", "text": "x" * n}),
    ],
)
def test_a_conversation_without_end_is_refused_before_it_fills_the_memory(make: Any) -> None:
    data = make(70 << 20).encode()
    [error] = read("auto", data)
    assert error.code == "too_long"


@pytest.mark.parametrize("format", ["chat", "whatsapp"])
def test_a_chat_without_end_is_refused_before_it_fills_the_memory(format: str) -> None:
    line = b"[14/05/2024, 21:03:11] Anna: " + b"x" * (1 << 20) + b"\n"
    [error] = read(format, line * 70)
    assert error.code == "too_long"


def test_json_that_nests_without_end_is_an_error_and_no_crash() -> None:
    for format in ("auto", "chatgpt", "mcp-memory"):
        for data in ('[{"mapping":' + "[" * 100_000, '[{"mapping":{"a":' + '{"a":' * 5000 + "1" + "}" * 5002 + "]"):
            assert all(isinstance(item, Malformed) for item in read(format, data))


@pytest.mark.slow
@pytest.mark.parametrize("format", sorted(FORMATS))
def test_no_run_of_anything_takes_long(format: str) -> None:
    """Quadratic time would show as hours."""
    for before in ("", "14.05.2024, 21:03 - Anna: x", "# ", "- "):
        for again in (
            " ",
            "\u200e",
            "#",
            "-",
            "*",
            "[",
            '"',
            "\\",
            "<a: ",
            "mon ",
            "a: ",
            "\n",
            "2024-05-12 ",
            "1",
            "[{",
            "`",
        ):
            read(format, before + again * 50_000 + "x\n")
