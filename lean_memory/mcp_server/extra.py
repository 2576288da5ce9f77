"""Whether the SDK is there. Imports nothing of it."""

from __future__ import annotations

from importlib.util import find_spec

from lean_memory.errors import BackendUnavailable

__all__ = ["check_installed"]


def check_installed() -> None:
    """Raises BackendUnavailable where the extra [mcp] is missing, or is of an older generation."""
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise BackendUnavailable(
            "the MCP server needs the package mcp, version 2",
            hint="install it with: pip install 'lean-memory[mcp]'",
            code="no_mcp",
        )
