"""Encryption at rest, by SQLite3 Multiple Ciphers: where it is installed, and a key is given.

Theory of operation. Every page of the file, of its write-ahead log and of its journal is encrypted and authenticated
(ChaCha20-Poly1305, a key derived by PBKDF2 from the secret and from a salt in the file). Temporary tables stay in
memory. An encrypted file is told from a plain or a damaged one by its header, and a key is tried on the first page,
without a lock or a look at the log, before SQLite opens the file for work: with a wrong key it would take the log of a
process that died for an empty one.
"""

from __future__ import annotations

import os
import shlex
import time
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw

from lean_memory.errors import BackendUnavailable, StoreUnavailable
from lean_memory.keys import NEW, OLD, Key

__all__ = ["INSTALL", "can_encrypt", "check_key", "key_fits", "looks_encrypted", "need_encryption", "target", "unlock"]

INSTALL: Final = "pip install --force-reinstall --no-deps apsw-sqlite3mc"
"""Both packages put a module `apsw` in the same place; the one that was installed last is there."""

_MAGIC: Final = b"SQLite format 3\0"
_CIPHER: Final = "chacha20"
_ITERATIONS: Final = 64007
_ATTEMPTS: Final = 5
"""Of reading the first page: another process may write it just then."""


def can_encrypt() -> bool:
    """Whether the `apsw` that is there is the one with ciphers."""
    return bool(getattr(apsw, "mc_version", None))


def need_encryption(why: str) -> None:
    """Raises BackendUnavailable, `no_encryption`, where this can't be done."""
    if not can_encrypt():
        raise BackendUnavailable(
            f"{why}, but the SQLite that is installed can't encrypt", code="no_encryption", hint=f"install: {INSTALL}"
        )


def looks_encrypted(header: bytes) -> bool:
    """Whether the first bytes are those of an encrypted file: all is noise but page size, versions and fractions
    (bytes 16 to 23), by which SQLite reads it at all."""
    return len(header) >= 24 and not header.startswith(_MAGIC) and header[21:24] == b"\x40\x20\x20"


def check_key(path: Path, header: bytes, key: Key | None) -> None:
    """Whether a file and what is known of its key go together. Empty files go with any.

    Raises:
        StoreUnavailable: `encrypted`, it needs a key; `not_encrypted`, it has none; `wrong_key`.
    """
    if key is None:
        if looks_encrypted(header):
            raise StoreUnavailable(
                f"{path} is encrypted", code="encrypted", hint=f"set {NEW} to its key: a passphrase, or @KEYFILE"
            )
        return
    if header.startswith(_MAGIC):
        raise StoreUnavailable(
            f"{path} is not encrypted, though {NEW} is set",
            code="not_encrypted",
            hint=f"encrypt it: lm-maintain rekey; or leave it as it is: unset {NEW}",
        )
    if looks_encrypted(header) and not key_fits(path, key):
        raise StoreUnavailable(
            f"{path} can't be read with the key of {key.origin}: it is another's, or the file is damaged",
            code="wrong_key",
            hint=f"set {NEW} to the key that {shlex.quote(path.name)} was encrypted with;"
            f" after a change of keys: {OLD}=THE_OLD_KEY lm-maintain rekey",
        )


def key_fits(path: Path, key: Key) -> bool:
    """Whether the first page of an encrypted file can be read with the key. Takes no lock and changes nothing."""
    for attempt in range(_ATTEMPTS):
        time.sleep(0.02 * attempt)
        with closing(
            apsw.Connection(
                f"file:{quote(os.fsencode(path.absolute()))}?immutable=1",
                flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
            )
        ) as connection:
            unlock(connection, key)
            try:
                connection.execute("PRAGMA application_id").fetchall()
            except (apsw.NotADBError, apsw.IOError):
                continue
            except apsw.CorruptError:
                pass  # it was read, and is damaged, or being written
            return True
    return False


def unlock(connection: apsw.Connection, key: Key | None) -> None:
    """To be done first on every connection."""
    if key is None:
        return
    for pragma in (
        f"cipher = '{_CIPHER}'",
        f"kdf_iter = {_ITERATIONS}",
        f"hexkey = '{key.secret.hex()}'",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def target(path: Path, key: Key | None) -> str:
    """The address of a new file, for VACUUM INTO on a connection that takes addresses."""
    told = "key=" if key is None else f"cipher={_CIPHER}&kdf_iter={_ITERATIONS}&hexkey={key.secret.hex()}"
    return f"file:{quote(os.fsencode(path.absolute()))}?{told}"
