"""Any text is a question, with any filter: it is answered, no character of it is syntax, and nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory import Memory
from lean_memory.claims import View
from lean_memory.limits import FIRST, LAST
from lean_memory.records import Note
from lean_memory.settings import Settings
from lean_memory.wire import encode
from tests.fuzz.often import often
from tests.wire import strategies as some

pytestmark = pytest.mark.slow

SAID = 1_767_225_600_000
TEXTS = (
    "I live in Leeds.", "My sister Nora works at the zoo.", "I don't like mushrooms", "C:\\Users\\nora\\notes.txt",
    'well-known AND "quoted" NEAR(5)', "我在柏林工作。", "naïve café ☕", "e\u0301t\u00e9",
    "-- DROP TABLE facts;", "a\0b",
    "email nora@example.com, +44 20 7946 0000", "ﬁne ǅ ß İstanbul", "👩‍👩‍👧 family",
)  # fmt: skip
PIECES = (
    "NEAR", "AND", "OR", "NOT", '"', "'", "*", "^", ":", "(", ")", "{", "}", "-", "+", "words:", "rowid", ";", "--",
    "%", "_", "\\", "/", "\0", "\ufeff", "\u200b", "\u0301", "leeds", "Nora", "zoo", "where", "did", "before",
    "yesterday",
    "9999", "我", "柏林", "ไทย", "한국", "👩", "\u202e", ".", "?", "1" * 50, "my sister",
)  # fmt: skip
queries = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=10).map(" ".join) | some.texts
names = st.none() | st.sampled_from(["user", "Nora", "NORA", "", "%", "\0", "zoo' OR 1=1 --"]) | st.text(max_size=8)
times = st.none() | st.sampled_from([SAID, SAID - 1, SAID + 10**10, FIRST, LAST]) | some.instants
views = st.builds(
    View,
    now=some.instants, as_of=times, known_at=times, kind=st.sampled_from(["any", "fact", "episode"]), subject=names,
    predicate=names, since=times, until=times, ended=st.booleans(), include_cold=st.booleans(),
)  # fmt: skip


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    settings = Settings.from_environ({"LM_BACKENDS": "stub", "LM_USAGE": "off"}, root=tmp_path_factory.mktemp("memory"))
    with Memory(settings=settings) as memory:
        extractor = memory.extractor()
        notes = [Note(text=text, t_ref=SAID + number) for number, text in enumerate(TEXTS)]
        memory.store("work", [extractor.episode(note) for note in notes])
        yield memory


@often(0.5)
@given(queries, views, st.integers(1, 30), st.booleans(), st.booleans())
def test_any_question_with_any_filter(
    memory: Memory, query: str, view: View, k: int, explain: bool, model: bool
) -> None:
    before = [encode(change) for change in memory.history("work")]
    hits = memory.search("work", query, k=k, view=view, explain=explain, model=model)
    assert len(hits) <= k
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    visible = {hit.id for hit in memory.visible("work", replace(view, ended=True))}
    assert {hit.id for hit in hits} <= visible
    assert len({(hit.kind, hit.id) for hit in hits}) == len(hits)
    assert [encode(change) for change in memory.history("work")] == before


@often(0.5)
@given(queries)
def test_the_words_of_a_text_find_it(memory: Memory, query: str) -> None:
    """What is stored is found by itself, whatever it is made of."""
    for text in TEXTS:
        hits = memory.search("work", f"{text} {query}", k=30, model=False, view=View(now=SAID + 1000, kind="episode"))
        assert any(hit.text == text for hit in hits)


@often(0.5)
@given(queries, st.lists(some.texts, max_size=5))
def test_records_in_a_pipe(memory: Memory, query: str, texts: list[str]) -> None:
    extractor = memory.extractor()
    episodes = [extractor.episode(Note(text=text, t_ref=SAID + number)) for number, text in enumerate(texts)]
    hits = memory.rank_episodes(query, episodes, k=5, explain=True)
    assert len(hits) <= 5
