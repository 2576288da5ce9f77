"""One connection and its transactions. The rest of the package takes a `Database` and runs SQL on it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import apsw

from lean_memory.keys import Key
from lean_memory.store.checkpoint import Checkpoints
from lean_memory.store.durable import flush
from lean_memory.store.faults import explained, unreachable

__all__ = ["Database", "Values"]

Values: TypeAlias = Sequence[Any] | Mapping[str, Any]


_FULL = 2  # of PRAGMA synchronous


class Database:
    """Serialises its threads, so that one connection can serve them all."""

    def __init__(self, connection: apsw.Connection, path: Path, namespace: str, key: Key | None = None) -> None:
        self.path = path
        self.key = key
        self.namespace = namespace
        self._connection = connection
        self._checkpoints = Checkpoints(connection)
        self._lock = threading.RLock()
        self._depth = 0
        self._writes = False
        self._together = 0  # blocks of `together` that run
        self._relaxed = False  # commits don't wait for the disk meanwhile
        self._filed = False
        self._inside = threading.local()  # of this thread's blocks, how many

    def close(self, *, keep_log: bool = False) -> None:
        """`keep_log`: leave the write-ahead log as it is, when it isn't ours to merge."""
        with self._lock, explained(self.path):
            if keep_log:
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One snapshot for all the reads inside. Nests in itself and in `writing`."""
        with self._lock:
            if self._depth:
                yield
                return
            with explained(self.path, self._changed), self._transaction("BEGIN"):
                yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, written whole or, if the body raises, not at all. Holds the write lock from the start,
        so that what is read inside can't change before the commit."""
        with self._lock:
            if self._depth:
                raise RuntimeError("a write can't begin inside another transaction")
            with explained(self.path, self._changed), self._transaction("BEGIN IMMEDIATE"):
                self._writes = True
                yield

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commits inside don't wait for the disk one by one: all are durable when the block ends, however it ends.

        In SQLite's write-ahead log a commit that was not waited for may be lost by a power cut, never half there. What
        other threads commit meanwhile they wait for themselves.
        """
        with self._lock:
            if self._depth:
                raise RuntimeError("commits can't be put together inside a transaction")
            if not self._together and self.pragma("synchronous") == _FULL:
                self.pragma("synchronous = NORMAL")
                self._relaxed = True
            self._together += 1
        self._inside.count = getattr(self._inside, "count", 0) + 1
        try:
            yield
        finally:
            self._inside.count -= 1
            with self._lock:
                self._together -= 1
                if self._relaxed:
                    if not self._together:
                        self.pragma("synchronous = FULL")
                        self._relaxed = False
                    self._sync()

    def _sync(self) -> None:
        """Waits until all that was committed is on the disk: it is in the log, or was moved from there, which waits."""
        try:
            _sync_file(f"{self.path}-wal", os.O_RDWR)
            if os.name == "posix" and not self._filed:
                _sync_file(self.path.parent, os.O_RDONLY)  # that the log is in the folder: as long as we have it open
                self._filed = True
        except FileNotFoundError:
            pass
        except OSError as err:
            raise unreachable(self.path, err) from err

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Part of the transaction that `writing` began, else one of its own."""
        with self._lock:
            if self._writes:
                yield
                return
            with self.writing():
                yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._connection.execute(begin)
        self._depth = 1
        try:
            yield
            self._connection.execute("COMMIT")
            if self._writes:
                self._checkpoints.after_commit(self._connection)
            if self._writes and self._relaxed and not getattr(self._inside, "count", 0):
                self._sync()
        except BaseException:
            if self._connection.in_transaction:  # a full disk may have rolled it back already
                self._connection.execute("ROLLBACK")
            raise
        finally:
            self._depth = 0
            self._writes = False

    def _changed(self) -> bool:
        """Whether the file's tables are not as the migrations make them."""
        from lean_memory.store.migrate import schema

        try:
            there = dict(self._connection.execute("SELECT name, sql FROM sqlite_schema"))
        except apsw.Error:
            return True
        return any(there.get(name) != sql for name, sql in schema().items())

    def rows(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """All rows. Inside `reading` or `writing`."""
        return self._connection.execute(sql, values).fetchall()

    def each(self, sql: str, values: Values = ()) -> Iterator[tuple[Any, ...]]:
        """The rows one by one, where all of them would be many. Inside `reading` or `writing`, to its end."""
        yield from self._connection.execute(sql, values)

    def row(self, sql: str, values: Values = ()) -> tuple[Any, ...] | None:
        """The first row, or None."""
        rows = self._connection.execute(sql, values).fetchall()
        return rows[0] if rows else None

    def value(self, sql: str, values: Values = ()) -> Any:
        """The first column of the first row, or None."""
        row = self.row(sql, values)
        return None if row is None else row[0]

    def named(self, sql: str) -> list[dict[str, Any]]:
        """All rows as column name -> value."""
        cursor = self._connection.execute(sql)
        return [dict(zip((column for column, *_ in cursor.get_description()), row, strict=True)) for row in cursor]

    def pragma(self, sql: str) -> Any:
        """Sets or reads what can't be in a transaction."""
        with self._lock, explained(self.path):
            return self.value(f"PRAGMA {sql}")

    def compact(self) -> None:
        """Rewrites the file without what was deleted, and empties the write-ahead log.

        Raises:
            StoreBusy: another process reads the file.
        """
        with self._lock, explained(self.path):
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.execute("VACUUM")
            if self.value("PRAGMA wal_checkpoint(TRUNCATE)"):
                raise apsw.BusyError("BusyError: the write-ahead log is in use")

    def back_up_to(self, copy: apsw.Connection, pages: int) -> None:
        """Copies the whole database, as it is when this begins, into another connection's, some pages at a time. What
        others write meanwhile doesn't make it begin anew."""
        with self.reading():
            self.value("SELECT count(*) FROM sqlite_schema")  # a transaction sees what is there at its first read
            backup = copy.backup("main", self._connection, "main")
            try:
                while not backup.done:
                    backup.step(pages)
            except apsw.Error:
                backup.close(True)  # `with` would hide why
                raise
            backup.finish()

    def run(self, sql: str, values: Values = ()) -> None:
        """A statement, or several without values, for what they do."""
        self._connection.execute(sql, values)

    def insert(self, sql: str, values: Values) -> int:
        """The new row's number."""
        self._connection.execute(sql, values)
        return self._connection.last_insert_rowid()


def _sync_file(path: Path | str, flags: int) -> None:
    file = os.open(path, flags)
    try:
        flush(file)
    finally:
        os.close(file)
