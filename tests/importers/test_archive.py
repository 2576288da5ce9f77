"""The .zip as which exports come."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.errors import Malformed
from lean_memory.importers.archive import Member, is_zip, members


def archive(*files: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", how) as packed:
        for name, content in files:
            packed.writestr(name, content)
    stream.seek(0)
    return stream


def content(member: Member) -> bytes:
    return b"".join(member.chunks())


def test_the_conversations_are_read_and_nothing_else() -> None:
    packed = archive(
        ("chat.html", b"no"), ("export/conversations.json", b"[]"), ("__MACOSX/._conversations.json", b"no")
    )
    assert is_zip(packed)
    assert [(member.name, content(member)) for member in members(packed)] == [("conversations.json", b"[]")]


def test_conversations_in_parts_are_read_in_their_order() -> None:
    packed = archive(("conversations-001.json", b"[2]"), ("conversations-000.json", b"[1]"), ("user.json", b"{}"))
    assert [content(member) for member in members(packed)] == [b"[1]", b"[2]"]


@pytest.mark.parametrize("name", ["_chat.txt", "WhatsApp Chat with Ben.txt", "WhatsApp Chat mit Ben.txt"])
def test_a_whatsapp_chat_is_read(name: str) -> None:
    assert [member.name for member in members(archive((name, b"Hi"), ("photo.jpg", b"\xff")))] == [name]


def test_what_holds_no_conversations_is_told() -> None:
    with pytest.raises(Malformed, match=r"no conversations\.json and no WhatsApp chat"):
        members(archive(("notes.txt", b"Hi")))


def test_a_bomb_is_not_unpacked() -> None:
    packed = archive(("conversations.json", b" " * (64 << 20)))
    with pytest.raises(Malformed, match="unpacks to 64 MiB from"):
        members(packed)


def test_an_archive_of_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lean_memory.importers.archive.MAX_UNPACKED", 100)
    packed = archive(*((f"conversations-{n:03}.json", b"[]" * 20) for n in range(5)))
    with pytest.raises(Malformed, match="unpacks to more than"):
        members(packed)


def test_a_password_is_told() -> None:
    data = bytearray(archive(("conversations.json", b"[]")).getvalue())
    data[6] |= 1  # the flag of the file, and of its entry in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    [member] = members(io.BytesIO(bytes(data)))
    with pytest.raises(Malformed, match="password"):
        content(member)


def test_a_damaged_file_is_told_where_it_ends() -> None:
    data = bytearray(archive(("conversations.json", bytes(range(256)) * 500), how=zipfile.ZIP_STORED).getvalue())
    data[1000] ^= 255
    [member] = members(io.BytesIO(bytes(data)))
    with pytest.raises(Malformed, match=r"conversations\.json in the zip can't be unpacked"):
        content(member)


def test_what_is_cut_off_is_told() -> None:
    with pytest.raises(Malformed, match="the zip is damaged"):
        members(io.BytesIO(archive(("conversations.json", b"[]")).getvalue()[:-30]))


PACKED = archive(("conversations.json", b'[{"mapping": {}}]' * 5)).getvalue()


@given(st.lists(st.tuples(st.integers(0, len(PACKED) - 1), st.integers(0, 255)), max_size=8))
def test_any_damage_is_an_error_and_no_crash(changes: list[tuple[int, int]]) -> None:
    data = bytearray(PACKED)
    for place, value in changes:
        data[place] = value
    try:
        for member in members(io.BytesIO(bytes(data))):
            assert len(content(member)) < 1 << 20
    except Malformed as error:
        assert error.hint  # noqa: PT017
