"""Every example in docs/importing.md works, and it names every format."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from lean_memory.importers import FORMATS
from tests.commands import run
from tests.importers.inputs import chatgpt, message
from tests.pages import Page

GUIDE = Page(Path(__file__).resolve().parent.parent / "docs" / "importing.md")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader is, with the files that the guide shows and an export."""
    folder = tmp_path_factory.mktemp("importing")
    GUIDE.lay_out(folder)
    with zipfile.ZipFile(folder / "export.zip", "w") as packed:
        packed.writestr("conversations.json", chatgpt({"a": message("user", "I live in Oslo.", 1715500000)}, "a"))
    return folder


def test_what_it_shows_is_what_a_reader_sees(place: Path) -> None:
    GUIDE.check_examples(place)


@pytest.mark.skipif(shutil.which("jq") is None, reason="one of the examples uses jq")
def test_commands_without_output_run(place: Path) -> None:
    assert GUIDE.lines()
    GUIDE.check_lines(place)


def test_the_same_export_again_stores_nothing_twice(place: Path) -> None:
    for expected in ("stored", "already_stored"):
        ended = run("lm-extract export.zip | lm-store -n twice", folder=place)
        assert [json.loads(line)["status"] for line in ended.stdout.splitlines()] == [expected]


def test_it_and_the_command_name_every_format() -> None:
    told = set(re.findall(r"^\| `([a-z][a-z-]*)` \|", GUIDE.text, re.MULTILINE))
    assert told == set(FORMATS) - {"auto"}
    from lean_memory.cli.extract import command

    choices = next(param.type.choices for param in command.params if param.name == "format")  # type: ignore[attr-defined]
    assert list(choices) == list(FORMATS)
