"""The write-ahead log is moved into the file as it grows, so that it stays small whoever reads meanwhile.

Theory of operation. SQLite's own checkpoint after a commit never waits. It can begin the log anew only when nobody
reads at that moment; where reads overlap without a gap, that moment never comes, and the log grows for ever. So each
time that the log has grown by `LONG`, the process whose commit made it so waits: it holds off writers, lets the readers
of older states end, and those that begin meanwhile read the file alone. If a reader doesn't end in time, it is left in
peace until the log has grown as much again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import apsw

__all__ = ["LONG", "Checkpoints"]

_OFTEN: Final = 1000  # pages, from which SQLite's own would be made after a commit

LONG: Final = 4096
"""Pages (of 4 KiB) of growth after which a checkpoint waits for readers."""

_PATIENCE: Final = 2.0
"""Seconds that it waits for them. Writers wait as long, so it is less than they do."""


class Checkpoints:
    """Of one connection: is told of each commit, and then makes what checkpoint is due."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._pages = 0
        connection.set_wal_hook(self._committed)  # in place of SQLite's own

    def _committed(self, connection: apsw.Connection, name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    def after_commit(self, connection: apsw.Connection) -> None:
        """Never raises: what was committed stands, and a later commit tries again."""
        pages, self._pages = self._pages, 0
        with suppress(apsw.Error):
            own, _ = connection.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE, True)
            if pages // LONG > max(0, pages - own) // LONG:
                self._wait(connection)
            elif pages >= _OFTEN:
                connection.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _wait(self, connection: apsw.Connection) -> None:
        usual = connection.pragma("busy_timeout")
        connection.set_busy_timeout(int(_PATIENCE * 1000))
        try:
            connection.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_RESTART)
        finally:
            connection.set_busy_timeout(usual)
