"""Transaction time, which never goes back: a clock may."""

from __future__ import annotations

from lean_memory.store.database import Database

__all__ = ["no_earlier"]


def no_earlier(db: Database, at: int) -> int:
    """The time to record something at, by a clock that says `at`: not before what is recorded already, so that what
    was believed at a time stays what was believed then. Inside a write."""
    last = db.value(
        "SELECT max(ifnull((SELECT recorded_at FROM episodes ORDER BY row DESC LIMIT 1), :at),"
        " ifnull((SELECT max(at) FROM changes), :at), :at)",
        {"at": at},
    )
    return int(last)
