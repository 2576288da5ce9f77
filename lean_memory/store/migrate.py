"""Brings a file to the schema this code knows, one numbered step a transaction."""

from __future__ import annotations

import re
from contextlib import closing
from functools import cache
from pathlib import Path

import apsw

from lean_memory.errors import StoreTooNew, StoreUnavailable
from lean_memory.store.database import Database
from lean_memory.store.faults import damaged

__all__ = ["APPLICATION_ID", "current_version", "is_blank", "latest_version", "look_at_header", "migrate", "schema"]

APPLICATION_ID = 0x6C6D656D  # "lmem", at byte 68 of the file
_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # https://sqlite.org/fileformat.html#the_database_header


@cache
def _steps() -> tuple[str, ...]:
    """The scripts in order; the first leads to version 1."""
    folder = Path(__file__).with_name("migrations")  # not by importlib.resources, which imports much
    found = sorted((entry.name, entry) for entry in folder.iterdir() if re.fullmatch(r"\d{4}_\w+\.sql", entry.name))
    if [int(name[:4]) for name, _ in found] != list(range(1, len(found) + 1)):
        raise RuntimeError("the migrations in the package are not numbered 1, 2, 3..")
    return tuple(entry.read_text(encoding="utf-8") for _, entry in found)


def latest_version() -> int:
    """The schema version this code writes."""
    return len(_steps())


def schema() -> dict[str, str | None]:
    """Every table and index of this version by name, as SQLite notes it; those of the coarse vectors, which depend on a
    model, are not among them."""
    return _schema(_steps())


@cache
def _schema(steps: tuple[str, ...]) -> dict[str, str | None]:
    with closing(apsw.Connection(":memory:")) as db:
        for step in steps:
            db.execute(step)
        return dict(db.execute("SELECT name, sql FROM sqlite_schema"))


def look_at_header(path: Path) -> bytes:
    """Reads the first bytes before SQLite does, and gives them: it may write to a newer file as it closes it, and
    takes a file of a few bytes for an empty database.

    Raises:
        StoreTooNew: a newer version of this program wrote the file.
        StoreCorrupt: it is too short for a database.
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if 0 < len(header) < _HEADER:
        raise damaged(path, "too short for a database")
    if header.startswith(_MAGIC) and int.from_bytes(header[68:72], "big") == APPLICATION_ID:
        _compare(int.from_bytes(header[60:64], "big"), path)
    return header


def is_blank(path: Path) -> bool:
    """Whether the header is a database's, but doesn't say yet whose. Raises OSError."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    return header.startswith(_MAGIC) and header[60:64] == header[68:72] == bytes(4)


def migrate(db: Database, *, namespace: str, now: int) -> None:
    """Runs what steps are missing. The version is read again under the lock: another process may have been first.

    Raises:
        StoreTooNew: as in `look_at_header`; the newer version may still be in the write-ahead log.
        StoreUnavailable: a SQLite database, but another program's.
    """
    with db.reading():
        version = current_version(db)
    if version == latest_version():
        return
    # In a transaction this can't be changed, and a table that others refer to can't be made anew with it on.
    db.pragma("foreign_keys = OFF")
    try:
        while version < latest_version():
            version = _step(db, namespace, now)
    finally:
        db.pragma("foreign_keys = ON")


def _step(db: Database, namespace: str, now: int) -> int:
    """One step, and the version it leads to: whole, or not at all."""
    with db.writing():
        version = current_version(db)
        if version < latest_version():
            db.run(_steps()[version])
            if version == 0:
                db.run(f"PRAGMA application_id = {APPLICATION_ID}")
                db.run(
                    "INSERT INTO meta (key, value) VALUES ('namespace', ?), ('created_at', ?)", (namespace, str(now))
                )
            if broken := db.rows("PRAGMA foreign_key_check"):
                raise damaged(db.path, f"{broken[0][0]} refers to missing rows of {broken[0][2]}")
            version += 1
            db.run(f"PRAGMA user_version = {version}")
    return version


def current_version(db: Database) -> int:
    """0 for a file without tables. Inside a transaction. Raises as `migrate`."""
    version: int = db.value("PRAGMA user_version")
    application: int = db.value("PRAGMA application_id")
    if application == APPLICATION_ID:
        return _compare(version, db.path)
    if application or version or db.value("SELECT count(*) FROM sqlite_schema"):
        raise StoreUnavailable(
            f"{db.path} is a SQLite database of another program",
            code="not_a_store",
            hint="choose another namespace with -n, or another folder with LM_DATA_ROOT",
        )
    return 0


def _compare(version: int, path: Path) -> int:
    if version > latest_version():
        raise StoreTooNew(
            f"{path} has schema version {version}, this program knows {latest_version()}",
            hint="upgrade with: pip install -U lean-memory",
        )
    return version
