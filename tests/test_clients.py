"""The configuration snippets of docs/clients.md are valid, and start the server."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pages import Page

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
GUIDE = Page(ROOT / "docs" / "clients.md")
SNIPPETS = [*map(json.loads, GUIDE.blocks("json")), *map(tomllib.loads, GUIDE.blocks("toml"))]


def server(config: dict[str, Any]) -> dict[str, Any]:
    """The entry named lean-memory, wherever the client wants it."""
    found = config.get("lean-memory")
    return found or next(server(inner) for inner in config.values() if isinstance(inner, dict))


@pytest.mark.parametrize("config", SNIPPETS, ids=lambda config: "/".join(config))
def test_a_snippet_starts_the_server(config: dict[str, Any]) -> None:
    entry = server(config)
    command = entry["command"] if isinstance(entry["command"], list) else [entry["command"], *entry["args"]]
    assert command == ["lean-memory-mcp"]
    assert all(isinstance(value, str) for value in entry.get("env", {}).values())


def test_the_settings_it_names_are_settings() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    names = set(re.findall(r"\bLM_[A-Z_]+\b", GUIDE.text))
    assert names
    assert all(f"`{name}`" in readme for name in names)


def test_what_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", GUIDE.text):
        assert (ROOT / "docs" / target).exists(), target
