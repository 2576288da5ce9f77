"""Other tools' files to notes: `importer(format, input)` is fed bytes and yields notes and located errors.

Pure, and streaming where the format allows it: a chat is read whole, since only all of it tells its speakers and the
order of its dates. Adding a format is a class with `feed` and `close` (see `ports.Importer`) and a line in FORMATS.
"""

from __future__ import annotations

from typing import Final

from lean_memory.importers.ports import DateOrder, Importer, Input

__all__ = ["FORMATS", "DateOrder", "Importer", "Input", "importer"]

FORMATS: Final = {
    "auto": "what the input shows itself to be, else lines",
    "lines": "plain text and note records",
    "chatgpt": "ChatGPT's conversations.json",
    "claude": "Claude's conversations.json",
    "claude-code": "a session of Claude Code, as it keeps it",
    "chat": "'Name: text', with or without a date before it",
    "whatsapp": "a chat that WhatsApp exported",
    "markdown": "notes under dated headings",
    "mcp-memory": "memory.json of the MCP reference memory server",
}


def importer(format: str, given: Input) -> Importer:
    """The importer of one of FORMATS, for one input."""
    if format == "lines":
        from lean_memory.importers.lines import Lines

        return Lines(given)
    if format in ("chatgpt", "claude"):
        from lean_memory.importers.conversations import Conversations

        return Conversations(given, "chatgpt" if format == "chatgpt" else "claude")
    if format == "claude-code":
        from lean_memory.importers.claude_code import ClaudeCode

        return ClaudeCode(given)
    if format in ("chat", "whatsapp"):
        from lean_memory.importers.chat import Chat

        return Chat(given, whatsapp=format == "whatsapp")
    if format == "markdown":
        from lean_memory.importers.markdown import Markdown

        return Markdown(given)
    if format == "mcp-memory":
        from lean_memory.importers.mcp_memory import McpMemory

        return McpMemory(given)
    if format == "auto":
        from lean_memory.importers.auto import Auto

        return Auto(given)
    raise ValueError(f"no such format: {format}")
