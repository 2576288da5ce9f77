"""The SDK's own client on the installed server, over stdio and over HTTP, with nothing of this machine's settings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from tests.commands import environment

__all__ = [
    "CARRIERS",
    "TOKEN",
    "Connect",
    "call",
    "connected",
    "over_http",
    "over_stdio",
    "pipe",
    "refused",
    "run",
    "text_of",
]

TOKEN = "a-token-of-the-tests"
ROOT = Path(__file__).resolve().parent.parent.parent

Connect = Callable[..., Any]
CARRIERS = ("stdio legacy", "stdio auto", "http legacy", "http auto")
"""Both ways to reach the server, each by the handshake of before 2026 and by the SDK's own choice."""


def run(scenario: Callable[[], Awaitable[Any]]) -> Any:
    """Runs an async test to its end. What fails is raised as it is, not in the groups of the tasks around it."""
    try:
        return anyio.run(scenario)
    except BaseException as error:
        while len(inside := getattr(error, "exceptions", ())) == 1:
            [error] = inside
        raise error from None


@asynccontextmanager
async def connected(carrier: str, folder: Path, **env: str) -> AsyncIterator[Client]:
    """A client that has shaken hands; the memory is `folder`/memory."""
    way, mode = carrier.split()
    async with (over_stdio if way == "stdio" else over_http)(folder, mode=mode, **env) as client:
        yield client


@asynccontextmanager
async def over_stdio(folder: Path, *arguments: str, mode: Any = "auto", **env: str) -> AsyncIterator[Client]:
    """Starts `lean-memory-mcp` as an agent's host does."""
    server = StdioServerParameters(
        command=str(Path(sys.executable).parent / "lean-memory-mcp"),
        args=list(arguments),
        env=environment(folder, **env),
        cwd=folder,
    )
    with open(folder / "server.err", "a", encoding="utf-8") as told:
        async with Client(stdio_client(server, errlog=told), mode=mode) as client:
            yield client


@asynccontextmanager
async def over_http(folder: Path, *, mode: Any = "auto", token: str = TOKEN, **env: str) -> AsyncIterator[Client]:
    """Starts a web server with the tools at /mcp, on a free port of loopback; it ends with the client."""
    process = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "mcp" / "web.py", TOKEN],
        cwd=folder, env=environment(folder, PYTHONPATH=str(ROOT), **env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        url = (await anyio.to_thread.run_sync(process.stdout.readline)).decode().strip()
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            yield client
    finally:
        process.communicate(timeout=30)


async def call(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """A call that succeeds: the text, and the structured answer, which the client holds against the tool's schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return text_of(result), result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """A call that fails: an error result whose text names the fix."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    told = text_of(result)
    assert "\nFix: " in told, told
    return told


def text_of(result: Any) -> str:
    """The one text block of a result."""
    [block] = result.content
    assert block.type == "text"
    return str(block.text)


def pipe(
    folder: Path, *messages: dict[str, Any], code: str | None = None, timeout: float = 60, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Raw messages into the server's stdin, which then ends. `code` is run in place of the command."""
    line = [sys.executable, "-c", code] if code else [str(Path(sys.executable).parent / "lean-memory-mcp")]
    given = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    return subprocess.run(
        line, cwd=folder, env=environment(folder, **env), input=given, capture_output=True, timeout=timeout, check=False
    )
