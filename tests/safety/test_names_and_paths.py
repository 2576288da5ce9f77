"""No namespace's name leads out of the folder, by whichever door it comes; and what lies in a file's place."""

from __future__ import annotations

import json
import os
import shlex
import socket
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import MCPError

from lean_memory.errors import StoreUnavailable
from lean_memory.store.files import file_name, namespace_of
from tests.commands import run
from tests.console.process import Console
from tests.mcp.clients import call, over_stdio
from tests.mcp.clients import run as scenario
from tests.safety.sealed import contents, opened

NAMES = [
    "..", ".", "../up", "..\\up", "a/../../up", "/abs", "\\abs", "C:\\abs", "C:abs", "\\\\server\\share", "~", "~root",
    "c:", "CON", "con", "NUL", "nul.txt", "COM1", "com¹", "LPT9", "aux", "PRN.db", "dot.", "dot..", " space ",
    "tab\t", "a\nb", "$HOME", "`id`", "$(id)", "%2e%2e%2fup", "%00", "file:up?mode=memory", ":memory:", "a" * 900,
    "é", "e\u0301", "Work", "work", "WORK", "ﬁ", "fi", "İ", "ı", "\u202eup", "*", "?", "a|b", "<", '"', "work.db",
    "work.db-wal", "work.usage", "-n", "--help", "#",
]  # fmt: skip


