"""The nearest visible items: in the order of the full cosine, whatever stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from lean_memory.claims import EmbedderMark, View
from lean_memory.records import Vector
from lean_memory.store import coarse, vectors
from lean_memory.store.sqlite import SqliteStore
from lean_memory.store.write import apply
from lean_memory.vectors import cosine
from tests.store.material import MODEL, a_fact, a_write, between, vector

QUERY = vector("query")
NOW = View(now=100)


@pytest.fixture(autouse=True, params=["prefixes", "signs"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both forms of the coarse index have to do."""
    if request.param == "signs":
        monkeypatch.setattr(coarse, "_BALANCED", frozenset({MODEL.name}))
    return str(request.param)


def found_texts(store: SqliteStore, query: Vector, view: View, limit: int) -> list[str]:
    found = store.dense(query, view, limit)
    return [hit.text for hit in store.load([item for item, _ in found], view).values()]


def fill(store: SqliteStore, texts: Iterator[tuple[str, Vector]] | list[tuple[str, Vector]]) -> None:
    with store._db.writing():
        for text, made in texts:
            apply(store._db, a_write(text, vector=made))


def test_the_nearest_come_first_by_full_cosine(store: SqliteStore) -> None:
    others = {f"line {i}": between(QUERY, vector(i), i / 60) for i in range(60)}
    fill(store, sorted(others.items()))
    expected = sorted(others, key=lambda text: -cosine(QUERY.data, others[text].data))
    assert found_texts(store, QUERY, NOW, 10) == expected[:10]
    assert found_texts(store, QUERY, NOW, 1000) == expected
    scores = [score for _, score in store.dense(QUERY, NOW, 60)]
    assert scores == pytest.approx([cosine(QUERY.data, others[text].data) for text in expected], abs=1e-5)


@pytest.mark.parametrize("dim", [3, 255, 256, 257, 1024])
def test_any_dimension_will_do(opened: Callable[..., SqliteStore], dim: int) -> None:
    store = opened()
    store.set_embedder(EmbedderMark("wide", dim, "f"))
    others = {f"line {i}": vector(i, dim, "wide") for i in range(20)}
    fill(store, sorted(others.items()))
    query = vector("query", dim, "wide")
    assert found_texts(store, query, NOW, 20) == sorted(others, key=lambda t: -cosine(query.data, others[t].data))
    assert store.check() == []


def test_what_the_first_dimensions_hide_is_still_found(store: SqliteStore) -> None:
    """Texts that only the later dimensions tell apart."""
    head, tail = QUERY.data[: 4 * 256], QUERY.data[4 * 256 :]
    flipped = replace(QUERY, data=head + bytes(len(tail)))
    fill(store, [("half", flipped), ("whole", QUERY)])
    assert found_texts(store, QUERY, NOW, 1) == ["whole"]


def test_equal_ones_are_ordered_by_id_not_by_arrival(opened: Callable[..., SqliteStore]) -> None:
    writes = [a_write(f"line {i}", vector=vector("same")) for i in range(10)]
    orders = []
    for name, order in (("one", writes), ("other", writes[::-1])):
        store = opened(name)
        store.set_embedder(MODEL)
        store.commit(order)
        found = store.dense(vector("same"), NOW, 10)
        orders.append([hit.id for hit in store.load([item for item, _ in found], NOW).values()])
    assert orders[0] == orders[1] == sorted(write.episode.id for write in writes)


@pytest.mark.parametrize("zero_head", [True, False])
def test_a_vector_without_direction_does_no_harm(store: SqliteStore, zero_head: bool) -> None:
    """A text without words may have one; so may the head of a sparse one."""
    empty = Vector(MODEL.name, MODEL.dim, bytes(4 * 256) + vector("x").data[4 * 256 :] if zero_head else bytes(4 * 384))
    fill(store, [("empty", empty), ("near", between(QUERY, vector(1), 0.1)), ("far", vector(2))])
    assert found_texts(store, QUERY, NOW, 3)[0] == "near"
    assert len(store.dense(empty, NOW, 3)) == 3


