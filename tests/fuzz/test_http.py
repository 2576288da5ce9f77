"""Any request to the console, however it is spelt: one answer, with its guarding headers, no fault of ours, and nothing
of a memory without the token. Within this process, as a server in between would mend or refuse half of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory import Memory
from lean_memory.console.app import make_app
from lean_memory.settings import Settings
from tests.fuzz.often import often

TOKEN, PORT, SECRET = "t" * 43, 8765, "the heron landed"
HOST = (b"host", f"127.0.0.1:{PORT}".encode())
ALLOWED = (b"authorization", f"Bearer {TOKEN}".encode())

# ------------------------------------------------------------------------------------------------- material

PATHS = (
    "/", "//", "/review", "/search", "/timeline", "/activity", "/namespaces", "/part/review", "/part/search",
    "/part/timeline", "/part/activity", "/part/namespaces", "/part/source", "/part/decide", "/part/maintain",
    "/part/promote", "/v1/home/memories", "/v1/home/search", "/v1/openapi.json", "/v1/", "/static/", "/static/app.js",
    "/static/../app.py", "/static/%2e%2e/app.py", "/static/..\\app.py", "/static//etc/passwd", "/mcp", "/favicon.ico",
)  # fmt: skip
parts = st.sampled_from(
    ["..", ".", "", "%00", "\0", "\n", "home", "static", "v1", "part", "search", "é", "%", "\ud800"]
)
paths = st.sampled_from(PATHS) | st.lists(parts | st.text(max_size=5), max_size=5).map(
    lambda found: "/" + "/".join(found)
)
methods = st.sampled_from(["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"])
pieces = st.sampled_from(
    [b"q=heron", b"n=home", b"n=gone", b"day=", b"day=99999999999", b"from=-1", b"status=any", b"entity=user", b"%",
     b"%zz", b"%ff", b"%00", b"&&", b"=", b"+", b"\xff", b"fact=x", b"cold=1", b"n=%ed%a0%80"]
)  # fmt: skip
queries = st.lists(pieces | st.binary(max_size=5), max_size=5).map(b"&".join)
values = st.binary(max_size=20) | st.sampled_from(
    [b"", b"0", b"-1", b"1e3", b"99999999999999999999", b"*/*", b"zh;q=x,,en;q=1e9", b"application/json",
     b"APPLICATION/JSON; charset=utf-16", b"chunked", b"bytes=0-", b"null", b"http://127.0.0.1:8765", b"same-origin",
     b"cross-site", b"Bearer", b"Bearer \xff", f"127.0.0.1:{PORT}".encode(), b"[::1]:8765", b"gzip", b"W/\"x\""]
)  # fmt: skip
names = st.sampled_from(
    [b"host", b"origin", b"sec-fetch-site", b"content-length", b"content-type", b"authorization", b"accept-language",
     b"range", b"if-range", b"if-none-match", b"if-modified-since", b"transfer-encoding", b"cookie", b"x-forwarded-for"]
)  # fmt: skip
headers = st.lists(st.tuples(names, values), max_size=4)
bodies = st.lists(
    st.binary(max_size=20)
    | st.sampled_from(
        [b"{", b"}", b'"query":"heron"', b'"text":', b"[1]", b"null", b'{"query":"heron"}', b'"\\ud800"']
    ),
    max_size=4,
)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = Path(tmp_path_factory.mktemp("http"))
    settings = Settings.from_environ({"LM_BACKENDS": "stub", "LM_NOW": "2026-03-10T12:00:00Z"}, root=root)
    with Memory(settings=settings) as memory:
        memory.add("home", f"I saw that {SECRET} on the roof of my sister Nora.")
    return make_app(lambda: Memory(settings=settings), token=TOKEN, port=PORT)


def ask(app: Any, method: str, path: str, query: bytes, given: list[tuple[bytes, bytes]], body: list[bytes]) -> Any:
    """Status, headers and body. An exception of the application is one here."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode("utf-8", "surrogatepass"), "query_string": query, "root_path": "",
        "headers": given, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", PORT),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in body]
    waiting.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> dict[str, Any]:
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    [start, *rest] = sent
    assert start["type"] == "http.response.start"
    assert all(message["type"] == "http.response.body" for message in rest)
    return start["status"], dict(start["headers"]), b"".join(message.get("body", b"") for message in rest)


# ----------------------------------------------------------------------------------------------------- laws


@often(2)
@given(method=methods, path=paths, query=queries, more=headers, body=bodies)
@example(method="POST", path="/v1/home/search", query=b"", more=[(b"content-length", b"many")], body=[])
@example(method="GET", path="/static/\0", query=b"", more=[], body=[])
@example(method="GET", path="/", query=b"\xff", more=[], body=[])
def test_whoever_may_ask_gets_an_answer(
    app: Any, method: str, path: str, query: bytes, more: list[tuple[bytes, bytes]], body: list[bytes]
) -> None:
    status, answered, _ = ask(app, method, path, query, [HOST, ALLOWED, *more], body)
    assert 200 <= status < 500, status
    assert b"content-security-policy" in answered
    assert answered[b"x-content-type-options"] == b"nosniff"


@often(2)
@given(method=methods, path=paths, query=queries, more=headers, body=bodies)
def test_nobody_else_learns_or_changes_anything(
    app: Any, method: str, path: str, query: bytes, more: list[tuple[bytes, bytes]], body: list[bytes]
) -> None:
    given = [HOST, *(header for header in more if header != ALLOWED)]
    status, _, answer = ask(app, method, path, query, given, body)
    assert status < 500
    assert SECRET.encode() not in answer
    if path.startswith(("/part", "/v1")):
        assert status in (401, 403, 413, 421, 400), status
