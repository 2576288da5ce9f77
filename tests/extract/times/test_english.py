"""What people write and what it means. Said on Wednesday, 18 June 2025, 10:00 UTC, of the past, unless a row says else.

Each row: a sentence with the expression in [brackets] | relation | start | stop | grain. `-` is an open end.
"""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from lean_memory.extract.times import TimeSpan, find_times

REF = datetime(2025, 6, 18, 10, tzinfo=timezone.utc)

DATES = """
    Anna was born on [12 September 2015]               | at | 2015-09-12 | 2015-09-13 | day
    It closed [Sept 12th, 2015]                        | at | 2015-09-12 | 2015-09-13 | day
    since [12th of September, 2015]                    | since | 2015-09-12 | - | day
    due [2015-09-12]                                   | at | 2015-09-12 | 2015-09-13 | day
    due [2015/09/12]                                   | at | 2015-09-12 | 2015-09-13 | day
    due [12/09/2015]                                   | at | 2015-12-09 | 2015-12-10 | day
    due [13/09/2015]                                   | at | 2015-09-13 | 2015-09-14 | day
    due [9/13/15]                                      | at | 2015-09-13 | 2015-09-14 | day
    due [13.9.2015]                                    | at | 2015-09-13 | 2015-09-14 | day
    due [1.9.2015]                                     | at | 2015-09-01 | 2015-09-02 | day
    due [23/Sep/2020]                                  | at | 2020-09-23 | 2020-09-24 | day
    due [Sep-23-2020]                                  | at | 2020-09-23 | 2020-09-24 | day
    Bought on [Feb 3rd]                                | at | 2025-02-03 | 2025-02-04 | day
    It is on [9/12]                                    | at | 2024-09-12 | 2024-09-13 | day
    the review, [the sixth of July]                    | at | 2024-07-06 | 2024-07-07 | day
    on [May twenty-first]                              | at | 2025-05-21 | 2025-05-22 | day
    He came [Dec31]                                    | at | 2024-12-31 | 2025-01-01 | day
    on [Friday, 12 September 2014]                     | at | 2014-09-12 | 2014-09-13 | day
    on [Tue May 13]                                    | at | 2025-05-13 | 2025-05-14 | day
    on [Monday the 16th]                               | at | 2025-06-16 | 2025-06-17 | day
    it was [twenty five January nineteen eighty six]   | at | 1986-01-25 | 1986-01-26 | day
    In [July 2020] Tom left                            | at | 2020-07-01 | 2020-08-01 | month
    in [April of '87]                                  | at | 1987-04-01 | 1987-05-01 | month
    in [2020-07]                                       | at | 2020-07-01 | 2020-08-01 | month
    vegetarian since [2009]                            | since | 2009-01-01 | - | year
    in [the year 2008]                                 | at | 2008-01-01 | 2009-01-01 | year
    [2019] was hard                                    | at | 2019-01-01 | 2020-01-01 | year
    around [2010] we met                               | at | 2010-01-01 | 2011-01-01 | year
    left in ['98]                                      | at | 1998-01-01 | 1999-01-01 | year
    in [two thousand and fifteen]                      | at | 2015-01-01 | 2016-01-01 | year
    in [the 90s]                                       | at | 1990-01-01 | 2000-01-01 | decade
    in [the nineties]                                  | at | 1990-01-01 | 2000-01-01 | decade
    jazz of [the 1950s]                                | at | 1950-01-01 | 1960-01-01 | decade
    in [the 19th century]                              | at | 1800-01-01 | 1900-01-01 | century
    sales in [Q1 2024]                                 | at | 2024-01-01 | 2024-04-01 | quarter
    sales in [2024-Q1]                                 | at | 2024-01-01 | 2024-04-01 | quarter
    the [FY2024] budget                                | at | 2024-01-01 | 2025-01-01 | year
    in [spring 2020]                                   | at | 2020-03-01 | 2020-06-01 | season
    the [summer of '98]                                | at | 1998-06-01 | 1998-09-01 | season
    [winter 2019] was mild                             | at | 2019-12-01 | 2020-03-01 | season
    in [week 10]                                       | at | 2025-03-03 | 2025-03-10 | week
    logged at [2023-05-08T13:56:00Z]                   | at | 2023-05-08T13:56:00 | 2023-05-08T13:56:01 | second
"""

