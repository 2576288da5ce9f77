"""The four passes over one note, with models that say what the test has them say."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.extract import Extractor
from lean_memory.extract.passes import Passes
from lean_memory.records import Episode, Fact, Note
from lean_memory.wire import Line, decode_episode, encode
from tests.extract.passes.material import T_REF, Finder, Writer, note, out_of_order

UNREAD = "Anna bakes for Acme these days."


def answer(**fields: Any) -> str:
    fact = {"negated": False, "ended": False, "time": None, **fields}
    return json.dumps({"facts": [fact]})


def said(facts: tuple[Fact, ...]) -> list[tuple[str, str, str, str]]:
    return [(fact.subject, fact.predicate, fact.object, fact.route) for fact in facts]


@pytest.mark.parametrize("text", ["I work at Acme.", "My sister Anna lives in Berlin. She is a nurse.", "Hi!", ""])
def test_without_models_it_is_the_rules_to_the_byte(extractor: Extractor, text: str) -> None:
    assert encode(Passes(extractor).episode(note(text))) == encode(extractor.episode(note(text)))


def test_without_models_nothing_of_them_is_loaded() -> None:
    code = (
        "import sys\n"
        "from lean_memory.extract import Extractor\nfrom lean_memory.extract.passes import Passes\n"
        "from lean_memory.records import Note\n"
        "from lean_memory.backends.passes import choose_finder, choose_generator\n"
        "passes = Passes(Extractor(), finder=choose_finder({}).model, generator=choose_generator({}).model)\n"
        "passes.episode(Note(text='I work at Acme.', t_ref=0))\n"
        "heavy = {'gliner2', 'torch', 'transformers', 'ollama', 'httpx', 'xllamacpp', 'lean_memory.extract.typing',\n"
        "         'lean_memory.extract.frames', 'lean_memory.backends.gguf', 'lean_memory.backends.ollama_client'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_sure_candidate_becomes_a_fact_of_its_route(extractor: Extractor) -> None:
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.9)))
    [fact] = passes.episode(note(UNREAD)).facts
    assert (fact.subject, fact.predicate, fact.object, fact.route) == ("Anna", "works_at", "Acme", "gliner")
    assert (fact.text, fact.confidence, fact.polarity) == ("Anna works at Acme", 0.9, "positive")
    assert UNREAD[slice(*fact.span)] == fact.quote
    assert passes.stats.facts == {"gliner": 1}


def test_the_finder_is_given_the_table_as_its_schema(extractor: Extractor) -> None:
    finder = Finder()
    Passes(extractor, finder=finder).episode(note(UNREAD))
    [(text, relations)] = finder.asked
    assert text == UNREAD
    assert {r.name: r.description for r in relations}["works_at"] == "person works at org"
    assert "about" not in {r.name for r in relations}


@pytest.mark.parametrize("head", ["my sister", "My sister"])
def test_a_relative_of_a_candidate_is_not_the_user(extractor: Extractor, head: str) -> None:
    text = f"{head} bakes for Acme these days."
    facts = Passes(extractor, finder=Finder((head, "works_at", "Acme", 0.9))).episode(note(text)).facts
    assert ("user's sister", "works_at", "Acme", "gliner") in said(facts)


def test_the_language_model_settles_what_the_rules_could_not(extractor: Extractor) -> None:
    text = "Anna moved in with us. They are allergic to nuts."
    writer = Writer(answer(subject="Anna", predicate="allergic_to", object="nuts", quote="They are allergic to nuts"))
    passes = Passes(extractor, finder=Finder(("They", "allergic_to", "nuts", 0.9)), generator=writer)
    facts = passes.episode(note(text)).facts
    assert ("Anna", "allergic_to", "nuts") in [(f.subject, f.predicate, f.object) for f in facts]


def test_its_facts_carry_their_route_and_why_they_were_asked_about(extractor: Extractor) -> None:
    writer = Writer(answer(subject="Anna", predicate="works_at", object="Acme", quote="Anna bakes for Acme"))
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=writer)
    [fact] = passes.episode(note(UNREAD)).facts
    assert (fact.route, fact.extra) == ("llm", {"escalated": "uncovered"})
    assert passes.stats.escalated == {"uncovered": 1}


@pytest.mark.parametrize(
    "statement",
    [
        {"subject": "Anna", "predicate": "works_at", "object": "Bolt", "quote": "Anna bakes for Acme"},
        {"subject": "Anna", "predicate": "works_at", "object": "Acme", "quote": "Anna works for Acme"},
        {"subject": "user", "predicate": "works_at", "object": "Acme", "quote": "Anna bakes for Acme"},
        {"subject": "Tom", "predicate": "works_at", "object": "Acme", "quote": "Anna bakes for Acme"},
        {"subject": "Anna", "predicate": "rules_over", "object": "Acme", "quote": "Anna bakes for Acme"},
        {"subject": "", "predicate": "works_at", "object": "Acme", "quote": "Anna bakes for Acme"},
    ],
)
def test_what_the_text_does_not_bear_out_is_refused_and_counted(
    extractor: Extractor, statement: dict[str, Any]
) -> None:
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=Writer(answer(**statement)))
    assert passes.episode(note(UNREAD)).facts == extractor.episode(note(UNREAD)).facts
    assert sum(passes.stats.refused.values()) + passes.stats.malformed > 0


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Anna doesn't bake for Acme.", "Anna doesn't bake for Acme"),
        ("Does Anna bake for Acme? She bakes for Bolt.", "Does Anna bake for Acme"),
        ("If Anna bakes for Acme, fine. She bakes for Bolt.", "Anna bakes for Acme"),
        ('Tom said "Anna bakes for Acme" and he bakes for Bolt.', "Anna bakes for Acme"),
        ("Anna will bake for Acme.", "Anna will bake for Acme"),
    ],
)
def test_a_model_can_not_assert_what_the_words_deny_ask_or_suppose(extractor: Extractor, text: str, quote: str) -> None:
    finder = Finder(
        ("Anna", "works_at", "Acme", 0.6), ("She", "works_at", "Bolt", 0.6), ("he", "works_at", "Bolt", 0.6)
    )
    writer = Writer(answer(subject="Anna", predicate="works_at", object="Acme", quote=quote))
    facts = Passes(extractor, finder=finder, generator=writer).episode(note(text)).facts
    assert not [f for f in facts if f.object == "Acme" and f.polarity == "positive" and f.valid_to is None]


def test_what_is_over_by_the_words_is_over_whatever_the_model_says(extractor: Extractor) -> None:
    text = "Anna used to bake for Acme."
    writer = Writer(answer(subject="Anna", predicate="works_at", object="Acme", quote="Anna used to bake for Acme"))
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.9)), generator=writer)
    assert all(fact.valid_to == T_REF for fact in passes.episode(note(text)).facts)
    assert passes.stats.facts["llm"] == 1


def test_a_date_is_read_from_the_words_not_from_the_model(extractor: Extractor) -> None:
    text = "Anna bakes for Acme since January 2024."
    writer = Writer(
        answer(
            subject="Anna", predicate="works_at", object="Acme", quote="Anna bakes for Acme", time="since January 2024"
        )
    )
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=writer)
    [fact] = passes.episode(note(text)).facts
    assert (fact.time_text, fact.valid_at) == ("since January 2024", 1_704_067_200_000)
    writer = Writer(
        answer(subject="Anna", predicate="works_at", object="Acme", quote="Anna bakes for Acme", time="2019-01-01")
    )
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=writer)
    [fact] = passes.episode(note(text)).facts
    assert (fact.time_text, fact.valid_at) == (None, T_REF)


MALFORMED = [
    "",
    "I'm sorry, I can't.",
    "{",
    '{"facts": "none"}',
    "[1, 2]",
    '{"facts": [{"subject": "Anna"}]}',
    "NaN",
    "[" * 99999,
]


@pytest.mark.parametrize("words", MALFORMED)
def test_a_malformed_answer_is_asked_for_again_then_the_rules_stand(extractor: Extractor, words: str) -> None:
    text = "I live in Berlin. " + UNREAD
    writer = Writer(words)
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=writer)
    assert passes.episode(note(text)).facts == extractor.episode(note(text)).facts
    stats = passes.stats
    assert (stats.malformed, stats.retries, stats.fallbacks, len(writer.prompts)) == (2, 1, 1, 2)


def test_a_second_answer_that_is_right_counts(extractor: Extractor) -> None:
    good = answer(subject="Anna", predicate="works_at", object="Acme", quote="Anna bakes for Acme")
    passes = Passes(
        extractor,
        finder=Finder(("Anna", "works_at", "Acme", 0.6)),
        generator=Writer("Sure!", f"Here:\n```json\n{good}\n```"),
    )
    assert said(passes.episode(note(UNREAD)).facts) == [("Anna", "works_at", "Acme", "llm")]
    assert (passes.stats.malformed, passes.stats.fallbacks) == (1, 0)


def test_a_model_that_is_away_costs_its_help_and_no_turn(extractor: Extractor) -> None:
    writer = Writer(out_of_order())
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=writer)
    for _ in range(10):
        assert passes.episode(note("I live in Berlin. " + UNREAD)).facts
    assert (passes.stats.failures, passes.stats.fallbacks, passes.stats.episodes) == (3, 10, 10)
    assert len(writer.prompts) == 3, "it is asked no more after three failures in a row"
    assert passes.stats.told == "no answer came; start it"


def test_a_finder_that_fails_costs_its_help_and_no_turn(extractor: Extractor) -> None:
    class Broken(Finder):
        def candidates(self, *_: Any) -> Any:
            raise out_of_order()

    passes = Passes(extractor, finder=Broken())
    assert passes.episode(note("I live in Berlin.")).facts == extractor.episode(note("I live in Berlin.")).facts
    assert passes.stats.failures == 1


def test_what_a_mask_hides_is_in_no_prompt(extractor: Extractor) -> None:
    writer = Writer('{"facts": []}')
    passes = Passes(
        extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)), generator=writer,
        mask=lambda text: text.replace("hunter2", "[masked]"),
    )  # fmt: skip
    passes.episode(note("The horse is hunter2 and Anna bakes for Acme."))
    assert "[masked]" in writer.prompts[0]
    assert "hunter2" not in writer.prompts[0]


def test_secrets_are_masked_for_a_model_also_where_the_episode_keeps_them() -> None:
    writer = Writer('{"facts": []}')
    finder = Finder(("Anna", "works_at", "Acme", 0.6))
    passes = Passes(Extractor(mask=False), finder=finder, generator=writer)
    secret = "sk-" + "a1B2c3D4" * 5
    assert secret in passes.episode(note(f"The api key is {secret} and Anna bakes for Acme.")).text
    assert writer.prompts
    assert not [prompt for prompt in writer.prompts if secret in prompt]


def test_recalled_text_makes_no_facts_by_any_pass(extractor: Extractor) -> None:
    text = f"<recalled-memory>\n{UNREAD}\n</recalled-memory>\nShe is allergic to nuts."
    writer = Writer(answer(subject="Anna", predicate="works_at", object="Acme", quote="Anna bakes for Acme"))
    finder = Finder(("Anna", "works_at", "Acme", 1.0))
    passes = Passes(extractor, finder=finder, generator=writer)
    assert "Acme" not in {fact.object for fact in passes.episode(note(text)).facts}
    assert sum(passes.stats.refused.values()) == 1


def test_the_statistics_are_one_record(extractor: Extractor) -> None:
    passes = Passes(extractor, finder=Finder(("Anna", "works_at", "Acme", 0.6)))
    passes.episode(note("I live in Berlin. " + UNREAD))
    record = passes.stats.record()
    assert (record["type"], record["facts"], record["escalated"]) == ("report", {"rules": 1}, {"uncovered": 1})
    assert record["escalated_share"] == 0.5
    json.dumps(record)


def test_what_would_escalate_is_counted_without_models_when_asked_for(extractor: Extractor) -> None:
    passes = Passes(extractor, count=True)
    passes.episode(note("She is allergic to nuts."))
    assert passes.stats.escalated == {"unresolved": 1}


@given(text=st.text(max_size=80), words=st.text(max_size=200))
def test_no_text_and_no_answer_breaks_it(extractor: Extractor, text: str, words: str) -> None:
    passes = Passes(extractor, generator=Writer(words), count=True)
    episode = passes.episode(note("She is allergic to nuts. " + text))
    for fact in episode.facts:
        assert episode.text[slice(*fact.span)] == fact.quote
    line = encode(episode) if text.isascii() else None
    if line:
        assert decode_episode(Line(1, 0, line.rstrip(b"\n")).object()).facts == episode.facts


def test_a_fault_of_the_rules_costs_no_note(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = Extractor()
    read = extractor.episode

    def faulty(note: Note) -> Episode:
        if "boom" in note.text:
            raise IndexError("boom")
        return read(note)

    monkeypatch.setattr(extractor, "episode", faulty)
    passes = Passes(extractor)
    kept, after = (passes.episode(Note(text=text, t_ref=0)) for text in ("boom, I live in Rome", "I live in Oslo"))
    assert (kept.text, kept.facts) == ("boom, I live in Rome", ())
    assert [fact.object for fact in after.facts] == ["Oslo"]
    assert passes.stats.failures == 1
    assert "please report it" in (passes.stats.told or "")
