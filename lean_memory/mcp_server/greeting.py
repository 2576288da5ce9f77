"""The first answer, before the SDK is loaded. Pure.

Loading the SDK takes most of a second on a slow machine, and nothing of it is needed to say who is there. So the
opening request is answered from here where it is one of the two that open a connection and is plainly in order;
whatever else comes first waits for the SDK. The SDK gets the opening request too, and its answer to it is dropped (see
`stdio`), so that both know the same; a test holds the two answers against each other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from lean_memory.mcp_server import identity

__all__ = ["greet"]

_HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_MODERN: Final = ("2026-07-28",)
_META: Final = "io.modelcontextprotocol/"

_CAPABILITIES: Final = {
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "tools": {"listChanged": False},
}
_SERVER: Final = {"name": identity.NAME, "title": identity.TITLE, "version": identity.VERSION}


def greet(line: bytes) -> bytes | None:
    """The answer to an opening request, newline included; None where the SDK is to answer."""
    try:
        asked = json.loads(line)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.get("jsonrpc") != "2.0" or type(asked.get("id")) not in (int, str):
        return None
    params, method = asked.get("params"), asked.get("method")
    if not isinstance(params, dict):
        return None
    if method == "initialize" and params.get("_meta") is None:
        result = _initialized(params)
    elif method == "server/discover" and isinstance(params.get("_meta"), dict):
        result = _discovered(params["_meta"])
    else:
        result = None
    if result is None:
        return None
    answer = {"jsonrpc": "2.0", "id": asked["id"], "result": result}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _initialized(params: Mapping[str, Any]) -> dict[str, Any] | None:
    """The handshake of versions until 2025-11-25."""
    version = params.get("protocolVersion")
    if version not in _HANDSHAKE or not _plain(params.get("clientInfo"), params.get("capabilities")):
        return None
    return {
        "protocolVersion": version,
        "capabilities": _CAPABILITIES,
        "serverInfo": _SERVER,
        "instructions": identity.INSTRUCTIONS,
    }


def _discovered(meta: Mapping[str, Any]) -> dict[str, Any] | None:
    """The probe of later versions, in which every request carries its own envelope."""
    version, client, capabilities = (
        meta.get(f"{_META}{name}") for name in ("protocolVersion", "clientInfo", "clientCapabilities")
    )
    if version not in _MODERN or not _plain(client, capabilities):
        return None
    return {
        "resultType": "complete",
        "supportedVersions": list(_MODERN),
        "capabilities": _CAPABILITIES,
        "instructions": identity.INSTRUCTIONS,
        "cacheScope": "private",
        "ttlMs": 0,
        "_meta": {f"{_META}serverInfo": _SERVER},
    }


def _plain(client: object, capabilities: object) -> bool:
    """Whether the client's introduction is so plain that the SDK would not refuse it."""
    return (
        isinstance(client, dict)
        and {"name", "version"} <= set(client)
        and all(isinstance(value, str) for name, value in client.items() if name != "icons")
        and isinstance(capabilities, dict)
        and all(
            isinstance(capability, dict) and all(isinstance(value, (bool, dict)) for value in capability.values())
            for capability in capabilities.values()
        )
    )
