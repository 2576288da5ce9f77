"""What opening makes, what it refuses, and that refusing leaves everything as it was."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lean_memory.claims import View
from lean_memory.errors import StoreBusy, StoreCorrupt, StoreTooNew, StoreUnavailable, UsageError
from lean_memory.store import connect, migrate, namespace_exists, open_store
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import a_fact, a_write

Opening = Callable[..., SqliteStore]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# -------------------------------------------------------------------------------------------------- creating


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_the_owner_can_read_the_files(root: Path, opened: Opening) -> None:
    old = os.umask(0)
    try:
        opened().commit([a_write("hello")])
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [root, *root.iterdir()]}
    files = ("work.db", "work.db-wal", "work.db-shm", "work.usage")
    assert modes == {"memory": 0o700, **dict.fromkeys(files, 0o600)}


@pytest.mark.parametrize(("fast", "synchronous"), [(False, 2), (True, 1)])
def test_a_store_waits_for_the_disk_unless_told_not_to(root: Path, fast: bool, synchronous: int) -> None:
    with closing(open_store(root, "work", create=True, fast=fast, now=0)) as store:
        assert store._db.pragma("synchronous") == synchronous


def test_a_new_file_has_the_newest_schema_and_knows_its_name(opened: Opening) -> None:
    db = opened()._db
    assert db.pragma("user_version") == migrate.latest_version()
    assert db.pragma("application_id") == migrate.APPLICATION_ID
    assert db.pragma("journal_mode") == "wal"
    assert db.pragma("foreign_keys") == 1
    with db.reading():
        assert db.rows("SELECT * FROM meta") == [("created_at", "0"), ("namespace", "work")]


def test_an_empty_file_left_by_a_killed_creator_is_taken_over(root: Path, opened: Opening) -> None:
    root.mkdir()
    (root / "work.db").touch()
    with pytest.raises(StoreUnavailable) as refused:
        opened(create=False)
    assert refused.value.code == "no_namespace"
    assert opened().commit([a_write("hello")]) == ["stored"]


def test_a_file_killed_before_its_schema_is_taken_over(root: Path, opened: Opening) -> None:
    root.mkdir()
    half = apsw.Connection(str(root / "work.db"))
    half.execute("PRAGMA journal_mode = WAL")
    half.close()
    with pytest.raises(StoreUnavailable) as refused:
        opened(create=False)
    assert refused.value.code == "no_namespace"
    assert opened().commit([a_write("hello")]) == ["stored"]


# --------------------------------------------------------------------------------------------------- reading


def test_reading_a_namespace_that_is_not_there_creates_nothing(root: Path, opened: Opening) -> None:
    with pytest.raises(StoreUnavailable) as refused:
        opened("new", create=False)
    assert not root.exists()
    assert refused.value.code == "no_namespace"
    assert "lm-store -n new" in str(refused.value.hint)

    opened("work").close()
    opened("home").close()
    before = files(root)
    with pytest.raises(StoreUnavailable, match="there: home, work"):
        opened("new", create=False)
    with pytest.raises(StoreUnavailable):
        opened("new", create=False, write=True)
    assert files(root) == before
    assert not namespace_exists(root, "new")
    assert namespace_exists(root, "work")


def test_reading_leaves_no_file_behind(root: Path, opened: Opening) -> None:
    writer = opened()
    writer.commit([a_write("hello")])
    writer.close()
    before = files(root)
    reader = opened(create=False)
    assert [hit.text for hit in reader.visible(View(now=1))] == ["hello"]
    reader.close()
    assert files(root) == before


def test_a_reader_cannot_write(opened: Opening) -> None:
    opened().close()
    with pytest.raises(StoreUnavailable) as refused:
        opened(create=False).commit([a_write("hello")])
    assert refused.value.code == "read_only"
    assert opened(create=False, write=True).commit([a_write("hello")]) == ["stored"]


# -------------------------------------------------------------------------------------------------- refusing


def newer(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute(f"PRAGMA user_version = {migrate.latest_version() + 1}")
    db.close()


@pytest.mark.parametrize("create", [True, False])
def test_a_newer_file_is_refused_untouched(root: Path, opened: Opening, create: bool) -> None:
    opened().close()
    newer(root / "work.db")
    before = files(root)
    with pytest.raises(StoreTooNew, match="schema version") as refused:
        opened(create=create)
    assert "pip install -U" in str(refused.value.hint)
    assert files(root) == before


@pytest.mark.parametrize("create", [True, False])
def test_a_newer_file_whose_version_is_still_in_the_log_is_refused_untouched(
    root: Path, opened: Opening, create: bool
) -> None:
    opened().close()
    db = apsw.Connection(str(root / "work.db"))
    db.execute(f"PRAGMA user_version = {migrate.latest_version() + 1}")
    crashed = root.parent / "crashed"
    shutil.copytree(root, crashed, ignore=shutil.ignore_patterns("*-shm"))
    db.close()
    before = files(crashed)
    with pytest.raises(StoreTooNew):
        open_store(crashed, "work", create=create, now=0)
    assert {name: data for name, data in files(crashed).items() if not name.endswith("-shm")} == before


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("content", [b"just some notes\n" * 100, b"\x00" * 5000, b"x", os.urandom(4096)])
def test_a_file_that_is_no_database_is_refused_untouched(
    root: Path, opened: Opening, create: bool, content: bytes
) -> None:
    root.mkdir()
    (root / "work.db").write_bytes(content)
    with pytest.raises(StoreCorrupt) as refused:
        opened(create=create)
    assert "lm-maintain restore -n work" in str(refused.value.hint)
    assert files(root) == {"work.db": content}


def test_another_programs_database_is_refused_untouched(root: Path, opened: Opening) -> None:
    root.mkdir()
    other = apsw.Connection(str(root / "work.db"))
    other.execute("CREATE TABLE bookmarks (url)")
    other.close()
    before = files(root)
    for create in (True, False):
        with pytest.raises(StoreUnavailable, match="another program") as refused:
            opened(create=create)
        assert refused.value.code == "not_a_store"
    assert files(root) == before


def test_a_damaged_page_is_reported_as_damage(root: Path, opened: Opening) -> None:
    store = opened()
    store.commit([a_write(f"line {i} " + "x" * 500) for i in range(100)])
    store.close()
    path = root / "work.db"
    data = bytearray(path.read_bytes())
    for offset in range(4096, len(data), 4096):
        data[offset : offset + 64] = b"\xff" * 64
    path.write_bytes(data)
    with pytest.raises(StoreCorrupt):
        list(opened(create=False).visible(View(now=1)))


def test_a_file_in_the_way_of_the_folder_is_explained(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file")
    with pytest.raises(StoreUnavailable) as refused:
        open_store(tmp_path / "memory", "work", create=True, now=0)
    assert refused.value.code == "cannot_open"
    assert "LM_DATA_ROOT" in str(refused.value.hint)


def test_a_folder_in_the_way_of_the_file_is_explained(root: Path, opened: Opening) -> None:
    (root / "work.db").mkdir(parents=True)
    for create in (True, False):
        with pytest.raises(StoreUnavailable) as refused:
            opened(create=create)
        assert refused.value.code == "cannot_open"


def test_an_empty_namespace_is_a_usage_error(opened: Opening) -> None:
    with pytest.raises(UsageError):
        opened("")


# ------------------------------------------------------------------------------------------- waiting, filling


def test_a_file_held_for_too_long_is_busy(root: Path, opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "BUSY_TIMEOUT", 0.05)
    store, holder = opened(), apsw.Connection(str(root / "work.db"))
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy) as refused:
        store.commit([a_write("hello")])
    assert refused.value.code == "busy"
    assert "lsof" in str(refused.value.hint)
    assert list(store.visible(View(now=1))) == []  # reading goes on
    holder.execute("ROLLBACK")
    holder.close()
    assert store.commit([a_write("hello")]) == ["stored"]


def test_a_full_disk_loses_nothing_that_was_stored(opened: Opening) -> None:
    store = opened()
    store.commit([a_write("hello", a_fact())])
    store._db.pragma(f"max_page_count = {store._db.pragma('page_count')}")
    with pytest.raises(StoreUnavailable) as refused:
        store.commit([a_write("x" * 1_000_000)])
    assert refused.value.code == "disk_full"
    assert store.check() == []
    assert store.counts()["episodes"] == 1


# ------------------------------------------------------------------------------------------------- migrating


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Adds a migration to those of the package."""
    steps = list(migrate._steps())

    def adding(sql: str) -> None:
        steps.append(sql)
        monkeypatch.setattr(migrate, "_steps", lambda: tuple(steps))

    return adding


