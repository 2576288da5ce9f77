"""What goes wrong is an answer with the fix in it; the server stays."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest
from mcp import Client

from lean_memory.mcp_server.server import build
from lean_memory.mcp_server.session import Activity, Session
from lean_memory.mcp_server.tools import TOOLS
from lean_memory.settings import Settings
from lean_memory.store import open_store
from tests.commands import environment
from tests.commands import run as run_line
from tests.mcp.clients import call, over_stdio, refused, run


@asynccontextmanager
async def in_process(folder: Path, environ: dict[str, str] | None = None, **more: Any) -> AsyncIterator[Client]:
    """The server and its client in this process."""
    environ = {"LM_BACKENDS": "stub", "LM_NOW": "2026-03-10T12:00:00Z", **(environ or {})}
    session = Session(Settings.from_environ(environ, root=folder / "memory"), **more)
    try:
        async with Client(build(session)) as client:
            yield client
    finally:
        session.close()


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("memory_search", {}, "bad_argument): the arguments: 'query' is a required property\nFix: memory_search takes"),
        ("memory_search", {"query": ""}, "bad_argument): query: '' should be non-empty\nFix: query: A question"),
        ("memory_search", {"query": 5}, "bad_argument): query: 5 is not of type 'string'"),
        ("memory_search", {"query": "x", "limit": 0}, "limit: 0 is less than the minimum of 1"),
        ("memory_search", {"query": "x", "kind": "facts"}, "kind: 'facts' is not one of ['any', 'fact', 'episode']"),
        ("memory_search", {"query": "x", "asof": "2026"}, "'asof' was unexpected"),
        ("memory_search", {"query": "x", "as_of": "last year"}, "not a time: 'last year'\nFix: write it like"),
        ("memory_search", {"query": "x", "time_zone": "Mars/Olympus"}, "bad_zone): no such time zone"),
        ("memory_add", {"text": " \n"}, "usage): the text is blank\nFix: give memory_add the words"),
        ("memory_add", {"text": "I swim.", "said_at": "soon"}, "bad_time): not a time: 'soon'"),
        ("memory_add", {"text": "I swim.", "source": "system"}, "source: 'system' is not one of"),
        ("memory_diff", {"first": "2026-01-01"}, "'second' is a required property"),
        ("memory_review_decide", {"decisions": []}, "decisions: [] should be non-empty"),
        ("memory_review_decide", {"decisions": [{"proposal": "a", "verdict": "yes"}]}, "decisions[0].verdict: 'yes'"),
        ("memory_clear", {"namespace": "work"}, "'confirm' is a required property"),
        ("memory_guess", {}, "there is no tool 'memory_guess'\nFix: the tools are memory_add, memory_search"),
    ],
)  # fmt: skip
def test_bad_arguments(tool: str, arguments: dict[str, Any], told: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I work at Harbour Press.")
            assert told in await refused(client, tool, **arguments)
            await call(client, "memory_search", query="where do I work?")

    run(scenario)


@pytest.mark.parametrize("tool", [name for name in TOOLS if name != "memory_add"])
def test_a_memory_that_is_not_there(tool: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "memory_search": {"query": "x"},
        "memory_diff": {"first": "2026-01-01", "second": "2026-02-01"},
        "memory_review_decide": {"decisions": [{"proposal": "a", "verdict": "keep"}]},
        "memory_clear": {"confirm": "wrok"},
    }.get(tool, {})

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", namespace="work", text="I work at Harbour Press.")
            told = await refused(client, tool, namespace="wrok", **given)
            assert "no_namespace" in told
            assert "there: work\nFix: name one that is there, or begin it with memory_add" in told
        assert sorted(path.name for path in (tmp_path / "memory").glob("*.db")) == ["work.db"]

    run(scenario)


def test_values_that_come_as_json_in_a_string(tmp_path: Path) -> None:
    """Some clients send lists and numbers so."""

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I work at Harbour Press.", namespace=None)
            _, data = await call(client, "memory_search", query="5", limit="1", include_ended="true")
            assert len(data["hits"]) <= 1
            decisions = '[{"proposal": "a", "verdict": "keep"}]'
            _, data = await call(client, "memory_review_decide", decisions=decisions)
            assert data["outcomes"][0]["outcome"] == "unknown"

    run(scenario)


def test_a_file_that_another_program_writes_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lean_memory.store.connect.BUSY_TIMEOUT", 0.2)

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds.", said_at="2026-01-01")
            holder = apsw.Connection(str(tmp_path / "memory" / "default.db"))
            holder.execute("BEGIN IMMEDIATE")
            told = await refused(client, "memory_add", text="I live in York.", said_at="2026-02-01")
            assert "(busy)" in told
            assert "call again in a moment" in told
            await call(client, "memory_search", query="where do I live?")  # reading goes on
            holder.execute("ROLLBACK")
            holder.close()
            await call(client, "memory_add", text="I live in York.", said_at="2026-02-01")

    run(scenario)


def test_a_run_of_maintenance_that_is_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds.", said_at="2026-01-01")
            store = open_store(tmp_path / "memory", "default", create=False, write=True, now=0)
            store.acquire(store.me())
            told = await refused(client, "memory_clear", namespace="default", confirm="default")
            assert "(lease)" in told
            assert "memory_maintenance_status names no holder" in told
            store.close()

    run(scenario)


@pytest.mark.parametrize(
    ("content", "code"), [(b"SQLite format 3\0" + b"\xff" * 5000, "corrupt"), (b"notes\n" * 2000, "corrupt")]
)
def test_a_damaged_file(content: bytes, code: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds.")
            path = tmp_path / "memory" / "default.db"
            path.write_bytes(content)
            for tool, arguments in (("memory_search", {"query": "x"}), ("memory_add", {"text": "I swim."})):
                assert f"({code})" in await refused(client, tool, **arguments)
            await call(client, "memory_add", namespace="another", text="I live in York.")
            with pytest.raises(Exception, match=code):
                await client.read_resource("memory://default/facts")

    run(scenario)


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds.")
            path = tmp_path / "memory" / "default.db"
            newer = apsw.Connection(str(path))
            newer.execute("PRAGMA user_version = 999")
            newer.close()
            for tool, arguments in (("memory_search", {"query": "x"}), ("memory_add", {"text": "I swim."})):
                assert "(too_new)" in await refused(client, tool, **arguments)

    run(scenario)


def test_a_model_that_is_not_installed(tmp_path: Path) -> None:
    async def scenario() -> None:
        environ = {"LM_BACKENDS": "", "LM_EMBEDDER": "st:no/such-model"}
        async with in_process(tmp_path, environ) as client:
            assert "(backend)" in await refused(client, "memory_add", text="I live in Leeds.")

    run(scenario)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file stands in its place")

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            assert "memory" in await refused(client, "memory_add", text="I live in Leeds.")
            assert (await client.list_resources()).resources == []

    run(scenario)


def test_a_fault_of_ours_is_told_without_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("what the user said")

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds.")
            monkeypatch.setattr("lean_memory.memory.Memory.search", broken)
            told = await refused(client, "memory_search", query="x")
            assert told.startswith("memory_search failed (internal): ZeroDivisionError\n")
            assert "what the user said" not in told

    run(scenario)


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None; from lean_memory.cli.mcp import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(tmp_path), input=b"{}\n", capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (6, b"")
    assert b"pip install 'lean-memory[mcp]'" in done.stderr


def test_a_trace_has_every_call_and_nothing_that_was_said(tmp_path: Path) -> None:
    seen: list[Activity] = []

    async def scenario() -> None:
        async with in_process(tmp_path, trace=seen.append, namespace="work") as client:
            await call(client, "memory_add", text="I live in Leeds.")
            await refused(client, "memory_search", namespace="none", query="Leeds")
            await refused(client, "memory_search", limit=0)

    run(scenario)
    assert [(one.tool, one.namespace, one.outcome) for one in seen] == [
        ("memory_add", "work", "done"),
        ("memory_search", "none", "no_namespace"),
        ("memory_search", "work", "bad_argument"),
    ]
    assert "Leeds" not in repr(seen)


# ------------------------------------------------------------------------------------------------ the command


def test_warm_loads_every_model_and_says_how_far_it_is(tmp_path: Path) -> None:
    run_line("echo I live in Leeds. | lm-extract | lm-store -n work", folder=tmp_path)
    done = run_line("lean-memory-mcp --warm", folder=tmp_path)
    assert (done.rc, done.stdout) == (0, b"")
    assert done.stderr.decode().splitlines() == [
        "lean-memory-mcp: ready for search",
        "lean-memory-mcp: ready for search in work",
        "lean-memory-mcp: ready for extraction",
    ]


def test_at_a_terminal_it_says_how_it_is_used(tmp_path: Path) -> None:
    from tests.commands import at_terminal

    assert at_terminal("lean-memory-mcp", tmp_path).startswith("Usage: lean-memory-mcp [OPTIONS]\n")


@pytest.mark.parametrize(("arguments", "env", "expected"), [
    ((), {}, "default"),
    (("-n", "work"), {}, "work"),
    ((), {"LM_NAMESPACE": "home"}, "home"),
    (("-n", "work"), {"LM_NAMESPACE": "home"}, "work"),
])  # fmt: skip
def test_whose_memory_it_is(arguments: tuple[str, ...], env: dict[str, str], expected: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with over_stdio(tmp_path, *arguments, **env) as client:
            _, data = await call(client, "memory_add", text="I live in Leeds.")
            assert data["namespace"] == expected

    run(scenario)


def test_a_page_of_facts_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lean_memory.mcp_server.resources._SHOWN", 2)

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds. I work at Harbour Press. I like tea. I have a dog.")
            [page] = (await client.read_resource("memory://default/facts")).contents
            assert page.text.count("\n- ") == 2
            assert "and 2 more: find them with memory_search" in page.text

    run(scenario)


def test_the_server_answers_while_a_call_takes_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def slow(*_: object, **__: object) -> list[object]:
        begun.set()
        assert let_go.wait(30)
        return []

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", text="I live in Leeds.")
            monkeypatch.setattr("lean_memory.memory.Memory.search", slow)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: call(client, "memory_search", query="x"))
                await anyio.to_thread.run_sync(begun.wait)
                assert len((await client.list_tools()).tools) == 9
                let_go.set()

    run(scenario)
