"""Every tool, resource and prompt by the SDK's own client: over stdio and HTTP, by the old handshake and the new."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests import schemas
from tests.commands import run as run_line
from tests.mcp.clients import CARRIERS, call, connected, refused, run

MEMORIES = Path(__file__).resolve().parent.parent / "golden" / "memories"
READING = {
    "memory_search", "memory_history", "memory_diff", "memory_maintenance_status", "memory_review_queue",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory `work` in which maintenance has proposed something."""
    made = run_line((MEMORIES / "review").read_text("utf-8"), folder=tmp_path)
    assert made.rc == 0, made.stderr.decode()
    return tmp_path


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_client_drives_all_there_is(carrier: str, folder: Path) -> None:
    async def scenario() -> None:
        async with connected(carrier, folder) as client:
            await introduces_itself(client, legacy="legacy" in carrier)
            await lists_tools(client)
            await learns_and_tells(client)
            await shows_resources(client)
            await keeps_in_order(client)
            await removes(client)

    run(scenario)


async def introduces_itself(client: Client, *, legacy: bool) -> None:
    assert client.protocol_version == ("2025-11-25" if legacy else "2026-07-28")
    assert client.server_info is not None
    assert (client.server_info.name, client.server_info.title) == ("lean-memory", "Lean Memory")
    offered = client.server_capabilities
    assert offered.tools is not None
    assert offered.resources is not None
    assert offered.prompts is not None
    assert "reference data" in str(client.instructions)


async def lists_tools(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == READING | {
        "memory_add", "memory_maintenance_run", "memory_review_decide", "memory_clear",
    }  # fmt: skip
    for name, tool in tools.items():
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint is (name in READING)
        assert hints.open_world_hint is False
        assert hints.destructive_hint is (name in ("memory_clear", "memory_review_decide"))
        assert tool.output_schema is not None
        assert all(rule.get("description") for rule in tool.input_schema["properties"].values()), name


async def learns_and_tells(client: Client) -> None:
    text, data = await call(client, "memory_add", text="I work at Larkfield Books.", said_at="2025-03-01")
    assert "learned: user works at Larkfield Books (since 2025-03-01)" in text
    assert data["namespace"] == "default"
    schemas.check(data["receipt"])

    text, data = await call(client, "memory_add", text="I work at Harbour Press now.", said_at="2026-03-01")
    assert "no longer so: user works at Larkfield Books (from 2025-03-01 to 2026-03-01, ended)" in text
    assert [fact["change"] for fact in data["facts"]] == ["added", "superseded"]

    text, data = await call(client, "memory_search", query="where do I work?", kind="fact", limit=1)
    assert "1. user works at Harbour Press\n   fact · since 2026-03-01 · " in text
    schemas.check(data["hits"][0])

    then = {"as_of": "2025-06-01", "kind": "fact", "limit": 1}
    text, data = await call(client, "memory_search", query="where do I work?", **then)
    assert "1. user works at Larkfield Books\n   fact · from 2025-03-01 to 2026-03-01, ended · " in text
    assert data["hits"][0]["valid_to"] == "2026-03-01T00:00:00.000Z"

    text, data = await call(client, "memory_history", subject="user")
    assert "superseded  user works at Larkfield Books (from 2025-03-01 to 2026-03-01, ended)" in text
    assert [entry["action"] for entry in data["changes"]] == ["asserted", "asserted", "superseded"]
    schemas.check(data["changes"][0])

    assert "asserted  user works at Larkfield Books (from 2025-03-01 to 2026-03-01, ended)" in text

    text, data = await call(client, "memory_diff", first="2025-06-01", second="2026-03-05")
    assert "superseded by: user works at Harbour Press" in text
    schemas.check(data["differences"][0])


async def shows_resources(client: Client) -> None:
    listed = (await client.list_resources()).resources
    assert [str(one.uri) for one in listed] == [f"memory://{name}/facts" for name in ("default", "work")]
    [template] = (await client.list_resource_templates()).resource_templates
    assert template.uri_template == "memory://{namespace}/facts"

    [page] = (await client.read_resource("memory://default/facts")).contents
    assert "About user:\n- user works at Harbour Press (since 2026-03-01)\n" in page.text
    assert "Larkfield" not in page.text
    for address, told in (("memory://none/facts", "no_namespace"), ("memory://work", "there is no resource")):
        with pytest.raises(MCPError, match=told):
            await client.read_resource(address)


async def keeps_in_order(client: Client) -> None:
    _, data = await call(client, "memory_maintenance_status", namespace="work")
    schemas.check(data["status"])
    assert data["status"]["pending"] > 1
    text, data = await call(client, "memory_maintenance_run", namespace="default")
    assert data["report"]["applied"] is False
    schemas.check(data["report"])

    [prompt] = (await client.list_prompts()).prompts
    assert prompt.name == "review-memory-maintenance"
    [message] = (await client.get_prompt(prompt.name, {"namespace": "work", "entity": "Nora"})).messages
    assert message.role == "user"
    assert "Never decide for me" in message.content.text
    assert "About Nora:" in message.content.text
    assert "About user:" not in message.content.text
    with pytest.raises(MCPError, match="takes namespace, entity, not who"):
        await client.get_prompt(prompt.name, {"who": "Nora"})

    text, data = await call(client, "memory_review_queue", namespace="work", entity="Nora")
    merge = next(one for one in data["proposals"] if one["kind"] == "merge")
    schemas.check(merge)
    assert f"proposal {merge['id']} · expires " in text
    verdict = [{"proposal": merge["id"], "verdict": "approve"}]
    text, data = await call(client, "memory_review_decide", namespace="work", decisions=verdict)
    assert data["outcomes"][0]["outcome"] == "applied"
    schemas.check(data["outcomes"][0])
    _, data = await call(client, "memory_review_decide", namespace="work", decisions=verdict)
    assert data["outcomes"][0]["outcome"] == "already_decided"


async def removes(client: Client) -> None:
    told = await refused(client, "memory_clear", namespace="default", confirm="yes")
    assert "needs_confirm" in told
    _, data = await call(client, "memory_clear", namespace="default", confirm="default")
    assert "default.db" in data["files"]
    assert "no_namespace" in await refused(client, "memory_search", query="where do I work?")
