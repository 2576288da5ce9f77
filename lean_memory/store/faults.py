"""SQLite's errors as this project's: what failed, and the command that mends it."""

from __future__ import annotations

import errno
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from lean_memory.errors import StoreBusy, StoreCorrupt, StoreUnavailable

__all__ = ["damaged", "explained", "unreachable"]


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns SQLite errors that a user can meet into StoreUnavailable or a subclass; faults of ours pass as they are."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as err:
        raise StoreBusy(
            f"another process holds {path}", hint=f"try again, or see who holds it: lsof {_quoted(path)}"
        ) from err
    except (apsw.CorruptError, apsw.NotADBError) as err:
        raise damaged(path, str(err)) from err
    except apsw.FullError as err:
        raise StoreUnavailable(
            f"no space left to write {path}", code="disk_full", hint=f"free some space: df -h {_quoted(path.parent)}"
        ) from err
    except (apsw.ReadOnlyError, apsw.PermissionsError) as err:
        raise StoreUnavailable(
            f"{path} can't be written: {err}",
            code="read_only",
            hint=f"chmod u+rw {_quoted(path)}, or copy it to a folder that can be written",
        ) from err
    except apsw.CantOpenError as err:
        raise StoreUnavailable(
            f"{path} can't be opened: {err}", code="cannot_open", hint=f"see its owner: ls -l {_quoted(path)}"
        ) from err
    except apsw.IOError as err:
        raise StoreUnavailable(
            f"reading or writing {path} failed: {err}", code="io", hint=f"see its disk: df -h {_quoted(path.parent)}"
        ) from err


def damaged(path: Path, why: str) -> StoreCorrupt:
    """The file is not, or no more, a database."""
    return StoreCorrupt(
        f"{path} is damaged or no SQLite database: {why}",
        hint=f"move it aside: mv {_quoted(path)} {_quoted(path)}.bad, and restore a copy or store again",
    )


def unreachable(path: Path, err: OSError) -> StoreUnavailable:
    """The same for what the file system says before SQLite comes into play."""
    full = err.errno in (errno.ENOSPC, errno.EDQUOT)
    return StoreUnavailable(
        f"{path}: {err.strerror or err}",
        code="disk_full" if full else "cannot_open",
        hint=f"free some space: df -h {_quoted(path.parent)}" if full else "choose a folder of yours with LM_DATA_ROOT",
    )


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
