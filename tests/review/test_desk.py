"""What the session at the terminal remembers, whatever keys are pressed: one decision a proposal, and undo undoes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lean_memory.cli.review_session import Desk
from lean_memory.records import Fact
from lean_memory.upkeep import Proposal, Target, Verdict

PRESSES = ("approve", "keep", "promote", "all", "next", "back", "undo", "written")


def proposal(number: int, entity: str) -> Proposal:
    fact = Fact(
        id=f"{number:032x}", subject=entity, predicate="likes", object="tea", text=f"{entity} likes tea", quote="tea",
        span=(0, 3),
    )  # fmt: skip
    target = Target(fact=fact, role="evicted", tier="hot", said_at=0, claims=1, hits=0, value=0.1)
    return Proposal(
        id=fact.id, kind="eviction", entity=entity, namespace="work", targets=(target,), payload={"facts": [fact.id]},
        evidence={"value": 0.1}, status="pending", created_at=0, expires_at=1,
    )  # fmt: skip


def queue(entities: str) -> list[Proposal]:
    return [proposal(number, entity) for number, entity in enumerate(entities)]


def press(desk: Desk, key: str) -> None:
    verdicts: dict[str, Verdict] = {"approve": "approve", "keep": "keep", "promote": "promote", "all": "keep"}
    if key in verdicts:
        desk.decide(verdicts[key], all_of_entity=key == "all")
    elif key == "undo":
        desk.undo()
    elif key == "written":
        desk.written()
    else:
        desk.move(1 if key == "next" else -1)


@given(
    st.text("ab", max_size=6).map(lambda names: "".join(sorted(names))), st.lists(st.sampled_from(PRESSES), max_size=20)
)
def test_there_is_one_decision_a_proposal_and_the_place_is_within_the_queue(names: str, keys: list[str]) -> None:
    desk = Desk(queue(names))
    for key in keys:
        press(desk, key)
        decided = [one.id for one, _ in desk.decisions]
        assert len(decided) == len(set(decided))
        assert set(decided) <= {one.id for one in desk.queue}
        assert 0 <= desk.place <= len(desk.queue)


@given(st.text("ab", min_size=1, max_size=6), st.sampled_from(("approve", "keep", "all")))
def test_undo_takes_a_step_back_whole_and_returns_to_it(names: str, key: str) -> None:
    desk = Desk(queue(names))
    before = desk.current
    press(desk, key)
    assert desk.decisions
    desk.undo()
    assert desk.decisions == []
    assert desk.current is before


def test_all_of_an_entity_that_is_decided_is_no_step_to_undo() -> None:
    desk = Desk(queue("a"))
    for key in ("keep", "back", "all", "undo"):
        press(desk, key)
    assert desk.decisions == []
    assert desk.undo() == 0


def test_a_second_thought_replaces_the_first() -> None:
    desk = Desk(queue("ab"))
    desk.decide("approve")
    desk.move(-1)
    desk.decide("keep")
    assert [(one.entity, decision.verdict) for one, decision in desk.decisions] == [("a", "keep")]


def test_what_is_written_leaves_the_queue_and_the_place_stays_on_its_proposal() -> None:
    desk = Desk(queue("abcd"))
    desk.decide("keep")
    desk.move(1)
    desk.decide("keep")
    here = desk.current
    desk.written()
    assert [one.entity for one in desk.queue] == ["b", "d"]
    assert desk.current is here
