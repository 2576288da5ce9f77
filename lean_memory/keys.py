"""The key that a memory's files are encrypted with, from what LM_ENCRYPT says. It shows itself nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lean_memory.errors import UsageError

__all__ = ["NEW", "OLD", "Key", "key_from"]

NEW: Final = "LM_ENCRYPT"
OLD: Final = "LM_ENCRYPT_OLD"

_SHORTEST: Final = 12
_LONGEST: Final = 4096
_MAKE: Final = "python -c 'import secrets; print(secrets.token_urlsafe(32))'"


@dataclass(frozen=True, slots=True)
class Key:
    """`origin` says in a message where it comes from."""

    secret: bytes = field(repr=False)
    origin: str = field(compare=False)


def key_from(environ: Mapping[str, str], variable: str = NEW) -> Key | None:
    """The key in a variable: the passphrase itself, or `@FILE` that holds it. None where it is not set; one that is set
    to nothing is an error, as a command that was to fill it may have failed.

    Raises:
        UsageError: `bad_key`.
    """
    value = environ.get(variable)
    if value is None:
        return None
    if not value.startswith("@"):
        # What was no UTF-8 is in it as surrogates.
        return _checked(value.encode("utf-8", "surrogateescape"), variable, f"unset {variable}, or make a key: {_MAKE}")
    path = Path(value[1:]).expanduser()
    hint = f"make one: (umask 077; {_MAKE} > KEYFILE), and set {variable}=@KEYFILE"
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise UsageError(
                    f"others may read the key in {path}", hint=f"make it yours alone: chmod 600 {path}", code="bad_key"
                )
            secret = file.read(_LONGEST + 1)
    except OSError as error:
        raise UsageError(
            f"can't read the key file {path} of {variable}: {error.strerror}", hint=hint, code="bad_key"
        ) from None
    return _checked(secret.strip(b"\r\n"), f"the file {path} of {variable}", hint)


def _checked(secret: bytes, origin: str, hint: str) -> Key:
    if not _SHORTEST <= len(secret) <= _LONGEST:
        raise UsageError(f"{origin} holds no key: {_SHORTEST} to {_LONGEST} bytes are one", hint=hint, code="bad_key")
    return Key(secret, origin)
