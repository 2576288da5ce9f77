"""A memory against a plain dict: whatever is added, sent again, added late, ended, corrected, closed and opened, every
moment can be asked about and the file agrees with itself."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lean_memory.claims import View
from lean_memory.memory import Memory
from lean_memory.records import Episode
from lean_memory.settings import Settings
from tests.laws.test_histories import DAY, START, episode

pytestmark = pytest.mark.slow

YEAR = 365
PEOPLE = st.sampled_from(["user", "Anna"])
PLACES = st.sampled_from(["Leeds", "Bath", "Oslo"])


class Histories(RuleBasedStateMachine):
    """The model: for each person a dict from the day a thing was said to what it did: (`lives`, place), (`left`, place)
    or (`corrects`, the place said in error, the right one)."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.clock = START
        self.memory = self.opened()
        self.said: dict[str, dict[int, tuple[str, ...]]] = {"user": {}, "Anna": {}}
        self.sent: list[Episode] = []
        self.believed: list[tuple[int, int, set[tuple[str, str]]]] = []
        self.taken: set[int] = set()

    def opened(self) -> Memory:
        chosen = Settings(root=self.root, fixed_now=self.clock, environ={"LM_BACKENDS": "stub"})
        return Memory(settings=chosen, fast=True)

    def store(self, *episodes: Episode) -> None:
        self.clock += 1000
        self.memory.close()
        self.memory = self.opened()
        self.memory.store("ns", list(episodes))
        self.sent += episodes

    def day(self, wanted: int) -> int:
        """A day on which nothing was said, and half a year from any on which something was."""
        while any(abs(wanted - other) < YEAR // 2 for other in self.taken):
            wanted += 7
        self.taken.add(wanted)
        return wanted

    @rule(who=PEOPLE, place=PLACES, day=st.integers(0, 20 * YEAR))
    def add(self, who: str, place: str, day: int) -> None:
        """In any order of time: late ones too."""
        day = self.day(day)
        if self.took(who, day, ("lives", place)):
            self.store(episode(day, who, "lives_in", place))

    def took(self, who: str, day: int, act: tuple[str, ...]) -> bool:
        """Adds it to the model, unless someone then leaves a place that nobody said they lived in: an unknown start
        is placed by rules of its own, see the stories of the timeline."""
        said = {**self.said[who], day: act}
        moves = moves_of(said)
        for left, place in [(when, place) for when, act, place in moves if act == "left"]:
            if not any(a == "lives" and p == place and when < left for when, a, p in moves):
                return False
        self.said[who] = said
        return True

    @rule(who=PEOPLE, place=PLACES, day=st.integers(0, 20 * YEAR))
    def end(self, who: str, place: str, day: int) -> None:
        day = self.day(day)
        if not self.took(who, day, ("left", place)):
            return
        self.store(episode(day, who, "lives_in", place, valid_at=None, valid_to=START + day * DAY))

    @rule(who=PEOPLE, wrong=PLACES, right=PLACES, day=st.integers(0, 20 * YEAR))
    def correct(self, who: str, wrong: str, right: str, day: int) -> None:
        if wrong == right:
            return
        day = self.day(day)
        if not self.took(who, day, ("corrects", wrong, right)):
            return
        self.store(episode(day, who, "lives_in", wrong), episode(day + 1, who, "lives_in", right, cue="corrects"))

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        before = list(self.memory.dump("ns"))
        again = data.draw(st.sampled_from(self.sent))
        assert self.memory.store("ns", [again])[0].status == "already_stored"
        assert list(self.memory.dump("ns")) == before

    @rule(day=st.integers(-1, 21 * YEAR))
    def remember_what_is_believed(self, day: int) -> None:
        self.believed.append((self.clock, START + day * DAY, self.expected(day)))

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.memory = self.opened()

    @rule(day=st.integers(-1, 21 * YEAR))
    def ask_about_a_day(self, day: int) -> None:
        at = START + day * DAY
        assert self.shown(View(now=at, as_of=at, kind="fact")) == self.expected(day)

    @rule()
    def ask_what_was_believed(self) -> None:
        for known, at, expected in self.believed:
            assert self.shown(View(now=at, as_of=at, known_at=known, kind="fact")) == expected

    @precondition(lambda self: self.sent)
    @rule(query=st.sampled_from(["where does Anna live", "Leeds", "user"]))
    def search(self, query: str) -> None:
        before = list(self.memory.dump("ns"))
        self.memory.search("ns", query)
        assert list(self.memory.dump("ns")) == before

    @precondition(lambda self: self.sent)
    @invariant()
    def the_file_agrees_with_itself(self) -> None:
        assert self.memory.check("ns") == []

    def shown(self, view: View) -> set[tuple[str, str]]:
        if not self.sent:
            return set()
        return {(hit.fact.subject, hit.fact.object) for hit in self.memory.visible("ns", view) if hit.fact is not None}

    def expected(self, day: int) -> set[tuple[str, str]]:
        """Who lives where on a day: the last thing said of it by then, unless it was the end."""
        homes = set()
        for who, said in self.said.items():
            home = None
            for when, act, place in sorted(moves_of(said)):
                if when > day:
                    break
                home = place if act == "lives" else None if home == place else home
            if home is not None:
                homes.add((who, home))
        return homes

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()
            shutil.rmtree(self.root, ignore_errors=True)


def moves_of(said: dict[int, tuple[str, ...]]) -> list[tuple[int, str, str]]:
    """Day, `lives` or `left`, place. A correction takes back all that was said of the wrong place since another one was
    named, and the right one holds from when that began."""
    moves: list[tuple[int, str, str]] = []
    for day, (act, *places) in sorted(said.items()):
        if act != "corrects":
            moves.append((day, act, places[0]))
            continue
        wrong, right = places
        since = day
        while moves and moves[-1][2] == wrong:
            since = min(since, moves.pop()[0])
        moves.append((since, "lives", right))
    return moves


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
