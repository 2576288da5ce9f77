"""The commands as real processes: closed pipes, signals, terminals, and every odd byte a pipe can bring."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lean_memory.store import namespaces, open_store
from tests import schemas
from tests.commands import at_terminal, environment, run

pytestmark = pytest.mark.slow

READERS = ("lm-extract", "lm-embed", "lm-store -n work", "lm-search -n work --queries -")


def episode(number: int, text: str = "") -> bytes:
    text = text or f"Line {number} is about tea."
    return json.dumps({"type": "episode", "text": text, "t_ref": "2026-03-01T00:00:00Z"}).encode() + b"\n"


def records(output: bytes) -> list[dict[str, Any]]:
    """The lines as records, each valid."""
    lines = [json.loads(line) for line in output.splitlines()]
    for line in lines:
        schemas.check(line)
    return lines


def stored(folder: Path, namespace: str = "work") -> list[str]:
    """The texts of the episodes in the memory, oldest first."""
    store = open_store(folder / "memory", namespace, create=False, now=0)
    try:
        return [episode.text for episode in store.episodes()]
    finally:
        store.close()


@pytest.fixture(scope="session")
def first_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place whose memory `work` has one episode."""
    place = tmp_path_factory.mktemp("first")
    assert run("lm-store -n work", folder=place, stdin=episode(0)).rc == 0
    return place


@pytest.fixture
def folder(first_memory: Path, tmp_path: Path) -> Path:
    """The same, to change."""
    shutil.copytree(first_memory, tmp_path, dirs_exist_ok=True)
    return tmp_path


# ------------------------------------------------------------------------------------------- closed pipes


@pytest.mark.parametrize("command", ["lm-extract", "lm-embed"])
def test_a_filter_whose_reader_goes_away_ends_quietly(command: str, folder: Path) -> None:
    many = b"".join(map(episode, range(5000)))
    ended = run(f"{command} | head -n 1", folder=folder, stdin=many)
    assert len(records(ended.stdout)) == 1
    assert (ended.rc, ended.stderr) == (0, b"")


def test_help_whose_reader_goes_away_ends_quietly(folder: Path) -> None:
    ended = run("lm-search --help | true; lm-search -n work --all | true", folder=folder)
    assert (ended.rc, ended.stderr) == (0, b"")


def test_a_producer_that_dies_in_the_middle_of_a_line_loses_only_that_line(folder: Path) -> None:
    ended = run("head -c 250 | lm-store -n work", folder=folder, stdin=b"".join(map(episode, range(1, 9))))
    assert ended.rc == 3
    whole = 250 // len(episode(1))
    assert stored(folder) == [f"Line {n} is about tea." for n in range(whole + 1)]
    assert [error["line"] for error in records(ended.stderr)] == [whole + 1]


def test_the_writer_finishes_its_input_although_nobody_reads_the_receipts(folder: Path) -> None:
    ended = run("lm-store -n work | head -n 1", folder=folder, stdin=b"".join(map(episode, range(1, 500))))
    assert len(records(ended.stdout)) == 1
    assert (ended.rc, ended.stderr) == (0, b"")
    assert len(stored(folder)) == 500


def test_the_writer_finishes_its_input_although_stdout_is_closed_from_the_start(folder: Path) -> None:
    ended = run("lm-store -n work >&-", folder=folder, stdin=episode(1) + episode(2))
    assert (ended.rc, ended.stderr) == (0, b"")
    assert len(stored(folder)) == 3


def test_a_receipt_comes_before_the_next_line_is_sent(folder: Path) -> None:
    with start(["lm-store", "-n", "work"], folder) as process:
        for number in range(1, 4):
            send(process, episode(number))
            assert process.stdout is not None
            [receipt] = records(process.stdout.readline())
            assert receipt["status"] == "stored"
            assert len(stored(folder)) == number + 1
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


# ------------------------------------------------------------------------------------------------ signals


@pytest.mark.parametrize("command", READERS)
def test_interrupted_it_ends_with_130_and_no_traceback(command: str, folder: Path) -> None:
    with start(command.split(), folder) as process:
        send(process, b'{"query":"tea"}\n' if "--queries" in command else episode(1))
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == b""


def test_what_has_a_receipt_survives_a_kill(folder: Path) -> None:
    with start(["lm-store", "-n", "work"], folder) as process:
        send(process, episode(1))
        assert process.stdout is not None
        assert process.stdout.readline()
        process.kill()
        process.wait(60)
    assert stored(folder) == ["Line 0 is about tea.", "Line 1 is about tea."]


