"""A real browser among hostile things: text that is markup, pages of others, a token that must not stay."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import run
from tests.console.material import script_in_a_fact
from tests.console.process import REST, Console
from tests.console.reader import Reader, reading
from tests.review.material import EVICTION
from tests.review.test_pipes import statuses

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


# --------------------------------------------------------------------------------- token and hostility


def test_the_token_leaves_the_address_and_a_new_tab_needs_it(
    browser: Browser, console: Console, tmp_path: Path
) -> None:
    with reading(browser, console, tmp_path) as reader:
        reader.page.goto(console.url)
        reader.page.wait_for_selector("#queue")
        assert "token" not in reader.page.url
        reader.page.reload()
        reader.page.wait_for_selector("#queue")
        assert console.token not in reader.page.content()
        assert reader.page.context.cookies() == []
        other = reader.page.context.new_page()
        other.goto(f"{console.origin}/review?n=work")
        other.get_by_text("Open the address that lm-review serve printed").wait_for()
        assert other.locator(".card").count() == 0


def test_when_the_command_has_ended_the_page_says_so(browser: Browser, folder: Path, tmp_path: Path) -> None:
    with Console(folder) as console, reading_without_errors(browser, console, tmp_path) as reader:
        reader.open()
        console.interrupt()
        reader.card(EVICTION).get_by_role("button", name="Approve").click()
        reader.page.get_by_role("alert").filter(has_text="lm-review serve has ended").wait_for()
    assert set(statuses(folder).values()) == {("pending", None)}


@contextmanager
def reading_without_errors(browser: Browser, console: Console, shots: Path) -> Iterator[Reader]:
    """A reader of a page whose requests are meant to fail."""
    context = browser.new_context()
    yield Reader(context.new_page(), console, shots)
    context.close()


@pytest.mark.parametrize(
    "page", ["review", "review?status=any", "search?q=script", "timeline", "activity", "namespaces"]
)
def test_a_script_in_a_fact_is_text(page: str, browser: Browser, folder: Path, tmp_path: Path) -> None:
    script_in_a_fact(folder)
    with Console(folder) as console, reading(browser, console, tmp_path / "shots") as reader:
        reader.open(f"{page}{'&' if '?' in page else '?'}n=evil")
        if page == "timeline":
            reader.page.locator(".names a").first.click()
            reader.page.locator(".fact").first.click()
            reader.page.get_by_role("dialog").get_by_text("<script>").first.wait_for()
        if page != "namespaces":
            assert "<script>document.title='owned'</script>" in reader.page.locator("#app").inner_text()
        assert reader.page.title() != "owned"
        assert reader.page.locator("#app img, #app script").count() == 0
        if page == "review":
            reader.page.locator(".card [data-verdict=keep]").first.click()
            reader.until_said("Done.")
            assert reader.page.title() != "owned"


# ------------------------------------------------------------------------------- another page's tricks


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The address of a page of another origin on this machine, as any site that the person visits is one."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    place = tmp_path / "elsewhere"
    place.mkdir()
    (place / "index.html").write_text("<!doctype html><title>elsewhere</title><p>Win a prize</p>")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(place)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_another_page_reads_and_changes_nothing_though_it_knew_the_token(
    elsewhere: str, browser: Browser, console: Console, folder: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(elsewhere)
    tried = page.evaluate(
        """async ([origin, token, proposal, rest]) => {
            const answers = {};
            const headers = { Authorization: `Bearer ${token}` };
            const body = JSON.stringify({ decisions: [{ proposal, verdict: "approve" }] });
            const tries = {
                read: () => fetch(`${origin}/part/review`, { headers }),
                shell: () => fetch(`${origin}/review`),
                decide: () => fetch(`${origin}/part/decide?n=work`, { method: "POST", headers, body }),
                blind: () => fetch(`${origin}/part/decide?n=work`, { method: "POST", mode: "no-cors", body }),
                add: () => fetch(`${origin}${rest}/memories`, { method: "POST", mode: "no-cors", body: "{}" }),
            };
            for (const [name, act] of Object.entries(tries)) {
                try {
                    const answer = await act();
                    answers[name] = [answer.type, answer.status, (await answer.text()).length];
                } catch (error) {
                    answers[name] = "refused";
                }
            }
            const script = document.createElement("script");
            script.src = `${origin}/static/console.js`;
            answers.script = await new Promise((done) => {
                script.onload = () => done("ran");
                script.onerror = () => done("refused");
                document.head.append(script);
            });
            const frame = document.createElement("iframe");
            frame.src = `${origin}/review#token=${token}`;
            await new Promise((done) => { frame.onload = done; document.body.append(frame); });
            return answers;
        }""",
        [console.origin, console.token, EVICTION, REST],
    )
    assert tried == dict.fromkeys(("read", "shell", "decide", "blind", "add", "script"), "refused")
    framed = page.frames[-1]
    assert framed.url.startswith("chrome-error:") or "lean-memory" not in framed.content()
    context.close()
    assert set(statuses(folder).values()) == {("pending", None)}
    assert json.loads(run("lm-review status -n work", folder=folder).stdout)["episodes"] == 13
