"""Storing one line: whole or not at all, once, and only on the state it was decided on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.claims import Claim, EmbedderMark, Interval, SlotState, View
from lean_memory.errors import StoreUnavailable
from lean_memory.records import Change
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import MODEL, a_fact, a_store, a_write, slot_of, vector

NOW = View(now=1000)


def everything(store: SqliteStore) -> list[object]:
    return list(store.dump())


def test_what_was_said_can_be_read_again(store: SqliteStore) -> None:
    fact = a_fact(valid=(5, None), time_text="since spring", salience=7.5, confidence=0.75, extra={"n": 1})
    write = a_write(
        "Anna works at Acme.", fact, said=10, at=20, tz="+02:00", source="chat", speaker="Ben", session="s1",
        meta={"b": 1, "a": [None, "é"]}, extra={"x": {"y": 2}},
    )  # fmt: skip
    assert store.commit([write]) == ["stored"]
    [hit, words] = store.visible(NOW)
    assert hit.fact == fact
    assert (hit.kind, hit.id, hit.text, hit.rank, hit.score) == ("fact", fact.id, fact.text, None, None)
    assert (hit.episode, hit.speaker, hit.t_ref, hit.session) == (write.episode.id, "Ben", 10, "s1")
    assert (words.kind, words.id, words.text, words.fact) == ("episode", write.episode.id, write.episode.text, None)
    assert (words.episode, words.speaker, words.t_ref, words.session) == (write.episode.id, "Ben", 10, "s1")
    assert list(store.episodes()) == [replace(write.episode, facts=())]
    assert [change for _, change in store.changes()] == list(write.changes)
    assert store.check() == []


@given(text=st.text(max_size=30), speaker=st.none() | st.text(max_size=5), value=st.text(max_size=10))
def test_any_text_is_kept_as_it_is(text: str, speaker: str | None, value: str) -> None:
    with a_store() as store:
        write = a_write(text, a_fact(object=value, text=text), speaker=speaker, meta={"note": value})
        store.commit([write])
        assert list(store.episodes()) == [replace(write.episode, facts=())]
        assert [hit.text for hit in store.visible(NOW)] == [text, text]
        assert store.check() == []


def test_sending_a_line_again_changes_nothing(store: SqliteStore) -> None:
    write = a_write("Anna works at Acme.", a_fact())
    assert store.commit([write]) == ["stored"]
    before = everything(store)
    again = replace(write, at=99, slots=tuple(replace(slot, revision=1) for slot in write.slots))
    assert store.commit([write, again]) == ["already_stored", "already_stored"]
    assert everything(store) == before
    assert store.has_episodes([write.episode.id, "unheard"]) == {write.episode.id}


def test_a_slot_that_has_moved_on_is_a_conflict(store: SqliteStore) -> None:
    acme = a_fact()
    store.commit([a_write("one", acme)])
    before = everything(store)
    stale = a_write("two", acme, open=[], revision=0)
    assert store.commit([stale]) == ["conflict"]
    assert store.commit([a_write("two", acme, open=[], revision=7)]) == ["conflict"]
    assert store.commit([a_write("three", a_fact(object="Beta"), revision=1)]) == ["conflict"]
    assert everything(store) == before
    assert store.commit([a_write("two", acme, open=[], revision=1)]) == ["stored"]
    assert store.slots([slot_of(acme)])[slot_of(acme)].revision == 2


def test_a_slot_tells_its_claims_and_intervals(store: SqliteStore) -> None:
    acme = a_fact(valid=(5, None), cue="adds", time_text="lately")
    [first, second] = [a_write("one", acme, said=10), a_write("two", acme, said=7, open=[], revision=1)]
    store.commit([first, second])
    key = slot_of(acme)
    claims = [
        Claim(
            fact=acme.id, object="Acme", polarity="positive", predicate="works_at", episode=write.episode.id,
            said_at=write.episode.t_ref, valid_at=5, valid_to=None, cue="adds", time_text="lately",
        )
        for write in (second, first)
    ]  # fmt: skip
    states = store.slots([key, "unheard"])
    assert states == {
        key: SlotState(key, 2, tuple(claims), (Interval(acme.id, 5, None),)),
        "unheard": SlotState("unheard"),
    }


def test_an_interval_is_closed_and_another_opened(store: SqliteStore) -> None:
    acme = a_fact(valid=(5, None))
    store.commit([a_write("one", acme, at=10)])
    store.commit(
        [a_write("two", acme, at=20, revision=1, close=[(acme, (5, None))], open=[(acme, (5, 8)), (acme, (9, None))])]
    )
    key = slot_of(acme)
    assert store.slots([key])[key].intervals == (Interval(acme.id, 5, 8), Interval(acme.id, 9, None))
    rows = [row for row in store.dump() if row["table"] == "validity"]
    assert [(row["valid_at"], row["valid_to"], row["recorded_at"], row["closed_at"]) for row in rows] == [
        (5, None, 10, 20), (5, 8, 20, None), (9, None, 20, None),
    ]  # fmt: skip


def test_the_first_spelling_of_a_name_stays(store: SqliteStore) -> None:
    store.commit([a_write("one", a_fact("Anna", object="Acme")), a_write("two", a_fact("ANNA", object="Beta"))])
    assert store.names(["anna", "ben"]) == {"anna": "Anna"}
    assert {hit.fact.subject for hit in store.visible(View(now=1000, kind="fact")) if hit.fact} == {"Anna"}


UNKNOWN = a_fact(object="Nowhere")


@pytest.mark.parametrize(
    "wrong",
    [
        a_write("closes what is not open", a_fact(valid=(5, None)), revision=1, open=[], close=[(a_fact(), (5, 6))]),
        a_write("opens what is open", a_fact(valid=(5, None)), revision=1, open=[(a_fact(), (5, None))]),
        a_write("opens an unknown fact", open=[(UNKNOWN, (None, None))]),
        a_write("ends before it begins", a_fact(), revision=1, open=[(a_fact(), (6, 5))]),
        replace(a_write("logs an unknown"), changes=(Change(at=0, action="asserted", fact="unheard", episode=None),)),
    ],
    ids=lambda write: write.episode.text,
)
def test_a_write_that_contradicts_itself_writes_nothing(store: SqliteStore, wrong: object) -> None:
    store.commit([a_write("one", a_fact(valid=(5, None)))])
    before = everything(store)
    with pytest.raises(ValueError, match=r".+"):
        store.commit([wrong])  # type: ignore[list-item]
    assert everything(store) == before
    assert store.commit([a_write("fine")]) == ["stored"]


def test_a_fact_does_not_move_to_another_slot(store: SqliteStore) -> None:
    """The predicate table was changed so that the predicate contradicts itself by other rules."""
    fact = a_fact()
    store.commit([a_write("one", fact)])
    before = everything(store)
    moved = a_write("two", fact)
    moved = replace(
        moved,
        placed=tuple(replace(placed, slot="Anna/works_at") for placed in moved.placed),
        slots=tuple(replace(slot, key="Anna/works_at") for slot in moved.slots),
    )
    with pytest.raises(StoreUnavailable, match="works_at") as refused:
        store.commit([moved])
    assert refused.value.code == "slot_moved"
    assert everything(store) == before


def test_two_mentions_in_one_line_are_two_claims(store: SqliteStore) -> None:
    first = a_fact(text="Anna works at Acme.")
    again = replace(first, quote="works", span=(5, 10))
    store.commit([a_write("Anna works at Acme.", first, again, open=[(first, (None, None))])])
    assert store.counts()["evidence"] == 2
    assert store.counts()["facts"] == 1
    assert store.check() == []


# --------------------------------------------------------------------------------------------------- vectors


def test_vectors_come_with_the_line_if_the_recorded_model_made_them(store: SqliteStore) -> None:
    fits, other, short = vector(1), vector(1, model="other"), vector(1, dim=64)
    for number, made in enumerate((fits, other, short)):
        store.commit([a_write(f"line {number}", a_fact(object=str(number), vector=made), vector=made)])
    assert store.counts()["vectors"] == 2
    assert store.count_unembedded() == 4
    assert store.check() == []


def test_without_a_recorded_model_vectors_are_left_out(opened: Callable[..., SqliteStore]) -> None:
    store = opened()
    store.commit([a_write("line", a_fact(vector=vector(1)), vector=vector(2))])
    assert store.embedder() is None
    assert store.counts()["vectors"] == 0
    assert store.dense(vector(1), NOW, 5) == []


def test_a_vector_belongs_to_the_first_wording(store: SqliteStore) -> None:
    store.commit([a_write("one", a_fact(text="Anna works at Acme."))])
    reworded = a_fact(text="Acme employs Anna.", vector=vector("Acme employs Anna."))
    store.commit([a_write("two", reworded, open=[], revision=1)])
    assert (3, "Anna works at Acme.") in store.unembedded(limit=10)
    same = a_fact(text="Anna works at Acme.", vector=vector("Anna works at Acme."))
    store.commit([a_write("three", same, open=[], revision=2)])
    assert 3 not in dict(store.unembedded(limit=10))


def test_the_first_model_recorded_stays(store: SqliteStore) -> None:
    other = EmbedderMark("other", 8, "f2")
    assert store.embedder() == MODEL
    assert store.set_embedder(other) == MODEL
    assert store.set_embedder(replace(MODEL, fingerprint="f9")) == MODEL
    assert store.embedder() == MODEL


def test_what_lacks_a_vector_is_embedded_later(store: SqliteStore) -> None:
    writes = [a_write(f"line {i}", a_fact(object=str(i), text=f"fact {i}"), said=i) for i in range(5)]
    store.commit(writes)
    assert store.count_unembedded() == 10
    done = []
    while batch := store.unembedded(limit=3):
        assert len(batch) <= 3
        store.add_vectors([(item, vector(text)) for item, text in batch])
        done += [text for _, text in batch]
    assert sorted(done) == sorted([*(f"line {i}" for i in range(5)), *(f"fact {i}" for i in range(5))])
    assert store.count_unembedded() == 0
    assert store.check() == []
    [best, *_] = store.dense(vector("fact 3"), NOW, 3)
    assert store.load([best[0]], NOW)[best[0]].text == "fact 3"


def test_an_item_keeps_the_vector_it_has(store: SqliteStore) -> None:
    store.commit([a_write("line", vector=vector(1))])
    store.add_vectors([(2, vector(2)), (2, vector(3))])
    [(_, score)] = store.dense(vector(1), NOW, 5)
    assert score == pytest.approx(1.0)


def test_vectors_of_another_model_are_refused(store: SqliteStore) -> None:
    store.commit([a_write("line", vector=vector(1))])
    for call in (
        lambda made: store.add_vectors([(2, made)]),
        lambda made: store.dense(made, NOW, 5),
    ):
        with pytest.raises(StoreUnavailable, match="other") as refused:
            call(vector(1, model="other"))
        assert refused.value.code == "embedder_mismatch"
        assert "lm-embed --reindex -n work" in str(refused.value.hint)
    with pytest.raises(ValueError, match="no item 99"):
        store.add_vectors([(99, vector(1))])


def test_a_reindex_replaces_the_model_and_goes_on_where_it_stopped(store: SqliteStore) -> None:
    store.commit([a_write(f"line {i}", vector=vector(i)) for i in range(4)])
    new = EmbedderMark("new", 32, "f2")
    store.start_reindex(new)
    assert store.embedder() == new
    [(item, text), *_] = store.unembedded(limit=4)
    store.add_vectors([(item, vector(text, 32, "new"))])
    store.start_reindex(new)
    assert store.count_unembedded() == 3
    assert store.dense(vector(text, 32, "new"), NOW, 9) == [(item, pytest.approx(1.0))]
    assert store.check() == []
