"""Every example in the README works: its commands run, and what they print is what it shows.

`...` in the README stands for anything. Blocks are run in their order, in one place, with the stub embedder.
"""

from __future__ import annotations

import doctest
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.commands import NOW, at_terminal, run

README = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")
LAST_WEEK = 1_772_539_200  # before NOW
_BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)```\n", re.DOTALL)


@dataclass
class Example:
    """A command line and the lines it is shown to print."""

    line: str
    shown: list[str] = field(default_factory=list)


def blocks(language: str) -> list[str]:
    return [match[3] for match in _BLOCK.finditer(README) if match[2] == language]


def examples() -> Iterator[Example]:
    for block in blocks("console"):
        found: list[Example] = []
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Example(line[2:]))
            else:
                found[-1].shown.append(line)
        yield from found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader is, with the files that the README shows."""
    folder = tmp_path_factory.mktemp("readme")
    for name, _, content in (match.groups() for match in _BLOCK.finditer(README)):
        if name:
            (folder / name).write_text(content, "utf-8")
            os.utime(folder / name, (LAST_WEEK, LAST_WEEK))
    return folder


def test_what_it_shows_is_what_a_reader_sees(place: Path) -> None:
    for example in examples():
        seen = at_terminal(example.line, place)
        pattern = re.escape("\n".join(example.shown)).replace(re.escape("..."), ".*")
        assert re.fullmatch(pattern, seen.rstrip("\n"), re.DOTALL), f"$ {example.line}\n{seen}"


def test_commands_without_output_run(place: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    assert lines
    for line in lines:
        ended = run(line, folder=place)
        assert (ended.rc, ended.stderr) == (0, b""), line


def test_the_two_commands_at_the_top_run(place: Path) -> None:
    first = re.findall(r"^    (.*)$", README, re.MULTILINE)[:2]
    assert first[0] == "cat notes.txt | lm-extract | lm-store -n work"
    assert first[1].startswith("lm-search -n work")
    for line in first:
        ended = run(line, folder=place)
        assert (ended.rc, ended.stderr) == (0, b"")
        assert ended.stdout


@pytest.mark.parametrize("block", blocks("python"))
def test_python_does_what_it_shows(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LM_BACKENDS": "stub", "LM_NOW": NOW, "LM_DATA_ROOT": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    output: list[str] = []
    assert doctest.DocTestRunner().run(test, out=output.append).failed == 0, "".join(output)


def test_it_names_every_setting_every_extra_and_every_command() -> None:
    root = Path(__file__).resolve().parent.parent
    code = "".join(path.read_text("utf-8") for path in (root / "lean_memory").rglob("*.py"))
    for name in {*re.findall(r"\bLM_[A-Z_]+\b", code), *(path.name for path in (root / "bin").glob("lm-*"))}:
        assert f"`{name}`" in README, name
    project = (root / "pyproject.toml").read_text("utf-8")
    extras = re.search(r"^\[project.optional-dependencies\]\n(.*?)^\[", project, re.DOTALL | re.MULTILINE)
    assert extras is not None
    for name in re.findall(r"^([a-z-]+) = ", extras[1], re.MULTILINE):
        assert name in ("dev", "dev-models", "test") or f"`lean-memory[{name}]`" in README, name
