"""Encrypted memories: nothing is in plain text, nothing else than the key opens them, and keys can be changed.

They need the SQLite that encrypts, which `bin/test` puts before the installed one; see the extra `encrypted`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lean_memory.errors import LeanMemoryError, StoreBusy, StoreUnavailable
from lean_memory.keys import Key
from lean_memory.settings import Settings
from lean_memory.store import open_store
from lean_memory.store.encryption import key_fits
from tests.safety.sealed import SEALED, command, contents, fresh_key, opened

pytestmark = SEALED

MARKER = "Quixotecastle"
SAID = f"I work at {MARKER} Books."
FORMS = [MARKER.encode(), MARKER.lower().encode(), MARKER.encode("utf-16-le"), b"quixotecastl"]  # the last: a stem


def filled(root: Path, key: str | None, count: int = 3) -> list[object]:
    """A memory with facts, vectors, an index, and text about everything; what it holds."""
    with opened(root, key) as memory:
        memory.add("work", SAID, t_ref="2025-03-01T09:00:00Z", speaker=None)
        for n in range(count):
            memory.add(
                "work", f"My sister Nora visited {MARKER}{n}. I like tea number {n}.", t_ref=1_741_000_000_000 + n
            )
        return list(memory.dump("work"))


def held(root: Path, key: str | None) -> list[object]:
    with opened(root, key) as memory:
        assert memory.check("work") == []
        return list(memory.dump("work"))


def in_plain(files: dict[str, bytes]) -> list[str]:
    return [name for name, data in files.items() if any(form in data for form in FORMS)]


def opens(root: Path, key: str | None) -> bool:
    with opened(root, key) as memory:
        try:
            memory.check("work")
        except StoreUnavailable as error:
            if error.code not in ("wrong_key", "encrypted", "not_encrypted"):
                raise
            return False
    return True


def key_of(secret: str) -> Key:
    return Key(secret.encode(), "a test")


# -------------------------------------------------------------------------------------------- nothing in plain text


def test_nothing_is_in_plain_text_while_it_is_open(tmp_path: Path) -> None:
    key = fresh_key()
    with opened(tmp_path, key) as memory:
        memory.add("work", SAID)
        names = {path.name for path in tmp_path.iterdir()}
        assert {"work.db", "work.db-wal"} <= names
        assert in_plain(contents(tmp_path)) == []
        assert memory.search("work", f"who works at {MARKER}?", k=1)[0].text.endswith("Books")
    with opened(tmp_path / "plain") as memory:  # the search for it can find something
        memory.add("work", SAID)
        assert in_plain(contents(tmp_path / "plain"))


def test_nor_after_any_command(tmp_path: Path) -> None:
    key, scratch = fresh_key(), tmp_path / "scratch"
    scratch.mkdir()
    told = {"LM_ENCRYPT": key, "TMPDIR": str(scratch), "SQLITE_TMPDIR": str(scratch)}
    text = "".join(f"{SAID} My sister Nora lives in {MARKER}{n}.\n" for n in range(30)).encode()
    for line in (
        "lm-extract --at 2025-03-01 | lm-embed | lm-store -n work", "lm-search -n work books", "lm-log -n work",
        "lm-maintain -n work --apply --prove", "lm-maintain status", "lm-review list -n work",
        "lm-embed -n work --reindex", "lm-maintain backup -n work copy.bak", "lm-maintain check",
        "lm-maintain forget -n work --text Nora --yes", "lm-log -n work --dump | lm-store -n again --restore",
        f"lm-search -n {'long' * 50} x || echo {SAID} | lm-extract | lm-store -n {'long' * 50}", "lm-maintain check",
    ):  # fmt: skip
        ended = command(line, tmp_path, text, **told)
        assert ended.rc == 0, (line, ended)
        assert key.encode() not in ended.stdout + ended.stderr
    assert in_plain(contents(tmp_path)) == []
    assert key_fits(tmp_path / "copy.bak", key_of(key))
    shutil.copy(tmp_path / "copy.bak", tmp_path / "memory" / "copy.db")
    assert MARKER.encode() in command("lm-search -n copy books", tmp_path, **told).stdout
    assert b"Nora" in command("lm-search -n copy Nora", tmp_path, **told).stdout
    assert command("lm-maintain status", tmp_path, **told).stdout.count(b"\n") == 4
    assert command("lm-maintain clear -n work --yes", tmp_path, **told).rc == 0
    assert not (tmp_path / "memory" / "work.db").exists()


# ------------------------------------------------------------------------------------------------------- the wrong key

ANY = [
    "lm-search -n work tea", "lm-log -n work", "lm-log -n work --dump", "lm-maintain check -n work",
    "lm-maintain -n work --apply", "lm-maintain backup -n work copy.db", "lm-maintain clear -n work --yes",
    "lm-maintain forget -n work --text tea --yes", "lm-review list -n work", "lm-embed -n work --reindex",
    "echo I like tea. | lm-extract | lm-store -n work", "lm-maintain rekey -n work",
]  # fmt: skip


def killed_writer(root: Path, key: str | None) -> None:
    """Leaves a log with what was acknowledged, as a process does that is killed."""
    child = os.fork()
    if child == 0:
        with opened(root, key) as memory:
            memory.add("work", SAID)
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("line", ANY)
def test_a_wrong_key_is_refused_and_touches_nothing(line: str, tmp_path: Path) -> None:
    key, wrong = fresh_key(), fresh_key()
    killed_writer(tmp_path / "memory", key)
    before = contents(tmp_path)
    assert len(before["".join([str(tmp_path), "/memory/work.db-wal"])]) > 0
    ended = command(line, tmp_path, LM_ENCRYPT=wrong)
    assert ended.rc == 5
    error = json.loads(ended.stderr.splitlines()[-1])
    assert (error["code"], "memory/work.db" in error["message"]) == ("wrong_key", True)
    assert "LM_ENCRYPT" in error["hint"]
    assert wrong not in ended.stderr.decode()
    ended = command(line.replace("rekey", "check"), tmp_path)
    assert (ended.rc, json.loads(ended.stderr.splitlines()[-1])["code"]) == (5, "encrypted")
    assert contents(tmp_path) == before
    with opened(tmp_path / "memory", key) as memory:
        assert memory.search("work", "books", k=1)


@pytest.mark.parametrize("line", [line for line in ANY if "rekey" not in line])
def test_a_plain_file_is_not_written_to_under_a_key(line: str, tmp_path: Path) -> None:
    filled(tmp_path / "memory", None)
    before = contents(tmp_path)
    ended = command(line, tmp_path, LM_ENCRYPT=fresh_key())
    error = json.loads(ended.stderr.splitlines()[-1])
    assert (ended.rc, error["code"]) == (5, "not_encrypted")
    assert "lm-maintain rekey" in error["hint"]
    assert contents(tmp_path) == before


def test_damage_is_told_from_a_wrong_key(tmp_path: Path) -> None:
    key = fresh_key()
    filled(tmp_path, key)
    data = bytearray((tmp_path / "work.db").read_bytes())
    data[8192:8200] = bytes(8)  # one page is no longer authentic
    (tmp_path / "work.db").write_bytes(data)
    assert key_fits(tmp_path / "work.db", key_of(key))
    ended = command("lm-maintain check -n work", tmp_path, LM_ENCRYPT=key, LM_DATA_ROOT=".")
    assert ended.rc == 5
    assert b'"sound":false' in ended.stdout or b'"code":"corrupt"' in ended.stderr or b'"code":"io"' in ended.stderr


def test_a_process_that_was_killed_loses_nothing(tmp_path: Path) -> None:
    key = fresh_key()
    killed_writer(tmp_path, key)
    with opened(tmp_path, key) as memory:
        assert next(hit.text for hit in memory.visible("work")).endswith(f"{MARKER} Books")


def begin(root: str, key: str, number: int) -> str:
    with opened(Path(root), key) as memory:
        return memory.add("fresh", f"I have a cat called Cat{number}.").status


def test_many_may_begin_one_memory_at_once(tmp_path: Path) -> None:
    key = fresh_key()
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        for turn in range(5):
            root = str(tmp_path / str(turn))
            assert pool.starmap(begin, [(root, key, n) for n in range(4)], 1) == ["stored"] * 4
            with opened(Path(root), key) as memory:
                assert memory.check("fresh") == []
                assert len(list(memory.episodes("fresh"))) == 4


# ------------------------------------------------------------------------------------------------------ change of keys


def rekey(root: Path, key: str | None, *, old: str | None = None, decrypt: bool = False) -> bool:
    with opened(root, key, **({"LM_ENCRYPT_OLD": old} if old else {})) as memory:
        return memory.rekey("work", decrypt=decrypt).changed


def test_from_plain_to_a_key_to_another_and_back(tmp_path: Path) -> None:
    one, two = fresh_key(), fresh_key()
    rows = filled(tmp_path, None)
    assert rekey(tmp_path, one) is True
    assert in_plain(contents(tmp_path)) == []
    assert held(tmp_path, one) == rows
    assert rekey(tmp_path, one) is False
    assert rekey(tmp_path, two, old=one) is True
    assert held(tmp_path, two) == rows
    with pytest.raises(LeanMemoryError, match="another's"):
        held(tmp_path, one)
    assert rekey(tmp_path, two, old=one) is False  # run again, as after a kill
    assert rekey(tmp_path, None, old=two, decrypt=True) is True
    assert held(tmp_path, None) == rows
    assert rekey(tmp_path, one, decrypt=True) is False
    assert {path.name for path in tmp_path.iterdir() if path.suffix != ".db-shm"} <= {"work.db", "work.usage"}
    if os.name == "posix":
        assert (tmp_path / "work.db").stat().st_mode & 0o777 == 0o600


def test_the_command_takes_every_memory_and_names_no_key(tmp_path: Path) -> None:
    one, two = fresh_key(), fresh_key()
    names = ["work", "home", "long" * 50]
    for name in names:
        command(f"echo {SAID} | lm-extract | lm-store -n {name}", tmp_path)
    for told in (
        {"LM_ENCRYPT": one},
        {"LM_ENCRYPT": two, "LM_ENCRYPT_OLD": one},
        {"LM_ENCRYPT": two, "LM_ENCRYPT_OLD": one},
    ):
        ended = command("lm-maintain rekey", tmp_path, **told)
        assert ended.rc == 0
        assert sorted(json.loads(line)["namespace"] for line in ended.stdout.splitlines()) == sorted(names)
        assert one.encode() not in ended.stdout + ended.stderr
    ended = command("lm-maintain rekey --decrypt", tmp_path, LM_ENCRYPT_OLD=two)
    assert [json.loads(line)["encrypted"] for line in ended.stdout.splitlines()] == [False] * 3
    assert command("lm-maintain check", tmp_path).stdout.count(b'"sound":true') == 3


def test_it_is_refused_while_others_have_the_file_open(tmp_path: Path) -> None:
    one, two = fresh_key(), fresh_key()
    rows = filled(tmp_path, one)
    with opened(tmp_path, one) as other:
        other.add("work", "I like tea number 0.", t_ref=0)
        with pytest.raises(StoreBusy, match=r"has .* open"):
            rekey(tmp_path, two, old=one)
        assert other.check("work") == []
    assert len(held(tmp_path, one)) > len(rows)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["work.db", "work.usage"]


def test_who_waited_for_the_old_file_opens_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = fresh_key(), fresh_key()
    filled(tmp_path, None)
    rekey(tmp_path, one)  # it is not in write-ahead logging now, so that who has it open holds no lock
    idle = open_store(tmp_path, "work", create=False, now=0, key=key_of(one))
    assert rekey(tmp_path, two, old=one)
    with pytest.raises(StoreUnavailable):
        idle.counts()
    idle.close()
    rekey(tmp_path, one, old=two)
    real = apsw.Connection

    def swapped_meanwhile(*args: object, **rest: object) -> apsw.Connection:
        connection = real(*args, **rest)  # type: ignore[arg-type]
        monkeypatch.setattr(apsw, "Connection", real)
        with opened(tmp_path, None, LM_ENCRYPT_OLD=one) as memory:
            memory.rekey("work", decrypt=True)
        with opened(tmp_path, one) as memory:
            memory.rekey("work")
        return connection

    monkeypatch.setattr(apsw, "Connection", swapped_meanwhile)
    with closing(open_store(tmp_path, "work", create=True, now=0, key=key_of(one))) as store:
        assert store.counts()["episodes"] == 4
        monkeypatch.setattr(apsw, "Connection", real)
    with opened(tmp_path, one) as memory:
        assert memory.add("work", "I like coffee.").status == "stored"
        assert len(list(memory.episodes("work"))) == 5


WRITER = """
import sys
from pathlib import Path
from tests.safety.sealed import opened
for n in range(100_000):
    with opened(Path(sys.argv[1]), sys.argv[2]) as memory:
        memory.add("work", f"I like tea from {sys.argv[3]} number {n}.", t_ref=n)
    print(n, flush=True)
