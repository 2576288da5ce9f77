"""The trace of agents' calls, for the console: a file beside the memories with the last of them.

One JSON object a line, appended whole, so that several servers can write it. What was said is not in it. Writing it is
best-effort: a call never fails because of it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from lean_memory.mcp_server.session import Activity

__all__ = ["FILE", "Trace", "calls"]

FILE: Final = "agents.ndjson"

_LARGEST: Final = 256 * 1024
_FIELDS: Final = ("at", "tool", "namespace", "ms", "outcome")


class Trace:
    """Writes calls to the file under `root`; a full one is set aside, and replaces the one that was."""

    def __init__(self, root: Path) -> None:
        self._path = root / FILE

    def __call__(self, call: Activity) -> None:
        line = json.dumps(asdict(call), ensure_ascii=True).encode() + b"\n"
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, line)
                full = os.fstat(file).st_size > _LARGEST
            finally:
                os.close(file)
            if full:
                self._path.replace(_older(self._path))


def calls(root: Path, limit: int = 100) -> list[Activity]:
    """The last calls, newest first. What can't be read is left out."""
    found: list[Activity] = []
    for path in (root / FILE, _older(root / FILE)):
        lines: list[bytes] = []
        with suppress(OSError):
            lines = path.read_bytes().splitlines()
        for line in reversed(lines):
            if len(found) == limit:
                return found
            with suppress(ValueError, TypeError, KeyError):
                fields = json.loads(line)
                found.append(Activity(**{name: fields[name] for name in _FIELDS}))
    return found


def _older(path: Path) -> Path:
    return path.with_suffix(".old.ndjson")
