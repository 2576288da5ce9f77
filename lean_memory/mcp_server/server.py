"""The one registration with the SDK, for stdio and HTTP alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from lean_memory.mcp_server import identity, prompt, resources
from lean_memory.mcp_server.answer import Tool
from lean_memory.mcp_server.fence import inline
from lean_memory.mcp_server.session import Failed, Session
from lean_memory.mcp_server.tools import TOOLS

__all__ = ["build"]

_Page = types.PaginatedRequestParams | None


def build(session: Session) -> Server[Any]:
    """A server whose tools, resources and prompt work through the session."""

    async def list_tools(_: object, __: _Page) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_listed(tool) for tool in TOOLS.values()])

    async def call_tool(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            answer = await session.call(asked.name, asked.arguments or {})
        except Failed as failure:
            return types.CallToolResult(content=[_text(str(failure))], is_error=True)
        return types.CallToolResult(content=[_text(answer.text)], structured_content=dict(answer.data))

    async def list_resources(_: object, __: _Page) -> types.ListResourcesResult:
        names = await _or_error(lambda: session.read("resources/list", resources.namespaces))
        return types.ListResourcesResult(resources=[_page(name) for name in names])

    async def list_templates(_: object, __: _Page) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=resources.TEMPLATE,
            name="facts",
            title="What a memory knows now",
            description="The facts of a memory that hold now, by whom they are about, each with since when.",
            mime_type=resources.MIME,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_: object, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        address = str(asked.uri)
        name = resources.namespace_of(address)
        if name is None:
            message = f"there is no resource {address}: they are {resources.TEMPLATE}"
            raise MCPError(code=types.INVALID_PARAMS, message=message, data={"uri": address})
        text = await _or_error(lambda: session.read("resources/read", resources.facts, namespace=name))
        page = types.TextResourceContents(uri=asked.uri, mime_type=resources.MIME, text=text)
        return types.ReadResourceResult(contents=[page])

    async def list_prompts(_: object, __: _Page) -> types.ListPromptsResult:
        arguments = [types.PromptArgument(name=name, description=told) for name, told in prompt.ARGUMENTS.items()]
        one = types.Prompt(name=prompt.NAME, title=prompt.TITLE, description=prompt.DESCRIPTION, arguments=arguments)
        return types.ListPromptsResult(prompts=[one])

    async def get_prompt(_: object, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        given = {name: value for name, value in (asked.arguments or {}).items() if value}
        strange = sorted(set(given) - set(prompt.ARGUMENTS))
        if asked.name != prompt.NAME or strange:
            what = (
                f"{prompt.NAME} takes {', '.join(prompt.ARGUMENTS)}, not {', '.join(strange)}"
                if strange
                else (f"there is no prompt {asked.name}: there is {prompt.NAME}")
            )
            raise MCPError(code=types.INVALID_PARAMS, message=what)
        text = await _or_error(lambda: session.read(prompt.NAME, prompt.review, **given))
        message = types.PromptMessage(role="user", content=_text(text))
        return types.GetPromptResult(description=prompt.DESCRIPTION, messages=[message])

    return Server(
        identity.NAME,
        version=identity.VERSION,
        title=identity.TITLE,
        instructions=identity.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _listed(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeats,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=dict(tool.gives),
        annotations=hints,
    )


def _page(namespace: str) -> types.Resource:
    return types.Resource(
        uri=resources.uri(namespace),
        name=namespace,
        title=f"What {inline(namespace)} knows now",
        description="The facts that hold now, by whom they are about, each with since when.",
        mime_type=resources.MIME,
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


async def _or_error(read: Callable[[], Awaitable[Any]]) -> Any:
    """What is no tool call has only the protocol's own errors."""
    try:
        return await read()
    except Failed as failure:
        raise MCPError(code=types.INVALID_PARAMS, message=str(failure)) from failure
