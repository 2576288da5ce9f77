"""Killed anywhere, a run leaves a sound file, and the next one ends where an uninterrupted one would have.

Each point is a statement of the run, before which its process kills itself with SIGKILL: no handler, no clean-up, no
rollback of its own. KILLS says at how many random ones (`just kills` takes 200).
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from lean_memory.claims import View
from lean_memory.errors import StoreBusy
from lean_memory.store import runs
from tests.commands import run as command
from tests.maintain.material import at, said

KILLS = int(os.environ.get("KILLS", "20"))
NIGHT = 700

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough for several batches of each kind, and searches that were noted."""
    root = tmp_path_factory.mktemp("filled")
    with at(root, 3) as memory:
        words = [f"{a}{b}{c}" for a in "bdfgkl" for b in "aeiou" for c in "mnrst"]
        memory.store("ns", [said(n / 100, "user", "likes", word) for n, word in enumerate(words[:40])], embed=False)
        memory.store(
            "ns", [said(1 + n / 100, "user", "enjoys", word) for n, word in enumerate(words[:40])], embed=False
        )
        memory.store("ns", [said(n / 100, "user", "bought", word, salience=1) for n, word in enumerate(words[:60])])
        memory.store("ns", [said(n / 100, "Anna", "bought", word, salience=3) for n, word in enumerate(words[:40])])
        memory.store("ns", [said(n / 100, "Anna", f"saw_{n}", word, salience=2) for n, word in enumerate(words[60:99])])
        for query in ("user", "Anna", words[3]):
            memory.search("ns", query, view=View(now=memory.now(), kind="fact"))
    return root


@pytest.fixture
def root(filled: Path, tmp_path: Path) -> Path:
    shutil.copytree(filled, tmp_path / "root")
    return tmp_path / "root"


def maintain(root: Path, prepare: Callable[[], object] = lambda: None) -> int:
    """Runs maintenance in a process of its own; how that ended, as `os.waitpid` tells."""
    child = os.fork()
    if child == 0:
        try:
            prepare()
            with at(root, NIGHT) as memory:
                memory.maintain("ns", apply=True)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1]


def counting(at_statement: int | None, told: int | None = None) -> None:
    """Counts the statements of every connection to come. Kills at one, or tells their number to a pipe."""
    count = 0

    def trace(cursor: object, sql: str, values: object) -> bool:
        nonlocal count
        count += 1
        if count == at_statement:
            os.kill(os.getpid(), signal.SIGKILL)
        if told is not None and sql.startswith("COMMIT"):
            os.write(told, b"%d\n" % count)
        return True

    apsw.connection_hooks.append(lambda connection: connection.set_exec_trace(trace))


def statements(root: Path) -> int:
    reading, writing = os.pipe()
    assert maintain(root, lambda: counting(None, writing)) == 0
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        return int(pipe.read().split()[-1])


def rows(root: Path) -> list[object]:
    with at(root, NIGHT) as memory:
        assert memory.check("ns") == []
        return list(memory.dump("ns"))


@pytest.mark.slow
def test_killed_anywhere_and_run_again_it_ends_the_same(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "whole")
    last = statements(tmp_path / "whole")
    expected = rows(tmp_path / "whole")
    assert last > 300
    points = random.Random(7).sample(range(1, last), min(KILLS, last - 1))
    for point in points:
        trial = tmp_path / "trial"
        shutil.copytree(root, trial)
        assert os.WTERMSIG(maintain(trial, lambda point=point: counting(point))) == signal.SIGKILL
        rows(trial)  # sound as it is
        with at(trial, NIGHT) as memory:
            memory.maintain("ns", apply=True)
            assert memory.maintain("ns", apply=True).status == "nothing"
        assert rows(trial) == expected, f"killed at statement {point}"
        shutil.rmtree(trial)


# ----------------------------------------------------------------------------------------------------------- lease


