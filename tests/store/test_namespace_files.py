"""Two namespaces never share a file, on any file system, and a file's name tells its namespace."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory.errors import UsageError
from lean_memory.store import namespaces
from lean_memory.store.files import file_name, namespace_of
from lean_memory.store.sqlite import SqliteStore

NAMES = st.text(st.characters(), min_size=1, max_size=40)
DEVICES = ("CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10)))


def stored_as(name: str) -> str:
    """What the strictest file systems see: no case, one normalisation form."""
    return unicodedata.normalize("NFD", name.casefold())


@given(NAMES, NAMES)
@example("Work", "work")
@example("a b", "a_b")
@example("café", "cafe\u0301")
@example("straße", "strasse")
@example("con", "%63on")
@example("é", "%c3%a9")
@example("a" * 121, "a" * 122)
@example("a.", "a")
def test_different_namespaces_have_different_files(one: str, other: str) -> None:
    assert (stored_as(file_name(one)) == stored_as(file_name(other))) == (one == other)


@given(NAMES)
def test_a_file_name_is_safe_everywhere(namespace: str) -> None:
    name = file_name(namespace)
    assert name.isascii()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-%~.")
    assert len(name) + len("-journal") < 143
    assert name.count(".") == 1
    assert not name.startswith(".")
    assert name.split(".")[0].upper() not in DEVICES


@pytest.mark.parametrize(
    "namespace", ["..", "../other", "/etc/passwd", "C:\\temp", ".hidden", "a/b", "nul\0", "con.txt"]
)
def test_a_namespace_is_no_path(tmp_path: Path, namespace: str) -> None:
    assert (tmp_path / file_name(namespace)).resolve().parent == tmp_path.resolve()


@given(NAMES)
def test_the_file_name_tells_the_namespace(namespace: str) -> None:
    assert namespace_of(file_name(namespace)) in (namespace, "")


@pytest.mark.parametrize("name", ["notes.txt", "Work.db", "a b.db", ".db", "%zz.db", "%ff.db", "%41.db-wal", "con.db"])
def test_other_files_are_no_namespaces(name: str) -> None:
    assert namespace_of(name) is None


def test_an_empty_namespace_is_refused() -> None:
    with pytest.raises(UsageError, match="needs a name"):
        file_name("")


def test_all_namespaces_are_listed_by_their_own_names(root: Path, opened: Callable[..., SqliteStore]) -> None:
    names = ["work", "Work", "日記", "a/b", "con", "x" * 500, "x" * 501, " "]
    for name in names:
        opened(name)
    (root / "readme.txt").write_text("not a namespace")
    (root / "leftover.db").touch()
    assert namespaces(root) == sorted(names)


def test_a_folder_that_is_not_there_has_no_namespaces(root: Path) -> None:
    assert namespaces(root) == []
    assert not root.exists()
