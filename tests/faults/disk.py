"""A disk that remembers what was written to it and in which order, loses what was not waited for when its power is cut,
and fails when it is told to.

SQLite reaches it as its VFS, above the real one, so the files are real and what SQLite does is what it does elsewhere.
A VFS of Python's has no shared memory: connections lock their file exclusively, and the index of the write-ahead log is
in their own memory. Reads, writes, waits for the disk and their order are the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import apsw
import pytest

from lean_memory.store import database

__all__ = ["FAILURES", "Disk", "Image", "Op", "disk_for_sqlite", "failure", "image_after_cut"]

SECTOR: Final = 512
"""Bytes that a disk writes whole or not at all."""

_BASE: Final = apsw.vfs_names()[0]
_NAME: Final = "remembering"

FAILURES: Final = {
    "read": apsw.SQLITE_IOERR_READ,
    "write": apsw.SQLITE_IOERR_WRITE,
    "sync": apsw.SQLITE_IOERR_FSYNC,
    "truncate": apsw.SQLITE_IOERR_TRUNCATE,
    "size": apsw.SQLITE_IOERR_FSTAT,
    "create": apsw.SQLITE_CANTOPEN,
    "open": apsw.SQLITE_CANTOPEN,
    "delete": apsw.SQLITE_IOERR_DELETE,
    "access": apsw.SQLITE_IOERR_ACCESS,
    "lock": apsw.SQLITE_IOERR_LOCK,
}
"""What can be asked of the disk, and SQLite's code for its failing."""


def failure(code: int) -> Exception:
    """What apsw raises where SQLite gives a code."""
    error = apsw.exception_for(code)
    error.args = ("database or disk is full" if code == apsw.SQLITE_FULL else "disk I/O error",)
    return error


class Op(NamedTuple):
    """Something that changes what is on the disk, or waits until it is there.

    A file that is made anew under the name of another is another: files are told apart by number, names are entries of
    the folder.
    """

    kind: str
    name: str
    file: int = 0
    offset: int = 0  # of a truncation, the new size
    data: bytes = b""


Image = dict[str, bytes]
"""The files of a folder."""


