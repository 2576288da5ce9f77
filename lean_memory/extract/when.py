"""From time expressions to the interval of a fact: what `since`, `until`, `for six years` and `yesterday` do to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from lean_memory.extract.times import TimeSpan, find_times
from lean_memory.instants import to_datetime, to_millis

__all__ = ["Moment", "Times", "read_times"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A time expression in epoch milliseconds at text[begin:end]; `outer` includes its preposition."""

    begin: int
    end: int
    outer: int
    start: int | None
    stop: int | None
    relation: str
    grain: str
    point: int | None = None
    earliest_stop: int | None = None
    length: tuple[float, str] | None = None

    @property
    def happened(self) -> int | None:
        """When something that happened `at` it did: the exact point if counted back, else where the unit begins."""
        if self.start is None and self.relation in ("before", "until"):
            return self.stop
        return self.start

    @property
    def ends(self) -> int | None:
        """When something that lasted through it was over."""
        if self.relation in ("until", "before") and self.earliest_stop is not None:
            return self.earliest_stop
        return None if self.stop is None else self.stop - 1


@dataclass(frozen=True, slots=True)
class Times:
    """The expressions of one stretch of text, in order."""

    moments: tuple[Moment, ...] = ()

    def within(self, begin: int, end: int) -> Times:
        """Those that lie in text[begin:end]."""
        return Times(tuple(m for m in self.moments if m.outer >= begin and m.end <= end))

    def without(self, spans: Sequence[tuple[int, int]]) -> Times:
        """Those that touch none of the stretches."""
        if not spans:
            return self
        return Times(tuple(m for m in self.moments if not any(m.outer < b and a < m.end for a, b in spans)))

    def pick(self, *relations: str) -> Moment | None:
        """The first with one of the relations."""
        return next((m for m in self.moments if m.relation in relations), None)


def read_times(text: str, begin: int, end: int, t_ref: int, tz: tzinfo, *, lang: str, prefer: str = "past") -> Times:
    """The time expressions of text[begin:end] said at `t_ref`."""
    ref = to_datetime(t_ref, tz)
    found = find_times(text[begin:end], ref, lang=lang, prefer=prefer)  # type: ignore[arg-type]
    return Times(tuple(_moment(span, begin) for span in found))


def _moment(span: TimeSpan, offset: int) -> Moment:
    return Moment(
        span.begin + offset,
        span.end + offset,
        span.outer + offset,
        _millis(span.start),
        _millis(span.stop),
        span.relation,
        span.grain,
        _millis(span.point),
        _millis(span.earliest_stop),
        span.length,
    )


def _millis(when: datetime | None) -> int | None:
    return None if when is None else to_millis(when)
