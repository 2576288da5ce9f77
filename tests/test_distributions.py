"""What is handed out: two archives, the same whenever they are built, and an installation that stands on its own."""

from __future__ import annotations

import email.policy
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from tests.test_packaging import COMMANDS, ROOT

pytestmark = pytest.mark.slow


def build(source: Path, into: Path, *kinds: str) -> list[Path]:
    """The archives that hatchling makes of a checkout or an unpacked source archive, by name."""
    line = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-d",
        str(into),
        *(word for kind in kinds for word in ("-t", kind)),
    ]
    subprocess.run(
        line, cwd=source, check=True, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1772539200"}
    )
    return sorted(into.iterdir())


def tracked(*under: str) -> set[str]:
    """The files of the checkout that are under version control, or will be."""
    line = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *under]
    done = subprocess.run(line, cwd=ROOT, check=True, capture_output=True, text=True)
    return {name for name in done.stdout.split("\0") if name and os.path.lexists(ROOT / name)}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout without what lies about in it, and without its history."""
    clone = tmp_path_factory.mktemp("a clone")
    for name in tracked():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clone / name, follow_symlinks=False)
    return clone


@pytest.fixture(scope="module")
def archives(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel and the source archive."""
    built = build(clone, tmp_path_factory.mktemp("built"), "sdist", "wheel")
    assert [path.suffix for path in built] == [".whl", ".gz"]
    return built


@pytest.fixture(scope="module")
def wheel(archives: list[Path]) -> Path:
    return archives[0]


@pytest.fixture(scope="module")
def unpacked(archives: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive's one folder."""
    place = tmp_path_factory.mktemp("source")
    with tarfile.open(archives[1]) as archive:
        archive.extractall(place, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    [folder] = place.iterdir()
    return folder


def test_the_wheel_holds_the_package_with_its_data_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert names - about == tracked("lean_memory")
    assert {Path(name).name for name in about} == {
        "METADATA", "RECORD", "WHEEL", "entry_points.txt", "LICENSE", "NOTICE",
    }  # fmt: skip


def test_the_source_holds_what_a_checkout_holds(clone: Path, unpacked: Path) -> None:
    def files(folder: Path) -> set[str]:
        return {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()
        }

    assert files(unpacked) - {"PKG-INFO"} == {name for name in files(clone) if not name.startswith(".ci/")}


def test_built_again_they_are_the_same_to_the_byte(clone: Path, archives: list[Path], tmp_path: Path) -> None:
    again = build(clone, tmp_path, "sdist", "wheel")
    assert [path.name for path in again] == [path.name for path in archives]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in archives]


def test_the_source_builds_the_same_wheel(unpacked: Path, wheel: Path, tmp_path: Path) -> None:
    [rebuilt] = build(unpacked, tmp_path / "wheel", "wheel")
    assert rebuilt.name == wheel.name
    assert rebuilt.read_bytes() == wheel.read_bytes()


def test_the_metadata_are_valid_and_name_all_that_an_index_shows(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        content = archive.read(name)
    metadata = Metadata.from_email(content)  # raises where a field breaks its specification
    assert metadata.license_expression == "Apache-2.0"
    assert metadata.requires_python is not None
    assert "3.9" not in metadata.requires_python
    assert metadata.description_content_type == "text/markdown"
    body = BytesParser(policy=email.policy.default).parsebytes(content).get_payload()
    assert isinstance(body, str)
    assert body.lstrip().startswith("# lean-memory")


# ------------------------------------------------------------------------------------------- installed


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it. The libraries are those of the tests, seen through a path file, in which the
    checkout's own path file counts for nothing: `just extras` installs them anew."""
    home = tmp_path_factory.mktemp("an installation") / "env"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    line = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-deps",
        "--no-index",
        "-q",
        str(wheel),
    ]
    subprocess.run(line, check=True, capture_output=True)
    [site] = home.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home


@pytest.fixture
def on_path(home: Path, tmp_path: Path) -> Path:
    """A folder with links to the commands and nothing else, as pipx makes it."""
    folder = tmp_path / "bin of a user"
    folder.mkdir()
    for command in COMMANDS:
        (folder / command).symlink_to(home / "bin" / command)
    return folder


class Shell:
    """Runs commands with nothing in the environment but a path and a home, somewhere else."""

    def __init__(self, on_path: Path, home: Path) -> None:
        self.folder = home / "somewhere else"
        self.folder.mkdir()
        self._environ = {"PATH": str(on_path), "HOME": str(home)}

    def __call__(self, line: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["/bin/sh", "-c", line], env=self._environ, cwd=self.folder, input=stdin, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), line
        return done.stdout


@pytest.fixture
def shell(on_path: Path, tmp_path: Path) -> Shell:
    return Shell(on_path, tmp_path)


def ask(home: Path, folder: Path, program: str) -> list[str]:
    """What the installation's Python prints."""
    line = [home / "bin" / "python", "-c", program]
    return subprocess.run(
        line, cwd=folder, env={}, capture_output=True, text=True, check=True
    ).stdout.splitlines()  # fmt: skip


def test_what_runs_is_the_wheel(home: Path, tmp_path: Path) -> None:
    where, *path = ask(home, tmp_path, "import lean_memory, sys; print(lean_memory.__file__, *sys.path, sep='\\n')")
    assert Path(where).is_relative_to(home)
    assert str(ROOT) not in path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_starts_through_a_link(command: str, shell: Shell) -> None:
    assert shell(f"{command} --help").startswith(f"Usage: {command} ".encode())


def test_the_two_commands_of_the_readme_answer(shell: Shell) -> None:
    first = re.findall(r"^    (.*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)[:2]
    stored = shell(first[0].replace("cat notes.txt | ", ""), (ROOT / "fixtures" / "notes.txt").read_bytes())
    assert {json.loads(line)["status"] for line in stored.splitlines()} == {"stored"}
    best = json.loads(shell(first[1]).splitlines()[0])
    assert best["predicate"] == "works_at"
    assert "Harbour Press" in best["text"]


def test_the_server_shakes_hands_and_knows_its_tools(shell: Shell) -> None:
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    answers = shell("lean-memory-mcp", b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    results = {answer["id"]: answer["result"] for answer in map(json.loads, answers.splitlines()) if "id" in answer}
    assert results[1]["serverInfo"]["name"] == "lean-memory"
    assert {"memory_add", "memory_search"} <= {tool["name"] for tool in results[2]["tools"]}


def test_the_console_finds_its_pages(home: Path, tmp_path: Path) -> None:
    [where] = ask(home, tmp_path, "import lean_memory.console.app as app; print(app.__file__)")
    for name in tracked("lean_memory/console"):
        assert (Path(where).parents[2] / name).is_file(), name
