"""Any text, said at any time in any zone: what it says of times lies in the calendar, and each end after its begin."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory.errors import UsageError
from lean_memory.extract import Extractor
from lean_memory.extract.times import find_times
from lean_memory.instants import format_instant, parse_instant, to_datetime, to_millis, zone
from lean_memory.records import Note

pytestmark = pytest.mark.slow

FIRST, LAST = -62_135_596_800_000, 253_402_300_799_999  # the years 1 to 9999
DAY = 86_400_000

WORDS = """today yesterday tomorrow tonight now then ago before after since until till from to between and or the a an
in on at by of for during within past last next this coming previous every each other half quarter couple few several
dozen hundred thousand million one two three twelve twenty first second third fifth 31st noon midnight morning evening
week weeks weekend fortnight month months year years decade century day days hour hours minute minutes season spring
summer autumn fall winter January february Mar. may June Sept december monday Tue fri Sunday Christmas Easter new
year Q1 FY24 early mid late end beginning start middle BC AD BCE a.m. pm o'clock UTC EST 0 1 2 7 12 13 24 29 30 31 60
99 100 1000 9999 10000 0001 1969 1970 2024 2025 20240229 2024-02-30 2024-02-29 29/02/2023 12/31/9999 01.01.0001 24:00
23:59:60 12:61 -1 +5 1e9 ½ 今天 昨天 明年 去年 三月 十五号 星期一 下周 前 后 年 月 日 点 半 两 世纪
九九九九年""".split()
words = st.sampled_from(WORDS)
joints = st.sampled_from([" ", " ", " ", ", ", "-", "–", "/", "", "'s ", ". ", "\n", " of ", " the "])


@st.composite
def phrases(draw: st.DrawFn) -> str:
    parts = draw(st.lists(words | st.integers(-10, 10**12).map(str) | st.text(max_size=3), min_size=1, max_size=9))
    return "".join(part + draw(joints) for part in parts)


instants = st.integers(FIRST, LAST) | st.sampled_from([FIRST, FIRST + DAY, LAST, LAST - DAY, 0, 951_782_400_000])
zones = st.sampled_from(
    [
        *map(ZoneInfo, ("UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia",
                        "Pacific/Kiritimati", "Africa/Monrovia", "Antarctica/Troll", "Australia/Lord_Howe")),
        timezone(timedelta(hours=14)), timezone(-timedelta(hours=12)), timezone(timedelta(hours=23, minutes=59)),
    ]
)  # fmt: skip


@given(phrases() | st.text(max_size=40), instants, zones, st.sampled_from(["en", "zh", "de", "fr"]), st.data())
def test_a_span_lies_in_the_text_and_in_the_calendar(
    text: str, said: int, tz: tzinfo, lang: str, data: st.DataObject
) -> None:
    if lang in ("de", "fr") and data.draw(st.integers(0, 9)):  # those are read by another library, slowly
        lang = "en"
    for span in find_times(text, to_datetime(said, tz), lang=lang):
        assert 0 <= span.begin < span.end <= len(text)
        for when in (span.start, span.stop):
            if when is not None:
                assert FIRST <= to_millis(when) <= LAST + 1
        if span.start is not None and span.stop is not None:
            assert span.start <= span.stop


EXTRACTOR = Extractor()


@given(
    phrases(), instants, zones.map(str),
    st.sampled_from(["I moved to Oslo {}.", "I worked at Acme {}", "{} I lived in Rome.", "我{}搬到了北京。"]),
)  # fmt: skip
@example("since 9999", LAST, "UTC", "I worked at Acme {}")
@example("100 years ago", FIRST, "UTC", "I worked at Acme {}")
def test_a_fact_s_times_can_be_written_and_read(text: str, said: int, tz: str, frame: str) -> None:
    try:
        zone(tz)
    except UsageError:
        tz = "UTC"
    note = Note(text=frame.format(text), t_ref=said, tz=tz)
    for fact in EXTRACTOR.episode(note).facts:
        ends = [when for when in (fact.valid_at, fact.valid_to) if when is not None]
        assert ends == sorted(ends)
        for when in ends:
            assert parse_instant(format_instant(when))[0] == when


@given(st.text(max_size=40) | phrases(), zones)
def test_a_time_is_read_or_refused_by_name(text: str, tz: tzinfo) -> None:
    try:
        millis, _ = parse_instant(text, tz=tz)
    except UsageError:
        return
    assert FIRST <= millis <= LAST
    assert isinstance(to_datetime(millis, tz), datetime)


@given(st.text(max_size=30) | st.from_regex(r"[+-]?\d{1,3}:?\d{0,2}", fullmatch=True))
def test_a_zone_is_known_or_refused_by_name(name: str) -> None:
    try:
        found: Any = zone(name)
    except UsageError:
        return
    assert datetime(2024, 2, 29, tzinfo=found).utcoffset() is not None


@pytest.mark.parametrize("at", [FIRST, LAST])
@pytest.mark.parametrize("text", ["yesterday", "tomorrow", "last year", "next century", "in 3 weeks", "去年", "明天"])
def test_the_ends_of_the_calendar(text: str, at: int) -> None:
    for tz in (timezone.utc, timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))):
        for span in find_times(text, to_datetime(at, tz)):
            assert span.start is None or FIRST <= to_millis(span.start) <= LAST + 1
            assert span.stop is None or FIRST <= to_millis(span.stop) <= LAST + 1


@pytest.mark.parametrize("year", ["9999", "0001", "31.12.9999"])
def test_another_language_has_the_same_calendar(year: str) -> None:
    for span in find_times(f"Heute ist nicht {year}.", to_datetime(0), lang="de"):
        assert span.stop is None or FIRST <= to_millis(span.stop) <= LAST + 1
