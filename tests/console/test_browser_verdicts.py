"""Deciding in a real browser: every verdict, edits, whole entities, and what somebody else did meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import run
from tests.console.material import said_again
from tests.console.process import Console
from tests.console.reader import Reader, reading
from tests.review.material import EVICTION, MERGE, SUMMARY
from tests.review.test_pipes import statuses

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


# -------------------------------------------------------------------------------------------- verdicts


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


# ------------------------------------------------------------------------- somebody else was there too


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
