"""Points in time: read and written, and put into a zone, up to both ends of the calendar."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.instants import format_instant, parse_instant, to_datetime, to_millis

FIRST, LAST = parse_instant("0001-01-01T00:00:00Z")[0], parse_instant("9999-12-31T23:59:59.999Z")[0]
INSTANTS = st.integers(FIRST, LAST) | st.sampled_from([FIRST, FIRST + 1, LAST - 1, LAST])
ZONES = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(INSTANTS, ZONES)
def test_every_instant_has_a_time_in_every_zone(millis: int, zone: timezone) -> None:
    assert to_millis(to_datetime(millis, zone)) == millis


@given(INSTANTS)
def test_what_is_written_reads_back(millis: int) -> None:
    assert parse_instant(format_instant(millis)) == (millis, None)


@pytest.mark.parametrize("text", ["2026-03-10T12:00:00Z", "2026-03-10 12:00", "2026-03-10"])
def test_the_usual_forms_are_read(text: str) -> None:
    assert format_instant(parse_instant(text)[0]).startswith("2026-03-10T")
