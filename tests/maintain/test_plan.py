"""What a run decides, on facts as values: duplicates, likeness, worth, guards, summaries, budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.maintain import Policy, answered, due, make_plan, value
from lean_memory.maintain.duplicates import value_key
from lean_memory.names import content_id
from lean_memory.upkeep import Plan, Standing

DAY = 86_400_000
NOW = 2000 * DAY


class Table:
    """Of the predicates in these tests: `visited` is an event, `lives_in` has one value at a time."""

    def is_event(self, predicate: str) -> bool:
        return predicate == "visited"

    def single(self, predicate: str) -> bool:
        return predicate == "lives_in"


def fact(predicate: str, object: str, *, age: float = 400, salience: float = 3.0, **more: object) -> Standing:
    when = NOW - int(age * DAY)
    standing = Standing(
        id=content_id("test", predicate, object, age), subject="user", name="user", predicate=predicate, object=object,
        polarity="positive", text=f"user {predicate} {object}", revision=1, since=when, said_at=when, recorded_at=when,
        salience=salience,
    )  # fmt: skip
    return replace(standing, **more)  # type: ignore[arg-type]


def plan(*facts: Standing, cosine: float | None = None, **more: object) -> Plan:
    def cosines(pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        return [cosine] * len(pairs)

    options = {"now": NOW, "policy": Policy(), "rules": Table(), "roles": {}, "cosines": cosines, **more}
    return make_plan(sorted(facts, key=lambda fact: fact.id), **options)  # type: ignore[arg-type]


def kinds(made: Plan) -> list[str]:
    return [draft.kind for draft in made.drafts]


# ----------------------------------------------------------------------------------------------- exact duplicates


@pytest.mark.parametrize(
    ("one", "other"),
    [("jazz", "“jazz”"), ("jazz", "Jazz."), ("the zoo", "'the  zoo',"), ("Straße 5", "straße 5;"), ("U.S.", "U.S")],
)
def test_values_that_are_the_same_but_for_quotation_marks_and_a_full_stop(one: str, other: str) -> None:
    assert value_key(one) == value_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Yahoo!", "Yahoo"), (".NET", "NET"), ("C++", "C"), ("tea 1", "tea 2"), ("café", "cafe"), ("the Who", "who"),
     ("why?", "why"), ("-5", "5")],
)  # fmt: skip
def test_values_that_stay_apart(one: str, other: str) -> None:
    assert value_key(one) != value_key(other)


@given(st.text(max_size=12))
def test_a_key_is_its_own_key(text: str) -> None:
    assert value_key(value_key(text)) == value_key(text)


def test_the_one_known_longest_survives_and_its_pinned_duplicate_stays() -> None:
    old, new = fact("likes", "jazz", age=300), fact("likes", "“jazz”", age=200)
    made = plan(old, new)
    assert [(one.fact, one.into) for one in made.retirements] == [(new.id, old.id)]
    assert plan(old, replace(new, pinned=True)).retirements[0].into == new.id
    assert plan(replace(old, pinned=True), replace(new, pinned=True)).retirements == ()


def test_the_same_sentence_with_another_predicate_is_a_duplicate() -> None:
    one, other = fact("likes", "jazz"), fact("enjoys", "jazz", age=300, text="user likes jazz")
    assert [retired.fact for retired in plan(one, other).retirements] == [other.id]


def test_what_is_denied_about_another_or_under_review_is_none() -> None:
    one = fact("likes", "jazz")
    for other in (
        fact("likes", "jazz.", polarity="negative"), fact("likes", "jazz.", subject="anna"),
        fact("likes", "jazz.", proposed=True), fact("likes", "jazz.", summary=True),
    ):  # fmt: skip
        assert plan(one, other).retirements == ()


def test_two_visits_are_two_and_a_duplicate_of_a_duplicate_goes_into_the_same_survivor() -> None:
    assert plan(fact("visited", "Rome", age=400), fact("visited", "“Rome”", age=300)).retirements == ()
    cluster = [
        fact("likes", "jazz", age=300), fact("likes", "jazz.", age=200),
        fact("enjoys", "jazz", age=100, text="user likes jazz."),
    ]  # fmt: skip
    assert {retired.into for retired in plan(*cluster).retirements} == {cluster[0].id}
    assert len(plan(*cluster).retirements) == 2


# ------------------------------------------------------------------------------------------------------ near ones


@pytest.mark.parametrize(
    ("one", "other"),
    [("strong black coffee", "black coffee"), ("long walks by the sea", "long walks at the sea"),
     ("the music of Bach", "Bach music")],
)  # fmt: skip
def test_what_says_nearly_the_same_is_proposed(one: str, other: str) -> None:
    made = plan(fact("likes", one, age=10), fact("likes", other, age=5), cosine=0.95)
    assert kinds(made) == ["merge"]
    assert made.drafts[0].evidence["cosine"] == 0.95


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two black cats", "three black cats"),
        ("trains at 15 Oct", "trains at 16 Oct"),
        ("the 9 o'clock news", "the 10 o'clock news"),
        ("tea with milk", "tea without milk"),
        ("to fly business class", "not to fly business class"),
        ("dinner with Anna Berg", "dinner with Anna Holm"),
        ("Berlin winter mornings", "Bremen winter mornings"),
        ("early morning runs", "late morning runs"),
        ("meetings on monday morning", "meetings on friday morning"),
        ("hot black coffee", "cold black coffee"),
        ("version 3.10 of it", "version 3.11 of it"),
        ("我喜歡吃紅蘋果", "我喜歡吃綠蘋果"),
        ("winter in Lapland cabins", "summer in Lapland cabins"),
    ],
)
def test_never_across_a_number_a_date_a_name_or_a_negation(one: str, other: str) -> None:
    for age in (5, 10):
        assert kinds(plan(fact("likes", one, age=age), fact("likes", other, age=7), cosine=0.999)) == []


def test_a_role_and_the_one_who_has_it_are_proposed() -> None:
    one = fact("likes", "jazz", age=5, subject="user's sister", name="user's sister")
    other = fact("likes", "Jazz", age=5, subject="anna", name="Anna")
    made = plan(one, other, roles={"user's sister": "anna"})
    assert [draft.payload["survivor"] for draft in made.drafts] == [other.id]
    assert kinds(plan(one, other)) == []


# --------------------------------------------------------------------------------------------- worth and eviction


@given(st.floats(0, 10), st.integers(0, 5000), st.integers(0, 10**6))
def test_a_value_is_from_nought_to_one_and_grows_with_each_part(salience: float, age: int, hits: int) -> None:
    def worth(salience: float, age: int, hits: int) -> float:
        return value(salience, NOW - age * DAY, hits, now=NOW, policy=Policy())

    assert 0 <= worth(salience, age, hits) <= 1
    assert worth(salience, age, hits) <= worth(min(10, salience + 1), age, hits)
    assert worth(salience, age, hits) <= worth(salience, max(0, age - 9), hits)
    assert worth(salience, age, hits) <= worth(salience, age, hits + 1)


def test_the_value_of_an_old_unused_fact() -> None:
    assert value(4.0, NOW - 180 * DAY, 0, now=NOW, policy=Policy()) == pytest.approx(0.5 * 0.4 + 0.3 * 0.5)
    assert value(10.0, NOW, 3, now=NOW, policy=Policy()) == pytest.approx(0.5 + 0.3 + 0.2 * 0.5)


def test_the_strict_band_goes_by_itself() -> None:
    trivial = fact("bought", "a pen", salience=1.9, age=181)
    assert [one.fact for one in plan(trivial).evictions] == [trivial.id]
    for kept in (
        replace(trivial, salience=2.0), replace(trivial, hits=1), replace(trivial, said_at=NOW - 180 * DAY),
        replace(trivial, pinned=True), replace(trivial, proposed=True), replace(trivial, summary=True),
    ):  # fmt: skip
        assert plan(kept).evictions == ()


def test_below_the_threshold_it_is_proposed_with_its_value_as_evidence() -> None:
    old = fact("watched", "Heat", salience=3.0, age=700)
    [draft] = plan(old).drafts
    assert (draft.kind, draft.payload) == ("eviction", {"facts": [old.id]})
    assert draft.evidence["value"] == pytest.approx(0.1703, abs=1e-3)
    assert draft.evidence["age_days"] == 700


@pytest.mark.parametrize("guard", [{"salience": 6.0}, {"pinned": True}, {"proposed": True}, {"summary": True}])
def test_the_guards(guard: dict[str, object]) -> None:
    policy = Policy(threshold=2.0)  # all is worth too little
    old = fact("watched", "Heat", salience=3.0, age=700)
    assert kinds(plan(old, policy=policy)) == ["eviction"]
    assert kinds(plan(replace(old, **guard), policy=policy)) == []  # type: ignore[arg-type]
    assert kinds(plan(replace(old, said_at=NOW - 89 * DAY), policy=policy)) == []


# ------------------------------------------------------------------------------------------------------ summaries

THINGS = ["a lamp", "a rug", "a bowl", "a desk", "a bed", "a clock"]


def test_an_old_cluster_becomes_one_sentence_that_says_no_more() -> None:
    facts = [fact("bought", thing, age=400 - n) for n, thing in enumerate(THINGS)]
    [draft] = plan(*facts).drafts
    assert draft.payload["text"] == "user bought a lamp, a rug, a bowl, a desk, a bed and a clock"
    assert draft.payload["sources"] == [fact.id for fact in facts]
    assert {target for target, _ in draft.targets} == {fact.id for fact in facts}


def test_no_summary_of_the_young_the_few_the_weighty_the_denied_or_of_values_that_exclude_each_other() -> None:
    for facts in (
        [fact("bought", thing, age=100) for thing in THINGS],
        [fact("bought", thing, age=400) for thing in THINGS[:4]],
        [fact("bought", thing, salience=7.0) for thing in THINGS],
        [fact("bought", thing, polarity="negative") for thing in THINGS],
        [fact("lives_in", thing, salience=5.0) for thing in THINGS],
        [fact("bought", thing, summary=True) for thing in THINGS],
        [fact("bought", thing, pinned=True) for thing in THINGS],
    ):
        assert "summary" not in kinds(plan(*facts))


def test_a_large_cluster_is_told_in_several() -> None:
    many = [fact("bought", f"thing {chr(97 + n)}{chr(98 + n)}c", age=900 - n) for n in range(17)]
    sizes = [len(draft.targets) for draft in plan(*many).drafts if draft.kind == "summary"]
    assert sizes == [8, 8]


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ('{"summary": "The user bought furniture: a lamp and a rug."}', True),
        ('{"summary": "The user bought a lamp in 2019."}', False),
        ('{"summary": "The user bought a lamp with Anna."}', False),
        ('{"summary": ""}', False),
        ('{"summary": 5}', False),
        ('{"summary": "' + "lamp " * 100 + '"}', False),
        ("Sure! Here is a summary", False),
        ("[]", False),
    ],
)
def test_a_models_sentence_is_taken_if_it_adds_no_number_and_no_name(answer: str, taken: bool) -> None:
    assert (answered(answer, ["user bought a lamp", "user bought a rug"]) is not None) == taken


# --------------------------------------------------------------------------------------------------------- budget


def test_a_run_proposes_no_more_than_its_budget_and_says_what_it_left() -> None:
    facts = [fact("watched", f"film {chr(97 + n // 26)}{chr(97 + n % 26)}x", age=700, salience=2.5) for n in range(60)]
    lone = [replace(one, predicate=f"watched_{n}") for n, one in enumerate(facts)]
    made = plan(*lone)
    assert (len(made.drafts), made.deferred) == (50, 10)
    assert len(plan(*lone, budget=3).drafts) == 3
    assert plan(*lone, budget=0).drafts == ()


def test_what_was_proposed_or_declined_is_not_proposed_again() -> None:
    old = fact("watched", "Heat", age=700)
    [draft] = plan(old).drafts
    assert plan(old, staged={draft.id}).drafts == ()
    assert plan(replace(old, revision=2), staged={draft.id}).drafts != ()
    assert plan(replace(old, revision=2), declined={("eviction", frozenset({old.id}))}).drafts == ()


def test_a_fact_is_touched_once() -> None:
    facts = [fact("bought", thing, salience=1.0 if n % 2 else 3.0) for n, thing in enumerate([*THINGS, "a lamp."] * 2)]
    unique = {one.id: one for one in facts}.values()
    made = plan(*unique)
    touched = [one.fact for one in (*made.retirements, *made.evictions)]
    touched += [target for draft in made.drafts for target, _ in draft.targets]
    assert len(touched) == len(set(touched))


def test_when_a_run_is_due() -> None:
    quiet = {"facts": 0.0, "salience": 0.0, "days": 400.0}
    assert due(quiet, Policy(), ran=False) == ["it never ran"]
    assert due(quiet, Policy(), ran=True) == []
    assert due({**quiet, "facts": 1.0}, Policy(), ran=True) == ["400 days since the last run"]
    assert due({"facts": 200.0, "salience": 10.0, "days": 0.1}, Policy(), ran=True) == ["200 new facts"]
    assert due({"facts": 50.0, "salience": 301.0, "days": 0.1}, Policy(), ran=True) != []
    assert due({"facts": 199.0, "salience": 299.0, "days": 6.9}, Policy(), ran=True) == []
