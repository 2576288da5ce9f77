"""Each fault, done to a memory and met by a command: what is kept, what is said, and that it mends, as on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.make_docs import PAGE, head, made, tail
from tests.faults.scenarios import SCENARIOS, Impossible, Scenario, begin

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    begin(folder)
    return folder


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
def test_what_goes_wrong_is_told_and_mended_as_the_page_says(scenario: Scenario, sound: Path, tmp_path: Path) -> None:
    try:
        _, row = made(scenario, sound, tmp_path / "trial")
    except Impossible as reason:
        pytest.skip(str(reason))
    assert row in PAGE.read_text("utf-8"), "write it anew with: python -m tests.faults.make_docs"


def test_the_page_has_these_rows_and_no_others() -> None:
    page = PAGE.read_text("utf-8")
    assert page.startswith(head())
    assert page.endswith(tail())
    rows = page[len(head()) : -len(tail())].splitlines()
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [scenario.title for scenario in SCENARIOS]
