"""What can go wrong, each done to a memory, looked at through the commands, and mended by what their messages say."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import apsw
import pytest

from lean_memory.store import migrate, open_store
from tests.commands import Ended, environment, run
from tests.faults.disk import disk_for_sqlite, image_after_cut
from tests.store.material import a_write

__all__ = ["SCENARIOS", "Impossible", "Scenario", "begin", "episodes"]

NOTES = (
    "My sister Nora works at the zoo.", "I work at Larkfield Books.", "I don't like mushrooms.", "I drink tea.",
)  # fmt: skip
LATE = "I adopted a cat called Pixel."
ROOT = Path(__file__).resolve().parents[2]
ON_A_DISK = f"{sys.executable} -m tests.faults.on_a_disk"
PAGE = 4096


class Impossible(Exception):
    """This machine can't have it go wrong so."""


@dataclass(frozen=True)
class Scenario:
    """Something that goes wrong.

    `happens` does it to a folder with `memory/work.db`, which has four lines, and a backup of it. `look` is the command
    that meets it, `rc` how that ends, `code` the word for it. `mend` brings back `kept` lines in the memory `mended`.
    """

    title: str
    keeps: str
    happens: Callable[[Path], None]
    look: str
    rc: int
    code: str | None
    mend: tuple[str, ...]
    kept: int
    mends: str = ""  # in words, where it is no command
    mended: str = "work"
    shown: str = ""  # the command as a reader would type it
    unprivileged: bool = False


def begin(folder: Path) -> None:
    """The memory and its backup."""
    notes = "\n".join(NOTES)
    line = "lm-extract --at 2025-03-01 | lm-store -n work >/dev/null && lm-maintain backup -n work backup.db"
    ended = run(line, folder=folder, stdin=notes.encode())
    assert ended.rc == 0, ended.stderr


def episodes(folder: Path, namespace: str) -> list[str]:
    """The texts in a memory."""
    store = open_store(folder / "memory", namespace, create=False, now=0)
    try:
        return [episode.text for episode in store.episodes()]
    finally:
        store.close()


def look(scenario: Scenario, folder: Path) -> Ended:
    """The command that meets it; without the rights of root where the fault is about rights."""
    if not scenario.unprivileged:
        return run(scenario.look, folder=folder, stdin=_late(), PYTHONPATH=str(ROOT))
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", scenario.look], cwd=folder, env=environment(folder), input=_late(),
        capture_output=True, timeout=120, check=False, preexec_fn=_bound_by_modes if os.getuid() == 0 else None,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)


