"""What escalates to a language model, with its reason, and what is kept without one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from lean_memory.extract import Extractor, default_table
from lean_memory.extract.frames import Frames
from lean_memory.extract.router import LOW, SURE, Routing, route
from lean_memory.records import Fact
from tests.extract.passes.material import candidate, note

Read = Callable[[str], Frames]


@pytest.fixture
def routed(extractor: Extractor, read_frames: Read) -> Callable[..., Routing]:
    def run(text: str, *triples: tuple[str, str, str, float], change: Callable[[Fact], Fact] | None = None) -> Routing:
        facts = extractor.episode(note(text)).facts
        facts = tuple(change(fact) for fact in facts) if change else facts
        found = [candidate(text, *triple) for triple in triples]
        return route(facts, found, read_frames(text), default_table(), "user")

    return run


def reasons(routing: Routing) -> list[str]:
    return [item.reason for item in routing.escalated]


def test_what_the_rules_are_sure_of_stays_with_them(routed: Callable[..., Routing]) -> None:
    assert reasons(routed("I work at Acme. My sister Anna lives in Berlin.")) == []


def test_a_doubtful_fact_escalates_with_the_fact(routed: Callable[..., Routing]) -> None:
    routing = routed("I work at Acme.", change=lambda fact: replace(fact, confidence=LOW - 0.01))
    assert reasons(routing) == ["low_confidence"]
    [item] = routing.escalated
    assert (item.predicate, item.object) == ("works_at", "Acme")
    assert item.fact is not None


def test_an_inference_escalates(routed: Callable[..., Routing]) -> None:
    routing = routed("I work at Acme.", change=lambda fact: replace(fact, relation="derives", confidence=0.85))
    assert reasons(routing) == ["inference"]


def test_a_statement_about_nobody_known_escalates(routed: Callable[..., Routing]) -> None:
    routing = routed("She is allergic to nuts.")
    assert reasons(routing) == ["unresolved"]
    assert (routing.escalated[0].predicate, routing.escalated[0].object) == ("allergic_to", "nuts")


@pytest.mark.parametrize(
    "text",
    [
        "Anna is my sister. She is allergic to nuts.",  # she is known
        "It rains in Berlin.",  # it is nobody
        "Is she allergic to nuts?",  # nothing is said
        "If he works at Acme, good.",
    ],
)
def test_nothing_else_about_pronouns_does(routed: Callable[..., Routing], text: str) -> None:
    assert "unresolved" not in reasons(routed(text))


def test_a_candidate_that_the_rules_have_read_is_theirs(routed: Callable[..., Routing]) -> None:
    routing = routed("I work at Acme.", ("I", "works_at", "Acme", 0.99))
    assert (routing.kept, routing.escalated) == ((), ())
    assert routing.dropped == {"covered": 1}


UNREAD = "Zumba at Acme is what keeps Anna going, and Anna bakes for Acme."


def test_a_sure_candidate_where_the_rules_read_nothing_is_kept(routed: Callable[..., Routing]) -> None:
    routing = routed(UNREAD, ("Anna", "works_at", "Acme", SURE))
    assert [found.object for found, _ in routing.kept] == ["Acme"]
    assert reasons(routing) == []


def test_an_unsure_one_escalates(routed: Callable[..., Routing]) -> None:
    routing = routed(UNREAD, ("Anna", "works_at", "Acme", SURE - 0.01))
    assert reasons(routing) == ["uncovered"]
    assert routing.kept == ()


def test_noise_is_dropped(routed: Callable[..., Routing]) -> None:
    assert routed(UNREAD, ("Anna", "works_at", "Acme", 0.1)).dropped == {"weak": 1}


@pytest.mark.parametrize(
    "text",
    [
        "Does Anna bake for Acme?",
        "If Anna bakes for Acme, I am happy.",
        "I wish Anna baked for Acme.",
        "I wonder whether Anna bakes for Acme.",
        "Maybe Anna bakes for Acme.",
        "Anna would bake for Acme.",
        'Tom wrote "Anna bakes for Acme" on the wall.',
        "Imagine Anna bakes for Acme.",
        "<recalled-memory>\nAnna bakes for Acme.\n</recalled-memory>",
        "> Anna bakes for Acme.",
        "如果Anna在Acme烤面包，我很高兴。",
        "Anna在Acme烤面包吗？",
        "也许Anna在Acme烤面包。",
    ],
)
def test_a_candidate_in_words_that_state_nothing_is_never_kept_nor_asked_about(
    routed: Callable[..., Routing], text: str
) -> None:
    routing = routed(text, ("Anna", "works_at", "Acme", 1.0))
    assert (routing.kept, routing.escalated) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "Anna doesn't bake for Acme.",
        "Anna never bakes for Acme.",
        "Anna no longer bakes for Acme.",
        "Anna used to bake for Acme.",
        "Anna stopped baking for Acme.",
        "Anna will bake for Acme.",
        "Anna wants to bake for Acme.",
        "Anna baked for Acme.",
        "Anna不在Acme烤面包。",
        "Anna以前在Acme烤面包。",
    ],
)
def test_one_that_is_denied_over_or_yet_to_be_is_not_kept_as_it_is_but_asked_about(
    routed: Callable[..., Routing], text: str
) -> None:
    routing = routed(text, ("Anna", "works_at", "Acme", 1.0))
    assert routing.kept == ()
    assert set(reasons(routing)) <= {"uncovered"}
    assert reasons(routing) or routing.dropped == {"covered": 1}


def test_one_about_nobody_known_is_asked_about(routed: Callable[..., Routing]) -> None:
    routing = routed("She bakes for Acme.", ("She", "works_at", "Acme", 1.0))
    assert routing.kept == ()
    assert reasons(routing) == ["unresolved"]


def test_one_across_sentences_is_dropped(routed: Callable[..., Routing]) -> None:
    routing = routed("Anna bakes. Tom drives by Acme.", ("Anna", "works_at", "Acme", 1.0))
    assert routing.dropped == {"far_apart": 1}


def test_all_that_was_sorted_is_counted(routed: Callable[..., Routing]) -> None:
    routing = routed("I live in Berlin. " + UNREAD, ("Anna", "works_at", "Acme", 0.9), ("I", "lives_in", "Berlin", 0.9))
    assert routing.considered == 1 + 2
