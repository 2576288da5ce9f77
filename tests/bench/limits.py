"""What large input costs: `python tests/bench/limits.py [stream] [text] [namespaces] [--megabytes N] [--namespaces N]`.

stream: N megabytes, and a tenth of them, through `lm-extract | lm-store`: the most memory each of the two held, as a
    ratio. Lines of 2 kB, nine in ten of them an assistant's, of which no facts are drawn; without vectors.
text: one text of 200,000 characters, and an eighth of it, through each step: processor time, as a ratio; 8 is linear.
namespaces: N memories under one root: listing them, a search in one, a run of maintenance over all, a page of the
    console; and the same with a tenth of them. Their files are copies of one small memory, 400 kB each.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.commands import measured  # noqa: E402

BIN = Path(sys.executable).parent
WORDS = "river lantern meadow harbour paper window train coffee garden music city winter book stone bridge".split()
LINE = 2000
TEXT = 200_000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("parts", nargs="*", choices=["stream", "text", "namespaces", []])
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--namespaces", type=int, default=10_000)
    options = parser.parse_args(arguments)
    chosen = options.parts or ["stream", "text", "namespaces"]
    if "stream" in chosen:
        show(streaming(options.megabytes))
    if "text" in chosen:
        show(long_text())
    if "namespaces" in chosen:
        show(many(options.namespaces))
    return 0


def show(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)
    print()


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LM_")}
    return {**kept, "LM_DATA_ROOT": str(folder / "memory"), "LM_NOW": "2026-03-10T12:00:00Z", **more}


# ------------------------------------------------------------------------------------------------- stream


def streaming(megabytes: float) -> Iterator[str]:
    yield "| input | lm-extract, MB | lm-store, MB | s |"
    yield "| ---: | ---: | ---: | ---: |"
    peaks = []
    for size in (megabytes / 10, megabytes):
        begin = time.perf_counter()
        extract, store = streamed(size)
        peaks.append((extract, store))
        yield f"| {size:g} MB | {extract:.1f} | {store:.1f} | {time.perf_counter() - begin:.0f} |"
    yield f"| ratio | {peaks[1][0] / peaks[0][0]:.2f} | {peaks[1][1] / peaks[0][1]:.2f} | |"


def streamed(megabytes: float) -> tuple[float, float]:
    """The most memory of `lm-extract` and of `lm-store`, in MB."""
    with tempfile.TemporaryDirectory(prefix="lean-memory-limits-") as name:
        env = environment(Path(name))
        store_line = [str(BIN / "lm-store"), "-n", "large", "--no-embed", "--fast"]
        most = Path(name, "extract"), Path(name, "store")
        extract = subprocess.Popen(
            measured([str(BIN / "lm-extract")], most[0]), env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        store = subprocess.Popen(
            measured(store_line, most[1]), env=env, stdin=extract.stdout, stdout=subprocess.DEVNULL
        )
        assert extract.stdin is not None
        assert extract.stdout is not None
        extract.stdout.close()
        for line in lines(int(megabytes * 1e6)):
            extract.stdin.write(line)
        extract.stdin.close()
        assert [process.wait() for process in (extract, store)] == [0, 0]
        return int(most[0].read_text("ascii")) / 1e6, int(most[1].read_text("ascii")) / 1e6


def lines(size: int) -> Iterator[bytes]:
    """Note records, `size` bytes in all."""
    chance, written, number = random.Random(1), 0, 0
    while written < size:
        number += 1
        text = f"On day {number} " + " ".join(chance.choices(WORDS, k=LINE // 7))
        record = {"text": text, "source": "assistant", "t_ref": "2026-01-01T00:00:00Z"}
        if number % 10 == 0:
            record |= {"text": f"I bought book {number}. {text[: LINE // 10]}", "source": "user"}
        line = json.dumps(record).encode() + b"\n"
        written += len(line)
        yield line


# --------------------------------------------------------------------------------------------------- text


def long_text() -> Iterator[str]:
    yield f"| step | {TEXT // 8:,} characters, s | {TEXT:,} characters, s | ratio |"
    yield "| --- | ---: | ---: | ---: |"
    few, many = (dict(steps(text(size))) for size in (TEXT // 8, TEXT))
    for name, seconds in many.items():
        yield f"| {name} | {few[name]:.2f} | {seconds:.2f} | {seconds / few[name]:.1f} |"


def text(size: int) -> str:
    """Sentences of the extraction's own cases, in an order of its own."""
    from tests.extract.material import read_kinds

    sentences = [case.say for kind in read_kinds() for case in kind.cases]
    chance, parts, length = random.Random(1), [], 0
    while length < size:
        parts.append(chance.choice(sentences))
        length += len(parts[-1]) + 1
    return " ".join(parts)[:size]


