"""The real pipeline, where the extra [parse] is installed."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy", reason="the extra [parse] is not installed")

from lean_memory.backends.spacy_parse import SpacyParser
from lean_memory.extract import Extractor
from lean_memory.records import Note
from tests.extract.material import SAID_AT, written


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    return SpacyParser()


def test_a_parse_has_a_word_for_each_word_and_is_the_same_again(parser: SpacyParser) -> None:
    words = "The company I work for is Acme .".split()
    parse = parser.parse(words)
    assert len(parse) == len(words)
    assert (parse[3].tag, parse[3].dep, parse[3].head) == ("VBP", "relcl", 1)
    assert parse == parser.parse(words)
    assert parser.parse([]) == []
    assert parser.name.startswith("spacy:en_core_web_sm")


def test_words_that_are_no_words_are_parsed_too(parser: SpacyParser) -> None:
    for words in (["🙂"], ["\u200b", "\ufffd"], ["a"] * 300):
        assert len(parser.parse(words)) == len(words)


def test_facts_are_read_through_it(parser: SpacyParser) -> None:
    extractor = Extractor(parser=parser)
    episode = extractor.episode(Note(text="Porto is the city that Anna lives in. And I like figs.", t_ref=SAID_AT))
    assert "Anna | lives_in | Porto" in [written(fact) for fact in episode.facts]
    assert extractor.trouble is None
