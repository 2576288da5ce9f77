"""A copy of a namespace's file that is sure to be whole, and the removal of one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import apsw

from lean_memory.errors import StoreBusy, StoreCorrupt, StoreUnavailable, UsageError
from lean_memory.store.database import Database
from lean_memory.store.durable import sync_file, sync_folder
from lean_memory.store.encryption import unlock
from lean_memory.store.faults import explained, unreachable
from lean_memory.store.files import REKEY_SUFFIX
from lean_memory.store.runs import holder_of
from lean_memory.store.usage import usage_path
from lean_memory.upkeep import Copy

__all__ = ["alone", "back_up", "copy_to", "free_of_runs", "new_part", "put_in_place", "remove", "remove_files"]

_SIDE_FILES = ("-wal", "-shm", "-journal")
_PAGES = 4096  # copied at a time, so that writers get their turn


def back_up(db: Database, target: Path) -> Copy:
    """Copies the file as it is now, whatever is written meanwhile, and verifies the copy before it gets its name.

    Raises:
        UsageError: `exists`, there is something at the target.
        StoreCorrupt: the copy is not whole.
        StoreUnavailable: it can't be written.
    """
    if target.exists():
        raise UsageError(f"{target} is there already", hint="choose another name, or move it aside", code="exists")
    part = new_part(target)
    try:
        facts, episodes = copy_to(db, part)
        put_in_place(part, target)
    except BaseException:
        for name in _with_side_files(part):
            name.unlink(missing_ok=True)
        raise
    return Copy(namespace=db.namespace, path=str(target), bytes=target.stat().st_size, facts=facts, episodes=episodes)


def new_part(target: Path) -> Path:
    """An empty file beside the target, for its owner alone, that `put_in_place` gives its name. Raises
    StoreUnavailable."""
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as err:
        raise unreachable(part, err) from err
    return part


def copy_to(db: Database, part: Path) -> tuple[int, int]:
    """Copies the database into the empty file, and verifies it; how many facts and episodes there are."""
    with explained(part):
        copy = apsw.Connection(str(part), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            unlock(copy, db.key)
            db.back_up_to(copy, _PAGES)
            copy.execute("PRAGMA journal_mode = DELETE")
            wrong = [line for (line,) in copy.execute("PRAGMA integrity_check") if line != "ok"]
            wrong += [str(row) for row in copy.execute("PRAGMA foreign_key_check")]
            if wrong:
                raise StoreCorrupt(f"the copy of {db.path} is not whole: {wrong[0]}", hint="see: lm-maintain check")
            counts = [
                int(next(iter(copy.execute(f"SELECT count(*) FROM {table}")))[0]) for table in ("facts", "episodes")
            ]
        finally:
            copy.close()
    return counts[0], counts[1]


def put_in_place(part: Path, target: Path) -> None:
    """Gives a whole file its name, for good."""
    try:
        sync_file(part)
        os.replace(part, target)
        sync_folder(target.parent)
    except OSError as err:
        raise unreachable(target, err) from err


def remove(db: Database) -> list[str]:
    """Removes the file with all that belongs to it, and closes its connection; the names of what it removed.

    Raises:
        StoreBusy: `lease`, a run of maintenance works on it; `busy`, another process has it open.
    """
    try:
        free_of_runs(db)
        alone(db)
    finally:
        db.close()
    return remove_files(db.path)


def free_of_runs(db: Database) -> None:
    """Raises StoreBusy, `lease`, if a run of maintenance works on it."""
    if (holder := holder_of(db)) is not None:
        raise StoreBusy(
            f"a run of maintenance works on {db.namespace} ({holder})",
            code="lease",
            hint="wait for its end, or end that process",
        )


def remove_files(path: Path) -> list[str]:
    """Removes a namespace's files, whoever has them open; the names of those there were."""
    removed = []
    for name in (*_with_side_files(path), path.with_name(path.name + REKEY_SUFFIX), usage_path(path)):
        try:
            name.unlink()
            removed.append(name.name)
        except FileNotFoundError:
            continue
        except OSError as err:
            raise unreachable(name, err) from err
    with suppress(OSError):
        sync_folder(path.parent)
    return removed


def alone(db: Database) -> None:
    """Leaving the write-ahead log takes that nobody else has the file open: what they write would be lost."""
    try:
        db.pragma("busy_timeout = 1000")
        db.pragma("journal_mode = DELETE")
    except StoreUnavailable as err:
        if err.code != "busy":
            raise
        raise StoreBusy(f"another process has {db.path} open", hint=f"end it first; see: lsof {db.path}") from err


def _with_side_files(path: Path) -> list[Path]:
    """The file itself last: a log without its file would be missed."""
    return [*(path.with_name(path.name + side) for side in _SIDE_FILES), path]