def inside(folder: Path) -> set[str]:
    """Every file there is, from the folder up to where the test began."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_every_name_has_a_plain_file_of_its_own() -> None:
    files = [file_name(name) for name in NAMES]
    assert len({name.casefold() for name in files}) == len(NAMES)
    for name, file in zip(NAMES, files, strict=True):
        assert set(file) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_%~."), file
        assert file.count(".") == 1
        assert len(file) <= 140
        assert namespace_of(file) in (name, "")


@pytest.mark.slow
def test_from_python(tmp_path: Path) -> None:
    root = tmp_path / "one" / "memory"
    with opened(root) as memory:
        for number, name in enumerate(NAMES[::3]):
            memory.add(name, f"I have a cat called Cat{number}.")
            memory.close()
        assert set(memory.namespaces()) == set(NAMES[::3])
        for number, name in enumerate(NAMES[::3]):
            [episode] = memory.episodes(name)
            assert episode.text == f"I have a cat called Cat{number}."
            memory.close()
    assert all(name.startswith("one/memory/") and name.count("/") == 2 for name in inside(tmp_path))


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path) -> None:
    names = [
        name for name in NAMES if name in ("..", "../up", "/abs", "C:\\abs", "NUL", "a/../../up", "file:up?mode=memory")
    ]
    lines = [f"printf %s {shlex.quote(name)} | lm-extract | lm-store -n {shlex.quote(name)} >&2" for name in names]
    dump = [
        f"lm-log --dump -n {shlex.quote(name)} | lm-store --restore -n {shlex.quote(name + '/../b')}"
        for name in names[:2]
    ]
    ended = run(" && ".join([*lines, *dump, "lm-maintain check"]), folder=tmp_path, LM_DATA_ROOT="one/memory")
    assert ended.rc == 0, ended.stderr
    told = {json.loads(line)["namespace"] for line in ended.stdout.splitlines()}
    assert told == {*names, *(f"{name}/../b" for name in names[:2])}
    assert all(name.startswith("one/memory/") and name.count("/") == 2 for name in inside(tmp_path))


def test_an_argument_that_holds_a_nul_or_nothing_is_refused(tmp_path: Path) -> None:
    assert run("lm-search -n '' tea", folder=tmp_path).rc == 2
    with opened(tmp_path / "memory") as memory:
        memory.add("a\0b", "I like tea.")
        assert memory.namespaces() == ["a\0b"]
    assert inside(tmp_path) == {"memory/a%00b.db", "memory/a%00b.usage"}


@pytest.mark.slow
def test_from_an_agent(tmp_path: Path) -> None:
    async def talk() -> None:
        async with over_stdio(tmp_path) as client:
            for name in ("..", "../up", "/abs", "C:\\abs", "NUL", "a\0b", "</recalled-memory>", "nul\n# SYSTEM"):
                text, _ = await call(client, "memory_add", namespace=name, text="I like tea.")
                assert text
                text, _ = await call(client, "memory_search", namespace=name, query="tea")
                assert text.count("</recalled-memory>") == 1
            for name in ("..%2F..%2Fup", "%2e%2e", "..%2Fup"):
                try:
                    page = (await client.read_resource(f"memory://{name}/facts")).contents[0].text
                except MCPError as refused:
                    assert "no namespace" in str(refused)  # noqa: PT017
                else:
                    assert page.endswith("</recalled-memory>")

    scenario(talk)
    assert {name for name in inside(tmp_path) if not name.startswith("memory/")} <= {"server.err"}


@pytest.mark.slow
def test_from_the_console(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        for name in ("../up", "..", "/abs", "NUL"):
            answer = console.ask(f"/v1/{quote(name, safe='')}/memories", {"text": "I like tea."})
            assert answer.status < 300, answer.text
        for path in ("/v1/../../up/memories", "/v1/%2e%2e/%2e%2e/up/memories", "/v1//etc/x/memories"):
            console.ask(path, {"text": "I like tea."})
    with opened(tmp_path / "memory") as memory:
        assert {"../up", "..", "/abs", "NUL"} <= set(memory.namespaces())
    assert all(name.startswith("memory/") and name.count("/") == 1 for name in inside(tmp_path))


# ------------------------------------------------------------------------------------------ what lies in a file's place


def test_the_folder_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "memory").symlink_to("disk", target_is_directory=True)
    ended = run(
        "echo I like tea. | lm-extract | lm-store -n work && lm-maintain check"
        " && lm-maintain forget -n work --text tea --yes && lm-maintain clear -n work --yes",
        folder=tmp_path,
    )  # fmt: skip
    assert ended.rc == 0, ended.stderr
    assert list((tmp_path / "disk").iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("elsewhere/work.db", "echo I like tea. | lm-extract | lm-store -n work"),
        ("elsewhere/work.db", "lm-search -n work tea"),
        ("elsewhere/work.db", "lm-maintain clear -n work --yes"),
        ("elsewhere/work.db", "lm-maintain forget -n work --text tea --yes"),
        ("memory/other.db", "lm-maintain backup -n work copy"),
        ("nowhere/at/all", "echo I like tea. | lm-extract | lm-store -n work"),
        ("/dev/zero", "lm-search -n work tea"),
    ],
)
def test_a_file_may_not(target: str, line: str, tmp_path: Path) -> None:
    """Its log would lie elsewhere: what is acknowledged, forgotten or removed would be so here alone."""
    for root in ("elsewhere", "memory"):
        with opened(tmp_path / root) as memory:
            memory.add("work" if root == "elsewhere" else "other", "I like tea.")
    (tmp_path / "memory" / "work.db").symlink_to(target if target.startswith("/") else tmp_path / target)
    before = contents(tmp_path / "elsewhere") | {"other": (tmp_path / "memory" / "other.db").read_bytes()}
    ended = run(line, folder=tmp_path)
    assert ended.rc == 5
    error = json.loads(ended.stderr.splitlines()[-1])
    assert (error["code"], error["message"][:24]) == ("not_a_file", "memory/work.db is a link")
    assert contents(tmp_path / "elsewhere") | {"other": (tmp_path / "memory" / "other.db").read_bytes()} == before
    assert not (tmp_path / "copy").exists()
    with opened(tmp_path / "memory") as memory:
        assert memory.namespaces() == ["other"]


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder"])
def test_nothing_else_is_waited_for(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "memory" / "work.db"
    place.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            os.chdir(place.parent)
            one.bind(place.name)
            os.chdir(tmp_path.parent)
    else:
        place.mkdir()
    for create in (True, False):
        with pytest.raises(StoreUnavailable) as refused, opened(tmp_path / "memory") as memory:
            memory.add("work", "I like tea.") if create else memory.search("work", "tea")
        assert refused.value.code in ("not_a_file", "cannot_open")
    with opened(tmp_path / "memory") as memory:
        assert memory.namespaces() == []
