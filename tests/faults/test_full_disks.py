"""A disk that is really full, a limit on the size of files: what `lm-store` answered for is there, and it goes on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import run
from tests.faults.memories import NAME, at

pytestmark = pytest.mark.slow

LINES = b"".join(
    json.dumps({"type": "episode", "text": f"Line {n}: " + "tea " * 110, "t_ref": "2026-03-01T00:00:00Z"}).encode()
    + b"\n"
    for n in range(160)
)


def stored(root: Path) -> list[str]:
    with at(root) as memory:
        assert memory.check(NAME) == []
        return [episode.text.split(":")[0] for episode in memory.episodes(NAME)]


def answered(output: bytes) -> int:
    receipts = [json.loads(line) for line in output.splitlines()]
    assert {receipt["status"] for receipt in receipts} <= {"stored"}
    return len(receipts)


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    store = f"lm-store -n {NAME} --no-embed"
    assert run(store, folder=tmp_path, stdin=LINES.splitlines(keepends=True)[0]).rc == 0
    ended = run(f"ulimit -f 900; {store}", folder=tmp_path, stdin=LINES)  # KiB, of the file and of its log
    [error] = map(json.loads, ended.stderr.splitlines())
    assert (ended.rc, error["code"]) == (5, "io")
    assert f"memory/{NAME}.db" in error["message"]
    there = stored(tmp_path / "memory")
    assert there == [f"Line {n}" for n in range(len(there))]
    assert answered(ended.stdout.replace(b"already_stored", b"stored")) <= len(there) < 160
    assert run(store, folder=tmp_path, stdin=LINES).rc == 0
    assert len(stored(tmp_path / "memory")) == 160


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """One MiB."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk can't be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_full(small_disk: Path) -> None:
    store = f"lm-store -n {NAME} --no-embed"
    ended = run(store, folder=small_disk, stdin=LINES)
    [error] = map(json.loads, ended.stderr.splitlines())
    assert (ended.rc, error["code"]) == (5, "disk_full")
    assert f"memory/{NAME}.db" in error["message"]
    assert "df -h memory" in error["hint"]
    there = stored(small_disk / "memory")
    assert there == [f"Line {n}" for n in range(len(there))]
    assert answered(ended.stdout) <= len(there) < 160
    for command in (f"lm-search -n {NAME} -k 1 tea", f"lm-log -n {NAME}", "lm-maintain check", "lm-maintain status"):
        assert run(command, folder=small_disk).rc == 0, command  # reading goes on
    subprocess.run(["mount", "-o", "remount,size=16m", str(small_disk)], check=True)
    assert run(store, folder=small_disk, stdin=LINES).rc == 0
    assert stored(small_disk / "memory") == [f"Line {n}" for n in range(160)]
