"""Truth over time, on whole histories stored through `Memory`: what any order of arrival, any repetition and any
later write must leave as it is. Written against the public surface, so that another engine can be judged by it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_memory.claims import View
from lean_memory.memory import Memory
from lean_memory.records import Cue, Episode, Fact, Note, episode_id, fact_id
from lean_memory.settings import Settings

pytestmark = pytest.mark.slow

DAY = 86_400_000
START = 1_700_000_000_000


@contextmanager
def fresh(now: int = START) -> Iterator[Memory]:
    with tempfile.TemporaryDirectory() as root:
        chosen = Settings(root=Path(root), fixed_now=now, environ={"LM_BACKENDS": "stub"})
        with Memory(settings=chosen, fast=True) as memory:
            yield memory


def episode(
    day: int,
    subject: str,
    predicate: str,
    value: str,
    *,
    polarity: str = "positive",
    cue: Cue | None = None,
    **times: int | None,
) -> Episode:
    said = START + day * DAY
    text = f"{subject} {predicate} {value} {'' if polarity == 'positive' else 'not'}, said on day {day}"
    fact = Fact(
        id=fact_id(subject, predicate, value, polarity), subject=subject, predicate=predicate, object=value,
        polarity=polarity, text=f"{subject} {predicate} {value}", quote=text, span=(0, len(text)),
        valid_at=times.get("valid_at", said), valid_to=times.get("valid_to"), cue=cue,
    )  # fmt: skip
    note = Note(text=text, t_ref=said)
    return Episode(id=episode_id(note), text=text, t_ref=said, facts=(fact,))


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    day = draw(st.integers(0, 12))
    ended = draw(st.booleans())
    shift = draw(st.integers(-5, 5))
    said = START + day * DAY
    return episode(
        day,
        draw(st.sampled_from(["user", "Anna"])),
        *draw(st.sampled_from([("lives_in", "Leeds"), ("lives_in", "Bath"), ("lives_in", "Oslo"), ("likes", "jazz")])),
        polarity=draw(st.sampled_from(["positive", "positive", "negative"])),
        **({"valid_at": None, "valid_to": said - abs(shift) * DAY} if ended else {"valid_at": said + shift * DAY}),
    )


histories = st.lists(episodes(), min_size=1, max_size=8, unique_by=lambda e: e.id)


def state(memory: Memory, view: View) -> list[tuple[object, ...]]:
    """What a view shows of the facts, without what the order of arrival may decide (which spelling came first)."""
    return [
        (hit.fact.subject, hit.fact.predicate, hit.fact.object, hit.fact.polarity, hit.fact.valid_at, hit.fact.valid_to)
        for hit in memory.visible("ns", view)
        if hit.fact is not None
    ]


def everything(memory: Memory) -> list[list[tuple[object, ...]]]:
    return [state(memory, View(now=START + day * DAY, as_of=START + day * DAY)) for day in range(-8, 20)]


@settings(max_examples=40, deadline=None)
@given(histories.flatmap(lambda h: st.tuples(st.just(h), st.permutations(h))))
def test_order_of_arrival_does_not_change_what_is_true(orders: tuple[list[Episode], list[Episode]]) -> None:
    with fresh() as one, fresh() as other:
        one.store("ns", orders[0])
        other.store("ns", orders[1])
        assert everything(one) == everything(other)


@settings(max_examples=25, deadline=None)
@given(histories)
def test_sending_it_again_leaves_the_file_as_it_is(history: list[Episode]) -> None:
    with fresh() as memory:
        memory.store("ns", history)
        before = list(memory.dump("ns"))
        assert {receipt.status for receipt in memory.store("ns", history)} == {"already_stored"}
        assert list(memory.dump("ns")) == before


@settings(max_examples=25, deadline=None)
@given(histories)
def test_a_place_is_one_at_a_time_at_every_moment(history: list[Episode]) -> None:
    with fresh() as memory:
        memory.store("ns", history)
        for shown in everything(memory):
            homes = [row[0] for row in shown if row[1] == "lives_in" and row[3] == "positive"]
            assert len(homes) == len(set(homes))


@settings(max_examples=25, deadline=None)
@given(histories, histories)
def test_what_was_believed_then_is_not_touched_by_what_is_stored_later(
    first: list[Episode], later: Sequence[Episode]
) -> None:
    with tempfile.TemporaryDirectory() as root:

        def at(now: int) -> Memory:
            chosen = Settings(root=Path(root), fixed_now=now, environ={"LM_BACKENDS": "stub"})
            return Memory(settings=chosen, fast=True)

        view = View(now=START + 9 * DAY, as_of=START + 6 * DAY, known_at=START)
        queries = ["where does Anna live", "who likes jazz", "Leeds"]
        with at(START) as memory:
            memory.store("ns", first)
            then = state(memory, view), [memory.search("ns", query, view=view) for query in queries]
        with at(START + DAY) as memory:
            memory.store("ns", later)
            assert (state(memory, view), [memory.search("ns", query, view=view) for query in queries]) == then


@settings(max_examples=25, deadline=None)
@given(histories, histories)
def test_an_answer_about_the_past_is_not_touched_by_what_is_said_of_later(
    first: list[Episode], later: Sequence[Episode]
) -> None:
    at = START + 5 * DAY
    said_later = [
        episode(
            40 + n, hit.facts[0].subject, hit.facts[0].predicate, hit.facts[0].object, polarity=hit.facts[0].polarity
        )
        for n, hit in enumerate(later)
    ]
    view = View(now=START + 60 * DAY, as_of=at)
    queries = ["where does Anna live", "who likes jazz", "Leeds said on day 3"]
    with fresh() as memory:
        memory.store("ns", first)
        then = state(memory, view), [memory.search("ns", query, view=view, explain=True) for query in queries]
        memory.store("ns", said_later)
        now = state(memory, view), [memory.search("ns", query, view=view, explain=True) for query in queries]
        assert [row[:5] for row in now[0]] == [row[:5] for row in then[0]]
        assert [[(h.id, h.score, h.parts) for h in hits] for hits in now[1]] == [
            [(h.id, h.score, h.parts) for h in hits] for hits in then[1]
        ]
