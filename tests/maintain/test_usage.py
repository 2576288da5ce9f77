"""How often a fact is found counts for maintenance and for nothing else: a search never waits for it, fails by it, or
writes to the memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lean_memory.claims import View
from tests.commands import run as command
from tests.maintain.material import START, at, said, shown


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with at(tmp_path, 1) as memory:
        memory.store(
            "ns", [said(0, "user", "bought", "a pen", salience=1), said(0, "user", "bought", "ink", salience=1)]
        )
    return tmp_path


def search(root: Path, day: float, query: str, **view: object) -> None:
    with at(root, day) as memory:
        now = memory.now()
        memory.search("ns", query, k=1, view=View(now=now, kind="fact", **view))  # type: ignore[arg-type]


def test_what_was_found_is_not_evicted_by_itself(root: Path) -> None:
    search(root, 100, "a pen")
    with at(root, 400) as memory:
        memory.maintain("ns", apply=True)
        assert shown(memory, 400) == ["user bought a pen"]
        [pen] = memory.proposals("ns", kind="eviction")
        assert (pen.targets[0].hits, pen.evidence["hits"]) == (1, 1)
    with at(root, 401) as memory:  # counted once, whatever else happens
        [pen] = memory.proposals("ns", kind="eviction")
        assert pen.targets[0].hits == 1
        assert [(row["hits"], row["last_used"]) for row in memory.dump("ns") if row["table"] == "usage"] == [
            (1, START + 100 * 86_400_000)
        ]


def test_questions_about_the_past_do_not_count(root: Path) -> None:
    search(root, 100, "a pen", as_of=START + 86_400_000)
    search(root, 100, "a pen", known_at=START + 90 * 86_400_000)
    assert (root / "ns.usage").read_bytes() == b""


def test_it_can_be_turned_off(root: Path) -> None:
    with at(root, 100, LM_USAGE="off") as memory:
        memory.search("ns", "a pen")
    assert (root / "ns.usage").read_bytes() == b""


def test_a_search_leaves_the_file_as_it_is_and_makes_none(root: Path) -> None:
    data = (root / "ns.db").read_bytes()
    (root / "ns.usage").unlink()
    search(root, 100, "a pen")
    assert (root / "ns.db").read_bytes() == data
    assert not (root / "ns.usage").exists()


@pytest.mark.skipif(os.name != "posix", reason="opening a folder fails otherwise there")
def test_where_it_cant_be_noted_the_answer_comes_all_the_same(root: Path) -> None:
    (root / "ns.usage").unlink()
    (root / "ns.usage").mkdir()  # can't be appended to, not even by root
    with at(root, 100) as memory:
        assert memory.search("ns", "a pen")


def test_a_memory_that_is_never_maintained_does_not_grow_it_for_ever(root: Path) -> None:
    (root / "ns.usage").write_bytes(b"1 2\n" * (5 << 18))
    search(root, 100, "a pen")
    assert (root / "ns.usage").stat().st_size == 5 << 20


def test_lines_that_make_no_sense_are_passed_over(root: Path) -> None:
    (root / "ns.usage").write_bytes(b"garbage\n\n7 999999 3 -4\n\xff\xfe\n5 \n12 3")
    with at(root, 400) as memory:
        memory.maintain("ns", apply=True)
        assert memory.check("ns") == []


def test_searches_of_many_processes_are_all_noted(root: Path) -> None:
    (root).rename(root.parent / "memory")
    folder = root.parent
    line = "lm-search -n ns --kind fact -k 1 pen > /dev/null"
    ended = command(" & ".join([line] * 6) + " & wait", folder=folder)
    assert ended.rc == 0
    noted = (folder / "memory" / "ns.usage").read_bytes().splitlines()
    assert len(noted) == 6
    assert len(set(noted)) == 1


def test_nothing_of_what_was_asked_or_found_is_in_it(root: Path) -> None:
    search(root, 100, "a pen")
    assert (root / "ns.usage").read_text().replace(" ", "").strip().isdigit()
