"""Opening a namespace's file: where it is, who may read it, how it is locked, and that it is ours."""

from __future__ import annotations

import os
import shlex
import stat
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import apsw

from lean_memory.errors import BackendUnavailable, StoreCorrupt, StoreTooNew, StoreUnavailable
from lean_memory.keys import NEW, Key
from lean_memory.store.database import Database
from lean_memory.store.encryption import check_key, key_fits, looks_encrypted, need_encryption, unlock
from lean_memory.store.faults import explained, unreachable
from lean_memory.store.files import SUFFIX, file_name, namespace_of
from lean_memory.store.migrate import current_version, look_at_header, migrate
from lean_memory.store.sqlite import SqliteStore

__all__ = ["namespace_exists", "namespaces", "open_store", "rekey_namespace", "remove_namespace"]

BUSY_TIMEOUT: Final = 30.0
"""Seconds that a statement waits for another process's transaction."""

_LOG_KEPT: Final = 64 << 20  # bytes of write-ahead log that stay on disk after a large import
_NAMED: Final = 20


def open_store(
    root: Path,
    namespace: str,
    *,
    create: bool,
    write: bool = False,
    fast: bool = False,
    now: int,
    key: Key | None = None,
) -> SqliteStore:
    """Opens the namespace. Whoever opens an older file brings it to this version's schema.

    Args:
        root: the directory of all namespaces; made if `create`, readable by its owner only.
        create: make the file if there is none, and write to it.
        write: write to it; without `create` and `write`, the connection refuses to.
        fast: don't wait for the disk at each commit: a power cut may lose the last ones, not damage the file.
        now: the creation time of a new file.
        key: what the file is encrypted with, or is to be if it is new.

    Raises:
        StoreUnavailable: `no_namespace` if there is none and it is not to be created; `encrypted`, `not_encrypted` or
            `wrong_key`; or the file can't be used.
        StoreBusy, StoreCorrupt, StoreTooNew: see `errors`.
        BackendUnavailable: there is a key, and what is installed can't encrypt.
        UsageError: the namespace is empty.
    """
    path = root / file_name(namespace)
    while True:
        before = _which(path)
        try:
            store = _open_store(path, root, namespace, create=create, write=write, fast=fast, now=now, key=key)
        except StoreUnavailable:
            if _which(path) == before:
                raise
            continue  # another process put its own in the place, or began it under a salt of its own
        if before is None or before[:2] == (_which(path) or before)[:2]:
            return store
        store.close()


def _open_store(
    path: Path, root: Path, namespace: str, *, create: bool, write: bool, fast: bool, now: int, key: Key | None
) -> SqliteStore:
    if key is not None:
        need_encryption(f"{NEW} is set")
    _expect_file(path)
    if create:
        _make_private(path)
    elif not _has_content(path):
        raise _no_namespace(root, namespace, key)
    db = _connect(path, namespace, fast=fast, key=key)
    try:
        with db.reading():
            empty = current_version(db) == 0
        if empty and not create:
            raise _no_namespace(root, namespace, key)
        if create or write:
            _use_wal(db)
            from lean_memory.store.usage import begin_usage

            begin_usage(path)
        migrate(db, namespace=namespace, now=now)
        if not (create or write):
            db.pragma("query_only = 1")
    except BaseException as err:
        db.close(keep_log=isinstance(err, StoreTooNew))
        raise
    return SqliteStore(db)


def _expect_file(path: Path) -> None:
    """A link would have its log, and what is to be forgotten or removed, in another folder than where that is looked
    for; a pipe would be waited on for ever.

    Raises:
        StoreUnavailable: `not_a_file`.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # there is none, or whoever opens it is told
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        link = stat.S_ISLNK(mode)
        raise StoreUnavailable(
            f"{path} is {'a link' if link else 'no file'}, not a file of this folder",
            code="not_a_file",
            hint="put the file itself there; the whole folder may be a link" if link else "choose another name with -n",
        )


def _which(path: Path) -> tuple[int, int, bool] | None:
    """Which file has the name now, and whether there is anything in it. None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size > 0


