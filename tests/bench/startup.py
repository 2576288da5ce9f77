"""How fast a command starts, beside the least that its libraries allow: `python tests/bench/startup.py [--out FILE]`.

The runs alternate, so that a busy moment of the machine falls on all of them. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BIN = Path(sys.executable).parent
BASE = "import click"
LINES = {
    BASE: [sys.executable, "-c", "import click"],
    **{f"{name} --help": [str(BIN / name), "--help"] for name in ("lm-search", "lm-store", "lm-embed", "lm-extract")},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        environ = {**os.environ, "LM_DATA_ROOT": empty}
        taken: dict[str, list[float]] = {name: [] for name in LINES}
        for line in LINES.values():
            once(line, environ)  # writes the byte code
        for _ in range(arguments.runs):
            for name, line in LINES.items():
                taken[name].append(once(line, environ))
    table = report(taken)
    print(table, end="")
    if arguments.out:
        arguments.out.write_text(table, encoding="utf-8")


def once(line: list[str], environ: dict[str, str]) -> float:
    """Seconds from start to end."""
    begin = time.perf_counter()
    subprocess.run(line, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def report(taken: dict[str, list[float]]) -> str:
    base = statistics.median(taken[BASE])
    rows = [
        f"| `{name}` | {statistics.median(times) * 1000:.0f} | {min(times) * 1000:.0f} "
        f"| {statistics.median(times) / base:.2f} |"
        for name, times in taken.items()
    ]
    runs = len(taken[BASE])
    return "\n".join(
        [
            f"Start-up, Python {platform.python_version()}, {runs} runs each:",
            "",
            "| line | median ms | least ms | times `import click` |",
            "| --- | ---: | ---: | ---: |",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    main()
