"""One run, as its user sees it: a dry run writes nothing, an applied one little, the second nothing; what is proved;
what the ledger says; what brings a fact back; what becomes of proposals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lean_memory.claims import View
from lean_memory.errors import BackendUnavailable, StoreUnavailable, UsageError
from lean_memory.memory import Memory
from lean_memory.upkeep import Decision, Report
from tests.maintain.material import DAY, START, at, said, shown

THINGS = ["a lamp", "a rug", "a bowl", "a desk", "a bed", "a clock"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memory with something of everything, two years old."""
    with at(tmp_path, 3) as memory:
        for step, episode in enumerate(
            [
                said(0, "user", "lives_in", "Leeds", salience=8),
                said(0.1, "user", "likes", "jazz"),
                said(0.2, "user", "enjoys", "jazz"),
                said(0.3, "user", "bought", "a pen", salience=1),
                said(0.4, "user", "likes", "strong black coffee"),
                said(0.5, "user", "likes", "black coffee"),
                said(0.6, "user", "visited", "Rome", salience=2.5),
                *(said(1 + n / 10, "user", "bought", thing, salience=3) for n, thing in enumerate(THINGS)),
            ]
        ):
            assert memory.store("ns", [episode], embed=step != 2)[0].status == "stored"
    return tmp_path


@pytest.fixture
def memory(root: Path) -> Iterator[Memory]:
    with at(root, 700) as opened:
        yield opened


def files(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.iterdir()}


def run(root: Path, day: float = 700, **how: object) -> Report:
    with at(root, day) as memory:
        return memory.maintain("ns", **how)  # type: ignore[arg-type]


def test_a_dry_run_says_what_it_would_do_and_changes_no_byte(root: Path) -> None:
    before = files(root)
    report = run(root)
    assert files(root) == before
    assert (report.status, report.applied, report.run) == ("done", False, None)
    assert [(action.action, action.text) for action in report.actions] == [
        ("retire", "user likes jazz"),
        ("evict", "user bought a pen"),
    ]
    assert [proposal.kind for proposal in report.proposals] == ["merge", "summary", "eviction"]
    assert [target.role for target in report.proposals[0].targets] == ["survivor", "duplicate"]


def test_an_applied_run_does_what_the_dry_run_said(root: Path) -> None:
    told = run(root)
    done = run(root, apply=True)
    assert (done.counts, done.actions) == (told.counts, told.actions)
    assert {proposal.id for proposal in done.proposals} == {proposal.id for proposal in told.proposals}
    with at(root, 700) as memory:
        assert memory.check("ns") == []
        assert "user bought a pen" not in shown(memory, 700)
        assert "user bought a pen" in shown(memory, 700, include_cold=True)
        assert shown(memory, 700).count("user likes jazz") == 1


def test_the_second_run_writes_nothing(root: Path) -> None:
    run(root, apply=True)
    before = files(root)
    report = run(root, apply=True)
    assert (report.status, report.run) == ("nothing", None)
    assert files(root) == before


def test_auto_only_stages_nothing(root: Path) -> None:
    report = run(root, apply=True, auto_only=True)
    assert (report.counts["retired"], report.counts["evicted"], report.counts["proposed"]) == (1, 1, 0)
    with at(root, 700) as memory:
        assert memory.proposals("ns", status=None) == []


def test_a_rehearsal_is_proved_and_rolled_back_to_the_last_byte(root: Path) -> None:
    before = files(root)
    report = run(root, prove=True)
    assert (report.status, report.applied) == ("done", False)
    assert report.proved is not None
    assert report.proved > 50
    assert files(root) == before


