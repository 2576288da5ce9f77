"""A person at a browser: opens the printed address, sees cards, presses keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.console.process import Console

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["Reader", "reading"]


class Reader:
    """One page; `shots` is where its screenshots go."""

    def __init__(self, page: Page, console: Console, shots: Path) -> None:
        self.page = page
        self.console = console
        self._shots = shots

    def open(self, path: str = "review?n=work") -> None:
        """The printed address, with another page in it, as one opens a bookmark in a tab that knows the token."""
        self.page.goto(f"{self.console.origin}/{path}#token={self.console.token}")
        self.page.wait_for_selector("header.top")

    def card(self, proposal: str) -> Locator:
        return self.page.locator(f"#p-{proposal}")

    def said(self) -> str:
        """What a screen reader was told last."""
        return self.page.locator("#said").inner_text()

    def until_said(self, words: str) -> None:
        self.page.locator("#said", has_text=words).wait_for(state="attached")

    def until_decided(self, count: int) -> None:
        """So many proposals are decided."""
        self.page.locator(".card.decided").nth(count - 1).wait_for(state="attached")

    def focused(self) -> str | None:
        """The id of the element in focus."""
        found: str | None = self.page.evaluate("document.activeElement && document.activeElement.id")
        return found

    def shot(self, name: str) -> None:
        """A screenshot of the window."""
        self._shots.mkdir(exist_ok=True)
        self.page.screenshot(path=self._shots / f"{name}.png")


@contextmanager
def reading(
    browser: Browser,
    console: Console,
    shots: Path,
    *,
    width: int = 1440,
    scheme: str = "light",
    language: str = "en-GB",
) -> Iterator[Reader]:
    """A reader whose browser reports no error of a script, breach of the policy, or request to elsewhere."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        locale=language,  # type: ignore[arg-type]
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on(
        "console", lambda message: wrong.append(message.text) if "Content Security Policy" in message.text else None
    )
    page.on("request", lambda one: None if one.url.startswith(console.origin) else wrong.append(f"asked {one.url}"))
    try:
        yield Reader(page, console, shots)
        assert wrong == []
    finally:
        context.close()
