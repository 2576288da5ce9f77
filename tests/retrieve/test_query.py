"""What a question's words say about its answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.retrieve import understand
from lean_memory.retrieve.query import about, asks_for, tells_time


@pytest.mark.parametrize(
    ("question", "first_person"),
    [
        ("Where do I work?", True),
        ("what's my job", True),
        ("Which of our plans is next?", True),
        ("What did you tell me?", True),
        ("Where does my sister work?", False),
        ("Where does my older brother live?", False),
        ("What's our manager's name?", False),
        ("What did my boss tell me?", True),
        ("Where does Anna work?", False),
        ("Mining and mylar", False),
    ],
)
def test_is_it_about_the_user(question: str, first_person: bool) -> None:
    assert understand(question).first_person is first_person


@pytest.mark.parametrize(
    ("question", "name", "share"),
    [
        ("Where do I work?", "user", 1),
        ("Where do I work?", None, 1),
        ("Where do I work?", "Anna", 0),
        ("Where does Anna work?", "Anna", 1),
        ("Where does ANNA work?", "Anna", 1),
        ("Where does Anna work?", "Anna Berg", 0.5),
        ("Where does Anna work?", "Hanna", 0),
        ("Where does Łukasz work?", "Łukasz", 1),
        ("Where does lukasz work?", "Łukasz", 1),
        ("Where does my sister work?", "user's sister", 1),
        ("Where does my sister work?", "user", 0),
        ("王さんはどこ", "王さん", 1),
        ("anything", "", 0),
        ("what is the user's name?", "the", 0),
    ],
)
def test_how_far_a_name_is_asked_about(question: str, name: str | None, share: float) -> None:
    assert about(understand(question), name) == share


@pytest.mark.parametrize(
    "question", ["When did we move?", "How long has Anna been ill?", "What year was it?", "how old am I"]
)
def test_asks_for_a_time(question: str) -> None:
    assert understand(question).asks_time


@pytest.mark.parametrize("question", ["Where did we move?", "Whenever", "How many cats?"])
def test_asks_for_no_time(question: str) -> None:
    assert not understand(question).asks_time


def test_tells_a_time() -> None:
    assert tells_time("We went there last Tuesday")
    assert tells_time("since 2019")
    assert not tells_time("We went there by train")


@pytest.mark.parametrize(
    "question",
    [
        "Where did I use to live? I used to like it", "where did Anna live before?", "Where have I lived before?",
        "What was my old phone?", "What's my previous address?",
    ],
)  # fmt: skip
def test_asks_for_the_past(question: str) -> None:
    assert understand(question).past


def test_an_ask_of_several_words_needs_them_all_in_any_form() -> None:
    asks = {"works_at": ["where work"], "job_title": ["job"], "none": ["", "?"]}
    assert set(understand("Where is Anna working these days?", asks=asks).predicates) == {"works_at"}
    assert set(understand("Does it work?", asks=asks).predicates) == set()
    assert set(understand("What jobs?", asks=asks).predicates) == {"job_title"}


ASKS = {
    "works_at": ["work", "company"],
    "job_title": ["work", "job"],
    "lives_in": ["where", "live"],
    "sibling_of": ["sister"],
}


@pytest.mark.parametrize(
    ("question", "predicate", "subject", "share"),
    [
        ("Where do I work?", "works_at", "user", 1),
        ("Where does Anna work?", "works_at", "Anna", 1),
        ("Where does Anna work?", "works_at", "Ben", 0.5),
        ("What company do I work for?", "works_at", "user", 1),
        ("What company do I work for?", "job_title", "user", 0.5),
        ("Where does my sister Anna live?", "lives_in", "Anna", 1),
        ("Where does my sister Anna live?", "sibling_of", "Anna", 0.5),
        ("Who is my sister?", "sibling_of", "Anna", 1),
        ("Where am I?", "lives_in", "user", 0.5),
        ("Where do I work?", "lives_in", "user", 0),
        ("What work did Anna put into the garden fence?", "works_at", "Anna", 0.25),
        ("", "works_at", "user", 0),
    ],
)
def test_how_far_a_question_asks_for_a_predicate(question: str, predicate: str, subject: str, share: float) -> None:
    assert asks_for(understand(question, asks=ASKS), predicate, subject) == share


@given(st.text(), st.text() | st.none())
def test_any_text_is_a_question(question: str, name: str | None) -> None:
    query = understand(question, asks={"likes": ["like", question]})
    assert 0 <= about(query, name) <= 1
    assert 0 <= asks_for(query, "likes", name or "") <= 1


@pytest.mark.parametrize("question", ["Who is my boyfriend?", "Who's my new boss now?", "who are our neighbours"])
def test_who_has_a_role_is_asked_about_the_user(question: str) -> None:
    assert understand(question).first_person


@pytest.mark.parametrize(
    "question", ["Who is my sister married to?", "Who is my brother seeing?", "Who is my boss's assistant?"]
)
def test_whom_someone_else_knows_is_asked_about_them(question: str) -> None:
    assert not understand(question).first_person


@pytest.mark.parametrize("question", ["How old is Anna?", "What do I eat before bed?", "Is the shop open before nine?"])
def test_asks_for_no_past(question: str) -> None:
    assert not understand(question).past