def _bound_by_modes() -> None:
    """Root passes over the modes of files by a capability, which this process gives up for what it becomes."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        if libc.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
            raise OSError(ctypes.get_errno(), "prctl")


def _late() -> bytes:
    return json.dumps({"type": "episode", "text": LATE, "t_ref": "2025-06-01T00:00:00Z"}).encode() + b"\n"


# ------------------------------------------------------------------------------------------------------------- how


def _file(folder: Path) -> Path:
    return folder / "memory" / "work.db"


def _sql(script: str) -> Callable[[Path], None]:
    def happens(folder: Path) -> None:
        db = apsw.Connection(str(_file(folder)))
        db.execute(script)
        db.close()

    return happens


def _content(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda folder: _write(_file(folder), change(_file(folder).read_bytes()))


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _killed(folder: Path) -> None:
    """After the receipt of a line, and in the middle of the next."""
    with subprocess.Popen(
        ["lm-store", "-n", "work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, env=environment(folder)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_late())
        process.stdin.flush()
        assert b'"stored"' in process.stdout.readline()
        process.stdin.write(_late()[:30])
        process.stdin.flush()
        process.send_signal(signal.SIGKILL)


def _in_use(folder: Path) -> None:
    """As a killed process leaves it: the last line is in the log alone."""
    _killed(folder)
    assert (folder / "memory" / "work.db-wal").stat().st_size


def _power_cut(*, fast: bool) -> Callable[[Path], None]:
    """After the receipt of a fifth line, and in the middle of a sixth."""

    def happens(folder: Path) -> None:
        first = {"work.db": _file(folder).read_bytes()}
        with pytest.MonkeyPatch.context() as patch, disk_for_sqlite(patch) as disk:
            store = open_store(folder / "memory", "work", create=True, fast=fast, now=10**13)
            store.commit([a_write(LATE, said=10**12, at=10**13)])
            answered = len(disk.ops)
            store.commit([a_write("the sixth", said=10**12, at=10**13)])
            ops = disk.ops[: (answered + len(disk.ops)) // 2]
            disk.fails = None
            store.close()
        shutil.rmtree(folder / "memory")
        (folder / "memory").mkdir()
        for name, content in image_after_cut(ops, first, Random(1), kept=0.0 if fast else 0.5).items():
            (folder / "memory" / name).write_bytes(content)

    return happens


def _protected(folder: Path) -> None:
    if sys.platform != "linux" and (os.name != "posix" or os.getuid() == 0):
        raise Impossible("modes don't bind here")
    (folder / "memory").chmod(0o555)
    _file(folder).chmod(0o444)
    try:
        probe = subprocess.run(
            ["test", "-w", str(_file(folder))], check=False, preexec_fn=_bound_by_modes if os.getuid() == 0 else None
        )
    except (OSError, subprocess.SubprocessError):
        raise Impossible("root can't give its rights up here") from None
    if os.getuid() == 0 and probe.returncode == 0:
        raise Impossible("modes don't bind here")


def _unprotect(folder: Path) -> None:
    (folder / "memory").chmod(0o755)
    _file(folder).chmod(0o644)


def _damaged_page(content: bytes) -> bytes:
    """The one that the texts are in."""
    at = content.index(NOTES[0].encode()) // PAGE * PAGE
    return content[:at] + b"\xa5" * PAGE + content[at + PAGE :]


def _other_log(folder: Path) -> None:
    ended = run(
        "lm-extract --at 2024-01-01 | lm-store -n other", folder=folder, stdin=b"I am another.", LM_NOW="2026-01-01"
    )
    assert ended.rc == 0
    store = open_store(folder / "memory", "third", create=True, now=7)
    store.commit([a_write("all of it is in its log")])
    log = (folder / "memory" / "third.db-wal").read_bytes()
    store.close()
    (folder / "memory" / "work.db-wal").write_bytes(log)


def _gone(*names: str) -> Callable[[Path], None]:
    def happens(folder: Path) -> None:
        _in_use(folder)
        for name in names:
            (folder / "memory" / name).unlink()

    return happens


def _other_program(folder: Path) -> None:
    _file(folder).unlink()
    _sql("CREATE TABLE bookmarks (url)")(folder)


CHECK = "lm-maintain check -n work"
SEARCH = "lm-search -n work -k 1 tea"
STORE = "lm-store -n work"
RESTORE = "lm-maintain restore -n work backup.db"
SEND = "send the lines again: what is stored is not stored twice"

SCENARIOS = (
    Scenario(
        "A process is killed (`kill -9`) as it stores", "What has a receipt; any other line whole or not at all.",
        _killed, CHECK, 0, None, (), 5, mends=f"Nothing needs to. {SEND.capitalize()}.",
    ),
    Scenario(
        "The power is cut", "What has a receipt; any other line whole or not at all.",
        _power_cut(fast=False), CHECK, 0, None, (), 5, mends=f"Nothing needs to. {SEND.capitalize()}.",
    ),
    Scenario(
        "The power is cut under `--fast`", "All but the last lines; each whole or not at all.",
        _power_cut(fast=True), CHECK, 0, None, (), 4, mends=f"Nothing needs to. {SEND.capitalize()}.",
    ),
    Scenario(
        "The disk is full", "All that was stored; of a batch, the lines before it was full.",
        lambda folder: None, f"{ON_A_DISK} full 5 {STORE} --no-embed", 5, "disk_full", (STORE,), 5, shown=STORE,
    ),
    Scenario(
        "The disk fails as it is written", "All that was stored.",
        lambda folder: None, f"{ON_A_DISK} write 5 {STORE} --no-embed", 5, "io", (STORE,), 5, shown=STORE,
    ),
    Scenario(
        "The disk fails as it is read", "All that was stored.",
        lambda folder: None, f"{ON_A_DISK} read 9 {SEARCH}", 5, "io", (SEARCH,), 4, shown=SEARCH,
    ),
    Scenario(
        "The file or its folder can't be written", "All that was stored.",
        _protected, STORE, 5, "read_only", ("chmod -R u+rwX memory", STORE), 5, unprivileged=True,
    ),
    Scenario(
        "A page of the file is damaged", "What the backup holds; the damaged file, moved aside.",
        _content(_damaged_page), SEARCH, 5, "corrupt", (RESTORE,), 4,
    ),
    Scenario(
        "A letter of a stored text has changed on the disk", "What the backup holds; the damaged file, moved aside.",
        _content(lambda content: content.replace(b"My sister", b"My sistar")), CHECK, 5, "corrupt", (RESTORE,), 4,
    ),
    Scenario(
        "An index is damaged", "All that was stored: indexes are made anew from it.",
        _sql("DELETE FROM terms WHERE rowid = 2"), CHECK, 5, "corrupt",
        ("lm-log --dump -n work | lm-store --restore -n work-2",), 4, mended="work-2",
    ),
    Scenario(
        "The file is cut short", "What the backup holds; the damaged file, moved aside.",
        _content(lambda content: content[: len(content) // 2]), SEARCH, 5, "corrupt", (RESTORE,), 4,
    ),
    Scenario(
        "Something else is in the file", "What the backup holds; the other file, moved aside.",
        _content(lambda content: b"just some notes\n" * 100), STORE, 5, "corrupt", (RESTORE,), 4,
    ),
    Scenario(
        "The file is gone or empty, its log is there", "What the backup holds; the log, moved aside.",
        _gone("work.db"), STORE, 5, "file_missing", (RESTORE,), 4,
    ),
    Scenario(
        "The log (`work.db-wal`) was taken away after a kill", "All but what was in the log alone.",
        _gone("work.db-wal"), SEARCH, 5, "log_missing", ("rm memory/work.db-shm", CHECK), 4,
    ),
    Scenario(
        "Only the file was copied, without its log", "All but what was in the log alone. Nothing can tell.",
        _gone("work.db-wal", "work.db-shm"), CHECK, 0, None, (), 4,
        mends="Copy a memory with `lm-maintain backup`, which takes what is in the log.",
    ),
    Scenario(
        "The log of another file is beside it", "All that was stored.",
        _other_log, SEARCH, 5, "foreign_log",
        ("mv memory/work.db-wal memory/work.db-wal.other && rm -f memory/work.db-shm",), 4,
    ),
    Scenario(
        "A newer version wrote the file", "All of it: not a byte is changed.",
        _sql(f"PRAGMA user_version = {migrate.latest_version() + 1}"), STORE, 5, "too_new", (RESTORE,), 4,
        mends="`pip install -U lean-memory`; or a backup that this version wrote.",
    ),
    Scenario(
        "Another program's database is in its place", "All of it: not a byte is changed.",
        _other_program, STORE, 5, "not_a_store", (RESTORE,), 4,
    ),
    Scenario(
        "The clock goes back", "All; what was believed at a time stays what was believed then.",
        lambda folder: None, f"LM_NOW=2020-01-01 {STORE}", 0, None, (), 5, shown=STORE,
        mends="Nothing needs to: what is recorded is recorded no earlier than what is there.",
    ),
    Scenario(
        "A backup is damaged", "The memory as it is: a backup is verified before it is put in its place.",
        lambda folder: _write(folder / "backup.db", _damaged_page((folder / "backup.db").read_bytes())),
        RESTORE, 5, "corrupt", (), 4, mends="An older backup.",
    ),
    Scenario(
        "A dump is cut short", "The memory it was of; none is made from it.",
        lambda folder: _dump(folder), "head -n 9 dump.jsonl | lm-store --restore -n work-2", 3, "not_whole",
        ("lm-log --dump -n work | lm-store --restore -n work-2",), 4, mended="work-2",
    ),
)  # fmt: skip


def _dump(folder: Path) -> None:
    assert run("lm-log --dump -n work >dump.jsonl", folder=folder).rc == 0