RELATIVE = """
    I left [today]                                     | at | 2025-06-18 | 2025-06-19 | day
    I left [yesterday]                                 | at | 2025-06-17 | 2025-06-18 | day
    [Yesterday]'s talk                                 | at | 2025-06-17 | 2025-06-18 | day
    I left [the day before yesterday]                  | at | 2025-06-16 | 2025-06-17 | day
    see you [tomorrow]                                 | at | 2025-06-19 | 2025-06-20 | day
    [the day after tomorrow]                           | at | 2025-06-20 | 2025-06-21 | day
    [last week] we met                                 | at | 2025-06-09 | 2025-06-16 | week
    [this week]                                        | at | 2025-06-16 | 2025-06-23 | week
    [next week]                                        | at | 2025-06-23 | 2025-06-30 | week
    [the week before last]                             | at | 2025-06-02 | 2025-06-09 | week
    [the week after next]                              | at | 2025-06-30 | 2025-07-07 | week
    a few [last weekend]                               | at | 2025-06-14 | 2025-06-16 | weekend
    [this past weekend]                                | at | 2025-06-14 | 2025-06-16 | weekend
    over [the weekend]                                 | at | 2025-06-14 | 2025-06-16 | weekend
    [next weekend]                                     | at | 2025-06-28 | 2025-06-30 | weekend
    [two weekends ago]                                 | at | 2025-06-07 | 2025-06-09 | weekend
    [last month]                                       | at | 2025-05-01 | 2025-06-01 | month
    [next month]                                       | at | 2025-07-01 | 2025-08-01 | month
    [last quarter]                                     | at | 2025-01-01 | 2025-04-01 | quarter
    [last year]                                        | at | 2024-01-01 | 2025-01-01 | year
    [the year before last]                             | at | 2023-01-01 | 2024-01-01 | year
    [next year]                                        | at | 2026-01-01 | 2027-01-01 | year
    [last Friday]                                      | at | 2025-06-13 | 2025-06-14 | day
    [Last Tues] it rained                              | at | 2025-06-17 | 2025-06-18 | day
    [last Wednesday]                                   | at | 2025-06-11 | 2025-06-12 | day
    [this Friday]                                      | at | 2025-06-20 | 2025-06-21 | day
    [next Monday]                                      | at | 2025-06-23 | 2025-06-24 | day
    [this coming Friday]                               | at | 2025-06-20 | 2025-06-21 | day
    [Tuesday of last week]                             | at | 2025-06-10 | 2025-06-11 | day
    [next week Tuesday]                                | at | 2025-06-24 | 2025-06-25 | day
    [last summer]                                      | at | 2024-06-01 | 2024-09-01 | season
    [the summer before last]                           | at | 2023-06-01 | 2023-09-01 | season
    [this winter]                                      | at | 2025-12-01 | 2026-03-01 | season
    [last August]                                      | at | 2024-08-01 | 2024-09-01 | month
    [next March]                                       | at | 2026-03-01 | 2026-04-01 | month
    [last Christmas]                                   | at | 2024-12-25 | 2024-12-26 | day
    in [May last year]                                 | at | 2024-05-01 | 2024-06-01 | month
    in [summer of last year]                           | at | 2024-06-01 | 2024-09-01 | season
    [last year's Christmas]                            | at | 2024-12-25 | 2024-12-26 | day
    [this morning]                                     | at | 2025-06-18T06:00:00 | 2025-06-18T12:00:00 | hour
    [last night]                                       | at | 2025-06-17T20:00:00 | 2025-06-18T00:00:00 | hour
    [tonight]                                          | at | 2025-06-18T20:00:00 | 2025-06-19T00:00:00 | hour
    [tomorrow night]                                   | at | 2025-06-19T20:00:00 | 2025-06-20T00:00:00 | hour
    on [Friday evening]                                | at | 2025-06-13T18:00:00 | 2025-06-13T22:00:00 | hour
    [3pm on Friday]                                    | at | 2025-06-13T15:00:00 | 2025-06-13T16:00:00 | hour
    [tomorrow at 8:45am]                               | at | 2025-06-19T08:45:00 | 2025-06-19T08:46:00 | minute
    [quarter to nine tomorrow]                         | at | 2025-06-19T08:45:00 | 2025-06-19T08:46:00 | minute
    [tonight at 8]                                     | at | 2025-06-18T20:00:00 | 2025-06-18T21:00:00 | hour
    at [noon]                                          | at | 2025-06-18T12:00:00 | 2025-06-18T13:00:00 | hour
    at [half past three]                               | at | 2025-06-18T15:30:00 | 2025-06-18T15:31:00 | minute
    gone by [3 pm]                                     | until | - | 2025-06-18T16:00:00 | hour
"""

