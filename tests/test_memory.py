"""What someone does with `Memory`, and what they get."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_memory import Memory
from lean_memory.claims import View
from lean_memory.errors import StoreUnavailable, UsageError
from lean_memory.records import Note, Vector
from lean_memory.settings import Settings

DAY = 86_400_000
NOON = 1_773_144_000_000  # 2026-03-10T12:00:00Z


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(settings=Settings(root=tmp_path, fixed_now=NOON, environ={"LM_BACKENDS": "stub"}), fast=True) as opened:
        yield opened


def facts(memory: Memory, view: View | None = None) -> set[str]:
    return {hit.text for hit in memory.visible("me", view) if hit.kind == "fact"}


def test_what_was_said_is_found_as_a_fact_with_the_words_that_prove_it(memory: Memory) -> None:
    memory.add("me", "My sister Nora works at the zoo.")
    first = memory.search("me", "Where does Nora work?")[0]
    assert first.fact is not None
    assert (first.fact.subject, first.fact.predicate, first.fact.object) == ("Nora", "works_at", "zoo")
    assert "works at the zoo" in first.fact.quote


def test_the_same_dated_text_is_stored_once(memory: Memory) -> None:
    first, second = (memory.add("me", "I live in Leeds.", t_ref="2026-03-01T10:00:00Z").status for _ in range(2))
    assert (first, second) == ("stored", "already_stored")


def test_a_new_value_supersedes_and_the_past_can_be_asked(memory: Memory) -> None:
    memory.add("me", "I live in Leeds.", t_ref="2025-01-01T10:00:00Z")
    receipt = memory.add("me", "I moved to Bath yesterday.", t_ref="2026-03-01T10:00:00Z")
    assert len(receipt.superseded) == 1
    assert memory.search("me", "where do I live?")[0].fact.object == "Bath"  # type: ignore[union-attr]
    then = View(now=NOON, as_of=NOON - 300 * DAY)
    assert memory.search("me", "where do I live?", view=then)[0].fact.object == "Leeds"  # type: ignore[union-attr]


def test_a_question_about_the_past_finds_what_has_ended(memory: Memory) -> None:
    memory.add("me", "I live in Leeds.", t_ref="2025-01-01T10:00:00Z")
    memory.add("me", "I moved to Bath yesterday.", t_ref="2026-03-01T10:00:00Z")
    before = memory.search("me", "Where did I live before?", view=View(now=NOON, kind="fact"))[0].fact
    assert before is not None
    assert (before.object, before.valid_to is not None) == ("Leeds", True)
    now = memory.search("me", "Where do I live?", view=View(now=NOON, kind="fact"))
    assert "Leeds" not in {hit.fact.object for hit in now if hit.fact}


def test_a_question_about_the_past_does_not_find_what_never_was(memory: Memory) -> None:
    memory.add("me", "I live in Leeds.", t_ref="2026-01-01T10:00:00Z")
    memory.add("me", "Actually, I meant I live in Bath.", t_ref="2026-01-01T10:05:00Z")
    found = memory.search("me", "Where did I use to live before?", view=View(now=NOON, kind="fact"))
    assert [hit.fact.object for hit in found if hit.fact and hit.fact.predicate == "lives_in"] == ["Bath"]


def test_a_taste_denied_in_another_form_is_denied(tmp_path: Path) -> None:
    with Memory(settings=Settings(root=tmp_path, fixed_now=NOON, environ={}), fast=True) as memory:
        memory.add("me", "I like mushrooms.", t_ref=NOON - 9 * DAY)
        receipt = memory.add("me", "I don't like mushroom.", t_ref=NOON - 2 * DAY)
        assert len(receipt.superseded) == 1
        assert {d["route"] for d in receipt.decisions} == {"slot", "containment"}
        assert not any(text.startswith("user likes") for text in facts(memory))


def test_a_restatement_in_another_form_adds_no_row_and_says_why(tmp_path: Path) -> None:
    with Memory(settings=Settings(root=tmp_path, fixed_now=NOON, environ={}), fast=True) as memory:
        first = memory.add("me", "I'm allergic to peanuts.", t_ref=NOON - 9 * DAY)
        again = memory.add("me", "I'm allergic to peanut, as ever.", t_ref=NOON - 2 * DAY)
        assert again.reinforced == first.added
        decision = again.decisions[0]
        assert (decision["relation"], decision["route"], decision["similarity"] > 0.9) == ("same", "containment", True)
        cause = list(memory.history("me"))[-1].cause
        assert (cause["route"], cause["reason"]) == ("containment", decision["reason"])


def test_what_was_said_of_a_role_is_said_of_the_one_who_has_it_once_named(memory: Memory) -> None:
    memory.add("me", "My sister works at the zoo.", t_ref=NOON - 9 * DAY)
    memory.add("me", "My sister Nora works at the museum now.", t_ref=NOON - 2 * DAY)
    jobs = [hit.fact for hit in memory.visible("me") if hit.fact and hit.fact.predicate == "works_at"]
    assert [(job.subject, job.object) for job in jobs] == [("Nora", "museum")]
    then = View(now=NOON, as_of=NOON - 5 * DAY)
    before = [hit.fact for hit in memory.visible("me", then) if hit.fact and hit.fact.predicate == "works_at"]
    assert [(job.subject, job.object) for job in before] == [("Nora", "zoo")]
    assert memory.search("me", "Where did Nora work before?", view=View(now=NOON, kind="fact"))[0].fact == before[0]
    assert memory.check("me") == []
    assert memory.embed_missing("me") == 0  # their vectors came along


def test_naming_someone_leaves_what_was_believed_as_it_was(memory: Memory, tmp_path: Path) -> None:
    memory.add("me", "My sister works at the zoo.", t_ref=NOON - 9 * DAY)
    later = replace(memory._settings, fixed_now=NOON + DAY)
    with Memory(settings=later, fast=True) as tomorrow:
        tomorrow.add("me", "My sister Nora lives in Rome.", t_ref=NOON - 2 * DAY)
        known = View(now=NOON, known_at=NOON)
        assert {hit.fact.subject for hit in tomorrow.visible("me", known) if hit.fact} == {"user's sister"}
        assert {hit.fact.subject for hit in tomorrow.visible("me") if hit.fact} == {"Nora", "user"}
        [why] = {c.cause.get("reason") for c in tomorrow.history("me") if c.action == "superseded"}
        assert why == "user's sister is Nora"


def test_the_order_in_which_a_name_is_learnt_does_not_matter(tmp_path: Path) -> None:
    notes = ["My sister works at the zoo.", "My sister Nora lives in Rome.", "My sister works at the museum now."]
    told = [Note(text=text, t_ref=NOON - (9 - day) * DAY) for day, text in enumerate(notes)]
    held = []
    for order in itertools.permutations(told):
        chosen = Settings(root=tmp_path / str(len(held)), fixed_now=NOON, environ={"LM_BACKENDS": "stub"})
        with Memory(settings=chosen, fast=True) as memory:
            extract = memory.extractor().episode
            for note in order:
                memory.store("me", [extract(note)])
            held.append(
                {
                    (hit.fact.subject, hit.fact.predicate, hit.fact.object, hit.fact.valid_at, hit.fact.valid_to)
                    for day in range(9)
                    for hit in memory.visible("me", View(now=NOON, as_of=NOON - day * DAY))
                    if hit.fact
                }
            )
            assert memory.check("me") == []
    assert all(state == held[0] for state in held)


def test_a_role_is_the_person_that_has_it(memory: Memory) -> None:
    memory.add("me", "My sister Nora lives in Rome.", t_ref=NOON - 9 * DAY)
    memory.add("me", "My sister lives in Oslo now.", t_ref=NOON - 2 * DAY)
    homes = {text for text in facts(memory) if "live" in text}
    assert homes == {"user's sister lives in Oslo"}
    assert {hit.fact.subject for hit in memory.visible("me") if hit.fact and hit.fact.predicate == "lives_in"} == {
        "Nora"
    }


def test_an_end_named_in_short_ends_what_it_means(memory: Memory) -> None:
    memory.add("me", "Anna is a member of the Monday chess club.", t_ref=NOON - 9 * DAY)
    memory.add("me", "Anna left the chess club.", t_ref=NOON - 2 * DAY)
    assert not any("member" in text for text in facts(memory))


def test_reading_creates_nothing(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable) as error:
        memory.search("nowhere", "anything")
    assert error.value.code == "no_namespace"
    assert list(tmp_path.iterdir()) == []


def test_vectors_of_another_model_are_rejected_with_the_way_out(memory: Memory) -> None:
    episode = memory.extractor().episode(Note(text="I like tea.", t_ref=NOON))
    [receipt] = memory.store("me", [replace(episode, vector=Vector("other", 1, b"\0\0\x80\x3f"))])
    assert receipt.status == "rejected"
    assert "lm-embed -n me" in receipt.extra["reason"]
    assert memory.store("me", [episode])[0].status == "stored"


def test_vectors_left_out_are_added_later(memory: Memory) -> None:
    episode = memory.extractor().episode(Note(text="I like tea.", t_ref=NOON))
    memory.store("me", [episode], embed=False)
    steps: list[tuple[int, int]] = []
    assert memory.embed_missing("me", progress=lambda done, total: steps.append((done, total))) == 2
    assert steps == [(2, 2)]
    assert memory.embed_missing("me") == 0


def test_a_bad_time_or_zone_says_so(memory: Memory) -> None:
    for wrong in ({"t_ref": "yesterday"}, {"tz": "Mars/Olympus"}):
        with pytest.raises(UsageError):
            memory.add("me", "hi", **wrong)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One memory for all examples."""
    chosen = Settings(root=tmp_path_factory.mktemp("memory"), fixed_now=NOON, environ={"LM_BACKENDS": "stub"})
    with Memory(settings=chosen, fast=True) as memory:
        for text in ("I live in Leeds.", "Anna likes tea and it's hot.", "x AND y OR z", "我在腾讯工作。"):
            memory.add("me", text)
        yield memory


