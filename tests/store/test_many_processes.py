"""Several processes at one file: nothing is lost, nothing is stored twice, nobody is told that it is locked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from lean_memory.claims import View
from lean_memory.store import open_store
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import a_fact, a_write, slot_of

pytestmark = pytest.mark.slow

WRITER = Path(__file__).with_name("writer.py")
ALL = View(now=10**9)


def start(root: Path, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(WRITER), str(root), *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, text=True,
        cwd=WRITER.parents[2], env={**os.environ, "PYTHONPATH": str(WRITER.parents[2])},
    )  # fmt: skip


@pytest.mark.parametrize("reopen", ["once", "each"])
def test_eight_processes_begin_one_namespace_at_once(
    root: Path, opened: Callable[..., SqliteStore], reopen: str
) -> None:
    """Half of each one's lines are its own, half are the same for all; each also adds to one shared slot."""
    writers = [start(root, f"w{n}", 15, reopen) for n in range(8)]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    outcomes = [writer.communicate(timeout=120) for writer in writers]
    assert [(writer.returncode, errors) for writer, (_, errors) in zip(writers, outcomes, strict=True)] == [(0, "")] * 8

    receipts = [line.split(" ", 1) for output, _ in outcomes for line in output.splitlines()]
    own = [f"w{n} line {i}" for n in range(8) for i in range(15)]
    shared = [f"shared line {i}" for i in range(15)]
    assert sorted(text for status, text in receipts if status == "stored") == sorted(own + shared)
    assert sorted(text for status, text in receipts if status == "already_stored") == sorted(shared * 7)

    store = opened(create=False)
    assert sorted(hit.text for hit in store.visible(View(now=10**9, kind="episode"))) == sorted(own + shared)
    state = store.slots(["Anna/likes/tea"])["Anna/likes/tea"]
    assert state.revision == len(state.claims) == 135
    assert store.embedder() is not None
    assert store.count_unembedded() == 0
    assert store.check() == []


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_killed_writer_leaves_every_line_it_answered_for(root: Path, opened: Callable[..., SqliteStore]) -> None:
    receipted: list[str] = []
    for attempt in range(4):
        writer = start(root, f"kill{attempt}", 10_000, "once")
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
        assert writer.stdout.readline() == "ready\n"
        for _ in range(3 + 7 * attempt):
            receipted.append(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate(timeout=30)
        receipted += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
        assert writer.returncode == -signal.SIGKILL

        store = opened(create=False)
        texts = {hit.text for hit in store.visible(View(now=10**9, kind="episode"))}
        assert {line.split(" ", 1)[1].rstrip("\n") for line in receipted} <= texts
        assert store.check() == []
        store.close()
    assert opened().commit([a_write("life goes on")]) == ["stored"]


def test_threads_share_a_store(store: SqliteStore) -> None:
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for i in range(20):
                fact = a_fact(name, object=str(i))
                assert store.commit([a_write(f"{name} {i}", fact)]) == ["stored"]
                assert store.slots([slot_of(fact)])[slot_of(fact)].revision == 1
                assert store.sparse([str(i)], ALL, 100)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.counts()["episodes"] == 120
    assert store.check() == []


def test_a_listing_may_be_read_while_storing_goes_on(root: Path) -> None:
    store = open_store(root, "work", create=True, fast=True, now=0)
    store.commit([a_write(f"line {i}", said=i) for i in range(600)])
    seen = []
    for hit in store.visible(View(now=10**9)):
        seen.append(hit.text)
        if len(seen) % 100 == 0:
            store.commit([a_write(f"while reading {len(seen)}", said=1000)])
    assert seen == [f"line {i}" for i in range(600)]
    assert len(list(store.episodes())) == 606
    store.close()