COUNTED = """
    [three days ago]                                   | at | 2025-06-15 | 2025-06-16 | day
    [two weeks ago]                                    | at | 2025-06-02 | 2025-06-09 | week
    [a couple of months ago]                           | at | 2025-04-01 | 2025-05-01 | month
    around [3 years ago]                               | at | 2022-01-01 | 2023-01-01 | year
    [a year and a half ago]                            | at | 2023-12-01 | 2024-01-01 | month
    [half a year ago]                                  | at | 2024-12-01 | 2025-01-01 | month
    [a week ago today]                                 | at | 2025-06-11 | 2025-06-12 | day
    [two summers ago]                                  | at | 2023-06-01 | 2023-09-01 | season
    [three Fridays ago]                                | at | 2025-05-30 | 2025-05-31 | day
    in [two weeks]                                     | at | 2025-06-30 | 2025-07-07 | week
    in [about three months]                            | at | 2025-09-01 | 2025-10-01 | month
    [two months from now]                              | at | 2025-08-01 | 2025-09-01 | month
    [two weeks before Christmas]                       | at | 2024-12-11 | 2024-12-12 | day
    [three days after 1 May]                           | at | 2025-05-04 | 2025-05-05 | day
    [a week from Friday]                               | at | 2025-06-27 | 2025-06-28 | day
    [the week before 6 June]                           | at | 2025-05-26 | 2025-06-02 | week
    [the day after Thanksgiving]                       | at | 2024-11-29 | 2024-11-30 | day
    [the Friday before Easter]                         | at | 2025-04-18 | 2025-04-19 | day
    within [two hours]                                 | at | 2025-06-18T10:00:00 | 2025-06-18T12:00:00 | hour
    in [the next two days]                             | at | 2025-06-19 | 2025-06-21 | day
    in [the past week]                                 | at | 2025-06-11T10:00:00 | 2025-06-18T10:00:00 | week
    over [the last three years]                        | for | 2022-06-18T10:00:00 | 2025-06-18T10:00:00 | year
"""

PARTS = """
    [early 2021]                                       | at | 2021-01-01 | 2021-05-01 | year
    [mid-2021]                                         | at | 2021-05-01 | 2021-09-01 | year
    at [the end of May]                                | at | 2025-05-21 | 2025-06-01 | month
    [early next year]                                  | at | 2026-01-01 | 2026-05-01 | year
    in the [late 90s]                                  | at | 1997-01-01 | 2000-01-01 | decade
    [the beginning of this year]                       | at | 2025-01-01 | 2025-05-01 | year
    [end of the month]                                 | at | 2025-06-21 | 2025-07-01 | month
    [earlier this month]                               | at | 2025-06-01 | 2025-06-18 | month
    [later this year]                                  | at | 2025-06-19 | 2026-01-01 | year
    [later today]                                      | at | 2025-06-18T10:00:00 | 2025-06-19 | day
    [the first weekend of August]                      | at | 2024-08-03 | 2024-08-05 | weekend
    [the last week of March]                           | at | 2025-03-24 | 2025-03-31 | week
    [the first Monday in September]                    | at | 2024-09-02 | 2024-09-03 | day
    [the last Friday of next month]                    | at | 2025-07-25 | 2025-07-26 | day
    [the 15th of next month]                           | at | 2025-07-15 | 2025-07-16 | day
    [the second half of 2022]                          | at | 2022-07-01 | 2023-01-01 | quarter
    [the third quarter of 2020]                        | at | 2020-07-01 | 2020-10-01 | quarter
    [first ten days of May]                            | at | 2025-05-01 | 2025-05-11 | month
    [the week of 9 June]                               | at | 2025-06-09 | 2025-06-16 | week
    [the week starting 4 June]                         | at | 2025-06-04 | 2025-06-11 | week
"""

HOLIDAYS = """
    at [Christmas]                                     | at | 2024-12-25 | 2024-12-26 | day
    on [New Year's Eve 2019]                           | at | 2019-12-31 | 2020-01-01 | day
    over [the holidays]                                | at | 2024-12-24 | 2025-01-02 | week
    at [Easter]                                        | at | 2025-04-20 | 2025-04-21 | day
    on [Good Friday 2024]                              | at | 2024-03-29 | 2024-03-30 | day
    [Thanksgiving 2023]                                | at | 2023-11-23 | 2023-11-24 | day
    on [Black Friday]                                  | at | 2024-11-29 | 2024-11-30 | day
    [Mother's Day]                                     | at | 2025-05-11 | 2025-05-12 | day
    [Labor Day weekend]                                | at | 2024-08-31 | 2024-09-02 | weekend
    every [Christmas]                                  | every | - | - | year
"""

