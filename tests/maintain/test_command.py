"""lm-maintain at a terminal, under its other name, on several memories, and beside a writer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import schemas
from tests.commands import at_terminal, run
from tests.maintain.material import at, said

THINGS = ["a lamp", "a rug", "a bowl", "a desk", "a bed"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two memories of the same."""
    with at(tmp_path / "memory", 3) as memory:
        for name in ("home", "work"):
            memory.store(name, [said(n / 10, "user", "bought", thing, salience=3) for n, thing in enumerate(THINGS)])
            memory.store(name, [said(1, "user", "likes", "jazz"), said(2, "user", "enjoys", "jazz")], embed=False)
            memory.store(name, [said(1, "user", "bought", "a \x1b[31mred pen", salience=1)])
    return tmp_path


def test_to_a_person_it_says_what_it_would_do_and_how(folder: Path) -> None:
    assert at_terminal("lm-maintain -n work", folder) == (
        "work: 1 retired, 1 evicted, 1 proposed (not written)\n"
        "  retire   user likes jazz\n"
        "  evict    user bought a  [31mred pen\n"
        "  summary  user bought a lamp, a rug, a bowl, a desk and a bed\n"
        "  Do it with --apply.\n"
    )
    did, proved = at_terminal("lm-maintain -n work --apply --prove", folder).splitlines()[:2]
    assert did == "work: 1 retired, 1 evicted, 1 proposed"
    assert proved.endswith(" answers about the past compared: none would change")
    assert at_terminal("lm-maintain --apply -n work", folder) == "work: nothing to do\n"
    assert at_terminal("lm-maintain status -n work", folder) == (
        "work: 6 facts at hand, 2 in the cold tier, 0 summaries, 8 episodes\n"
        "  1 proposals wait for a decision, the first until 2026-04-09\n"
        "  not due\n"
        "  2026-03-10 12:00  done       manual    1 retired, 1 evicted, 1 proposed\n"
    )
    assert at_terminal("lm-maintain check", folder) == "home: sound\nwork: sound\n"
    assert at_terminal("lm-maintain forget -n work --text jazz --yes", folder).startswith(
        "work: erased 2 facts, 0 episodes, 0 summaries and 0 proposals; 2 episodes are blacked out in part\n  searched "
    )
    assert at_terminal("lm-maintain clear -n work --yes", folder) == "work: removed work.db, work.usage\n"


def test_its_other_name(folder: Path) -> None:
    ended = run("lean-memory-maintain -n nope", folder=folder)
    assert json.loads(ended.stderr)["command"] == "lean-memory-maintain"


def test_in_parallel_it_says_the_same_in_the_same_order(folder: Path) -> None:
    one, two = (run(f"lm-maintain -j {jobs}", folder=folder) for jobs in (1, 2))
    assert (one.rc, one.stdout) == (two.rc, two.stdout)
    reports = [json.loads(line) for line in one.stdout.splitlines()]
    assert [report["namespace"] for report in reports] == ["home", "work"]
    for report in reports:
        schemas.check(report)


def test_a_closed_output_does_not_stop_it(folder: Path) -> None:
    ended = run("lm-maintain --apply | true; lm-maintain", folder=folder)
    assert [json.loads(line)["status"] for line in ended.stdout.splitlines()] == ["nothing", "nothing"]


def test_beside_writers_nothing_is_lost(folder: Path) -> None:
    ended = run(
        'for n in 1 2 3 4; do (for m in 1 2 3 4 5; do echo "I bought a thing $n$m."; done | lm-extract'
        " | lm-store -n work >/dev/null) & lm-maintain -n work --apply >/dev/null & done; wait;"
        " lm-maintain check -n work; lm-search -n work --all --kind episode | wc -l",
        folder=folder,
    )
    sound, count = ended.stdout.splitlines()
    assert json.loads(sound)["sound"]
    assert int(count) == 8 + 20
