"""Do two values say the same? Cheap ways first; what differs in a number, a name or a negation stays apart."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.errors import BackendUnavailable
from lean_memory.records import Episode, Fact, fact_id
from lean_memory.resolve import Rules, as_known
from lean_memory.resolve.ladder import ask, finer, judge, read_answer
from tests.resolve.test_timeline import Rule

RULES = Rules({"likes": Rule(excludes=("dislikes",)), "lives_in": Rule(functional=True), "visited": Rule(kind="event")})


@pytest.mark.parametrize(
    ("new", "old", "similarity", "relation", "route"),
    [
        ("Mushrooms", "mushrooms", None, "same", "slot"),
        ("mushroom", "mushrooms", None, "same", "containment"),
        ("a dog", "dogs", None, "same", "containment"),
        ("strawberry", "the strawberries", None, "same", "containment"),
        ("bread baking", "baking bread", 0.99, "same", "cosine"),
        ("green tea", "tea", 0.87, "finer", "containment"),
        ("tea", "green tea", 0.87, "coarser", "containment"),
        ("2 dogs", "3 dogs", 0.99, "other", "containment"),
        ("tea without milk", "tea", 0.99, "other", "containment"),
        ("Anna Berg", "Anna Holm", 0.99, "other", "containment"),
        ("jazz", "gardening", 0.3, "other", "cosine"),
    ],
)
def test_the_cheap_rungs(new: str, old: str, similarity: float | None, relation: str, route: str) -> None:
    verdict = judge(new, old, similarity)
    assert verdict is not None
    assert (verdict.relation, verdict.route, verdict.similarity) == (relation, route, similarity)
    assert verdict.reason


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        ("red wine", "white wine", 0.99),
        ("films", "movies", 0.93),
        ("moving from here to there", "moving from there to here", 0.99),
        ("bread baking", "baking bread", None),
    ],
)
def test_what_only_a_reader_could_tell_is_left_open(one: str, other: str, similarity: float | None) -> None:
    assert judge(one, other, similarity) is None


WORDS = st.lists(st.sampled_from("red white wine tea dogs dog no not 2 3 Anna Berg from to in the".split()), max_size=4)
VALUES = WORDS.map(" ".join)


@given(VALUES, VALUES, st.none() | st.floats(-1, 1))
def test_same_works_both_ways_and_finer_is_coarser_seen_from_the_other_side(
    one: str, other: str, similarity: float | None
) -> None:
    mirrored = {"finer": "coarser", "coarser": "finer"}
    there, back = judge(one, other, similarity), judge(other, one, similarity)
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert back.relation == mirrored.get(there.relation, there.relation)
    assert not (finer(one, other) and finer(other, one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Berlin-Kreuzberg", "Berlin"),
        ("Kreuzberg, Berlin", "berlin"),
        ("Mitte (Berlin)", "Berlin"),
        ("a flat in Rome", "Rome"),
    ],
)
def test_a_place_named_more_exactly(one: str, other: str) -> None:
    assert finer(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("New York", "York"), ("Berlin", "Berlin"), ("Berlin, 10115", "Berlin"), ("Bonn", "")]
)
def test_no_more_exact_name(one: str, other: str) -> None:
    assert not finer(one, other)


# --------------------------------------------------------------------------------------------------------- a model


def test_a_prompt_is_bounded_and_quotes_what_is_stored() -> None:
    prompt = ask("user", "interested_in", "x" * 10_000, 'a "b"\nsecond: c')
    assert len(prompt) < 1500
    assert '\\"b\\"\\nsecond' in prompt


@pytest.mark.parametrize("answer", ["", "same", "[]", '{"answer": 1}', '{"answer": "different"}', "null"])
def test_only_a_clear_answer_joins(answer: str) -> None:
    assert read_answer(answer, "m").relation == "other"
    assert read_answer('{"answer": "same"}', "m").relation == "same"


def fact(value: str, predicate: str = "likes", **fields: str) -> Fact:
    return Fact(
        id=fact_id("user", predicate, value), subject="user", predicate=predicate, object=value, text=value,
        quote=value, span=(0, len(value)), **fields,  # type: ignore[arg-type]
    )  # fmt: skip


def episode(*facts: Fact) -> Episode:
    return Episode(id="0" * 32, text="x", t_ref=0, facts=facts)


def test_a_restatement_in_other_words_goes_by_the_known_name() -> None:
    known = fact("jogging")
    asked: list[str] = []

    def model(prompt: str, schema: object) -> str:
        asked.append(prompt)
        return json.dumps({"answer": "same"})

    told, decisions = as_known(
        episode(fact("running")), lambda _: [(known.id, "jogging", 0.77)], RULES, ("tiny", model)
    )
    assert (told.facts[0].id, told.facts[0].object, told.facts[0].quote) == (known.id, "jogging", "running")
    assert [(d.verdict.relation, d.verdict.route, d.verdict.reason) for d in decisions] == [
        ("same", "llm", "tiny says so")
    ]
    assert len(asked) == 1


def test_without_a_model_or_an_answer_they_stay_apart() -> None:
    def away(prompt: str, schema: object) -> str:
        raise BackendUnavailable("no server")

    for model in (None, ("tiny", away)):
        told, [decision] = as_known(episode(fact("running")), lambda _: [("1" * 32, "jogging", 0.77)], RULES, model)
        assert told.facts[0].object == "running"
        assert decision.verdict.relation == "other"


def test_slots_events_and_corrections_mean_what_they_say() -> None:
    said = episode(fact("Rome", "lives_in"), fact("Rome", "visited"), fact("dog", cue="corrects"))
    told, decisions = as_known(said, lambda _: [("1" * 32, "dogs", 0.99), ("2" * 32, "the Rome", 0.99)], RULES, None)
    assert (told, decisions) == (said, [])
