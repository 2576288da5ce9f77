"""Runs the installed commands as a user's shell does, with nothing of this machine's settings."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["NOW", "Ended", "at_terminal", "environment", "measured", "run"]

NOW = "2026-03-10T12:00:00Z"
"""The present in every test that runs a command."""

_BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Ended:
    """What a command line left."""

    rc: int
    stdout: bytes
    stderr: bytes


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Stub backends and a fixed clock; the memory is `folder`/memory. Warnings of the commands are errors."""
    if not (_BIN / "lm-search").exists():
        raise FileNotFoundError(f"lean-memory is not installed beside {sys.executable}: run bin/test")
    return {
        "PATH": f"{_BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONWARNINGS": "error",
        "LM_BACKENDS": "stub",
        "LM_NOW": NOW,
        "LM_DATA_ROOT": "memory",  # relative, so that messages are the same on every machine
        **more,
    }


def run(line: str, *, folder: Path, stdin: bytes = b"", timeout: float = 120, **env: str) -> Ended:
    """Runs one line of bash in `folder`. Its exit code is that of the last command in the pipe that failed."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder, env=environment(folder, **env), input=stdin,
        capture_output=True, timeout=timeout, check=False,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)


_MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
with open(sys.argv[1], "w", encoding="ascii") as told:
    told.write(str(most * (1 if sys.platform == "darwin" else 1024)))
sys.exit(code)
"""


def measured(command: list[str], told: Path) -> list[str]:
    """The command, so that the most bytes it had are in the file `told` when it has ended. It is started by a small
    process of its own, since what starts a process counts as memory of it."""
    return [sys.executable, "-c", _MEASURE, str(told), *command]


def at_terminal(line: str, folder: Path, *, encoding: str = "utf-8", **env: str) -> str:
    """What a person sees who runs the line, on a terminal of this encoding."""
    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        ["bash", "-c", line],
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        cwd=folder,
        env=environment(folder, **env),
    )
    os.close(secondary)
    seen = b"".join(_until_the_end(primary))
    os.close(primary)
    process.wait(60)
    return seen.decode(encoding).replace("\r\n", "\n")


def _until_the_end(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # Linux's way to say that the last writer is gone
            return
        if not data:
            return
        yield data
