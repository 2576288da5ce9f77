"""Time zones, other languages, and what holds of any text."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory.extract.times import find_times
from lean_memory.extract.times.language import Language, load

REF = datetime(2025, 6, 18, 10, tzinfo=timezone.utc)
INDIA = timezone(timedelta(hours=5, minutes=30))


def test_today_is_the_reference_zones_day() -> None:
    late = datetime(2025, 6, 18, 0, 10, tzinfo=INDIA)  # still the 17th in UTC
    (span,) = find_times("I arrived today", late)
    assert span.start == datetime(2025, 6, 18, tzinfo=INDIA)
    assert span.stop == datetime(2025, 6, 19, tzinfo=INDIA)


def test_a_naive_reference_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        find_times("today", datetime(2025, 6, 18))


def test_hours_pass_a_change_of_clocks_as_they_do_in_the_world() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before = datetime(2025, 3, 30, 1, 30, tzinfo=berlin)  # at 2:00 it is 3:00
    (span,) = find_times("in 2 hours", before, prefer="future")
    assert span.start is not None
    assert span.start.hour == 4


def test_midnight_of_a_day_is_local() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    (span,) = find_times("on 12 January 2025", datetime(2025, 6, 18, 10, tzinfo=berlin))
    assert span.start == datetime(2025, 1, 11, 23, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("text", "words", "relation", "start", "stop"),
    [
        ("我昨天去了公园", "昨天", "at", "2025-06-17", "2025-06-18"),
        ("前天下雨了", "前天", "at", "2025-06-16", "2025-06-17"),
        ("去年我搬到柏林", "去年", "at", "2024-01-01", "2025-01-01"),
        ("上个月买了车", "上个月", "at", "2025-05-01", "2025-06-01"),
        ("三年前结婚", "三年前", "at", "2022-01-01", "2023-01-01"),
        ("两个月前", "两个月前", "at", "2025-04-01", "2025-05-01"),
        ("2015年9月12日出生", "2015年9月12日", "at", "2015-09-12", "2015-09-13"),
        ("二〇一五年九月", "二〇一五年九月", "at", "2015-09-01", "2015-10-01"),
        ("从2012年到2016年", "2012年到2016年", "range", "2012-01-01", "2017-01-01"),
        ("明年五月去日本", "明年五月", "at", "2026-05-01", "2026-06-01"),
        ("上周五见了小李", "上周五", "at", "2025-06-13", "2025-06-14"),
        ("下周三下午三点开会", "下周三下午三点", "at", "2025-06-25T15:00", "2025-06-25T16:00"),
        ("在这里住了六年了", "六年了", "for", "2019-06-18T10:00", "2025-06-18T10:00"),
        ("2018年以来", "2018年以来", "since", "2018-01-01", None),
        ("三年", "三年", "for", None, None),
        ("从三月开始", "三月开始", "since", "2025-03-01", None),
        ("去年年底", "去年年底", "at", "2024-09-01", "2025-01-01"),
        ("去年夏天", "去年夏天", "at", "2024-06-01", "2024-09-01"),
        ("上周末去爬山", "上周末", "at", "2025-06-14", "2025-06-16"),
        ("九十年代", "九十年代", "at", "1990-01-01", "2000-01-01"),
        ("每周五", "每周五", "every", None, None),
        ("上個月買了車", "上個月", "at", "2025-05-01", "2025-06-01"),
    ],
)
def test_chinese(text: str, words: str, relation: str, start: str | None, stop: str | None) -> None:
    (span,) = find_times(text, REF, lang="zh")
    assert text[span.begin : span.end] == words
    assert span.relation == relation
    assert span.start == (start and datetime.fromisoformat(start).replace(tzinfo=timezone.utc))
    if stop is not None:
        assert span.stop == datetime.fromisoformat(stop).replace(tzinfo=timezone.utc)


@pytest.mark.parametrize("text", ["我有一点累，十分高兴", "我32岁", "好一点", "他上天了"])
def test_chinese_false_friends(text: str) -> None:
    assert find_times(text, REF, lang="zh") == ()


def test_two_languages_in_one_sentence() -> None:
    text = "去年 I moved to Berlin, in May 2015 to Rome"
    assert [text[s.begin : s.end] for s in find_times(text, REF)] == ["去年", "May 2015"]


def test_other_languages_are_read_by_dateparser() -> None:
    text = "Ich wohne seit März 2021 in Berlin und war gestern im Kino"
    since, yesterday = find_times(text, REF, lang="de")
    assert (since.relation, since.start) == ("since", datetime(2021, 3, 1, tzinfo=timezone.utc))
    assert text[yesterday.begin : yesterday.end] == "gestern"
    assert yesterday.start == datetime(2025, 6, 17, tzinfo=timezone.utc)


def test_an_unknown_language_finds_nothing() -> None:
    assert find_times("hello 2020", REF, lang="xx") == ()


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_every_rule_of_a_language_compiles(name: str) -> None:
    for stage in load(name).stages:
        stage.check()


def test_a_rule_that_names_an_unknown_role_is_refused() -> None:
    table = {"roles": {"a": "a"}, "words": {}, "marks": {}, "aliases": {}, "triggers": "a", "day_first": False}
    with pytest.raises(ValueError, match=r"rule 'drop' '<b>'.*'b'"):
        Language({**table, "stages": [{"rules": [["drop", "<b>"]]}]})


VOCABULARY = """
    the last next this first second may May March monday Fri sat week weeks year years day month ago in on at of for
    from to until since between and or before after every now 3 12 28th 2015 2015-09-12 12/09 '98 90s 3pm half a an
    couple few early end of noon morning tomorrow yesterday Christmas summer Q1 , . - ( ) / Anna moved 去 年 三 月 前
