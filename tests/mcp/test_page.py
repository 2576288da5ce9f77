"""docs/mcp.md says what the tools' annotations say, and shows a fence as it is."""

from __future__ import annotations

import re
from pathlib import Path

from lean_memory.mcp_server import fence, prompt, resources
from lean_memory.mcp_server.tools import TOOLS

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "mcp.md").read_text("utf-8")


def test_every_tool_is_there_with_its_hints() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (yes|no) \| (yes|no) \| (yes|no) \|$", PAGE, re.MULTILINE)
    said = {name: tuple(value == "yes" for value in hints) for name, *hints in rows}
    assert said == {name: (tool.reads, tool.destroys, tool.repeats) for name, tool in TOOLS.items()}


def test_only_one_tool_has_no_memory_of_its_own() -> None:
    assert [name for name, tool in TOOLS.items() if "namespace" in tool.needs] == ["memory_clear"]
    assert all("namespace" in tool.takes for tool in TOOLS.values())


def test_names_and_the_fence_are_the_real_ones() -> None:
    assert prompt.NAME in PAGE
    assert resources.uri("NAMESPACE") in PAGE
    [shown] = re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL)
    lines = shown.split("\n")
    assert fence.fenced(lines[2:-1], namespace="work", read="2026-03-10 12:00 UTC") == shown