# -------------------------------------------------------------------------------------------- odd input


@pytest.mark.parametrize("command", [*READERS, "lm-search --stdin tea"])
def test_empty_input_is_no_input(command: str, folder: Path) -> None:
    ended = run(command, folder=folder)
    assert (ended.rc, ended.stdout, ended.stderr) == (0, b"", b"")


BAD = (
    b'{"text":',
    episode(1)[:40],
    b'{"type":"episode","text":"tea","t_ref":"2026-03-01","x":NaN}',
    b'{"text":"caf\xe9"}',
    '{"text":"tea"}'.encode("utf-16"),
    b"[1, 2]",
    b'{"a":' * 300 + b"1" + b"}" * 300,
    b'{"text":"\\ud83c"}',
    b"\0\0\0",
    b'{"type":"receipt"}',
)


@pytest.mark.parametrize("command", ["lm-embed", "lm-store -n work"])
def test_bad_lines_are_told_with_their_numbers_and_skipped(command: str, folder: Path) -> None:
    stdin = b"".join(bad + b"\n" + episode(n) for n, bad in enumerate(BAD))
    ended = run(command, folder=folder, stdin=stdin)
    assert ended.rc == 3
    assert len(records(ended.stdout)) == len(BAD)
    assert [error["line"] for error in records(ended.stderr)] == [2 * n + 1 for n in range(len(BAD))]


@pytest.mark.parametrize("command", ["lm-embed", "lm-store -n work"])
def test_under_strict_the_first_bad_line_ends_it_and_what_came_before_stays(command: str, folder: Path) -> None:
    ended = run(f"{command} --strict", folder=folder, stdin=episode(1) + b"{\n" + episode(2))
    assert ended.rc == 4
    assert len(records(ended.stdout)) == 1
    assert [error["line"] for error in records(ended.stderr)] == [2]


@pytest.mark.parametrize("command", ["lm-extract", "lm-store -n work"])
@pytest.mark.parametrize(
    "stdin",
    [
        pytest.param(episode(1)[:-1], id="no trailing newline"),
        pytest.param(b"\xef\xbb\xbf" + episode(1), id="byte order mark"),
        pytest.param(episode(1)[:-1] + b"\r\n", id="crlf"),
        pytest.param(b"\n \r\n" + episode(1) + b"\n\n", id="blank lines"),
        pytest.param(episode(1, "tea " * 262_144), id="a mebibyte"),
        pytest.param(episode(1, "x" * (1 << 20)), id="a mebibyte without a space"),
    ],
)
def test_odd_but_right_lines_are_lines(command: str, stdin: bytes, folder: Path) -> None:
    ended = run(command, folder=folder, stdin=stdin)
    assert (ended.rc, ended.stderr) == (0, b"")
    [record] = records(ended.stdout)
    if command.startswith("lm-store"):
        assert record["status"] == "stored"
        assert len(stored(folder)) == 2


def test_any_text_comes_back_as_it_went_in(folder: Path) -> None:
    texts = ["我在柏林工作。", "I ❤️ tea 🍵👩‍👩‍👧 e\u0301", "tea \x00\x1b[31m\u202e\u2028 end", "...", '"', "\\"]
    stdin = b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts)
    ended = run("lm-extract | lm-embed | lm-store -n work", folder=folder, stdin=stdin)
    assert (ended.rc, ended.stderr) == (0, b"")
    assert stored(folder)[1:] == texts
    ended = run("lm-search -n work --all --kind episode --now 2026-03-11", folder=folder)
    assert {record["text"] for record in records(ended.stdout)} >= set(texts)


def test_text_of_any_bytes_is_stored_or_told_of(folder: Path) -> None:
    stdin = b"I like tea.\ncaf\xe9 au lait\nI like \xf0\x9f\x8d\xb5\n\x00\x01\x02\n"
    ended = run("lm-extract | lm-store -n work", folder=folder, stdin=stdin)
    assert ended.rc == 3
    assert len(records(ended.stdout)) == 3
    assert [(error["line"], error["code"]) for error in records(ended.stderr)] == [(2, "not_utf8")]


QUERIES = ["", " ",
           "'", '"', '"quoted', "a AND", "NOT", "NEAR(tea, 2)", "*", "tea*", "^tea", "text:tea", "C:\\Users\\anna",
           "O'Brien", "tea-pot/cup", "tea " * 2500, "x" * 10_000, "🍵", "我在", "-n", "\x01", "{}", "%s"]  # fmt: skip


