"""A page of the documentation as what it shows: its files, its commands, and what they print.

`...` in what is shown stands for anything. Blocks are run in their order, in one place, with the stub embedder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.commands import at_terminal, run

__all__ = ["Example", "Page"]

_LAST_WEEK = 1_772_539_200  # before NOW
_BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)```\n", re.DOTALL)


@dataclass
class Example:
    """A command line and the lines it is shown to print."""

    line: str
    shown: list[str] = field(default_factory=list)


class Page:
    """One Markdown file."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")

    def blocks(self, language: str) -> list[str]:
        return [match[3] for match in _BLOCK.finditer(self.text) if match[2] == language]

    def lines(self) -> list[str]:
        """The commands of which no output is shown."""
        return [line for block in self.blocks("sh") for line in block.splitlines()]

    def examples(self) -> Iterator[Example]:
        """The commands of which it is."""
        for block in self.blocks("console"):
            found: list[Example] = []
            for line in block.splitlines():
                if line.startswith("$ "):
                    found.append(Example(line[2:]))
                else:
                    found[-1].shown.append(line)
            yield from found

    def lay_out(self, folder: Path) -> None:
        """Writes the files that the page shows."""
        for name, _, content in (match.groups() for match in _BLOCK.finditer(self.text)):
            if name:
                (folder / name).write_text(content, "utf-8")
                os.utime(folder / name, (_LAST_WEEK, _LAST_WEEK))

    def check_examples(self, folder: Path) -> None:
        """What the page shows is what a reader sees."""
        for example in self.examples():
            seen = at_terminal(example.line, folder)
            pattern = re.escape("\n".join(example.shown)).replace(re.escape("..."), ".*")
            assert re.fullmatch(pattern, seen.rstrip("\n"), re.DOTALL), f"$ {example.line}\n{seen}"

    def check_lines(self, folder: Path) -> None:
        """The commands without output run."""
        for line in self.lines():
            ended = run(line, folder=folder)
            assert (ended.rc, ended.stderr) == (0, b""), line
