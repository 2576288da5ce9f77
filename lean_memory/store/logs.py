"""Whether the write-ahead log beside a file is the file's own.

SQLite takes whatever lies there under the right name for it. After a kill the last lines are in the log alone, so a log
that was lost, or that belongs to another file, as when a copy was put in the place of the file, must not pass unseen.
"""

from __future__ import annotations

import os
import shlex
import time
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw

from lean_memory.errors import StoreCorrupt
from lean_memory.store.database import Database
from lean_memory.store.faults import restoring

__all__ = ["expect_log", "expect_own_log", "has_log"]

_ATTEMPTS: Final = 4  # as other processes may open and close the file meanwhile
_PAUSE: Final = 0.02

_IDENTITY: Final = "SELECT key, value FROM meta WHERE key IN ('namespace', 'created_at') {} ORDER BY key"
_HOLDS_SOMETHING: Final = "AND EXISTS (SELECT 1 FROM episodes)"  # else a dump may just be making it another


def has_log(path: Path) -> bool:
    """Is there something in the log?"""
    return _size(_beside(path, "-wal")) > 0


def expect_log(path: Path) -> None:
    """Before the file is opened. SQLite writes to the file before it makes a log; so where there is a log alone, it
    was the file that was lost, and SQLite would throw the log away. It makes the log before its index and removes it
    after it; so where the index is there alone, somebody took the log away.

    Raises:
        StoreCorrupt: `file_missing` or `log_missing`.
    """
    if has_log(path) and _size(path) <= 0 and has_log(path):
        log = _beside(path, "-wal")
        raise StoreCorrupt(
            f"{path} is {'empty' if path.exists() else 'gone'}, though its log {log.name} is there",
            code="file_missing",
            hint=f"put it back, or a backup in its place: {restoring(path)}; or begin anew: mv {_quoted(log)}"
            f" {_quoted(log)}.old",
        )
    index = _beside(path, "-shm")
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE * attempt)
        if _size(index) <= 0 or _size(_beside(path, "-wal")) >= 0:
            return
    raise StoreCorrupt(
        f"{path} was in use when its log {path.name}-wal was taken away: what was stored last may be in there alone",
        code="log_missing",
        hint=f"put {path.name}-wal back beside it; if it is lost, go on with the rest: rm {_quoted(index)}, and see:"
        " lm-maintain check",
    )


def expect_own_log(db: Database) -> None:
    """After the file was opened with something in the log; inside a transaction.

    Raises:
        StoreCorrupt: `foreign_log`. To be closed without merging the log.
    """
    there = db.rows(_IDENTITY.format(""))
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE * attempt)
        alone = _identity_without_log(db.path)
        if not alone or alone == there:
            return
    log = _beside(db.path, "-wal")
    raise StoreCorrupt(
        f"the log {log} belongs to another file than {db.path}",
        code="foreign_log",
        hint=f"move it aside: mv {_quoted(log)} {_quoted(log)}.other && rm -f {_quoted(_beside(db.path, '-shm'))};"
        " then see: lm-maintain check",
    )


def _identity_without_log(path: Path) -> list[tuple[str, str]]:
    """Which memory the file by itself is; empty if it doesn't say, as while the log is moved into it."""
    address = f"file:{quote(os.fsencode(path.absolute()))}?immutable=1"
    try:
        with closing(apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)) as connection:
            return [(str(name), str(value)) for name, value in connection.execute(_IDENTITY.format(_HOLDS_SOMETHING))]
    except apsw.Error:
        return []


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    """-1 if it is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
