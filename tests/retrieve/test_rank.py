"""From candidates and their scores to the list that a user sees."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.records import Hit
from lean_memory.retrieve import Tuning, Weights, rank, rerank, understand
from tests.retrieve.hits import DAY, NOW, known, said

RELEVANCE = Weights(1, 0, 0)


def texts(hits: list[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def even(loaded: Mapping[int, Hit]) -> list[tuple[int, float]]:
    """All candidates match alike."""
    return [(item, 0.5) for item in loaded]


def test_the_best_in_both_arms_is_first() -> None:
    loaded = {2: said("tea"), 4: said("green tea"), 6: said("sencha")}
    hits = rank("green tea", loaded, sparse=[(4, 3.0), (2, 1.0)], dense=[(4, 0.8), (6, 0.7), (2, 0.6)], now=NOW)
    assert texts(hits) == ["green tea", "tea", "sencha"]
    assert [hit.rank for hit in hits] == [1, 2, 3]


def test_explain_shows_the_parts_and_the_score_is_their_weighted_mean() -> None:
    loaded = {2: said("tea", at=NOW - 180 * DAY), 3: known("Anna", "likes", "tea", salience=8)}
    for hit in rank("Anna tea", loaded, sparse=[(2, 1.0), (3, 2.0)], now=NOW, explain=True):
        assert hit.parts is not None
        assert all(0 <= part <= 1 for part in hit.parts.values())
        parts = [hit.parts[name] for name in ("relevance", "recency", "importance")]
        assert hit.score == pytest.approx(0.6 * parts[0] + 0.2 * parts[1] + 0.2 * parts[2])
    older = next(hit for hit in rank("tea", loaded, sparse=[(2, 1.0)], now=NOW, explain=True) if hit.kind == "episode")
    assert older.parts is not None
    assert older.parts["recency"] == pytest.approx(0.5)
    assert rank("tea", loaded, sparse=[(2, 1.0)], now=NOW)[0].parts is None


def test_of_near_equals_the_newer_is_first_and_of_unlike_ones_the_better() -> None:
    loaded = {2: said("Acme", at=NOW - 300 * DAY), 4: said("Bolt", at=NOW), 6: said("tea", at=NOW)}
    hits = rank("?", loaded, sparse=[(2, 1.0), (4, 0.95), (6, 0.3)], now=NOW)
    assert texts(hits) == ["Bolt", "Acme", "tea"]


def test_a_future_date_counts_as_now() -> None:
    hits = rank("x", {2: said("x", at=NOW + DAY)}, sparse=[(2, 1.0)], now=NOW, explain=True)
    assert hits[0].parts is not None
    assert hits[0].parts["recency"] == 1


def test_weights_are_the_users() -> None:
    loaded = {2: said("old but right", at=0), 4: said("new", at=NOW)}
    sparse = [(2, 2.0), (4, 0.1)]
    assert texts(rank("?", loaded, sparse=sparse, now=NOW, weights=Weights(1, 0, 0)))[0] == "old but right"
    assert texts(rank("?", loaded, sparse=sparse, now=NOW, weights=Weights(0, 1, 0)))[0] == "new"
    assert [hit.score for hit in rank("?", loaded, sparse=sparse, now=NOW, weights=Weights(0, 0, 0))] == [0, 0]


# ------------------------------------------------------------------------------------------- who and what is asked


def test_the_person_asked_about_comes_first() -> None:
    loaded = {
        3: known("user", "works_at", "Acme"),
        5: known("Anna", "works_at", "Bolt"),
        7: known("user's sister", "works_at", "Crane"),
    }
    first = {question: rank(question, loaded, sparse=even(loaded), now=NOW)[0].text
             for question in ("Where do I work?", "Where does Anna work?", "Where does my sister work?")}  # fmt: skip
    assert first == {
        "Where do I work?": "user works at Acme",
        "Where does Anna work?": "Anna works at Bolt",
        "Where does my sister work?": "user's sister works at Crane",
    }


def test_who_said_it_counts_as_whom_it_is_about() -> None:
    loaded = {2: said("I went hiking", speaker="Anna"), 4: said("I was out hiking", speaker="Ben")}
    assert rank("Where did Ben hike?", loaded, sparse=even(loaded), now=NOW)[0].speaker == "Ben"


def test_the_predicate_asked_for_comes_first() -> None:
    loaded = {3: known("user", "lives_in", "Berlin"), 5: known("user", "works_at", "Acme")}
    asks = {"works_at": ["where work", "employer"], "lives_in": ["where live"]}
    for question in ("Where am I working?", "Who is my employer?"):
        query = understand(question, asks=asks)
        assert set(query.predicates) == {"works_at"}
        assert rank(query, loaded, sparse=even(loaded), now=NOW)[0].text == "user works at Acme"


def test_the_fact_that_answers_stands_above_a_text_that_shares_more_words() -> None:
    loaded = {
        2: said("Another company closed. What a year to work, whatever company I work for."),
        3: known("user", "works_at", "Acme"),
    }
    query = understand("What company do I work for?", asks={"works_at": ["work", "company"]})
    assert rank(query, loaded, sparse=[(2, 9.0), (3, 3.0)], now=NOW)[0].text == "user works at Acme"


def test_a_denial_answers_only_who_asks_for_it() -> None:
    loaded = {3: known("user", "eats", "eggs", polarity="negative"), 5: known("Anna", "eats", "eggs")}
    asks = {"eats": ["eat"]}
    first = {
        question: rank(understand(question, asks=asks), loaded, sparse=[(3, 5.0), (5, 4.9)], now=NOW)[0].id
        for question in ("Who eats eggs?", "Who doesn't eat eggs?", "eggs")
    }
    assert first == {"Who eats eggs?": loaded[5].id, "Who doesn't eat eggs?": loaded[3].id, "eggs": loaded[3].id}


def test_a_fact_that_still_holds_is_not_old() -> None:
    loaded = {2: said("new talk of Acme", at=NOW), 3: known("Anna", "works_at", "Acme", at=NOW - 2000 * DAY)}
    parts = {hit.kind: hit.parts for hit in rank("Acme", loaded, sparse=even(loaded), now=NOW, explain=True)}
    assert parts["fact"]["recency"] == pytest.approx(0.5, abs=0.01)  # type: ignore[index]


def test_what_tells_a_time_answers_when() -> None:
    loaded = {2: said("We moved to the lake"), 4: said("We moved in last May")}
    assert rank("When did we move?", loaded, sparse=even(loaded), now=NOW)[0].text == "We moved in last May"


@pytest.mark.parametrize(
    "hit",
    [
        said("in time", at=NOW - 5 * DAY),
        known("Anna", "visited", "Rome", at=0, valid_at=NOW - 5 * DAY),
        known("Anna", "lives_in", "Rome", at=0, valid_at=DAY, valid_to=NOW - 5 * DAY),
    ],
)
def test_what_was_said_or_true_in_the_period_named_comes_first(hit: Hit) -> None:
    loaded = {2: hit, 4: said("out of time", at=NOW - 50 * DAY), 7: known("Ben", "lives_in", "Oslo", at=DAY)}
    query = understand("Anna", periods=[(NOW - 7 * DAY, NOW)])
    assert rank(query, loaded, sparse=even(loaded), now=NOW, weights=RELEVANCE)[0] == rank(
        query, {2: hit}, sparse=[(2, 0.5)], now=NOW, weights=RELEVANCE
    )[0]  # fmt: skip


def test_boosts_cut_nothing() -> None:
    loaded = {2: said("nothing of the kind", speaker="Ben"), 3: known("Ben", "likes", "tea")}
    query = understand("When did Anna work?", asks={"works_at": ["work"]}, periods=[(0, 1)])
    assert len(rank(query, loaded, dense=even(loaded), now=NOW)) == 2


def test_who_likes_it_is_not_answered_by_who_does_not() -> None:
    loaded = {3: known("Ben", "dislikes", "karaoke"), 5: known("Anna", "likes", "karaoke")}
    query = understand("Who likes karaoke?", asks={"likes": ["likes"]}, excludes={"likes": ["dislikes"]})
    assert texts(rank(query, loaded, sparse=[(3, 1.0), (5, 0.8)], now=NOW))[0] == "Anna likes karaoke"


def test_what_is_over_comes_later_unless_the_past_is_asked_for() -> None:
    loaded = {2: said("I drive the red car now"), 4: said("I drive the blue car now")}
    sparse = [(2, 1.0), (4, 0.9)]
    assert texts(rank("Which car do I drive?", loaded, sparse=sparse, outdated={2}, now=NOW))[0] == loaded[4].text
    assert texts(rank("Which car did I use to drive before?", loaded, sparse=sparse, outdated={2}, now=NOW))[0] == (
        loaded[2].text
    )


# ------------------------------------------------------------------------------------------------ conversations


def test_an_answer_is_found_by_its_question() -> None:
    loaded = {
        2: said("Where did you spend the summer?", session="a"),
        4: said("By the sea, at my uncle's.", session="a"),
        6: said("By the way, that's great!", session="b"),
    }
    near = {2: (None, 4), 4: (2, None), 6: (None, None)}
    sparse = [(2, 5.0), (4, 0.4), (6, 0.5)]
    found = texts(rank("spend summer", loaded, sparse=sparse, neighbours=near, now=NOW, weights=RELEVANCE))
    assert found[:2] == ["Where did you spend the summer?", "By the sea, at my uncle's."]


def test_a_long_turn_stands_for_itself() -> None:
    short, long = "Sure, at noon.", "Sure. " + "And then there is the garden, the roof and the fence. " * 40
    for reply, is_raised in ((short, True), (long, False)):
        loaded = {
            2: said("Shall we meet at the regatta?", session="a"),
            4: said(reply, session="a"),
            6: said("regatta, eh"),
        }
        near = {2: (None, 4), 4: (2, None)}
        sparse = [(2, 5.0), (6, 1.8)]
        alone = Tuning(session=0, covered=0, length=0)
        found = texts(rank("regatta", loaded, sparse=sparse, neighbours=near, now=NOW, tuning=alone))
        assert (found.index(reply) < found.index("regatta, eh")) is is_raised


def test_a_session_that_matches_raises_its_turns() -> None:
    loaded = {2: said("sea", session="a"), 4: said("well", session="a"), 6: said("oh ok", session="b")}
    found = texts(rank("sea", loaded, sparse=[(2, 5.0)], now=NOW, weights=RELEVANCE, tuning=Tuning(length=0)))
    assert found == ["sea", "well", "oh ok"]


def test_a_session_whose_turns_hold_the_question_between_them_comes_first() -> None:
    loaded = {
        2: said("The regatta was windy", session="a"), 4: said("I bought a lantern there", session="a"),
        6: said("The regatta was sunny", session="b"), 8: said("I bought nothing at all", session="b"),
    }  # fmt: skip
    sparse = [(2, 3.0), (4, 2.0), (6, 3.1), (8, 2.0)]

    def first(tuning: Tuning) -> str:
        question = "Which lantern did I buy at the regatta?"
        return texts(rank(question, loaded, sparse=sparse, now=NOW, weights=RELEVANCE, tuning=tuning))[0]

    assert first(Tuning(covered=0)) == "The regatta was sunny"
    assert first(Tuning()) == "The regatta was windy"


def test_a_neighbour_that_was_not_loaded_is_no_trouble() -> None:
    assert rank("x", {4: said("x")}, sparse=[(4, 1.0)], neighbours={4: (2, 6)}, now=NOW)[0].text == "x"


def test_a_fact_is_judged_with_the_words_it_was_drawn_from() -> None:
    loaded = {
        2: said("We spoke of the regatta on the lake", "e1"), 3: known("Anna", "likes", "sailing", episode="e1"),
        4: said("Well, that and cooking", "e2"), 5: known("Anna", "likes", "sailing boats", episode="e2"),
    }  # fmt: skip
    sparse = [(2, 4.0), (3, 3.0), (4, 0.5), (5, 3.1)]
    found = texts(rank("regatta", loaded, sparse=sparse, now=NOW, weights=RELEVANCE))
    assert found.index("Anna likes sailing boats") > found.index("We spoke of the regatta on the lake")
    assert (
        texts(rank("regatta", loaded, sparse=sparse, now=NOW, weights=RELEVANCE, tuning=Tuning(source=0, length=0)))[1]
        == "Anna likes sailing boats"
    )


# ------------------------------------------------------------------------------------------------- nothing twice


def test_a_fact_above_its_episode_stands_for_it() -> None:
    loaded = {2: said("I work at Acme", "e1"), 3: known("user", "works_at", "Acme", episode="e1"), 4: said("tea", "e2")}
    hits = rank("where do I work?", loaded, sparse=[(3, 5.0), (2, 4.0), (4, 1.0)], now=NOW, weights=RELEVANCE)
    assert texts(hits) == ["user works at Acme", "tea"]
    assert [hit.rank for hit in hits] == [1, 2]


def test_an_episode_above_its_fact_contains_it() -> None:
    loaded = {2: said("I work at Acme and love the sea", "e1"), 3: known("user", "works_at", "Acme", episode="e1")}
    hits = rank("sea", loaded, sparse=[(2, 5.0), (3, 0.5)], now=NOW, weights=RELEVANCE)
    assert texts(hits) == ["I work at Acme and love the sea"]


def test_the_place_of_what_is_left_out_goes_to_the_next() -> None:
    loaded: dict[int, Hit] = {}
    for row in range(1, 9):
        loaded[2 * row] = said(f"I like tea {row}", f"e{row}")
        loaded[2 * row + 1] = known("user", "likes", f"tea {row}", episode=f"e{row}")
    assert len(rank("tea", loaded, sparse=even(loaded), k=8, now=NOW)) == 8


# ---------------------------------------------------------------------------------------------------- rerankers


def test_a_reranker_decides_between_near_equals_and_cannot_turn_all_around() -> None:
    loaded = {2: said("first"), 4: said("second"), 6: said("last")}
    hits = rank("?", loaded, sparse=[(2, 1.0), (4, 0.95), (6, 0.1)], now=NOW, explain=True)
    judged = rerank(hits, [0.2, 0.6, 0.9], k=2, now=NOW)
    assert texts(judged) == ["second", "first"]
    assert [hit.rank for hit in judged] == [1, 2]
    assert all(0 <= (hit.score or 0) <= 1 for hit in judged)
    assert judged[1].parts is not None
    assert judged[1].parts["closeness"] == 0


def test_a_reranker_that_sees_no_difference_changes_no_order() -> None:
    loaded = {2: said("first"), 4: said("second")}
    hits = rank("?", loaded, sparse=[(2, 1.0), (4, 0.95)], now=NOW)
    assert texts(rerank(hits, [0.5, 0.5], k=9, now=NOW)) == texts(hits)
    assert rerank([], [], k=9, now=NOW) == []


# ---------------------------------------------------------------------------------------------------------- laws

scores = st.floats(min_value=-1, max_value=30, allow_nan=False)
episodes = st.builds(
    said,
    st.text(max_size=20),
    st.uuids().map(str),
    at=st.integers(0, 2 * NOW),
    speaker=st.none() | st.sampled_from(["Anna", "Ben", ""]),
    session=st.none() | st.sampled_from("ab"),
)
facts = st.builds(
    known,
    st.sampled_from(["user", "Anna", "Ben"]),
    st.sampled_from(["likes", "works_at"]),
    st.text(min_size=1, max_size=5),
    episode=st.uuids().map(str),
    salience=st.floats(0, 10),
    valid_at=st.none() | st.integers(0, NOW),
)
pools = st.dictionaries(st.integers(2, 40), episodes | facts, max_size=6)


@given(pools, st.data(), st.text(max_size=30), st.integers(1, 5))
def test_laws_of_every_ranking(loaded: dict[int, Hit], data: st.DataObject, question: str, k: int) -> None:
    arm = st.lists(st.tuples(st.integers(0, 42), scores), max_size=12, unique_by=lambda scored: scored[0])
    dense, sparse = data.draw(arm), data.draw(arm)
    hits = rank(question, loaded, dense=dense, sparse=sparse, k=k, now=NOW, explain=True)

    assert len(hits) <= k
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    found = [hit.score or 0.0 for hit in hits]
    assert found == sorted(found, reverse=True)
    assert all(0 <= score <= 1 and math.isfinite(score) for score in found)
    turned = rank(question, dict(reversed(loaded.items())), dense=dense[::-1], sparse=sparse[::-1], k=k, now=NOW)
    assert [hit.id for hit in turned] == [hit.id for hit in hits]
    assert len({(hit.kind, hit.id) for hit in hits}) == len({id(hit) for hit in hits})


@given(pools, st.text(max_size=30))
def test_a_better_match_never_ranks_lower(loaded: dict[int, Hit], question: str) -> None:
    base = dict.fromkeys(loaded, 1.0)
    for item, hit in loaded.items():
        tuning = Tuning(session=0, covered=0)
        before = rank(question, loaded, sparse=base.items(), k=50, now=NOW, tuning=tuning)
        after = rank(question, loaded, sparse=(base | {item: 2.0}).items(), k=50, now=NOW, tuning=tuning)
        place = {found.id: found.rank or 0 for found in before}.get(hit.id)
        if place is not None:
            assert {found.id: found.rank or 99 for found in after}[hit.id] <= place
