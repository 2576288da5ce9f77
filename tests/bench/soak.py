"""Everything at once on one memory: `python tests/bench/soak.py [--seconds N] [--writers N] [--readers N] [--root D]`.

For a while, each by the real commands in processes of their own: writers (`lm-store`, a line at a time, every receipt
waited for, begun anew now and then), readers (`lm-search --queries`), maintenance (`lm-maintain --apply`), two
reviewers (`lm-review list`, `lm-review decide`) and backups (`lm-maintain backup`). Lines are of five kinds: many
writers' new homes of a dozen people, likings that are near-duplicates, trifles that maintenance evicts, texts that
every writer sends, and texts of its own. A reader asks for what was just acknowledged, or as of a time.

What must hold, else it exits with 1 and says what does not:
* each line that was acknowledged is there exactly once, and nothing else is; ids are unique
* of a line that all writers send one says `stored` and the others `already_stored`
* what was acknowledged before a question is found by it, and is in a backup that begins then
* whoever wrote last, and however the writes met, a person's home is the one that was said last
* no command ends but with 0, with 5 and a documented `busy` or `lease`, or of a reviewer with 3, as another decided
* the write-ahead log stays within bounds, and the file is sound at the end
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import IO, Any

BIN = Path(sys.executable).parent
NAMESPACE = "soak"
NOW = "2026-03-10T12:00:00Z"
PEOPLE = "Ada Ben Cleo Dora Emil Fay Gus Hana Ivo Jana Kai Lena".split()
QUIET = "long quiet slow early windy sunny short brisk lonely late".split()
LIVES = 40
"""Lines after which a writer's process ends and another begins."""

LARGEST_LOG = 64 << 20
"""Bytes that the write-ahead log may have."""


