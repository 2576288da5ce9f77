"""Whom a fact is about, when the words name a role."""

from __future__ import annotations

from lean_memory.records import Episode, Fact, fact_id
from lean_memory.resolve import with_names


def about(subject: str, **aliases: str) -> Episode:
    fact = Fact(
        id=fact_id(subject, "lives_in", "Rome"), subject=subject, predicate="lives_in", object="Rome",
        text=f"{subject} lives in Rome", quote="", span=(0, 0),
    )  # fmt: skip
    return Episode(id="e", text="", t_ref=0, facts=(fact,), aliases={f"user's {k}": v for k, v in aliases.items()})


def test_a_role_is_the_person_that_has_it() -> None:
    [fact] = with_names(about("user's sister"), {"user's sister": ["Anna"]}).facts
    assert (fact.subject, fact.id) == ("Anna", fact_id("Anna", "lives_in", "Rome"))


def test_the_same_turn_may_say_who() -> None:
    [fact] = with_names(about("user's sister", sister="Anna"), {}).facts
    assert fact.subject == "Anna"


def test_a_role_that_two_people_have_names_neither() -> None:
    for episode, known in [
        (about("user's sister"), {"user's sister": ["Anna", "Bea"]}),
        (about("user's sister", sister="Bea"), {"user's sister": ["Anna"]}),
    ]:
        [fact] = with_names(episode, known).facts
        assert fact.subject == "user's sister"


def test_one_person_in_two_spellings_is_one() -> None:
    [fact] = with_names(about("user's sister"), {"user's sister": ["Anna", "ANNA"]}).facts
    assert fact.subject.casefold() == "anna"


def test_a_name_is_left_alone() -> None:
    episode = about("Anna")
    assert with_names(episode, {}) == episode