LOOKS_BOTH_WAYS = """
    on [Friday]                                        | at | 2025-06-13 | 2025-06-14 | day
    on [Wednesday]                                     | at | 2025-06-11 | 2025-06-12 | day
    in [June]                                          | at | 2025-06-01 | 2025-07-01 | month
    in [March]                                         | at | 2025-03-01 | 2025-04-01 | month
    in [December]                                      | at | 2024-12-01 | 2025-01-01 | month
    in the [autumn]                                    | at | 2024-09-01 | 2024-12-01 | season
    on [18 June]                                       | at | 2025-06-18 | 2025-06-19 | day
    on [1 July]                                        | at | 2024-07-01 | 2024-07-02 | day
    the deadline is [the 28th]                         | at | 2025-05-28 | 2025-05-29 | day
    since [March]                                      | since | 2025-03-01 | - | month
    [last Friday]                                      | at | 2025-06-13 | 2025-06-14 | day
    [next Friday]                                      | at | 2025-06-27 | 2025-06-28 | day
"""

LOOKS_AHEAD = """
    on [Friday]                                        | at | 2025-06-20 | 2025-06-21 | day
    on [Wednesday]                                     | at | 2025-06-25 | 2025-06-26 | day
    in [June]                                          | at | 2025-06-01 | 2025-07-01 | month
    in [March]                                         | at | 2026-03-01 | 2026-04-01 | month
    in [December]                                      | at | 2025-12-01 | 2026-01-01 | month
    in the [autumn]                                    | at | 2025-09-01 | 2025-12-01 | season
    on [18 June]                                       | at | 2025-06-18 | 2025-06-19 | day
    on [1 July]                                        | at | 2025-07-01 | 2025-07-02 | day
    the deadline is [the 28th]                         | at | 2025-06-28 | 2025-06-29 | day
    since [March]                                      | since | 2025-03-01 | - | month
    [last Friday]                                      | at | 2025-06-13 | 2025-06-14 | day
    [next Friday]                                      | at | 2025-06-27 | 2025-06-28 | day
    From [1 September] Anna leads the team             | since | 2025-09-01 | - | day
    by [Friday]                                        | until | - | 2025-06-21 | day
    for [two weeks]                                    | for | - | - | week
    in [5 minutes]                                     | at | 2025-06-18T10:05:00 | 2025-06-18T10:06:00 | minute
    [30 minutes later]                                 | at | 2025-06-18T10:30:00 | 2025-06-18T10:31:00 | minute
    between [August and October]                       | range | 2025-08-01 | 2025-11-01 | month
"""

RELATIONS = """
    We have lived here since [March]                   | since | 2025-03-01 | - | month
    ever since [last week]                             | since | 2025-06-09 | - | week
    From [1 May] Anna leads the team                   | since | 2025-05-01 | - | day
    a photo from [last Friday]                         | at | 2025-06-13 | 2025-06-14 | day
    notes from [yesterday]'s meeting                   | at | 2025-06-17 | 2025-06-18 | day
    [2015 onwards]                                     | since | 2015-01-01 | - | year
    until [2023]                                       | until | - | 2024-01-01 | year
    by [the end of 2024]                               | until | - | 2025-01-01 | year
    before [2010]                                      | before | - | 2010-01-01 | year
    after [May 2020]                                   | after | 2020-06-01 | - | month
    from [2012 to 2016]                                | range | 2012-01-01 | 2017-01-01 | year
    between [2014 and 2018]                            | range | 2014-01-01 | 2019-01-01 | year
    [Mar 2019 - present]                               | range | 2019-03-01 | 2025-06-18T10:00:01 | month
    ([2009-2011])                                      | range | 2009-01-01 | 2012-01-01 | year
    [2012–14]                                          | range | 2012-01-01 | 2015-01-01 | year
    from [June 2018 to August 2021]                    | range | 2018-06-01 | 2021-09-01 | month
    from [March until May 2020]                        | range | 2020-03-01 | 2020-06-01 | month
    from [November to February]                        | range | 2024-11-01 | 2025-03-01 | month
    between [3 and 12 May]                             | range | 2025-05-03 | 2025-05-13 | day
    [May 3-7]                                          | range | 2025-05-03 | 2025-05-08 | day
    from [Monday to Friday]                            | range | 2025-06-16 | 2025-06-21 | day
    [tomorrow from 3 to 5pm]                           | range | 2025-06-19T15:00:00 | 2025-06-19T17:00:00 | hour
    for [six years until 2019]                         | range | 2013-01-01 | 2020-01-01 | year
    [3 days starting next Monday]                      | range | 2025-06-23 | 2025-06-26 | day
    worked there for [eleven years]                    | for | 2014-06-18T10:00:00 | 2025-06-18T10:00:00 | year
    it is [six years now]                              | for | 2019-06-18T10:00:00 | 2025-06-18T10:00:00 | year
    been waiting [three weeks]                         | for | 2025-05-28T10:00:00 | 2025-06-18T10:00:00 | week
    haven't smoked in [two years]                      | for | 2023-06-18T10:00:00 | 2025-06-18T10:00:00 | year
    it takes [two hours]                               | for | - | - | hour
    ran it in [two hours]                              | for | - | - | hour
    did it in just [two days]                          | for | - | - | day
    been doing [two hours] each                        | for | - | - | hour
    moved in [a month ago]                             | at | 2025-05-01 | 2025-06-01 | month
    took part in [last month]                          | at | 2025-05-01 | 2025-06-01 | month
    [5 or 6 years ago]                                 | at | 2020-01-01 | 2021-01-01 | year
    every [Tuesday]                                    | every | - | - | week
    the bins go out on [Tuesdays]                      | every | - | - | week
    on [Friday nights]                                 | every | - | - | week
    [twice a month]                                    | every | - | - | month
    a [daily] walk                                     | every | - | - | day
    [now] we talk                                      | at | 2025-06-18T10:00:00 | 2025-06-18T10:00:01 | second
"""


