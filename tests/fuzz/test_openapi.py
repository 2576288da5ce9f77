"""The REST routes against their own OpenAPI document: whatever is sent, the answer is one that it describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.console.process import Console
from tests.fuzz.often import often
from tests.review.material import make_memory

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install -e .[dev]")
positive_data_acceptance = pytest.importorskip("schemathesis.specs.openapi.checks").positive_data_acceptance


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("openapi")
    make_memory(folder)
    with Console(folder) as running:
        yield running


@pytest.fixture(scope="module")
def described(console: Console) -> Any:
    return schemathesis.openapi.from_dict(console.ask("/v1/openapi.json").json)


@pytest.mark.parametrize("path", ["/v1/{namespace}/memories", "/v1/{namespace}/search"])
@pytest.mark.parametrize("mode", ["positive", "negative"])
@often(0.2)
@given(data=st.data())
def test_a_request_is_answered_as_described(
    path: str, mode: str, data: st.DataObject, described: Any, console: Console
) -> None:
    case = data.draw(described[path]["POST"].as_strategy(generation_mode=schemathesis.GenerationMode(mode)))
    case.call_and_validate(
        base_url=console.origin,
        headers={"Authorization": f"Bearer {console.token}"},
        # A time or zone that is spelt well may still be none, and most names are of no memory.
        excluded_checks=[positive_data_acceptance],
    )