@dataclass
class Seen:
    """What all of them tell. Lists and counters are only added to."""

    acknowledged: dict[str, str] = field(default_factory=dict)  # id -> the line's text and time
    recent: list[str] = field(default_factory=list)  # tokens of acknowledged lines
    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)  # (text, status)
    homes: dict[str, tuple[str, str]] = field(default_factory=dict)  # person -> (when, where), the last acknowledged
    waits: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in KINDS})
    busy: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    copies: list[tuple[Path, frozenset[str]]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    largest_log: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


KINDS = ("write", "write, first of a process", "read", "read, first of a process", "maintain", "review", "backup")
EACH = ("write", "read", "maintain", "backup")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--root", type=Path, help="make the memory in this folder, and leave it there")
    options = parser.parse_args(arguments)
    folder = options.root or Path(tempfile.mkdtemp(prefix="lean-memory-soak-"))
    try:
        seen = soak(folder, seconds=options.seconds, writers=options.writers, readers=options.readers)
        print("\n".join(report(seen)))
    finally:
        if options.root is None:
            shutil.rmtree(folder)
    return 1 if seen.wrong else 0


def soak(folder: Path, *, seconds: float, writers: int, readers: int) -> Seen:
    """Runs all of it in `folder`/memory, until each has done something at least; then checks what must hold."""
    seen, over = Seen(), threading.Event()
    place = Place(folder)
    Writer(place, seen, over, -1).lines(5)
    parts: list[Callable[[], None]] = [
        *(Writer(place, seen, over, number) for number in range(writers)),
        *(Reader(place, seen, over, number) for number in range(readers)),
        *(Reviewer(place, seen, over, number) for number in range(2)),
        Maintainer(place, seen, over),
        Backups(place, seen, over),
    ]
    threads = [threading.Thread(target=guarded(part, seen, over), name=type(part).__name__) for part in parts]
    for thread in threads:
        thread.start()
    stop = time.monotonic() + seconds
    while not over.is_set() and (time.monotonic() < stop or not all(seen.waits[kind] for kind in EACH)):
        seen.largest_log = max(seen.largest_log, size(place.file("-wal")))
        over.wait(0.01)
    over.set()
    for thread in threads:
        thread.join()
    check(place, seen, writers)
    return seen


def guarded(part: Callable[[], None], seen: Seen, over: threading.Event) -> Callable[[], None]:
    """What goes wrong in a thread ends all of them, and is told."""

    def run() -> None:
        try:
            part()
        except BaseException as error:
            seen.wrong.append(f"{type(part).__name__}: {type(error).__name__}: {error}")
            over.set()

    return run


@dataclass(frozen=True)
class Place:
    """Where it happens, and how a command is run there."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "memory"

    def file(self, side: str = "") -> Path:
        return self.root / f"{NAMESPACE}.db{side}"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LM_")}
        return {**kept, "LM_BACKENDS": "stub", "LM_NOW": NOW, "LM_DATA_ROOT": str(self.root), "PYTHONWARNINGS": "error"}

    def start(self, *line: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(BIN / line[0]), *line[1:]], env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, *line: str, given: bytes = b"") -> tuple[int, bytes, list[Any]]:
        """Exit code, stdout, and what stderr told: one error record a line, else it can't be read."""
        process = self.start(*line)
        out, err = process.communicate(given)
        return process.returncode, out, [json.loads(one) for one in err.splitlines()]


class Part:
    """One of those who use the memory, until it is `over`."""

    def __init__(self, place: Place, seen: Seen, over: threading.Event, number: int = 0) -> None:
        self.place = place
        self.seen = seen
        self.over = over
        self.number = number
        self.chance = random.Random(number)

    def ended(self, what: str, code: int, told: list[Any], *, allowed: Sequence[int] = (0,)) -> bool:
        """Whether the command did its work. What else it may say is that the memory is busy."""
        if code in allowed:
            return True
        codes = {record["code"] for record in told}
        if code == 5 and codes <= {"busy", "lease"}:
            with self.seen.lock:
                self.seen.busy.update(f"{what}: {code}" for code in codes)
            return False
        raise AssertionError(f"{what} ended with {code}: {told}")

    def timed(self, kind: str, begin: float) -> None:
        with self.seen.lock:
            self.seen.waits[kind].append(time.monotonic() - begin)


# ------------------------------------------------------------------------------------------------- writing


class Writer(Part):
    """Sends lines one by one, each when the one before is acknowledged."""

    process: subprocess.Popen[bytes] | None = None

    def __call__(self) -> None:
        self.lines(sys.maxsize)

    def lines(self, count: int) -> None:
        for number in range(count):
            if self.over.is_set():
                break
            line = self.line(number)
            while not self.sent(line):
                pass
            if number % LIVES == LIVES - 1:
                self.end()
        self.end()

    def sent(self, line: dict[str, Any]) -> bool:
        """Waits for the receipt; False if the memory was busy and the line must be sent again."""
        begin, kind = time.monotonic(), "write"
        if self.process is None:
            kind = "write, first of a process"
            self.process = self.place.start("lm-store", "-n", NAMESPACE)
        stdin, stdout = streams(self.process)
        stdin.write(json.dumps(line).encode() + b"\n")
        stdin.flush()
        answer = stdout.readline()
        if not answer:
            self.end()
            return False
        self.timed(kind, begin)
        self.note(line, json.loads(answer))
        return True

    def end(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        out, err = process.communicate()
        self.ended("lm-store", process.returncode, [json.loads(one) for one in err.splitlines()])
        assert out == b"", f"a receipt for nothing: {out!r}"

    def note(self, line: dict[str, Any], receipt: dict[str, Any]) -> None:
        text = f"{line['text']} ({line['t_ref']})"
        with self.seen.lock:
            self.seen.statuses[text, receipt["status"]] += 1
            known = self.seen.acknowledged.setdefault(receipt["id"], text)
            assert known == text, f"one id for {known!r} and {text!r}"
            if line["token"] is not None:
                self.seen.recent.append(line["token"])
            for fact in line["facts"]:
                if fact["predicate"] == "lives_in":
                    said = (line["t_ref"], fact["object"])
                    self.seen.homes[fact["subject"]] = max(said, self.seen.homes.get(fact["subject"], said))

    def line(self, number: int) -> dict[str, Any]:
        """The writer's line of this number, always the same."""
        token, person = f"w{self.number + 1}x{number}", PEOPLE[(self.number + number) % len(PEOPLE)]
        recent = instant(datetime(2026, 1, 1), seconds=self.chance.randrange(10**6), millis=self.number + 1)
        old = instant(datetime(2023, 1, 1), seconds=number * 60, millis=self.number + 1)
        kind = number % 5
        if kind == 0:
            return episode(f"{person} lives in Town {token}", recent, token, person, "lives_in", f"Town {token}", 7.0)
        if kind == 1:
            what = f"{self.chance.choice(QUIET)} {self.chance.choice(QUIET)} walks by the sea"
            return episode(f"{person} likes {what}", old, None, person, "likes", what, 4.5)
        if kind == 2:
            return episode(f"{person} watched Film {token}", old, token, person, "watched", f"Film {token}", 1.5)
        if kind == 3:
            return episode(f"all say that it rained on day {number}", instant(datetime(2025, 1, 1), seconds=number))
        filler = " ".join(self.chance.choices(QUIET, k=60))
        return episode(f"a note of {token}: {filler}", recent, token)


def episode(
    text: str, said: str, token: str | None = None, subject: str = "", predicate: str = "", object: str = "",
    salience: float = 0.0,
) -> dict[str, Any]:  # fmt: skip
    """A record as `lm-extract` writes them; the words of a fact are the whole text."""
    facts = [
        {"subject": subject, "predicate": predicate, "object": object, "text": text, "quote": text,
         "span": [0, len(text)], "valid_at": said, "salience": salience}
    ] if subject else []  # fmt: skip
    return {"type": "episode", "v": 1, "text": text, "t_ref": said, "facts": facts, "token": token}


def instant(begin: datetime, *, seconds: int, millis: int = 0) -> str:
    when = begin + timedelta(seconds=seconds, milliseconds=millis)
    return when.replace(tzinfo=timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


# ------------------------------------------------------------------------------------------------- reading


class Reader(Part):
    """Asks one question after the other of one process; every second one for what was just acknowledged."""

    def __call__(self) -> None:
        begin = time.monotonic()
        process = self.place.start("lm-search", "-n", NAMESPACE, "-k", "1", "--kind", "episode", "--queries", "-")
        stdin, stdout = streams(process)
        for number in range(sys.maxsize):
            if self.over.is_set():
                break
            token = self.chance.choice(self.seen.recent[-20:]) if number % 2 else None
            asked: dict[str, Any] = {"query": token or f"where does {self.chance.choice(PEOPLE)} live?", "qid": number}
            if not token and number % 4 == 0:
                asked["as_of"] = instant(datetime(2026, 1, 1), seconds=self.chance.randrange(10**6))
            begin = time.monotonic() if number else begin
            stdin.write(json.dumps(asked).encode() + b"\n")
            stdin.flush()
            answer = json.loads(stdout.readline() or b"null")
            if answer is None:
                break
            self.timed("read" if number else "read, first of a process", begin)
            assert answer["qid"] == number, f"the answer to another question: {answer}"
            assert token is None or token in answer["text"], f"acknowledged, but not found: {token}"
        _, err = process.communicate()
        self.ended("lm-search", process.returncode, [json.loads(one) for one in err.splitlines()])


class Maintainer(Part):
    """Maintains without a pause, looks at the log and at how things stand."""

    def __call__(self) -> None:
        while not self.over.is_set():
            begin = time.monotonic()
            code, out, told = self.place.run("lm-maintain", "-n", NAMESPACE, "--apply")
            self.timed("maintain", begin)
            if self.ended("lm-maintain", code, told):
                with self.seen.lock:
                    self.seen.outcomes.update(
                        {f"maintenance {name}": count for name, count in json.loads(out)["counts"].items()}
                    )
            for line in (("lm-log", "-n", NAMESPACE), ("lm-maintain", "status", "-n", NAMESPACE)):
                code, out, told = self.place.run(*line)
                self.ended(" ".join(line[:2]), code, told)
                for one in out.splitlines():
                    json.loads(one)


class Reviewer(Part):
    """Decides on what waits, at the same time as another."""

    def __call__(self) -> None:
        while not self.over.is_set():
            code, waiting, told = self.place.run("lm-review", "list", "-n", NAMESPACE)
            if not self.ended("lm-review list", code, told):
                continue
            if not waiting:
                self.over.wait(0.1)
                continue
            begin = time.monotonic()
            verdict = self.chance.choice(["approve", "keep"])
            code, out, told = self.place.run("lm-review", "decide", verdict, "-n", NAMESPACE, given=waiting)
            self.timed("review", begin)
            self.ended("lm-review decide", code, told, allowed=(0, 3))
            outcomes = [json.loads(line)["outcome"] for line in out.splitlines()]
            with self.seen.lock:
                self.seen.outcomes.update(f"decision {outcome}" for outcome in outcomes)


class Backups(Part):
    """Copies the memory again and again; of the copies the first and the last are kept."""

    def __call__(self) -> None:
        for number in range(sys.maxsize):
            if self.over.is_set():
                break
            with self.seen.lock:
                before = frozenset(self.seen.acknowledged)
            folder = self.place.folder / f"copy{number}"
            folder.mkdir()
            begin = time.monotonic()
            target = folder / f"{NAMESPACE}.db"
            code, _, told = self.place.run("lm-maintain", "backup", str(target), "-n", NAMESPACE)
            self.timed("backup", begin)
            if self.ended("lm-maintain backup", code, told):
                self.seen.copies.append((folder, before))
                if len(self.seen.copies) > 2:
                    shutil.rmtree(self.seen.copies.pop(1)[0])


# ------------------------------------------------------------------------------------------------ checking


def check(place: Place, seen: Seen, writers: int) -> None:
    """What must hold, at the end."""
    seen.wrong += [f"{what}: {example}" for what, example in faults(place, seen, writers)]


def faults(place: Place, seen: Seen, writers: int) -> Iterator[tuple[str, object]]:
    stored = episodes(place, place.root)
    ids = Counter(id for id, _ in stored)
    if doubled := [id for id, count in ids.items() if count > 1]:
        yield "stored twice", doubled[0]
    if lost := [text for id, text in seen.acknowledged.items() if id not in ids]:
        yield f"{len(lost)} acknowledged and lost", lost[0]
    if more := [text for id, text in stored if id not in seen.acknowledged]:
        yield f"{len(more)} there that nobody was told of", more[0]
    if len({text for _, text in stored}) != len({text for text, _ in seen.statuses}):
        yield "texts that were stored", len(stored)
    for text in {text for text, _ in seen.statuses}:
        times = seen.statuses[text, "stored"]
        if times > 1 or (times == 0 and not seen.busy):  # what met a busy memory may be stored though nobody was told
            yield f"stored {times} times by its receipts", text
    homes = facts(place)
    for person, (_, home) in seen.homes.items():
        if homes.get(person) != [home]:
            yield f"{person}'s home should be {home}", homes.get(person)
    if seen.largest_log > LARGEST_LOG:
        yield "the write-ahead log grew to", seen.largest_log
    for root in (place.root, *(folder for folder, _ in seen.copies)):
        code, out, told = place.run("lm-maintain", "check", "--root", str(root), "-n", NAMESPACE)
        if code or json.loads(out)["wrong"]:
            yield f"the check of {root.name}", told or out
    for folder, before in seen.copies:
        if missing := before - {id for id, _ in episodes(place, folder)}:
            yield f"{len(missing)} lines are not in {folder.name}", next(iter(missing))


def episodes(place: Place, root: Path) -> list[tuple[str, str]]:
    """Id and text of every one."""
    code, out, told = place.run("lm-log", "--episodes", "--root", str(root), "-n", NAMESPACE)
    assert code == 0, told
    return [(record["id"], f"{record['text']} ({record['t_ref']})") for record in map(json.loads, out.splitlines())]


def facts(place: Place) -> dict[str, list[str]]:
    """Where each person lives now."""
    code, out, told = place.run(
        "lm-search", "--all", "-n", NAMESPACE, "--kind", "fact", "--predicate", "lives_in", "--include-cold"
    )
    assert code == 0, told
    found: dict[str, list[str]] = {}
    for record in map(json.loads, out.splitlines()):
        found.setdefault(record["subject"], []).append(record["object"])
    return found


def size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


# ----------------------------------------------------------------------------------------------- reporting


def report(seen: Seen) -> Iterator[str]:
    yield "| what | n | p50, ms | p95, ms | most, ms |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for kind, waits in seen.waits.items():
        if waits:
            numbers = (quantile(waits, share) * 1000 for share in (0.5, 0.95, 1.0))
            yield f"| {kind} | {len(waits):,} | {' | '.join(f'{number:,.0f}' for number in numbers)} |"
    yield ""
    yield f"lines: {len(seen.acknowledged):,} stored, {sum(seen.statuses.values()):,} receipts"
    yield f"write-ahead log at most: {seen.largest_log / 2**20:.1f} MiB"
    yield f"busy: {dict(seen.busy) or 'never'}"
    yield f"outcomes: {dict(sorted(seen.outcomes.items()))}"
    yield f"wrong: {seen.wrong or 'nothing'}"


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    raise SystemExit(main())
