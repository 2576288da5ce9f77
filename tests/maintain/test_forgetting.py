"""Forgetting, backups and removal, as who asks for them sees it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_memory.claims import View
from lean_memory.errors import StoreBusy, StoreUnavailable, UsageError
from lean_memory.memory import Memory
from lean_memory.upkeep import Decision
from tests.maintain.material import at, said, shown

NOTES = [
    "I live in Leeds and I work at Larkfield Books.",
    "My sister Nora works at the zoo.",
    "I moved to Harbourtown.",
    "My phone number is 020 7946 0018. I like jazz.",
    "Nora called, she is well.",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with at(tmp_path, 10) as memory:
        for day, text in enumerate(NOTES):
            memory.add("ns", text, t_ref=memory.now() - (9 - day) * 86_400_000)
    return tmp_path


def fact(memory: Memory, words: str) -> str:
    return next(change.fact for change in memory.history("ns") if change.told and words in change.told.text)


def file(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in root.iterdir() if path.name != "ns.db-shm")


def test_a_forgotten_fact_is_in_no_table_no_index_and_no_byte(root: Path) -> None:
    assert b"Harbourtown" in file(root)
    with at(root, 10) as memory:
        erasure = memory.forget("ns", fact=fact(memory, "Harbourtown"))
        assert (erasure.redacted, erasure.remains) == (1, 0)
        assert erasure.scanned > 0
        assert memory.check("ns") == []
        assert b"arbourtown" not in file(root).lower()
        assert not any("Harbourtown" in str(row) for row in memory.dump("ns"))
        assert "█ █████ ██ ███████████." in [episode.text for episode in memory.episodes("ns")]
        assert "user lives in Leeds" in shown(memory, 10)  # what superseded it is forgotten


def test_the_rest_of_an_episode_keeps_its_facts_and_their_words(root: Path) -> None:
    with at(root, 10) as memory:
        memory.forget("ns", fact=fact(memory, "Leeds"))
        [text] = [episode.text for episode in memory.episodes("ns") if "Larkfield" in episode.text]
        assert text == "█ ████ ██ █████ and I work at Larkfield Books."
        [claim] = memory.evidence("ns", fact(memory, "Larkfield"))
        begin, end = claim.fact.span
        assert claim.text[begin:end] == claim.fact.quote


def test_a_text_is_forgotten_wherever_it_stands_in_either_case(root: Path) -> None:
    with at(root, 10) as memory:
        erasure = memory.forget("ns", text="NORA")
        assert (erasure.facts, erasure.redacted, erasure.remains) == (2, 2, 0)
        assert b"nora" not in file(root).lower()
        assert memory.check("ns") == []
        assert "My sister ████ works at the zoo." in [episode.text for episode in memory.episodes("ns")]


def test_an_episode_goes_with_what_only_it_says(root: Path) -> None:
    with at(root, 10) as memory:
        memory.add("ns", "I like jazz.", t_ref=memory.now())
        [phone] = [episode.id for episode in memory.episodes("ns") if "phone" in episode.text]
        erasure = memory.forget("ns", episode=phone)
        assert (erasure.facts, erasure.episodes, erasure.remains) == (1, 1, 0)
        assert "user likes jazz" in shown(memory, 11)
        assert b"7946" not in file(root)
        assert memory.check("ns") == []


def test_who_said_it_can_be_forgotten(tmp_path: Path) -> None:
    with at(tmp_path, 10) as memory:
        memory.add("ns", "I live in Leeds.", speaker="Imogen", meta={"from": "imogen@example.org"})
        memory.add("ns", "I live in York.", meta={"of": ['"Imogen"']})
        memory.add("ns", "I live in Bath.", speaker="Ada")
        assert memory.forget("ns", text="imogen").episodes == 2
        assert b"mogen" not in file(tmp_path)
        assert [episode.speaker for episode in memory.episodes("ns")] == ["Ada"]


def test_summaries_duplicates_and_proposals_made_from_it_go_too(tmp_path: Path) -> None:
    things = ["a lamp", "a rug", "a bowl", "a desk", "a quincunx", "a clock"]
    with at(tmp_path, 3) as memory:
        memory.store("ns", [said(1 + n / 10, "user", "bought", thing, salience=3) for n, thing in enumerate(things)])
        memory.store("ns", [said(2, "user", "visited", "Quincunx Hall", salience=2.5)])
    with at(tmp_path, 700) as memory:
        memory.maintain("ns", apply=True)
        [summary] = memory.proposals("ns", kind="summary")
        memory.decide("ns", [Decision(proposal=summary.id, verdict="approve")], by="somebody")
        erasure = memory.forget("ns", text="quincunx")
        assert (erasure.facts, erasure.summaries, erasure.proposals, erasure.remains) == (2, 1, 2, 0)
        assert b"quincunx" not in file(tmp_path).lower()
        assert memory.check("ns") == []
        left = [text for text in shown(memory, 700) if "bought" in text]
        assert sorted(left) == sorted(f"user bought {thing}" for thing in things if thing != "a quincunx")


def test_who_decided_and_what_they_wrote_can_be_forgotten(tmp_path: Path) -> None:
    with at(tmp_path, 3) as memory:
        for n, thing in enumerate(["a lamp", "a rug", "a bowl", "a desk", "a bed"]):
            memory.store("ns", [said(1 + n / 10, "user", "bought", thing, salience=3)])
        memory.store("ns", [said(2, "user", "visited", "Oslo", salience=2.5)])
    with at(tmp_path, 700) as memory:
        memory.maintain("ns", apply=True)
        [summary] = memory.proposals("ns", kind="summary")
        [trip] = memory.proposals("ns", kind="eviction")
        edit = Decision(proposal=summary.id, verdict="edit", edits={"text": 'Imogen\'s "flat"'})
        memory.decide("ns", [edit, Decision(proposal=trip.id, verdict="keep")], by="Imogen B.")
        erasure = memory.forget("ns", text="imogen")
        assert (erasure.summaries, erasure.proposals, erasure.remains) == (1, 2, 0)
        assert b"mogen" not in file(tmp_path)
        assert memory.check("ns") == []
        assert len([text for text in shown(memory, 700) if "bought" in text]) == 5


def test_a_retired_duplicate_does_not_come_back_in_its_place(tmp_path: Path) -> None:
    with at(tmp_path, 3) as memory:
        memory.store("ns", [said(1, "user", "likes", "zithers"), said(2, "user", "enjoys", "zithers")], embed=False)
        memory.maintain("ns", apply=True)
        survivor = next(hit.id for hit in memory.visible("ns", View(now=memory.now(), kind="fact")))
        assert memory.forget("ns", fact=survivor).facts == 2
        assert shown(memory, 3, include_cold=True) == []
        assert b"zithers" not in file(tmp_path)


def test_sending_it_again_tells_it_anew_and_does_not_find_what_was_forgotten(root: Path) -> None:
    with at(root, 10) as memory:
        memory.forget("ns", text="Leeds")
        again = memory.add("ns", NOTES[0], t_ref=memory.now() - 9 * 86_400_000)
        assert again.status == "stored"


@pytest.mark.parametrize("what", [{}, {"fact": "a", "text": "b"}, {"fact": "0" * 32}, {"episode": "0" * 32}])
def test_what_is_not_one_thing_that_is_there(root: Path, what: dict[str, str]) -> None:
    with at(root, 10) as memory, pytest.raises(UsageError):
        memory.forget("ns", **what)


def test_letters_that_stand_nowhere_erase_nothing(root: Path) -> None:
    with at(root, 10) as memory:
        before = list(memory.dump("ns"))
        erasure = memory.forget("ns", text="zebra")
        assert (erasure.facts, erasure.episodes, erasure.redacted) == (0, 0, 0)
        assert list(memory.dump("ns")) == before


def test_another_process_that_reads_is_named(root: Path) -> None:
    with at(root, 10) as memory, at(root, 10) as other:
        reading = other.export("ns")
        next(reading)  # a snapshot is open
        memory._open("ns", write=True)._db.pragma("busy_timeout = 10")  # type: ignore[attr-defined]
        with pytest.raises(StoreBusy):
            memory.forget("ns", text="Leeds")
        reading.close()  # type: ignore[attr-defined]
        memory.forget("ns", text="Leeds")
        assert b"Leeds" not in file(root)


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="abcé☃ \n\"'\\%_{}", min_size=4, max_size=12).filter(lambda text: text.strip()))
def test_any_text_can_be_forgotten(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.mktemp("any")
    with at(root, 10) as memory:
        memory.store("ns", [said(1, "user", "likes", f"x{text}y"), said(2, text, "likes", "tea")])
        assert memory.forget("ns", text=text).remains == 0
        assert memory.check("ns") == []
        assert not any(text in str(row.get("text")) for row in memory.dump("ns"))


# ------------------------------------------------------------------------------------------------ backup and clear


def test_a_backup_is_whole_private_and_answers_the_same(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    copies = tmp_path_factory.mktemp("copies")
    with at(root, 10) as memory:
        done = memory.backup("ns", copies / "ns.db")
        assert (done.episodes, done.bytes) == (5, (copies / "ns.db").stat().st_size)
        original = list(memory.dump("ns"))
    assert [path.name for path in copies.iterdir()] == ["ns.db"]
    if os.name == "posix":
        assert stat.S_IMODE((copies / "ns.db").stat().st_mode) == 0o600
    with at(copies, 10) as memory:
        assert list(memory.dump("ns")) == original
        assert memory.check("ns") == []


def test_a_backup_taken_while_others_write_is_of_one_moment(root: Path) -> None:
    with at(root, 10) as memory, at(root, 10) as writer:
        writer.add("ns", "I like cats.")
        memory.backup("ns", root / "copy.bak")
        writer.add("ns", "I like dogs.")
    (root / "copy.bak").rename(root / "copy.db")
    with at(root, 10) as memory:
        texts = [episode.text for episode in memory.episodes("copy")]
        assert ("I like cats." in texts, "I like dogs." in texts) == (True, False)


def test_a_backup_replaces_nothing(root: Path) -> None:
    (root / "there").write_text("mine")
    with at(root, 10) as memory, pytest.raises(UsageError, match="is there already"):
        memory.backup("ns", root / "there")
    assert (root / "there").read_text() == "mine"
    with at(root, 10) as memory, pytest.raises(StoreUnavailable):
        memory.backup("ns", root / "no such folder" / "copy.db")


def test_a_cleared_memory_leaves_no_file(root: Path) -> None:
    with at(root, 10) as memory:
        memory.add("other", "I like tea.")
        memory.search("ns", "jazz")
        assert memory.clear("ns") == ["ns.db", "ns.usage"]
        assert memory.namespaces() == ["other"]
        with pytest.raises(StoreUnavailable):
            memory.search("ns", "jazz")
        memory.add("ns", "I like a new start.")
        assert len(list(memory.episodes("ns"))) == 1
    assert [path.name for path in root.glob("other*")] != []


def test_what_another_process_has_open_is_not_removed_under_it(root: Path) -> None:
    with at(root, 10) as other:
        other.add("ns", "I like tea.")
        with at(root, 10) as memory, pytest.raises(StoreBusy, match="another process has"):
            memory.clear("ns")
        other.add("ns", "I like coffee.")
    with at(root, 10) as memory:
        assert len(list(memory.episodes("ns"))) == 7


def test_a_damaged_memory_can_be_cleared(root: Path) -> None:
    (root / "ns.db").write_bytes(b"no database" * 100)
    with at(root, 10) as memory:
        assert "ns.db" in memory.clear("ns")
    assert not (root / "ns.db").exists()
