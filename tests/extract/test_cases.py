"""What is understood, kind by kind: every sentence in `cases/` gives exactly the facts that stand under it.

`docs/extraction.md` is made from the same files (`python -m tests.extract.make_docs`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extract.material import ROOT, Case, load, read_kinds

KINDS = read_kinds()


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=f"{kind.name}-{i}") for kind in KINDS for i, c in enumerate(kind.cases)]
)
def test_a_sentence_gives_exactly_these_facts(case: Case, extractor) -> None:
    assert sorted(load(extractor, case)) == sorted(case.facts)


def test_the_page_shows_these_cases() -> None:
    from tests.extract.make_docs import page

    assert Path(ROOT, "docs", "extraction.md").read_text(encoding="utf-8") == page(KINDS), (
        "the page is stale: run python -m tests.extract.make_docs"
    )
