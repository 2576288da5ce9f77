"""The clauses of a dependency parse are what the rules' own splitter gives: ranges of the same tokens."""

from __future__ import annotations

import pytest

from lean_memory.extract import Extractor
from lean_memory.extract.clauses import Clause
from lean_memory.extract.parsing import ClauseSplitter, ParseSplitter
from lean_memory.extract.tokens import Token, tokenize
from tests.extract.parse.material import SPLIT, Recorded


@pytest.fixture(scope="module")
def splitter(extractor: Extractor, recorded: Recorded) -> ParseSplitter:
    return ParseSplitter(extractor.english.splitter, recorded)


def shown(toks: list[Token], clause: Clause) -> tuple[list[str], list[str], bool]:
    """Its subjects, its verbs, and whether they are denied."""
    subjects = [*clause.others, *([clause.subject] if clause.subject else [])]
    words = [" ".join(t.low for t in toks[a:b]) for a, b in subjects]
    return words, [verb.lemma for verb in clause.verbs], clause.verbs[-1].neg


def test_a_verb_behind_a_relative_clause_has_the_whole_sentences_subject(splitter: ParseSplitter) -> None:
    toks = tokenize(SPLIT[0])
    clauses = splitter.split(toks)
    assert [shown(toks, clause) for clause in clauses] == [
        (["my sister anna"], ["move"], False),
        (["my sister anna"], ["work"], False),
        (["my sister anna"], ["learn"], False),
    ]
    assert [clause.shared for clause in clauses] == [False, False, True]


def test_a_participle_has_the_subject_of_the_clause_it_opens(splitter: ParseSplitter) -> None:
    toks = tokenize(SPLIT[1])
    assert [shown(toks, clause) for clause in splitter.split(toks)] == [
        (["i"], ["live"], False),
        (["i"], ["speak"], False),
    ]


def test_neither_denies_it_of_both(splitter: ParseSplitter) -> None:
    toks = tokenize(SPLIT[2])
    assert [shown(toks, clause) for clause in splitter.split(toks)] == [(["anna", "tom"], ["eat"], True)]


def test_what_is_thought_stands_under_the_thinking(splitter: ParseSplitter) -> None:
    toks = tokenize(SPLIT[3])
    outer, inner = splitter.split(toks)
    assert (outer.under, inner.under) == (None, 0)
    assert shown(toks, inner) == (["my brother"], ["live"], True)


def test_both_splitters_fill_the_same_port(extractor: Extractor, splitter: ParseSplitter) -> None:
    ports: list[ClauseSplitter] = [extractor.english.splitter, splitter]
    toks = tokenize(SPLIT[1])
    for port in ports:
        for clause in port.split(toks):
            assert 0 <= clause.lo <= clause.verbs[0].start < clause.verbs[-1].end <= clause.hi <= len(toks)
