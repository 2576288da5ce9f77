"""What the log promises: a difference leads from one state to the other, a dump comes back whole, and every fact can
be followed to the words that said it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_memory.claims import LogFilter, View
from lean_memory.errors import Malformed
from lean_memory.records import Episode, Note
from lean_memory.resolve import apply
from tests.laws.test_histories import DAY, START, episode, fresh, histories

pytestmark = pytest.mark.slow


@settings(max_examples=25, deadline=None)
@given(histories, st.integers(-8, 20), st.integers(-8, 20))
def test_a_state_and_the_difference_give_the_other_state(history: list[Episode], one: int, other: int) -> None:
    first, second = START + one * DAY, START + other * DAY
    with fresh() as memory:
        memory.store("ns", history)
        before, after = (list(memory.visible("ns", View(now=t, as_of=t, kind="fact"))) for t in (first, second))
        assert apply(before, memory.difference("ns", first, second)) == apply(after, [])


@settings(max_examples=20, deadline=None)
@given(histories, st.integers(0, 8))
def test_so_it_does_on_the_other_clock(history: list[Episode], split: int) -> None:
    with fresh() as memory:
        for step, one in enumerate(history):
            memory._settings = memory._settings.__class__(
                root=memory._settings.root, fixed_now=START + step * DAY, environ={"LM_BACKENDS": "stub"}
            )
            memory.store("ns", [one])
        first, second = START + split * DAY, START + len(history) * DAY
        before, after = (list(memory.visible("ns", View(now=t, known_at=t, kind="fact"))) for t in (first, second))
        assert apply(before, memory.difference("ns", first, second, known=True)) == apply(after, [])


@settings(max_examples=15, deadline=None)
@given(histories)
def test_a_dump_comes_back_byte_for_byte(history: list[Episode]) -> None:
    with fresh() as memory:
        memory.store("ns", history)
        rows = list(memory.export("ns"))
        memory.restore("copy", rows)
        original, copy = ([row for row in memory.dump(ns) if row.get("key") != "namespace"] for ns in ("ns", "copy"))
        assert copy == original
        queries = ["where does Anna live", "jazz"]
        assert [memory.search("copy", q) for q in queries] == [memory.search("ns", q) for q in queries]


def test_a_dump_that_was_cut_is_refused_whole() -> None:
    with fresh() as memory:
        memory.store("ns", [episode(0, "user", "lives_in", "Leeds")])
        rows = list(memory.export("ns"))
        for kept in range(len(rows)):
            with pytest.raises(Malformed):
                memory.restore("copy", rows[:kept])
        assert memory.namespaces() == ["ns"]
        memory.restore("copy", rows)
        assert len(list(memory.visible("copy", View(now=START)))) == 2


@settings(max_examples=15, deadline=None)
@given(histories)
def test_every_entry_names_its_fact_and_the_words_that_caused_it(history: list[Episode]) -> None:
    with fresh() as memory:
        memory.store("ns", history)
        texts = {one.id: one.text for one in history}
        for change in memory.history("ns"):
            assert change.told is not None
            assert change.quote
            said_in = change.cause.get("said_in") or change.episode
            assert change.quote in texts[said_in]
            assert [claim.fact.id for claim in memory.evidence("ns", change.fact)] != []


def test_the_log_can_be_asked_by_subject_and_by_fact() -> None:
    with fresh() as memory:
        memory.store("ns", [episode(0, "user", "lives_in", "Leeds"), episode(1, "Anna", "likes", "jazz")])
        memory.store("ns", [episode(2, "user", "lives_in", "Bath")])
        about_user = [(c.action, c.told.object) for c in memory.history("ns", LogFilter(subject="USER")) if c.told]
        assert about_user == [("asserted", "Leeds"), ("asserted", "Bath"), ("superseded", "Leeds")]
        leeds = next(c.fact for c in memory.history("ns") if c.told and c.told.object == "Leeds")
        assert [c.action for c in memory.history("ns", LogFilter(fact=leeds))] == ["asserted", "superseded"]
        [ended] = [c for c in memory.history("ns") if c.action == "superseded"]
        assert ended.quote is not None
        assert "Bath" in ended.quote


def test_a_rebuild_from_the_episodes_gives_the_same_facts() -> None:
    with fresh() as memory:
        for text, day in [("I live in Leeds.", 0), ("My sister Anna works at Acme.", 1), ("I moved to Bath.", 2)]:
            memory.add("ns", text, t_ref=START + day * DAY, tz="Europe/London")
        extract = memory.extractor().episode
        again = [
            extract(Note(text=e.text, t_ref=e.t_ref, tz=e.tz, source=e.source, speaker=e.speaker, session=e.session))
            for e in memory.episodes("ns")
        ]
        memory.store("again", again)
        view = View(now=START + 3 * DAY)
        assert list(memory.visible("again", view)) == list(memory.visible("ns", view))
