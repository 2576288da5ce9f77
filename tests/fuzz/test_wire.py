"""Any bytes to every command that reads stdin: each line is answered or complained of, and the good ones survive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory.wire import encode
from tests import schemas
from tests.commands import Ended
from tests.fuzz.command import invoke
from tests.fuzz.often import often
from tests.wire import strategies as some

pytestmark = pytest.mark.slow

GOOD = b'{"type":"episode","v":1,"text":"I live in Leeds.","t_ref":"2026-01-01T00:00:00Z","facts":[]}'
DECISION = b'{"type":"decision","v":1,"proposal":"1a1e3c12458b7237a605c287f814dc96","verdict":"keep"}'
QUESTION = b'{"query":"where do I live?"}'

# ------------------------------------------------------------------------------------------------- material

PIECES = (
    b"{", b"}", b"[", b"]", b'"', b"\\", b"\\ud800", b"\\u0000", b"\0", b"\r", b"\xff", b"\xef\xbb\xbf",
    b"\xe2\x80\xa8", b"\xc2\x85", b"\x1c", b"null", b"NaN", b"1e999", b"-0", b"9" * 40, b"{" * 200, b'{"a":' * 120,
    b'{"text":', b'"type":', b'"facts":[', b'"vector":{', b'{"query":', b'"k":', b" ", b"\t", b"\xf0\x9f\x91\xa9",
)  # fmt: skip
junk = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=8).map(b"".join)
any_json = (
    some.json_values
    | st.integers()
    | st.sampled_from(["\ud800", 10**400, -(10**30), "9" * 20, [], {}, "0001-01-01T00:00:00Z"])
)


def loosely(value: Any) -> bytes:
    """JSON as other programs write it: halves of surrogate pairs, integers of any size, NaN."""
    return json.dumps(value).encode()


@st.composite
def bent(draw: st.DrawFn, objects: st.SearchStrategy[dict[str, Any]]) -> bytes:
    """A record with some fields of another kind, left out, or twice."""
    obj = draw(objects)
    for _ in range(draw(st.integers(0, 3))):
        at: Any = obj
        while isinstance(at, dict) and at:
            key = draw(st.sampled_from(sorted(at)))
            inner = at[key][0] if isinstance(at[key], list) and at[key] else at[key]
            if isinstance(inner, dict) and inner and draw(st.booleans()):
                at = inner
                continue
            if draw(st.booleans()):
                at[key] = draw(any_json)
            else:
                del at[key]
            break
    return loosely(obj)


episodes = some.episodes().map(lambda one: json.loads(encode(one)))
queries = st.fixed_dictionaries(
    {"query": some.texts},
    optional={
        "k": st.integers(-1, 30),
        "as_of": some.texts,
        "known_at": some.instants,
        "now": some.texts,
        "qid": any_json,
    },
)
decisions = st.fixed_dictionaries(
    {"proposal": some.ids | some.texts, "verdict": st.sampled_from(["approve", "keep", "edit", "promote"])},
    optional={"edits": some.metas, "namespace": st.sampled_from(["work", "gone", "", "\x00"])},
)
rows = st.fixed_dictionaries(
    {
        "table": st.sampled_from(["meta", "episodes", "facts", "evidence", "validity", "vectors", "x"]),
        "values": some.metas,
    }
)
lines = st.one_of(
    junk, st.binary(max_size=30), any_json.map(loosely), bent(episodes), bent(queries), bent(decisions), bent(rows),
    some.notes().map(encode).map(bytes.strip),
).map(lambda line: line.replace(b"\n", b" "))  # fmt: skip


def is_blank(line: bytes, first: bool) -> bool:
    return not (line.removeprefix(b"\xef\xbb\xbf") if first else line).strip()


def complaints(ended: Ended) -> list[dict[str, Any]]:
    """Error records, one a line; anything else on stderr is no JSON."""
    told = [json.loads(line) for line in ended.stderr.splitlines()]
    for record in told:
        schemas.check(record, "error")
    return told


def answers(ended: Ended) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in ended.stdout.split(b"\n")[:-1]]
    for record in found:
        schemas.check(record)
    return found


# ----------------------------------------------------------------------------------------------------- laws


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the memory `work`."""
    root = tmp_path_factory.mktemp("fuzz")
    assert invoke("lm-store", "-n", "work", root=root, stdin=GOOD).rc == 0
    return root


STREAMS = st.lists(lines, max_size=6)
FILTERS = {
    "store": (("lm-store", "-n", "work"), GOOD),
    "store without vectors": (("lm-store", "-n", "other", "--no-embed"), GOOD),
    "embed": (("lm-embed",), GOOD),
    "extract": (("lm-extract", "--from", "lines"), b"I live in Leeds."),
}


