"""SECURITY.md and the page of guarantees: every test that they name is there, and what they show to be done works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lean_memory.store.encryption import INSTALL
from tests.pages import Page
from tests.safety.sealed import SEALED, command, in_plain_text

ROOT = Path(__file__).parents[2]
PAGES = ("SECURITY.md", "docs/guarantees.md")


@pytest.mark.parametrize("name", PAGES)
def test_what_is_linked_is_there(name: str) -> None:
    path = ROOT / name
    links = re.findall(r"\]\(([^)]+)\)", path.read_text("utf-8"))
    assert links
    for link in links:
        target, _, heading = link.partition("#")
        assert (path.parent / target).exists(), link
        if heading:
            headings = re.findall(r"^#+ (.*)$", (path.parent / target).read_text("utf-8"), re.MULTILINE)
            assert heading in [one.lower().replace(" ", "-") for one in headings], link


def test_every_file_of_this_folder_backs_a_guarantee() -> None:
    page = (ROOT / "docs" / "guarantees.md").read_text("utf-8")
    for path in Path(__file__).parent.glob("test_*.py"):
        assert path.name in page or path == Path(__file__), path.name


def test_the_readme_leads_to_both() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"]({name})" in readme for name in PAGES)


def test_what_is_to_be_installed_is_what_the_error_names() -> None:
    assert INSTALL in (ROOT / "docs" / "guarantees.md").read_text("utf-8")


@SEALED
def test_the_way_to_a_key_to_another_and_back(tmp_path: Path) -> None:
    command("echo I work at Larkfield Books. | lm-extract | lm-store -n work", tmp_path)
    path = tmp_path / "memory" / "work.db"
    seen = []
    for line in Page(ROOT / "docs" / "guarantees.md").lines():
        ended = command(line, tmp_path)
        assert (ended.rc, ended.stderr) == (0, b""), line
        if "rekey" in line:
            seen.append(in_plain_text(path, b"Larkfield"))
    assert seen == [False, False, True]
