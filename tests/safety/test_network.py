"""No command uses a network, with its models loaded and on its whole path, unless a backend is chosen that needs one.

Shown twice: by Python's own account of what it does (audit events), and by the kernel, which holds for native code too.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.commands import Ended, environment, run
from tests.mcp.test_stdio import INITIALIZED, hello, request
from tests.safety.guard.no_sockets import __file__ as NO_SOCKETS

GUARD = Path(__file__).parent / "guard"

# With the default embedder, not the stub: the models are loaded.
WHOLE = r"""
set -e
lm-extract notes.txt --stats > episodes 2> stats
lm-embed < episodes > embedded
lm-store -n work < embedded
lm-extract --from chatgpt export.json | lm-store -n chat
lm-embed -n work --warm; lm-embed -n work --reindex
lm-search -n work "where do I work?"; lm-search -n work --all; lm-search --stdin Nora < episodes
LM_RERANKER=late-interaction lm-search -n work "where do I work?"
lm-log -n work; lm-log -n work --diff 2024-01-01 2027-01-01
lm-log -n work --dump > dump; lm-store -n again --restore < dump
lm-maintain --apply --prove; lm-maintain status; lm-maintain check; lm-maintain backup -n work copy
lm-review list; lm-review status; lm-review decide < /dev/null
lm-maintain forget -n work --text Nora --yes; lm-maintain clear -n again --yes
lm-search -n work x --print-config; lean-memory-mcp --print-config
lean-memory-mcp < requests > answers
lean-memory-mcp --warm 2> warmed
for command in lm-extract lm-embed lm-store lm-search lm-log lm-maintain lm-review lean-memory-mcp; do
    $command --help > help
done
"""


def tool(id: int, name: str, **arguments: str) -> dict[str, object]:
    return request(id, "tools/call", name=name, arguments=arguments)


def lay_out(folder: Path) -> None:
    (folder / "notes.txt").write_text(
        "I work at Larkfield Books since May 2024.\nMy sister Nora lives in Leeds.\nI moved to Paris yesterday.\n",
        "utf-8",
    )
    message = {"author": {"role": "user"}, "create_time": 1.7e9, "content": {"parts": ["I have a cat called Pixel."]}}
    chat = {"title": "a", "create_time": 1.7e9, "mapping": {"a": {"id": "a", "message": message, "parent": None}}}
    (folder / "export.json").write_text(json.dumps([chat]), "utf-8")
    lines = [
        hello(), INITIALIZED, request(2, "tools/list"), tool(3, "memory_add", text="I like tea."),
        tool(4, "memory_search", query="what do I drink?"), request(5, "resources/list"),
    ]  # fmt: skip
    (folder / "requests").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")


def guarded(lines: str, folder: Path, guard: str, **env: str) -> Ended:
    """Lines under a guard. What was noted of a network stands in the file `network`."""
    (folder / "script").write_text(lines, "utf-8")
    line = "bash -o pipefail script"
    if guard == "kernel":
        return run(f"exec {sys.executable} {NO_SOCKETS} {line}", folder=folder, timeout=600, **env)
    return run(line, folder=folder, timeout=600, PYTHONPATH=str(GUARD), LM_GUARD=str(folder / "network"), **env)


def refuse_if_not_there(ended: Ended) -> None:
    if ended.rc == 77:
        pytest.skip(ended.stderr.decode().strip())


@pytest.mark.parametrize("guard", ["audit", "kernel"])
def test_the_guard_sees_what_it_is_for(guard: str, tmp_path: Path) -> None:
    for attempt in ("create_connection(('127.0.0.1', 9))", "socket()"):
        ended = guarded(f'python -c "import socket; socket.{attempt}"', tmp_path, guard)
        refuse_if_not_there(ended)
        assert ended.rc != 0
        if guard == "audit":
            assert "socket." in (tmp_path / "network").read_text()
            (tmp_path / "network").unlink()
        else:
            assert ended.rc in (-31, 128 + 31)  # SIGSYS


@pytest.mark.slow
@pytest.mark.parametrize("guard", ["audit", "kernel"])
def test_no_command_uses_a_network(guard: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    ended = guarded(WHOLE, tmp_path, guard, LM_BACKENDS="")
    refuse_if_not_there(ended)
    assert ended.rc == 0, ended.stderr.decode()
    assert not (tmp_path / "network").exists()
    assert "minilm" in ended.stdout.decode()
    assert b'"object":"Larkfield Books"' in ended.stdout
    answers = [json.loads(line) for line in (tmp_path / "answers").read_bytes().splitlines()]
    assert {answer["id"] for answer in answers} == {1, 2, 3, 4, 5}
    assert "likes tea" in json.dumps(answers)


def test_the_console_listens_on_this_machine_alone_and_asks_nobody(tmp_path: Path) -> None:
    environ = environment(tmp_path, PYTHONPATH=str(GUARD), LM_GUARD=str(tmp_path / "network"), LM_GUARD_LOOPBACK="1")
    with subprocess.Popen(
        ["lm-review", "serve", "--mcp"], cwd=tmp_path, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as served:
        assert served.stdout is not None
        assert served.stderr is not None
        address = served.stdout.readline().decode()
        assert address.startswith("http://127.0.0.1:"), served.stderr.read()
        port = int(address.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port)) as asking:
            asking.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % port)
            assert asking.recv(1 << 16).startswith(b"HTTP/1.1 ")
        served.terminate()
        assert served.stderr.read() == b""
    assert not (tmp_path / "network").exists()


def test_a_server_that_is_named_is_asked_and_no_other(tmp_path: Path) -> None:
    """The guard is not all that keeps Ollama from being asked: named, it is."""
    pytest.importorskip("ollama", reason="the extra llm is not installed")
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    asked.append(connection.recv(1 << 16))

        threading.Thread(target=answer, daemon=True).start()
        host = f"http://127.0.0.1:{server.getsockname()[1]}"
        run("echo Hm, I somehow have it. | lm-extract", folder=tmp_path, LM_OLLAMA_MODEL="some", LM_OLLAMA_HOST=host)
        server.shutdown(socket.SHUT_RDWR)
    assert asked


def test_what_loads_models_of_the_hub_is_told_to_keep_to_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    from lean_memory.backends.files import keep_to_disk

    for name in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    keep_to_disk()
    assert (os.environ["HF_HUB_OFFLINE"], os.environ["HF_HUB_DISABLE_TELEMETRY"]) == ("1", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")  # what a person says holds
    keep_to_disk()
    assert os.environ["HF_HUB_OFFLINE"] == "0"