@pytest.mark.parametrize("create", [True, False])
def test_an_older_file_is_brought_up_to_date(opened: Opening, step: Callable[[str], None], create: bool) -> None:
    old = opened()
    old.commit([a_write("hello")])
    old.close()
    step("CREATE TABLE later (x); INSERT INTO later VALUES (1)")
    step("INSERT INTO later VALUES (2)")
    store = opened(create=create)
    assert store._db.pragma("user_version") == 3
    with store._db.reading():
        assert store._db.rows("SELECT x FROM later") == [(1,), (2,)]
    assert [hit.text for hit in store.visible(View(now=1))] == ["hello"]


def test_a_failing_migration_leaves_the_file_at_the_step_before(
    root: Path, opened: Opening, step: Callable[[str], None]
) -> None:
    opened().close()
    step("CREATE TABLE later (x)")
    step("INSERT INTO later VALUES (1); INSERT INTO nowhere VALUES (1)")
    with pytest.raises(apsw.SQLError):
        opened()
    with closing(apsw.Connection(str(root / "work.db"))) as db:
        assert db.pragma("user_version") == 2
        assert db.execute("SELECT count(*) FROM later").fetchall() == [(0,)]


@pytest.mark.parametrize("begin", ["BEGIN; SELECT count(*) FROM episodes", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_changing_the_journal_mode_waits_for_others(root: Path, opened: Opening, begin: str) -> None:
    """A copy made by `.recover` or VACUUM INTO has no write-ahead log yet, and someone may be using it."""
    opened().close()
    other = apsw.Connection(str(root / "work.db"))
    other.pragma("journal_mode", "delete")
    other.execute(begin).fetchall()
    leaving = threading.Timer(0.3, other.execute, ["ROLLBACK"])
    leaving.start()
    assert opened()._db.pragma("journal_mode") == "wal"
    leaving.join()
    other.close()
