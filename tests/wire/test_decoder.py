"""Bytes become lines, however they are cut into chunks; what is wrong is said with its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.errors import Malformed
from lean_memory.wire import MAX_DEPTH, MAX_LINE, Decoder, Line

PIECES = (b"I work at Acme.", "我在柏林🏡".encode(), b'{"text":"hi"}', b"\xff\xfe", b"\r", b"\n", b"\r\n", b"\n\n",
          b"\xef\xbb\xbf", b" \t", b"\0", b"NaN")  # fmt: skip
streams = st.lists(st.sampled_from(PIECES) | st.binary(max_size=20), max_size=12).map(b"".join)


def lines(*chunks: bytes, blank: bool = False) -> list[Line | Malformed]:
    decoder = Decoder(blank=blank)
    return [item for chunk in chunks for item in decoder.feed(chunk)] + list(decoder.close())


@given(streams, st.data(), st.booleans())
def test_the_lines_do_not_depend_on_the_chunks(stream: bytes, data: st.DataObject, blank: bool) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    chunks = [stream[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert lines(*chunks, blank=blank) == lines(stream, blank=blank)


@given(streams)
def test_an_offset_points_at_its_line(stream: bytes) -> None:
    for line in lines(stream):
        assert isinstance(line, Line)
        found = stream[line.offset :].removeprefix(b"\xef\xbb\xbf" if line.number == 1 else b"")
        assert found.startswith(line.data)
        assert line.number == stream[: line.offset].count(b"\n") + 1


@given(streams)
def test_nothing_but_line_ends_blank_lines_and_the_mark_is_dropped(stream: bytes) -> None:
    kept = [line.data for line in lines(stream, blank=True) if isinstance(line, Line)]
    expected = stream.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if expected[-1] == b"" and (len(expected) > 1 or stream == b""):
        expected.pop()
    assert kept == [line.removesuffix(b"\r") for line in expected]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"", []),
        (b"\n", []),
        (b"one\ntwo\n", [(1, 0, b"one"), (2, 4, b"two")]),
        (b"one\ntwo", [(1, 0, b"one"), (2, 4, b"two")]),
        (b"one\r\ntwo\r\n", [(1, 0, b"one"), (2, 5, b"two")]),
        (b"one\n\n  \ntwo\n", [(1, 0, b"one"), (4, 8, b"two")]),
        (b"\xef\xbb\xbfone\n", [(1, 0, b"one")]),
        (b"one\n\xef\xbb\xbftwo\n", [(1, 0, b"one"), (2, 4, b"\xef\xbb\xbftwo")]),
        (b"\xef\xbb\xbf\n", []),
    ],
    ids=[
        "nothing",
        "newline",
        "two lines",
        "no last newline",
        "crlf",
        "blank lines",
        "mark",
        "mark later",
        "only mark",
    ],
)
def test_lines_are_counted_from_one_and_blank_ones_count(stream: bytes, expected: list[tuple[int, int, bytes]]) -> None:
    assert lines(stream) == [Line(*line) for line in expected]


def test_a_line_of_a_mebibyte_is_a_line_like_any() -> None:
    long = b"x" * (1 << 20)
    assert lines(long + b"\nnext\n") == [Line(1, 0, long), Line(2, len(long) + 1, b"next")]


def test_an_over_long_line_is_refused_without_being_held_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lean_memory.wire.MAX_LINE", 1 << 20)
    decoder = Decoder()
    for _ in range(64):
        assert list(decoder.feed(b"x" * (1 << 16))) == []
        assert decoder._held <= 64 << 16
        assert sum(map(len, decoder._parts)) <= 1 << 20
    refused, line = list(decoder.feed(b"\nnext\n"))
    assert isinstance(refused, Malformed)
    assert (refused.code, refused.line, refused.offset) == ("line_too_long", 1, 0)
    assert line == Line(2, (64 << 16) + 1, b"next")
    assert MAX_LINE >= 1 << 20


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff", "not_utf8"),
        (b'{"text":"\xc3', "not_utf8"),
        (b'{"text":"I work', "not_json"),
        (b"{text: 1}", "not_json"),
        (b'{"text":NaN}', "not_json"),
        (b'{"text":-Infinity}', "not_json"),
        (b'{"text":1e999}', "not_json"),
        (b'{"text":"\\ud800"}', "not_json"),
        (b'{"text":"a"} {"text":"b"}', "not_json"),
        (b'{"text":"\x00"}', "not_json"),
        (b'["text"]', "not_object"),
        (b'"text"', "not_object"),
        (b"null", "not_object"),
        (b'{"meta":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", "too_deep"),
        (b'{"meta":' + b'{"a":' * 200 + b"1" + b"}" * 200 + b"}", "too_deep"),
    ],
)
def test_what_is_no_json_object_is_refused_with_its_place(data: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        Line(7, 1234, data).object()
    assert (caught.value.code, caught.value.line, caught.value.offset) == (code, 7, 1234)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'{"a":18446744073709551615}', {"a": 2**64 - 1}),
        (b'{"a":18446744073709551616}', {"a": 2.0**64}),
        (b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}", None),
        (b'{"a":[' + b"[]," * 1000 + b"[]]}", {"a": [[]] * 1001}),
    ],
    ids=["repeated key", "largest integer", "larger integer", "deep", "wide"],
)
def test_the_odd_corners_of_json_have_a_stated_fate(data: bytes, value: Any) -> None:
    assert Line(1, 0, data).object() == (value or Line(1, 0, data).object())