class Disk(apsw.VFS):
    """Every file below it. `fails` is asked before each call by kind and file name, and may raise or cut a write."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.files: dict[str, int] = {}  # by name
        self._made = 0
        self.fails: Callable[[str, str], None] | None = None
        super().__init__(_NAME, base=_BASE, makedefault=True)

    def asked(self, kind: str, name: str) -> None:
        if self.fails is not None:
            self.fails(kind, name)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        new = path is not None and not os.path.exists(path)
        if path is not None:
            self.asked("create" if new else "open", os.path.basename(path))
        return _File(self, name, path, flags, new)

    def xDelete(self, name: str, sync: bool) -> None:
        self.asked("delete", os.path.basename(name))
        super().xDelete(name, sync)
        self.ops.append(Op("delete", os.path.basename(name), self.files.pop(os.path.basename(name), 0)))
        if sync:
            self.ops.append(Op("folder", ""))

    def xAccess(self, name: str, flags: int) -> bool:
        self.asked("access", os.path.basename(name))
        return super().xAccess(name, flags)

    def sync_by_itself(self, path: Path | str, flags: int) -> None:
        """In place of the store's own waiting, which does not go through SQLite."""
        folder = os.path.isdir(path)
        if not folder and not os.path.exists(path):
            raise FileNotFoundError(path)
        name = os.path.basename(path)
        try:
            self.asked("sync", name)
        except apsw.IOError:
            raise OSError(5, "Input/output error") from None
        self.ops.append(Op("folder", "") if folder else Op("sync", name, self.files[name]))

    def number(self, name: str, *, new: bool) -> int:
        """Of the file that has the name now."""
        if new or name not in self.files:
            self._made += 1
            self.files[name] = self._made
        return self.files[name]


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, path: str | None, flags: list[int], new: bool) -> None:
        self._disk = disk
        self._name = os.path.basename(path) if path else ""
        self._entered = not new  # in the folder, for good
        super().__init__(_BASE, name, flags)
        self._number = disk.number(self._name, new=new)
        if new:
            self._remember("create")

    def _remember(self, kind: str, offset: int = 0, data: bytes = b"") -> None:
        if self._name:
            self._disk.ops.append(Op(kind, self._name, self._number, offset, data))

    def _asked(self, kind: str) -> None:
        if self._name:
            self._disk.asked(kind, self._name)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._asked("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        try:
            self._asked("write")
        except Exception:
            part = data[: len(data) // 2 // SECTOR * SECTOR]  # as much as was done when it failed
            if part:
                super().xWrite(part, offset)
                self._remember("write", offset, part)
            raise
        super().xWrite(data, offset)
        self._remember("write", offset, bytes(data))

    def xSync(self, flags: int) -> None:
        self._asked("sync")
        self._remember("sync")  # the real one would take time and nothing else
        if not self._entered:
            self._remember("folder")
            self._entered = True

    def xTruncate(self, size: int) -> None:
        self._asked("truncate")
        super().xTruncate(size)
        self._remember("truncate", size)

    def xFileSize(self) -> int:
        self._asked("size")
        return super().xFileSize()

    def xLock(self, level: int) -> None:
        self._asked("lock")
        super().xLock(level)


@contextmanager
def disk_for_sqlite(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """SQLite's files are on such a disk meanwhile."""
    disk = Disk()

    def hook(connection: apsw.Connection) -> None:
        connection.pragma("locking_mode", "exclusive")

    apsw.connection_hooks.append(hook)
    with monkeypatch.context() as patch:
        patch.setattr(database, "_sync_file", disk.sync_by_itself)
        patch.setattr(sys, "unraisablehook", _unraisable(sys.unraisablehook))
        try:
            yield disk
        finally:
            apsw.connection_hooks.remove(hook)
            disk.unregister()


def _unraisable(hook: Callable[[Any], object]) -> Callable[[Any], object]:
    """What fails as SQLite undoes or closes something has nobody to be told to."""
    return lambda told: None if isinstance(told.exc_value, apsw.Error) else hook(told)


# ---------------------------------------------------------------------------------------------------- power cuts


def image_after_cut(ops: Sequence[Op], first: Image, chance: Random | None, *, kept: float) -> Image:
    """What is in the folder when the power is cut after `ops`, which began with the files `first`.

    What was waited for is there. Of the rest each sector, each truncation and each entry in the folder is there with
    the chance `kept`, whatever came before or after it.
    """
    numbers = {op.name: op.file for op in reversed(ops) if op.kind not in ("create", "folder")}
    durable = {numbers.get(name, -1): bytearray(data) for name, data in first.items()}
    entries = {name: numbers.get(name, -1) for name in first}
    waiting: list[Op] = []
    for op in ops:
        if op.kind == "sync":
            for one in waiting:
                if one.file == op.file and one.kind in ("write", "truncate"):
                    _change(durable, one)
            waiting = [one for one in waiting if one.file != op.file or one.kind in ("create", "delete")]
        elif op.kind == "folder":
            for one in waiting:
                if one.kind in ("create", "delete"):
                    _enter(entries, one)
            waiting = [one for one in waiting if one.kind not in ("create", "delete")]
        else:
            waiting.append(op)

    def happened() -> bool:
        return kept == 1 or (kept > 0 and chance is not None and chance.random() < kept)

    for op in waiting:
        if op.kind == "write":
            for part in _sectors(op):
                if happened():
                    _change(durable, part)
        elif happened():
            if op.kind == "truncate":
                _change(durable, op)
            else:
                _enter(entries, op)
    return {name: bytes(durable.get(file, b"")) for name, file in entries.items()}


def _sectors(op: Op) -> Iterator[Op]:
    begin, stop = op.offset, op.offset + len(op.data)
    while begin < stop:
        end = min((begin // SECTOR + 1) * SECTOR, stop)
        yield op._replace(offset=begin, data=op.data[begin - op.offset : end - op.offset])
        begin = end


def _change(files: dict[int, bytearray], op: Op) -> None:
    content = files.setdefault(op.file, bytearray())
    content.extend(bytes(max(0, op.offset - len(content))))
    if op.kind == "truncate":
        del content[op.offset :]
    else:
        content[op.offset : op.offset + len(op.data)] = op.data


def _enter(entries: dict[str, int], op: Op) -> None:
    if op.kind == "create":
        entries[op.name] = op.file
    elif entries.get(op.name) == op.file:
        del entries[op.name]
