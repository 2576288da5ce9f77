"""Any bytes before, between and after the messages of an MCP client: each request that is one is answered once, and
stdout carries the protocol alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commands import environment
from tests.fuzz.often import often
from tests.fuzz.test_wire import any_json, junk, loosely
from tests.mcp.test_any_arguments import JSON

pytestmark = pytest.mark.slow

OPENING = {
    "jsonrpc": "2.0", "id": "opening", "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = {
    "jsonrpc": "2.0", "id": "call", "method": "tools/call",
    "params": {"name": "memory_search", "arguments": {"query": "x"}},
}  # fmt: skip
METHODS = """ping tools/list tools/call resources/list resources/read prompts/get nothing initialize logging/setLevel
notifications/cancelled notifications/progress completion/complete""".split()
params = st.fixed_dictionaries({}, optional=dict.fromkeys(["name", "arguments", "uri", "requestId", "_meta"], JSON))
messages = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "1.0", 2, None]), "method": st.sampled_from(METHODS) | JSON},
    optional={
        "id": st.integers(0, 5) | JSON,
        "params": JSON | params,
    },
)
noise = st.lists(
    st.one_of(junk, st.binary(max_size=30), any_json.map(loosely), messages.map(loosely)).map(
        lambda line: line.replace(b"\n", b" ")
    ),
    max_size=12,
)


@settings(often(0.06), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(between=noise, after=noise)
def test_noise_around_the_messages(tmp_path: Path, between: list[bytes], after: list[bytes]) -> None:
    ours = [json.dumps(one).encode() for one in (OPENING, READY, CALL)]
    given = b"\n".join([*ours[:2], *between, ours[2], *after, b""])
    done = subprocess.run(
        ["lean-memory-mcp"], cwd=tmp_path, env=environment(tmp_path, PYTHONWARNINGS="default"), input=given,
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    told = done.stderr.decode(errors="replace")
    assert done.returncode == 0, told
    answers: list[Any] = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(one["jsonrpc"] == "2.0" for one in answers)
    ids = [one["id"] for one in answers if "method" not in one]
    assert ids.count("opening") == 1
    assert ids.count("call") == 1, told
    assert "internal" not in json.dumps(next(one for one in answers if one.get("id") == "call"))
