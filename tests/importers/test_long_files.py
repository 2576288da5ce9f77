"""Long exports are read a conversation at a time: what is held does not grow with the file."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator

from lean_memory.importers import Input, importer
from lean_memory.importers.elements import Element, Elements
from lean_memory.records import Note
from tests.importers.inputs import EXPORTED, message


def export(conversations: int) -> Iterator[bytes]:
    """A ChatGPT export in pieces."""
    talk = {str(n): message("user", f"I like tea. {'x' * 2000}", n, parent=str(n - 1)) for n in range(50)}
    body = json.dumps({"conversation_id": "c", "mapping": talk, "current_node": "49"}).encode()
    for n in range(conversations):
        data = (b"," if n else b"[") + body
        yield from (data[start : start + 65536] for start in range(0, len(data), 65536))
    yield b"]"


def peak(conversations: int) -> tuple[int, int]:
    """Bytes held at most, and notes read."""
    reader = importer("auto", Input(default=Note(text="", t_ref=EXPORTED)))
    count = 0
    tracemalloc.start()
    try:
        for chunk in export(conversations):
            count += sum(1 for _ in reader.feed(chunk))
        count += sum(1 for _ in reader.close())
        return tracemalloc.get_traced_memory()[1], count
    finally:
        tracemalloc.stop()


def test_the_memory_does_not_grow_with_the_file() -> None:
    few, many = peak(5), peak(100)
    assert (few[1], many[1]) == (250, 5000)
    assert many[0] < 1.5 * few[0]


def test_an_object_is_told_by_its_number_and_place() -> None:
    data = b'[{"a": "]}"}, {"b": {}} ]'
    reader = Elements()
    found = [item for byte in data for item in reader.feed(bytes([byte]))]
    assert found == [Element(1, 1, b'{"a": "]}"}'), Element(2, 14, b'{"b": {}}')]
    assert list(reader.close()) == []
