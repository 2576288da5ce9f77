"""Each call to the disk fails in turn, once or from then on, or the disk is full from then on. What was asked for is
done, or refused with a message that names the file and what to do. Either way the file is sound, holds what it held
and of a batch whole lines in their order, and the next try ends where an undisturbed one does.

FAILING_STEP says how many calls lie between those that are tried (`just faults` tries every one).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import apsw
import pytest

from lean_memory.errors import StoreUnavailable
from lean_memory.memory import Memory
from tests.faults.disk import FAILURES, Disk, disk_for_sqlite, failure
from tests.faults.sole import reader, sole, state_of
from tests.maintain.material import said

STEP = int(os.environ.get("FAILING_STEP", "97"))

WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "mn"]
BATCH = [said(9, "user", "likes", word) for word in WORDS[40:45]]
CODES = {"io", "disk_full", "cannot_open"}

Act = Callable[[Memory, Path], object]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that maintenance has something to do in."""
    root = tmp_path_factory.mktemp("filled")
    with sole(root, fast=True) as memory:
        memory.store("ns", [said(n / 100, "user", "likes", word) for n, word in enumerate(WORDS[:6])])
        memory.store("ns", [said(1 + n / 100, "user", "enjoys", word) for n, word in enumerate(WORDS[:6])])
        memory.store("ns", [said(n / 100, "user", "bought", word, salience=1) for n, word in enumerate(WORDS[:9])])
        memory.store("ns", [said(n / 100, "Anna", f"saw_{n}", word, salience=2) for n, word in enumerate(WORDS[20:35])])
        memory.store("ns", [said(2, "Nora", f"saw_{n}", word) for n, word in enumerate(WORDS[35:40])], embed=False)
    return root


# ------------------------------------------------------------------------------------------------- what is asked for


def store_a_line(memory: Memory, root: Path) -> object:
    return memory.store("ns", [said(9, "user", "works_at", "Larkfield")])


def store_a_batch(memory: Memory, root: Path) -> object:
    return memory.store("ns", BATCH)


def begin_a_memory(memory: Memory, root: Path) -> object:
    return memory.store("other", BATCH)


def embed(memory: Memory, root: Path) -> object:
    return memory.embed_missing("ns")


def maintain(memory: Memory, root: Path) -> object:
    return memory.maintain("ns", apply=True)


def forget(memory: Memory, root: Path) -> object:
    memory.forget("ns", text="user bought bam")
    return memory.embed_missing("ns")  # what was blacked out


def back_up(memory: Memory, root: Path) -> object:
    if (root / "copy.db").exists():
        return None
    return memory.backup("ns", root / "copy.db")


def restore_a_dump(memory: Memory, root: Path) -> object:
    return memory.restore("other", list(memory.export("ns")))


def search(memory: Memory, root: Path) -> object:
    return memory.search("ns", "what do I like?")


def check(memory: Memory, root: Path) -> object:
    return memory.check("ns")


WRITING: list[Act] = [
    store_a_line, store_a_batch, begin_a_memory, embed, maintain, forget, back_up, restore_a_dump
]  # fmt: skip
READING: list[Act] = [search, check]


# ------------------------------------------------------------------------------------------------------- how it fails


def once(disk: Disk, point: int) -> None:
    _fail(disk, lambda number, kind: FAILURES[kind] if number == point else None)


def from_then_on(disk: Disk, point: int) -> None:
    _fail(disk, lambda number, kind: FAILURES[kind] if number >= point else None)


def full_from_then_on(disk: Disk, point: int) -> None:
    _fail(disk, lambda number, kind: apsw.SQLITE_FULL if number >= point and kind == "write" else None)


def _fail(disk: Disk, code: Callable[[int, str], int | None]) -> None:
    number = -1

    def asked(kind: str, name: str) -> None:
        nonlocal number
        number += 1
        if (found := code(number, kind)) is not None:
            raise failure(found)

    disk.fails = asked


# ------------------------------------------------------------------------------------------------------------- tests


@pytest.mark.slow
@pytest.mark.parametrize("way", [once, from_then_on, full_from_then_on], ids=lambda way: way.__name__)
@pytest.mark.parametrize("act", [*WRITING, *READING], ids=lambda act: act.__name__)
def test_a_failing_disk_costs_nothing_that_was_acknowledged(
    act: Act, way: Callable[[Disk, int], None], filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = reader if act in READING else sole
    with disk_for_sqlite(monkeypatch) as disk:
        with copied(filled, tmp_path / "whole") as root:
            calls = watched(disk, lambda: run(act, opened, root))
            expected = states(root)
        assert len(calls) > 50
        kinds = {"write"} if way is full_from_then_on else set(FAILURES)
        points = [point for point, kind in enumerate(calls) if kind in kinds]
        chosen = points[::STEP]
        faults = 0
        for point in chosen:
            with copied(filled, tmp_path / "trial") as root:
                way(disk, point)
                failure = refusal(lambda root=root: run(act, opened, root))
                disk.fails = None
                where = f"{calls[point]} at {point}"
                if failure is None:
                    assert states(root) == expected, where
                else:
                    faults += 1
                    assert failure.code in CODES, where
                    assert str(root) in failure.message, where
                    assert failure.hint, where
                sound(root, act)
                if states(root) != expected:
                    run(act, opened, root)
                assert states(root) == expected, where
        assert faults or not chosen


def run(act: Act, opened: Callable[[Path], AbstractContextManager[Memory]], root: Path) -> None:
    with opened(root) as memory:
        act(memory, root)


def refusal(action: Callable[[], object]) -> StoreUnavailable | None:
    """How it was refused, if it was; any other end is a fault of ours."""
    try:
        action()
    except StoreUnavailable as error:
        return error
    return None


def watched(disk: Disk, action: Callable[[], object]) -> list[str]:
    calls: list[str] = []
    disk.fails = lambda kind, name: calls.append(kind)
    action()
    disk.fails = None
    return calls


def states(root: Path) -> dict[str, str]:
    """Of every memory there, backups among them."""
    with sole(root) as memory:
        return {name: state_of(memory, name) for name in memory.namespaces()}


def sound(root: Path, act: Act) -> None:
    """Each memory by itself; none that was asked for half."""
    batch = [episode.text for episode in BATCH] if act in (store_a_batch, begin_a_memory) else []
    assert not [path for path in root.iterdir() if path.suffix == ".part"]
    with sole(root) as memory:
        for name in memory.namespaces():
            assert memory.check(name) == []
            stored = [episode.text for episode in memory.episodes(name)]
            new = [text for text in stored if text in batch]
            assert new == batch[: len(new)]
            if name == "ns" and act is not forget:
                assert len(stored) >= 41


@contextmanager
def copied(filled: Path, root: Path) -> Iterator[Path]:
    shutil.copytree(filled, root)
    yield root
    shutil.rmtree(root)
