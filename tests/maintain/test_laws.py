"""The three laws, on random histories with maintenance and review at random moments.

A twin that is never maintained hears the same. What a night may change is only what stands at hand: no answer about
the time before it; no interval that later words close or open; and nothing at all when there is nothing to do.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lean_memory.claims import View
from lean_memory.memory import Memory
from lean_memory.records import Episode
from lean_memory.settings import Settings
from lean_memory.upkeep import Decision, Verdict
from lean_memory.wire import encode
from tests.maintain.material import DAY, START, said

pytestmark = pytest.mark.slow

BOUGHT = ["a lamp", "a chair", "a rug", "a desk", "a bowl", "a bed"]
SAYINGS = [
    ("enjoys", "jazz"), ("likes", "jazz"), ("likes", "“jazz”"), ("likes", "jazz."), ("likes", "strong black coffee"),
    ("likes", "black coffee"), ("dislikes", "jazz"), ("lives_in", "Leeds"), ("lives_in", "Bath"),
    ("visited", "Rome"), ("visited", "“Rome”"), *(("bought", value) for value in BOUGHT),
]  # fmt: skip
QUERIES = ["what did I buy", "jazz coffee", "where do I live"]


class Life:
    """Two memories that hear the same; only `kept` is maintained."""

    def __init__(self, root: Path) -> None:
        self.day = 0.0
        self.root = root
        self.kept, self.twin = (
            Memory(settings=Settings(root=root / name, environ={"LM_BACKENDS": "stub"}), fast=True)
            for name in ("kept", "twin")
        )
        self.wait(0)

    def wait(self, days: float) -> None:
        self.day += days
        for memory in (self.kept, self.twin):
            memory._settings = replace(memory._settings, fixed_now=self.now)

    @property
    def now(self) -> int:
        return START + int(self.day * DAY)

    def hear(self, episode: Episode) -> None:
        """Without vectors at first, so that storing leaves it to maintenance to find what says the same."""
        ours, theirs = (memory.store("ns", [episode], embed=False)[0] for memory in (self.kept, self.twin))
        assert ours.superseded == theirs.superseded
        self.kept.embed_missing("ns")

    def begin(self) -> None:
        for step, (predicate, value) in enumerate(SAYINGS):
            self.hear(said(step / 10, "user", predicate, value, salience=1.0 if value == "“Rome”" else 3.0))

    # ----------------------------------------------------------------------------------------------- what happens

    def say(self, saying: tuple[str, str], ago: int, salience: float) -> None:
        self.wait(1)
        self.hear(said(self.day - ago, "user", *saying, salience=salience))

    def take_back(self, saying: tuple[str, str], ended: bool) -> None:
        self.wait(1)
        self.hear(said(self.day, "user", *saying, ended=ended, polarity="positive" if ended else "negative"))

    def night(self, auto_only: bool) -> None:
        before = dict(self.answers())
        report = self.kept.maintain("ns", apply=True, auto_only=auto_only)
        assert dict(self.answers()) == before, "law 1"
        for name, count in report.counts.items():
            if count:
                event(name)
        file = self.bytes()
        assert self.kept.maintain("ns", apply=True, auto_only=auto_only).status == "nothing", report
        assert self.bytes() == file, "law 3"

    def bytes(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.root / "kept").iterdir()) if path.suffix != ".db-shm"]

    def review(self, verdict: Verdict, which: int) -> None:
        waiting = self.kept.proposals("ns")
        if waiting:
            before = dict(self.answers())
            chosen = waiting[which % len(waiting)]
            decision = Decision(proposal=chosen.id, verdict=verdict)
            [outcome] = self.kept.decide("ns", [decision], by="somebody")
            assert dict(self.answers()) == before
            event(f"{verdict} {chosen.kind}: {outcome.outcome}")
            again = self.kept.decide("ns", [decision], by="another")[0].outcome
            assert (outcome.outcome, again) in (("applied", "already_decided"), ("invalid", "invalid"))

    # ------------------------------------------------------------------------------------------------- what holds

    def answers(self) -> Iterator[tuple[str, bytes]]:
        """What is known of some days before now, and of what was believed on them."""
        for part in range(7):
            past = START + (self.now - 1 - START) * part // 6
            for name, view in (("of", View(now=self.now, as_of=past)), ("on", View(now=self.now, known_at=past))):
                yield f"all {name} {past}", b"".join(encode(hit) for hit in self.kept.visible("ns", view))
                only = replace(view, predicate="bought", subject="user")
                yield f"bought {name} {past}", b"".join(encode(hit) for hit in self.kept.visible("ns", only))
                for query in QUERIES:
                    hits = self.kept.search("ns", query, view=view, explain=True)
                    yield f"{query} {name} {past}", b"".join(encode(hit) for hit in hits)

    def check(self) -> None:
        assert self.kept.check("ns") == []
        kept, twin = self.rows(self.kept), self.rows(self.twin)
        self.same_intervals(kept, twin)
        self.stands(kept)
        self.nothing_is_lost(kept)

    def rows(self, memory: Memory) -> dict[str, list[dict[str, object]]]:
        tables: dict[str, list[dict[str, object]]] = {}
        for row in memory.dump("ns"):
            tables.setdefault(str(row["table"]), []).append(dict(row))
        return tables

    def same_intervals(
        self, kept: dict[str, list[dict[str, object]]], twin: dict[str, list[dict[str, object]]]
    ) -> None:
        """Law 2: what is said closes and opens what it would have closed and opened without maintenance."""
        ours, theirs = intervals(kept), intervals(twin)
        summaries = set(sources(kept, "summary"))
        assert {fact: held for fact, held in ours.items() if fact not in summaries} == theirs

    def stands(self, kept: dict[str, list[dict[str, object]]]) -> None:
        """Law 2 as a reader sees it: duplicates are shown while their survivors hold, summaries while all sources do,
        and everything else as the twin shows it."""
        base = {**sources(kept, "duplicate"), **sources(kept, "summary")}
        summaries = sources(kept, "summary")
        for ahead in (0.0, 1.0, 400.0):
            at = self.now + int(ahead * DAY)
            view = View(now=at, as_of=at, kind="fact")
            ours, theirs = ({hit.id for hit in memory.visible("ns", view)} for memory in (self.kept, self.twin))

            def holds(fact: str, theirs: set[str] = theirs) -> bool:
                return (fact in theirs or fact in summaries) and all(holds(one) for one in base.get(fact, []))

            assert ours == {fact for fact in theirs | set(summaries) if holds(fact)}

    def nothing_is_lost(self, kept: dict[str, list[dict[str, object]]]) -> None:
        """What the twin has at hand is at hand here, or went for a reason that still stands."""
        view = View(now=self.now + DAY, kind="fact")
        ours, theirs = ({hit.id for hit in memory.visible("ns", view)} for memory in (self.kept, self.twin))
        cold = {hit.id for hit in self.kept.visible("ns", replace(view, include_cold=True))}
        went = {change.fact: change.action for change in self.kept.history("ns") if change.action in MOVES}
        survivors, summaries = sources(kept, "duplicate"), sources(kept, "summary")
        for fact in theirs - ours:
            if went[fact] == "summarised":
                assert any(fact in base and summary in ours for summary, base in summaries.items())
            elif went[fact] == "retired":
                assert fact in survivors
            else:
                assert (went[fact], fact in cold) == ("demoted", True)


MOVES = ("retired", "demoted", "summarised", "promoted")


def intervals(tables: dict[str, list[dict[str, object]]]) -> dict[str, list[tuple[object, object]]]:
    ids = {row["row"]: str(row["id"]) for row in tables["facts"]}
    found: dict[str, list[tuple[object, object]]] = {}
    for row in tables["validity"]:
        if row["closed_at"] is None:
            found.setdefault(ids[row["fact"]], []).append((row["valid_at"], row["valid_to"]))
    return {fact: sorted(held, key=repr) for fact, held in found.items()}


def sources(tables: dict[str, list[dict[str, object]]], kind: str) -> dict[str, list[str]]:
    """What stands on what, by id."""
    ids = {row["row"]: str(row["id"]) for row in tables["facts"]}
    found: dict[str, list[str]] = {}
    for row in tables.get("lineage", []):
        if row["kind"] == kind and row["closed_at"] is None:
            found.setdefault(ids[row["fact"]], []).append(ids[row["source"]])
    return found


Step = Callable[[Life], None]


def steps() -> st.SearchStrategy[Step]:
    saying = st.sampled_from(SAYINGS)
    night = st.booleans().map(lambda auto: lambda life: life.night(auto))
    review = st.tuples(st.sampled_from(["approve", "approve", "approve", "keep", "promote"]), st.integers(0, 7)).map(
        lambda drawn: lambda life: life.review(*drawn)
    )
    wait = st.sampled_from([1, 40, 200]).map(lambda days: lambda life: life.wait(days))
    say = st.tuples(saying, st.sampled_from([0, 0, 3, 200]), st.sampled_from([1.0, 3.0, 7.0])).map(
        lambda drawn: lambda life: life.say(*drawn)
    )
    take_back = st.tuples(saying, st.booleans()).map(lambda drawn: lambda life: life.take_back(*drawn))
    return st.one_of(night, night, review, review, review, wait, say, say, take_back, take_back)


@settings(max_examples=15, deadline=None)
@given(st.lists(steps(), min_size=8, max_size=16), st.sampled_from([1, 200]))
def test_a_life_with_nights(happens: list[Step], age: int) -> None:
    with tempfile.TemporaryDirectory() as root:
        life = Life(Path(root))
        try:
            life.begin()
            life.wait(age)
            life.night(False)
            for step in happens:
                step(life)
                life.check()
        finally:
            life.kept.close()
            life.twin.close()
