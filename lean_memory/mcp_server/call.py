"""One call of a tool: its arguments, read as what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lean_memory.instants import parse_instant, to_datetime, zone

if TYPE_CHECKING:
    from lean_memory.memory import Memory

__all__ = ["Call"]


@dataclass(frozen=True)
class Call:
    """`given` has passed the tool's schema. `local` is the zone of a call that names none."""

    memory: Memory
    given: Mapping[str, Any]
    default: str
    local: tzinfo

    @cached_property
    def namespace(self) -> str:
        """The memory it is about."""
        return str(self.given.get("namespace") or self.default)

    @cached_property
    def zone(self) -> tzinfo:
        """In which its times without an offset are read, and times are shown. Raises UsageError: there is none such."""
        name = self.given.get("time_zone")
        return zone(str(name)) if name else self.local

    def instant(self, name: str) -> int | None:
        """A time among the arguments, in milliseconds. Raises UsageError."""
        value = self.given.get(name)
        return None if value is None else parse_instant(str(value), tz=self.zone)[0]

    def day(self, millis: int) -> str:
        """`2026-03-10`, in the call's zone."""
        when = to_datetime(millis, self.zone)
        return f"{when.year:04d}-{when:%m-%d}"

    def minute(self, millis: int) -> str:
        """`2026-03-10 14:05 +01:00`, in the call's zone."""
        when = to_datetime(millis, self.zone)
        offset = f"{when:%z}"
        return f"{self.day(millis)} {when:%H:%M} " + (f"{offset[:3]}:{offset[3:5]}" if offset.strip("+0") else "UTC")

    def told(self) -> dict[str, str]:
        """Where and when the answer was read, for the fence."""
        return {"namespace": self.namespace, "read": self.minute(self.memory.now())}
