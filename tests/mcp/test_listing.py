"""What a model reads of the tools, resources and prompt is a golden file: `pytest tests/mcp --populate` writes it anew,
to be read with `git diff`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from lean_memory.mcp_server.server import build
from lean_memory.mcp_server.session import Session
from lean_memory.mcp_server.tools import TOOLS
from lean_memory.settings import Settings
from tests.mcp.clients import run

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def listing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    session = Session(Settings(root=tmp_path_factory.mktemp("memory")))

    async def scenario() -> dict[str, Any]:
        async with Client(build(session), mode="legacy") as client:
            return {
                "server": client.session.initialize_result,
                **{f"tools/{tool.name}": tool for tool in (await client.list_tools()).tools},
                "resource_templates": await client.list_resource_templates(),
                "prompts": await client.list_prompts(),
            }

    try:
        return {name: dump(found) for name, found in run(scenario).items()}
    finally:
        session.close()


def dump(found: Any) -> Any:
    return found.model_dump(mode="json", by_alias=True, exclude_none=True)


@pytest.mark.parametrize("name", ["server", *(f"tools/{name}" for name in TOOLS), "resource_templates", "prompts"])
def test_what_is_listed(name: str, listing: dict[str, Any], request: pytest.FixtureRequest) -> None:
    shown = json.dumps(listing[name], indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    path = GOLDEN / f"{name}.json"
    if request.config.getoption("--populate"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shown, "utf-8")
    assert shown == path.read_text("utf-8")


@pytest.mark.parametrize("name", TOOLS)
def test_schemas_are_sound_and_stand_alone(name: str, listing: dict[str, Any]) -> None:
    tool = listing[f"tools/{name}"]
    for schema in (tool["inputSchema"], tool["outputSchema"]):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "$ref" not in json.dumps(schema)
    assert tool["inputSchema"]["additionalProperties"] is False
