"""The write-ahead log stays small: also while somebody always reads, and while a reader never ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import apsw
import pytest

from lean_memory.store import checkpoint
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import a_write

PAGE = 4096
LONG = 400


@pytest.fixture(autouse=True)
def _soon_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "_OFTEN", 100)
    monkeypatch.setattr(checkpoint, "LONG", LONG)
    monkeypatch.setattr(checkpoint, "_PATIENCE", 0.5)


def log_pages(root: Path) -> int:
    return (root / "work.db-wal").stat().st_size // PAGE


def write(store: SqliteStore, number: int) -> None:
    assert store.commit([a_write(f"line {number} {'word ' * 500}")]) == ["stored"]


def test_readers_that_overlap_without_a_gap_don_t_keep_it(root: Path, opened: Callable[..., SqliteStore]) -> None:
    writer, over, failures = opened(), threading.Event(), []
    write(writer, -1)

    def read() -> None:
        """There is no moment in which nobody reads."""
        try:
            stores = [opened(create=False), opened(create=False)]
            with ExitStack() as held:
                held.enter_context(stores[0].snapshot())
                stores[0].counts()
                while not over.is_set():
                    stores.reverse()
                    with ExitStack() as before:
                        before.push(held.pop_all())
                        held.enter_context(stores[0].snapshot())
                        stores[0].counts()
        except BaseException as failure:
            failures.append(failure)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(400):
            write(writer, number)
    finally:
        over.set()
        reader.join()
    assert failures == []
    assert writer.counts()["episodes"] == 401
    assert log_pages(root) < 4 * LONG
    assert writer.check() == []


def test_a_reader_that_never_ends_keeps_nobody_waiting_for_long(
    root: Path, opened: Callable[..., SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "_PATIENCE", 0.01)
    waits, wait = [], checkpoint.Checkpoints._wait

    def counted(*given: Any) -> None:
        waits.append(given)
        wait(*given)

    monkeypatch.setattr(checkpoint.Checkpoints, "_wait", counted)
    writer, reader = opened(), opened()
    write(writer, -1)
    with reader.snapshot():
        assert reader.counts()["episodes"] == 1
        for number in range(300):
            write(writer, number)
        grown = log_pages(root)
        assert grown > 2 * LONG
        assert 1 <= len(waits) <= grown // LONG  # once for each time it has grown as much again
        assert reader.counts()["episodes"] == 1
    for number in range(300, 400):
        write(writer, number)
    assert log_pages(root) < grown + LONG
    assert writer.check() == []


def test_a_backup_is_of_one_moment_and_ends_however_much_is_written_meanwhile(
    root: Path, opened: Callable[..., SqliteStore], tmp_path: Path
) -> None:
    store, other = opened(), opened()
    for number in range(20):
        write(store, number)

    class Copy:
        """A copy whose every step finds that another process has just written."""

        def __init__(self) -> None:
            self.connection, self.steps = apsw.Connection(str(tmp_path / "copy.db")), 0

        def backup(self, *given: Any) -> Copy:
            self.inner = self.connection.backup(*given)
            return self

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def step(self, pages: int) -> None:
            assert self.steps < 1000, "it begins anew for ever"
            write(other, 100 + self.steps)
            self.steps += 1
            self.inner.step(pages)

    copy = Copy()
    store._db.back_up_to(copy, 10)  # type: ignore[arg-type]
    texts = [text for (text,) in copy.connection.execute("SELECT text FROM episodes ORDER BY row")]
    copy.connection.close()
    assert [text.split(" word")[0] for text in texts] == [f"line {number}" for number in range(20)]
