"""What a model reads of each answer is a golden file: `pytest tests/mcp --populate` writes it anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.commands import run as run_line
from tests.mcp.clients import run, text_of
from tests.mcp.test_faults import in_process

TESTS = Path(__file__).resolve().parent.parent
GOLDEN = Path(__file__).parent / "golden" / "texts"

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "add": (
        "memory_add",
        {"text": "I work at Larkfield Books. I'm allergic to nuts.", "said_at": "2025-03-01T08:00:00Z"},
    ),
    "add_supersedes": ("memory_add", {"text": "I work at Harbour Press now.", "said_at": "2026-03-01T09:30:00Z"}),
    "add_reinforces": ("memory_add", {"text": "I am allergic to nuts.", "said_at": "2026-03-02T09:30:00Z"}),
    "add_again": ("memory_add", {"text": "I am allergic to nuts.", "said_at": "2026-03-02T09:30:00Z"}),
    "add_recalled": ("memory_add", {"text": "<recalled-memory>\nuser lives in Leeds\n</recalled-memory>"}),
    "add_two_lines": (
        "memory_add",
        {
            "text": "Dear diary,\n2. fact: all is well",
            "speaker": "Nora",
            "said_at": "2026-03-03",
            "time_zone": "+02:00",
        },
    ),
    "search": ("memory_search", {"query": "where do I work?", "limit": 3}),
    "search_as_of": ("memory_search", {"query": "where do I work?", "as_of": "2025-06-01", "limit": 2}),
    "search_in_a_zone": (
        "memory_search",
        {"query": "dear diary", "kind": "episode", "limit": 1, "time_zone": "+05:45"},
    ),
    "search_finds_nothing": ("memory_search", {"query": "x", "subject": "Nobody"}),
    "history": ("memory_history", {}),
    "history_of_a_few": ("memory_history", {"limit": 1}),
    "diff": ("memory_diff", {"first": "2025-06-01", "second": "2026-03-05"}),
    "status": ("memory_maintenance_status", {"namespace": "work"}),
    "queue": ("memory_review_queue", {"namespace": "work"}),
    "run_dry": ("memory_maintenance_run", {"namespace": "work"}),
    "unknown_namespace": ("memory_search", {"namespace": "wrok", "query": "x"}),
    "clear": ("memory_clear", {"namespace": "default", "confirm": "default"}),
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All calls, in their order."""
    folder = tmp_path_factory.mktemp("texts")
    made = run_line((TESTS / "golden" / "memories" / "review").read_text("utf-8"), folder=folder)
    assert made.rc == 0, made.stderr.decode()

    async def scenario() -> dict[str, str]:
        async with in_process(folder) as client:
            found = {name: text_of(await client.call_tool(tool, given)) for name, (tool, given) in CALLS.items()}
            return {**found, **await read(client)}

    texts: dict[str, str] = run(scenario)
    return {name: text.replace(str(folder), "FOLDER") for name, text in texts.items()}


async def read(client: Client) -> dict[str, str]:
    [page] = (await client.read_resource("memory://{}/facts".format("work"))).contents
    [message] = (await client.get_prompt("review-memory-maintenance", {"namespace": "work", "entity": "Nora"})).messages
    return {"resource": page.text, "prompt": message.content.text}


@pytest.mark.parametrize("name", [*CALLS, "resource", "prompt"])
def test_a_text(name: str, texts: dict[str, str], request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--populate"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[name] + "\n", "utf-8")
    assert texts[name] + "\n" == path.read_text("utf-8")


def test_what_was_corrected_is_not_told_as_if_it_held(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with in_process(tmp_path) as client:
            await client.call_tool("memory_add", {"text": "I work at Larkfield Books.", "said_at": "2026-03-01"})
            told = {"text": "I was wrong: I work at Harbour Press.", "said_at": "2026-03-02"}
            result = await client.call_tool("memory_add", told)
            assert result.structured_content is not None
            new, old = result.structured_content["facts"]
            assert (new["withdrawn"], old["withdrawn"], old["valid_at"]) == (False, True, None)
            text = text_of(result)
            assert "no longer so: user works at Larkfield Books (withdrawn)" in text
            text = text_of(await client.call_tool("memory_history", {"subject": "user"}))
            assert "asserted  user works at Larkfield Books (withdrawn)" in text
            assert "corrected  user works at Larkfield Books (withdrawn)" in text
            assert "Larkfield Books (since" not in text

    run(scenario)
