"""Runs a command on a disk that fails: `python -m tests.faults.on_a_disk full|write|read N COMMAND ARGUMENTS..`

From the Nth write on the disk is full, or each write or read fails.
"""

from __future__ import annotations

import sys
from importlib import import_module

import apsw
import pytest

from tests.faults.disk import FAILURES, disk_for_sqlite, failure


def main(fault: str, first: int, command: str) -> None:
    kind = "write" if fault == "full" else fault
    code = apsw.SQLITE_FULL if fault == "full" else FAILURES[kind]
    count = 0

    def asked(what: str, name: str) -> None:
        nonlocal count
        count += what == kind
        if what == kind and count >= first:
            raise failure(code)

    with disk_for_sqlite(pytest.MonkeyPatch()) as disk:
        disk.fails = asked
        import_module(f"lean_memory.cli.{command.removeprefix('lm-')}").main()


if __name__ == "__main__":
    _, fault, number, *sys.argv = sys.argv
    main(fault, int(number), sys.argv[0])
