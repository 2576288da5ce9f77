"""`lm-review serve --mcp`: agents at /mcp, behind the same guard as people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.process import Console

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def serving(made: Path) -> Iterator[Console]:
    pytest.importorskip("mcp", reason="mcp is not installed: pip install 'lean-memory[mcp]'")
    with Console(made, "--mcp", "-n", "work") as running:
        yield running


def test_an_agent_with_the_token_is_greeted(serving: Console) -> None:
    answer = serving.ask("/mcp", HELLO, headers=ACCEPT)
    assert answer.status == 200
    assert '"serverInfo"' in answer.text


@pytest.mark.parametrize(
    ("headers", "token", "status"),
    [({}, None, 401), ({"Origin": "http://evil.example"}, "", 403), ({"Host": "evil.example"}, "", 421)],
)
def test_nobody_else_is(serving: Console, headers: dict[str, str], token: str | None, status: int) -> None:
    assert serving.ask("/mcp", HELLO, headers={**ACCEPT, **headers}, token=token).status == status


def test_without_the_option_there_is_no_such_address(console: Console) -> None:
    assert console.ask("/mcp", HELLO, headers=ACCEPT).status == 404


def test_an_open_session_does_not_keep_the_command_from_ending(made: Path) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed: pip install 'lean-memory[mcp]'")
    with Console(made, "--mcp") as running:
        assert running.ask("/mcp", HELLO, headers=ACCEPT).status == 200
        assert running.interrupt() == 130


def test_what_agents_called_is_shown_without_what_they_said(folder: Path) -> None:
    pytest.importorskip("mcp", reason="mcp is not installed: pip install 'lean-memory[mcp]'")
    call = {
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "memory_search", "arguments": {"query": "a secret wish"}},
    }  # fmt: skip
    with Console(folder, "--mcp", "-n", "work") as running:
        greeting = running.ask("/mcp", HELLO, headers=ACCEPT)
        session = {**ACCEPT, "Mcp-Session-Id": greeting.headers.get("mcp-session-id", "")}
        running.ask("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
        assert running.ask("/mcp", call, headers=session).status == 200
        page = running.ask("/part/activity?n=work").text
    assert "memory_search · work" in page
    assert "secret wish" not in page
