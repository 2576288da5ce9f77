"""LM_MAINT_AUTO=1: a run of what needs no decision, beside the server, at most once a process."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from lean_memory.mcp_server import background
from tests.commands import run as run_line
from tests.mcp.clients import call, over_stdio, run
from tests.mcp.test_faults import in_process


def runs(folder: Path) -> list[dict[str, Any]]:
    done = run_line("lm-maintain status -n default", folder=folder)
    return list(json.loads(done.stdout)["runs"])


def test_the_first_addition_starts_one_run(tmp_path: Path) -> None:
    # A fact to evict: of little worth, never asked for, old.
    fact = {
        "subject": "user", "predicate": "likes", "object": "rain", "text": "user likes rain", "quote": "I like it",
        "span": [16, 25], "salience": 1.5,
    }  # fmt: skip
    (tmp_path / "click.py").write_text("raise SystemExit('a module of the folder that an agent works in')")
    text, said = "We saw rain, as I like it.", "2022-08-03T10:00:00Z"
    line = json.dumps({"type": "episode", "v": 1, "text": text, "t_ref": said, "facts": [fact]})
    assert run_line("lm-store -n default", folder=tmp_path, stdin=line.encode()).rc == 0

    async def scenario() -> None:
        async with over_stdio(tmp_path, LM_MAINT_AUTO="1") as client:
            for number in range(3):
                await call(client, "memory_add", text=f"I bought lamp number {number}.", said_at="2026-01-01")
            deadline = time.monotonic() + 60
            while not runs(tmp_path) and time.monotonic() < deadline:
                time.sleep(0.2)

    run(scenario)
    assert (tmp_path / "server.err").read_text() == ""
    [one] = runs(tmp_path)
    assert one["trigger"] == "mcp-auto"
    assert one["counts"]["evicted"] == 1
    assert not one["counts"].get("proposed")


def test_nobody_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr(background, "maintain", lambda namespace, settings: started.append(namespace))

    async def scenario(environ: dict[str, str]) -> None:
        async with in_process(tmp_path, environ=environ) as client:
            await call(client, "memory_add", text="I live in Leeds.")
            await call(client, "memory_add", text="I live in York.", namespace="work")

    for value, expected in (("", []), ("0", []), ("1", ["default"])):
        started.clear()
        run(lambda value=value: scenario({"LM_MAINT_AUTO": value}))
        assert started == expected
