"""What the environment decides, read once. Flags override it; nothing below the faces reads it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timezone, tzinfo
from pathlib import Path

from lean_memory.errors import UsageError
from lean_memory.instants import parse_instant, zone
from lean_memory.keys import NEW, Key, key_from

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """`root` holds the namespace files. `fixed_now` stands in for the clock (LM_NOW), for reproducible output."""

    root: Path
    fixed_now: int | None = None
    tz: tzinfo | None = None
    predicates: Path | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def from_environ(
        cls, environ: Mapping[str, str], *, root: Path | None = None, predicates: Path | None = None
    ) -> Settings:
        """LM_DATA_ROOT, LM_NOW, LM_TZ and LM_PREDICATES; LM_ENCRYPT by `key`; the backends read theirs themselves.

        Raises:
            UsageError: LM_NOW is no time, LM_TZ no zone, or there is no such home folder.
        """
        now, tz = environ.get("LM_NOW"), environ.get("LM_TZ")
        own_table = predicates or environ.get("LM_PREDICATES")
        return cls(
            root=_at_home(root or environ.get("LM_DATA_ROOT") or "~/.lean_memory"),
            fixed_now=parse_instant(now)[0] if now else None,
            tz=zone(tz) if tz else None,
            predicates=_at_home(own_table) if own_table else None,
            environ=dict(environ),
        )

    def now(self) -> int:
        """The present, in milliseconds since the epoch."""
        return time.time_ns() // 1_000_000 if self.fixed_now is None else self.fixed_now

    def key(self, variable: str = NEW) -> Key | None:
        """What the files are encrypted with. Raises UsageError."""
        return key_from(self.environ, variable)

    def local_zone(self) -> tzinfo:
        """LM_TZ, else the machine's zone; UTC where the clock is fixed, so that output doesn't depend on a machine."""
        if self.tz is not None:
            return self.tz
        if self.fixed_now is not None:
            return timezone.utc
        return _machine_zone()


def _at_home(path: Path | str) -> Path:
    """With `~` as a home folder: no shell has put that in for the environment, nor on Windows for a flag."""
    try:
        found = Path(path).expanduser()
        str(found).encode()
        return found
    except UnicodeEncodeError:
        raise UsageError(
            f"{os.fsencode(path)!r} is not UTF-8", hint="choose a folder with another name", code="bad_root"
        ) from None
    except RuntimeError:
        raise UsageError(
            f"{path}: nothing says where that home folder is",
            hint="name the folder in full, with --root or LM_DATA_ROOT",
            code="no_home",
        ) from None


def _machine_zone() -> tzinfo:
    from datetime import datetime

    from tzlocal import get_localzone  # dateparser brings it

    try:
        return get_localzone()
    except (LookupError, ValueError, OSError):
        return datetime.now().astimezone().tzinfo or timezone.utc
