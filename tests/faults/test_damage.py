"""A file that is damaged, cut short or put together wrongly is never taken for a sound one by `lm-maintain check`, no
way of opening it ends otherwise than in an error that names the file and what to do, and a backup brings it back.

DAMAGE says how many bytes of each page are damaged in turn, and CUTS at how many lengths a file is cut (`just faults`
takes more).
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import apsw
import pytest

from lean_memory.errors import LeanMemoryError, StoreBusy, StoreCorrupt, StoreTooNew, StoreUnavailable
from lean_memory.store import migrate
from lean_memory.vectors import cosine
from tests.faults.memories import NAME, answers, at, fill, killed_copy, rows

DAMAGE = int(os.environ.get("DAMAGE", "1"))
CUTS = int(os.environ.get("CUTS", "16"))
PAGE = 4096
FILE = f"{NAME}.db"
LOG = f"{FILE}-wal"
INDEX = f"{FILE}-shm"

UNSEEN = {
    "aliases": "recorded_at closed_at",
    "changes": "at action fact episode run cause",
    "entities": "name recorded_at",
    "episodes": "tz meta extra recorded_at",
    "evidence": "text quote valid_at valid_to time_text relation cue confidence salience route extra recorded_at"
    " moved_at",
    "facts": "tier recorded_at",
    "lineage": "since kind closed_at",
    "meta": "value",
    "proposal_targets": "revision",
    "proposals": "id kind payload evidence status created_at expires_at decided_at decided_by decision",
    "runs": "id trigger config status cursor counts started_at ended_at",
    "slots": "revision",
    "usage": "hits last_used",
    "validity": "valid_at valid_to recorded_at closed_at",
    "vectors": "data",  # by so little that it points where it did
}
"""Columns that follow from nothing else in the file, so that another value may pass, of these and no others. In an
encrypted file nothing passes: its pages are authenticated."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sound")
    fill(root)
    with at(root) as memory:
        assert memory.check(NAME) == []
        assert all(memory._open(NAME).counts()[table] for table in UNSEEN if table not in ("usage", "aliases"))
    return root


@pytest.fixture
def backup(sound: Path, tmp_path: Path) -> Path:
    with at(sound) as memory:
        memory.backup(NAME, tmp_path / "backup.db")
    return tmp_path / "backup.db"


def laid(root: Path, **files: bytes) -> Path:
    """A folder of these files; `db`, `wal`, `shm`."""
    root.mkdir()
    for suffix, content in files.items():
        (root / (FILE if suffix == "db" else f"{FILE}-{suffix}")).write_bytes(content)
    return root


def checked(root: Path) -> StoreUnavailable | list[str]:
    """How `check` ends: with what is wrong, or an error that names the file and a way out."""
    found: LeanMemoryError | list[str]
    try:
        with at(root) as memory:
            found = memory.check(NAME)
    except LeanMemoryError as error:
        found = error
    if isinstance(found, LeanMemoryError):
        assert isinstance(found, StoreUnavailable), found
        assert not isinstance(found, StoreBusy), found
        assert FILE in found.message or found.code == "no_namespace"
        assert found.hint
    return found


def used(root: Path) -> None:
    """Whatever else is asked of a damaged file ends in an answer, or in an error of ours."""
    for ask in (lambda: answers(root), lambda: rows(root), lambda: fill(root)):
        with suppress(LeanMemoryError):
            ask()


# ------------------------------------------------------------------------------------------------------ bytes of a file


