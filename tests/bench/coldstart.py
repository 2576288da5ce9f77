"""One cold `lm-search` over 10,000 facts beside Python and its model: `python tests/bench/coldstart.py [--out FILE]`.

The runs take turns, so that what else the machine does falls on all of them; given are medians, by the clock and of
processor time. Nothing is warm but the disk's cache and the byte code.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scale import NAMESPACE, Material, fill

from lean_memory.backends.minilm import MiniLM

MODEL = "from lean_memory.backends.minilm import MiniLM; MiniLM()"
BASE = "Python, and the model loaded"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        material = Material(MiniLM())
        list(fill(Path(folder), material, options.facts))
        question = material.question(0, 100)
        search = [str(Path(sys.executable).parent / "lm-search"), "--root", folder, "-n", NAMESPACE]
        lines = {
            "Python alone": [sys.executable, "-c", "pass"],
            BASE: [sys.executable, "-c", f"{MODEL}.warm()"],
            "the same, and the question embedded": [sys.executable, "-c", f"{MODEL}.embed([{question!r}])"],
            "`lm-search`": [*search, question],
            "`lm-search --no-model`": [*search, "--no-model", question],
        }
        for line in lines.values():
            once(line)
        taken = {name: list[tuple[float, float]]() for name in lines}
        for _ in range(options.runs):
            for name, line in lines.items():
                taken[name].append(once(line))
    text = report(taken, options.facts)
    sys.stdout.write(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0


def once(line: Sequence[str]) -> tuple[float, float]:
    """Seconds from start to end, and of processor time."""
    begin = time.perf_counter()
    process = subprocess.Popen(line, stdout=subprocess.PIPE, env={**os.environ, "LM_TZ": "UTC"})
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, line
    assert line[0] == sys.executable or json.loads(out.splitlines()[9])["rank"] == 10
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime


def report(taken: dict[str, list[tuple[float, float]]], facts: int) -> str:
    medians = {name: [statistics.median(part) for part in zip(*runs, strict=True)] for name, runs in taken.items()}
    rows = [
        f"| {name} | {1000 * clock:.0f} | {clock / medians[BASE][0]:.2f} | {1000 * work:.0f} | "
        f"{work / medians[BASE][1]:.2f} |"
        for name, (clock, work) in medians.items()
    ]
    return "\n".join(
        [
            f"{facts:,} facts, {len(taken[BASE])} runs in turn, medians:",
            "",
            "| process | ms | ratio | ms of work | ratio |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
