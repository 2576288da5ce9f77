"""The console's web application. What it shows and does is `Memory`'s; nothing is kept between requests but that."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from lean_memory.console import parts, rest
from lean_memory.console.security import Guard

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from lean_memory.mcp_server.session import Activity
    from lean_memory.memory import Memory

__all__ = ["Desk", "Lifespan", "Shared", "make_app"]

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]
"""Of something that is mounted: entered before the first request, left after the last."""

_STATIC: Final = Path(__file__).parent / "static"


class Shared:
    """A memory that requests share, one at a time. Its models stay loaded; no file is held between requests, so that
    other commands may clear, restore or move one."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open_memory = open_memory
        self._lock = threading.Lock()
        self._memory: Memory | None = None

    @contextmanager
    def __call__(self) -> Iterator[Memory]:
        """For the length of a request."""
        with self._lock:
            if self._memory is None:
                self._memory = self._open_memory()
            try:
                yield self._memory
            finally:
                self._memory.close()


class Desk:
    """The memories that requests use: `used` by programs, `looked_at` by people; a run of maintenance gets one of its
    own, so that it keeps nobody waiting. `by` is who decides, for the log; `agents` gives the last calls of agents."""

    def __init__(
        self,
        open_memory: Callable[[], Memory],
        open_quiet: Callable[[], Memory] | None,
        *,
        by: str,
        agents: Callable[[], Sequence[Activity]],
    ) -> None:
        self._open_memory = open_memory
        self.used = Shared(open_memory)
        self.looked_at = Shared(open_quiet) if open_quiet else self.used
        self.by = by
        self.agents = agents

    @contextmanager
    def alone(self) -> Iterator[Memory]:
        """One that nobody else uses."""
        with self._open_memory() as memory:
            yield memory


def make_app(
    open_memory: Callable[[], Memory],
    *,
    token: str,
    port: int,
    open_quiet: Callable[[], Memory] | None = None,
    by: str = "user",
    agents: Callable[[], Sequence[Activity]] = tuple,
    routes: Sequence[BaseRoute] = (),
    lifespans: Iterable[Lifespan] = (),
) -> Starlette:
    """The application.

    Args:
        open_memory: gives a memory; called for the first request, and for every run of maintenance.
        open_quiet: gives the one that pages read, if it is another: one in which a search doesn't count as use.
        token: what every request carries as `Authorization: Bearer ..`, but those for the empty page and its script.
        port: where it will listen.
        by: who decides, for the log.
        agents: gives the last calls of agents, newest first.
        routes: more of them, such as MCP's. They are behind the same guard.
        lifespans: what those need around their use.
    """
    desk = Desk(open_memory, open_quiet, by=by, agents=agents)
    entered = tuple(lifespans)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for one in entered:
                await stack.enter_async_context(one(app))
            yield

    app = Starlette(
        routes=[*parts.ROUTES, *rest.ROUTES, *routes, Mount("/static", StaticFiles(directory=_STATIC))],
        middleware=[Middleware(Guard, token=token, port=port, open_paths=(*parts.SHELLS, "/static/"))],
        lifespan=lifespan,
    )
    app.state.desk = desk
    return app
