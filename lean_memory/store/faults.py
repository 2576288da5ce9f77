"""SQLite's errors as this project's: what failed, and the command that mends it."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw
import orjson

from lean_memory.errors import StoreBusy, StoreCorrupt, StoreUnavailable
from lean_memory.store.files import namespace_of

__all__ = ["damaged", "explained", "mending", "restoring", "unreachable", "unsound"]

_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_REFUSED: Final = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))
_OF_VEC: Final = re.compile(  # sqlite-vec has no code of its own for what it can't read any more
    "could not|internal sqlite-vec|vec0|vectors blob|chunks iter|error (?:opening|preparing|inserting)", re.IGNORECASE
)
_LITTLE: Final = 64 << 10  # bytes of free space, with which SQLite's shared memory may not be had


@contextmanager
def explained(path: Path, changed: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Turns SQLite errors that a user can meet into StoreUnavailable or a subclass; faults of ours pass as they are.

    Args:
        changed: whether the tables are not those that our statements are for. Then it is not they that are wrong.
    """
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as err:
        raise StoreBusy(
            f"another process holds {path}", hint=f"try again, or see who holds it: lsof {_quoted(path)}"
        ) from err
    except (apsw.CorruptError, apsw.NotADBError) as err:
        raise damaged(path, str(err)) from err
    except apsw.FullError as err:
        raise _full(path) from err
    except (apsw.ReadOnlyError, apsw.PermissionsError) as err:
        raise _protected(path, str(err)) from err
    except apsw.CantOpenError as err:
        if not os.access(path.parent, os.W_OK) or not os.access(path, os.W_OK):
            raise _protected(path, str(err)) from err
        raise StoreUnavailable(
            f"{path} can't be opened: {err}", code="cannot_open", hint=f"see its owner: ls -l {_quoted(path)}"
        ) from err
    except apsw.IOError as err:
        if _has_no_room(path.parent):
            raise _full(path) from err
        raise _failing(path, str(err)) from err
    except apsw.SQLError as err:
        if _OF_VEC.search(str(err)) or changed():
            raise damaged(path, str(err)) from err
        raise
    except (UnicodeDecodeError, orjson.JSONDecodeError) as err:  # of what the file holds: what comes in is read before
        raise damaged(path, f"text in it can't be read: {err}") from err


def damaged(path: Path, why: str) -> StoreCorrupt:
    """The file is not, or no more, a database."""
    return StoreCorrupt(f"{path} is damaged or no SQLite database: {why}", hint=mending(path))


def unsound(path: Path, wrong: Sequence[str]) -> StoreCorrupt:
    """The file's parts don't agree: what a check found."""
    more = f" ({len(wrong)} findings)" if len(wrong) > 1 else ""
    return StoreCorrupt(f"{path} is damaged: {' '.join(wrong[0].split())}{more}", hint=mending(path))


def mending(path: Path) -> str:
    """What brings a damaged memory back."""
    name = shlex.quote(namespace_of(path.name) or "NS")
    return (
        f"put a backup in its place: {restoring(path)}; without one, see what can still be read:"
        f" lm-log --dump -n {name} | lm-store --restore -n {name}-2"
    )


def restoring(path: Path) -> str:
    """The command that puts a backup in the place of a memory's file."""
    return f"lm-maintain restore -n {shlex.quote(namespace_of(path.name) or 'NS')} BACKUP"


def unreachable(path: Path, err: OSError) -> StoreUnavailable:
    """The same for what the file system says before SQLite comes into play, or beside it."""
    why = err.strerror or str(err)
    if err.errno in _FULL:
        return _full(path)
    if err.errno in _REFUSED and (err.errno == errno.EROFS or os.path.exists(path)):
        return _protected(path, why)
    if err.errno == errno.EIO:
        return _failing(path, why)
    return StoreUnavailable(f"{path}: {why}", code="cannot_open", hint="choose a folder of yours with LM_DATA_ROOT")


def _full(path: Path) -> StoreUnavailable:
    return StoreUnavailable(
        f"no space left to write {path}",
        code="disk_full",
        hint=f"free some space: df -h {_quoted(path.parent)}; then send the same lines again: none is stored twice",
    )


def _protected(path: Path, why: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{path} or its folder can't be written: {why}",
        code="read_only",
        hint=f"chmod u+rw {_quoted(path)} and u+rwx on its folder, or copy it to a folder that can be written",
    )


def _failing(path: Path, why: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"reading or writing {path} failed: {why}",
        code="io",
        hint=f"see its disk: df -h {_quoted(path.parent)}; then try again, and: lm-maintain check",
    )


def _has_no_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:
        return False


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
