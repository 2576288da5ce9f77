"""The protocol's own inspector, from npm, lists and calls everything. Skipped where npm can't install it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import environment

pytestmark = pytest.mark.slow
INSPECTOR = "@modelcontextprotocol/inspector@^2"


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm on the PATH")
    folder = tmp_path_factory.mktemp("npm")
    line = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), INSPECTOR]
    done = subprocess.run(line, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode:
        pytest.skip(f"npm can't install the inspector: {(done.stderr or done.stdout).strip()[-200:]}")
    return folder / "node_modules" / ".bin" / "mcp-inspector"


def ask(inspector: Path, folder: Path, method: str, *arguments: str) -> dict[str, Any]:
    """What it prints of an answer."""
    server = str(Path(sys.executable).parent / "lean-memory-mcp")
    env = environment(folder)
    given = [argument for name in ("LM_BACKENDS", "LM_NOW") for argument in ("-e", f"{name}={env[name]}")]
    line = [
        str(inspector), "--cli", *given, "-e", f"LM_DATA_ROOT={folder / 'memory'}", server, "--method", method,
        *arguments,
    ]  # fmt: skip
    done = subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 or "tool_is_error" in done.stderr, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_lists_and_calls(inspector: Path, tmp_path: Path) -> None:
    tools = ask(inspector, tmp_path, "tools/list")["tools"]
    assert len(tools) == 9

    said = ["--tool-arg", "text=I work at Harbour Press.", "said_at=2026-03-01"]
    added = ask(inspector, tmp_path, "tools/call", "--tool-name", "memory_add", *said)
    assert added["structuredContent"]["facts"][0]["text"] == "user works at Harbour Press"
    query = ["--tool-arg", "query=where do I work?", "limit=1", "include_ended=true"]
    found = ask(inspector, tmp_path, "tools/call", "--tool-name", "memory_search", *query)
    assert found["structuredContent"]["hits"][0]["object"] == "Harbour Press"
    for tool, arguments in {
        "memory_history": [],
        "memory_diff": ["--tool-arg", "first=2026-01-01", "second=2026-03-05"],
        "memory_maintenance_status": [],
        "memory_maintenance_run": [],
        "memory_review_queue": [],
        "memory_review_decide": ["--tool-arg", 'decisions=[{"proposal":"a","verdict":"keep"}]'],
        "memory_clear": ["--tool-arg", "namespace=none", "confirm=no"],
    }.items():
        answer = ask(inspector, tmp_path, "tools/call", "--tool-name", tool, *arguments)
        assert answer.get("isError", False) is (tool == "memory_clear"), answer

    [resource] = ask(inspector, tmp_path, "resources/list")["resources"]
    [page] = ask(inspector, tmp_path, "resources/read", "--uri", resource["uri"])["contents"]
    assert "user works at Harbour Press (since 2026-03-01)" in page["text"]
    [template] = ask(inspector, tmp_path, "resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "memory://{namespace}/facts"

    [prompt] = ask(inspector, tmp_path, "prompts/list")["prompts"]
    shown = ask(inspector, tmp_path, "prompts/get", "--prompt-name", prompt["name"])
    assert "None waits for a decision" in shown["messages"][0]["content"]["text"]
