"""A clock that goes back, by a little or by years, while lines come in: transaction time goes on, nothing is lost, and
what was believed at a time stays what was believed then."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_memory.claims import View
from lean_memory.records import episode_of
from tests.commands import run
from tests.faults.memories import NAME, at
from tests.maintain.material import DAY, START, said

FIRMS = ["Acme", "Beta", "Chord", "Delta", "Ember", "Fjord"]


def believed(root: Path, known_at: int) -> list[tuple[str, int | None, int | None]]:
    late = START + 10_000 * DAY
    with at(root, late) as memory:
        view = View(now=late, as_of=late, kind="fact", known_at=known_at, ended=True)
        return [
            (hit.fact.object, hit.fact.valid_at, hit.fact.valid_to) for hit in memory.visible(NAME, view) if hit.fact
        ]


def recorded(root: Path) -> list[int]:
    with at(root) as memory:
        return [int(row["recorded_at"]) for row in memory.dump(NAME) if row["table"] == "episodes"]  # type: ignore[call-overload]


@settings(max_examples=10)
@given(clocks=st.lists(st.integers(0, 3000), min_size=2, max_size=6))
def test_what_was_believed_stays_what_was_believed_then(
    clocks: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("clock")
    snapshots: dict[int, list[tuple[str, int | None, int | None]]] = {}
    for number, (clock, firm) in enumerate(zip(clocks, FIRMS, strict=False)):
        with at(root, START + clock * DAY) as memory:
            memory.store(NAME, [said(number, "user", "works_at", firm)], embed=False)
            assert memory.check(NAME) == []
        last = recorded(root)[-1]
        for when, then in snapshots.items():
            if when < last:
                assert believed(root, when) == then
        snapshots[last] = believed(root, last)  # in its place, what is stored at one time
    times = recorded(root)
    assert len(times) == len(clocks[: len(FIRMS)])
    assert all(before <= after for before, after in pairwise(times))
    assert times[-1] == START + max(clocks[: len(FIRMS)]) * DAY
    assert [firm for firm, _, end in believed(root, times[-1]) if end is None] == [FIRMS[len(times) - 1]]


def test_maintenance_and_decisions_of_a_clock_that_is_behind_come_after_what_they_are_about(tmp_path: Path) -> None:
    with at(tmp_path, START + 500 * DAY) as memory:
        memory.store(NAME, [said(1, "user", "likes", "tea"), said(2, "user", "enjoys", "tea")], embed=False)
    before = {day: believed(tmp_path, START + day * DAY) for day in (400, 499)}
    with at(tmp_path, START + 300 * DAY) as memory:
        assert memory.maintain(NAME, apply=True).counts["retired"] == 1
        assert memory.promote(NAME, [row["id"] for row in memory.dump(NAME) if row["table"] == "facts"], by="user")  # type: ignore[misc]
        assert memory.check(NAME) == []
        changes = [change.at for change in memory.history(NAME)]
    assert changes == sorted(changes)
    assert {day: believed(tmp_path, START + day * DAY) for day in before} == before


def test_the_words_of_a_clock_that_is_behind_are_searchable_at_once(tmp_path: Path) -> None:
    with at(tmp_path, START + 500 * DAY) as memory:
        memory.add(NAME, "I work at Acme.")
    with at(tmp_path, START + 100 * DAY) as memory:
        memory.add(NAME, "I work at Beta.", t_ref=START + 501 * DAY)
        receipt = memory.store(NAME, [episode_of(said(3, "user", "likes", "tea"))])[0]  # type: ignore[arg-type]
        assert receipt.status == "stored"
    with at(tmp_path, START + 502 * DAY) as memory:
        assert "Beta" in memory.search(NAME, "where do I work?", k=1)[0].text


@pytest.mark.slow
def test_through_commands(tmp_path: Path) -> None:
    for now, text in (("2026-03-01", "I work at Acme."), ("2026-01-01", "I work at Beta now."),
                      ("2026-04-01", "I work at Chord now.")):  # fmt: skip
        ended = run(
            f"echo '{text}' | lm-extract --at 2025-0{now[6]}-01 | lm-store -n work", folder=tmp_path, LM_NOW=now
        )
        assert (ended.rc, ended.stderr) == (0, b"")
    assert run("lm-maintain check -n work", folder=tmp_path).rc == 0
    for known_at, firms in (("2026-02-01", []), ("2026-03-02", ["Acme", "Beta"]), ("2026-04-02", FIRMS[:3])):
        ended = run(f"lm-search -n work --all --kind fact --known-at {known_at} --as-of 2026-05-01", folder=tmp_path)
        shown = {json.loads(line)["object"] for line in ended.stdout.splitlines()}
        assert shown <= set(firms)
        assert bool(shown) == bool(firms)
