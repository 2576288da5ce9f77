"""The limits of REST, the console and MCP at their edges."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lean_memory import Memory
from lean_memory.console.app import make_app
from lean_memory.console.security import LARGEST
from lean_memory.limits import MAX_NAME, MAX_QUERY
from lean_memory.mcp_server.session import Failed, Session
from lean_memory.settings import Settings
from tests.fuzz.test_http import ALLOWED, HOST, PORT, TOKEN, ask

JSON = (b"content-type", b"application/json")
SIZED = [HOST, ALLOWED, JSON]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    root = tmp_path_factory.mktemp("faces")
    settings = Settings.from_environ({"LM_BACKENDS": "stub", "LM_NOW": "2026-03-10T12:00:00Z"}, root=Path(root))
    with Memory(settings=settings) as memory:
        memory.add("home", "I live in Leeds.")
    return settings


@pytest.fixture(scope="module")
def app(settings: Settings) -> Any:
    return make_app(lambda: Memory(settings=settings), token=TOKEN, port=PORT)


def post(app: Any, path: str, body: object, given: list[tuple[bytes, bytes]] | None = None) -> tuple[int, Any]:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    pieces = [sent[start : start + (1 << 20)] for start in range(0, len(sent), 1 << 20)]
    status, _, answer = ask(app, "POST", path, b"", given or SIZED, pieces)
    return status, answer


@pytest.mark.parametrize("told", [True, False], ids=["its length is told", "it is not"])
def test_a_body(app: Any, told: bool) -> None:
    asked = b'{"query":"leeds"}'
    for length, expected in ((LARGEST, 200), (LARGEST + 1, 413)):
        header = [(b"content-length", str(length).encode())] if told else []
        status, answer = post(app, "/v1/home/search", asked.ljust(length), [*SIZED, *header])
        assert status == expected
    assert b"more than 16 MiB" in answer


@pytest.mark.parametrize(
    ("fields", "status", "named"),
    [
        ({"k": 1000}, 200, b'"hits"'), ({"k": 1001}, 400, b"from 1 to 1000"), ({"k": 0}, 400, b"from 1 to 1000"),
        ({"query": "x" * MAX_QUERY}, 200, b'"hits"'), ({"query": "x" * (MAX_QUERY + 1)}, 400, b"100,000 are the most"),
    ],
    ids=str,
)  # fmt: skip
def test_a_search_over_rest(app: Any, fields: dict[str, Any], status: int, named: bytes) -> None:
    found, answer = post(app, "/v1/home/search", {"query": "leeds", **fields})
    assert found == status
    assert named in answer


def test_a_name_over_rest(app: Any) -> None:
    assert post(app, f"/v1/{'n' * MAX_NAME}/memories", {"text": "I live in Leeds."})[0] == 201
    status, answer = post(app, f"/v1/{'n' * (MAX_NAME + 1)}/memories", {"text": "I live in Leeds."})
    assert status == 400
    assert b"1,000 are the most" in answer


@pytest.mark.parametrize(("count", "status"), [(1000, 200), (1001, 400), (0, 400)])
def test_decisions_in_a_request(app: Any, count: int, status: int) -> None:
    decisions = [{"proposal": "f" * 32, "verdict": "keep"}] * count
    body = [json.dumps({"decisions": decisions}).encode()]
    found, _, answer = ask(app, "POST", "/part/decide", b"n=home", SIZED, body)
    assert found == status
    assert status == 200 or b"a list of 1 to 1000 objects" in answer


@pytest.fixture
def session(settings: Settings) -> Iterator[Session]:
    session = Session(settings, namespace="home")
    yield session
    session.close()


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"limit": 100}, None), ({"limit": 101}, "limit"), ({"limit": 0}, "limit"), ({"query": "x" * MAX_QUERY}, None),
        ({"query": "x" * (MAX_QUERY + 1)}, "100,000 are the most"), ({"query": ""}, "query"),
        ({"namespace": "n" * (MAX_NAME + 1)}, "1,000 are the most"),
    ],
    ids=str,
)  # fmt: skip
def test_a_search_over_mcp(session: Session, fields: dict[str, Any], named: str | None) -> None:
    call = session.call("memory_search", {"query": "leeds", **fields})
    if named is None:
        assert asyncio.run(call).data["namespace"] == "home"
    else:
        with pytest.raises(Failed, match=named):
            asyncio.run(call)
