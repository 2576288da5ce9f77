"""The pages that are written from help and schemas are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.generate import pages

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.parametrize("name", pages())
def test_a_page_is_what_just_docs_would_write(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == pages()[name], "write it anew with: just docs"