@pytest.fixture
def holder(root: Path) -> Iterator[int]:
    """A process that holds the lease and does nothing more."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with at(root, NIGHT) as memory:
            store = memory._open("ns", write=True)
            store.acquire(store.me())
            os.write(writing, b"held")
            time.sleep(60)
        os._exit(0)
    os.read(reading, 4)
    yield child
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_one_run_at_a_time_and_no_clearing_meanwhile(root: Path, holder: int) -> None:
    with at(root, NIGHT) as memory:
        for attempt in (lambda: memory.maintain("ns", apply=True), lambda: memory.clear("ns"),
                        lambda: memory.forget("ns", text="Anna")):  # fmt: skip
            with pytest.raises(StoreBusy, match=f"process {holder} on") as refused:
                attempt()
            assert refused.value.code == "lease"
        assert memory.maintenance_status("ns").holder is not None
        assert memory.maintain("ns").status == "done"  # a dry run needs no lease


def test_a_dead_run_is_taken_over_at_once(root: Path) -> None:
    def die_with_the_lease() -> None:
        counting(None)
        apsw.connection_hooks[-1] = lambda connection: connection.set_exec_trace(fatal)

    def fatal(cursor: object, sql: str, values: object) -> bool:
        if sql.startswith("INSERT INTO proposals"):
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    assert os.WTERMSIG(maintain(root, die_with_the_lease)) == signal.SIGKILL
    with at(root, NIGHT) as memory:
        assert memory.maintenance_status("ns").runs[0].status == "running"
        report = memory.maintain("ns", apply=True)
        assert report.counts["retired"] == 40  # of the whole run, also what was done before it died
        assert [run.status for run in memory.maintenance_status("ns").runs] == ["done"]
        assert memory.maintenance_status("ns").holder is None


@pytest.mark.parametrize(("age", "taken"), [(0, False), (runs.PATIENCE - 5_000, False), (runs.PATIENCE + 1, True)])
def test_a_run_on_another_machine_is_dead_when_its_heart_stops(root: Path, age: int, taken: bool) -> None:
    beat = time.time_ns() // 1_000_000 - age
    with at(root, NIGHT) as memory:
        store = memory._open("ns", write=True)
        store._db._connection.execute(  # type: ignore[attr-defined]
            "INSERT INTO leases VALUES ('maintenance', 'elsewhere:1:1', ?1, ?1)", (beat,)
        )
        if taken:
            assert memory.maintain("ns", apply=True).status == "done"
        else:
            with pytest.raises(StoreBusy, match="process 1 on elsewhere"):
                memory.maintain("ns", apply=True)


def test_a_run_that_lost_its_lease_stops(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(root, NIGHT) as memory:
        store = memory._open("ns", write=True)
        retire = type(store).retire

        def robbed(self: object, *args: object, **how: object) -> int:
            done = retire(self, *args, **how)  # type: ignore[arg-type]
            self._db.run("UPDATE leases SET holder = 'elsewhere:1:1'")  # type: ignore[attr-defined]
            return done

        monkeypatch.setattr(type(store), "retire", robbed)
        with pytest.raises(StoreBusy, match="took over"):
            memory.maintain("ns", apply=True)
        assert memory.check("ns") == []


def test_its_heart_beats_while_it_works(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lean_memory import maintenance
    from lean_memory.store.sqlite import SqliteStore

    monkeypatch.setattr(maintenance, "_BEAT", 0.05)
    stage = SqliteStore.stage
    beats = []

    def slow(self: SqliteStore, *args: object, **how: object) -> int:
        beats.append(self._db.value("SELECT heartbeat_at FROM leases"))
        return stage(self, *args, **how)  # type: ignore[arg-type]

    evict = SqliteStore.evict

    def waiting(self: SqliteStore, *args: object, **how: object) -> int:
        beats.append(self._db.value("SELECT heartbeat_at FROM leases"))
        return evict(self, *args, **how)  # type: ignore[arg-type]

    transaction = SqliteStore.transaction
    monkeypatch.setattr(SqliteStore, "evict", waiting)
    monkeypatch.setattr(SqliteStore, "stage", slow)
    monkeypatch.setattr(SqliteStore, "transaction", lambda self: (time.sleep(0.3), transaction(self))[1])
    with at(root, NIGHT) as memory:
        memory.maintain("ns", apply=True)
    assert beats[0] < beats[-1]


def test_a_killed_command_holds_nobody_up(root: Path) -> None:
    """As a shell sees it: the process is gone, the next command works."""
    root.rename(root.parent / "memory")
    ended = command(
        "lm-maintain -n ns --apply --now 2025-10-14 >/dev/null & sleep 0.7; kill -9 $! 2>/dev/null; wait $!;"
        " lm-maintain check -n ns && lm-maintain -n ns --apply --now 2025-10-14 >/dev/null && lm-maintain check -n ns",
        folder=root.parent,
    )
    assert (ended.rc, ended.stdout.count(b'"sound":true')) == (0, 2), ended.stderr
