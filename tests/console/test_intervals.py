"""Where a timeline draws what: inside the picture, in order, the successor linked to what it took the place of."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lean_memory.console.intervals import draw
from lean_memory.records import Fact, fact_id

YEAR = 365 * 86_400_000
NOW = 56 * YEAR


def fact(object: str, start: int | None, end: int | None = None, predicate: str = "works_at") -> Fact:
    return Fact(
        id=fact_id("user", predicate, object), subject="user", predicate=predicate, object=object,
        text=f"user {predicate} {object}", quote=object, span=(0, len(object)), valid_at=start, valid_to=end,
    )  # fmt: skip


def test_a_job_and_the_next_one_meet_where_one_gave_way() -> None:
    old, new = fact("Larkfield", 50 * YEAR, 54 * YEAR), fact("Harbour", 54 * YEAR)
    [group] = draw([new, old], {old.id: new.id}, frozenset(), NOW).groups
    assert [bar.fact.object for bar in group.bars] == ["Larkfield", "Harbour"]
    assert group.bars[0].ended
    assert not group.bars[1].ended
    [link] = group.links
    assert (link.above, link.below) == (0, 1)
    assert abs(link.x - group.bars[1].left) < 1e-9


def test_ticks_are_few_whole_and_in_order() -> None:
    for years in (0, 1, 3, 10, 40):
        ticks = draw([fact("x", NOW - years * YEAR)], {}, frozenset(), NOW).ticks
        assert len(ticks) <= 7
        assert [tick.x for tick in ticks] == sorted(tick.x for tick in ticks)
    assert [tick.label for tick in ticks] == ["1990", "2000", "2010", "2020"]


times = st.one_of(st.none(), st.integers(-62_135_596_800_000, 253_402_300_799_999))


@given(st.lists(st.tuples(st.sampled_from("abcd"), times, times), max_size=8), st.integers(0, 4 * 10**12))
def test_all_is_drawn_within_the_picture(told: list[tuple[str, int | None, int | None]], now: int) -> None:
    facts = []
    for name, start, end in told:
        if start is not None and end is not None and end < start:
            start, end = end, start
        facts.append(fact(name, start, end, predicate=name))
    picture = draw(facts, {one.id: one.id for one in facts}, frozenset(), now)
    bars = [bar for group in picture.groups for bar in group.bars]
    assert len(bars) == len(facts)
    assert all(0 <= bar.left <= 1 and 0 < bar.width <= 1.01 for bar in bars)
    assert 0 <= picture.today <= 1
    assert all(0 <= tick.x <= 1 for tick in picture.ticks)
    assert len(picture.ticks) <= 7


def test_the_cold_ones_are_told_apart() -> None:
    one, other = fact("a", NOW - YEAR), replace(fact("b", NOW - YEAR))
    [group] = draw([one, other], {}, frozenset({other.id}), NOW).groups
    assert {bar.fact.object: bar.cold for bar in group.bars} == {"a": False, "b": True}
