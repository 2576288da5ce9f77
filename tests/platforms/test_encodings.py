"""Records are UTF-8 whatever the locale; what is for people never fails for a letter that their terminal lacks."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory.cli import streams
from lean_memory.errors import Malformed
from lean_memory.wire import Decoder, Line
from tests.commands import at_terminal, run

NO_LOCALE = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""Where Python takes ASCII for everything, files and the command line included."""

LOCALES = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "gbk": {"PYTHONIOENCODING": "gbk"},
    "none": NO_LOCALE,
}
TEXT = "我在海鸥书店工作。\nMy sister Zoë lives in Łódź.\nI don’t like mushrooms — at all…\n"
LINES = (
    "lm-extract --at 2026-03-01 notes.txt",
    "lm-extract notes.txt | lm-embed",
    "lm-extract notes.txt | lm-store -n 日記",
    "lm-search -n 工作 --all",
    "lm-search -n 工作 '我在哪里工作？'",
    "lm-search -n 没有 Zoë; true",
    "lm-log -n 工作",
    "lm-log -n 工作 --dump",
    "lm-maintain -n 工作 status",
    "lm-review list",
    "lm-review status",
    "lm-search --help",
    "lm-search -n 工作 --print-config",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("letters")
    (place / "notes.txt").write_text(TEXT, "utf-8")
    os.utime(place / "notes.txt", (1_772_539_200, 1_772_539_200))
    assert run("lm-extract --at 2026-03-01 notes.txt | lm-store -n 工作", folder=place).rc == 0
    return place


@pytest.fixture
def folder(place: Path, tmp_path: Path) -> Path:
    """The same, to change."""
    shutil.copytree(place, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_what_a_pipe_gets_is_utf8_whatever_the_locale(line: str, place: Path, tmp_path: Path) -> None:
    def seen(locale: str) -> tuple[bytes, bytes]:
        folder = tmp_path / (locale or "utf-8")
        shutil.copytree(place, folder)
        ended = run(line, folder=folder, **LOCALES.get(locale, {}))
        assert ended.rc == 0, ended.stderr.decode()
        return ended.stdout, ended.stderr

    usual = seen("")
    assert usual[0] or usual[1] or "review" in line
    for stream in usual:
        stream.decode("utf-8")
    assert seen("none") == usual
    if "--help" not in line and "--print-config" not in line:  # which are for people
        assert seen("cp1252") == usual


@pytest.mark.slow
@pytest.mark.parametrize("locale", LOCALES)
def test_a_terminal_gets_what_it_can_show(locale: str, folder: Path) -> None:
    line = (
        "lm-search -n 工作 --all; lm-log -n 工作; lm-maintain -n 工作 status; lm-review list; lm-review status;"
        " lm-search -n 没有 x; lm-search --help; lm-extract --from nothing 工作; lm-maintain backup -n 工作 copy.db"
    )
    encoding = "utf-8" if locale == "none" else locale
    seen = at_terminal(line, folder, encoding=encoding, **LOCALES[locale])
    assert "Traceback" not in seen
    assert "copied to copy.db" in seen
    for word in ("Łódź", "Zoë", "海鸥书店", "没有"):
        spelled = "".join(c if _has(encoding, c) else c.encode("ascii", "backslashreplace").decode() for c in word)
        assert spelled in seen


def _has(encoding: str, letter: str) -> bool:
    try:
        return bool(letter.encode(encoding))
    except UnicodeEncodeError:
        return False


def test_marks_get_plain_and_letters_become_their_number() -> None:
    streams.prepare()
    assert "“a” · b — c… → 北".encode("ascii", "lean_memory_spelled") == b'"a" - b - c... -> \\u5317'
    assert "“a” · b — c… → 北".encode("cp1252", "lean_memory_spelled").decode("cp1252") == "“a” · b — c… -> \\u5317"
    assert "\udcff".encode("utf-8", "lean_memory_spelled") == b"\\udcff"


# ------------------------------------------------------------------------------------------- the command line


ODD = "$'\\xff'"
"""A word that is no UTF-8, as bash writes it."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        f"lm-search -n work --subject {ODD} tea", f"lm-search -n {ODD} tea", f"lm-store -n {ODD}",
        f"lm-store -n work --root {ODD}",
        f"lm-extract --speaker {ODD} notes.txt", f"lm-maintain -n 工作 backup {ODD}", f"lm-review list --entity {ODD}",
        f"lm-log -n 工作 --subject {ODD}", f"LM_DATA_ROOT={ODD} lm-search -n work tea",
    ],
)  # fmt: skip
def test_a_word_that_is_no_text_is_refused_in_words(line: str, folder: Path) -> None:
    ended = run(line, folder=folder)
    assert ended.rc == 2
    [complaint] = map(json.loads, ended.stderr.splitlines())
    assert "\\xff" in complaint["message"]
    assert "is not UTF-8" in complaint["message"]


@pytest.mark.slow
def test_a_file_that_is_read_may_have_any_name(folder: Path) -> None:
    odd = folder / os.fsdecode(b"caf\xe9.txt")
    odd.write_bytes(b"I play the oboe.\n")
    ended = run("lm-extract --stats caf*.txt", folder=folder)
    assert ended.rc == 0
    assert json.loads(ended.stdout)["text"] == "I play the oboe."
    assert json.loads(ended.stderr)["read_as"] == {"caf\\udce9.txt": "lines"}


@pytest.mark.slow
def test_words_are_understood_where_no_locale_is_set(place: Path) -> None:
    ended = run("lm-search -n 工作 -k 1 Łódź", folder=place, **NO_LOCALE)
    assert "Łódź" in json.loads(ended.stdout)["text"]


# ------------------------------------------------------------------------------------------- input


@pytest.mark.slow
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_byte_order_mark_and_line_ends_of_windows_change_nothing(mark: bytes, end: bytes, folder: Path) -> None:
    usual = run("lm-extract --at 2026-03-01", folder=folder, stdin=TEXT.encode())
    ended = run("lm-extract --at 2026-03-01", folder=folder, stdin=mark + TEXT.encode().replace(b"\n", end))
    assert (ended.rc, ended.stdout) == (0, usual.stdout)


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        ("I play the oboe.", "utf-16", "UTF-16"),
        ("I play the oboe.", "utf-16-le", "UTF-16"),
        ("I play the oboe.", "utf-16-be", "UTF-16"),
        ("我在海鸥书店工作。", "utf-16", "UTF-16"),
        ("我在海鸥书店工作。", "gbk", "GB18030"),
        ("I don’t like café crème.", "cp1252", "CP1252"),
        ("I like café crème.", "latin-1", "LATIN1"),
        ("Ünsal plays the oboe in Çorlu.", "latin-1", "LATIN1"),
    ],
)
def test_another_encoding_is_refused_with_the_command_that_converts_it(text: str, encoding: str, named: str) -> None:
    lines = [*(decoder := Decoder()).feed(f"{text}\n{text}\n".encode(encoding)), *decoder.close()]
    for line in lines:
        assert isinstance(line, Line)
        if line.data != b"\0":  # the end of the last line, in UTF-16
            with pytest.raises(Malformed, match=f"line {line.number} is not UTF-8") as raised:
                line.text()
            if line.number == 1:  # the one that a person looks at
                assert raised.value.hint == f"convert the input with: iconv -f {named} -t UTF-8"


@given(st.text(st.sampled_from("a\0é"), min_size=1) | st.text(st.characters(codec="utf-8")))
@example("\0a\0b\0c\0d\0")
def test_text_is_refused_only_where_it_is_hardly_text(text: str) -> None:
    """NUL is a letter, too. Only where every second byte is one, and no other, can't it be meant."""
    try:
        assert Line(1, 0, text.encode()).text() == text
    except Malformed:
        assert text.count("\0") * 3 > len(text.encode())
