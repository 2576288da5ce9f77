"""What is made to fill a memory or a disk is refused or read piece by piece, and said so; docs/importing.md has the
limits."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.commands import environment, measured, run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system tells no process's most memory")

ENOUGH = 400 << 20
"""Bytes that a process may take, of which Python with what it has loaded takes a quarter."""

TALK = {
    "title": "t", "create_time": 1.7e9, "current_node": "a",
    "mapping": {"a": {"id": "a", "parent": None, "message": {
        "author": {"role": "user"}, "create_time": 1.7e9, "content": {"parts": ["I have a cat called Pixel."]}}}},
}  # fmt: skip


def packed(path: Path, *files: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return path


def taken(line: str, folder: Path) -> tuple[int, bytes, int]:
    """The exit code, what was told on stderr, and the most bytes that the process had."""
    most = folder / "most"
    done = subprocess.run(
        measured(["bash", "-c", f"exec {line}"], most), cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr, int(most.read_text("ascii"))


@pytest.mark.parametrize("name", ["conversations.json", "_chat.txt"])
def test_a_zip_that_unpacks_to_a_thousand_times_its_size(name: str, tmp_path: Path) -> None:
    bomb = packed(tmp_path / "export.zip", (name, bytes(100 << 20)))
    assert bomb.stat().st_size < 200_000
    code, told, size = taken("lm-extract export.zip", tmp_path)
    assert code == 3
    assert b"unpacks to 100 MiB from" in told
    assert b"unpack it and give the file itself" in told
    assert size < ENOUGH


@pytest.mark.slow
def test_a_zip_within_a_zip_is_not_opened(tmp_path: Path) -> None:
    inner = packed(tmp_path / "inner.zip", ("conversations.json", bytes(100 << 20))).read_bytes()
    packed(tmp_path / "export.zip", ("conversations.json", inner), ("more.zip", inner))
    code, told, size = taken("lm-extract --from chatgpt export.zip", tmp_path)
    assert code == 3
    assert b'"code":' in told
    assert size < ENOUGH


def test_a_size_that_is_a_lie_is_found_out(tmp_path: Path) -> None:
    """The directory says that little comes of it; no more than that is unpacked."""
    data = bytearray(packed(tmp_path / "a.zip", ("conversations.json", bytes(100 << 20))).read_bytes())
    for magic, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(magic) + place, 1000)
    (tmp_path / "export.zip").write_bytes(data)
    code, told, size = taken("lm-extract --from chatgpt export.zip", tmp_path)
    assert code == 3
    assert b'"hint":"' in told
    assert size < ENOUGH


@pytest.mark.parametrize(
    ("format", "opening"),
    [("auto", b"["), ("auto", b'[{"a":'), ("chatgpt", b'{"mapping":'), ("chatgpt", b"["), ("lines", b'{"text":[')],
)
@pytest.mark.slow
def test_json_that_nests_thousands_deep(format: str, opening: bytes, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_bytes(b'[{"title":' + opening * 20_000)
    code, told, size = taken(f"lm-extract --from {format} deep.json", tmp_path)
    assert code in (0, 3)
    assert b"Traceback" not in told
    assert size < ENOUGH
    packed(tmp_path / "deep.zip", ("conversations.json", b'[{"mapping":' + opening * 20_000))
    ended = run("lm-extract --from chatgpt deep.zip", folder=tmp_path)
    assert ended.rc == 3
    assert b"Traceback" not in ended.stderr


@pytest.mark.slow
def test_one_object_that_never_ends(tmp_path: Path) -> None:
    """66 MiB of one conversation, where 64 are taken: the rest of the file is read."""
    noise = random.Random(1).randbytes(1 << 20).hex().encode()
    with (tmp_path / "export.json").open("wb") as file:
        file.write(b'[{"title":"')
        for _ in range(33):
            file.write(noise)
        file.write(b'"},' + json.dumps(TALK).encode() + b"]")
    code, told, size = taken("lm-extract --from chatgpt export.json", tmp_path)
    assert code == 3
    assert b"64 MiB" in told or b"too_long" in told
    assert size < ENOUGH


@pytest.mark.slow
def test_a_long_export_streams(tmp_path: Path) -> None:
    """60 MiB of small conversations in a zip, a few at a time."""
    body = json.dumps({**TALK, "padding": random.Random(2).randbytes(100_000).hex()})
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive, archive.open("conversations.json", "w") as file:
        for n in range(300):
            file.write((b"," if n else b"[") + body.encode())
        file.write(b"]")
    code, told, size = taken("lm-extract export.zip", tmp_path)
    assert (code, told) == (0, b"")
    assert size < ENOUGH


def test_what_is_refused_costs_nothing_else(tmp_path: Path) -> None:
    packed(tmp_path / "bomb.zip", ("conversations.json", bytes(100 << 20)))
    packed(tmp_path / "good.zip", ("conversations.json", json.dumps([TALK]).encode()))
    ended = run("lm-extract bomb.zip good.zip", folder=tmp_path)
    assert ended.rc == 3
    assert b"Pixel" in ended.stdout
