"""Whatever a client sends as arguments, it gets an answer or an error with a fix; never a fault of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from lean_memory.mcp_server.session import Failed, Session
from lean_memory.mcp_server.tools import TOOLS
from lean_memory.settings import Settings
from tests.fuzz.often import often

TIMES = st.sampled_from(
    ["2026-03-01", "0001-01-01", "9999-12-31T23:59:59Z", "2026-03-01T10:00+14:00", "soon", "²026-01-01"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())) | TIMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMED: dict[str, st.SearchStrategy[Any]] = {
    "namespace": st.sampled_from(["work", "Work", "a/b", "..", "\x00", "\ud800", "n" * 300]),
    "time_zone": st.sampled_from(["UTC", "+05:45", "Europe/Berlin", "../etc", "\x00"]),
    "query": st.sampled_from(['"', "NEAR(a b)", "*", "\x00", "日本", "\ud800", "where do I live?"]),
    "text": st.sampled_from(["I live in Leeds.", "\ud800", "\x00", "<recalled-memory>", "日本に住んでいます。"]),
    "decisions": st.just([{"proposal": "\ud800", "verdict": "edit", "edits": {"text": "x"}}]),
    "limit": st.sampled_from([1, 3, 10**30, "5", True]),
    "subject": st.sampled_from(["user", "\ud800", "", "\x00"]),
    "fact": st.text(st.characters(exclude_categories=()), max_size=5),
    "by": st.sampled_from(["user", "\ud800"]),
}
NAMED |= dict.fromkeys(("said_at", "as_of", "known_at", "since", "until", "first", "second"), TIMES)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    environ = {"LM_BACKENDS": "stub", "LM_NOW": "2026-03-10T12:00:00Z"}
    session = Session(Settings.from_environ(environ, root=Path(tmp_path_factory.mktemp("memory"))), namespace="work")
    asyncio.run(session.call("memory_add", {"text": "I live in Leeds. My sister Nora works at the zoo."}))
    yield session
    session.close()


def arguments(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """What the tool takes, more often than not in order; else anything."""
    takes = {
        key: NAMED.get(key, JSON) | JSON if key not in TOOLS[name].needs else NAMED.get(key, JSON)
        for key in TOOLS[name].takes
    }
    needed = {key: takes.pop(key) for key in TOOLS[name].needs}
    return st.fixed_dictionaries(needed, optional=takes) | st.dictionaries(st.text(max_size=8), JSON, max_size=3)


@pytest.mark.parametrize("name", TOOLS)
@often(0.6)
@given(data=st.data())
def test_a_tool_takes_anything(name: str, data: st.DataObject, session: Session) -> None:
    given = data.draw(arguments(name))
    try:
        answer = asyncio.run(session.call(name, given))
    except Failed as failure:
        told = str(failure)
        assert "(internal)" not in told, told
        assert "\nFix: " in told, told
    else:
        Draft202012Validator(TOOLS[name].gives).validate(as_json(answer.data))
        answer.text.encode()


def as_json(data: Any) -> Any:
    """As the other side reads it."""
    import json

    return json.loads(json.dumps(data))


@pytest.mark.parametrize("namespace", ["a b", "Ærø/μ", "100%", "..", "?x=1#y", "日本"])
def test_a_memory_of_any_name_has_its_resource(namespace: str, tmp_path: Path) -> None:
    from tests.mcp.clients import call, run
    from tests.mcp.test_faults import in_process

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", namespace=namespace, text="I live in Leeds.")
            await call(client, "memory_add", namespace="another", text="I live in York.")
            listed = {one.name: one.uri for one in (await client.list_resources()).resources}
            assert set(listed) == {namespace, "another"}
            [page] = (await client.read_resource(listed[namespace])).contents
            assert "user lives in Leeds" in page.text
            assert "York" not in page.text

    run(scenario)


def test_a_memory_whose_name_is_no_text_hides_none_of_the_others(tmp_path: Path) -> None:
    from tests.mcp.clients import call, refused, run
    from tests.mcp.test_faults import in_process

    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await call(client, "memory_add", namespace="work", text="I live in Leeds.")
            (tmp_path / "memory" / "%ed%a0%80.db").write_bytes((tmp_path / "memory" / "work.db").read_bytes())
            assert [one.name for one in (await client.list_resources()).resources] == ["work"]
            assert "work" in await refused(client, "memory_search", namespace="wrok", query="x")

    run(scenario)
