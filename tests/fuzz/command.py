"""A command run within this process, as a thousand starts of Python would take too long. It reads and writes real
descriptors, and whatever it does not handle itself comes out as the exception that it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from lean_memory.cli import common
from tests.commands import NOW, Ended

__all__ = ["invoke"]


def invoke(*line: str, root: Path, stdin: bytes = b"", **env: str) -> Ended:
    """Runs the command line over the memories in `root`, with stub backends and a fixed clock."""
    command = import_module(f"lean_memory.cli.{line[0].rpartition('-')[2]}").command
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        with (
            _settings(LM_DATA_ROOT=str(root), LM_NOW=NOW, LM_BACKENDS="stub", LM_TZ="UTC", **env),
            _streams(given, out, err),
        ):
            sys.argv = list(line)
            try:
                code = common._run(command, line[0])
            except SystemExit as end:
                code = int(end.code or 0)
            sys.stdout.flush()
            sys.stderr.flush()
        out.seek(0)
        err.seek(0)
        return Ended(code, out.read(), err.read())


@contextmanager
def _settings(**values: str) -> Iterator[None]:
    before, argv = dict(os.environ), sys.argv
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        sys.argv = argv


@contextmanager
def _streams(given: IO[bytes], out: IO[bytes], err: IO[bytes]) -> Iterator[None]:
    """The three standard streams, by their numbers and by their names."""
    kept, names = [os.dup(number) for number in range(3)], (sys.stdin, sys.stdout, sys.stderr)
    for number, file in enumerate((given, out, err)):
        os.dup2(file.fileno(), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    try:
        yield
    finally:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            stream.close()
        sys.stdin, sys.stdout, sys.stderr = names
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)