def _rows(table: str) -> list[tuple[str, str, str, str, str]]:
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]  # type: ignore[misc]


def _when(cell: str) -> datetime | None:
    return None if cell == "-" else datetime.fromisoformat(cell).replace(tzinfo=timezone.utc)


def _only(sentence: str, ref: datetime = REF, prefer: str = "past") -> tuple[str, str, TimeSpan]:
    """The bracketed words, the plain sentence and the one span found in it."""
    begin, end = sentence.index("["), sentence.index("]") - 1
    text = sentence.replace("[", "").replace("]", "")
    spans = find_times(text, ref, prefer=prefer)  # type: ignore[arg-type]
    assert len(spans) == 1, (text, spans)
    return text[begin:end], text, spans[0]


def _check(row: tuple[str, str, str, str, str], prefer: str = "past") -> None:
    sentence, relation, start, stop, grain = row
    words, text, span = _only(sentence, prefer=prefer)
    assert (span.relation, span.start, span.stop, span.grain) == (relation, _when(start), _when(stop), grain)
    if relation != "every":
        assert text[span.begin : span.end].removeprefix("about ") == words.removeprefix("about ")


@pytest.mark.parametrize("row", _rows(DATES), ids=lambda row: row[0])
def test_dates_as_people_write_them(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


@pytest.mark.parametrize("row", _rows(RELATIVE), ids=lambda row: row[0])
def test_told_from_today(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


@pytest.mark.parametrize("row", _rows(COUNTED), ids=lambda row: row[0])
def test_counted_from_today_or_from_a_date(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


@pytest.mark.parametrize("row", _rows(PARTS), ids=lambda row: row[0])
def test_parts_of_a_period(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


@pytest.mark.parametrize("row", _rows(HOLIDAYS), ids=lambda row: row[0])
def test_named_days(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


@pytest.mark.parametrize("row", _rows(LOOKS_BOTH_WAYS), ids=lambda row: row[0])
def test_what_looks_both_ways_is_taken_as_past(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


@pytest.mark.parametrize("row", _rows(LOOKS_AHEAD), ids=lambda row: row[0])
def test_or_as_future_when_the_talk_is_of_it(row: tuple[str, str, str, str, str]) -> None:
    _check(row, "future")


@pytest.mark.parametrize("row", _rows(RELATIONS), ids=lambda row: row[0])
def test_what_the_words_around_say_of_it(row: tuple[str, str, str, str, str]) -> None:
    _check(row)


FALSE_FRIENDS = """
    I may go, May called me, and April said hi to June
    May I come in? You may. In May's favour: she may 3 times refuse.
    March on, soldiers! We march on Rome.
    I sat down in the sun, we wed, and mon ami had a fall
    Spring water, a spring in her step, the fall of Rome, a summer job
    wait a second, second-hand, first of all, the second time, 1st prize
    for the day, one day we will, some day, a day like this, day by day
    She's 34, 34 years old, with 7-year-old twins, 3 months younger
    call +49 30 901820 or 555-0117, id 123-12-1234
    it costs $2000 or 2015 euros for 1990 people, 20% of 2000 units, #2015
    Room 2015, 14 Halyard Lane, 1990 Main Street, flight BA2023
    won 3-1, 10/10 would do it again, open 24/7, half a cup, 1/2 cup
    The Sun is a newspaper, my friend Wednesday Jones reads it
    the 28th floor, on the 3rd try, for the first time, in the 4th
    a Christmas tree, an Easter egg hunt, Halloween-themed, and the Tuesday quiz team
    my aunt's Sunday roast, on a Saturday morning, on a Friday
    a 3D map and a 7W bulb
    at the end of the day it's fine
    in time, on time, in no time, from time to time, the last time
    years of experience, for years, in ages, long ago
    Python 3.11, v2.0.1, iOS 17, Windows 95, GPT-4, COVID-19, 192.168.1.1
    8 to 10 people, 3 to 5 kids, at 12 I got a dog, 7 in total
    since then, since I was 12, since we talked, until then, before that, after all
    a mid-life crisis in his early twenties, in her 30s, late 30s
    the course will be here in the morning
    good night, good morning, last but not least, next door
    feb 30, 2015-13-45, 31.31.2015
    The next day we left, the following year we married, the next morning and the following Friday too
    it costs around 2000, with around 2010 people
"""


@pytest.mark.parametrize("text", [line.strip() for line in FALSE_FRIENDS.strip().splitlines()])
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert find_times(text, REF) == ()


def test_a_prepositon_is_not_part_of_the_expression_but_its_place_is_told() -> None:
    text = "We have lived in Berlin since about 2010, Anna says"
    (span,) = find_times(text, REF)
    assert text[span.begin : span.end] == "2010"
    assert text[span.outer : span.end] == "since about 2010"
    assert span.approximate


def test_a_preposition_of_another_word_is_not_taken() -> None:
    text = "the shelter I help at yesterday"
    (span,) = find_times(text, REF)
    assert span.lead is None
    assert span.outer == span.begin


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("for two hours", (2, "hour")),
        ("a week", (1, "week")),
        ("2.5 hours", (2.5, "hour")),
        ("an hour and a half", (1.5, "hour")),
        ("two and a half years", (2.5, "year")),
        ("½ hour", (0.5, "hour")),
        ("1 hour and 30 minutes", (90, "minute")),
        ("2 years 3 months", (27, "month")),
        ("a fortnight", (2, "week")),
        ("a couple of days", (2, "day")),
        ("90min", (90, "minute")),
        ("three weeks ago", (3, "week")),
        ("every two weeks", (2, "week")),
        ("every other Friday", (2, "week")),
        ("yesterday", None),
    ],
)
def test_lengths(text: str, length: tuple[float, str] | None) -> None:
    (span,) = find_times(text, REF)
    assert span.length == length


def test_the_end_of_a_range_is_known_only_to_its_grain() -> None:
    (span,) = find_times("at Acme from 2012 to 2016", REF)
    assert span.earliest_stop == datetime(2016, 1, 1, tzinfo=timezone.utc)
    assert span.stop == datetime(2017, 1, 1, tzinfo=timezone.utc)


def test_what_is_counted_from_the_reference_keeps_the_exact_point() -> None:
    (span,) = find_times("two weeks ago", REF)
    assert span.point == datetime(2025, 6, 4, 10, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "text", ["about two years ago", "early 2021", "a few weeks ago", "for roughly ten years", "two years or so"]
)
def test_hedges(text: str) -> None:
    (span,) = find_times(text, REF)
    assert span.approximate


def test_several_in_one_sentence_come_in_order() -> None:
    text = "I joined Acme in 2012, left in May last year and start at Globex next Monday at 9am"
    words = [text[s.begin : s.end] for s in find_times(text, REF)]
    assert words == ["2012", "May last year", "next Monday at 9am"]


def test_lists_of_days_are_one_each() -> None:
    text = "free on Monday, Tuesday or Friday, not Sat and Sun"
    words = [text[s.begin : s.end] for s in find_times(text, REF)]
    assert words[:3] == ["Monday", "Tuesday", "Friday"]


def test_what_are_you_up_to_is_no_limit() -> None:
    (span,) = find_times("What are you up to this weekend?", REF)
    assert span.relation == "at"