@pytest.mark.parametrize("count", [200, 4200])
def test_facts_that_did_not_hold_between_two_spells_make_room(store: SqliteStore, count: int) -> None:
    """They are nearest and their spells surround the time asked about; one that did hold is behind them."""
    with store._db.writing():
        for i in range(count):
            fact = a_fact(object=f"cafe {i}", vector=between(QUERY, vector(i % 50), 0.1))
            apply(store._db, a_write(f"line {i}", fact, said=90, open=[(fact, (0, 10)), (fact, (20, None))]))
        held = a_fact(object="Acme", valid=(5, None), vector=between(QUERY, vector("x"), 0.9))
        apply(store._db, a_write("held", held, said=90))
    assert found_texts(store, QUERY, View(now=100, as_of=15), 3) == [held.text]
    assert len(store.dense(QUERY, View(now=100, as_of=25, kind="fact"), count + 9)) == count + 1


def test_more_than_sqlite_vec_lists_are_found_too(store: SqliteStore) -> None:
    fill(store, [(f"line {i}", between(QUERY, vector(i % 50), 0.5)) for i in range(4100)])
    assert len(store.dense(QUERY, NOW, 5000)) == 4100
    assert len(store.dense(QUERY, NOW, 4095)) == 4095
    assert store.dense(QUERY, NOW, 0) == []


def test_later_writes_do_not_change_what_was_nearest_then(store: SqliteStore) -> None:
    then = View(now=100, as_of=50)
    with store._db.writing():
        for i in range(60):
            fact = a_fact(object=str(i), valid=(i, None), vector=between(QUERY, vector(i), 0.5))
            apply(store._db, a_write(f"line {i}", fact, said=i, vector=between(QUERY, vector(-i), 0.6)))
    before = store.dense(QUERY, then, 10)
    with store._db.writing():
        for i in range(60, 300):
            fact = a_fact(object=str(i), valid=(i, None), vector=QUERY)
            apply(store._db, a_write(f"line {i}", fact, said=i, vector=QUERY))
    assert store.dense(QUERY, then, 10) == before


@pytest.mark.parametrize("view", [NOW, View(now=100, as_of=15), View(now=100, kind="fact"), View(now=100, until=50)])
def test_what_the_view_leaves_out_costs_no_second_scan(
    store: SqliteStore, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store._db.writing():
        for i in range(100):
            over = a_fact(object=f"cafe {i}", valid=(20, 30), vector=QUERY)
            apply(store._db, a_write(f"line {i}", over, said=200, vector=QUERY))
            apply(store._db, a_write(f"held {i}", a_fact(object=str(i), valid=(0, None), vector=vector(i)), said=200))
    looks = counted(monkeypatch, "nearest")
    assert len(store.dense(QUERY, view, 5)) == 5
    assert len(looks) == 1


def test_spells_are_seen_through_by_asking_for_more(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with store._db.writing():
        for i in range(300):
            fact = a_fact(object=f"cafe {i}", vector=between(QUERY, vector(i), 0.1))
            apply(store._db, a_write(f"line {i}", fact, said=90, open=[(fact, (0, 10)), (fact, (20, None))]))
            apply(store._db, a_write(f"held {i}", a_fact(object=str(i), valid=(0, None), vector=vector(i)), said=90))
    looks = counted(monkeypatch, "nearest")
    exact = counted(monkeypatch, "_by_cosine")
    for view in (View(now=100, as_of=15), View(now=15)):
        looks.clear()
        assert len(store.dense(QUERY, view, 5)) == 5
        wanted = [wanted for *_, wanted in looks]
        assert wanted == sorted(set(wanted))
        assert 1 < len(wanted) < 5
    assert all(len(among) == 5 for among in exact)


def test_no_more_are_scored_than_the_sample_promises(store: SqliteStore) -> None:
    """The bound that it gives holds few more than are wanted, and never fewer."""
    fill(store, [(f"line {i}", between(QUERY, vector(i), 0.5 + i / 4000)) for i in range(2000)])
    with store._db.reading():
        for wanted in (1, 50, 300, 1999):
            assert wanted <= len(coarse.nearest(store._db, QUERY, NOW, wanted).distances) < wanted + 60


def test_as_near_as_the_last_is_as_good(store: SqliteStore) -> None:
    """So the order of arrival does not decide who is scored."""
    fill(store, [(f"line {i}", vector("same")) for i in range(100)] + [("near", QUERY)])
    with store._db.reading():
        assert len(coarse.nearest(store._db, QUERY, NOW, 1).distances) == 1
        assert len(coarse.nearest(store._db, QUERY, NOW, 2).distances) == 101


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[tuple[object, ...]]:
    """The arguments of each call to a function of the module."""
    calls: list[tuple[object, ...]] = []
    original = getattr(vectors, name)
    monkeypatch.setattr(vectors, name, lambda *arguments: calls.append(arguments) or original(*arguments))
    return calls
