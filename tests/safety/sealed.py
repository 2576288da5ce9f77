"""Memories whose files are encrypted, for the tests that need them."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from lean_memory import Memory
from lean_memory.settings import Settings
from lean_memory.store.encryption import INSTALL, can_encrypt
from tests.commands import Ended, run

__all__ = ["PLAIN_ONLY", "SEALED", "command", "contents", "fresh_key", "in_plain_text", "opened"]

SEALED = pytest.mark.skipif(not can_encrypt(), reason=f"apsw without ciphers is installed; bin/test does: {INSTALL}")
PLAIN_ONLY = pytest.mark.skipif(can_encrypt(), reason="apsw with ciphers is installed")

NOW = "2026-03-10T12:00:00Z"


def fresh_key() -> str:
    """A passphrase that stands in no file of the project."""
    return secrets.token_urlsafe(24)


def opened(root: Path, key: str | None = None, **environ: str) -> Memory:
    """A memory with stub backends, as LM_ENCRYPT would have it."""
    told = {"LM_BACKENDS": "stub", "LM_NOW": NOW, "LM_DATA_ROOT": str(root), **environ}
    if key is not None:
        told["LM_ENCRYPT"] = key
    return Memory(settings=Settings.from_environ(told))


def command(line: str, folder: Path, stdin: bytes = b"", **environ: str) -> Ended:
    """A command line, also where another `apsw` is put before the installed one by PYTHONPATH."""
    return run(line, folder=folder, stdin=stdin, PYTHONPATH=os.environ.get("PYTHONPATH", ""), **environ)


def contents(*folders: Path) -> dict[str, bytes]:
    """Every file under the folders, but for SQLite's shared memory, which holds no text."""
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


def in_plain_text(path: Path, words: bytes) -> bool:
    """Whether the words stand in a file."""
    return words in path.read_bytes()
