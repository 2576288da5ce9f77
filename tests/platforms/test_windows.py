"""Everything a user does, where the standard library is as on Windows (see `windows`), and the types of that system."""

from __future__ import annotations

import http.client
import json
import os
import shlex
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw
import pytest

from tests.commands import Ended, environment
from tests.commands import run as run_elsewhere
from tests.platforms.windows import LACKING

pytestmark = pytest.mark.slow

WINDOWS = Path(__file__).with_name("windows.py")
COMMANDS = ("lm-extract", "lm-embed", "lm-store", "lm-search", "lm-log", "lm-maintain", "lm-review", "lean-memory-mcp")
NOTES = b"I work at Larkfield Books.\r\nMy sister Nora works at the zoo.\r\nI work at Harbour Press now.\r\n"


def run(line: str, *, folder: Path, stdin: bytes = b"", **env: str) -> Ended:
    """As `commands.run`, but of commands on Windows."""
    there = shlex.join([sys.executable, str(WINDOWS)])
    functions = "".join(f'{command}() {{ {there} {command} "$@"; }}\n' for command in COMMANDS)
    return run_elsewhere(functions + line, folder=folder, stdin=stdin, **env)


def records(ended: Ended) -> list[Any]:
    assert (ended.rc, ended.stderr) == (0, b""), ended.stderr.decode()
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a memory whose name Windows keeps for a device."""
    place = tmp_path_factory.mktemp("windows")
    stored = run("lm-extract -j 2 | lm-store -n con", folder=place, stdin=NOTES)
    assert [receipt["status"] for receipt in records(stored)] == ["stored"] * 3
    assert {path.name for path in (place / "memory").glob("*.db")} == {"%63on.db"}
    return place


def test_the_modules_are_as_on_windows(tmp_path: Path) -> None:
    """What the other tests here rest on."""
    program = "import os\nprint(os.name)\nos.getuid()\n"
    (tmp_path / "lean_memory").mkdir()
    (tmp_path / "lean_memory" / "__init__.py").write_text("")
    for name, ours in {"asks.py": program, "imports.py": "import termios\n"}.items():
        (tmp_path / "lean_memory" / name).write_text(ours)
    for module, complaint in {"asks": "Windows has no os.getuid", "imports": "No module named 'termios'"}.items():
        begin = f"import runpy; runpy.run_path({str(WINDOWS)!r}, run_name='__mp_main__'); import lean_memory.{module}"
        done = subprocess.run([sys.executable, "-c", begin], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr.strip().endswith(complaint)
        assert done.stdout.strip() == ("nt" if module == "asks" else "")
    assert "termios" in LACKING


def test_what_was_stored_is_found(place: Path) -> None:
    [hit] = records(run('lm-search -n con -k 1 "where do I work?"', folder=place))
    assert hit["text"] == "user works at Harbour Press"


def test_the_log_and_a_difference_are_told(place: Path) -> None:
    assert [change["action"] for change in records(run("lm-log -n con", folder=place))].count("superseded") == 1


def test_maintenance_takes_in_what_was_found_and_makes_a_backup(place: Path) -> None:
    assert records(run('lm-search -n con "where does Nora work?"', folder=place))
    [report] = records(run("lm-maintain -n con --apply", folder=place))
    assert report["status"] in ("done", "nothing")
    [checked] = records(run("lm-maintain check -n con", folder=place))
    assert checked["wrong"] == []
    [copy] = records(run("lm-maintain backup -n con copy.db", folder=place))
    assert (place / "copy.db").stat().st_size == copy["bytes"]


def test_a_lease_of_a_process_that_is_gone_is_left_to_run_out(place: Path) -> None:
    """Windows has no way to ask after a process that is sure to harm none, so only its silence tells."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    with closing(apsw.Connection(str(place / "memory" / "%63on.db"))) as db:
        held = ("maintenance", f"{socket.gethostname()}:{gone.pid}:1", time.time_ns() // 1_000_000)
        db.execute("INSERT INTO leases (name, holder, acquired_at, heartbeat_at) VALUES (?1, ?2, ?3, ?3)", held)
    there, here = (on("lm-maintain status -n con", folder=place) for on in (run, run_elsewhere))
    assert records(there)[0]["holder"].startswith(f"process {gone.pid} on ")
    assert records(here)[0]["holder"] is None
    with closing(apsw.Connection(str(place / "memory" / "%63on.db"))) as db:
        db.execute("DELETE FROM leases")


def test_a_memory_is_removed_with_all_its_files(place: Path) -> None:
    assert records(run("lm-extract | lm-store -n aux", folder=place, stdin=NOTES))
    records(run("lm-maintain clear -n aux --yes", folder=place))
    assert not list((place / "memory").glob("%61ux*"))


@pytest.mark.parametrize(
    "line", ["lm-extract big.txt | head -n 1", "lm-search -n con --all | true", "lm-log --help | true"]
)
def test_a_filter_whose_reader_goes_away_ends_quietly(line: str, place: Path) -> None:
    (place / "big.txt").write_bytes(NOTES * 400)
    ended = run(line, folder=place)
    assert (ended.rc, ended.stderr) == (0, b"")


def test_a_writer_whose_reader_goes_away_finishes_its_input(place: Path) -> None:
    many = b"".join(b'{"text":"Line %d is about tea.","t_ref":"2026-03-01T00:00:00Z"}\n' % n for n in range(1000))
    ended = run("lm-extract | lm-store -n nul | head -n 1", folder=place, stdin=many)
    assert (ended.rc, ended.stderr) == (0, b"")
    [status] = records(run("lm-maintain status -n nul", folder=place))
    assert status["episodes"] == 1000


def test_patterns_name_files_where_the_shell_leaves_them(place: Path) -> None:
    (place / "many").mkdir()
    for name in ("one.txt", "two.txt", "[odd].txt"):
        (place / "many" / name).write_bytes(name.encode())
    assert len(records(run("lm-extract 'many/*.txt'", folder=place))) == 3
    assert [note["text"] for note in records(run("lm-extract 'many/[odd].txt'", folder=place))] == ["[odd].txt"]
    missing = run("lm-extract 'many/*.none'", folder=place)
    assert (missing.rc, missing.stdout) == (2, b"")
    assert b"many/*.none" in missing.stderr


def test_the_console_listens_and_keeps_its_token(place: Path) -> None:
    line = [sys.executable, str(WINDOWS), "lm-review", "serve", "--token-file", "token"]
    with subprocess.Popen(
        line, cwd=place, env=environment(place), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = urlsplit(server.stdout.readline().strip())
            with closing(http.client.HTTPConnection(url.netloc)) as connection:
                connection.request("GET", "/review")
                assert connection.getresponse().status == 200
        finally:
            server.terminate()
    assert url.fragment == f"token={(place / 'token').read_text().strip()}"


def test_an_agent_adds_and_searches_and_maintenance_follows(place: Path) -> None:
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "memory_add", "arguments": {"text": "I play the oboe."}}},
        {
            "id": 3,
            "method": "tools/call",
            "params": {"name": "memory_search", "arguments": {"query": "what do I play?"}},
        },
    ]
    lines = b"".join(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\r\n" for line in asked)
    ended = run("lean-memory-mcp -n prn", folder=place, stdin=lines, LM_MAINT_AUTO="1")
    answers = {answer["id"]: answer for answer in records(ended) if "id" in answer}
    assert "oboe" in json.dumps(answers[3]["result"])
    assert (place / "memory" / "%70rn.db").exists()


def test_single_keys_are_read_by_click(monkeypatch: pytest.MonkeyPatch) -> None:
    from lean_memory.cli import review_keys

    typed = iter("ay")
    monkeypatch.setattr(review_keys.sys, "platform", "win32")
    monkeypatch.setattr(review_keys.click, "getchar", lambda: next(typed))
    with review_keys.keys():
        assert review_keys.read_key() + review_keys.read_key() == "ay"


def test_the_types_are_those_of_windows_too() -> None:
    """The checker knows which names of the standard library each system has."""
    line = [sys.executable, "-m", "mypy", "--platform=win32", "--no-warn-unreachable", "--cache-dir=.mypy_cache/win32"]
    done = subprocess.run(line, cwd=WINDOWS.parents[2], env={**os.environ}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
