"""Every command line in `cases/` does, byte for byte, what its folder says.

A case is a folder with `cmd`, one line of bash; what it needs: `stdin`, `files/` (copied to where it runs),
`memory` (the name of a script in `memories/` that runs before it); and what it gives: `stdout`, `stderr`, `rc`, and
`dump`, the rows of every namespace after it, where it stores. What is empty has no file. `pytest tests/golden
--populate` writes what it gives anew, to be read with `git diff`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lean_memory.errors import StoreUnavailable
from lean_memory.store import namespaces, open_store
from tests import schemas
from tests.commands import run

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in (HERE / "cases").glob("*/*/cmd"))
CHANGES = re.compile(r"lm-maintain.*(--apply|forget|promote)")
LAST_WEEK = 1_772_539_200  # 2026-03-03T12:00:00Z, when the files of a case were last modified


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Path], None]:
    """Gives a folder the memory that a script in `memories/` makes; the script runs once."""
    made: dict[str, Path] = {}

    def give(name: str, folder: Path) -> None:
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name)
            ended = run((HERE / "memories" / name).read_text("utf-8"), folder=made[name])
            assert (ended.rc, ended.stderr) == (0, b""), ended.stderr.decode()
        shutil.copytree(made[name] / "memory", folder / "memory")

    return give


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_case(case: Path, tmp_path: Path, memory: Callable[[str, Path], None], request: pytest.FixtureRequest) -> None:
    if (case / "memory").exists():
        memory((case / "memory").read_text("utf-8").strip(), tmp_path)
    if (case / "files").exists():
        shutil.copytree(case / "files", tmp_path, dirs_exist_ok=True)
        for path in (case / "files").iterdir():
            os.utime(tmp_path / path.name, (LAST_WEEK, LAST_WEEK))
    stdin = (case / "stdin").read_bytes() if (case / "stdin").exists() else b""

    cmd = (case / "cmd").read_text("utf-8")
    ended = run(cmd, folder=tmp_path, stdin=stdin)

    given = {"stdout": ended.stdout, "stderr": ended.stderr, "rc": b"%d\n" % ended.rc}
    if "lm-store" in cmd or case.parent.name == "lm-embed" or CHANGES.search(cmd):
        given["dump"] = dump(tmp_path / "memory")
    if request.config.getoption("--populate"):
        populate(case, given)
    for name, content in given.items():
        expected = (case / name).read_bytes() if (case / name).exists() else b""
        assert content.decode() == expected.decode(), f"{name} of {case.parent.name}/{case.name}"
    for line in (ended.stdout + ended.stderr).decode().splitlines():
        if line.startswith("{"):
            schemas.check(json.loads(line))
    assert b"Traceback" not in ended.stderr


def populate(case: Path, given: dict[str, bytes]) -> None:
    for name, content in given.items():
        if content:
            (case / name).write_bytes(content)
        else:
            (case / name).unlink(missing_ok=True)


def dump(root: Path) -> bytes:
    """Every row of every namespace, one a line."""
    lines: list[dict[str, object]] = []
    for namespace in namespaces(root) if root.exists() else ():
        try:
            store = open_store(root, namespace, create=False, now=0)
        except StoreUnavailable as error:
            lines.append({"namespace": namespace, "unreadable": error.code})
            continue
        lines += [{"namespace": namespace, **row} for row in store.dump()]
        store.close()
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


def test_there_are_cases_for_every_command() -> None:
    commands = {path.name for path in (HERE.parent.parent / "bin").glob("l*-*")}
    assert {case.parent.name for case in CASES} == commands - {"lean-memory-maintain"}  # as lm-maintain


def test_every_exit_code_that_a_pipe_can_end_with_has_a_case() -> None:
    assert {int((case / "rc").read_text()) for case in CASES} == {0, 1, 2, 3, 4, 5, 6}
