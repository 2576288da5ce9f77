"""The power is cut anywhere, and of what was not waited for the disk keeps any part: what has a receipt is there, every
other line is there whole or not at all, and the file is sound.

POWER_CUTS says how many moments are tried, spread over all there are, and POWER_WAYS how many disks that kept another
part (`just faults` tries every moment).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw
import pytest

from lean_memory.claims import Write
from lean_memory.errors import LeanMemoryError
from lean_memory.store import checkpoint, open_store
from lean_memory.store.sqlite import SqliteStore
from tests.faults.disk import Disk, Image, Op, disk_for_sqlite, image_after_cut
from tests.faults.sole import sole, state_of
from tests.maintain.material import said
from tests.store.material import MODEL, a_fact, a_write, vector

CUTS = int(os.environ.get("POWER_CUTS", "16"))
WAYS = int(os.environ.get("POWER_WAYS", "1"))

EMPTY: Image = {"work.db": b""}


@dataclass
class Recorded:
    """What was done on the disk, and what the memory held after how much of it."""

    ops: list[Op] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    promised: list[tuple[int, int]] = field(default_factory=list)  # from this op on, at least this state

    def promise(self, disk: Disk) -> None:
        self.promised.append((len(disk.ops), len(self.states) - 1))

    def least(self, op: int) -> int:
        return max((state for since, state in self.promised if since <= op), default=0)


def record(
    root: Path, disk: Disk, *, fast: bool, prepare: Callable[[SqliteStore], object] = lambda store: None
) -> Recorded:
    """A memory is begun, filled line by line and in batches, closed and opened again."""
    done = Recorded()

    def opened() -> SqliteStore:
        store = open_store(root, "work", create=True, fast=fast, now=0)
        prepare(store)
        return store

    def now_it_holds_more(*, promised: bool) -> None:
        done.states.append(state_of(store))
        if promised and not fast:
            done.promise(disk)

    store = opened()
    now_it_holds_more(promised=True)
    store.set_embedder(MODEL)
    now_it_holds_more(promised=True)
    for ten in range(4):
        for number in range(10 * ten, 10 * ten + 5):
            store.commit([line(number)])
            now_it_holds_more(promised=True)
        with store.together():
            for number in range(10 * ten + 5, 10 * ten + 10):
                store.commit([line(number)])
                now_it_holds_more(promised=False)
        if not fast:
            done.promise(disk)
        if ten == 1:
            store.close()
            store = opened()
    store.close()
    done.promise(disk)  # closing waits for all
    done.ops = list(disk.ops)
    return done


def line(number: int) -> Write:
    fact = a_fact(object=f"Firm {number}", vector=vector(number))
    return a_write(f"line {number} " + "x" * 300, fact, said=number, vector=vector(f"v{number}"))


def cuts(recorded: Recorded, first: Image, folder: Path, *, number: int = CUTS) -> Iterator[tuple[int, Path]]:
    """Folders as the disk has them after a cut, and after how many ops that was."""
    chance = Random(1)
    for cut in range(0, len(recorded.ops) + 1, max(1, len(recorded.ops) // number)):
        for kept in (0.0, 1.0, *(chance.choice([0.1, 0.5, 0.9]) for _ in range(WAYS))):
            folder.mkdir()
            for name, content in image_after_cut(recorded.ops[:cut], first, chance, kept=kept).items():
                (folder / name).write_bytes(content)
            yield cut, folder
            shutil.rmtree(folder)


def lost(recorded: Recorded, folder: Path, *, patience: int = 5) -> tuple[list[str], set[int]]:
    """What is not as it was promised, and the states that were found. Looks no further after some faults."""
    wrong: list[str] = []
    seen: set[int] = set()
    for cut, root in cuts(recorded, EMPTY, folder):
        if len(wrong) >= patience:
            break
        try:
            store = open_store(root, "work", create=True, fast=True, now=0)
        except LeanMemoryError as error:
            wrong.append(f"after {cut}: {error}")
            continue
        try:
            state = state_of(store)
            if store.check():
                wrong.append(f"after {cut}: {store.check()[0]}")
            elif state not in recorded.states:
                wrong.append(f"after {cut}: half a line")
            elif recorded.states.index(state) < recorded.least(cut):
                wrong.append(f"after {cut}: of {recorded.least(cut)}, {recorded.states.index(state)} are there")
            else:
                seen.add(recorded.states.index(state))
        except (LeanMemoryError, apsw.Error) as error:
            wrong.append(f"after {cut}: {error}")
        finally:
            store.close()
    return wrong, seen


@pytest.mark.slow
@pytest.mark.parametrize("fast", [False, True], ids=["waiting", "fast"])
def test_what_has_a_receipt_is_there_and_no_line_is_there_in_part(
    fast: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--fast` promises nothing of the last lines, but the same of the file and of each line."""
    monkeypatch.setattr(checkpoint, "_OFTEN", 60)  # pages
    with disk_for_sqlite(monkeypatch) as disk:
        recorded = record(tmp_path / "first", disk, fast=fast)
    kinds = {op.kind for op in recorded.ops}
    assert kinds == {"create", "delete", "folder", "sync", "truncate", "write"}
    assert sum(op.kind == "sync" and op.name == "work.db" for op in recorded.ops) > 3  # the log was moved
    wrong, seen = lost(recorded, tmp_path / "cut")
    assert wrong == []
    assert len(seen) > 10


def test_a_store_that_does_not_wait_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would fail, were the store not to wait."""
    monkeypatch.setattr(checkpoint, "_OFTEN", 60)  # pages
    with disk_for_sqlite(monkeypatch) as disk:
        recorded = record(
            tmp_path / "first", disk, fast=False, prepare=lambda store: store._db.pragma("synchronous = OFF")
        )
    wrong, _ = lost(recorded, tmp_path / "cut", patience=1)
    assert any("are there" in one for one in wrong)


@pytest.mark.slow
def test_maintenance_and_forgetting_end_as_they_would_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut anywhere, the memory is sound; done again, it ends as if there had been no cut."""
    root = tmp_path / "first"
    with sole(root, fast=True) as memory:
        memory.store("work", [said(n / 100, "user", "likes", word) for n, word in enumerate(WORDS[:8])])
        memory.store("work", [said(1 + n / 100, "user", "enjoys", word) for n, word in enumerate(WORDS[:8])])
        memory.store("work", [said(n / 100, "user", "bought", word, salience=1) for n, word in enumerate(WORDS)])

    def work(place: Path) -> str:
        with sole(place) as memory:
            memory.maintain("work", apply=True)
            memory.forget("work", text="user bought bam")
            memory.embed_missing("work")
        with sole(place) as memory:
            assert memory.check("work") == []
            return state_of(memory, "work")

    first = {path.name: path.read_bytes() for path in root.iterdir() if path.suffix == ".db"}
    with disk_for_sqlite(monkeypatch) as disk:
        expected = work(root)
        recorded = Recorded(ops=list(disk.ops))
    for cut, place in cuts(recorded, first, tmp_path / "cut", number=max(1, CUTS // 3)):
        with ExitStack() as stack:
            memory = stack.enter_context(sole(place, fast=True))
            assert memory.check("work") == [], cut
        assert work(place) == expected, cut


WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "mn"]