"""


def test_no_acknowledged_line_is_lost_to_a_change_of_keys(tmp_path: Path) -> None:
    one, two = fresh_key(), fresh_key()
    filled(tmp_path, one)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), one, str(n)], cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for n in range(2)
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"0\n"
    while True:
        try:
            rekey(tmp_path, two, old=one)
            break
        except StoreBusy:
            continue
    acknowledged = 0
    for writer in writers:
        out, err = writer.communicate(timeout=120)
        assert b"can't be read with the key" in err
        acknowledged += 1 + len(out.splitlines())
    with opened(tmp_path, two) as memory:
        assert memory.check("work") == []
        assert len(list(memory.episodes("work"))) - 4 >= acknowledged


KILLS = int(os.environ.get("KILLS", "12"))


def in_a_child(action: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        try:
            action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1]


class Steps:
    """Counts what a process does: SQLite's statements and every hundredth step of its machine, files that are opened,
    renamed and removed. Kills it before the one that is asked for."""

    def __init__(self, fatal: int | None = None, told: int | None = None) -> None:
        self._count, self._fatal, self._told = 0, fatal, told
        apsw.connection_hooks.append(self._watch)
        sys.addaudithook(lambda event, args: self.step() if event in ("open", "os.rename", "os.remove") else None)

    def _watch(self, connection: apsw.Connection) -> None:
        connection.set_exec_trace(lambda *_: self.step())
        connection.set_progress_handler(lambda: not self.step(), 100)

    def step(self) -> bool:
        self._count += 1
        if self._count == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def tell(self) -> None:
        assert self._told is not None
        os.write(self._told, b"%d" % self._count)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("way", ["to a key", "to another", "to none"])
def test_killed_anywhere_it_leaves_the_file_under_one_key_or_the_other(way: str, tmp_path: Path) -> None:
    one, two = fresh_key(), fresh_key()
    old, new, change = {
        "to a key": (None, one, lambda root: rekey(root, one)),
        "to another": (one, two, lambda root: rekey(root, two, old=one)),
        "to none": (one, None, lambda root: rekey(root, None, old=one, decrypt=True)),
    }[way]
    rows = filled(tmp_path / "whole", old)
    shutil.copytree(tmp_path / "whole", tmp_path / "counted")
    reading, writing = os.pipe()

    def counted() -> None:
        steps = Steps(told=writing)
        change(tmp_path / "counted")
        steps.tell()

    assert in_a_child(counted) == 0
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        last = int(pipe.read())
    assert last > 100
    assert held(tmp_path / "counted", new) == rows
    chosen = random.Random(11)
    late = range(last - 40, last)  # around the swap
    outcomes = set()
    for point in {*chosen.sample(range(1, last), KILLS), *chosen.sample(late, min(KILLS, 40)), last}:
        trial = tmp_path / "trial"
        shutil.copytree(tmp_path / "whole", trial)

        def cut(point: int = point, trial: Path = trial) -> None:
            Steps(fatal=point)
            change(trial)

        status = in_a_child(cut)
        assert status in (0, signal.SIGKILL), point  # 0: it took a step less than the one that was counted
        outcome = "old" if opens(trial, old) else "new"
        outcomes.add(outcome)
        assert held(trial, old if outcome == "old" else new) == rows
        change(trial)  # run again, it ends where it would have
        assert held(trial, new) == rows
        assert not list(trial.glob("*.rekey"))
        shutil.rmtree(trial)
    assert "old" in outcomes


def test_a_copy_that_is_not_the_file_does_not_take_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = fresh_key()
    rows = filled(tmp_path, None)
    from lean_memory.store import rekey as module

    monkeypatch.setattr(module, "TABLES", {"meta": "key", "(SELECT random())": "1"})
    real = module._compare

    def lossy(source: apsw.Connection, part: Path, key: Key | None) -> None:
        with closing(apsw.Connection(str(part))) as copy:
            module.unlock(copy, key)
            copy.execute("DELETE FROM meta WHERE key = 'created_at'").fetchall()
        real(source, part, key)

    monkeypatch.setattr(module, "_compare", lossy)
    with pytest.raises(LeanMemoryError, match="is not whole"):
        rekey(tmp_path, one)
    assert held(tmp_path, None) == rows
    assert not list(tmp_path.glob("*.rekey"))


def test_the_key_is_read_anew_for_every_file(tmp_path: Path) -> None:
    keeper = tmp_path / "k"
    keeper.write_text(fresh_key())
    keeper.chmod(0o600)
    settings = Settings.from_environ({"LM_ENCRYPT": f"@{keeper}"})
    first = settings.key()
    keeper.write_text(fresh_key())
    assert settings.key() != first
