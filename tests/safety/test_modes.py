"""What a memory is written to can be read by its owner alone, whatever the umask."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.commands import run
from tests.safety.sealed import opened

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def modes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.slow
@pytest.mark.parametrize("umask", ["000", "077"])
def test_files_and_folder_of_every_command(umask: str, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    ended = run(
        f"umask {umask}; echo I work at Larkfield Books. | lm-extract | lm-store -n work; lm-search -n work books;"
        f" lm-maintain --apply; lm-maintain backup -n work copy; lm-embed -n work --reindex;"
        " lm-log -n work --dump | lm-store -n again --restore; lm-maintain forget -n again --text books --yes",
        folder=tmp_path, LM_DATA_ROOT="deep/memory",
    )  # fmt: skip
    assert (ended.rc, ended.stderr) == (0, b"")
    found = modes(tmp_path)
    assert found.pop("deep")
    assert found["deep/memory"] == "0o700"
    assert found["copy"] == "0o600"
    files = {name: mode for name, mode in found.items() if name != "deep/memory"}
    assert len(files) >= 5
    assert set(files.values()) == {"0o600"}, files


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_side_files_while_it_is_open(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        with opened(tmp_path / "memory") as memory:
            memory.add("work", "I work at Larkfield Books.")
            found = modes(tmp_path)
    finally:
        os.umask(before)
    assert {"memory/work.db", "memory/work.db-wal", "memory/work.db-shm", "memory/work.usage"} <= set(found)
    assert found.pop("memory") == "0o700"
    assert set(found.values()) == {"0o600"}


def test_what_an_agent_s_server_and_the_console_write(tmp_path: Path) -> None:
    ended = run(
        "umask 0; lean-memory-mcp < /dev/null; (lm-review serve --token-file token & echo $! > pid) | head -1;"
        " kill $(cat pid)",
        folder=tmp_path,
    )  # fmt: skip
    assert b"http://127.0.0.1" in ended.stdout
    assert modes(tmp_path)["token"] == "0o600"
    from lean_memory.mcp_server.session import Activity
    from lean_memory.mcp_server.trace import Trace

    before = os.umask(0)
    try:
        Trace(tmp_path / "memory")(Activity(at=0, tool="memory_add", namespace="work", ms=1, outcome="done"))
    finally:
        os.umask(before)
    assert modes(tmp_path / "memory") == {"agents.ndjson": "0o600"}
    assert stat.S_IMODE((tmp_path / "memory").stat().st_mode) == 0o700


def test_a_folder_that_is_there_keeps_its_mode_and_files_are_private_in_it(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir(mode=0o755)
    (tmp_path / "memory").chmod(0o755)
    run("umask 0; echo I like tea. | lm-extract | lm-store -n work", folder=tmp_path)
    assert stat.S_IMODE((tmp_path / "memory").stat().st_mode) == 0o755
    assert modes(tmp_path / "memory")["work.db"] == "0o600"
