"""Where the facts of a timeline are drawn. Pure; lengths are shares of the width, in [0, 1]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Final

from lean_memory.instants import to_datetime, to_millis
from lean_memory.records import Fact

__all__ = ["Bar", "Group", "Link", "Picture", "Tick", "draw"]

_DAY: Final = 86_400_000
_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000, 24_000)  # months
_CALENDAR: Final = (-62_135_596_800_000, 253_402_300_799_999)  # the years 1 to 9999
_TICKS: Final = 5
_THIN: Final = 0.006


@dataclass(frozen=True, slots=True)
class Bar:
    """One interval of a fact, in the row of its number. `ended` and `begun` tell whether its ends are known ones."""

    fact: Fact
    row: int
    left: float
    width: float
    begun: bool
    ended: bool
    cold: bool


@dataclass(frozen=True, slots=True)
class Link:
    """The fact in row `above` gave way at `x` to that in row `below`."""

    x: float
    above: int
    below: int


@dataclass(frozen=True, slots=True)
class Group:
    """The facts of one predicate, oldest first."""

    predicate: str
    bars: tuple[Bar, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """All of it. `today` is where the present is."""

    groups: tuple[Group, ...]
    ticks: tuple[Tick, ...]
    today: float


def draw(facts: Iterable[Fact], superseded: Mapping[str, str], cold: frozenset[str], now: int) -> Picture:
    """The picture of facts.

    Args:
        superseded: id of a fact -> id of the one that took its place.
        cold: ids of those in the cold tier.
    """
    known = sorted(facts, key=lambda fact: (fact.predicate, fact.valid_at or 0, fact.id))
    times = [t for fact in known for t in (fact.valid_at, fact.valid_to) if t is not None]
    first, last = min([*times, now - 30 * _DAY]), max([*times, now])
    room = max(last - first, _DAY) // 40
    first, last = max(first - room, _CALENDAR[0]), min(last + room, _CALENDAR[1])

    def x(time: int) -> float:
        return (time - first) / (last - first)

    groups = []
    for predicate in dict.fromkeys(fact.predicate for fact in known):
        bars = []
        for row, fact in enumerate(one for one in known if one.predicate == predicate):
            left = 0.0 if fact.valid_at is None else x(fact.valid_at)
            right = 1.0 if fact.valid_to is None else x(fact.valid_to)
            bars.append(
                Bar(
                    fact=fact,
                    row=row,
                    left=left,
                    width=max(right - left, _THIN),
                    begun=fact.valid_at is not None,
                    ended=fact.valid_to is not None,
                    cold=fact.id in cold,
                )
            )
        groups.append(Group(predicate, tuple(bars), tuple(_links(bars, superseded))))
    return Picture(tuple(groups), tuple(_ticks(first, last, x)), x(now))


def _links(bars: Sequence[Bar], superseded: Mapping[str, str]) -> Iterable[Link]:
    """From each bar that was superseded to the next one of its successor."""
    for bar in bars:
        successor = superseded.get(bar.fact.id)
        if successor is None or not bar.ended:
            continue
        end = bar.left + bar.width
        after = [one for one in bars if one.fact.id == successor and one.row != bar.row]
        if after:
            nearest = min(after, key=lambda one: abs(one.left - end))
            yield Link(end, bar.row, nearest.row)


def _ticks(first: int, last: int, x: Callable[[int], float]) -> Iterable[Tick]:
    """Months or years, not too many."""
    begin, end = (to_datetime(t, timezone.utc) for t in (first, last))
    months = (end.year - begin.year) * 12 + end.month - begin.month
    step = next((s for s in _STEPS if months / s <= _TICKS), _STEPS[-1])
    number = (begin.year * 12 + begin.month - 1) // step * step
    while number <= end.year * 12 + end.month:
        year, month = divmod(number, 12)
        number += step
        if not 1 <= year <= 9999:
            continue
        time = to_millis(datetime(year, month + 1, 1, tzinfo=timezone.utc))
        if first <= time <= last:
            yield Tick(x(time), f"{year}" if step >= 12 else f"{year}-{month + 1:02}")
