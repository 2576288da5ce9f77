"""Waiting for the disk where SQLite does not: for files that we copy, and for their names."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["flush", "sync_file", "sync_folder"]


def flush(file: int) -> None:
    """Waits until what was written to the descriptor is on the disk. Raises OSError.

    On macOS `fsync` waits until the disk has been told, and the disk may keep it in a memory of its own.
    """
    if sys.platform == "darwin":
        from fcntl import F_FULLFSYNC, fcntl

        with suppress(OSError):  # some file systems can't
            fcntl(file, F_FULLFSYNC)
            return
    os.fsync(file)


def sync_file(path: Path) -> None:
    """Waits until what is in the file is on the disk. Raises OSError."""
    _sync(path, os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Waits until the names in the folder are on the disk, where that can be done. Raises OSError."""
    if os.name == "posix":
        with suppress(PermissionError):  # it may be another's
            _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    file = os.open(path, flags)
    try:
        flush(file)
    finally:
        os.close(file)
