"""MCP over HTTP, as one address of a web application: `lm-review serve` puts it at /mcp.

Whoever reaches the port must know the token; and a page in a browser that was led here under another name (DNS
rebinding) or from another origin is turned away even so, by the SDK.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lean_memory.mcp_server.session import Session

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

__all__ = ["Endpoint"]

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Endpoint:
    """An ASGI application for the one path.

    Needs `running` around its whole use, as a web application's lifespan; it can be entered once.

    Args:
        token: what a client sends as `Authorization: Bearer ..`.
        hosts: further names, with their port, under which the server may be addressed; loopback's are allowed.
    """

    def __init__(self, session: Session, *, token: str, hosts: Iterable[str] = ()) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        from lean_memory.mcp_server.server import build

        if not token:
            raise ValueError("an empty token lets everybody in")
        named = list(hosts)
        allowed = [*_LOOPBACK, *(f"{host}:*" for host in _LOOPBACK), *named]
        security = TransportSecuritySettings(
            allowed_hosts=allowed, allowed_origins=[f"http://{host}" for host in allowed]
        )
        self._session = session
        self._expected = f"Bearer {token}".encode()
        self._manager = StreamableHTTPSessionManager(build(session), security_settings=security, max_sessions=100)

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[None]:
        """Serves as long as the context is open, and closes the session with it. The argument is the application of a
        lifespan."""
        try:
            async with self._manager.run():
                yield
        finally:
            self._session.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(given, self._expected):
            await self._manager.handle_request(scope, receive, send)
            return
        from starlette.responses import PlainTextResponse

        refusal = PlainTextResponse(
            "this address needs the token that lm-review serve printed: Authorization: Bearer TOKEN\n",
            status_code=401,
            headers={"WWW-Authenticate": 'Bearer realm="lean-memory"'},
        )
        await refusal(scope, receive, send)