def test_a_proved_run_does_the_same_as_one_that_is_not(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    dumps = []
    for how in ({"prove": True}, {}):
        with at(root, 700) as memory:
            copy = tmp_path_factory.mktemp("copy")
            memory.backup("ns", copy / "ns.db")
        run(copy, apply=True, **how)
        with at(copy, 700) as memory:
            dumps.append(list(memory.dump("ns")))
    assert dumps[0] == dumps[1]


def test_a_run_that_would_change_an_answer_about_the_past_is_rolled_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lean_memory.store import upkeep

    def careless(db: object, fact: int, tier: str) -> None:
        db.run("UPDATE validity SET closed_at = recorded_at WHERE fact = ?", (fact,))  # type: ignore[attr-defined]

    monkeypatch.setattr(upkeep, "move", careless)
    with at(root, 700) as memory:
        before = list(memory.dump("ns"))
        report = memory.maintain("ns", apply=True, prove=True)
        assert (report.status, report.applied) == ("unproved", False)
        assert report.differing
        assert all("as of" in question for question in report.differing)
        assert list(memory.dump("ns")) == before


# --------------------------------------------------------------------------------------------------------- ledger


def test_the_ledger_and_when_a_run_is_due(root: Path) -> None:
    with at(root, 700) as memory:
        status = memory.maintenance_status("ns")
        assert (status.due, status.reasons, status.runs) == (True, ("it never ran",), ())
    run(root, apply=True, trigger="cron")
    with at(root, 701) as memory:
        status = memory.maintenance_status("ns")
        assert (status.hot, status.cold, status.pending) == (11, 2, 3)
        assert [(run.trigger, run.status, run.counts["proposed"]) for run in status.runs] == [("cron", "done", 3)]
        assert not status.due
        assert memory.maintain("ns", apply=True, if_due=True).status == "not_due"
        memory.store("ns", [said(701, "user", "bought", "a kite")])
        assert memory.maintain("ns", apply=True, if_due=True).status == "not_due"
    with at(root, 707) as memory:
        assert memory.maintenance_status("ns").reasons == ("7 days since the last run",)
        assert memory.maintain("ns", if_due=True).status != "not_due"


def test_a_memory_that_is_not_there(tmp_path: Path) -> None:
    with at(tmp_path, 0) as memory, pytest.raises(StoreUnavailable, match="there is no namespace"):
        memory.maintain("ns", apply=True)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------------------------------- coming back


def test_what_is_said_again_comes_back(root: Path) -> None:
    run(root, apply=True)
    with at(root, 710) as memory:
        memory.store("ns", [said(710, "user", "bought", "a pen", salience=1)])
        assert "user bought a pen" in shown(memory, 710)
        changes = [(change.action, change.told.text) for change in memory.history("ns") if change.told]
        assert changes[-1] == ("promoted", "user bought a pen")


def test_reading_brings_nothing_back(root: Path) -> None:
    run(root, apply=True)
    with at(root, 710) as memory:
        for _ in range(5):
            memory.search("ns", "a pen", view=View(now=memory.now(), include_cold=True))
    run(root, day=711, apply=True)
    with at(root, 712) as memory:
        assert "user bought a pen" not in shown(memory, 712)


def test_a_duplicate_that_is_said_again_leaves_its_survivor_to_speak(root: Path) -> None:
    run(root, apply=True)
    with at(root, 710) as memory:
        memory.store("ns", [said(710, "user", "enjoys", "jazz")], embed=False)
        assert shown(memory, 710).count("user likes jazz") == 1
        memory.store("ns", [said(711, "user", "likes", "jazz", ended=True)], embed=False)
        assert shown(memory, 712).count("user likes jazz") == 0  # it ended with its survivor
        memory.store("ns", [said(713, "user", "enjoys", "jazz")], embed=False)
        assert shown(memory, 714).count("user likes jazz") == 1  # now it speaks for itself


def test_a_duplicate_whose_survivor_was_evicted_speaks_for_itself_when_it_is_said_again(tmp_path: Path) -> None:
    with at(tmp_path, 3) as memory:
        for episode in (
            said(1, "user", "likes", "jazz", salience=2.5),
            said(2, "user", "enjoys", "jazz", salience=2.5),
        ):
            memory.store("ns", [episode], embed=False)
    with at(tmp_path, 700) as memory:
        memory.maintain("ns", apply=True)
        memory.maintain("ns", apply=True)
        assert decide(memory, "eviction", "approve") == "applied"
        assert shown(memory, 700) == []
        memory.store("ns", [said(701, "user", "enjoys", "jazz")], embed=False)
        assert shown(memory, 702) == ["user likes jazz"]


# --------------------------------------------------------------------------------------------------------- chains


def day(number: float) -> int:
    return START + int(number * DAY)


def test_a_duplicate_of_a_duplicate_ends_with_the_last_survivor(tmp_path: Path) -> None:
    with at(tmp_path, 10) as memory:
        for episode in (said(1, "user", "likes", "black coffee"), said(2, "user", "enjoys", "black coffee")):
            memory.store("ns", [episode], embed=False)
        memory.maintain("ns", apply=True)  # the second goes into the first
    with at(tmp_path, 20) as memory:
        memory.store("ns", [said(0, "user", "likes", "strong black coffee")], embed=False)
        memory.maintain("ns", apply=True)
        assert decide(memory, "merge", "approve") == "applied"  # the first goes into a third that is known longer
        assert shown(memory, 21) == ["user likes strong black coffee"]
        memory.store("ns", [said(30, "user", "likes", "strong black coffee", ended=True)], embed=False)
        assert shown(memory, 31, as_of=day(31)) == []
        assert shown(memory, 31, include_cold=True) == []
        assert len(shown(memory, 31, as_of=day(19))) == 3  # before they stood for each other
        assert memory.check("ns") == []


def test_a_summary_stands_on_the_survivor_of_a_retired_fact(tmp_path: Path) -> None:
    with at(tmp_path, 10) as memory:
        memory.store("ns", [said(n / 10, "user", "bought", thing, salience=3) for n, thing in enumerate(THINGS)])
        memory.store("ns", [said(0.1, "user", "bought", "“a rug”", text="user bought a rug", salience=3)], embed=False)
        memory.maintain("ns", apply=True)
    with at(tmp_path, 400) as memory:
        memory.maintain("ns", apply=True)
        assert decide(memory, "summary", "approve") == "applied"
        assert len(shown(memory, 400)) == 1
    with at(tmp_path, 401) as memory:
        memory.store("ns", [said(401, "user", "bought", "a rug", polarity="negative")])
        assert "user bought a rug" not in shown(memory, 402)
        assert "user bought a rug" not in shown(memory, 402, include_cold=True)
        assert len([text for text in shown(memory, 402) if "bought" in text]) == len(THINGS)
        assert len([text for text in shown(memory, 402, as_of=day(9)) if text == "user bought a rug"]) == 2


def test_promoted_facts_stay(root: Path) -> None:
    run(root, apply=True)
    with at(root, 710) as memory:
        [pen] = [hit.id for hit in memory.visible("ns", View(now=memory.now(), kind="fact", include_cold=True))
                 if hit.text == "user bought a pen"]  # fmt: skip
        assert memory.promote("ns", [pen, "unknown"], by="somebody") == [pen]
        assert memory.promote("ns", [pen], by="somebody") == []
    run(root, day=2000, apply=True)
    with at(root, 2001) as memory:
        assert "user bought a pen" in shown(memory, 2001)
        assert all(pen not in proposal.payload.get("facts", []) for proposal in memory.proposals("ns"))


# ------------------------------------------------------------------------------------------------------- proposals


def decide(memory: Memory, kind: str, verdict: str, **edits: object) -> str:
    [proposal] = memory.proposals("ns", kind=kind)  # type: ignore[arg-type]
    decision = Decision(proposal=proposal.id, verdict=verdict, edits=edits)  # type: ignore[arg-type]
    [outcome] = memory.decide("ns", [decision], by="somebody")
    assert memory.check("ns") == []
    return outcome.outcome


def test_an_approved_merge_leaves_one(root: Path) -> None:
    run(root, apply=True)
    with at(root, 700) as memory:
        assert decide(memory, "merge", "approve") == "applied"
        coffee = [text for text in shown(memory, 700) if "coffee" in text]
        assert coffee == ["user likes strong black coffee"]
        assert [change.action for change in memory.history("ns")][-1] == "retired"


def test_an_edited_merge_leaves_the_other(root: Path) -> None:
    run(root, apply=True)
    with at(root, 700) as memory:
        [merge] = memory.proposals("ns", kind="merge")
        assert decide(memory, "merge", "edit", survivor="nobody") == "invalid"
        assert decide(memory, "merge", "edit", survivor=merge.payload["duplicates"][0]) == "applied"
        assert [text for text in shown(memory, 700) if "coffee" in text] == ["user likes black coffee"]
        decided = memory.proposal("ns", merge.id)
        assert (decided.status, decided.decided_by) == ("edited", "somebody")
        assert decided.decision is not None
        assert decided.decision["survivor"] == merge.payload["duplicates"][0]


def test_an_approved_summary_stands_for_its_sources_and_is_found(root: Path) -> None:
    run(root, apply=True)
    with at(root, 700) as memory:
        assert decide(memory, "summary", "approve") == "applied"
        bought = [text for text in shown(memory, 700) if "bought" in text]
        assert bought == ["user bought a lamp, a rug, a bowl, a desk, a bed and a clock"]
        [found] = memory.search("ns", "a rug", k=1, view=View(now=memory.now(), kind="fact"))
        assert found.text == bought[0]
        summary = found.id
        assert len(memory.evidence("ns", summary)) == len(THINGS)
        assert len([text for text in shown(memory, 700, as_of=START + 699 * DAY) if "bought" in text]) == 7


def test_a_summary_is_withdrawn_when_a_source_is_taken_back(root: Path) -> None:
    run(root, apply=True)
    with at(root, 701) as memory:
        decide(memory, "summary", "approve")
    with at(root, 702) as memory:
        memory.store("ns", [said(702, "user", "bought", "a rug", polarity="negative")])
        bought = {text for text in shown(memory, 703) if "bought" in text}
        assert bought == {f"user bought {thing}" for thing in THINGS if thing != "a rug"} | {"user bought a rug, not"}
        assert "retracted" in [change.action for change in memory.history("ns")]


def test_an_edited_summary_says_what_the_person_wrote(root: Path) -> None:
    run(root, apply=True)
    with at(root, 700) as memory:
        assert decide(memory, "summary", "edit", text="  user furnished  the flat ") == "applied"
        assert "user furnished the flat" in shown(memory, 700)
        assert memory.search("ns", "furnished flat")[0].text == "user furnished the flat"


def test_what_is_kept_is_not_proposed_again(root: Path) -> None:
    run(root, apply=True)
    with at(root, 700) as memory:
        for kind in ("merge", "summary", "eviction"):
            assert decide(memory, kind, "keep") == "applied"
        before = sorted(shown(memory, 700))
    again = run(root, day=701, apply=True)
    # What was to be summarised may now be worth too little one by one, but not as a summary again.
    assert {proposal.kind for proposal in again.proposals} <= {"eviction"}
    with at(root, 702) as memory:
        assert sorted(shown(memory, 702)) == before


def test_unreviewed_it_expires_and_is_never_applied(root: Path) -> None:
    run(root, apply=True)
    with at(root, 729.9) as memory:
        assert len(memory.proposals("ns")) == 3
    with at(root, 730) as memory:
        assert memory.proposals("ns") == []
        assert {proposal.status for proposal in memory.proposals("ns", status=None)} == {"expired"}
        [merge] = memory.proposals("ns", status=None, kind="merge")
        [outcome] = memory.decide("ns", [Decision(proposal=merge.id, verdict="approve")], by="late")
        assert (outcome.outcome, outcome.status) == ("expired", "expired")
        assert len([text for text in shown(memory, 730) if "coffee" in text]) == 2
    report = run(root, day=731, apply=True)
    assert report.counts["expired"] == 2  # the third was marked as it was decided
    assert run(root, day=732, apply=True).status == "nothing"


def test_one_whose_facts_changed_is_stale(root: Path) -> None:
    run(root, apply=True)
    with at(root, 701) as memory:
        memory.store("ns", [said(701, "user", "likes", "black coffee")])
        assert memory.proposals("ns", kind="merge") == []
        [merge] = memory.proposals("ns", status="stale")
        [outcome] = memory.decide("ns", [Decision(proposal=merge.id, verdict="approve")], by="somebody")
        assert (outcome.outcome, outcome.status) == ("stale", "stale")
        assert len([text for text in shown(memory, 701) if "coffee" in text]) == 2


def test_two_reviewers_decide_once(root: Path) -> None:
    run(root, apply=True)
    with at(root, 700) as one, at(root, 700) as other:
        [merge] = one.proposals("ns", kind="merge")
        decisions = [Decision(proposal=merge.id, verdict="approve")]
        assert one.decide("ns", decisions, by="one")[0].outcome == "applied"
        [outcome] = other.decide("ns", decisions, by="other")
        assert (outcome.outcome, outcome.status) == ("already_decided", "approved")
        assert "by one" in outcome.message
        assert [change.action for change in one.history("ns")].count("retired") == 2  # one of them the run's own


def test_an_unknown_proposal(memory: Memory) -> None:
    [outcome] = memory.decide("ns", [Decision(proposal="0" * 32, verdict="keep")], by="somebody")
    assert (outcome.outcome, outcome.status) == ("unknown", None)
    with pytest.raises(UsageError, match="no proposal"):
        memory.proposal("ns", "0" * 32)


def test_proposals_come_by_entity(root: Path) -> None:
    with at(root, 3) as memory:
        memory.store("ns", [said(2, "Anna", "visited", "Oslo", salience=2.5)])
    run(root, apply=True)
    with at(root, 700) as memory:
        assert [proposal.entity for proposal in memory.proposals("ns")] == ["Anna", "user", "user", "user"]
        assert [proposal.kind for proposal in memory.proposals("ns", entity="ANNA")] == ["eviction"]
        assert len(memory.proposals("ns", limit=2)) == 2


def test_a_models_summary_is_proposed_with_its_name(root: Path) -> None:
    class Model:
        name = "a model"

        def generate(self, prompt: str, schema: object) -> str:
            assert "- user bought a lamp" in prompt
            return '{"summary": "user bought furniture for the flat"}'

    with at(root, 700) as memory:
        memory._keeper._generator = lambda: Model()  # type: ignore[method-assign, assignment, return-value]
        report = memory.maintain("ns", apply=True)
        [summary] = [proposal for proposal in report.proposals if proposal.kind == "summary"]
        assert summary.payload["text"] == "user bought furniture for the flat"
        assert summary.evidence["written_by"] == "a model"


def test_where_the_model_fails_the_summaries_wait_and_the_rest_is_done(root: Path) -> None:
    class Model:
        name = "a model"

        def generate(self, prompt: str, schema: object) -> str:
            raise BackendUnavailable("nobody listens at localhost")

    with at(root, 700) as memory:
        memory._keeper._generator = lambda: Model()  # type: ignore[method-assign, assignment, return-value]
        report = memory.maintain("ns", apply=True)
        assert [proposal.kind for proposal in report.proposals] == ["eviction", "merge"]
        assert report.reasons == ("1 summaries wait: nobody listens at localhost",)
        assert (report.counts["retired"], report.counts["deferred"]) == (1, 1)
        assert memory.maintain("ns", apply=True).status == "nothing"
