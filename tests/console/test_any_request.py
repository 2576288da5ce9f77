"""Whatever is asked, the console answers, says what is wrong, and changes nothing that it was not told to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.console.process import REST, Console
from tests.fuzz.often import often
from tests.review.test_pipes import statuses

ANSWERS = {200, 400, 404, 413}


@pytest.fixture(scope="module")
def open_console(made: Path) -> Iterator[Console]:
    with Console(made) as running:
        yield running


texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["", "work", "0", "-1", "9" * 30, "1e9", "%00", "any", "../work", "a\0b", "²"]),
)
PARTS = ("review", "search", "timeline", "activity", "namespaces", "source")
queries = st.dictionaries(
    st.sampled_from(["n", "q", "day", "cold", "status", "entity", "fact", "x"]), texts, max_size=4
)
values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


@often(0.6)
@given(st.sampled_from(PARTS), queries, st.text(max_size=10))
def test_any_page(open_console: Console, part: str, query: dict[str, str], language: str) -> None:
    asked = urlencode(query, errors="surrogatepass")
    language = quote(language, safe=",;=", errors="surrogatepass")
    answer = open_console.ask(f"/part/{part}?{asked}", headers={"Accept-Language": language})
    assert answer.status in ANSWERS, answer.text


decisions = st.fixed_dictionaries({}, optional={"proposal": values, "verdict": values, "edits": values, "type": values})
bodies = st.one_of(
    values,
    st.fixed_dictionaries({"decisions": st.one_of(values, st.lists(decisions, max_size=2))}),
    st.fixed_dictionaries({}, optional={"apply": values.filter(lambda one: one is not True), "fact": values}),
    st.fixed_dictionaries(
        {}, optional={"query": texts, "k": values, "as_of": values, "kind": values, "subject": values}
    ),
)
ACTS = ("/part/decide?n=work", "/part/maintain?n=work", "/part/promote?n=work", f"{REST}/search", "/v1/gone/search")


@often(0.8)
@given(st.sampled_from(ACTS), bodies)
def test_any_body(open_console: Console, made: Path, path: str, body: Any) -> None:
    answer = open_console.ask(path, body)
    assert answer.status in ANSWERS or body is None, answer.text


def test_after_all_that_nothing_was_decided(open_console: Console, made: Path) -> None:
    assert set(statuses(made).values()) == {("pending", None)}
    assert open_console.ask("/part/review?n=work").status == 200
    assert [path.name for path in (made / "memory").glob("*.db")] == ["work.db"]
