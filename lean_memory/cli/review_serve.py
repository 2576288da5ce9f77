"""What `lm-review serve` puts together: the console, its token, and MCP where that is asked for."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import click

from lean_memory.errors import BackendUnavailable, UsageError

if TYPE_CHECKING:
    from lean_memory.settings import Settings

__all__ = ["serve"]

_SHORTEST = 20
"""Letters of a token that one brings along."""


def serve(settings: Settings, namespace: str | None, *, port: int, token_file: Path | None, mcp: bool, by: str) -> None:
    """Serves until it is interrupted.

    Raises:
        BackendUnavailable: an extra is not installed.
        UsageError: the port is taken, or the file of the token is not private.
    """
    try:
        from lean_memory.console import server
        from lean_memory.console.app import make_app
    except ImportError as error:
        raise BackendUnavailable(
            f"the console needs {error.name}, which is not installed",
            hint="install it with: pip install 'lean-memory[console]'",
        ) from None
    from lean_memory.mcp_server.trace import calls
    from lean_memory.memory import Memory

    token = server.new_token() if token_file is None else _kept(token_file, server.new_token())
    with server.listen(port) as on:
        port = on.getsockname()[1]
        routes, lifespans = _mcp(settings, namespace, token) if mcp else ([], [])
        quiet = replace(settings, environ={**settings.environ, "LM_USAGE": "off"})
        app = make_app(
            lambda: Memory(settings=settings),
            open_quiet=lambda: Memory(settings=quiet),
            token=token,
            port=port,
            by=by,
            agents=partial(calls, settings.root),
            routes=routes,
            lifespans=lifespans,
        )
        start = f"review?{urlencode({'n': namespace})}" if namespace else ""

        def ready() -> None:
            click.echo(server.address(port, token, start))
            sys.stdout.flush()
            if sys.stderr.isatty():
                click.echo("Open it in a browser on this machine. Ctrl-C ends it.", err=True)

        server.serve(app, on, ready=ready)


def _kept(path: Path, fresh: str) -> str:
    """The token in the file, which nobody else may read; where there is no file, it is made with a new one."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise UsageError(
                f"others may read the token in {path}", hint=f"make it yours alone: chmod 600 {path}", code="token_file"
            ) from None
        token = path.read_text("utf-8").strip()
        if len(token) < _SHORTEST or not token.isprintable() or not token.isascii() or " " in token:
            raise UsageError(
                f"{path} holds no token: at least {_SHORTEST} letters and digits",
                hint="remove it, and one is made",
                code="token_file",
            ) from None
        return token
    except OSError as error:
        raise UsageError(f"can't write {path}: {error.strerror}", code="token_file") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{fresh}\n")
    return fresh


def _mcp(settings: Settings, namespace: str | None, token: str) -> tuple[list[Any], list[Any]]:
    """The route of MCP and what it needs around it."""
    from starlette.routing import Route

    from lean_memory.mcp_server.extra import check_installed

    check_installed()
    from lean_memory.mcp_server.http import Endpoint
    from lean_memory.mcp_server.identity import DEFAULT_NAMESPACE
    from lean_memory.mcp_server.session import Session
    from lean_memory.mcp_server.trace import Trace

    session = Session(settings, namespace=namespace or DEFAULT_NAMESPACE, trace=Trace(settings.root))
    endpoint = Endpoint(session, token=token)

    def running(app: Any) -> AbstractAsyncContextManager[None]:
        return endpoint.running(app)

    return [Route("/mcp", endpoint)], [running]
