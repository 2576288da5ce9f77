"""For which systems and Pythons every package of the base install comes ready built: `python tests/bench/systems.py`.

Asks pip to resolve the dependencies for each of them, wheels only, without installing any. Prints a Markdown table:
`yes`, or the packages that would have to be built there.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).resolve().parent.parent.parent / "pyproject.toml"
GLIBC = ("2_5", "2_12", "2_17", "2_24", "2_26", "2_27", "2_28", "2_31", "2_34")  # of Debian 12 and younger
NAMED = ("1", "2010", "2014")

SYSTEMS = {
    "Linux, x86-64": [*(f"manylinux_{v}_x86_64" for v in GLIBC), *(f"manylinux{v}_x86_64" for v in NAMED)],
    "Linux, arm64": [*(f"manylinux_{v}_aarch64" for v in GLIBC), "manylinux2014_aarch64"],
    "Linux with musl, x86-64": ["musllinux_1_1_x86_64", "musllinux_1_2_x86_64"],
    "macOS 14, arm64": ["macosx_14_0_arm64"],
    "macOS 14, x86-64": ["macosx_14_0_x86_64"],
    "Windows, x86-64": ["win_amd64"],
    "Windows, arm64": ["win_arm64"],
}
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
_NONE_FOR = re.compile(r"No matching distribution found for ([\w.-]+)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--pythons", nargs="+", default=PYTHONS)
    arguments = parser.parse_args()
    print(f"| system | {' | '.join(arguments.pythons)} |")
    print("| --- |" + " --- |" * len(arguments.pythons))
    for system, tags in SYSTEMS.items():
        cells = [", ".join(lacking(tags, python)) or "yes" for python in arguments.pythons]
        print(f"| {system} | {' | '.join(cells)} |", flush=True)


def lacking(tags: list[str], python: str) -> list[str]:
    """The packages that have no wheel there, one after the other: pip names the first."""
    wanted = [line.split(";")[0] for line in tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]]
    without: list[str] = []
    while True:
        with tempfile.TemporaryDirectory() as nowhere:
            line = [
                sys.executable,
                "-m",
                "pip",
                "install",
                "--dry-run",
                "--ignore-installed",
                "--only-binary=:all:",
                "-q",
            ]
            line += ["--python-version", python, "--implementation=cp", "--target", nowhere]
            line += [word for tag in tags for word in ("--platform", tag)]
            done = subprocess.run([*line, *wanted], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return without
        found = _NONE_FOR.search(done.stderr)
        if found is None:
            raise RuntimeError(done.stderr)
        without.append(found[1])
        kept = [line for line in wanted if re.split(r"[<>=!~ ]", line)[0] != found[1]]
        if len(kept) == len(wanted):  # of one that another needs
            return without
        wanted = kept


if __name__ == "__main__":
    main()
