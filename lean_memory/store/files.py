"""Namespace -> file name, so that two different namespaces never share a file. No I/O.

Theory of operation. Lower-case ASCII letters, digits, `-` and `_` stand for themselves; every other byte of the
UTF-8 form is written `%xx`. So names that differ only in case or in Unicode normalisation stay apart on every
file system, and no name can be a path. A name that Windows reserves for a device (`con`, `lpt1`) has its first
letter written `%xx` too. A name too long for a file is cut and carries `~` and a hash instead of its rest;
its full form is in the file's `meta` table.
"""

from __future__ import annotations

import hashlib
import re

from lean_memory.limits import check_name

__all__ = ["REKEY_SUFFIX", "SIDE_FILES", "SUFFIX", "file_name", "namespace_of"]

SUFFIX = ".db"

SIDE_FILES = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name for its own files beside it."""

REKEY_SUFFIX = ".rekey"
"""Behind the name: a copy under another key that is not in its place yet."""

_LONGEST = 120  # of the escaped name: leaves room for `.db-journal` within 143 (eCryptfs) and 255 (others)
_KEPT = 64
_ESCAPED = re.compile(rb"[^a-z0-9_-]")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])")
_SHORT = re.compile(r"(?:[a-z0-9_-]|%[0-9a-f]{2})+")
_HASHED = re.compile(r"(?:[a-z0-9_-]|%[0-9a-f]{2})+~[0-9a-f]{32}")


def file_name(namespace: str) -> str:
    """The file's name, without its directory. Injective, up to a collision of 128-bit hashes for long names.

    Raises:
        UsageError: the namespace is empty, or too long.
    """
    check_name(namespace)
    raw = namespace.encode("utf-8", "surrogatepass")
    name = _ESCAPED.sub(lambda match: b"%%%02x" % match[0][0], raw).decode("ascii")
    if _DEVICE.fullmatch(name):
        name = f"%{ord(name[0]):02x}{name[1:]}"
    if len(name) > _LONGEST:
        kept = re.sub(r"%.?$", "", name[:_KEPT])
        name = f"{kept}~{hashlib.blake2b(raw, digest_size=16).hexdigest()}"
    return name + SUFFIX


def namespace_of(name: str) -> str | None:
    """The namespace of a short file name, `""` if it is a long one's (see its `meta`), None if it is no store's."""
    stem = name.removesuffix(SUFFIX)
    if stem == name:
        return None
    if _HASHED.fullmatch(stem):
        return ""
    if not _SHORT.fullmatch(stem):
        return None
    raw = re.sub(r"%(..)", lambda match: chr(int(match[1], 16)), stem).encode("latin-1")
    try:
        namespace = raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return namespace if file_name(namespace) == name else None
