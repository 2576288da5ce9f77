"""A memory to look at, the console over it, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.console.process import Console
from tests.console.reader import Reader, reading
from tests.review.material import make_memory

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("console")
    make_memory(folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A place with the memory `work`, to change."""
    shutil.copytree(made / "memory", tmp_path / "memory")
    return tmp_path


@pytest.fixture
def console(folder: Path) -> Iterator[Console]:
    """The console over it, by Ada."""
    with Console(folder) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine, without a window. Not longer than for these tests, since Playwright keeps an event
    loop running in the thread, in which others could start none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e .[dev]")
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium is installed: apt install chromium")
    with sync_api.sync_playwright() as playwright:
        # A browser's own sandbox refuses to run as root, as machines of CI do.
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def reader(browser: Browser, console: Console, tmp_path: Path) -> Iterator[Reader]:
    """At the Review page, in a wide window."""
    with reading(browser, console, tmp_path / "shots") as one:
        one.open()
        yield one
