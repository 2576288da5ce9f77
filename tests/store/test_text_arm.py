"""BM25 over the visible texts: as rank_bm25 has it, for any words, and fixed once the past is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from lean_memory.claims import View
from lean_memory.store import lexical
from lean_memory.store.sqlite import SqliteStore
from lean_memory.store.write import apply
from lean_memory.words import query_terms, tokens
from tests.store.material import a_fact, a_store, a_write

NOW = View(now=1000)
VOCABULARY = [
    "red",
    "green",
    "blue",
    "tea",
    "rum",
    "milk",
    "house",
    "boat",
    "river",
    "stone",
    "walks",
    "sings",
    "reads",
]


def random_texts(seed: int, count: int) -> list[str]:
    chance = random.Random(seed)
    common = [word for nth, word in enumerate(VOCABULARY) for _ in range(20 // (nth + 1) + 1)]
    return [" ".join(chance.choices(common, k=chance.randint(1, 20))) + f" {i}" for i in range(count)]


def oracle(texts: list[str], terms: list[str]) -> dict[str, float]:
    """Okapi BM25 with FTS5's constants; where a term is in half of the texts or more, FTS5's least weight."""
    bm25 = BM25Okapi([tokens(text) for text in texts], k1=1.2, b=0.75)
    holding = {term: sum(term in words for words in bm25.doc_freqs) for term in terms}
    for term, n in holding.items():
        if 2 * n >= len(texts):
            bm25.idf[term] = 1e-6
    scores = bm25.get_scores(terms)
    return {
        text: score
        for text, score, words in zip(texts, scores, bm25.doc_freqs, strict=True)
        if any(term in words for term in terms)
    }


def ranked(store: SqliteStore, terms: list[str], view: View, limit: int = 1000) -> dict[str, float]:
    found = store.sparse(terms, view, limit)
    hits = store.load([item for item, _ in found], view)
    return {hits[item].text: score for item, score in found}


@pytest.mark.parametrize("view", [NOW, View(now=1000, as_of=1000), View(now=1000, known_at=1000)])
@pytest.mark.parametrize("terms", [["tea"], ["red"], ["tea", "red", "boat"], ["nothing", "river"], ["7", "stone"]])
def test_scores_are_those_of_rank_bm25(store: SqliteStore, view: View, terms: list[str]) -> None:
    texts = random_texts(1, 120)
    store.commit([a_write(text) for text in texts])
    found = ranked(store, terms, view)
    assert found == pytest.approx(oracle(texts, terms), rel=1e-9)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_the_past_is_ranked_by_what_was_visible_then(store: SqliteStore) -> None:
    texts = random_texts(2, 60)
    store.commit([a_write(text, said=i) for i, text in enumerate(texts)])
    then = View(now=1000, as_of=29)
    assert ranked(store, ["tea", "red"], then) == pytest.approx(oracle(texts[:30], ["tea", "red"]), rel=1e-9)


def test_later_writes_do_not_change_how_the_past_is_ranked(store: SqliteStore) -> None:
    for i, text in enumerate(random_texts(3, 60)):
        fact = a_fact(object=str(i), text=f"{text} fact", valid=(i, None))
        store.commit([a_write(text, fact, said=i, at=i)])
    views = [View(now=1000, as_of=40), View(now=1000, known_at=40), View(now=1000, as_of=40, kind="fact")]
    queries = [["tea"], ["red", "boat", "fact"], ["milk", "rum"]]
    before = [store.sparse(terms, view, 20) for view in views for terms in queries]
    for i, text in enumerate(random_texts(4, 60), start=60):
        fact = a_fact(object=str(i), text=f"{text} fact tea tea", valid=(i, None))
        store.commit([a_write(f"{text} boat", fact, said=i, at=i)])
    assert [store.sparse(terms, view, 20) for view in views for terms in queries] == before


def test_of_very_many_texts_a_sample_tells_how_many_they_are(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = random_texts(5, 2000)
    with store._db.writing():
        for i, text in enumerate(texts):
            apply(store._db, a_write(text, said=i))
    then = View(now=5000, as_of=1499)
    exact = ranked(store, ["boat", "stone"], then, 5)
    monkeypatch.setattr(lexical, "_TELLING_SAMPLE", 10)
    estimated = ranked(store, ["boat", "stone"], then, 5)
    assert estimated == pytest.approx(exact, rel=0.05)
    assert estimated != exact
    with store._db.writing():
        for i, text in enumerate(random_texts(6, 500), start=2000):
            apply(store._db, a_write(text, said=i))
    assert ranked(store, ["boat", "stone"], then, 5) == estimated


def test_equal_ones_are_ordered_by_id_not_by_arrival(opened: Callable[..., SqliteStore]) -> None:
    writes = [a_write("tea and rum", said=i) for i in range(20)]
    for view in (NOW, View(now=1000, as_of=1000)):
        orders = []
        for name, order in ((f"one {view.as_of}", writes), (f"other {view.as_of}", writes[::-1])):
            store = opened(name)
            store.commit(order)
            found = store.sparse(["tea"], view, 5)
            orders.append([hit.id for hit in store.load([item for item, _ in found], view).values()])
        assert orders[0] == orders[1] == sorted(write.episode.id for write in writes)[:5]


def test_a_word_that_most_texts_hold_decides_nothing(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """So its texts need not be ranked, where the other words find enough."""
    store.commit([a_write(f"tea {text}") for text in random_texts(7, 120)])
    whole = ranked(store, ["tea", "boat", "reads"], NOW, 10)
    monkeypatch.setattr(lexical, "_MANY", 0)
    asked = []
    monkeypatch.setattr(
        lexical, "_best", lambda db, wanted, *rest, real=lexical._best: asked.append(wanted) or real(db, wanted, *rest)
    )
    assert ranked(store, ["tea", "boat", "reads"], NOW, 10) == pytest.approx(whole, abs=1e-5)
    assert asked == [["boat", "reads"]]
    assert len(ranked(store, ["tea", "boat"], NOW, 120)) == 120


def test_an_episode_is_found_by_who_spoke(store: SqliteStore) -> None:
    store.commit([a_write("I like tea", speaker="Żaneta Nowak"), a_write("I like rum", speaker="Ben")])
    assert list(ranked(store, query_terms("what does Zaneta drink"), NOW)) == ["I like tea"]
    assert store.check() == []


@pytest.mark.parametrize(
    "text",
    ["well-known", "O'Brien's", "a/b", r"C:\Users\anna\notes.txt", 'say "hi"', "AND OR NOT NEAR", "x* ^y", "名前は東京",
     "สวัสดี", "🙂 ok", "user@example.org", "1,000.50", "naïve café", "-5"],
)  # fmt: skip
def test_a_text_is_found_by_its_own_words(store: SqliteStore, text: str) -> None:
    store.commit([a_write(f"first {text} last"), a_write("something else")])
    assert next(iter(ranked(store, query_terms(text), NOW))) == f"first {text} last"


SYNTAX = [
    '"',
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "*",
    "^",
    "terms:",
    "{",
    "}",
    "(",
    ")",
    "-",
    "'",
    "\0",
    "\\",
    "a\0b",
    "\ud800",
]


@given(st.lists(st.text(max_size=8) | st.sampled_from(SYNTAX), max_size=8))
@example(["tea" * 100_000])
@example([f"w{i}" for i in range(3000)])
@example(["", " ", "ALSO", "Tea"])
def test_any_text_will_do_as_terms(filled: SqliteStore, terms: list[str]) -> None:
    for view in (NOW, View(now=1000, as_of=1000)):
        found = ranked(filled, terms, view)
        assert len(found) <= 2
        if "Tea" in terms:
            assert "tea" in found


@pytest.fixture(scope="module")
def filled() -> Iterator[SqliteStore]:
    with a_store() as store:
        store.commit([a_write("tea"), a_write("near or not, and also this")])
        yield store


def test_no_terms_find_nothing(store: SqliteStore) -> None:
    store.commit([a_write("tea")])
    for view in (NOW, View(now=1000, as_of=1000), View(now=1000, as_of=-5)):
        assert store.sparse([], view, 5) == []
        assert store.sparse(["  "], view, 5) == []
        assert store.sparse(["rum"], view, 5) == []
    assert store.sparse(["tea"], View(now=1000, as_of=-5), 5) == []
    assert store.sparse(["tea"], NOW, 0) == []