@pytest.mark.parametrize("name", FILTERS)
@often(0.3)
@given(before=STREAMS, after=STREAMS)
@example(before=[b'{"text":"a","t_ref":"2026-01-01T00:00:00Z","meta":{"a":"\\ud800"}}'], after=[b"\xef\xbb\xbf", b"\r"])
def test_each_line_is_answered_or_complained_of_once(
    name: str, before: list[bytes], after: list[bytes], root: Path
) -> None:
    command, good = FILTERS[name]
    given = [*before, good, *after]
    ended = invoke(*command, root=root, stdin=b"\n".join(given))
    told, answered = complaints(ended), answers(ended)
    assert ended.rc == (3 if told else 0)
    expected = [number for number, line in enumerate(given, 1) if not is_blank(line, number == 1)]
    wrong = [record["line"] for record in told if record["code"] != "rejected"]
    assert wrong == sorted(set(wrong))
    assert set(wrong) <= set(expected)
    if name == "extract":  # of blanks that only Unicode knows it makes no note
        assert len(answered) + len(wrong) <= len(expected)
        assert any(record["text"] == "I live in Leeds." for record in answered)
    else:
        assert len(answered) + len(wrong) == len(expected)
    assert len(before) + 1 not in wrong, "a good line among bad ones"


@often(0.3)
@given(before=STREAMS, after=STREAMS)
def test_strict_ends_at_the_first_bad_line(before: list[bytes], after: list[bytes], root: Path) -> None:
    stdin = b"\n".join([GOOD, *before, GOOD, *after])
    free = invoke("lm-store", "-n", "strict", root=root, stdin=stdin)
    ended = invoke("lm-store", "-n", "strict", "--strict", root=root, stdin=stdin)
    first = complaints(free)[:1]
    assert ended.rc == (4 if first else 0)
    assert complaints(ended) == first


@often(0.3)
@given(before=STREAMS, after=STREAMS)
def test_each_question_is_answered_or_complained_of(before: list[bytes], after: list[bytes], root: Path) -> None:
    ended = invoke(
        "lm-search", "-n", "work", "--queries", "-", root=root, stdin=b"\n".join([*before, QUESTION, *after])
    )
    told = complaints(ended)
    assert ended.rc == (3 if told else 0)
    assert all(record["line"] != len(before) + 1 for record in told)
    assert any(json.loads(line)["query"] == "where do I live?" for line in ended.stdout.splitlines())
    for record in answers(ended):
        assert record["type"] == "hit"


@often(0.3)
@given(before=STREAMS, after=STREAMS, query=some.texts)
def test_records_in_a_pipe_are_ranked_whatever_comes_with_them(
    before: list[bytes], after: list[bytes], query: str, root: Path
) -> None:
    if query.startswith("-") or "\0" in query:
        query = "leeds"
    ended = invoke("lm-search", "--stdin", query, root=root, stdin=b"\n".join([*before, GOOD, *after]))
    assert ended.rc == (3 if complaints(ended) else 0)
    answers(ended)


@pytest.mark.parametrize("verdict", [(), ("keep",)])
@often(0.3)
@given(before=STREAMS, after=STREAMS)
def test_each_decision_has_an_outcome_or_a_complaint(
    verdict: tuple[str, ...], before: list[bytes], after: list[bytes], root: Path
) -> None:
    given = [*before, DECISION, *after]
    ended = invoke("lm-review", "decide", *verdict, "-n", "work", root=root, stdin=b"\n".join(given))
    told, answered = complaints(ended), answers(ended)
    assert ended.rc == 3, "there is no such proposal, so it was not carried out"
    expected = [number for number, line in enumerate(given, 1) if not is_blank(line, number == 1)]
    assert len(answered) + len(told) == len(expected)
    assert len(before) + 1 not in [record["line"] for record in told]


@often(0.3)
@given(data=st.one_of(st.lists(lines, max_size=5).map(b"\n".join), st.data()))
def test_a_dump_is_restored_whole_or_not_at_all(
    data: Any, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = invoke("lm-log", "-n", "work", "--dump", root=root).stdout
    if not isinstance(data, bytes):  # a dump with one line bent, lost or more
        dumped = whole.splitlines()
        at = data.draw(st.integers(0, len(dumped) - 1))
        dumped[at : at + data.draw(st.integers(0, 1))] = data.draw(
            st.lists(st.one_of(lines, bent(st.just(json.loads(dumped[at])))), max_size=2)
        )
        data = b"\n".join(dumped)
    place = tmp_path_factory.mktemp("restored")
    ended = invoke("lm-store", "-n", "copy", "--restore", root=place, stdin=data)
    assert ended.rc in (0, 3, 5)
    if ended.rc:
        [_] = complaints(ended)
        assert not list(place.glob("*.db"))
    else:
        assert invoke("lm-maintain", "check", "-n", "copy", root=place).rc == 0
