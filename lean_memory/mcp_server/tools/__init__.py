"""Every tool, in the order in which they are listed."""

from __future__ import annotations

from typing import Final

from lean_memory.mcp_server.answer import Tool
from lean_memory.mcp_server.tools.add import ADD
from lean_memory.mcp_server.tools.clear import CLEAR
from lean_memory.mcp_server.tools.history import DIFF, HISTORY
from lean_memory.mcp_server.tools.maintenance import RUN, STATUS
from lean_memory.mcp_server.tools.review import DECIDE, QUEUE
from lean_memory.mcp_server.tools.search import SEARCH

__all__ = ["TOOLS"]

TOOLS: Final[dict[str, Tool]] = {
    tool.name: tool for tool in (ADD, SEARCH, HISTORY, DIFF, STATUS, RUN, QUEUE, DECIDE, CLEAR)
}
