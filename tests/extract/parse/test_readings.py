"""Facts whose words stand in no plain order: the rules leave them, a dependency parse puts them in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lean_memory.errors import BackendUnavailable
from lean_memory.extract import Extractor
from lean_memory.extract.passes import Passes
from lean_memory.parses import Word
from lean_memory.records import Episode, Note
from tests.extract.material import SAID_AT, written
from tests.extract.parse.material import INTRODUCED, READ, UNREAD, Recorded

Parsed = Callable[[str], Episode]


class Broken:
    """A parser whose model does not load."""

    name = "broken"
    asked = 0

    def warm(self) -> None:
        """Not called by extraction."""

    def parse(self, words: Sequence[str]) -> list[Word]:
        """Fails."""
        self.asked += 1
        raise BackendUnavailable("the pipeline does not load", hint="install it again")


@pytest.mark.parametrize(("said", "fact"), READ.items())
def test_what_is_said_in_another_order_is_read(parsed: Parsed, said: str, fact: str) -> None:
    assert fact in [written(found) for found in parsed(said).facts]


@pytest.mark.parametrize("said", UNREAD)
def test_what_is_supposed_asked_or_of_nobody_is_not(parsed: Parsed, said: str) -> None:
    assert [written(found) for found in parsed(said).facts] == []


def test_who_gives_a_name_is_not_somebody_else_of_that_name(parsed: Parsed) -> None:
    facts = parsed(INTRODUCED).facts
    assert {fact.subject for fact in facts} == {"user"}
    assert "user | works_at | Acme" in [written(fact) for fact in facts]


def test_a_fact_tells_that_the_parse_drew_it_and_quotes_its_clause(parsed: Parsed) -> None:
    episode = parsed("Porto is the city that Anna lives in.")
    (fact,) = episode.facts
    assert fact.route == "parse"
    assert fact.confidence <= 0.85
    assert fact.quote == "Porto is the city that Anna lives in" == episode.text[slice(*fact.span)]


@pytest.mark.parametrize("said", ["I live in Leeds.", "Do you live in Leeds?", "Lovely weather today."])
def test_no_parse_is_made_where_the_rules_read_it_all_or_nothing_is_told(
    parsed: Parsed, recorded: Recorded, said: str
) -> None:
    before = list(recorded.asked)
    parsed(said)
    assert recorded.asked == before


def test_a_parser_that_fails_costs_its_help_and_is_told_once() -> None:
    broken = Broken()
    passes = Passes(Extractor(parser=broken))
    for said in ("I live in Leeds.", *READ, *READ):
        episode = passes.episode(Note(text=said, t_ref=SAID_AT))
        assert all(fact.route == "rules" for fact in episode.facts)
    assert (broken.asked, passes.stats.failures) == (1, 1)
    assert passes.stats.told == "the pipeline does not load; install it again"
