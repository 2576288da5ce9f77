"""lm-review on a terminal: one key a verdict, nothing written before it is said."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.commands import run
from tests.review.material import EVICTION, MERGE, SUMMARY
from tests.review.terminal import Terminal
from tests.review.test_pipes import statuses

pytestmark = pytest.mark.slow

KEYS = "? help\n"
"""The end of what is shown before a key is read."""


def session(folder: Path) -> Terminal:
    return Terminal(["lm-review", "-n", "work", "--by", "Ada"], folder)


def test_one_key_a_verdict_and_w_writes_them(folder: Path) -> None:
    with session(folder) as terminal:
        seen = terminal.until(KEYS)
        assert "work: Nora · 1 of 5" in seen
        assert "goes   Nora visited museum of glass" in seen
        for key, verdict in (("k", "keep"), ("a", "approve"), ("p", "promote"), ("a", "approve")):
            terminal.press(key)
            assert f"-> {verdict}" in terminal.until(KEYS)
        assert set(statuses(folder).values()) == {("pending", None)}, "nothing is written yet"
        terminal.press("k")
        assert "5 decided, not written" in terminal.until("q quit\n")
        terminal.press("w")
        rc, rest = terminal.end()
    assert rc == 0
    assert rest.count("applied: ") == 5
    found = statuses(folder)
    assert found[EVICTION] == ("promoted", "Ada")
    assert found[MERGE] == ("approved", "Ada")
    assert found[SUMMARY] == ("kept", "Ada")


def test_a_capital_letter_decides_for_the_whole_entity_and_u_takes_it_back(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        terminal.press("K")
        assert "-> keep: 2 about Nora" in terminal.until(KEYS)
        terminal.press("A")
        assert "-> approve: 3 about user" in terminal.until("q quit\n")
        terminal.press("u")
        seen = terminal.until(KEYS)
        assert "-> 3 undone" in seen
        assert "work: user · 3 of 5 · 2 decided, not written" in seen
        terminal.press("q")
        terminal.until("Write 2 decisions (y/n)? ")
        terminal.press("y")
        assert terminal.end()[0] == 0
    assert sorted(status for status, _ in statuses(folder).values()) == [
        "kept",
        "kept",
        "pending",
        "pending",
        "pending",
    ]


def test_quitting_without_writing_decides_nothing(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        terminal.press("Aq")
        terminal.until("(y/n)? ")
        terminal.press("n")
        assert terminal.end() == (0, "n\n-> nothing written\n")
    assert set(statuses(folder).values()) == {("pending", None)}


def test_ctrl_c_decides_nothing(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        terminal.press("A")
        terminal.until(KEYS)
        terminal.press("\x03")
        rc, rest = terminal.end()
    assert rc == 130
    assert "Traceback" not in rest
    assert set(statuses(folder).values()) == {("pending", None)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_however_it_ends_the_terminal_is_as_it_was(number: signal.Signals, folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        assert not terminal.echoes()
        terminal.process.send_signal(number)
        rc, rest = terminal.end()
        assert terminal.echoes()
    assert rc == 128 + number
    assert "Traceback" not in rest
    assert set(statuses(folder).values()) == {("pending", None)}


def test_a_summary_is_approved_in_other_words(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        terminal.press("nnnn")
        terminal.until("5 of 5")
        terminal.until(KEYS)
        terminal.press("e")
        terminal.until("(empty: no change): ")
        terminal.press("user furnished a room\n")
        terminal.until("-> edit")
        terminal.press("w")
        terminal.until("applied: done as edited")
    assert statuses(folder)[SUMMARY] == ("edited", "Ada")
    found = run("lm-search -n work --all --kind fact --predicate bought", folder=folder).stdout
    assert b'"text":"user furnished a room"' in found


def test_of_near_duplicates_another_one_stays(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        terminal.press("nnn")
        terminal.until("4 of 5")
        terminal.until(KEYS)
        terminal.press("e")
        assert "2 user likes long slow walks by the sea" in terminal.until("(empty: no change)? ")
        terminal.press("2\n")
        terminal.until("-> edit")
        terminal.press("w")
        terminal.until("applied: done as edited")
    found = run("lm-search -n work --all --kind fact --predicate likes --subject user", folder=folder).stdout
    assert found.count(b"walks by the sea") == 3 * found.count(b"\n")
    assert b"slow" in found
    assert b"quiet" not in found


def test_what_somebody_else_decided_meanwhile_is_told_and_left_alone(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        assert run("lm-review decide -n work keep --entity Nora --by Ben", folder=folder).rc == 0
        terminal.press("A")
        terminal.until(KEYS)
        terminal.press("w")
        terminal.until("already decided: it was kept by Ben already")
        terminal.press("q")
        assert terminal.end()[0] == 3
    assert sorted(who or "" for _, who in statuses(folder).values()) == ["", "", "", "Ben", "Ben"]


def test_a_session_that_is_left_open_holds_no_file(folder: Path) -> None:
    with session(folder) as terminal:
        terminal.until(KEYS)
        terminal.press("kw")
        terminal.until("applied: ")
        terminal.until(KEYS)
        assert run("lm-maintain clear -n work --yes", folder=folder).rc == 0
        terminal.press("aw")
        rc, rest = terminal.end()
    assert rc == 5
    assert "there is no namespace 'work'" in rest
    assert "Traceback" not in rest


def test_an_empty_queue_says_so(folder: Path) -> None:
    assert run("lm-review list | lm-review decide keep", folder=folder).rc == 0
    with session(folder) as terminal:
        assert terminal.end() == (0, "Nothing waits for a decision.\n")
