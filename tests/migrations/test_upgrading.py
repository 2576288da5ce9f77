"""What earlier releases wrote is brought up to date, with all it held, and answers as before. Cut anywhere, by a
failure, a kill or a power cut, it is as it was or whole steps on, and done again it ends as if there had been no cut.

There has been one schema. What a later one will do is tried on it with steps of each kind that SQLite's own pages on
changing tables describe; the steps of the package are then tried in the same way by themselves.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import apsw
import pytest

from lean_memory.errors import LeanMemoryError
from lean_memory.store import migrate, open_store
from tests.faults.disk import disk_for_sqlite, image_after_cut
from tests.faults.memories import NAME, at, rows
from tests.migrations.released_memories import VERSIONS, answered, as_sql, build, expected

SAMPLE = int(os.environ.get("MIGRATION_CUTS", "12"))

LATER = (
    # A column, filled from others, and an index on it.
    """ALTER TABLE facts ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
       UPDATE facts SET words = length(text);
       CREATE INDEX facts_words ON facts (words);""",
    # A table made anew, which others refer to.
    """CREATE TABLE slots_new (
         row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, note TEXT
       ) STRICT;
       INSERT INTO slots_new (row, key, revision) SELECT row, key, revision FROM slots;
       DROP TABLE slots;
       ALTER TABLE slots_new RENAME TO slots;""",
    # An index of words and one of vectors, filled; one less of the old.
    """CREATE VIRTUAL TABLE names USING fts5 (name);
       INSERT INTO names (rowid, name) SELECT row, name FROM entities;
       DROP INDEX episodes_session;
       CREATE TABLE counted AS SELECT predicate, count(*) AS n FROM facts GROUP BY predicate;""",
)  # fmt: skip


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """This program is three schemas on."""
    steps = (*migrate._steps(), *LATER)
    monkeypatch.setattr(migrate, "_steps", lambda: steps)


@pytest.fixture(params=VERSIONS, ids="schema-{}".format)
def version(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


def upgrade(root: Path) -> None:
    open_store(root, NAME, create=True, now=0).close()


def content(root: Path) -> str:
    return as_sql(root / f"{NAME}.db")


def version_of(root: Path) -> int:
    with closing(apsw.Connection(str(root / f"{NAME}.db"))) as db:
        return int(db.pragma("user_version"))


# ---------------------------------------------------------------------------------------------------- what was released


def test_every_schema_has_its_memory() -> None:
    assert list(range(1, migrate.latest_version() + 1)) == VERSIONS, "python -m tests.migrations.released_memories"


def test_a_released_schema_does_not_change(version: int, tmp_path: Path) -> None:
    """Of an unreleased one the memory is made anew; to change a released one takes a further step."""
    path = build(version, tmp_path / "old")
    with closing(apsw.Connection(str(path))) as old, closing(apsw.Connection(":memory:")) as made:
        for step in migrate._steps()[:version]:
            made.execute(step)
        asked = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'vec_coarse%' AND name NOT LIKE 'sqlite_%'"
        assert dict(old.execute(asked)) == dict(made.execute(asked))


def test_a_released_memory_is_brought_up_to_date_and_answers_as_it_did(version: int, tmp_path: Path) -> None:
    build(version, tmp_path / "old")
    with at(tmp_path / "old") as memory:
        assert json.loads(json.dumps(answered(memory))) == expected(version)
        assert memory.check(NAME) == []
        assert "user works at Harbour Press" in [hit.text for hit in memory.search(NAME, "where do I work?", k=3)]
        memory.add(NAME, "I work at the zoo now.", t_ref="2025-09-01T00:00:00Z")
        assert memory.check(NAME) == []
    assert version_of(tmp_path / "old") == migrate.latest_version()


def test_what_it_held_and_answers_are_the_same_after_later_steps(version: int, tmp_path: Path, later: None) -> None:
    build(version, tmp_path / "old")
    upgrade(tmp_path / "old")
    assert version_of(tmp_path / "old") == len(migrate._steps())
    with at(tmp_path / "old") as memory:
        assert json.loads(json.dumps(answered(memory))) == expected(version)
        memory.add(NAME, "I work at the zoo now.", t_ref="2025-09-01T00:00:00Z")


# -------------------------------------------------------------------------------------------------------------- cut


@contextmanager
def at_statement(number: int, act: Callable[[], object], seen: list[str] | None = None) -> Iterator[None]:
    """Does it before the statement of this number, of all connections together."""
    count = -1

    def trace(cursor: object, sql: str, values: object) -> bool:
        nonlocal count
        count += 1
        if seen is not None:
            seen.append(sql)
        if count == number:
            act()
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.set_exec_trace(trace)

    apsw.connection_hooks.append(hook)
    try:
        yield
    finally:
        apsw.connection_hooks.remove(hook)


class Cut(Exception):
    """In the middle."""


def cut() -> None:
    raise Cut


def points(count: int) -> list[int]:
    return sorted(Random(count).sample(range(count), min(SAMPLE, count)))


def old(version: int, root: Path) -> Path:
    """0 is a file that is not begun."""
    if version:
        build(version, root)
    else:
        root.mkdir(parents=True)
        (root / f"{NAME}.db").touch(0o600)
    return root


@pytest.mark.parametrize("begin", [0, *VERSIONS])
def test_cut_before_any_statement_it_is_a_whole_step_and_goes_on(begin: int, tmp_path: Path, later: None) -> None:
    seen: list[str] = []
    whole = old(begin, tmp_path / "whole")
    with at_statement(-1, cut, seen):
        upgrade(whole)
    steps = steps_of(begin, tmp_path)
    for number in range(len(seen)) if begin else points(len(seen)):  # each statement
        root = old(begin, tmp_path / "trial")
        try:
            with at_statement(number, cut):
                upgrade(root)
        except Cut:
            pass
        assert content(root) in steps, seen[number]
        upgrade(root)
        assert content(root) == steps[-1], seen[number]
        shutil.rmtree(root)


def steps_of(begin: int, folder: Path) -> list[str]:
    """The contents that there may be: of each version, nothing between."""
    root = old(begin, folder / "steps")
    found = [content(root)]
    every = migrate._steps()
    for end in range(max(begin, 1), len(every) + 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrate, "_steps", lambda end=end: every[:end])
            upgrade(root)
        found.append(content(root))
    return found


def test_cut_inside_a_statement_it_is_a_whole_step_and_goes_on(tmp_path: Path, later: None) -> None:
    """Statements that fill or rewrite tables take long: they are cut in the middle of that too."""
    steps = steps_of(VERSIONS[-1], tmp_path)
    cuts = 0
    for instructions in Random(1).sample(range(50, 6000), SAMPLE):
        root = old(VERSIONS[-1], tmp_path / "trial")

        def hook(connection: apsw.Connection, instructions: int = instructions) -> None:
            connection.set_progress_handler(lambda: True, instructions)

        apsw.connection_hooks.append(hook)
        try:
            upgrade(root)
        except (apsw.InterruptError, LeanMemoryError):
            cuts += 1
        finally:
            apsw.connection_hooks.remove(hook)
        assert content(root) in steps
        upgrade(root)
        assert content(root) == steps[-1]
        shutil.rmtree(root)
    assert cuts


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_killed_before_any_statement_it_is_a_whole_step_and_goes_on(tmp_path: Path, later: None) -> None:
    steps = steps_of(VERSIONS[-1], tmp_path)
    seen: list[str] = []
    whole = old(VERSIONS[-1], tmp_path / "whole")
    with at_statement(-1, cut, seen):
        upgrade(whole)
    for number in points(len(seen)):
        root = old(VERSIONS[-1], tmp_path / "trial")
        child = os.fork()
        if child == 0:
            with at_statement(number, lambda: os.kill(os.getpid(), signal.SIGKILL)):
                upgrade(root)
            os._exit(0)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
        assert content(root) in steps, seen[number]
        upgrade(root)
        assert content(root) == steps[-1], seen[number]
        shutil.rmtree(root)


@pytest.mark.slow
def test_after_a_power_cut_it_is_a_whole_step_and_goes_on(
    tmp_path: Path, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = steps_of(VERSIONS[-1], tmp_path)
    root = old(VERSIONS[-1], tmp_path / "whole")
    first = {f"{NAME}.db": (root / f"{NAME}.db").read_bytes()}
    with disk_for_sqlite(monkeypatch) as disk:
        upgrade(root)
    chance = Random(2)
    for point in points(len(disk.ops)):
        trial = tmp_path / "trial"
        trial.mkdir()
        for name, data in image_after_cut(disk.ops[:point], first, chance, kept=chance.choice([0, 0.5, 1])).items():
            (trial / name).write_bytes(data)
        assert content(trial) in steps
        upgrade(trial)
        assert content(trial) == steps[-1]
        shutil.rmtree(trial)


# --------------------------------------------------------------------------------------------------------- many at once


def test_many_that_open_it_at_once_do_each_step_once(tmp_path: Path, later: None) -> None:
    steps = steps_of(VERSIONS[-1], tmp_path)
    root = old(VERSIONS[-1], tmp_path / "old")
    failures: list[BaseException] = []

    def work() -> None:
        try:
            upgrade(root)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert content(root) == steps[-1]


def test_a_backup_of_an_older_schema_is_put_back_and_brought_up_to_date(tmp_path: Path, later: None) -> None:
    backup = build(VERSIONS[0], tmp_path / "backup")
    with at(tmp_path / "root") as memory:
        memory.restore_backup(NAME, backup)
        assert json.loads(json.dumps(answered(memory))) == expected(VERSIONS[0])
    assert version_of(tmp_path / "root") == len(migrate._steps())
    assert rows(tmp_path / "root")