def steps(text: str) -> Iterator[tuple[str, float]]:
    """Processor seconds of each, in this process, models loaded."""
    from lean_memory import Memory
    from lean_memory.records import Note

    with tempfile.TemporaryDirectory(prefix="lean-memory-limits-") as name, Memory(Path(name)) as memory:
        memory.add("text", "I live in Leeds.")
        memory.search("text", "where do I live?")
        extractor = memory.extractor()
        begin = time.process_time()
        episode = extractor.episode(Note(text=text, t_ref=1_767_225_600_000))
        yield "extract", time.process_time() - begin
        begin = time.process_time()
        [embedded] = memory.embed([episode])
        yield (
            f"embed the text and its facts ({len(episode.facts) * TEXT // len(text):,} in the longer one)",
            (time.process_time() - begin),
        )
        begin = time.process_time()
        memory.store("text", [embedded])
        yield "store", time.process_time() - begin
        begin = time.process_time()
        for _ in range(20):
            memory.search("text", "what do I like about the sea?")
        yield "search, 20 times", time.process_time() - begin


# --------------------------------------------------------------------------------------------- namespaces


def many(count: int) -> Iterator[str]:
    yield f"| what, s | {count // 10:,} memories | {count:,} memories | ratio |"
    yield "| --- | ---: | ---: | ---: |"
    few, more = (dict(walks(size)) for size in (count // 10, count))
    for name, seconds in more.items():
        yield f"| {name} | {few[name]:.2f} | {seconds:.2f} | {seconds / few[name]:.1f} |"


def walks(count: int) -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory(prefix="lean-memory-limits-") as name:
        folder = Path(name)
        make(folder, count)
        for told, line in (
            ("a search in one", ["lm-search", "-n", f"m{count // 2}", "where does Nora work?"]),
            ("how all of them stand: lm-maintain status", ["lm-maintain", "status"]),
            ("a dry run of maintenance over all: lm-maintain", ["lm-maintain"]),
            ("one that writes its entry in each: lm-maintain --apply", ["lm-maintain", "--apply"]),
        ):
            begin = time.perf_counter()
            done = subprocess.run([str(BIN / line[0]), *line[1:]], env=stubbed(folder), capture_output=True)
            assert done.returncode == 0, done.stderr
            yield told, time.perf_counter() - begin
        yield from of_the_console(folder, count)


def stubbed(folder: Path) -> dict[str, str]:
    return environment(folder, LM_BACKENDS="stub")


def make(folder: Path, count: int) -> None:
    line = f"echo 'I live in Leeds. My sister Nora works at the zoo.' | {BIN}/lm-extract | {BIN}/lm-store -n m0"
    subprocess.run(line, shell=True, env=stubbed(folder), check=True, capture_output=True)
    made = folder / "memory" / "m0.db"
    for number in range(1, count):
        shutil.copyfile(made, made.with_name(f"m{number}.db"))


def of_the_console(folder: Path, count: int) -> Iterator[tuple[str, float]]:
    serve = subprocess.Popen(
        [str(BIN / "lm-review"), "serve"], env=stubbed(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    try:
        assert serve.stdout is not None
        printed = serve.stdout.readline().decode()
        address, token = re.findall(r"(http://127\.0\.0\.1:\d+)/.*#token=(\S+)", printed)[0]
        for told, path in (
            ("the console's Memories page, the last of them", f"/part/namespaces?from={count - 1}"),
            ("its Search page, in one", f"/part/search?n=m{count // 2}&q=Nora"),
        ):
            for _ in range(2):  # the first loads
                begin = time.perf_counter()
                with urlopen(Request(address + path, headers={"Authorization": f"Bearer {token}"})) as answer:
                    assert answer.read()
                seconds = time.perf_counter() - begin
            yield told, seconds
    finally:
        serve.terminate()
        serve.communicate()


if __name__ == "__main__":
    raise SystemExit(main())
