"""What a caller of the extractor can rely on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from lean_memory.extract import Extractor, default_table, load_table
from lean_memory.records import Episode, Note, episode_id, fact_id
from tests.extract.material import SAID_AT, written

Say = Callable[..., Episode]


def test_the_note_passes_through(extractor: Extractor) -> None:
    note = Note(
        text="I work at Acme", t_ref=SAID_AT, tz="+02:00", source="mail", speaker="Imani", session="s1",
        meta={"a": 1}, extra={"b": 2},
    )  # fmt: skip
    episode = extractor.episode(note)
    for name in ("text", "t_ref", "tz", "source", "speaker", "session", "meta", "extra"):
        assert getattr(episode, name) == getattr(note, name)
    assert episode.id == episode_id(note)


def test_a_fact_says_where_it_comes_from(say: Say) -> None:
    text = "Hi! My sister Anna moved to Bern last week. Lucky her."
    fact = next(f for f in say(text).facts if f.predicate == "lives_in")
    assert fact.id == fact_id("Anna", "lives_in", "Bern")
    assert text[slice(*fact.span)] == fact.quote == "My sister Anna moved to Bern last week"
    assert (fact.time_text, fact.route, fact.relation) == ("last week", "rules", "asserts")


def test_the_text_reads_right_alone(say: Say) -> None:
    told = {
        "I work at Acme": "user works at Acme",
        "My brother used to be a miner": "user's brother worked as a miner",
        "I've been married to Otto since 2018": "user is married to Otto (since 2018)",
        "I lived in Paris until 2023": "user lived in Paris (until 2023)",
        "Anna doesn't speak Welsh": "Anna does not speak Welsh",
        "I've never been to Japan": "user has not visited Japan",
        "Yesterday Ben bought a kayak": "Ben bought kayak (9 March 2026)",
        "I'm allergic to latex": "user is allergic to latex",
        "我在腾讯工作": "user在腾讯工作",
    }
    for text, sentence in told.items():
        assert sentence in [f.text for f in say(text).facts], text


def test_we_and_i_are_the_speaker(say: Say) -> None:
    assert [f.subject for f in say("We live in Oslo", speaker="Imani").facts] == ["Imani"]
    assert [f.subject for f in say("We live in Oslo").facts] == ["user"]


def test_saying_it_twice_in_a_turn_is_one_fact(say: Say) -> None:
    facts = say("I live in Oslo. Yes, I live in Oslo, since 2020.").facts
    assert [written(f) for f in facts] == ["user | lives_in | Oslo | from 2020-01-01"]


def test_dates_count_in_the_zone_of_the_note(say: Say) -> None:
    midnight = SAID_AT // 86_400_000 * 86_400_000  # 10 March, 00:00 UTC
    fact = say("I joined the chess club yesterday", t_ref=midnight, tz="+05:00").facts[0]
    assert fact.valid_at == midnight - 29 * 3_600_000  # 9 March, 00:00 at +05:00


def test_what_matters_more_weighs_more(say: Say) -> None:
    def weight(text: str) -> float:
        return say(text).facts[0].salience

    assert weight("I'm allergic to peanuts") > weight("I bought a kayak")
    assert weight("Remember: I work at Acme") > weight("I work at Acme")
    assert weight("I work at Acme") > weight("I used to work at Acme")
    assert 0 <= weight("Remember, this is important: I'm allergic to peanuts") <= 10


def test_what_was_guessed_is_less_sure(say: Say) -> None:
    def sure(text: str) -> float:
        return next(f.confidence for f in say(text).facts if f.predicate == "works_at")

    assert sure("I work at Acme") > sure("Met Zoe today. She works at Acme") > sure("Zoe said she works at Acme")


def test_a_users_table_adds_its_own_words() -> None:
    own = """
        [works_at]
        phrases = ["slave away at {o}"]

        [rides_with]
        object = "person"
        text = "{s} [ride] with {o}"
        phrases = ["carpool with {o}"]
    """
    text = (default_table(), load_table(_packaged(), own))[1]
    extractor = Extractor(text)

    def facts(said: str) -> list[str]:
        return [written(f) for f in extractor.episode(Note(text=said, t_ref=SAID_AT)).facts]

    assert facts("I slave away at Acme") == ["user | works_at | Acme"]
    assert facts("I carpool with Anna") == ["user | rides_with | Anna"]
    assert facts("I work at Acme") == ["user | works_at | Acme"]


def test_code_and_quoted_mail_are_not_the_writers_words(say: Say) -> None:
    assert say("```\nI live in Rome\n```").facts == ()
    assert [f.object for f in say("> I live in Rome\n\nI live in Milan.").facts] == ["Milan"]


def test_importing_is_light() -> None:
    code = "import sys, lean_memory.extract; print(*(m in sys.modules for m in ('dateparser', 'numpy')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["False", "False"]


def _packaged() -> str:
    from importlib import resources

    return resources.files("lean_memory.extract").joinpath("predicates.toml").read_text(encoding="utf-8")
