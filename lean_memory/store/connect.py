"""Opening a namespace's file: where it is, who may read it, how it is locked, and that it is ours."""

from __future__ import annotations

import os
import shlex
import stat
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw

from lean_memory.errors import BackendUnavailable, StoreCorrupt, StoreTooNew, StoreUnavailable, UsageError
from lean_memory.keys import NEW, Key
from lean_memory.store.database import Database
from lean_memory.store.durable import sync_folder
from lean_memory.store.encryption import check_key, key_fits, looks_encrypted, need_encryption, unlock
from lean_memory.store.faults import explained, unreachable
from lean_memory.store.files import SUFFIX, file_name, namespace_of
from lean_memory.store.logs import expect_log, expect_own_log, has_log
from lean_memory.store.migrate import current_version, is_blank, look_at_header, migrate
from lean_memory.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from lean_memory.upkeep import Copy

__all__ = [
    "namespace_exists",
    "namespaces",
    "open_store",
    "rekey_namespace",
    "remove_namespace",
    "restore_namespace",
]

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
    expect_log(path)
    if create:
        _make_private(path)
    elif not _has_content(path):
        raise _no_namespace(root, namespace, key)
    doubtful = key is None and has_log(path)  # another file's would not be readable with this one's key
    db = _connect(path, namespace, fast=fast, key=key)
    try:
        with db.reading():
            empty = current_version(db) == 0
            if doubtful and not empty:
                expect_own_log(db)
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
        db.close(keep_log=isinstance(err, (StoreTooNew, StoreCorrupt)))
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


def restore_namespace(
    root: Path, namespace: str, backup: Path, *, now: int, key: Key | None = None
) -> tuple[Copy, Path | None]:
    """Puts a verified copy of a backup in the place of the namespace's file; what was there, damaged or not, is kept at
    the path given back.

    Raises:
        UsageError: there is no such backup.
        StoreBusy: `lease` or `busy`, somebody works on what is there.
        StoreCorrupt: the backup is damaged. Nothing is changed.
        StoreUnavailable: the backup is none of this program; or the place can't be written.
    """
    from lean_memory.store.put_back import damaged_backup, put_back

    if not _has_content(backup):
        raise UsageError(f"there is no backup {backup}", hint="make one with: lm-maintain backup", code="no_backup")
    path = root / file_name(namespace)
    try:
        source = _connect(backup, namespace, key=key)
    except StoreCorrupt as err:
        raise damaged_backup(backup, err.message) from err
    with closing(source):
        try:
            with source.reading():
                blank = current_version(source) == 0
        except StoreCorrupt as err:
            raise damaged_backup(backup, err.message) from err
        if blank:
            raise UsageError(f"there is nothing in {backup}", code="no_backup")
        try:
            _make_folder(root)
        except OSError as err:
            raise unreachable(path, err) from err
        return put_back(source, path, lambda place: _connect(place, namespace, key=key), now=now)


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
        if name is not None and _has_content(path) and not _hardly_begun(path, key):
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


def _hardly_begun(path: Path, key: Key | None) -> bool:
    """Whether it is a database without tables, as a process leaves it that fails before its first line is stored."""
    try:
        if not is_blank(path):
            return False
        with closing(_connect(path, path.name, key=key)) as db, db.reading():
            return current_version(db) == 0
    except (OSError, StoreUnavailable, BackendUnavailable):
        return False  # for whoever opens it to be told


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
        _make_folder(path.parent)
        new = not path.exists()
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if new:
            sync_folder(path.parent)
    except OSError as err:
        raise unreachable(path, err) from err


def _make_folder(folder: Path) -> None:
    """And those it is in; their names are waited for, as a receipt is worth no more than the way to it."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for one in missing:
        sync_folder(one.parent)


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
        try:
            unlock(connection, key)
            connection.set_busy_timeout(int(BUSY_TIMEOUT * 1000))
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA synchronous = {'NORMAL' if fast else 'FULL'}")
            connection.execute("PRAGMA fullfsync = ON")  # see `durable.flush`
            connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT}")
            _load_vec(connection)
        except BaseException:
            connection.close(True)  # it would hold the file as long as somebody looks at the error
            raise
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
