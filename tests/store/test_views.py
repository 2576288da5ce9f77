"""What a view sees: checked against a plain model of the two clocks, for the listing and for both arms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.claims import View, Write
from lean_memory.records import Fact
from lean_memory.store.sqlite import SqliteStore
from lean_memory.store.write import apply
from tests.store.material import Bounds, a_fact, a_store, a_write, slot_of, vector

# ------------------------------------------------------------------------------------------- a plain model


@dataclass
class Row:
    fact: Fact
    bounds: Bounds
    recorded: int
    closed: int | None = None


@dataclass
class Model:
    """Everything in lists, every question answered by looking at all of it."""

    rows: list[Row] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)

    def open_intervals(self, fact: Fact) -> list[Bounds]:
        return [row.bounds for row in self.rows if row.fact.id == fact.id and row.closed is None]

    def store(self, write: Write, opened: list[tuple[Fact, Bounds]], closed: list[tuple[Fact, Bounds]]) -> None:
        for row in self.rows:
            if row.closed is None and any(row.fact.id == fact.id and row.bounds == old for fact, old in closed):
                row.closed = write.at
        self.rows += [Row(fact, bounds, write.at) for fact, bounds in opened]
        self.writes.append(write)

    def sees(self, view: View) -> set[tuple[str, str]]:
        found = set()
        if view.kind != "episode":
            found |= {("fact", row.fact.id) for row in self.rows if self._sees_row(row, view)}
        if view.kind != "fact":
            found |= {("episode", write.episode.id) for write in self.writes if self._sees_episode(write, view)}
        return found

    def _sees_row(self, row: Row, view: View) -> bool:
        begins, ends = row.bounds
        begins, ends = -(10**18) if begins is None else begins, 10**18 if ends is None else ends
        if view.known_at is None:
            believed = row.closed is None
        else:
            believed = row.recorded <= view.known_at and (row.closed is None or row.closed > view.known_at)
        return (
            believed
            and begins <= view.at < ends
            and (view.since is None or ends > view.since)
            and (view.until is None or begins < view.until)
            and _about(row.fact, view)
        )

    def _sees_episode(self, write: Write, view: View) -> bool:
        said = write.episode.t_ref
        return (
            said <= view.at
            and (view.known_at is None or write.at <= view.known_at)
            and (view.since is None or said >= view.since)
            and (view.until is None or said < view.until)
            and ((view.subject is None and view.predicate is None) or any(_about(f, view) for f in write.episode.facts))
        )


def _about(fact: Fact, view: View) -> bool:
    return (view.subject is None or fact.subject.lower() == view.subject.lower()) and view.predicate in (
        None, fact.predicate,
    )  # fmt: skip


FACTS = [
    a_fact(subject, predicate, object, vector=vector((subject, predicate, object)))
    for subject in ("Anna", "Ben")
    for predicate in ("works_at", "likes")
    for object in ("Acme", "tea")
]
TIMES = st.integers(0, 12)
BOUNDS = st.tuples(st.none() | TIMES, st.none() | TIMES).filter(lambda b: None in b or b[0] <= b[1])
STEPS = st.lists(
    st.tuples(st.sampled_from(FACTS), st.lists(BOUNDS, max_size=2, unique=True), TIMES, TIMES, st.booleans()),
    max_size=7,
)
VIEWS = st.builds(
    View,
    now=TIMES,
    as_of=st.none() | TIMES,
    known_at=st.none() | TIMES,
    kind=st.sampled_from(["any", "fact", "episode"]),
    subject=st.sampled_from([None, None, "Anna", "ben", "Nobody"]),
    predicate=st.sampled_from([None, None, "likes"]),
    since=st.none() | TIMES,
    until=st.none() | TIMES,
)


def play(steps: list[tuple[Fact, list[Bounds], int, int, bool]], store: SqliteStore) -> Model:
    """Each step says a fact: the intervals believed of it are closed, if so asked, and others opened."""
    model = Model()
    clock = 0
    for number, (fact, bounds, said, pause, close) in enumerate(steps):
        clock += pause % 4
        known = model.open_intervals(fact)
        closed = [(fact, old) for old in known] if close else []
        opened = [(fact, new) for new in bounds if close or new not in known]
        write = a_write(
            f"line {number} about {fact.text}", fact, said=said, at=clock, vector=vector(number),
            revision=store.slots([slot_of(fact)])[slot_of(fact)].revision, open=opened, close=closed,
        )  # fmt: skip
        assert store.commit([write]) == ["stored"]
        model.store(write, opened, closed)
    return model


@given(STEPS, st.lists(VIEWS, min_size=1, max_size=6))
def test_the_listing_and_both_arms_see_what_the_clocks_say(
    steps: list[tuple[Fact, list[Bounds], int, int, bool]], views: list[View]
) -> None:
    with a_store() as store:
        model = play(steps, store)
        for view in views:
            expected = model.sees(view)
            assert {(hit.kind, hit.id) for hit in store.visible(view)} == expected
            for found in (
                store.dense(vector("anything"), view, 50),
                store.sparse(["anna", "ben", "line"], view, 50),
            ):
                hits = store.load([item for item, _ in found], view).values()
                assert len(found) == len(hits) == len(expected)
                assert {(hit.kind, hit.id) for hit in hits} == expected
        assert store.check() == []


@given(STEPS, STEPS, VIEWS)
def test_what_is_stored_later_does_not_change_what_was_known(
    steps: list[tuple[Fact, list[Bounds], int, int, bool]],
    later: list[tuple[Fact, list[Bounds], int, int, bool]],
    view: View,
) -> None:
    with a_store() as store:
        play(steps, store)
        view = replace(view, known_at=100, as_of=view.at)
        before = answers(store, view)
        for number, (fact, bounds, said, _, _) in enumerate(later):
            state = store.slots([slot_of(fact)])[slot_of(fact)]
            write = a_write(
                f"later {number}", fact, said=said, at=101 + number, vector=vector(number), revision=state.revision,
                open=[(fact, new) for new in bounds],
                close=[(fact, (old.valid_at, old.valid_to)) for old in state.intervals],
            )  # fmt: skip
            assert store.commit([write]) == ["stored"]
        assert answers(store, view) == before


def answers(store: SqliteStore, view: View) -> list[object]:
    """All that a view can be asked, to the last bit."""
    dense, sparse = store.dense(vector("anything"), view, 5), store.sparse(["anna", "line", "tea"], view, 5)
    return [dense, sparse, store.load([item for item, _ in [*dense, *sparse]], view), list(store.visible(view))]


# --------------------------------------------------------------------------------------------- in examples


def test_an_earlier_and_a_later_job(store: SqliteStore) -> None:
    """Anna was at Acme from 10 to 20 and has been at Beta since; at transaction time 25 the store learned of it."""
    acme, beta = a_fact(object="Acme", valid=(10, None)), a_fact(object="Beta", valid=(20, None))
    store.commit([a_write("at Acme", acme, said=10, at=10)])
    ended = {"revision": 1, "close": [(acme, (10, None))], "open": [(acme, (10, 20))]}
    assert store.commit([a_write("Acme is over", said=20, at=25, **ended)]) == ["stored"]
    assert store.commit([a_write("at Beta", beta, said=20, at=25)]) == ["stored"]

    def jobs(**view: int) -> list[tuple[str, int | None]]:
        hits = store.visible(View(now=30, kind="fact", **view))
        return [(hit.fact.object, hit.fact.valid_to) for hit in hits if hit.fact]

    assert jobs() == [("Beta", None)]
    assert jobs(as_of=15) == [("Acme", 20)]
    assert jobs(as_of=5) == []
    assert jobs(known_at=22) == [("Acme", None)]
    assert jobs(known_at=22, as_of=12) == [("Acme", None)]
    assert jobs(known_at=30, as_of=12) == [("Acme", 20)]


def test_a_fact_shows_the_words_last_said_by_then(store: SqliteStore) -> None:
    fact = a_fact(valid=(0, None))
    for revision, (said, words, salience) in enumerate([(30, "third", 3.0), (10, "first", 1.0), (20, "second", 2.0)]):
        told = replace(fact, quote=words, span=(0, len(words)), salience=salience)
        store.commit(
            [a_write(words, told, said=said, at=100 + revision, revision=revision, open=None if not revision else [])]
        )

    def told(**view: int) -> tuple[str, float]:
        [hit] = store.visible(View(now=50, kind="fact", **view))
        assert hit.fact is not None
        return hit.fact.quote, hit.fact.salience

    assert told() == ("third", 3.0)
    assert told(as_of=25) == ("second", 2.0)
    assert told(as_of=10) == ("first", 1.0)
    assert told(as_of=5) == ("first", 1.0), "all of it was said later: the first of it"
    assert told(known_at=100, as_of=25) == ("third", 3.0), "only one line was stored by then"


def test_a_clock_that_is_behind_changes_nothing_that_was_believed(store: SqliteStore) -> None:
    """The fact was stored at 200; then more was learned of it, by a clock that says 150."""
    fact = a_fact(valid=(0, None))
    store.commit([a_write("one", fact, at=200)])
    store.commit([a_write("two", at=150, revision=1, close=[(fact, (0, None))], open=[(fact, (0, 90))])])
    assert list(store.visible(View(now=50, known_at=160, as_of=50))) == []
    assert [hit.kind for hit in store.visible(View(now=50, known_at=200, as_of=50))] == ["fact", "episode", "episode"]
    assert store.check() == []


def test_cold_facts_are_for_those_who_ask(store: SqliteStore) -> None:
    store.commit([a_write("one", a_fact(vector=vector(1))), a_write("two", a_fact(object="Beta", vector=vector(2)))])
    demote(store, 1)
    [beta] = store.visible(View(now=9, kind="fact"))
    assert beta.text == "Anna works at Beta."
    for view in (View(now=9, kind="fact", include_cold=True), View(now=9, kind="fact", as_of=9)):
        assert len(list(store.visible(view))) == 2
        assert len(store.dense(vector(1), view, 9)) == 2
        assert len(store.sparse(["anna"], view, 9)) == 2
    for found in (store.dense(vector(1), View(now=9, kind="fact"), 9), store.sparse(["anna"], View(now=9), 9)):
        assert 3 not in dict(found)
    assert store.check() == []


def demote(store: SqliteStore, row: int) -> None:
    """What maintenance will do."""
    with store._db.writing():
        store._db.run("UPDATE facts SET tier = 'cold' WHERE row = ?", (row,))
        store._db.run("UPDATE vec_coarse SET hot = 0 WHERE item = ?", (2 * row + 1,))


def test_the_listing_is_in_order(store: SqliteStore) -> None:
    facts = [
        a_fact("Ben", "likes", "tea", valid=(3, None)), a_fact("Anna", "works_at", "Acme", valid=(9, None)),
        a_fact("Anna", "works_at", "Beta", valid=(None, None)), a_fact("Anna", "likes", "tea", valid=(5, None)),
        a_fact("anna", "likes", "rum", valid=(5, None)),
    ]  # fmt: skip
    store.commit([a_write(f"line {i}", fact, said=10 - i) for i, fact in enumerate(facts)])
    texts = [hit.text for hit in store.visible(View(now=20))]
    assert texts == [
        "anna likes rum.", "Anna likes tea.", "Anna works at Beta.", "Anna works at Acme.", "Ben likes tea.",
        "line 4", "line 3", "line 2", "line 1", "line 0",
    ]  # fmt: skip


def test_hits_come_in_the_order_asked_for(store: SqliteStore) -> None:
    store.commit([a_write(f"line {i}", a_fact(object=str(i))) for i in range(300)])
    items = [item for number in range(300, 0, -1) for item in (2 * number, 2 * number + 1)]
    assert list(store.load(items, View(now=1))) == items
    assert store.load([], View(now=1)) == {}
    assert list(store.load([7, 9999, 2], View(now=1, kind="episode"))) == [2]


def test_a_snapshot_is_of_one_moment(store: SqliteStore, opened: Callable[..., SqliteStore]) -> None:
    other = opened()
    view = View(now=9)
    store.commit([a_write("one")])
    with store.snapshot():
        assert len(store.sparse(["one", "two"], view, 9)) == 1
        other.commit([a_write("two")])
        assert len(store.sparse(["one", "two"], view, 9)) == 1
        assert len(list(store.visible(view))) == 1
    assert len(store.sparse(["one", "two"], view, 9)) == 2


# --------------------------------------------------------------------------------- filters and the pool's size


@pytest.fixture(scope="module")
def crowded() -> Iterator[SqliteStore]:
    """5,000 facts that were true from 10 to 20, said at 60, and an older one that still is."""
    with a_store() as store:
        with store._db.writing():
            for i in range(5000):
                fact = a_fact("Anna", "likes", f"tea {i}", text="tea tea tea", valid=(10, 20), vector=TEA)
                apply(store._db, a_write(f"line {i}", fact, said=60, at=60))
            apply(store._db, a_write("van", VAN, said=60, at=0))
        yield store


TEA = vector("tea")
VAN = a_fact(
    "Ben", "drives", "a van", text="tea is what Ben puts into his van, of all things", valid=(0, None),
    vector=vector("van"),
)  # fmt: skip


@pytest.mark.parametrize("kind", ["any", "fact"])
@pytest.mark.parametrize(
    "view",
    [
        View(now=50),
        View(now=50, as_of=5),
        View(now=50, known_at=50),
        View(now=15, since=30),
        View(now=15, until=5),
        View(now=15, subject="Ben"),
        View(now=15, predicate="drives"),
    ],
)
def test_a_filter_never_empties_the_pool(crowded: SqliteStore, kind: str, view: View) -> None:
    """5,000 better matches that the view does not see stand before the one that it does."""
    view = replace(view, kind=kind)  # type: ignore[arg-type]
    for found in (crowded.dense(TEA, view, 10), crowded.sparse(["tea"], view, 10)):
        assert [hit.id for hit in crowded.load([item for item, _ in found], view).values()] == [VAN.id]
