"""Who is let in at /mcp."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from lean_memory.mcp_server.http import Endpoint
from lean_memory.mcp_server.session import Session
from lean_memory.settings import Settings
from tests.commands import environment
from tests.mcp.clients import ROOT, TOKEN
from tests.mcp.test_stdio import hello


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
