"""A backup in the place of a namespace's file, whatever has become of that.

What was there is moved aside with its log, not removed: it may hold what the backup does not. A kill at any point
leaves the old file, or the new one, or the old one moved aside and no other; then it is to be done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from lean_memory.errors import StoreBusy, StoreCorrupt, StoreUnavailable
from lean_memory.store.backup import alone, copy_to, free_of_runs, new_part, put_in_place
from lean_memory.store.check import check
from lean_memory.store.database import Database
from lean_memory.store.durable import sync_folder
from lean_memory.store.faults import unreachable, unsound
from lean_memory.store.logs import expect_log
from lean_memory.store.migrate import migrate
from lean_memory.upkeep import Copy

__all__ = ["damaged_backup", "put_back"]

_ASIDE = ".before-restore"
_FILES = ("", "-wal", "-journal")


def put_back(
    source: Database, path: Path, connect: Callable[[Path], Database], *, now: int
) -> tuple[Copy, Path | None]:
    """Puts a verified copy of the backup `source` at `path`; what was there, if anything, is at the path given back.

    Raises:
        StoreBusy: `lease` or `busy`, somebody works on what is there.
        StoreCorrupt: the backup is damaged. Nothing is changed.
        StoreUnavailable: it can't be written.
    """
    part = new_part(path)
    try:
        try:
            facts, episodes = copy_to(source, part)
            with closing(connect(part)) as copy:
                migrate(copy, namespace=source.namespace, now=now)
                with copy.writing():
                    copy.run("UPDATE meta SET value = ? WHERE key = 'namespace'", (source.namespace,))
                if wrong := check(copy):
                    raise unsound(part, wrong)
        except StoreCorrupt as err:
            raise damaged_backup(source.path, err.message.replace(str(part), "its copy")) from err
        _stand_free(path, connect)
        aside = _move_aside(path)
        put_in_place(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    done = Copy(
        namespace=source.namespace, path=str(path), bytes=path.stat().st_size, facts=facts, episodes=episodes
    )  # fmt: skip
    return done, aside


def damaged_backup(path: Path, why: str) -> StoreCorrupt:
    """It is not put in any place."""
    return StoreCorrupt(f"the backup {path} can't be used, and nothing was changed: {why}", hint="try an older backup")


def _stand_free(path: Path, connect: Callable[[Path], Database]) -> None:
    """Raises StoreBusy if a run of maintenance or another process works on what is there, so far as it can be told."""
    try:
        expect_log(path)
        if not path.exists() or not path.stat().st_size:
            return
        with closing(connect(path)) as db:
            free_of_runs(db)
            alone(db)
    except StoreBusy:
        raise
    except StoreUnavailable:  # that is why it is replaced
        return


def _move_aside(path: Path) -> Path | None:
    """Gives the file and its log another name, by which SQLite could open them; None if there is neither."""
    there = [name for name in _FILES if path.with_name(path.name + name).exists()]
    aside, number = path.with_name(path.name + _ASIDE), 1
    while any(aside.with_name(aside.name + name).exists() for name in _FILES):
        number += 1
        aside = path.with_name(f"{path.name}{_ASIDE}-{number}")
    try:
        for name in there:
            os.rename(path.with_name(path.name + name), aside.with_name(aside.name + name))
        path.with_name(path.name + "-shm").unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as err:
        raise unreachable(path, err) from err
    return aside if there else None
