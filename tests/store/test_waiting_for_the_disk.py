"""A receipt promises that a line is on the disk; lines that arrive together are waited for together."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lean_memory import Memory
from lean_memory.records import Note, episode_of
from lean_memory.store import database, open_store
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import a_write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path, "work", create=True, now=0)
    yield opened
    opened.close()


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were waited for beside SQLite's own waiting."""
    names: list[str] = []
    real: Callable[[Path | str, int], None] = database._sync_file
    monkeypatch.setattr(
        database, "_sync_file", lambda path, flags: (names.append(os.path.basename(path)), real(path, flags))
    )
    return names


def waits(store: SqliteStore) -> bool:
    """Does SQLite wait for the disk at each commit?"""
    return bool(store._db.pragma("synchronous") == 2)


def test_commits_together_are_waited_for_once(store: SqliteStore, synced: list[str], tmp_path: Path) -> None:
    with store.together():
        store.commit([a_write(f"line {i}") for i in range(10)])
        assert not waits(store)
        assert synced == []
    assert synced == ["work.db-wal", tmp_path.name]
    assert waits(store)
    with store.together():
        store.commit([a_write("another")])
    assert synced[2:] == ["work.db-wal"]


def test_they_are_waited_for_when_one_fails(store: SqliteStore, synced: list[str]) -> None:
    def fail() -> None:
        with store.together():
            store.commit([a_write("line")])
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert synced[0] == "work.db-wal"
    assert waits(store)


def test_another_thread_waits_for_its_own(store: SqliteStore, synced: list[str]) -> None:
    with store.together():
        store.commit([a_write("mine")])
        other = threading.Thread(target=store.commit, args=([a_write("its own")],))
        other.start()
        other.join()
        assert synced[0] == "work.db-wal"


def test_who_does_not_wait_at_all_does_not_here(tmp_path: Path, synced: list[str]) -> None:
    store = open_store(tmp_path, "work", create=True, fast=True, now=0)
    with store.together():
        store.commit([a_write("line")])
    assert synced == []
    store.close()


def test_a_batch_of_lines_is_one_wait(tmp_path: Path, synced: list[str]) -> None:
    episodes = [episode_of(Note(text=f"line {i}", t_ref=0), []) for i in range(20)]
    with Memory(tmp_path) as memory:
        assert {receipt.status for receipt in memory.store("work", episodes, embed=False)} == {"stored"}
        assert synced == ["work.db-wal", tmp_path.name]
        assert {receipt.status for receipt in memory.store("work", episodes, embed=False)} == {"already_stored"}
