"""Waiting for the disk is what it says on every system: on macOS it takes more than `fsync`."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from lean_memory.store import durable, open_store

_FULL = 51


class Mac:
    """Counts the ways in which the disk is waited for."""

    def __init__(self, *, can: bool) -> None:
        self.can = can
        self.asked: list[str] = []

    def fcntl(self, _: int, command: int, argument: int = 0) -> int:
        assert command == _FULL
        self.asked.append("full")
        if not self.can:
            raise OSError(errno.ENOTSUP, "Operation not supported")
        return argument

    def fsync(self, _: int) -> None:
        self.asked.append("fsync")


@pytest.fixture
def on_mac(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Mac]:
    def begin(*, can: bool) -> Mac:
        mac = Mac(can=can)
        monkeypatch.setattr(durable.sys, "platform", "darwin")
        monkeypatch.setattr(fcntl, "F_FULLFSYNC", _FULL, raising=False)
        monkeypatch.setattr(fcntl, "fcntl", mac.fcntl)
        monkeypatch.setattr(os, "fsync", mac.fsync)
        return mac

    return begin


def test_on_macos_the_disk_empties_its_own_memory(on_mac: Callable[..., Mac], tmp_path: Path) -> None:
    mac = on_mac(can=True)
    (tmp_path / "any").touch()
    durable.sync_file(tmp_path / "any")
    durable.sync_folder(tmp_path)
    assert mac.asked == ["full", "full"]


def test_a_file_system_that_can_not_is_waited_for_as_elsewhere(on_mac: Callable[..., Mac], tmp_path: Path) -> None:
    mac = on_mac(can=False)
    durable.sync_folder(tmp_path)
    assert mac.asked == ["full", "fsync"]


def test_sqlite_is_told_to_do_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[apsw.Connection] = []
    real = apsw.Connection

    def kept(*words: object, **more: object) -> apsw.Connection:
        made.append(real(*words, **more))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(apsw, "Connection", kept)
    store = open_store(tmp_path, "work", create=True, now=0)
    try:
        assert [connection.pragma("fullfsync") for connection in made] == [1]
    finally:
        store.close()