@pytest.mark.slow
def test_a_changed_byte_is_found_or_changes_nothing_that_follows_from_anything(sound: Path, tmp_path: Path) -> None:
    content = (sound / FILE).read_bytes()
    expected = rows(sound)
    chance = Random(DAMAGE)
    ends: Counter[str] = Counter()
    for page in range(len(content) // PAGE):
        for _ in range(DAMAGE):
            damaged = bytearray(content)
            damaged[PAGE * page + chance.randrange(PAGE)] ^= chance.choice([1 << chance.randrange(8), 255])
            root = laid(tmp_path / "trial", db=damaged)
            found = checked(root)
            if isinstance(found, StoreUnavailable):
                ends[found.code] += 1
            elif found:
                ends["found"] += 1
            else:
                different = differences(expected, rows(root))
                assert different <= {(table, column) for table, columns in UNSEEN.items() for column in columns.split()}
                ends["passed" if different else "nothing changed"] += 1
            shutil.rmtree(root)
    print(dict(ends))  # with `-s`
    assert ends["found"] > 0
    assert ends["corrupt"] > 0
    assert ends["passed"] < 0.04 * ends.total()


def differences(expected: list[dict[str, object]], found: list[dict[str, object]]) -> set[tuple[object, str]]:
    assert len(expected) == len(found)
    return {
        (there["table"], column)
        for here, there in zip(expected, found, strict=True)
        for column in here
        if here[column] != there[column]
    }


def test_a_vector_that_passes_points_where_it_did(sound: Path, tmp_path: Path) -> None:
    """Each bit of a float, in turn."""
    shutil.copytree(sound, tmp_path / "root")
    db = apsw.Connection(str(tmp_path / "root" / FILE))
    [(item, good)] = db.execute("SELECT item, data FROM vectors ORDER BY item LIMIT 1").fetchall()
    passed = 0
    for bit in range(32):
        data = bytearray(good)
        data[4 * 7 + bit // 8] ^= 1 << bit % 8
        db.execute("UPDATE vectors SET data = ? WHERE item = ?", (bytes(data), item))
        with at(tmp_path / "root") as memory:
            if not memory.check(NAME):
                passed += 1
                assert cosine(good, bytes(data)) > 0.999
    db.close()
    assert passed < 32


def test_a_file_that_is_gone_while_its_log_is_there_is_missed(killed: Path, sound: Path) -> None:
    """SQLite would begin a new one, and throw the log away."""
    file = (killed / FILE).read_bytes()
    for lost in (lambda: (killed / FILE).unlink(), lambda: (killed / FILE).write_bytes(b"")):
        lost()
        before = {path.name: path.read_bytes() for path in killed.iterdir()}
        for ask in (checked, lambda root: refused(lambda: fill(root))):
            found = ask(killed)
            assert isinstance(found, StoreCorrupt)
            assert found.code == "file_missing"
        assert {path.name: path.read_bytes() for path in killed.iterdir()} == before
    (killed / FILE).write_bytes(file)
    assert told(killed) == told(sound) + 1


@pytest.mark.slow
def test_whole_pages_of_noise_end_nothing_otherwise_than_in_an_error(sound: Path, tmp_path: Path) -> None:
    content = (sound / FILE).read_bytes()
    chance = Random(1)
    pages = range(len(content) // PAGE)
    for page in pages if DAMAGE > 1 else chance.sample(pages, 4):
        noise = bytes(PAGE) if page % 2 else chance.randbytes(PAGE)
        root = laid(tmp_path / "trial", db=content[: PAGE * page] + noise + content[PAGE * (page + 1) :])
        found = checked(root)
        assert found != [] or rows(root) == rows(sound)
        used(root)
        shutil.rmtree(root)


@pytest.mark.slow
def test_a_file_cut_at_any_length_is_known(sound: Path, tmp_path: Path) -> None:
    content = (sound / FILE).read_bytes()
    lengths = {
        0,
        1,
        15,
        16,
        99,
        100,
        101,
        511,
        512,
        513,
        PAGE - 1,
        PAGE,
        PAGE + 1,
        len(content) - PAGE,
        len(content) - 1,
    }
    lengths |= set(range(0, len(content), len(content) // CUTS))
    for length in sorted(lengths):
        root = laid(tmp_path / "trial", db=content[:length])
        found = checked(root)
        assert found != [] or (length == len(content) - 1 and rows(root) == rows(sound)), length
        assert (getattr(found, "code", "") == "no_namespace") == (length == 0)
        shutil.rmtree(root)


def test_another_length_after_the_end_is_no_damage(sound: Path, tmp_path: Path) -> None:
    root = laid(tmp_path / "trial", db=(sound / FILE).read_bytes() + bytes(PAGE))
    assert checked(root) == []
    assert rows(root) == rows(sound)


# ------------------------------------------------------------------------------------------------------------- the log


@pytest.fixture
def killed(sound: Path, tmp_path: Path) -> Path:
    """As a process leaves it that is killed: its last line is in the log alone."""
    shutil.copytree(sound, tmp_path / "used")
    killed_copy(tmp_path / "used", tmp_path / "killed", "I adopted a cat called Pixel.")
    assert (tmp_path / "killed" / LOG).stat().st_size > 0
    return tmp_path / "killed"


def told(root: Path) -> int:
    with at(root) as memory:
        assert memory.check(NAME) == []
        return sum(1 for _ in memory.episodes(NAME))


def test_what_is_in_the_log_alone_is_there(killed: Path, sound: Path) -> None:
    assert told(killed) == told(sound) + 1


@pytest.mark.slow
def test_a_log_cut_at_any_length_loses_whole_lines_at_most(killed: Path, sound: Path, tmp_path: Path) -> None:
    """It can't be told from a log whose last lines were never written."""
    db, log = (killed / FILE).read_bytes(), (killed / LOG).read_bytes()
    seen = set()
    for length in sorted({0, 1, 31, 32, 33, 56, len(log) - 1, len(log), *range(0, len(log), len(log) // CUTS)}):
        root = laid(tmp_path / "trial", db=db, wal=log[:length])
        seen.add(told(root) - told(sound))
        shutil.rmtree(root)
    assert seen == {0, 1}


@pytest.mark.slow
def test_a_changed_byte_in_the_log_loses_whole_lines_at_most(killed: Path, sound: Path, tmp_path: Path) -> None:
    """Its frames have checksums."""
    db, log = (killed / FILE).read_bytes(), (killed / LOG).read_bytes()
    chance = Random(2)
    for _ in range(CUTS):
        damaged = bytearray(log)
        damaged[chance.randrange(len(log))] ^= 1 << chance.randrange(8)
        root = laid(tmp_path / "trial", db=db, wal=damaged)
        assert told(root) in (told(sound), told(sound) + 1)
        shutil.rmtree(root)


def test_a_log_that_was_taken_away_is_missed(killed: Path, sound: Path) -> None:
    log = (killed / LOG).read_bytes()
    (killed / LOG).unlink()
    before = {path.name: path.read_bytes() for path in killed.iterdir()}
    for ask in (checked, lambda root: refused(lambda: answers(root)), lambda root: refused(lambda: fill(root))):
        found = ask(killed)
        assert isinstance(found, StoreCorrupt)
        assert found.code == "log_missing"
        assert LOG in found.message
        assert f"rm {killed / INDEX}" in str(found.hint)
    assert {path.name: path.read_bytes() for path in killed.iterdir()} == before
    (killed / LOG).write_bytes(log)  # it was found
    assert told(killed) == told(sound) + 1


def test_without_the_log_the_rest_is_there(killed: Path, sound: Path) -> None:
    for name in (LOG, INDEX):
        (killed / name).unlink()
    assert told(killed) == told(sound)


def refused(action: object) -> LeanMemoryError:
    with pytest.raises(LeanMemoryError) as raised:
        action()  # type: ignore[operator]
    return raised.value


def test_the_log_of_another_memory_is_refused_untouched(killed: Path, sound: Path, tmp_path: Path) -> None:
    fill(tmp_path / "other", now=1_750_000_000_000)
    live = tmp_path / "live"
    with at(tmp_path / "begun", 1_750_000_000_001) as memory:  # all of it is in its log
        memory.add(NAME, "I am another.", t_ref="2025-06-01T00:00:00Z")
        shutil.copytree(tmp_path / "begun", live)
    root = laid(tmp_path / "trial", db=(sound / FILE).read_bytes(), wal=(live / LOG).read_bytes())
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    found = checked(root)
    assert isinstance(found, StoreCorrupt)
    assert found.code == "foreign_log"
    assert f"mv {root / LOG} " in str(found.hint)
    assert {name: (root / name).read_bytes() for name in before} == before
    (root / LOG).rename(root / f"{LOG}.other")
    (root / INDEX).unlink(missing_ok=True)
    assert told(root) == told(sound)


def test_a_memory_that_is_filled_from_a_dump_is_none_of_another(sound: Path, tmp_path: Path) -> None:
    """Its file by itself is the empty one still, as long as the log is not moved into it."""
    root = tmp_path / "root"
    with at(root) as memory:
        memory.store(NAME, [])
    with at(sound) as memory:
        dump = list(memory.export(NAME))
    with at(root) as memory:
        memory.restore(NAME, dump)
        assert (root / LOG).stat().st_size > 0
        assert told(root) == told(sound)


def test_a_part_of_another_log_is_found_by_the_check(killed: Path, tmp_path: Path) -> None:
    """Its few pages, put among those of a memory that is not theirs."""
    fill(tmp_path / "other", now=1_750_000_000_000)
    with at(tmp_path / "other") as memory:
        memory.store(NAME, [], embed=False)
    root = laid(
        tmp_path / "trial", db=(tmp_path / "other" / FILE).read_bytes()[: -8 * PAGE], wal=(killed / LOG).read_bytes()
    )
    assert checked(root) != []


# ------------------------------------------------------------------------------------------------------------- mending


@pytest.mark.parametrize("damage", ["noise", "half", "empty", "gone", "log gone", "newer", "in use no more"])
def test_a_backup_takes_the_place_of_whatever_is_there(killed: Path, backup: Path, sound: Path, damage: str) -> None:
    file = killed / FILE
    if damage == "noise":
        file.write_bytes(os.urandom(5 * PAGE))
    elif damage == "half":
        file.write_bytes(file.read_bytes()[: 9 * PAGE])
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "gone":
        file.unlink()
    elif damage == "log gone":
        (killed / LOG).unlink()
    elif damage == "newer":
        (killed / LOG).unlink()
        db = apsw.Connection(str(file))
        db.execute(f"PRAGMA user_version = {migrate.latest_version() + 1}")
        db.close()
    kept = {path.name: path.read_bytes() for path in killed.iterdir() if path.name in (FILE, LOG)}
    with at(killed) as memory:
        done, aside = memory.restore_backup(NAME, backup)
        assert (done.namespace, done.path, done.episodes) == (NAME, str(file), told(sound))
    assert rows(killed) == rows(sound)
    assert answers(killed) == answers(sound)
    assert aside == killed / f"{FILE}.before-restore"
    moved = {path.name.replace(".before-restore", ""): path for path in killed.glob(f"{FILE}.before-restore*")}
    if damage != "in use no more":  # what is sound is closed first, its log in it
        assert {name: path.read_bytes() for name, path in moved.items()} == kept


def test_a_backup_is_put_back_under_any_name_and_again(sound: Path, backup: Path, tmp_path: Path) -> None:
    with at(tmp_path / "fresh") as memory:
        assert memory.restore_backup("Ärger", backup)[1] is None
        assert memory.namespaces() == ["Ärger"]
        assert memory.check("Ärger") == []
        for number in ("", "-2", "-3"):
            aside = memory.restore_backup("Ärger", backup)[1]
            assert aside is not None
            assert aside.name.endswith(f".before-restore{number}")
        assert memory.namespaces() == ["Ärger"]
        assert memory.check("Ärger") == []


@pytest.mark.slow
def test_a_damaged_backup_changes_nothing(sound: Path, backup: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "root")
    content = backup.read_bytes()
    chance = Random(3)
    refusals = 0
    for _ in range(25):
        damaged = bytearray(content)
        for page in range(len(content) // PAGE):
            damaged[PAGE * page + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)
        backup.write_bytes(damaged)
        before = {path.name: path.read_bytes() for path in (tmp_path / "root").iterdir()}
        with at(tmp_path / "root") as memory:
            error = refused(lambda memory=memory: memory.restore_backup(NAME, backup))
        assert "backup" in error.message
        refusals += isinstance(error, StoreCorrupt)
        assert {path.name: path.read_bytes() for path in (tmp_path / "root").iterdir()} == before
    assert refusals


def test_a_memory_that_somebody_uses_is_not_replaced(sound: Path, backup: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "root")
    with at(tmp_path / "root") as other, at(tmp_path / "root") as memory:
        other.add(NAME, "I use it.", t_ref="2025-06-01T00:00:00Z")
        assert isinstance(refused(lambda: memory.restore_backup(NAME, backup)), StoreBusy)
    assert told(tmp_path / "root") == told(sound) + 1


def test_a_damaged_index_is_mended_by_a_dump(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "root")
    db = apsw.Connection(str(tmp_path / "root" / FILE))
    db.execute("DELETE FROM terms WHERE rowid < 20; UPDATE vectors SET data = data WHERE item = 1")
    db.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'episodes_t_ref'")
    db.close()
    with at(tmp_path / "root") as memory:
        assert memory.check(NAME)
        memory.restore("again", list(memory.export(NAME)))
        assert memory.check("again") == []
        assert sum(1 for _ in memory.episodes("again")) == told(sound)


# --------------------------------------------------------------------------------------------------------------- newer


def test_a_newer_memory_is_left_to_the_byte(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "root")
    db = apsw.Connection(str(tmp_path / "root" / FILE))
    db.execute(f"CREATE TABLE novelties (x); PRAGMA user_version = {migrate.latest_version() + 1}")
    db.close()
    before = {path.name: path.read_bytes() for path in (tmp_path / "root").iterdir()}
    with at(tmp_path / "root") as memory:
        for ask in (
            lambda: memory.check(NAME), lambda: memory.search(NAME, "tea"), lambda: memory.store(NAME, []),
            lambda: memory.maintain(NAME, apply=True), lambda: memory.clear(NAME),
            lambda: memory.forget(NAME, text="tea"),
            lambda: memory.backup(NAME, tmp_path / "copy.db"), lambda: list(memory.export(NAME)),
            lambda: memory.embed_missing(NAME, reindex=True), lambda: list(memory.history(NAME)),
        ):  # fmt: skip
            error = refused(ask)
            assert isinstance(error, StoreTooNew)
            assert FILE in error.message
            assert "pip install -U" in str(error.hint)
    assert {path.name: path.read_bytes() for path in (tmp_path / "root").iterdir()} == before