def test_any_text_is_a_query(folder: Path) -> None:
    stdin = b"".join(json.dumps({"query": query}).encode() + b"\n" for query in [*QUERIES, "\x00", "\u2028"])
    ended = run("lm-search -n work --queries -", folder=folder, stdin=stdin)
    assert (ended.rc, ended.stderr) == (0, b"")
    assert "tea*" in {record["query"] for record in records(ended.stdout)}


@pytest.mark.parametrize("query", ["", "-n", "tea " * 2500])
def test_any_text_is_a_query_on_the_command_line(query: str, folder: Path) -> None:
    ended = run('lm-search -n work -- "$QUERY"', folder=folder, QUERY=query)
    assert (ended.rc, ended.stderr) == (0, b"")
    records(ended.stdout)


# ---------------------------------------------------------------------------------------------- terminals


@pytest.mark.parametrize("command", ["lm-extract", "lm-embed", "lm-store -n work", "lm-search -n work --queries -"])
def test_at_a_terminal_without_input_it_says_how_it_is_used(command: str, folder: Path) -> None:
    primary, secondary = pty.openpty()
    try:
        done = subprocess.run(
            command.split(), stdin=secondary, capture_output=True, cwd=folder, env=environment(folder), timeout=60,
            check=False,
        )  # fmt: skip
    finally:
        os.close(primary)
        os.close(secondary)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().startswith(f"Usage: {command.split()[0]} ")
    assert "--help" in done.stderr.decode()


def test_to_a_terminal_hits_are_text_and_errors_a_sentence(folder: Path) -> None:
    assert at_terminal("lm-search -n work -k 1 tea", folder).startswith(" 1. Line 0 is about tea.")
    assert at_terminal("lm-search -n work -k 1 --json tea", folder).startswith('{"type":"hit"')
    assert at_terminal("lm-search -n nowhere tea", folder).startswith("lm-search: ")


# ------------------------------------------------------------------------------------------- many at once


def test_eight_processes_store_into_one_memory_at_once_and_every_line_is_there_once(tmp_path: Path) -> None:
    writers = []
    for writer in range(8):
        process = start(["lm-store", "-n", "work"], tmp_path)
        lines = [episode(n, f"Writer {writer} says {n}.") for n in range(40)] + [episode(n) for n in range(5)]
        send(process, b"".join(lines), last=True)
        writers.append(process)
    for process in writers:
        out, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, b"")
        assert len(records(out)) == 45
    texts = stored(tmp_path)
    assert len(texts) == len(set(texts)) == 8 * 40 + 5


# --------------------------------------------------------------------------------------------- read only


@pytest.mark.parametrize("line", ["lm-search -n work tea", "lm-search -n work --all",
                                  "lm-search -n work --print-config",
                                  "lm-embed --print-config", "lm-extract </dev/null"])  # fmt: skip
def test_reading_commands_create_nothing(line: str, tmp_path: Path) -> None:
    run(line, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_search_leaves_the_file_as_it_was(folder: Path) -> None:
    before = (folder / "memory" / "work.db").read_bytes()
    run("lm-search -n work tea; lm-search -n work --all; lm-search -n work --queries -", folder=folder,
        stdin=b'{"query":"tea"}\n')  # fmt: skip
    assert (folder / "memory" / "work.db").read_bytes() == before
    assert namespaces(folder / "memory") == ["work"]


@pytest.mark.parametrize("module", ["search", "store", "extract", "embed", "maintain"])
def test_help_loads_nothing_heavy(module: str, tmp_path: Path) -> None:
    program = f"""
import sys
from lean_memory.cli.{module} import main
sys.argv = ["lm-{module}", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code
print(sorted({{name.split(".")[0] for name in sys.modules}}), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=tmp_path, env=environment(tmp_path),
                          timeout=60, check=True)  # fmt: skip
    loaded = set(eval(done.stderr))
    assert "click" in loaded
    heavy = {"apsw", "dateparser", "numpy", "onnxruntime", "orjson", "rank_bm25", "sqlite_vec", "sqlite3", "tokenizers"}
    assert not loaded & heavy


# ------------------------------------------------------------------------------------------------ helpers


def start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        env=environment(folder),
    )  # fmt: skip


def send(process: subprocess.Popen[bytes], data: bytes, *, last: bool = False) -> None:
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()
    if last:
        process.stdin.close()
        process.stdin = None
