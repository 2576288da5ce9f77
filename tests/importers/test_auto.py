"""`--from auto` takes an input for another tool's export only where that is sure; all else is plain lines."""

from __future__ import annotations

import json

import pytest

from lean_memory.importers import FORMATS, Input, importer
from lean_memory.records import Note
from tests.importers.inputs import EXPORTED, chatgpt, claude, message, notes, read

CHATGPT = chatgpt({"a": message("user", "I live in Oslo.", 1)}, "a", title="[]")
CLAUDE = claude({"sender": "human", "text": "I live in Oslo."})
WHATSAPP = "[14/05/2024, 21:03:11] Anna: I live in Oslo.\n"
MEMORY = '{"type":"entity","name":"Nora","entityType":"person","observations":["Likes tea"]}\n'


def found(data: str | bytes, name: str | None = None) -> str | None:
    """What auto takes it for."""
    reader = importer("auto", Input(default=Note(text="", t_ref=EXPORTED), name=name))
    list(reader.feed(data.encode() if isinstance(data, str) else data))
    list(reader.close())
    return reader.found  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (CHATGPT, "chatgpt"),
        (json.dumps(json.loads(CHATGPT), indent=2), "chatgpt"),
        (json.dumps(json.loads(CHATGPT)[0]), "chatgpt"),
        ("\ufeff" + CLAUDE, "claude"),
        (json.dumps(json.loads(CLAUDE), indent=2), "claude"),
        (json.dumps(json.loads(CLAUDE)[0]), "claude"),
        (WHATSAPP, "whatsapp"),
        ("14/05/24, 21:03 - Messages and calls are end-to-end encrypted. WhatsApp\n", "whatsapp"),
        ("14/05/24, 21:03 - Anna: Hi\n14/05/24, 21:03 - Ben: Hi\n", "whatsapp"),
        ("[2024-05-14 21:03:11] Anna: Hi\n", "chat"),
        ("User: Hi\nAssistant: Hi\n", "chat"),
        (MEMORY, "mcp-memory"),
        ('{"type":"relation","from":"Nora","to":"Ben","relationType":"knows"}\n', "mcp-memory"),
        ("---\ntitle: Oslo\ndate: 2024-05-14\n---\nI live in Oslo.\n", "markdown"),
        ("## 2024-05-14\n- I live in Oslo.\n", "markdown"),
    ],
)
def test_what_is_sure_is_taken_for_what_it_is(data: str, format: str) -> None:
    assert found(data) == format
    assert [n.text for n in read("auto", data)] == [n.text for n in read(format, data)]


@pytest.mark.parametrize(
    "data",
    [
        "I live in Oslo.\n",
        "Anna: I live in Oslo.\nBen: Me too.\nAnna: Nice.\n",
        "Note: buy tea\n",
        "14/05/2024, 21:03 - went to bed: early\n",
        "14/05/2024, 21:03 - went to bed\n15/05/2024, 21:03 - went to bed\n",
        "2024-05-14 I moved to Oslo.\n",
        "[x] tea\n",
        "[]",
        "[",
        "[{}]",
        "[1, 2]",
        '[{"text":"I live in Oslo."}]',
        '[{"a":{"mapping":1}}]',
        '[{"a":1} no',
        '{"text":"I live in Oslo.","mapping":{}}',
        '{"text":"I live in Oslo.","type":"note"}\n' + MEMORY,
        '{"type":"entity","text":"hm"}\n',
        '{\n"mapping": {}}',
        "{shrug}\n",
        "# Oslo\n- 2024-05-14\n",
        "# 2024-05-14 to 2024-05-16\n",
        "---\nI live in Oslo.\n---\n",
        "---\ntitle: Oslo\n---\n",
        "",
        " \n\n",
        b"\xff\xfe\n",
        "PK is no zip",
    ],
)
def test_all_else_is_lines_as_it_always_was(data: str | bytes) -> None:
    assert found(data) == "lines"
    assert str(read("auto", data)) == str(read("lines", data)) or any(
        hasattr(item, "hint") for item in read("auto", data)
    )


def test_a_file_that_calls_itself_markdown_is() -> None:
    assert found("I live in Oslo.\n", "oslo.md") == found("", "OSLO.MARKDOWN") == "markdown"
    assert found("I live in Oslo.\n", "oslo.txt") == "lines"


def test_paragraphs_and_whole_files_are_plain_text() -> None:
    assert [n.text for n in notes("auto", WHATSAPP + "\n\ntwo", by="paragraph", name="a.md")] == [
        WHATSAPP.strip(),
        "two",
    ]


def test_plain_lines_are_answered_as_they_come() -> None:
    reader = importer("auto", Input(default=Note(text="", t_ref=EXPORTED)))
    assert [n.text for n in reader.feed(b"I live in Oslo.\nI wo")] == ["I live in Oslo."]  # type: ignore[union-attr]
    assert [n.text for n in reader.feed(b"rk.\n")] == ["I work."]  # type: ignore[union-attr]


def test_a_zip_without_its_name_says_what_to_do() -> None:
    [error] = read("auto", b"PK\x03\x04\x14\x00\n")
    assert error.code == "zip"
    assert "export.zip" in error.hint


def test_a_chat_whose_dates_do_not_tell_is_not_read_as_lines() -> None:
    [error] = read("auto", "[05/04/24, 21:03:11] Anna: I live in Oslo.\n")
    assert error.code == "date_order"


def test_every_format_has_an_importer() -> None:
    for format in FORMATS:
        assert read(format, "") == []
    with pytest.raises(ValueError, match="no such format"):
        read("xml", "")
