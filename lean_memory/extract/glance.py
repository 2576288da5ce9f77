"""Whether a text can name a time at all, told at a glance: the grammar that reads times takes longer to load than most
searches take, and most questions name none."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["TIME_WORDS", "may_name_time"]

TIME_WORDS: Final = frozenset(
    """
    academic afternoon afternoons annually apr april armistice arvo aug august autumn autumns bastille before
    bimonthly biweekly bonfire boxing business calendar centuries century christmas christmases clock columbus cy
    daily day days dec decade decades december easter easters eighteenth eighth eighties eleventh eve evening
    evenings everyday fall father fathers fawkes feb february fifteenth fifth fifties financial first fiscal forties
    fortnight fortnightly fortnights fourteenth fourth fri friday fridays fy h1 h2 hallowe halloween holiday
    holidays hour hourly hours hr hrs independence international jan january jul july jun june juneteenth just labor
    labour last lunch lunchtime mar march mardi martin may memorial midday midnight min mins minute minutes mlk mo
    moment mon monday mondays month monthly months mornin morning mornings mos mother mothers mtd mth mths night
    nightly nights nineteen nineteenth nineties ninth nite noon noonish nov november now nye oclock oct october past
    patrick pentecost present president presidents q1 q2 q3 q4 quarter quarterly quarters right saints sat saturday
    saturdays school sec second seconds secs semiannually sep sept september seventeenth seventh seventies sixteenth
    sixth sixties spring springs springtime summer summers summertime sun sunday sundays tenth thanks thanksgiving
    thanksgivings third thirteenth thirties thirtieth this thousand thu thur thurs thursday thursdays tmr tmrw today
    tommorow tommorrow tomorow tomorrow tonight tonite tue tues tuesday tuesdays twelfth twenties twentieth twenty
    valentine valentines veteran veterans washington wed wednesday wednesdays weds week weekdays weekend weekends
    weekly weeks winter winters wintertime wk wks women work workday workdays working xmas yday year yearly years
    yesterday yr yrs ytd
    """.split()
)
"""The words without one of which no English time expression is, as `times/english.toml` has them."""

_WORDS = re.compile(r"[a-z]+")
_OTHER = re.compile(r"[0-9½¼¾\u3400-\u9fff]")


def may_name_time(text: str) -> bool:
    """False if `find_times` finds nothing in an English or Chinese text; True if it may."""
    return _OTHER.search(text) is not None or not TIME_WORDS.isdisjoint(_WORDS.findall(text.lower()))
