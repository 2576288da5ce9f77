"""The prompt has a bounded size whatever the text, its schema is a schema, and any answer at all can be read."""

from __future__ import annotations

import json
from collections.abc import Callable

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.extract import default_table
from lean_memory.extract.frames import Frames
from lean_memory.extract.router import Escalation
from lean_memory.extract.typing import (
    MAX_FACTS,
    MAX_PASSAGE,
    MAX_PREDICATES,
    MAX_PROMPT,
    MAX_QUESTIONS,
    Statement,
    build_prompt,
    build_schema,
    parse_answer,
    predicates_for,
    tasks,
)

Read = Callable[[str], Frames]
TABLE = default_table()
NAMES = ("works_at", "lives_in")
FACT = {
    "subject": "Anna", "predicate": "works_at", "object": "Acme", "quote": "Anna bakes for Acme",
    "negated": False, "ended": False, "time": None,
}  # fmt: skip
STATEMENT = Statement("Anna", "works_at", "Acme", "Anna bakes for Acme")


def asks(text: str, count: int) -> list[Escalation]:
    """`count` things to settle, spread over the text."""
    step = max(1, len(text) // count)
    return [
        Escalation("uncovered", at, min(at + 20, len(text)), "works_at", "Acme", "Anna")
        for at in range(0, len(text), step)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "She bakes. " * 3000,
        "x" * 50_000,
        "Anna bakes, " * 4000,
        "我在柏林。" * 9000,
        "\n\n".join("Anna bakes." for _ in range(5000)),
    ],
)
def test_every_prompt_is_bounded_and_every_question_is_in_one(read_frames: Read, text: str) -> None:
    escalated = asks(text, 300)
    made = tasks(escalated, read_frames(text))
    assert [question for task in made for question in task.questions] == escalated
    for task in made:
        assert task.end - task.start <= MAX_PASSAGE
        assert len(task.questions) <= MAX_QUESTIONS
        assert all(task.start <= q.start < task.end for q in task.questions)
        names = predicates_for(task, text, TABLE)
        assert len(names) <= MAX_PREDICATES
        prompt = build_prompt(task, text[task.start : task.end], "A" * 10_000, names, TABLE)
        assert len(prompt) < MAX_PROMPT
        assert prompt.endswith('Answer with JSON only: {"facts": [...]}')


def test_a_prompt_names_nobody_the_passage_does_not(read_frames: Read) -> None:
    text = "Anna bakes. Tom sings. " * 200 + "She works at Acme."
    [task] = tasks([Escalation("unresolved", len(text) - 18, len(text), "works_at", "Acme", "?")], read_frames(text))
    prompt = build_prompt(task, text[task.start : task.end], "Mia", predicates_for(task, text, TABLE), TABLE)
    assert "Tom" in prompt, "the sentence before"
    assert "Anna" not in prompt


def test_what_is_in_question_is_offered_first_then_what_the_words_suggest(read_frames: Read) -> None:
    text = "She is a vegan and plays the violin."
    [task] = tasks([Escalation("unresolved", 0, len(text), "job_title", "vegan", "?")], read_frames(text))
    names = predicates_for(task, text, TABLE)
    assert names[0] == "job_title"
    assert {"plays", "diet"} <= set(names[:4])


def test_the_schema_is_one_and_holds_the_answer_to_the_predicates() -> None:
    schema = build_schema(NAMES)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"facts": [FACT]}, schema)
    for bad in ({"facts": [{**FACT, "predicate": "rules_over"}]}, {"facts": [FACT] * (MAX_FACTS + 1)}, {"facts": [{}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


GOOD = json.dumps({"facts": [FACT]})


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"Of course! Here it is: {GOOD} Do you need more?",
        f"[thinking] {{not json}} {GOOD}",
        json.dumps([FACT]),
        json.dumps(FACT),
        GOOD[:-2],
        GOOD[:-2] + ', {"subject": "To',
        json.dumps({"facts": [FACT, FACT]}),
    ],
)
def test_one_fact_however_it_is_wrapped(answer: str) -> None:
    parsed = parse_answer(answer, NAMES)
    assert parsed is not None
    assert parsed[0] == (STATEMENT,)


@pytest.mark.parametrize("answer", ['{"facts": []}', "Nothing to report: []"])
def test_no_facts_is_an_answer(answer: str) -> None:
    parsed = parse_answer(answer, NAMES)
    assert parsed is not None
    assert parsed[0] == ()


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no",
        "null",
        "NaN",
        '"facts"',
        "{}",
        '{"facts": null}',
        '{"facts": [1]}',
        '{"facts": [{"subject": "Anna"}]}',
        "[" * 9999,
    ],
)
def test_what_is_no_answer_is_malformed(answer: str) -> None:
    assert parse_answer(answer, NAMES) is None


@pytest.mark.parametrize(
    "change",
    [{"subject": ""}, {"object": 3}, {"quote": None}, {"negated": "no"}, {"time": 5}, {"object": "x" * 1000}],
)
def test_a_fact_of_a_wrong_form_is_dropped_beside_a_right_one(change: dict[str, object]) -> None:
    parsed = parse_answer(json.dumps({"facts": [{**FACT, **change}, FACT]}), NAMES)
    assert parsed is not None
    assert (parsed[0], parsed[1]) == ((STATEMENT,), {"bad_form": 1})


def test_a_predicate_that_was_not_offered_is_dropped() -> None:
    parsed = parse_answer(json.dumps({"facts": [{**FACT, "predicate": "rules_over"}, FACT]}), NAMES)
    assert parsed is not None
    assert (parsed[0], parsed[1]) == ((STATEMENT,), {"unknown_predicate": 1})


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(sorted(FACT)), inner),
)


@given(st.text() | st.text(alphabet='{}[]":,factsubjeo \n1') | JSON.map(json.dumps))
def test_any_answer_can_be_read(answer: str) -> None:
    parsed = parse_answer(answer, NAMES)
    assert parsed is None or all(isinstance(statement, Statement) for statement in parsed[0])
