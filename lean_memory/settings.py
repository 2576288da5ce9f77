"""What the environment decides, read once. Flags override it; nothing below the faces reads it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timezone, tzinfo
from pathlib import Path

from lean_memory.instants import parse_instant, zone

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
        """LM_DATA_ROOT, LM_NOW, LM_TZ and LM_PREDICATES; the backends read LM_BACKENDS and LM_EMBEDDER themselves.

        Raises:
            UsageError: LM_NOW is no time, or LM_TZ no zone.
        """
        data_root = environ.get("LM_DATA_ROOT")
        now, tz, own_table = environ.get("LM_NOW"), environ.get("LM_TZ"), environ.get("LM_PREDICATES")
        return cls(
            root=root or (Path(data_root).expanduser() if data_root else Path.home() / ".lean_memory"),
            fixed_now=parse_instant(now)[0] if now else None,
            tz=zone(tz) if tz else None,
            predicates=predicates or (Path(own_table).expanduser() if own_table else None),
            environ=dict(environ),
        )

    def now(self) -> int:
        """The present, in milliseconds since the epoch."""
        return time.time_ns() // 1_000_000 if self.fixed_now is None else self.fixed_now

    def local_zone(self) -> tzinfo:
        """LM_TZ, else the machine's zone; UTC where the clock is fixed, so that output doesn't depend on a machine."""
        if self.tz is not None:
            return self.tz
        if self.fixed_now is not None:
            return timezone.utc
        return _machine_zone()


def _machine_zone() -> tzinfo:
    from datetime import datetime

    from tzlocal import get_localzone  # dateparser brings it

    try:
        return get_localzone()
    except (LookupError, ValueError, OSError):
        return datetime.now().astimezone().tzinfo or timezone.utc
