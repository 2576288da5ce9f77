"""The ledger of runs, and the lease that keeps two from working on one namespace."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Final

import orjson

from lean_memory.errors import StoreBusy
from lean_memory.store.database import Database
from lean_memory.store.usage import fold_usage
from lean_memory.upkeep import Run

__all__ = ["acquire", "beat", "begin_run", "end_run", "holder_of", "me", "release", "runs", "still_mine", "unfinished"]

PATIENCE: Final = 120_000
"""Milliseconds without a heartbeat after which a holder counts as dead. One on this machine whose process is gone
counts as dead at once."""

_NAME: Final = "maintenance"

_held: Final[set[str]] = set()
"""The leases that this process holds, or begins to: another under its number is one that it could not let go of, or of
a process that had the number before."""


def me() -> str:
    """This process as a holder: machine, process number, and the time to tell apart processes of one number."""
    return f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"


def acquire(db: Database, holder: str) -> None:
    """Takes the lease, also from a dead holder.

    Raises:
        StoreBusy: `lease`, another run holds it.
    """
    _held.add(holder)
    with db.joined():
        held = db.row("SELECT holder, heartbeat_at FROM leases WHERE name = ?", (_NAME,))
        if held is not None and held[0] != holder and _alive(*held):
            raise StoreBusy(
                f"another run of maintenance works on {db.namespace} ({_shown(held[0])})",
                code="lease",
                hint=f"wait for its end; one that died is taken over within {PATIENCE // 60_000} minutes",
            )
        db.run(
            "INSERT INTO leases (name, holder, acquired_at, heartbeat_at) VALUES (?1, ?2, ?3, ?3) ON CONFLICT (name)"
            " DO UPDATE SET holder = ?2, acquired_at = ?3, heartbeat_at = ?3",
            (_NAME, holder, _wall()),
        )


def beat(db: Database, holder: str) -> None:
    """Says that the holder lives."""
    with db.joined():
        db.run("UPDATE leases SET heartbeat_at = ? WHERE name = ? AND holder = ?", (_wall(), _NAME, holder))


def still_mine(db: Database, holder: str) -> None:
    """To be asked in every transaction of a run. Raises StoreBusy, `lease`, where another run took over."""
    if db.value("SELECT holder FROM leases WHERE name = ?", (_NAME,)) != holder:
        raise StoreBusy(
            f"another run of maintenance took over {db.namespace}", code="lease", hint="run it again when that is done"
        )


def release(db: Database, holder: str) -> None:
    """Lets go of the lease, also if that can't be written."""
    _held.discard(holder)
    with db.joined():
        db.run("DELETE FROM leases WHERE name = ? AND holder = ?", (_NAME, holder))


def holder_of(db: Database) -> str | None:
    """Which process holds the lease, in words; None if none does that lives."""
    with db.reading():
        held = db.row("SELECT holder, heartbeat_at FROM leases WHERE name = ?", (_NAME,))
    return _shown(held[0]) if held is not None and _alive(*held) else None


def _alive(holder: str, heartbeat_at: int) -> bool:
    host, _, rest = holder.rpartition(":")[0].rpartition(":")
    if _wall() - heartbeat_at > PATIENCE:
        return False
    if host != socket.gethostname() or not rest.isdigit():
        return True
    if int(rest) == os.getpid():
        return holder in _held
    if os.name != "posix":
        return True
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _shown(holder: str) -> str:
    host, _, process = holder.rpartition(":")[0].rpartition(":")
    return f"process {process} on {host}"


def _wall() -> int:
    """The real clock: LM_NOW must not make a dead run look alive."""
    return time.time_ns() // 1_000_000


# ------------------------------------------------------------------------------------------------------ ledger


def begin_run(db: Database, id: str, *, trigger: str, config: str, at: int) -> None:
    """A new entry, and the end of those that never ended."""
    with db.joined():
        db.run("UPDATE runs SET status = 'abandoned', ended_at = ? WHERE status = 'running'", (at,))
        db.run(
            "INSERT INTO runs (id, trigger, config, status, counts, started_at) VALUES (?, ?, ?, 'running', '{}', ?)",
            (id, trigger, config, at),
        )


def end_run(db: Database, id: str, *, at: int, counts: Mapping[str, int]) -> Mapping[str, int]:
    """Closes the entry, with what it did in all, also before it was killed and begun again."""
    with db.joined():
        fold_usage(db)
        row = db.value("SELECT row FROM runs WHERE id = ?", (id,))
        done = dict(db.rows("SELECT action, count(*) FROM changes WHERE run = ? GROUP BY action", (row,)))
        whole = {
            **counts,
            "retired": done.get("retired", 0),
            "evicted": done.get("demoted", 0),
            "proposed": db.value("SELECT count(*) FROM proposals WHERE run = ?", (row,)),
        }
        db.run(
            "UPDATE runs SET status = 'done', ended_at = ?, counts = ?,"
            " cursor = (SELECT ifnull(max(row), 0) FROM changes) WHERE row = ?",
            (at, orjson.dumps(whole, option=orjson.OPT_SORT_KEYS).decode(), row),
        )
    return whole


def unfinished(db: Database, config: str) -> tuple[str, int] | None:
    """A run of the same configuration that was cut: its id and when it began."""
    with db.reading():
        found: tuple[str, int] | None = db.row(
            "SELECT id, started_at FROM runs WHERE status = 'running' AND config = ? ORDER BY row DESC LIMIT 1",
            (config,),
        )
    return found


def runs(db: Database, limit: int) -> Sequence[tuple[int, Run]]:
    """The last runs, newest first, each with its cursor."""
    with db.reading():
        rows = db.rows(
            "SELECT cursor, id, trigger, status, config, started_at, ended_at, counts FROM runs"
            " ORDER BY row DESC LIMIT ?",
            (limit,),
        )
    return [
        (cursor, Run(id=id, trigger=trigger, status=status, config=config, started_at=started, ended_at=ended,
                         counts=orjson.loads(counts)))
        for cursor, id, trigger, status, config, started, ended, counts in rows
    ]  # fmt: skip
