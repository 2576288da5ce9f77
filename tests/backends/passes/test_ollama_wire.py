"""The real ollama client against a server that answers as recorded, or badly: whole passes, so no turn is lost."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from lean_memory.backends.ollama_client import Ollama
from lean_memory.errors import BackendUnavailable
from lean_memory.extract import Extractor
from lean_memory.extract.passes import Passes
from lean_memory.records import Note
from tests.backends.passes.wire import Answer, chat, server

pytest.importorskip("ollama", reason="the extra [llm] is not installed")

SCHEMA = {"type": "object"}
TEXT = "I live in Berlin. She is allergic to nuts, Anna is."
STATEMENT = {
    "subject": "Anna", "predicate": "allergic_to", "object": "nuts", "quote": "She is allergic to nuts",
    "negated": False, "ended": False, "time": None,
}  # fmt: skip
GOOD = json.dumps({"facts": [STATEMENT]})


def turn(host: str, **options: Any) -> tuple[Passes, list[tuple[str, str, str]]]:
    model = Ollama("small", host=host, sleep=lambda _: None, **options)
    passes = Passes(Extractor(), generator=model)
    episode = passes.episode(Note(text=TEXT, t_ref=1_772_582_400_000))
    return passes, [(fact.subject, fact.predicate, fact.route) for fact in episode.facts]


RULES = ("user", "lives_in", "rules")
TYPED = ("Anna", "allergic_to", "llm")


def test_the_request_holds_the_model_to_the_schema_at_temperature_zero() -> None:
    with server(lambda _: chat("{}")) as (host, asked):
        assert Ollama("small", host=host).generate("Say it.", SCHEMA) == "{}"
    [request] = asked
    assert (request["path"], request["model"], request["stream"]) == ("/api/chat", "small", False)
    assert request["format"] == SCHEMA
    assert request["messages"] == [{"role": "user", "content": "Say it."}]
    assert (request["options"]["temperature"], request["options"]["seed"]) == (0, 0)


@pytest.mark.parametrize(
    "words",
    [
        GOOD,
        f"Sure! Here are the facts:\n```json\n{GOOD}\n```\nAnything else?",
        f"<think>{{maybe}}</think>{GOOD}",
        json.dumps([STATEMENT]),
        GOOD[:-2] + ', {"subject": "An',  # cut short
    ],
)
def test_a_right_answer_is_read_however_it_is_wrapped(words: str) -> None:
    with server(lambda _: chat(words)) as (host, _):
        passes, facts = turn(host)
    assert facts == [RULES, TYPED]
    assert passes.stats.malformed == 0


@pytest.mark.parametrize("words", ["", "I can't help with that.", '{"facts": [{"subject": "Anna"}]}', "{{{{"])
def test_a_malformed_answer_leaves_the_rules_reading(words: str) -> None:
    with server(lambda _: chat(words)) as (host, asked):
        passes, facts = turn(host)
    assert facts == [RULES]
    assert (passes.stats.malformed, passes.stats.fallbacks, len(asked)) == (2, 1, 2)


@pytest.mark.parametrize(
    "bad",
    [
        (500, b'{"error": "out of memory"}'),
        (503, b"busy"),
        (429, b"slow down"),
        (200, b"<html>not it</html>"),
        (200, b""),
    ],
)
def test_what_fails_for_a_moment_is_asked_again(bad: Answer) -> None:
    answers = iter([bad, bad, chat(GOOD)])
    with server(lambda _: next(answers)) as (host, asked):
        passes, facts = turn(host)
    assert (facts, len(asked), passes.stats.failures) == ([RULES, TYPED], 3, 0)


@pytest.mark.parametrize("status", [500, 503])
def test_what_fails_for_good_leaves_the_rules_reading(status: int) -> None:
    with server(lambda _: (status, b'{"error": "out of memory"}')) as (host, asked):
        passes, facts = turn(host)
    assert (facts, len(asked), passes.stats.failures, passes.stats.fallbacks) == ([RULES], 3, 1, 1)
    assert "out of memory" in (passes.stats.told or "")


def test_a_missing_model_is_asked_for_once_and_the_way_to_get_it_named() -> None:
    with (
        server(lambda _: (404, b'{"error": "model not found"}')) as (host, asked),
        pytest.raises(BackendUnavailable, match="no model small") as error,
    ):
        Ollama("small", host=host).generate("Say it.", SCHEMA)
    assert len(asked) == 1
    assert error.value.hint == "fetch it with: ollama pull small"


def test_a_server_that_is_too_slow_is_not_waited_for_twice() -> None:
    done = threading.Event()

    def slow(_: dict[str, Any]) -> Answer:
        done.wait(30)
        return chat(GOOD)

    with server(slow) as (host, asked):
        passes, facts = turn(host, timeout=0.2)
        done.set()
    assert (facts, len(asked), passes.stats.fallbacks) == ([RULES], 1, 1)


def test_no_server_is_a_failure_that_names_the_host() -> None:
    with server(lambda _: chat("")) as (host, _):
        pass  # nobody listens there any more
    passes, facts = turn(host)
    assert facts == [RULES]
    assert host in (passes.stats.told or "")


def test_a_proxy_of_the_environment_never_sees_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(lambda _: chat("elsewhere")) as (proxy, seen), server(lambda _: chat("{}")) as (host, _):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy)
        assert Ollama("small", host=host).generate("Say it.", SCHEMA) == "{}"
    assert seen == []


def test_warm_loads_the_model_and_says_when_it_is_not_there() -> None:
    with server(lambda _: chat("")) as (host, asked):
        Ollama("small", host=host).warm()
    assert asked[0]["messages"] == []
    with pytest.raises(BackendUnavailable, match="gave no answer"):
        Ollama("small", host=host, sleep=lambda _: None).warm()
