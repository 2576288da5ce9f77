"""A web server with nothing but /mcp, on a free port of loopback, until its stdin ends. Run by `clients`."""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from lean_memory.mcp_server.http import Endpoint
from lean_memory.mcp_server.session import Session
from lean_memory.settings import Settings


async def serve(token: str) -> None:
    session = Session(Settings.from_environ(os.environ))
    endpoint = Endpoint(session, token=token)
    application = Starlette(routes=[Route("/mcp", endpoint)], lifespan=endpoint.running)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="error", timeout_graceful_shutdown=1))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = True
    await serving


asyncio.run(serve(sys.argv[1]))
