"""Without a mouse, in small and large windows, light and dark, and with a long queue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands import run
from tests.console.material import long_queue
from tests.console.process import Console
from tests.console.reader import Reader, reading
from tests.review.material import EVICTION, MERGE, SUMMARY
from tests.review.test_pipes import statuses

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


# -------------------------------------------------------------------------------- keyboard and windows


def test_the_whole_queue_is_decided_by_keys_alone(reader: Reader, folder: Path) -> None:
    first = reader.focused()
    assert first is not None
    assert first.startswith("p-"), "the first proposal has the focus"
    for key in "nb":
        reader.page.keyboard.press(key)
    assert reader.focused() == first
    reader.page.keyboard.press("k")  # Nora visited museum of glass
    reader.until_decided(1)
    reader.page.keyboard.press("p")  # Nora's tea
    reader.until_decided(2)
    assert reader.focused() == f"p-{EVICTION}", "the next one has the focus"
    reader.page.keyboard.press("a")
    reader.until_decided(3)
    reader.page.keyboard.press("n")
    assert reader.focused() == f"p-{SUMMARY}"
    reader.page.keyboard.press("e")
    reader.page.keyboard.press("Control+a")
    reader.page.keyboard.type("user likes to park and knead")  # letters are letters within a field
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    reader.until_decided(4)
    assert reader.focused() == f"p-{MERGE}"
    reader.page.keyboard.press("k")
    reader.until_decided(5)
    found = statuses(folder)
    assert sorted(status for status, _ in found.values()) == ["approved", "edited", "kept", "kept", "promoted"]
    assert "Nothing waits" in reader.page.locator("#waiting").inner_text()


def test_a_capital_letter_asks_before_it_decides_for_the_entity(reader: Reader, folder: Path) -> None:
    reader.page.keyboard.press("Shift+A")
    reader.page.get_by_role("dialog").get_by_text("Approve 2 proposals about Nora?").wait_for()
    reader.page.keyboard.press("Escape")
    assert set(statuses(folder).values()) == {("pending", None)}
    reader.page.keyboard.press("Shift+K")
    reader.page.get_by_role("dialog").get_by_text("about Nora").wait_for()
    reader.page.keyboard.press("Enter")
    reader.until_said("2 of 2 done.")


def test_keys_do_nothing_outside_of_the_queue(reader: Reader, folder: Path) -> None:
    reader.page.get_by_role("button", name="Run maintenance").focus()
    for key in ("a", "k", "p", "Shift+A"):
        reader.page.keyboard.press(key)
    assert set(statuses(folder).values()) == {("pending", None)}
    assert not reader.page.get_by_role("dialog").is_visible()


def test_every_control_is_reached_by_tab_and_shows_its_focus(reader: Reader) -> None:
    reader.page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    reached = []
    for _ in range(60):
        reader.page.keyboard.press("Tab")
        found = reader.page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
            return [e === document.body ? "" : e.innerText || e.id,
                    e === document.body || s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2] }"""
        )
        reached.append(found[0])
        assert found[1], f"{found[0]!r} has no visible focus"
    assert {
        "Skip to the content",
        "Review",
        "Search",
        "Approve",
        "Keep as it is",
        "Edit",
        "Keep at hand",
        "Keep all 3",
    } <= set(reached)


PAGES = {
    "review": "review?n=work&status=any",
    "search": "search?n=work&q=tea",
    "timeline": "timeline?n=work&entity=user",
    "activity": "activity?n=work",
    "namespaces": "namespaces?n=work",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_every_page_fits_its_window_and_is_accessible(
    width: int, scheme: str, browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """No sideways scrolling, and axe finds nothing: labels, names, roles, contrast."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    assert run(f"lm-review decide -n work keep {EVICTION}", folder=folder).rc == 0
    with (
        Console(folder) as console,
        reading(browser, console, tmp_path / "shots", width=width, scheme=scheme) as reader,
    ):
        for name, path in PAGES.items():
            reader.open(path)
            check(reader, axe, f"{name}-{width}-{scheme}")
        reader.page.locator("nav a").first.click()
        card = reader.card(SUMMARY)
        card.get_by_role("button", name="Edit").click()
        check(reader, axe, f"edit-{width}-{scheme}")
        reader.page.get_by_role("button", name="Run maintenance").click()
        reader.page.get_by_role("dialog").wait_for()
        check(reader, axe, f"dialog-{width}-{scheme}")


def check(reader: Reader, axe: Any, name: str) -> None:
    reader.page.wait_for_load_state("networkidle")
    reader.shot(name)
    room = reader.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert room[0] <= room[1], f"{name} scrolls sideways"
    found = axe.run(reader.page).response
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found["violations"]] == [], name
    assert "color-contrast" in {one["id"] for one in found["passes"]}, "contrast was measured"


# ---------------------------------------------------------------------------------------- a long queue


def test_a_queue_of_five_hundred_opens_as_fast_as_it_should(browser: Browser, folder: Path, tmp_path: Path) -> None:
    """Measured beside a queue of ten, since machines differ; `tests/bench/console.py` has the times."""
    long_queue(folder, 500)
    long_queue(folder, 10, namespace="short", entities=2)
    with Console(folder) as console, reading(browser, console, tmp_path / "shots") as reader:
        times = {
            name: min(opening(reader, name, count) for _ in range(3)) for name, count in (("short", 10), ("long", 500))
        }
        assert times["long"] < 20 * times["short"]
        reader.page.keyboard.press("End")
        reader.page.locator(".card").last.scroll_into_view_if_needed()
        reader.shot("long")
        reader.page.locator(".card [data-verdict=keep]").first.click()
        reader.until_decided(1)


def opening(reader: Reader, namespace: str, count: int) -> float:
    """Milliseconds until all of the queue is there and drawn."""
    reader.open(f"namespaces?n={namespace}")
    found: float = reader.page.evaluate(
        """async ([address, count]) => {
            const start = performance.now();
            document.querySelector(`nav a[href^='/review']`).click();
            while (document.querySelectorAll('#queue .card').length < count)
                await new Promise((done) => requestAnimationFrame(done));
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            return performance.now() - start;
        }""",
        [namespace, count],
    )
    return found


def test_a_long_batch_is_carried_out_piece_by_piece_and_summed_up(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    long_queue(folder, 60, entities=1)
    with Console(folder) as console, reading(browser, console, tmp_path / "shots") as reader:
        reader.open("review?n=long")
        run("lm-review list -n long --limit 1 | lm-review decide promote --by Ben", folder=folder)
        reader.page.get_by_role("button", name="Keep all 60").click()
        reader.page.get_by_role("button", name="Yes, do it").click()
        reader.until_said("59 of 60 done.")
        assert reader.page.locator("#waiting").inner_text() == "Nothing waits for a decision."
        assert not reader.page.locator("#expires").is_visible()
    listed = run("lm-review list -n long --status kept", folder=folder).stdout
    assert listed.count(b"\n") == 59
