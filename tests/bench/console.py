"""How long the console takes with a long queue, in a real browser: `python tests/bench/console.py [COUNT ...]`.

Opening: from the press on Review to the frame in which all cards are there. Scrolling: the share of frames that took
longer than two of 60 Hz, over a scroll through the whole page. Deciding: from the key to the card as decided.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.console.material import long_queue
from tests.console.process import Console

OPEN = """async (count) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const start = performance.now();
    document.querySelector("nav a[href^='/review']").click();
    while (document.querySelectorAll("#queue .card").length < count) await frame();
    await frame();
    await frame();
    return performance.now() - start;
}"""
SCROLL = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    let before = await frame();
    for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
        scrollTo(0, y);
        const now = await frame();
        times.push(now - before);
        before = now;
    }
    return [times.length, times.filter((t) => t > 34).length, Math.max(...times)];
}"""
DECIDE = """async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const before = document.querySelectorAll(".card.decided").length;
    const start = performance.now();
    document.querySelector("[data-verdict=keep]").click();
    while (document.querySelectorAll(".card.decided").length === before) await frame();
    return performance.now() - start;
}"""


def measure(page: Page, console: Console, count: int) -> None:
    """One line of the table."""
    times = []
    for _ in range(5):
        page.goto(f"{console.origin}/namespaces?n=q{count}#token={console.token}")
        page.wait_for_selector("header.top")
        times.append(page.evaluate(OPEN, count))
    frames, slow, worst = page.evaluate(SCROLL)
    decided = min(page.evaluate(DECIDE) for _ in range(3))
    size = len(console.ask(f"/part/review?n=q{count}").body)
    print(
        f"{count:>6} proposals ({size / 1000:.0f} kB): opened in {min(times):.0f} ms (worst {max(times):.0f}),"
        f" {slow} of {frames} frames slow (worst {worst:.0f} ms), decided in {decided:.0f} ms"
    )


def main() -> None:
    counts = [int(one) for one in sys.argv[1:]] or [10, 100, 500, 2000]
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        sys.exit("no Chromium is installed: apt install chromium")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in counts:
            long_queue(folder, count, namespace=f"q{count}", entities=max(2, count // 25))
        with Console(folder) as console, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": 1440, "height": 900})
            for count in counts:
                measure(page, console, count)
            chromium.close()


if __name__ == "__main__":
    main()
