"""Who is let in at /mcp."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from lean_memory.mcp_server.http import Endpoint
from lean_memory.mcp_server.session import Activity, Session
from lean_memory.mcp_server.trace import FILE, Trace, calls
from lean_memory.settings import Settings
from tests.commands import environment
from tests.commands import run as run_line
from tests.mcp.clients import ROOT, TOKEN, call, run
from tests.mcp.test_stdio import INITIALIZED, answers, hello, tool


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("web")
    process = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "mcp" / "web.py", TOKEN], cwd=folder, stdin=subprocess.PIPE,
        env=environment(folder, PYTHONPATH=str(ROOT)), stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield process.stdout.readline().decode().strip()
    finally:
        process.communicate(timeout=30)


def post(url: str, **headers: str) -> tuple[int, str]:
    """The status, and the body."""
    given = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    asked = urllib.request.Request(url, json.dumps(hello()).encode(), given)
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


ALLOWED = {"Authorization": f"Bearer {TOKEN}"}


def test_with_the_token(url: str) -> None:
    status, body = post(url, **ALLOWED)
    assert status == 200
    assert '"serverInfo"' in body


@pytest.mark.parametrize("given", [None, TOKEN, f"Basic {TOKEN}", "Bearer ", f"Bearer {TOKEN}x", "Bearer wrong"])
def test_without_it(given: str | None, url: str) -> None:
    status, body = post(url, **({} if given is None else {"Authorization": given}))
    assert status == 401
    assert "Authorization: Bearer TOKEN" in body
    assert TOKEN not in body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:80"])
def test_under_another_name(host: str, url: str) -> None:
    assert post(url, **ALLOWED, Host=host)[0] == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "http://evil.example:80", "null", "https://localhost:1"])
def test_from_another_origin(origin: str, url: str) -> None:
    assert post(url, **ALLOWED, Origin=origin)[0] == 403


def test_from_its_own_origin(url: str) -> None:
    assert post(url, **ALLOWED, Origin=url.removesuffix("/mcp"))[0] == 200


def test_no_token_is_no_lock(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lets everybody in"):
        Endpoint(Session(Settings(root=tmp_path)), token="")


# ------------------------------------------------------------------------------------- within the console


def test_lm_review_serve_has_the_tools_at_mcp_and_the_console_sees_the_calls(tmp_path: Path) -> None:
    command = str(Path(sys.executable).parent / "lm-review")
    process = subprocess.Popen(
        [command, "serve", "--mcp", "-n", "work"], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    address, _, token = process.stdout.readline().decode().strip().partition("#token=")
    place = "/".join(address.split("/")[:3]) + "/mcp"

    async def scenario() -> None:
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http,
            Client(streamable_http_client(place, http_client=http)) as client,
        ):
            assert len((await client.list_tools()).tools) == 9
            _, data = await call(client, "memory_add", text="I live in Leeds.")
            assert data["namespace"] == "work"

    try:
        run(scenario)
        assert post(place, Authorization="Bearer wrong")[0] == 401
        assert post(place, Authorization=f"Bearer {token}", Host="evil.example")[0] == 421
        assert [one.tool for one in calls(tmp_path / "memory")] == ["memory_add"]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130


def test_lm_review_mcp_is_the_same_on_stdio(tmp_path: Path) -> None:
    messages = [hello(), INITIALIZED, tool(2, "memory_add", text="I live in Leeds."), tool(3, "memory_search", limit=0)]
    given = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    done = run_line("lm-review mcp -n work", folder=tmp_path, stdin=given)
    assert (done.rc, done.stderr) == (0, b"")
    found = answers(subprocess.CompletedProcess([], done.rc, done.stdout, done.stderr))
    assert found[2]["structuredContent"]["namespace"] == "work"
    seen = calls(tmp_path / "memory")
    assert [(one.tool, one.outcome) for one in seen] == [("memory_search", "bad_argument"), ("memory_add", "done")]


def test_a_trace_keeps_the_last_calls_and_is_the_owners_alone(tmp_path: Path) -> None:
    trace = Trace(tmp_path / "memory")
    for number in range(5000):
        trace(Activity(at=number, tool="memory_search", namespace="work", ms=1, outcome="done"))
    with (tmp_path / "memory" / FILE).open("ab") as torn:
        torn.write(b"torn {")
    assert [one.at for one in calls(tmp_path / "memory", 1000)] == list(range(4999, 3999, -1))
    kept = sorted(path for path in (tmp_path / "memory").iterdir())
    assert len(kept) == 2
    assert sum(path.stat().st_size for path in kept) < 1 << 20
    if os.name == "posix":
        assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
