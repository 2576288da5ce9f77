"""Another key for a namespace's file, or its first, or none: by a copy that takes the file's place when it is sure.

Theory of operation. The file is brought out of write-ahead logging, which takes that nobody else has it open, and
locked. SQLite writes a copy under the new key beside it; that is opened anew, checked and compared, and renamed over
the file. So a kill at any point leaves one whole file, under the old key or the new one. Another process may have
opened the old file and wait for its lock: it finds only zeros in it, sees that the name stands for another file, and
opens that (`connect.open_store`); it can't write into what is no longer there.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import apsw

from lean_memory.errors import StoreBusy, StoreCorrupt
from lean_memory.keys import Key
from lean_memory.store.durable import flush, sync_file, sync_folder
from lean_memory.store.encryption import need_encryption, target, unlock
from lean_memory.store.faults import explained, unreachable
from lean_memory.store.files import REKEY_SUFFIX
from lean_memory.store.ledger import TABLES

__all__ = ["change_key"]

_PATIENCE: Final = 1000
"""Milliseconds that the file's other users have to let go of it."""
_BLOCK: Final = 1 << 20


def change_key(path: Path, *, old: Key | None, new: Key | None) -> None:
    """Puts a copy under `new` (None: a plain one) in the place of the file, which `old` opens.

    Raises:
        StoreBusy: another process has it open.
        StoreCorrupt: the copy is not what the file is.
        StoreUnavailable: it can't be written.
        BackendUnavailable: what is installed can't encrypt.
    """
    need_encryption("a key is to be changed")
    path = path.absolute()  # else a name could begin with `file:`
    part = path.with_name(path.name + REKEY_SUFFIX)
    with ExitStack() as stack:
        try:
            part.unlink(missing_ok=True)
            stack.callback(lambda: part.unlink(missing_ok=True))
            os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            # Before the connection, as closing it would let go of the connection's locks: it is closed after that.
            file = stack.enter_context(path.open("r+b", buffering=0)) if os.name == "posix" else None
        except OSError as err:
            raise unreachable(part, err) from err
        source = stack.enter_context(closing(_alone(path, old)))
        with explained(part):
            source.execute("VACUUM INTO ?", (target(part, new),)).fetchall()
            _compare(source, part, new)
        try:
            sync_file(part)
            if file is None:  # what is open can't be renamed over
                source.close()
            os.replace(part, path)
            sync_folder(path.parent)
            if file is not None:
                _blank(file.fileno())
        except OSError as err:
            raise unreachable(path, err) from err


def _alone(path: Path, key: Key | None) -> apsw.Connection:
    """A connection that holds the file for itself. Leaves no side file."""
    with explained(path), ExitStack() as stack:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI)
        stack.callback(connection.close)
        unlock(connection, key)
        connection.set_busy_timeout(_PATIENCE)
        try:
            connection.pragma("journal_mode", "delete")
            connection.pragma("locking_mode", "exclusive")
            connection.execute("BEGIN EXCLUSIVE; COMMIT").fetchall()
            if connection.pragma("journal_mode") != "delete":
                raise apsw.BusyError("BusyError: it was opened meanwhile")
        except (apsw.BusyError, apsw.LockedError) as err:
            raise StoreBusy(f"another process has {path} open", hint=f"end it first; see: lsof {path}") from err
        stack.pop_all()
        return connection


def _compare(source: apsw.Connection, part: Path, key: Key | None) -> None:
    """The copy by itself, and against the file."""
    with closing(apsw.Connection(str(part), flags=apsw.SQLITE_OPEN_READWRITE)) as copy:
        unlock(copy, key)
        wrong = [line for (line,) in copy.execute("PRAGMA integrity_check") if line != "ok"]
        for asked in ("PRAGMA application_id", "PRAGMA user_version", *map("SELECT count(*) FROM {}".format, TABLES)):
            if (there := source.execute(asked).fetchall()) != (here := copy.execute(asked).fetchall()):
                wrong.append(f"{asked} gives {here[0][0]}, not {there[0][0]}")
    if wrong:
        raise StoreCorrupt(f"the copy {part} is not whole: {wrong[0]}", hint="see: lm-maintain check")


def _blank(file: int) -> None:
    """Zeros over all of the old file, which has no name any more: nothing of it stays readable, nor is written to."""
    left = os.fstat(file).st_size
    os.lseek(file, 0, os.SEEK_SET)
    while left > 0:
        left -= os.write(file, bytes(min(left, _BLOCK)))
    flush(file)
