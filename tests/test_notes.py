"""What one note is: a line, a paragraph, a file, or a record among the lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lean_memory.errors import Malformed
from lean_memory.notes import By, NoteReader
from lean_memory.records import Note
from lean_memory.wire import Decoder

DEFAULT = Note(text="", t_ref=1_000, tz="+02:00", speaker="Anna")


def read(data: bytes, by: By = "line", *, chunk: int = 1 << 16) -> list[Note | Malformed]:
    decoder, reader = Decoder(blank=True), NoteReader(DEFAULT, by)
    notes: list[Note | Malformed] = []
    for start in range(0, len(data), chunk):
        notes += reader.feed(decoder.feed(data[start : start + chunk]))
    notes += reader.feed(decoder.close())
    return [*notes, *reader.close()]


def texts(notes: list[Note | Malformed]) -> list[str]:
    return [note.text for note in notes if isinstance(note, Note)]


def test_every_line_is_a_note_with_the_defaults() -> None:
    [first, second] = read(b"I like tea\n\n  I live in Bonn  \n")
    assert first == Note(text="I like tea", t_ref=1_000, tz="+02:00", speaker="Anna")
    assert isinstance(second, Note)
    assert second.text == "I live in Bonn"


def test_a_line_of_blanks_of_any_kind_is_no_note() -> None:
    blanks = "\u202f\n\u3000 \n\u00a0\t\nI like tea"
    assert texts(read(blanks.encode())) == ["I like tea"]


def test_a_paragraph_ends_at_a_blank_line() -> None:
    assert texts(read(b"one\ntwo\n\n \nthree", "paragraph")) == ["one\ntwo", "three"]


def test_a_file_is_one_note() -> None:
    assert texts(read(b"one\n\ntwo\n", "file")) == ["one\n\ntwo"]


def test_an_empty_file_is_none() -> None:
    assert read(b"", "file") == read(b"\n \n", "paragraph") == read(b"\r\n", "line") == []


def test_a_record_among_the_lines_says_for_itself() -> None:
    [note] = read(b'{"text":"hi","t_ref":"2026-03-10T12:00:00-05:00","speaker":"Ben","mood":"good"}\n')
    assert isinstance(note, Note)
    assert (note.speaker, note.tz, note.extra) == ("Ben", "-05:00", {"mood": "good"})


def test_a_line_that_only_begins_like_a_record_is_reported_with_its_place() -> None:
    [before, error, after] = read(b'fine\n{"text":"cut of\nfine too\n')
    assert isinstance(error, Malformed)
    assert (error.line, error.offset, error.code) == (2, 5, "not_json")
    assert texts([before, after]) == ["fine", "fine too"]


def test_a_brace_alone_is_text() -> None:
    assert texts(read(b"{shrug} whatever")) == ["{shrug} whatever"]


def test_bytes_that_are_no_text_are_reported_in_every_mode() -> None:
    for by in ("line", "paragraph", "file"):
        notes = read(b"caf\xe9\n", by)
        assert [note.code for note in notes if isinstance(note, Malformed)] == ["not_utf8"]


@given(st.binary(max_size=200), st.integers(1, 50), st.sampled_from(["line", "paragraph", "file"]))
def test_how_the_bytes_arrive_does_not_matter(data: bytes, chunk: int, by: By) -> None:
    assert [str(note) for note in read(data, by, chunk=chunk)] == [str(note) for note in read(data, by)]
