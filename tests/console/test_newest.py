"""The end of a log is found without reading the log."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from lean_memory.console.newest import newest

NOW = 1_770_000_000_000


class Log:
    """Times in the order of entry; counts what is read."""

    def __init__(self, times: list[int]) -> None:
        self.times = times
        self.read = 0

    def __call__(self, since: int | None) -> Iterator[tuple[int, int]]:
        for number, at in enumerate(self.times):
            if since is None or at >= since:
                self.read += 1
                yield number, at


ages = st.one_of(st.integers(0, 100), st.integers(0, 10**6), st.integers(0, 10**12))


@given(st.lists(ages, max_size=60), st.integers(1, 10))
def test_it_is_the_end_newest_first(ages: list[int], wanted: int) -> None:
    times = sorted(NOW - age for age in ages)
    whole = list(enumerate(times))
    assert newest(Log(times), now=NOW, wanted=wanted) == whole[::-1][:wanted]


def test_a_large_import_some_hours_ago_is_not_read_whole() -> None:
    log = Log([NOW - 10 * 3_600_000 + n for n in range(100_000)])
    found = newest(log, now=NOW, wanted=50)
    assert [number for number, _ in found] == list(range(99_999, 99_949, -1))
    assert log.read < 10_000
