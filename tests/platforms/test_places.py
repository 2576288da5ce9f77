"""Folders, files and zones where a system names them in its own way, or has none."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import zoneinfo
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path, PureWindowsPath

import pytest

from lean_memory.errors import UsageError
from lean_memory.instants import zone
from lean_memory.settings import Settings
from lean_memory.store.files import file_name, namespace_of

DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}
DEVICES |= {f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³"}
NAMES = [
    *sorted(DEVICES), "con", "Nul", "nul.txt", "com1.notes.db", "aux ", "a.", "a ", "...", " ", "a:b", "a:$DATA",
    "a\\b", "C:\\temp", "\\\\server\\share", "a?b", "a*b", "a<b>", "a|b", 'a"b', "a\tb", "a/b", "NUL:", "Work", "work",
    "WORK",
]  # fmt: skip


def is_a_file_on_windows(name: str) -> bool:
    """Its rules, as Microsoft's page on naming files has them."""
    stem = name.split(".")[0].rstrip(" ").upper()
    return (
        PureWindowsPath(name).name == name
        and not set(name) & set('<>:"/\\|?*')
        and min(name) > "\x1f"
        and name[-1] not in " ."
        and stem not in DEVICES
    )


@pytest.mark.parametrize("namespace", NAMES)
def test_every_namespace_is_a_file_on_windows_too(namespace: str) -> None:
    name = file_name(namespace)
    for beside in (name, f"{name}-wal", f"{name}-shm", f"{name}-journal", f"{name}.part", Path(name).stem + ".usage"):
        assert is_a_file_on_windows(beside)
    assert namespace_of(name) == namespace


def test_names_that_differ_in_case_alone_are_different_files_where_case_is_nothing() -> None:
    names = {file_name(namespace).casefold() for namespace in NAMES}
    assert len(names) == len(NAMES)


# ------------------------------------------------------------------------------------------- home


@pytest.mark.parametrize("by", ["flag", "environment"])
def test_a_tilde_is_the_home_folder_where_no_shell_puts_it_in(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", os.path.join(os.sep, "home", "ada"))
    given, environ = (Path("~/notes"), {}) if by == "flag" else (None, {"LM_DATA_ROOT": "~/notes"})
    assert Settings.from_environ(environ, root=given).root == Path(os.sep, "home", "ada", "notes")


def test_where_nothing_says_what_home_is_the_message_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(UsageError, match="nothing says where that home folder is") as raised:
        Settings.from_environ({})
    assert raised.value.hint is not None
    assert "LM_DATA_ROOT" in raised.value.hint
    with pytest.raises(UsageError):
        Settings.from_environ({"LM_DATA_ROOT": "~nobody-of-this-name/notes"})


# ------------------------------------------------------------------------------------------- zones


@pytest.fixture
def no_zones(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without the data of zones, as Windows is, and without the package that has them."""
    parts = [name for name in sys.modules if name.startswith("tzdata.")]  # each is found by its own name
    for name in ("tzdata", *parts):
        monkeypatch.setitem(sys.modules, name, None)
    zoneinfo.reset_tzpath(to=[])
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


@pytest.mark.usefixtures("no_zones")
def test_without_zone_data_offsets_work_and_a_name_says_how_to_get_them() -> None:
    assert zone("+05:45").utcoffset(None) == timedelta(hours=5, minutes=45)
    with pytest.raises(UsageError, match="no such time zone: 'Europe/Berlin'") as raised:
        zone("Europe/Berlin")
    assert raised.value.hint is not None
    assert raised.value.hint.endswith("pip install tzdata")


def test_with_zone_data_a_wrong_name_is_just_that() -> None:
    with pytest.raises(UsageError) as raised:
        zone("Europe/Atlantis")
    assert raised.value.hint == "write it like +05:45 or Europe/Berlin"


def test_without_zone_data_the_machine_still_has_a_clock() -> None:
    program = (
        "import sys; sys.modules['tzdata'] = None\n"
        "from lean_memory.settings import Settings\n"
        "print(Settings.from_environ({}).local_zone().utcoffset(None))"
    )
    environ = {"PYTHONTZPATH": "", "TZ": "Asia/Shanghai", "PATH": os.environ["PATH"]}
    told = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "8:00:00"
