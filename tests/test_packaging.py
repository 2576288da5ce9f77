"""What is installed, and how the commands start from a checkout."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMMANDS = sorted(PROJECT["scripts"])
MODULES = sorted((ROOT / "lean_memory").rglob("*.py"))


def plain(name: str) -> str:
    """A distribution's name in normal form (PEP 503), without version and marker."""
    return re.sub(r"[-_.]+", "-", re.split(r"[ \[;<>=!~]", name)[0]).lower()


# Loaded where an extra is installed, and never else; the last four come with others.
EXTRAS = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name not in ("dev", "test")}
OF_EXTRAS = {plain(line) for lines in EXTRAS.values() for line in lines}
OF_EXTRAS |= {"httpx", "huggingface-hub", "torch", "transformers"}
DECLARED = {plain(line) for line in PROJECT["dependencies"]}
HERE = {
    plain(line) for line in PROJECT["dependencies"] if (mark := Requirement(line).marker) is None or mark.evaluate()
}


@cache
def owners() -> dict[str, str]:
    """Top-level module -> the distribution it comes from."""
    return {
        path.parts[0].split(".")[0]: plain(distribution.name)
        for distribution in distributions()
        for path in distribution.files or ()
        if path.suffix in (".py", ".so", ".pyd")
    }


def test_every_library_that_is_imported_is_declared() -> None:
    used = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for top in {name.split(".")[0] for name in names} - {"lean_memory", "tomllib"} - sys.stdlib_module_names:
                used[owners().get(top, plain(top))] = path.name
    assert {name: where for name, where in used.items() if name not in DECLARED | OF_EXTRAS} == {}


def test_every_library_that_is_declared_is_used() -> None:
    text = "".join(path.read_text("utf-8") for path in MODULES)
    named = {owner for module, owner in owners().items() if module in text}
    assert HERE - named == set()


def test_the_launcher_looks_for_every_dependency() -> None:
    namespace: dict[str, Any] = {"__file__": str(ROOT / "bin" / "launch.py"), "__name__": "launch"}
    exec((ROOT / "bin" / "launch.py").read_text("utf-8"), namespace)
    assert {owners()[module] for module in namespace["NEEDED"]} == HERE - {"tomli"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_where_the_metadata_and_the_launchers_say(command: str) -> None:
    module, _, function = PROJECT["scripts"][command].partition(":")
    assert callable(getattr(import_module(module), function))
    assert os.readlink(ROOT / "bin" / command) == "launch"


def test_the_version_has_a_section_in_the_changelog_with_the_fixed_headings() -> None:
    from lean_memory import __version__

    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert sections[0].split()[0] == __version__
    for section in sections:
        assert re.findall(r"^### (.*)$", section, re.MULTILINE) == ["Added", "Changed", "Fixed", "Wire", "Schema"]


def test_memory_is_at_the_top() -> None:
    import lean_memory
    from lean_memory.memory import Memory

    assert lean_memory.Memory is Memory
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = lean_memory.Nothing


# ----------------------------------------------------------------------------------------- from a checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A bare checkout, without an environment of its own."""
    root = tmp_path / "a checkout"
    root.mkdir()
    shutil.copytree(ROOT / "bin", root / "bin", symlinks=True)
    (root / "lean_memory").symlink_to(ROOT / "lean_memory")
    return root


def launch(
    line: list[str | Path], *, python: str | Path = sys.executable, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHON": str(python)}
    return subprocess.run(line, env=environ, capture_output=True, text=True, timeout=60, check=False, cwd=cwd)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_launcher_runs_its_command_from_a_bare_checkout(command: str, checkout: Path) -> None:
    done = launch([checkout / "bin" / command, "--help"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {command} ")


def test_a_launcher_can_be_linked_to_and_called_from_anywhere(checkout: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "my bin"
    elsewhere.mkdir()
    (elsewhere / "lm-search").symlink_to(checkout / "bin" / "lm-search")
    (elsewhere / "click.py").write_text("raise SystemExit('the wrong click')")
    done = launch([elsewhere / "lm-search", "--help"], cwd=elsewhere)
    assert done.stdout.startswith("Usage: lm-search ")


def test_a_launcher_without_its_libraries_says_what_to_run(checkout: Path, tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    done = launch([checkout / "bin" / "lm-store", "-n", "work"], python=bare)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lm-store: ")
    assert "lacks the packages apsw, click" in done.stderr
    assert done.stderr.endswith(f"Set everything up with: {checkout}/bin/demo\n")


def test_without_a_python_the_demo_says_how_to_get_one(checkout: Path, tmp_path: Path) -> None:
    broken = tmp_path / "shims"
    broken.mkdir()
    for name in ("python", "python3", "python3.10", "python3.11", "python3.12", "python3.13"):
        (broken / name).write_text("#!/bin/sh\necho not found >&2\nexit 127\n")
        (broken / name).chmod(0o755)
    for tool in ("sh", "dirname", "sort", "cat", "cksum", "rm"):
        (broken / tool).symlink_to(str(shutil.which(tool)))
    (checkout / "pyproject.toml").write_text("")
    environ = {"PATH": str(broken), "HOME": str(tmp_path)}
    done = subprocess.run([checkout / "bin" / "demo"], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "No Python >= 3.10" in done.stderr
    assert "PYTHON=" in done.stderr
    wrong = subprocess.run(
        [checkout / "bin" / "demo"], env={**environ, "PYTHON": "python3"}, capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("PYTHON=python3 does not run")
