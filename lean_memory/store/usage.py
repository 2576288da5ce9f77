"""How often searches found what: noted beside the file, and taken in by maintenance.

A search must never wait, fail or write to the memory for it. So it appends one short line of item numbers to
`NAME.usage` beside the file, which a writer made; where there is none, or it can't be written, or it has grown
large, nothing is noted. A run of maintenance that writes anyway adds the lines up in the table `usage`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

from lean_memory.store.database import Database

__all__ = [
    "USAGE_SUFFIX",
    "begin_usage",
    "drop_folded",
    "empty_usage",
    "fold_usage",
    "logged_hits",
    "note_usage",
    "usage_path",
]

USAGE_SUFFIX: Final = ".usage"
_LARGEST: Final = 4 << 20  # bytes; a memory that is not maintained stops counting here
_FOLDED: Final = "usage_folded"


def usage_path(path: Path) -> Path:
    """The file beside a namespace's."""
    return path.with_suffix(USAGE_SUFFIX)


def begin_usage(path: Path) -> None:
    """Makes the file, for its owner's eyes only. Without it nothing is noted."""
    try:
        os.close(os.open(usage_path(path), os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError:
        return


def note_usage(path: Path, items: Iterable[int], *, at: int) -> None:
    """Appends one line; never raises. One write of an append-only file, so lines of many processes don't mix."""
    line = f"{at} {' '.join(map(str, items))}\n".encode()
    try:
        file = os.open(usage_path(path), os.O_WRONLY | os.O_APPEND)
    except OSError:
        return
    try:
        if os.fstat(file).st_size < _LARGEST:
            os.write(file, line)
    except OSError:
        pass
    finally:
        os.close(file)


def logged_hits(db: Database) -> Mapping[int, int]:
    """Item -> searches that found it, of the lines that no run has taken in yet. Inside a transaction."""
    data = _read(db.path)
    if not data or db.value(f"SELECT value FROM meta WHERE key = '{_FOLDED}'") == _digest(data):
        return {}
    return Counter(item for _, items in _lines(data) for item in items)


def fold_usage(db: Database) -> None:
    """Adds the lines up in the table. They stand until `drop_folded`, marked as counted, so that a run which is killed
    or rolled back counts none twice and loses none."""
    data = _read(db.path)
    if not data:
        return
    with db.joined():
        if db.value(f"SELECT value FROM meta WHERE key = '{_FOLDED}'") != _digest(data):
            for at, items in _lines(data):
                for item in items:
                    db.run(
                        "INSERT INTO usage (item, hits, last_used) SELECT ?1, 1, ?2 WHERE EXISTS"
                        " (SELECT 1 FROM facts WHERE row = ?1 >> 1 AND ?1 & 1"
                        " UNION ALL SELECT 1 FROM episodes WHERE row = ?1 >> 1 AND NOT ?1 & 1)"
                        " ON CONFLICT (item) DO UPDATE SET hits = hits + 1, last_used = max(last_used, ?2)",
                        (item, at),
                    )
            db.run(
                f"INSERT INTO meta (key, value) VALUES ('{_FOLDED}', ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (_digest(data),),
            )


def drop_folded(db: Database) -> None:
    """Empties the file, if its lines are counted."""
    data = _read(db.path)
    with db.reading():
        folded = bool(data) and db.value(f"SELECT value FROM meta WHERE key = '{_FOLDED}'") == _digest(data)
    if folded:
        empty_usage(db.path)


def empty_usage(path: Path) -> None:
    """Forgets the lines. Those that arrive just then may be lost: they are statistics."""
    try:
        os.truncate(usage_path(path), 0)
    except OSError:
        return


def _read(path: Path) -> bytes:
    try:
        return usage_path(path).read_bytes()
    except OSError:
        return b""


def _lines(data: bytes) -> Iterable[tuple[int, list[int]]]:
    for line in data.split(b"\n"):
        try:
            at, *items = map(int, line.split())
        except ValueError:  # blank, or cut by a full disk
            continue
        yield at, items


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
