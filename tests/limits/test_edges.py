"""Each limit of docs/limits.md at its edge: what is just within it works, what is just beyond is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lean_memory import Memory
from lean_memory.claims import View
from lean_memory.errors import Malformed, UsageError
from lean_memory.limits import FIRST, LAST, MAX_HITS, MAX_NAME, MAX_QUERY
from lean_memory.notes import NoteReader
from lean_memory.records import Note
from lean_memory.settings import Settings
from lean_memory.wire import MAX_DEPTH, MAX_LINE, Decoder, Line, decode_episode
from tests.commands import Ended, run

SAID = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("limits")
    assert run("echo 'I live in Leeds.' | lm-extract | lm-store -n work", folder=folder).rc == 0
    return folder


@pytest.fixture(scope="module")
def memory(folder: Path) -> Memory:
    return Memory(settings=Settings.from_environ({"LM_BACKENDS": "stub"}, root=folder / "memory"))


def told(ended: Ended) -> dict[str, Any]:
    """The one complaint."""
    [line] = ended.stderr.splitlines()
    return dict(json.loads(line))


# ------------------------------------------------------------------------------------------------- a search


@pytest.mark.parametrize("k", [1, MAX_HITS])
def test_k_within(k: int, memory: Memory, folder: Path) -> None:
    assert memory.search("work", "where do I live?", k=k)
    assert run(f"lm-search -n work -k {k} leeds", folder=folder).rc == 0


@pytest.mark.parametrize("k", [0, -1, MAX_HITS + 1, 2**63, 10**30])
def test_k_beyond(k: int, memory: Memory, folder: Path) -> None:
    for ask in (lambda: memory.search("work", "x", k=k), lambda: memory.rank_episodes("x", [], k=k)):
        with pytest.raises(UsageError, match="k must be from 1 to 10,000"):
            ask()
    line = json.dumps({"query": "leeds", "k": k}) + "\n" + json.dumps({"query": "leeds"})
    ended = run("lm-search -n work --queries -", folder=folder, stdin=line.encode())
    assert ended.rc == 3
    assert ended.stdout, "the next question is answered"
    assert told(ended)["code"] == "bad_field"
    if k > 0:
        assert "10,000" in told(run(f"lm-search -n work -k {k} leeds", folder=folder))["message"]


def test_a_query(memory: Memory, folder: Path) -> None:
    longest = ("leeds " * MAX_QUERY)[:MAX_QUERY]
    assert memory.search("work", longest)
    with pytest.raises(UsageError, match="100,001 characters; 100,000 are the most"):
        memory.search("work", longest + "x")
    ended = run(
        "lm-search -n work --queries -", folder=folder,
        stdin="\n".join(json.dumps({"query": query}) for query in (longest + "x", "leeds")).encode(),
    )  # fmt: skip
    assert (ended.rc, told(ended)["line"]) == (3, 1)
    assert ended.stdout, "the next question is answered"


# --------------------------------------------------------------------------------------------------- a name


@pytest.mark.parametrize("letter", ["n", "N", "名", "\x00", "/", "."])
def test_a_namespace_s_name(letter: str, tmp_path: Path) -> None:
    with Memory(settings=Settings.from_environ({"LM_BACKENDS": "stub"}, root=tmp_path)) as memory:
        longest = letter * MAX_NAME
        assert memory.add(longest, "I live in Leeds.").status == "stored"
        assert memory.namespaces() == [longest]
        assert memory.search(longest, "leeds")
        for name in (longest + letter, ""):
            with pytest.raises(UsageError, match="1,001 characters; 1,000 are the most" if name else "needs a name"):
                memory.add(name, "I live in Leeds.")


def test_a_namespace_s_name_to_a_command(folder: Path) -> None:
    ended = run(f"lm-search -n {'x' * (MAX_NAME + 1)} leeds", folder=folder)
    assert (ended.rc, told(ended)["code"]) == (2, "bad_namespace")


# -------------------------------------------------------------------------------------------------- a line


def lines_of(*chunks: bytes) -> list[Line | Malformed]:
    decoder = Decoder()
    return [item for chunk in chunks for item in decoder.feed(chunk)] + list(decoder.close())


def test_a_line_of_bytes() -> None:
    within, next_ = lines_of(b"x" * MAX_LINE + b"\n", b"next")
    assert isinstance(within, Line)
    assert len(within.data) == MAX_LINE
    beyond, next_ = lines_of(b"x" * (MAX_LINE + 1) + b"\n", b"next")
    assert isinstance(beyond, Malformed)
    assert (beyond.code, beyond.message) == ("line_too_long", "line 1 is longer than 64 MiB")
    assert isinstance(next_, Line)


def nested(depth: int) -> bytes:
    return b'{"text":"hi","t_ref":"2026-01-01T00:00:00Z","meta":' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"


def test_how_deep_values_nest(folder: Path) -> None:
    assert decode_episode(Line(1, 0, nested(MAX_DEPTH - 1)).object()).text == "hi"
    ended = run("lm-store -n deep", folder=folder, stdin=nested(MAX_DEPTH) + b"\n" + nested(MAX_DEPTH - 1))
    assert (ended.rc, told(ended)["code"], told(ended)["message"]) == (
        3,
        "too_deep",
        "line 1 nests more than 100 levels",
    )
    assert json.loads(ended.stdout)["status"] == "stored"


def test_a_paragraph_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lean_memory.notes.MAX_LINE", 4 << 20)  # as 64 MiB would be, in less time
    reader = NoteReader(Note(text="", t_ref=0), "file")
    line = Line(1, 0, b"x" * (1 << 20))
    assert list(reader.feed([line] * 4)) == []
    [error] = reader.feed([line])
    assert isinstance(error, Malformed)
    assert (error.code, error.message) == ("too_long", "a file is longer than 4 MiB")


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("0001-01-01T00:00:00Z", True), ("9999-12-31T23:59:59.999Z", True), ("0000-12-31T23:59:59Z", False),
        ("10000-01-01T00:00:00Z", False), ("0001-01-01T00:00:00+00:01", False), ("9999-12-31T23:59:59-00:01", False),
    ],
)  # fmt: skip
def test_years(said: str, right: bool, folder: Path) -> None:
    line = json.dumps({"text": f"hi {said}", "t_ref": said}).encode()
    ended = run("lm-store -n years", folder=folder, stdin=line)
    assert (ended.rc == 0) is right
    if not right:
        assert told(ended)["code"] == "bad_time"


def test_a_line_of_a_mebibyte_is_stored_and_found(folder: Path, memory: Memory) -> None:
    text = ("so " * 350_000)[: (1 << 20) - 200] + " the heron landed"
    line = json.dumps({"text": text, "t_ref": SAID}).encode()
    ended = run("lm-store -n long", folder=folder, stdin=line)
    assert ended.rc == 0
    [hit, *_] = memory.search("long", "heron")
    assert hit.text == text


@pytest.mark.parametrize("at", [FIRST, LAST])
def test_times_in_milliseconds(at: int, tmp_path: Path) -> None:
    beyond = at - 1 if at == FIRST else at + 1
    with Memory(settings=Settings.from_environ({"LM_BACKENDS": "stub"}, root=tmp_path)) as memory:
        assert memory.add("work", "I live in Leeds.", t_ref=at).status == "stored"
        assert memory.search("work", "leeds yesterday", view=View(now=at, since=at))
        assert memory.visible("work", View(now=at))
        with pytest.raises(UsageError, match="t_ref is in no year from 1 to 9999"):
            memory.add("work", "I live in Leeds.", t_ref=beyond)
        for name in ("now", "as_of", "known_at", "since", "until"):
            with pytest.raises(UsageError, match=f"{name} is in no year from 1 to 9999"):
                memory.search("work", "leeds yesterday", view=View(**{"now": at, name: beyond}))


def test_half_a_character_is_refused(memory: Memory) -> None:
    half = "leeds \ud83d"
    with pytest.raises(UsageError, match="text has half a character at 6"):
        memory.add("work", half)
    with pytest.raises(UsageError, match="speaker has half"):
        memory.add("work", "hi", speaker=half)
    with pytest.raises(UsageError, match="query has half"):
        memory.search("work", half)
    with pytest.raises(UsageError, match="subject has half"):
        memory.search("work", "leeds", view=View(now=0, subject=half))


# ------------------------------------------------------------------------------------------------ many


def test_no_more_files_are_open_than_the_machine_gives(tmp_path: Path) -> None:
    """A walk through all memories ends, though each file takes three descriptors."""
    resource = pytest.importorskip("resource")
    with Memory(settings=Settings.from_environ({"LM_BACKENDS": "stub"}, root=tmp_path)) as memory:
        memory.add("m0", "I live in Leeds.")
    made = (tmp_path / "m0.db").read_bytes()
    for number in range(1, 120):
        (tmp_path / f"m{number}.db").write_bytes(made)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 200), before[1]))
    try:
        with Memory(settings=Settings.from_environ({"LM_BACKENDS": "stub"}, root=tmp_path)) as memory:
            listing = memory.visible("m0", View(now=memory.present()))
            assert next(listing).text
            statuses = [memory.maintenance_status(name) for name in memory.namespaces()]
            assert [status.episodes for status in statuses] == [1] * 120
            assert all(memory.search(name, "leeds") for name in memory.namespaces())
            assert [hit.kind for hit in listing] == ["episode"], "a listing goes on, though its file was let go"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