SYNTAX = ["", '"', "AND", "a OR b", "NEAR(x)", "x*", "-", "a-b", "C:\\temp\\a", "it's", "日本", "🙂", "a" * 10_000]


@settings(max_examples=60)
@given(st.text(max_size=60) | st.sampled_from(SYNTAX))
def test_any_text_is_a_query(standing: Memory, query: str) -> None:
    for view in (None, View(now=NOON, as_of=NOON)):
        hits = standing.search("me", query, k=3, view=view)
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_a_question_may_name_a_person_by_the_role(memory: Memory) -> None:
    memory.add("me", "My sister Nora works at the zoo.", t_ref=NOON - 9 * DAY)
    memory.add("me", "I work at Acme.", t_ref=NOON - 8 * DAY)
    memory.add("me", "Ida works at the harbour.", t_ref=NOON - 7 * DAY)
    first = memory.search("me", "where does my sister work?")[0]
    assert first.fact is not None
    assert (first.fact.subject, first.fact.object) == ("Nora", "zoo")


def test_a_reranker_that_is_named_has_its_part_in_the_score(tmp_path: Path) -> None:
    told = {"LM_RERANKER": "late-interaction"}
    with Memory(settings=Settings(root=tmp_path, fixed_now=NOON, environ=told), fast=True) as memory:
        for text in ("The train to Rome was late again.", "Rome is where the trains go.", "I bought apples."):
            memory.add("me", text, t_ref=NOON - DAY)
        hits = memory.search("me", "why was the train late?", k=2, explain=True)
    assert [hit.rank for hit in hits] == [1, 2]
    assert hits[0].text == "The train to Rome was late again."
    assert (hits[0].parts or {})["closeness"] == 1.0
