"""The server: on the loopback interface only, for as long as the command runs, with nothing left behind."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from lean_memory.errors import UsageError

if TYPE_CHECKING:
    from starlette.applications import Starlette

__all__ = ["address", "listen", "new_token", "serve"]

_GRACE = 3
"""Seconds that requests have to end."""


def new_token() -> str:
    """256 random bits; one a run, so that yesterday's address opens nothing."""
    return secrets.token_urlsafe(32)


def listen(port: int) -> socket.socket:
    """A socket on 127.0.0.1; port 0 takes a free one. Raises UsageError: the port is taken."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # On Windows the one that is common elsewhere lets any other program take the port over.
        alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        found.setsockopt(socket.SOL_SOCKET, alone, 1)
        found.bind(("127.0.0.1", port))
        found.listen()
    except OSError as error:
        found.close()
        raise UsageError(
            f"can't listen on port {port}: {error.strerror}", hint="take another with --port, or none", code="port"
        ) from None
    return found


def address(port: int, token: str, start: str = "") -> str:
    """What the person opens, `start` first. The token is in the fragment, which a browser sends nowhere."""
    return f"http://127.0.0.1:{port}/{start}#token={token}"


def serve(app: Starlette, on: socket.socket, *, ready: Callable[[], None]) -> None:
    """Serves until SIGINT or SIGTERM; `ready` is called when requests are answered. Raises KeyboardInterrupt at
    SIGINT, when all is closed."""
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE, lifespan="on"
    )
    _Server(config, ready).run(sockets=[on])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()
