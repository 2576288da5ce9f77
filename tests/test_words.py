"""What counts as a word when searching."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lean_memory.backends import minilm
from lean_memory.words import MAX_TERMS, STOP_WORDS, held_terms, query_terms, tokens


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("gdansk", "Gdańsk"),
        ("LODZ", "Łódź"),
        ("strasse", "Straße"),
        ("ελλαδα", "Ελλάδα"),
        ("елка", "Ёлка"),
        ("cafe", "café’s"),
        ("résumé", "resume"),
        ("istanbul", "İstanbul"),
        ("123", "１２３"),
        ("34", "٣٤"),
        ("memory", "memories"),
        ("hike", "hiking"),
        ("Ilka", "Ilka's"),
        ("Ilka's", "Ilka"),
        ("dont", "don’t"),
        ("obrien", "O'Brien"),
        ("arte", "l'arte"),
        ("anna", "anna@example.org"),
        ("example", "anna@example.org"),
        ("1234567", "+49-170-1234567"),
        ("2000", "2,000"),
        ("5 May", "May 5th"),
        ("foo", "foo_bar/baz"),
        ("bar baz", "foo_bar/baz"),
        ("users", r"C:\Users\anna"),
        ("coop", "co\u00adop"),
        ("東京", "東京都に住む"),
        ("猫", "私の猫"),
        ("住む", "東京都に住む"),
        ("ガ", "ｶﾞｽ"),
        ("แมว", "แมวเหมียว"),
        ("고양이", "고양이가 있다"),
        ("집", "집에"),
        ("भाषा", "हिन्दी भाषा"),
        ("🍕", "I like 🍕!"),
    ],
)
def test_a_query_finds_the_text_however_it_is_written(asked: str, stored: str) -> None:
    assert set(query_terms(asked)) <= set(tokens(stored))
    assert query_terms(asked)


@pytest.mark.parametrize(
    ("one", "other"),
    [("version 3.10", "version 3.11"), ("Anna", "Hanna"), ("हाल", "हिल"), ("มา", "ม้า"), ("ハ", "バ")],
)
def test_words_that_differ_in_meaning_stay_apart(one: str, other: str) -> None:
    assert tokens(one) != tokens(other)


def test_unspaced_scripts_are_pairs_of_letters_and_single_letters_for_queries_of_one() -> None:
    assert tokens("東京都") == ["東", "東京", "京", "京都", "都"]
    assert query_terms("東京都") == ["東京", "京都"]
    assert query_terms("都") == ["都"]


def test_contractions_are_the_word_they_hang_on() -> None:
    assert tokens("I'll we're she'd they've I'm what's") == ["i", "we", "she", "they", "i", "what"]


def test_a_query_keeps_its_telling_words() -> None:
    assert query_terms("Where does Anna's sister work, and does Anna?") == ["anna", "sister", "work"]
    assert query_terms("What did I do in May?") == ["may"]


def test_a_query_of_stop_words_alone_keeps_them() -> None:
    assert query_terms("Who am I?") == ["who", "am", "i"]


def test_a_long_query_keeps_its_longest_words_in_order() -> None:
    terms = query_terms(" ".join(f"{n:0{n % 7 + 1}d}x" for n in range(1000, 4000)) + " Reykjavik")
    assert len(terms) == MAX_TERMS
    assert terms[-1] == "reykjavik"
    assert min(map(len, terms)) > 4


def test_a_word_without_end_is_cut() -> None:
    assert [len(token) for token in tokens("x" * 1_000_000 + " 東" + "é" * 1000)] == [64, 1, 64]


@pytest.mark.parametrize(
    "text", ["", " ", "!?", '"', "* AND ( NEAR", "\0", "\ud800", "'", "’’", "_", "\u0301", "\u200d"]
)
def test_text_without_words_or_with_syntax_is_no_trouble(text: str) -> None:
    assert all(token.isalnum() for token in tokens(text))
    query_terms(text)


@given(st.text() | st.text(alphabet="aé'’_-,1. 東ก्हיִ😀\ud800\0"))
@example("ก‘ก")  # an apostrophe between words that need no space is no word
def test_tokens_can_not_be_query_syntax(text: str) -> None:
    for token in tokens(text) + query_terms(text):
        assert token
        assert not re.search(r"[\x00-/:-@\[-`{-\x7f]", token)
        assert not re.search(r"[A-Z]", token)
        token.encode()


SUFFIXES = ["s", "ies", "ed", "ing", "ly", "'s", "ational", "ization", "fulness", "biliti", "ability", "ousness", "ism"]
WORDS = st.builds("".join, st.tuples(st.text("abdeilnorsty", min_size=1, max_size=6), st.sampled_from(SUFFIXES)))
ODD_ONES = st.sampled_from(["dying", "skies", "l'arte", "2,000", "5th", "don't"])
TEXTS = st.lists(WORDS | ODD_ONES).map(" ".join) | st.text()


@given(TEXTS, TEXTS)
def test_the_terms_that_a_text_holds_are_among_its_tokens(text: str, other: str) -> None:
    for asked in (tokens(text + " " + other), query_terms(other)):
        assert held_terms(text, frozenset(asked)) == {*asked} & {*tokens(text)}


def test_every_english_word_holds_its_own_stem() -> None:
    words = [word for word in minilm._VOCABULARY.read_text("utf-8").split() if word.isalpha()]
    assert len(words) > 20_000
    assert [word for word in words if held_terms(word, frozenset(tokens(word))) != {*tokens(word)}] == []


@given(st.text())
def test_what_is_stored_is_found_by_itself(text: str) -> None:
    assert set(query_terms(text)) <= set(tokens(text))


@given(st.text(), st.text())
def test_lines_are_read_one_by_one(one: str, other: str) -> None:
    assert tokens(f"{one}\n{other}") == tokens(one) + tokens(other)


@given(st.text(alphabet="éàçñöüßøłžА́БЁλώ東京ก็の हि1٣ "))
def test_folding_twice_changes_nothing(text: str) -> None:
    folded = [token for token in tokens(text) if not token.isascii()]
    pairs = {token for token in folded if len(token) > 1}
    assert pairs <= set(tokens(" ".join(folded)))


def test_the_stemmer_is_snowballs() -> None:
    import snowballstemmer

    words = ["running", "memories", "hopping", "generously", "skies", "dying", "evening", "ties", "national"]
    assert tokens(" ".join(words)) == snowballstemmer.stemmer("english").stemWords(words)


def test_other_languages_stemmers_are_not_imported() -> None:
    code = "import sys; from lean_memory.words import tokens; tokens('memories'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.endswith("_stemmer")] == ["lean_memory_snowball.english_stemmer"]


def test_stop_words_are_folded_and_no_month() -> None:
    assert [word for word in STOP_WORDS if not re.fullmatch("[a-z]+", word)] == []
    assert not STOP_WORDS & {"may", "march"}
