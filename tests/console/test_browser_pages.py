"""The other pages in a real browser: maintenance, search, timeline, activity, memories, languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import run
from tests.console.process import Console
from tests.console.reader import Reader, reading

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


# ----------------------------------------------------------------------------------------- maintenance


def test_maintenance_is_dry_until_it_is_confirmed(browser: Browser, folder: Path, tmp_path: Path) -> None:
    line = {"type": "episode", "text": "rain", "t_ref": "2020-01-01T00:00:00Z", "facts": [
        {"subject": "user", "predicate": "likes", "object": "drizzle", "text": "user likes drizzle", "quote": "rain",
         "span": [0, 4], "salience": 1}]}  # fmt: skip
    assert run("lm-store -n work >/dev/null", folder=folder, stdin=json.dumps(line).encode()).rc == 0

    def cold() -> int:
        return int(json.loads(run("lm-review status -n work", folder=folder).stdout)["cold"])

    with Console(folder) as console, reading(browser, console, tmp_path / "shots") as reader:
        reader.open()
        reader.page.get_by_role("button", name="Run maintenance").click()
        dialog = reader.page.get_by_role("dialog")
        dialog.get_by_text("1 facts to put away").wait_for()
        assert "user likes drizzle" in dialog.inner_text()
        assert cold() == 1, "nothing is written yet"
        reader.shot("maintenance")
        dialog.get_by_role("button", name="Apply").click()
        dialog.get_by_text("Done. What it proposed waits here.").wait_for()
        assert cold() == 2
        dialog.get_by_role("button", name="Close").click()
        assert not dialog.is_visible()


def test_a_cold_fact_is_promoted_from_its_source(reader: Reader, folder: Path) -> None:
    reader.open("timeline?n=work&entity=user")
    reader.page.get_by_role("button", name="rain since").click()
    dialog = reader.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Keep at hand").click()
    reader.until_said("It is kept at hand from now on.")
    assert json.loads(run("lm-review status -n work", folder=folder).stdout)["cold"] == 0


# ----------------------------------------------------------------------------------------- other pages


def test_a_search_shows_its_parts_and_goes_back_in_time(browser: Browser, folder: Path, tmp_path: Path) -> None:
    texts = (("I work at Larkfield Books.", "2024-03-01"), ("I work at Harbour Press now.", "2026-03-01"))
    for text, day in texts:
        assert run(f'echo "{text}" | lm-extract --at {day} | lm-store -n jobs', folder=folder).rc == 0
    with Console(folder, "-n", "jobs") as console, reading(browser, console, tmp_path / "shots") as reader:
        reader.open("search?n=jobs")
        reader.page.get_by_role("searchbox").fill("where do I work?")
        reader.page.keyboard.press("Enter")
        first = reader.page.locator(".hit").first
        first.get_by_text("user works at Harbour Press").wait_for()
        assert [one.inner_text() for one in first.locator("dt").all()] == [
            "score",
            "relevance",
            "recency",
            "importance",
        ]
        assert all(0 <= float(one) <= 1 for one in first.locator("dd span").all_inner_texts())
        reader.shot("search")
        slider = reader.page.get_by_role("slider")
        slider.focus()
        for _ in range(3):
            reader.page.keyboard.press("PageDown")
            reader.page.wait_for_load_state("networkidle")
        reader.page.locator(".hit", has_text="user works at Larkfield Books").first.wait_for()
        reader.page.locator(".hit", has_text="user works at Harbour Press").first.wait_for(state="detached")
        assert reader.focused() == "day", "the slider keeps the focus"
        assert "day=" in reader.page.url
        reader.page.go_back()
        reader.page.go_forward()
        reader.page.locator(".hit", has_text="Larkfield").first.wait_for()


def test_a_timeline_shows_what_gave_way_to_what_and_the_words_behind_it(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    for text, day in (("I work at Larkfield Books.", "2024-03-01"), ("I work at Harbour Press now.", "2026-03-01")):
        assert run(f'echo "{text}" | lm-extract --at {day} | lm-store -n jobs', folder=folder).rc == 0
    with Console(folder) as console, reading(browser, console, tmp_path / "shots") as reader:
        reader.open("timeline?n=jobs&entity=user")
        old = reader.page.get_by_role("button", name="Larkfield Books")
        assert "2024-03-01 to 2026-03-01 · superseded by Harbour Press" in old.inner_text()
        bars = [bar.bounding_box() for bar in reader.page.locator("rect.bar").all()]
        assert len(bars) == 2
        assert bars[0] is not None
        assert bars[1] is not None
        assert abs(bars[0]["x"] + bars[0]["width"] - bars[1]["x"]) < 2, "one ends where the other begins"
        assert reader.page.locator("line.link").count() == 1
        reader.shot("timeline")
        reader.page.locator("rect.bar").first.click()
        dialog = reader.page.get_by_role("dialog")
        assert dialog.locator("mark").inner_text() == "I work at Larkfield Books"
        assert "superseded by user works at Harbour Press" in dialog.inner_text()
        reader.page.keyboard.press("Escape")
        assert not dialog.is_visible()


def test_activity_is_live(reader: Reader, folder: Path) -> None:
    reader.open("activity?n=work")
    line = 'echo "I adopted a cat called Pixel." | lm-extract --at 2026-03-10 | lm-store -n work'
    assert run(line, folder=folder).rc == 0
    reader.page.locator("#log", has_text="Pixel").wait_for(timeout=15_000)


def test_memories_are_described(reader: Reader) -> None:
    reader.open("namespaces?n=work")
    seen = reader.page.locator(".memories .card").inner_text()
    assert "stub (64 dimensions)" in seen
    assert "13" in seen
    assert "2026-03-10 12:00:00 · manual · done" in seen


def test_the_language_can_be_changed_and_stays(reader: Reader) -> None:
    reader.page.get_by_label("Language").select_option("zh")
    reader.page.get_by_role("heading", name="审阅").wait_for()
    assert reader.page.evaluate("document.documentElement.lang") == "zh"
    reader.page.reload()
    reader.page.get_by_role("heading", name="审阅").wait_for()
    reader.shot("chinese")


def test_a_page_that_was_left_asks_no_more(reader: Reader) -> None:
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    reader.open("activity?n=work")
    reader.page.wait_for_timeout(2500)
    assert sum("/part/activity" in url for url in asked) >= 2
    reader.page.get_by_role("link", name="Memories").click()
    reader.page.locator(".memories").wait_for()
    asked.clear()
    reader.page.wait_for_timeout(3000)
    assert asked == []