def rekey_namespace(root: Path, namespace: str, *, old: Key | None, new: Key | None, now: int) -> bool:
    """Brings the namespace's file under the key `new`, or with None out of encryption; whether that took anything.

    Args:
        old: what it is encrypted with, if it is.

    Raises:
        StoreBusy: `lease` or `busy`, somebody works on it.
        StoreUnavailable: as `open_store`.
    """
    from lean_memory.store.rekey import change_key

    path = root / file_name(namespace)
    _expect_file(path)
    if not _has_content(path):
        raise _no_namespace(root, namespace, old)
    need_encryption("a key is to be changed")
    header = look_at_header(path)
    if looks_encrypted(header):
        with explained(path):
            if new is not None and key_fits(path, new):
                return False
            if old is None:
                check_key(path, header, new)
    elif new is None:
        return False
    else:
        old = None
    with closing(open_store(root, namespace, create=False, write=True, now=now, key=old)) as store:
        store.free_of_runs()
    change_key(path, old=old, new=new)
    return True


def remove_namespace(root: Path, namespace: str, *, now: int, key: Key | None = None) -> list[str]:
    """Removes the namespace with all its files; their names. One too damaged to be opened goes too.

    Raises:
        StoreBusy: `lease` or `busy`, somebody works on it.
        StoreUnavailable: `no_namespace`; or its files can't be removed.
    """
    try:
        store = open_store(root, namespace, create=False, write=True, now=now, key=key)
    except StoreCorrupt:
        from lean_memory.store.backup import remove_files

        return remove_files(root / file_name(namespace))
    return store.remove()


def namespace_exists(root: Path, namespace: str) -> bool:
    """Is there a file for the namespace? Opens nothing."""
    return _has_content(root / file_name(namespace))


def namespaces(root: Path, *, key: Key | None = None) -> list[str]:
    """The namespaces in `root`, sorted. A directory that is not there has none. Of those with long names, the ones
    that the key opens."""
    found: list[str] = []
    for path in sorted(root.glob(f"*{SUFFIX}")) if root.is_dir() else []:
        if path.is_symlink() or not path.is_file():
            continue
        name = namespace_of(path.name)
        if name == "":
            name = _recorded_name(path, key)
        if name is not None and _has_content(path):
            found.append(name)
    return sorted(found)


def _recorded_name(path: Path, key: Key | None) -> str | None:
    """A long namespace, from inside its file."""
    try:
        db = _connect(path, path.name, key=key)
        try:
            with db.reading():
                name: str | None = db.value("SELECT value FROM meta WHERE key = 'namespace'")
            return name
        finally:
            db.close()
    except (StoreUnavailable, BackendUnavailable, apsw.Error):
        return None


def _no_namespace(root: Path, namespace: str, key: Key | None) -> StoreUnavailable:
    found = namespaces(root, key=key)
    others = ", ".join(found[:_NAMED]) + (", .." if len(found) > _NAMED else "") or "none"
    return StoreUnavailable(
        f"there is no namespace {namespace!r} in {root}; there: {others}",
        code="no_namespace",
        hint=f"store something in it first: lm-store -n {shlex.quote(namespace)}",
    )


def _make_private(path: Path) -> None:
    """The directory and an empty file, for the owner's eyes only. SQLite gives its side files the same mode."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as err:
        raise unreachable(path, err) from err


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as err:
        raise unreachable(path, err) from err


def _connect(path: Path, namespace: str, *, fast: bool = False, key: Key | None = None) -> Database:
    try:
        header = look_at_header(path)
    except OSError as err:
        raise unreachable(path, err) from err
    with explained(path):
        check_key(path, header, key)
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        unlock(connection, key)
        connection.set_busy_timeout(int(BUSY_TIMEOUT * 1000))
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if fast else 'FULL'}")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT}")
        _load_vec(connection)
    return Database(connection, path, namespace, key)


def _load_vec(connection: apsw.Connection) -> None:
    # Its path without importing it, as that imports numpy: a tenth of a second.
    package = find_spec("sqlite_vec")
    folder = next(iter(package.submodule_search_locations or ()), "") if package else ""
    connection.enable_load_extension(True)
    try:
        connection.load_extension(str(Path(folder) / "vec0"))
    except apsw.ExtensionLoadingError as err:
        raise BackendUnavailable(
            f"sqlite-vec does not load: {err}", code="sqlite_vec", hint="pip install --force-reinstall sqlite-vec"
        ) from err
    connection.enable_load_extension(False)


def _use_wal(db: Database) -> None:
    """Changing the journal mode doesn't wait for other processes by itself."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            db.pragma("journal_mode = WAL")
            return
        except StoreUnavailable as err:
            if err.code != "busy" or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
