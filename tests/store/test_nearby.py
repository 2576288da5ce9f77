"""What a search asks of the store about its candidates: their neighbours, and how near each is to the query."""

from __future__ import annotations

import pytest

from lean_memory.claims import View
from lean_memory.errors import StoreUnavailable
from lean_memory.records import Vector
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import DAY, a_fact, a_store, a_write, between, vector

NOW = View(now=10 * DAY)


def items(store: SqliteStore, view: View = NOW) -> dict[str, int]:
    """Text -> item."""
    found = [item for item, _ in store.sparse(["turn"], view, 99)]
    return {hit.text: item for item, hit in store.load(found, view).items()}


def test_the_turns_before_and_after_in_the_session() -> None:
    with a_store() as store:
        store.commit(
            [
                a_write("turn 3", said=3 * DAY, session="a"),
                a_write("turn 1", said=DAY, session="a"),
                a_write("turn 2", said=2 * DAY, session="b"),
                a_write("turn 2a", a_fact(text="turn fact"), said=2 * DAY, session="a"),
                a_write("turn 2b", said=2 * DAY, session="a"),
                a_write("turn alone", said=2 * DAY),
            ]
        )
        at = items(store)
        assert store.neighbours(list(at.values()), NOW) == {
            at["turn 1"]: (None, at["turn 2a"]),
            at["turn 2a"]: (at["turn 1"], at["turn 2b"]),  # of one time: by arrival
            at["turn 2b"]: (at["turn 2a"], at["turn 3"]),
            at["turn 3"]: (at["turn 2b"], None),
            at["turn 2"]: (None, None),
        }
        assert store.neighbours([], NOW) == {}


def test_a_neighbour_that_the_view_does_not_see_is_none() -> None:
    with a_store() as store:
        store.commit([a_write(f"turn {day}", said=day * DAY, session="a") for day in (1, 2, 3)])
        at = items(store)
        past = View(now=10 * DAY, as_of=2 * DAY)
        assert store.neighbours([at["turn 2"]], past) == {at["turn 2"]: (at["turn 1"], None)}
        assert store.neighbours([at["turn 2"]], View(now=10 * DAY, since=2 * DAY)) == {
            at["turn 2"]: (None, at["turn 3"])
        }
        assert store.neighbours([at["turn 2"]], View(now=10 * DAY, kind="fact")) == {}


def test_an_episode_is_outdated_when_nothing_drawn_from_it_holds() -> None:
    over, now, ahead = (a_fact(object=name) for name in ("Acme", "Bolt", "Crane"))
    with a_store() as store:
        store.commit(
            [
                a_write("turn over", over, said=DAY, open=[(over, (DAY, 5 * DAY))]),
                a_write("turn both", a_fact("Ben", object="Acme"), now, said=2 * DAY),
                a_write("turn ahead", ahead, said=3 * DAY, open=[(ahead, (20 * DAY, None))]),
                a_write("turn corrected", said=4 * DAY, open=[]),
            ]
        )
        at = items(store)
        every = list(at.values())
        assert store.outdated(every, NOW) == {at["turn over"], at["turn ahead"]}
        assert store.outdated([at["turn both"]], NOW) == set()
        assert store.outdated(every, View(now=10 * DAY, as_of=4 * DAY)) == {at["turn ahead"]}
        filtered = View(now=10 * DAY, kind="episode", subject="Ben", predicate="likes", since=9 * DAY)
        assert store.outdated(every, filtered) == {at["turn over"], at["turn ahead"]}


def test_cosines_of_just_the_items_asked_for() -> None:
    asked = vector("question")
    with a_store() as store:
        store.commit(
            [
                a_write("turn near", said=1, vector=between(asked, vector("far"), 0.1)),
                a_write("turn far", said=2, vector=between(asked, vector("far"), 0.9)),
                a_write("turn without", said=3),
            ]
        )
        at = items(store)
        assert dict(store.cosines(asked, [at["turn far"], at["turn without"], 4711])) == pytest.approx(
            {at["turn far"]: dict(store.dense(asked, NOW, 9))[at["turn far"]]}
        )


def test_a_vector_of_another_model_is_refused() -> None:
    with a_store() as store, pytest.raises(StoreUnavailable, match="vectors of"):
        store.cosines(Vector("other", 384, vector("x").data), [2])
