"""The console in a real browser: every verdict, both in a hurry, without a mouse, small and large, and hostile text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands import run
from tests.console.material import long_queue, said_again, script_in_a_fact
from tests.console.process import Console
from tests.console.reader import Reader, reading
from tests.review.material import EVICTION, MERGE, SUMMARY
from tests.review.test_pipes import statuses

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


@pytest.fixture
def reader(browser: Browser, console: Console, tmp_path: Path) -> Iterator[Reader]:
    """At the Review page, in a wide window."""
    with reading(browser, console, tmp_path / "shots") as one:
        one.open()
        yield one


# ------------------------------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("button", "status"), [("Approve", "approved"), ("Keep as it is", "kept"), ("Keep at hand", "promoted")]
)
@pytest.mark.parametrize("proposal", [EVICTION, MERGE, SUMMARY])
def test_a_button_decides_and_who_did_is_kept(
    button: str, status: str, proposal: str, reader: Reader, folder: Path
) -> None:
    reader.card(proposal).get_by_role("button", name=button, exact=True).click()
    reader.until_said("Done.")
    assert statuses(folder)[proposal] == (status, "Ada")
    card = reader.card(proposal)
    assert "by Ada" in card.inner_text()
    assert card.get_by_role("button").count() == 0
    assert "4 proposals wait" in reader.page.locator("#waiting").inner_text()


def test_a_summary_is_edited_and_then_approved(reader: Reader, folder: Path) -> None:
    card = reader.card(SUMMARY)
    assert "user bought kettle" in card.inner_text(), "the sources stand beside it"
    card.get_by_role("button", name="Edit").click()
    field = card.get_by_label("What the summary says")
    assert field.input_value() == "user bought lamp, kettle, wooden chair, blue rug and bookshelf"
    field.fill("user furnished a room")
    card.get_by_role("button", name="Approve as edited").click()
    reader.until_said("Done.")
    assert statuses(folder)[SUMMARY] == ("edited", "Ada")
    assert b"user furnished a room" in run("lm-search -n work --all --kind fact", folder=folder).stdout


def test_of_near_duplicates_the_other_one_stays(reader: Reader, folder: Path) -> None:
    card = reader.card(MERGE)
    assert card.locator("mark").all_inner_texts() == ["quiet", "slow"], "what differs is marked"
    card.get_by_role("button", name="Edit").click()
    card.get_by_label("user likes long slow walks by the sea").check()
    card.get_by_role("button", name="Approve as edited").click()
    reader.until_said("Done.")
    found = run("lm-search -n work --all --kind fact --predicate likes --subject user", folder=folder).stdout
    assert b"slow" in found
    assert b"quiet" not in found


def test_an_edit_can_be_left(reader: Reader, folder: Path) -> None:
    card = reader.card(SUMMARY)
    card.get_by_role("button", name="Edit").click()
    card.get_by_role("button", name="Cancel").click()
    assert not card.get_by_label("What the summary says").is_visible()
    assert set(statuses(folder).values()) == {("pending", None)}


def test_all_about_an_entity_at_once_but_only_when_confirmed(reader: Reader, folder: Path) -> None:
    section = reader.page.locator(".entity", has_text="Harbour Lights")
    section.get_by_role("button", name="Approve all 3").click()
    dialog = reader.page.get_by_role("dialog")
    assert "Approve 3 proposals about user?" in dialog.inner_text()
    dialog.get_by_role("button", name="No").click()
    assert set(statuses(folder).values()) == {("pending", None)}
    section.get_by_role("button", name="Approve all 3").click()
    dialog.get_by_role("button", name="Yes, do it").click()
    reader.until_said("3 of 3 done.")
    found = statuses(folder)
    assert {found[one] for one in (EVICTION, MERGE, SUMMARY)} == {("approved", "Ada")}
    assert sorted(status for status, _ in found.values()) == ["approved"] * 3 + ["pending"] * 2
    assert not section.get_by_role("button", name="Approve all").is_visible()


# -------------------------------------------------------------------------------- somebody else was there too


def test_what_changed_meanwhile_is_not_done_and_said(reader: Reader, folder: Path) -> None:
    said_again(folder)
    reader.card(EVICTION).get_by_role("button", name="Approve").click()
    reader.until_said("A fact in it has changed since: nothing was done.")
    assert statuses(folder)[EVICTION][0] == "stale"
    assert b"Harbour Lights" in run("lm-search -n work --all --kind fact", folder=folder).stdout


def test_what_was_decided_already_is_left_and_said(reader: Reader, folder: Path) -> None:
    assert run(f"lm-review decide -n work keep {EVICTION} --by Ben", folder=folder).rc == 0
    reader.card(EVICTION).get_by_role("button", name="Approve").click()
    reader.until_said("Somebody decided on this already: kept as it is.")
    assert statuses(folder)[EVICTION] == ("kept", "Ben")
    assert "by Ben" in reader.card(EVICTION).inner_text()


def test_two_that_decide_at_once_decide_once(browser: Browser, folder: Path, tmp_path: Path) -> None:
    """Two consoles, each with its page, press at the same moment; one of them is told that it came late."""
    with (
        Console(folder) as one,
        Console(folder, "--by", "Ben") as other,
        reading(browser, one, tmp_path) as ada,
        reading(browser, other, tmp_path) as ben,
    ):
        ada.open()
        ben.open()
        send = "document.querySelector('#p-{} [data-verdict={}]').click()"
        for proposal in (EVICTION, MERGE, SUMMARY):
            ada.page.evaluate(send.format(proposal, "keep"))
            ben.page.evaluate(send.format(proposal, "promote"))
        for reader in (ada, ben):
            reader.until_decided(3)
        told = [reader.page.locator(".outcome").all_inner_texts() for reader in (ada, ben)]
    for first, second in zip(*told, strict=True):
        assert sorted([first == "Done.", second == "Done."]) == [False, True]
        assert "Somebody decided on this already" in first + second
    decided = {one: found for one, found in statuses(folder).items() if found[0] != "pending"}
    assert set(decided.values()) <= {("kept", "Ada"), ("promoted", "Ben")}
    assert set(decided) == {EVICTION, MERGE, SUMMARY}


# --------------------------------------------------------------------------------------------- maintenance


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


# ----------------------------------------------------------------------------------------------- other pages


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


# ------------------------------------------------------------------------------------------ token and hostility


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


def reading_without_errors(browser: Browser, console: Console, shots: Path) -> Any:
    """A reader of a page whose requests are meant to fail."""
    from contextlib import contextmanager

    @contextmanager
    def page() -> Iterator[Reader]:
        context = browser.new_context()
        yield Reader(context.new_page(), console, shots)
        context.close()

    return page()


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


# ------------------------------------------------------------------------------------- keyboard and windows


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


# ------------------------------------------------------------------------------------------- a long queue


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


# ---------------------------------------------------------------------------------------- another page's tricks


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The address of a page of another origin on this machine, as any site that the person visits is one."""
    import threading
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

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
        """async ([origin, token, proposal]) => {
            const answers = {};
            const headers = { Authorization: `Bearer ${token}` };
            const body = JSON.stringify({ decisions: [{ proposal, verdict: "approve" }] });
            const tries = {
                read: () => fetch(`${origin}/part/review`, { headers }),
                shell: () => fetch(`${origin}/review`),
                decide: () => fetch(`${origin}/part/decide?n=work`, { method: "POST", headers, body }),
                blind: () => fetch(`${origin}/part/decide?n=work`, { method: "POST", mode: "no-cors", body }),
                add: () => fetch(`${origin}/v1/work/memories`, { method: "POST", mode: "no-cors", body: "{}" }),
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
        [console.origin, console.token, EVICTION],
    )
    assert tried == dict.fromkeys(("read", "shell", "decide", "blind", "add", "script"), "refused")
    framed = page.frames[-1]
    assert framed.url.startswith("chrome-error:") or "lean-memory" not in framed.content()
    context.close()
    assert set(statuses(folder).values()) == {("pending", None)}
    assert json.loads(run("lm-review status -n work", folder=folder).stdout)["episodes"] == 13


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
