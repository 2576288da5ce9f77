"""Chat turns through the whole pipe beside embedding alone: `python tests/bench/ingest.py [--turns N] [--out FILE]`.

The pipe is `lm-extract | lm-embed | lm-store`, every receipt on the disk. It embeds more texts than there are turns, as
facts have vectors too; so embedding alone is measured twice: the texts that the pipe embeds (turns and facts), and the
turns alone. Both by the library in a process of its own, a batch at a time as `lm-embed` reads them. All three take
turns, a part of the input each, process start and loading included, so that what else the machine does falls on all.

Speeds are compared by the clock and by processor time (`work`): a pipe can at best hide the work of its other stages
on processors that embedding leaves free. Memory is sampled while the pipe runs: what its stages hold after a
quarter of the time, and at most.

Turns are those of LoCoMo, where `../shared/bench` is there, over and over with a number added; else synthetic.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

LOCOMO = Path(__file__).resolve().parents[3] / "shared" / "bench" / "locomo" / "turns.jsonl"
BIN = Path(sys.executable).parent
STAGES = ("lm-extract", "lm-embed", "lm-store")
EMBED = """
import json, sys
from lean_memory.backends.minilm import MiniLM
model, facts = MiniLM(), sys.argv[1] == "facts"
lines = [json.loads(line) for line in sys.stdin]
for start in range(0, len(lines), 64):
    batch = lines[start : start + 64]
    texts = [text for line in batch for text in (line["text"], *(fact["text"] for fact in line["facts"] if facts))]
    model.embed(texts)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--parts", type=int, default=4, help="parts of the input that take turns (default 4)")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    options = parser.parse_args(arguments)
    notes, size = list(islice(turns(), options.turns)), options.turns // options.parts
    taken: dict[str, list[tuple[float, float]]] = {"pipe": [], "the same texts": [], "the turns": []}
    held: dict[str, list[tuple[int, int]]] = {name: [] for name in STAGES}
    texts = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in range(options.parts):
            given, episodes = Path(folder, "notes"), Path(folder, "episodes")
            given.write_text("".join(notes[part * size : (part + 1) * size]), encoding="utf-8")
            with given.open("rb") as source, episodes.open("wb") as target:
                subprocess.run([BIN / "lm-extract"], stdin=source, stdout=target, check=True)
            texts += episodes.read_bytes().count(b'"predicate":') + size
            spent, memory = pipe(given, Path(folder))
            taken["pipe"].append(spent)
            for name, sizes in memory.items():
                held[name].append(sizes)
            for name, what in (("the same texts", "facts"), ("the turns", "turns")):
                taken[name].append(alone(episodes, what))
    text = report(taken, held, size * options.parts, texts)
    sys.stdout.write(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0


def turns() -> Iterator[str]:
    """Note records, a line each, without end."""
    chance = random.Random(1)
    words = "work home week garden music city train coffee brother dinner project paper river lantern meadow".split()
    known = []
    if LOCOMO.is_file():
        known = [json.loads(line) for line in LOCOMO.read_text(encoding="utf-8").splitlines()]
    else:
        print(f"no {LOCOMO}: synthetic turns", file=sys.stderr)
        for number in range(2000):
            said = " ".join(chance.choices(words, k=chance.randint(4, 40)))
            about = chance.choice(["I work at", "I like", "I went to", "My brother plays", "Do you know"])
            known.append(
                {"conv": "c", "session": number // 20, "session_time_iso": "2024-05-01T12:00:00", "speaker": "Anna",
                 "text": f"{about} {said}."}
            )  # fmt: skip
    for again in range(sys.maxsize):
        for turn in known:
            yield json.dumps(
                {
                    "text": turn["text"] + (f" ({again})" if again else ""), "t_ref": turn["session_time_iso"] + "Z",
                    "speaker": turn["speaker"], "session": f"{turn['conv']}-{turn['session']}-{again}",
                }
            ) + "\n"  # fmt: skip


def pipe(given: Path, folder: Path) -> tuple[tuple[float, float], dict[str, tuple[int, int]]]:
    """Clock and processor seconds; of each stage the megabytes after a quarter of the time, and the most."""
    options = {"lm-store": ["-n", "bench", "--root", str(folder)]}
    begin, source = time.perf_counter(), given.open("rb")
    stages: dict[str, subprocess.Popen[bytes]] = {}
    for name in STAGES:
        last = name == STAGES[-1]
        stages[name] = subprocess.Popen(
            [str(BIN / name), *options.get(name, ())], stdin=source,
            stdout=subprocess.DEVNULL if last else subprocess.PIPE,
        )  # fmt: skip
        source.close()
        source = stages[name].stdout  # type: ignore[assignment]
    samples: dict[str, list[tuple[float, int]]] = {name: [] for name in STAGES}
    work, running = 0.0, dict(stages)
    while running:
        for name, process in list(running.items()):
            done, status, used = os.wait4(process.pid, os.WNOHANG)
            if done:
                assert os.waitstatus_to_exitcode(status) == 0, name
                process.returncode = 0
                work += used.ru_utime + used.ru_stime
                del running[name]
            else:
                samples[name].append((time.perf_counter() - begin, resident(process.pid)))
        time.sleep(0.05)
    clock = time.perf_counter() - begin
    return (clock, work), {name: quarter_and_most(sizes) for name, sizes in samples.items()}


def resident(pid: int) -> int:
    """Megabytes; 0 where the system does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE") >> 20


def quarter_and_most(samples: list[tuple[float, int]]) -> tuple[int, int]:
    early = [size for at, size in samples if at <= samples[-1][0] / 4]
    return max(early, default=0), max(size for _, size in samples)


def alone(episodes: Path, what: str) -> tuple[float, float]:
    begin = time.perf_counter()
    with episodes.open("rb") as source:
        process = subprocess.Popen([sys.executable, "-c", EMBED, what], stdin=source)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime


def report(
    taken: dict[str, list[tuple[float, float]]], held: dict[str, list[tuple[int, int]]], turns: int, texts: int
) -> str:
    clock = {name: sum(one for one, _ in spent) for name, spent in taken.items()}
    work = {name: sum(one for _, one in spent) for name, spent in taken.items()}
    rows = [f"| the pipe | {texts:,} | {clock['pipe']:.1f} | {turns / clock['pipe']:.0f} | {work['pipe']:.1f} | |"]
    for name, count in (("the same texts", texts), ("the turns", turns)):
        rows.append(
            f"| embedding alone, {name} | {count:,} | {clock[name]:.1f} | {turns / clock[name]:.0f} | {work[name]:.1f} "
            f"| {clock[name] / clock['pipe']:.2f} ({work[name] / work['pipe']:.2f} of work) |"
        )
    sizes = [
        f"| `{name}` | {max(early for early, _ in parts)} MB | {max(most for _, most in parts)} MB |"
        for name, parts in held.items()
    ]
    return "\n".join(
        [
            f"{turns:,} turns in {len(taken['pipe'])} parts, {os.cpu_count()} processors:",
            "",
            "| what | texts embedded | s | turns a second | s of work | the pipe's speed |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            "| stage | memory after a quarter | at most |",
            "| --- | ---: | ---: |",
            *sizes,
            "",
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
