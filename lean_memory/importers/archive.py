"""The .zip as which exports come: which of its files are read, and in bounded pieces."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, Final

from lean_memory.errors import Malformed

__all__ = ["MAX_UNPACKED", "Member", "is_zip", "members"]

MAX_UNPACKED: Final = 8 << 30
"""Bytes that are unpacked of one archive at most."""

_MAX_RATIO: Final = 200  # text packs to a tenth; what packs to less than this is made to fill a disk
_SMALL: Final = 16 << 20  # what little is harmless, whatever it was packed to
_CHUNK: Final = 1 << 16
_PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FAULTS: Final = (  # what zipfile is seen to raise at damaged files
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, IndexError,
)  # fmt: skip
_WANTED: Final = re.compile(r"conversations(?:-\d+)?\.json|_chat\.txt|WhatsApp[^/]*\.txt", re.IGNORECASE)


class Member:
    """One file of an archive: its name, and what it holds."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self.name = PurePosixPath(info.filename).name
        self._archive = archive
        self._info = info

    def chunks(self) -> Iterator[bytes]:
        """The content. Raises Malformed where it is damaged, or locked by a password."""
        try:
            with self._archive.open(self._info) as stream:
                while chunk := stream.read(_CHUNK):
                    yield chunk
        except _FAULTS as error:
            raise Malformed(
                f"{self.name} in the zip can't be unpacked: {error}",
                code="zip",
                hint="download the export again, or unpack it and give the file itself",
            ) from None


def is_zip(stream: IO[bytes]) -> bool:
    """Whether a file begins like a zip file; it is left at its beginning."""
    if not stream.seekable():
        return False
    magic = stream.read(4)
    stream.seek(0)
    return magic == b"PK\x03\x04"


def members(stream: IO[bytes]) -> list[Member]:
    """The conversations in an export: `conversations.json`, in parts or whole, or a WhatsApp chat.

    Raises:
        Malformed: it is no such archive, or unpacks to more than is sensible.
    """
    try:
        archive = zipfile.ZipFile(stream)
        wanted = [
            info
            for info in archive.infolist()
            if _WANTED.fullmatch(PurePosixPath(info.filename).name) and "__MACOSX" not in info.filename
        ]
    except _FAULTS as error:
        raise Malformed(f"the zip is damaged: {error}", code="zip", hint="download the export again") from None
    if not wanted:
        raise Malformed(
            "the zip holds no conversations.json and no WhatsApp chat",
            code="zip",
            hint="give the export as it was sent, or unpack it and give the file itself",
        )
    for info in wanted:
        if info.compress_type not in _PLAIN:
            raise Malformed(
                f"{info.filename[:60]} is packed in a way that no export is",
                code="zip",
                hint="unpack it and give the file itself",
            )
        if info.file_size > _SMALL and info.file_size > _MAX_RATIO * info.compress_size:
            sizes = f"{info.file_size >> 20} MiB from {info.compress_size >> 10} KiB"
            raise Malformed(
                f"{info.filename[:60]} in the zip unpacks to {sizes}",
                code="zip",
                hint="if that is right, unpack it and give the file itself",
            )
    if sum(info.file_size for info in wanted) > MAX_UNPACKED:
        raise Malformed(
            f"the zip unpacks to more than {MAX_UNPACKED >> 30} GiB",
            code="zip",
            hint="unpack it and give the files themselves",
        )
    return [Member(archive, info) for info in sorted(wanted, key=lambda info: info.filename)]
