"""Every failure a caller can meet, each with the exit code a command ends with and the way to mend it."""

from __future__ import annotations

__all__ = [
    "BackendUnavailable",
    "LeanMemoryError",
    "Malformed",
    "StoreBusy",
    "StoreCorrupt",
    "StoreTooNew",
    "StoreUnavailable",
    "UsageError",
]


class LeanMemoryError(Exception):
    """Base class. `code` is a stable word for programs, `hint` what a person can do about it."""

    code = "error"
    exit_code = 5

    def __init__(self, message: str, *, hint: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


class UsageError(LeanMemoryError):
    """The caller's words are off: a bad time, a bad namespace, an unknown predicate table."""

    code = "usage"
    exit_code = 2


class Malformed(LeanMemoryError):
    """One record can't be read. `line` (from 1) and `offset` (bytes into the stream) say where."""

    code = "malformed"
    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str | None = None,
        line: int | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.line = line
        self.offset = offset


class StoreUnavailable(LeanMemoryError):
    """The namespace's file can't be used as it is."""

    code = "store"
    exit_code = 5


class StoreBusy(StoreUnavailable):
    """Another process held the file for longer than the busy timeout."""

    code = "busy"


class StoreCorrupt(StoreUnavailable):
    """The file is damaged, or no SQLite database."""

    code = "corrupt"


class StoreTooNew(StoreUnavailable):
    """A newer version of this program wrote the file. It is left untouched."""

    code = "too_new"


class BackendUnavailable(LeanMemoryError):
    """A model is missing, is not the one expected, or does not load."""

    code = "backend"
    exit_code = 6
