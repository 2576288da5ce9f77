"""Of very many memories the console shows a page at a time, and any can be chosen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.process import Console

COUNT = 1105


@pytest.fixture(scope="module")
def console(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("many")
    (folder / "memory").mkdir()
    data = (made / "memory" / "work.db").read_bytes()
    for number in range(COUNT):
        name = folder / "memory" / f"m{number:04}.db"
        if number:
            os.link(folder / "memory" / "m0000.db", name)  # one content for all: they are only looked at
        else:
            name.write_bytes(data)
    with Console(folder) as running:
        yield running


@pytest.mark.parametrize(
    ("start", "first", "last"),
    [("", 1, 100), ("0", 1, 100), ("100", 101, 200), ("1100", 1101, 1105), ("99999999", 1101, 1105), ("-5", 1, 100)],
)
def test_a_page_of_them(console: Console, start: str, first: int, last: int) -> None:
    page = console.ask(f"/part/namespaces?from={start}").text
    assert f"{first} to {last} of {COUNT}" in page
    assert page.count('<li class="card">') == last - first + 1
    assert ("before these" in page) is (first > 1)
    assert ("after these" in page) is (last < COUNT)


def test_any_may_be_chosen_and_the_list_to_choose_from_stays_short(console: Console) -> None:
    page = console.ask("/part/review?n=m1104").text
    assert '<option value="m1104" selected>' in page
    assert page.count("<option value=") < 1010
