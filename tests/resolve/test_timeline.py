"""What is held true, from what was said: the stories people tell, and the laws behind them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.claims import Claim, Interval
from lean_memory.records import fact_id
from lean_memory.resolve import Rules, timeline


@dataclass(frozen=True)
class Rule:
    functional: bool = False
    shared_slot: bool = False
    replaceable: bool = False
    kind: str = "state"
    excludes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()


RULES = Rules(
    {
        "lives_in": Rule(functional=True),
        "likes": Rule(excludes=("dislikes",)),
        "dislikes": Rule(),
        "married_to": Rule(functional=True, ends=("engaged_to",)),
        "engaged_to": Rule(functional=True),
        "visited": Rule(kind="event"),
        "uses": Rule(replaceable=True),
        "member_of": Rule(shared_slot=True),
        "diet": Rule(alternatives=("vegan", "vegetarian")),
    }
)


def said(
    at: float,
    what: str,
    *,
    since: float | None = None,
    until: float | None = None,
    cue: str | None = None,
    time_text: str | None = None,
    unknown_start: bool = False,
) -> Claim:
    """`said(2020, "lives_in Leeds")`; a leading `not ` makes it negative."""
    polarity = "negative" if what.startswith("not ") else "positive"
    predicate, value = what.removeprefix("not ").split(" ", 1)
    start = None if unknown_start else year(at if since is None else since)
    return Claim(
        fact=what, object=value, polarity=polarity, predicate=predicate, episode=f"e{at}", said_at=year(at),
        valid_at=start, valid_to=None if until is None else year(until), cue=cue, time_text=time_text,
    )  # fmt: skip


def year(number: float) -> int:
    """An instant early in the year, in milliseconds."""
    return round(number * 365 * 86_400_000)


STORIES = {
    "a newer value supersedes": (
        [said(2020, "lives_in Leeds"), said(2022, "lives_in Cardiff")],
        {("lives_in Leeds", 2020, 2022), ("lives_in Cardiff", 2022, None)},
    ),
    "an older one that arrives late is filed into the past": (
        [said(2022, "lives_in Cardiff"), said(2020, "lives_in Leeds")],
        {("lives_in Leeds", 2020, 2022), ("lives_in Cardiff", 2022, None)},
    ),
    "so is a past told later": (
        [said(2022, "lives_in Cardiff"), said(2023, "lives_in Leeds", since=2019)],
        {("lives_in Leeds", 2019, 2022), ("lives_in Cardiff", 2022, None)},
    ),
    "a change told late counts from its own date": (
        [said(2020, "lives_in Leeds"), said(2024, "lives_in Cardiff", since=2022)],
        {("lives_in Leeds", 2020, 2022), ("lives_in Cardiff", 2022, None)},
    ),
    "what has held for a while was seen to hold when said": (
        [said(2023, "lives_in Leeds"), said(2024, "lives_in Cardiff", since=2022, time_text="for two years")],
        {("lives_in Cardiff", 2022, 2023), ("lives_in Leeds", 2023, 2024), ("lives_in Cardiff", 2024, None)},
    ),
    "a restatement changes nothing": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Leeds"), said(2022, "lives_in Leeds")],
        {("lives_in Leeds", 2020, None)},
    ),
    "a return opens the old value again": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Cardiff"), said(2022, "lives_in Leeds")],
        {("lives_in Leeds", 2020, 2021), ("lives_in Cardiff", 2021, 2022), ("lives_in Leeds", 2022, None)},
    ),
    "a plan holds from its own date, and today's value until then": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Oslo", since=2025), said(2022, "lives_in Leeds")],
        {("lives_in Leeds", 2020, 2025), ("lives_in Oslo", 2025, None)},
    ),
    "a plan called off never comes": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Oslo", since=2025), said(2022, "not lives_in Oslo")],
        {("lives_in Leeds", 2020, None), ("lives_in Oslo", 2025, 2025), ("not lives_in Oslo", 2022, None)},
    ),
    "an end without a successor": (
        [said(2020, "lives_in Leeds"), said(2022, "lives_in Leeds", until=2021, unknown_start=True)],
        {("lives_in Leeds", 2020, 2021)},
    ),
    "used to: before everything known": (
        [said(2020, "lives_in Leeds"), said(2022, "lives_in Paris", until=2022, unknown_start=True)],
        {("lives_in Paris", None, 2020), ("lives_in Leeds", 2020, None)},
    ),
    "used to, until a year: just before that year": (
        [said(2020, "lives_in Leeds"), said(2022, "lives_in Paris", until=2015, unknown_start=True)],
        {("lives_in Paris", None, 2015), ("lives_in Leeds", 2020, None)},
    ),
    "a correction: the wrong value was never true, the right one was all along": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Leith", cue="corrects")],
        {("lives_in Leeds", 2020, 2020), ("lives_in Leith", 2020, None)},
    ),
    "a correction spares the value before the wrong one": (
        [said(2018, "lives_in Bath"), said(2020, "lives_in Leeds"), said(2021, "lives_in Leith", cue="corrects")],
        {("lives_in Bath", 2018, 2020), ("lives_in Leeds", 2020, 2020), ("lives_in Leith", 2020, None)},
    ),
    "a denial closes the positive": (
        [said(2020, "likes jazz"), said(2021, "not likes jazz")],
        {("likes jazz", 2020, 2021), ("not likes jazz", 2021, None)},
    ),
    "an opposite closes its opposite": (
        [said(2020, "dislikes jazz"), said(2021, "likes jazz")],
        {("dislikes jazz", 2020, 2021), ("likes jazz", 2021, None)},
    ),
    "a wedding ends the engagement, not the reverse": (
        [said(2020, "engaged_to Kim"), said(2021, "married_to Kim")],
        {("engaged_to Kim", 2020, 2021), ("married_to Kim", 2021, None)},
    ),
    "also: a second value beside the first": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Bath", cue="adds")],
        {("lives_in Leeds", 2020, None), ("lives_in Bath", 2021, None)},
    ),
    "a change of late is news, whatever was said the day before": (
        [said(2024, "lives_in Leeds"), said(2024.01, "lives_in Cardiff", since=2023.99)],
        {("lives_in Cardiff", 2023.99, 2024), ("lives_in Leeds", 2024, 2024.01), ("lives_in Cardiff", 2024.01, None)},
    ),
    "an end of late outdoes what was said before it was told": (
        [said(2024, "lives_in Leeds"), said(2024.01, "lives_in Leeds", until=2023.99, unknown_start=True)],
        {("lives_in Leeds", None, 2023.99)},
    ),
    "now: in place of the only one there was": (
        [said(2020, "uses Jira"), said(2021, "uses Asana", cue="replaces")],
        {("uses Jira", 2020, 2021), ("uses Asana", 2021, None)},
    ),
    "now: which of two it replaces is not said": (
        [said(2020, "uses Jira"), said(2020.5, "uses Miro"), said(2021, "uses Asana", cue="replaces")],
        {("uses Jira", 2020, None), ("uses Miro", 2020.5, None), ("uses Asana", 2021, None)},
    ),
    "an end named in short ends the one value that it can mean": (
        [said(2020, "member_of Tuesday quiz team"), said(2021, "member_of quiz team", until=2021, unknown_start=True)],
        {("member_of Tuesday quiz team", 2020, 2021), ("member_of quiz team", 2021, 2021)},
    ),
    "an end named in short that could mean two ends neither": (
        [
            said(2020, "member_of Tuesday quiz team"), said(2020, "member_of office quiz team"),
            said(2021, "not member_of quiz team"),
        ],
        {
            ("member_of Tuesday quiz team", 2020, None), ("member_of office quiz team", 2020, None),
            ("not member_of quiz team", 2021, None),
        },
    ),
    "a number makes it another value": (
        [said(2020, "uses Python"), said(2021, "uses Python 2", until=2021, unknown_start=True)],
        {("uses Python", 2020, None), ("uses Python 2", None, 2021)},
    ),
    "what happened stays happened": (
        [said(2022, "visited Peru"), said(2023, "visited Peru", since=2019)],
        {("visited Peru", 2019, None)},
    ),
    "of alternatives one holds at a time, beside what is none": (
        [said(2020, "diet vegetarian"), said(2020, "diet gluten-free"), said(2021, "diet Vegan")],
        {("diet vegetarian", 2020, 2021), ("diet gluten-free", 2020, None), ("diet Vegan", 2021, None)},
    ),
    "a less exact restatement leaves the exact value": (
        [said(2020, "lives_in Leeds-Armley"), said(2021, "lives_in Leeds")],
        {("lives_in Leeds-Armley", 2020, None), ("lives_in Leeds", 2021, 2021)},
    ),
    "a more exact value follows the less exact one": (
        [said(2020, "lives_in Leeds"), said(2021, "lives_in Armley, Leeds")],
        {("lives_in Leeds", 2020, 2021), ("lives_in Armley, Leeds", 2021, None)},
    ),
    "who no longer lives in the town has left the quarter": (
        [said(2020, "lives_in Leeds-Armley"), said(2021, "not lives_in Leeds")],
        {("lives_in Leeds-Armley", 2020, 2021), ("not lives_in Leeds", 2021, None)},
    ),
    "an end of the town is an end of the quarter": (
        [said(2020, "lives_in Leeds-Armley"), said(2022, "lives_in Leeds", until=2021, unknown_start=True)],
        {("lives_in Leeds-Armley", 2020, 2021), ("lives_in Leeds", 2021, 2021)},
    ),
    "coming back to the town after another one is a move": (
        [said(2020, "lives_in Leeds-Armley"), said(2021, "lives_in Bath"), said(2022, "lives_in Leeds")],
        {("lives_in Leeds-Armley", 2020, 2021), ("lives_in Bath", 2021, 2022), ("lives_in Leeds", 2022, None)},
    ),
    "a move within the town is a move where it is said to be one": (
        [said(2020, "lives_in Leeds-Armley"), said(2021, "lives_in Leeds", cue="replaces")],
        {("lives_in Leeds-Armley", 2020, 2021), ("lives_in Leeds", 2021, None)},
    ),
    "part of a name is another name": (
        [said(2020, "lives_in New York"), said(2021, "lives_in York")],
        {("lives_in New York", 2020, 2021), ("lives_in York", 2021, None)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES, ids=str)
def test_story(story: str) -> None:
    claims, expected = STORIES[story]
    result = timeline(claims, RULES)
    assert {(i.fact, i.valid_at, i.valid_to) for i in result.intervals} == {
        (fact, *(None if bound is None else year(bound) for bound in bounds)) for fact, *bounds in expected
    }


def test_each_end_says_why() -> None:
    result = timeline([said(2020, "lives_in Leeds"), said(2022, "lives_in Cardiff")], RULES)
    ending = result.endings[Interval("lives_in Leeds", year(2020), year(2022))]
    assert (ending.action, ending.by.episode) == ("superseded", "e2022")


years = st.integers(2000, 2012).map(year) | st.integers(0, 12).map(lambda day: year(2006) + day * 86_400_000)
claims = st.builds(
    lambda at, what, since, until, cue, text, unknown: Claim(
        fact=fact_id("user", "lives_in", what[1], what[0]),
        object=what[1], polarity=what[0], predicate="lives_in", episode=f"e{at}", said_at=at,
        valid_at=None if unknown and until is not None else min(since, until) if until is not None else since,
        valid_to=until, cue=cue, time_text=text,
    ),
    years,
    st.tuples(
        st.sampled_from(["positive", "positive", "negative"]), st.sampled_from(["Leeds", "Leeds-Armley", "Oslo"])
    ),
    years,
    st.none() | years,
    st.sampled_from([None, None, "corrects"]),
    st.sampled_from([None, "since then"]),
    st.booleans(),
)  # fmt: skip


@given(st.lists(claims, max_size=8).flatmap(lambda cs: st.tuples(st.just(cs), st.permutations(cs))))
def test_order_of_arrival_does_not_matter(pair: tuple[list[Claim], list[Claim]]) -> None:
    assert timeline(pair[0], RULES) == timeline(pair[1], RULES)


@given(st.lists(claims, max_size=8))
def test_values_of_a_functional_slot_never_overlap(said_all: list[Claim]) -> None:
    positive = {c.fact for c in said_all if c.polarity == "positive"}
    held = [i for i in timeline(said_all, RULES).intervals if i.fact in positive and i.valid_at != i.valid_to]
    spans = [(float("-inf") if i.valid_at is None else i.valid_at, i.valid_to or float("inf")) for i in held]
    for n, (begin, end) in enumerate(spans):
        assert begin < end
        for other_begin, other_end in spans[n + 1 :]:
            assert end <= other_begin or other_end <= begin


@given(st.lists(claims, min_size=1, max_size=8))
def test_no_proposition_is_lost(said_all: list[Claim]) -> None:
    assert {c.fact for c in said_all} == {i.fact for i in timeline(said_all, RULES).intervals}


@given(st.lists(claims, max_size=6))
def test_saying_it_all_again_changes_nothing(said_all: list[Claim]) -> None:
    assert timeline(said_all, RULES) == timeline(said_all + said_all, RULES)


def test_a_restatement_says_what_it_restates() -> None:
    history = timeline([said(2020, "lives_in Leeds-Armley"), said(2021, "lives_in Leeds")], RULES)
    assert history.restated == {"lives_in Leeds": "lives_in Leeds-Armley"}