"""
WORDS = st.sampled_from(VOCABULARY.split())
TEXTS = st.one_of(
    st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS, max_size=8).map("".join)
)
REFS = st.datetimes(timezones=st.sampled_from([timezone.utc, INDIA, ZoneInfo("America/New_York")]))
PREFER = st.sampled_from(["past", "future"])


@given(TEXTS, REFS, PREFER)
@example("END OF EARLY MAY", datetime(2000, 1, 1, tzinfo=timezone.utc), "past")  # a part of a part, which are apart
def test_any_text_gives_spans_in_order_and_in_bounds(text: str, ref: datetime, prefer: str) -> None:
    spans = find_times(text, ref, prefer=prefer)  # type: ignore[arg-type]
    at = 0
    for span in spans:
        assert at <= span.begin < span.end <= len(text)
        assert 0 <= span.outer <= span.begin
        assert text[span.begin : span.end].strip()
        at = span.end
        if span.start is not None and span.stop is not None:
            assert span.start <= span.stop
        if span.earliest_stop is not None and span.stop is not None:
            assert span.earliest_stop <= span.stop
        for when in (span.start, span.stop, span.point, span.earliest_stop):
            assert when is None or when.tzinfo is ref.tzinfo


@given(TEXTS, REFS, PREFER)
def test_the_same_input_gives_the_same_result(text: str, ref: datetime, prefer: str) -> None:
    assert find_times(text, ref, prefer=prefer) == find_times(text, ref, prefer=prefer)  # type: ignore[arg-type]


@given(st.integers(1, 28), st.integers(1, 12), st.integers(1950, 2100), REFS)
def test_a_full_date_is_read_back_in_every_form(dom: int, month: int, year: int, ref: datetime) -> None:
    day = datetime(year, month, dom)
    for form in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%b %d %Y"):
        (span,) = find_times(day.strftime(form), ref)
        assert span.start == day.replace(tzinfo=ref.tzinfo)


@given(st.integers(1, 400), st.sampled_from(["day", "week", "month", "year"]))
def test_ago_encloses_its_point_and_in_mirrors_it(amount: int, unit: str) -> None:
    (back,) = find_times(f"{amount} {unit}s ago", REF)
    (ahead,) = find_times(f"in {amount} {unit}s", REF)
    for span in (back, ahead):
        assert span.start is not None
        assert span.stop is not None
        assert span.point is not None
        assert span.start <= span.point < span.stop
        assert span.length == (amount, unit)
    assert back.point < REF < ahead.point  # type: ignore[operator]
