"""The addresses of the pages. An address gives the same empty shell to anybody; what is in it comes from `/part/..`,
which needs the token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from lean_memory.console import looking, memories, past, reviewing
from lean_memory.console.asked import Asked
from lean_memory.console.language import chosen, words
from lean_memory.console.render import render
from lean_memory.console.rest import body, status_of
from lean_memory.errors import LeanMemoryError
from lean_memory.wire import Object

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["ROUTES", "SHELLS"]

_PAGES: Final[dict[str, Callable[[Asked], str]]] = {
    "review": reviewing.queue,
    "search": looking.search,
    "timeline": past.timeline,
    "activity": past.activity,
    "namespaces": memories.namespaces,
    "source": past.source,
}
_ACTS: Final[dict[str, Callable[[Asked, Object], str]]] = {
    "decide": reviewing.decide,
    "maintain": reviewing.maintain,
    "promote": past.promote,
}
SHELLS: Final = ("/", *(f"/{name}" for name in _PAGES if name != "source"))
"""Addresses of pages."""


async def _shell(request: Request) -> Response:
    tongue = words(chosen(request.headers.get("accept-language", "")))
    return HTMLResponse(render("shell.html", tongue))


def _page(build: Callable[[Asked], str]) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        return await _answer(request, build)

    return handle


def _act(do: Callable[[Asked, Object], str], *, alone: bool) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        try:
            found = await body(request)
        except LeanMemoryError as error:
            return _failed(request, error)
        return await _answer(request, partial(_with, do, found), alone=alone)

    return handle


def _with(do: Callable[[Asked, Object], str], found: Object, asked: Asked) -> str:
    return do(asked, found)


async def _answer(request: Request, build: Callable[[Asked], str], *, alone: bool = False) -> Response:
    desk = request.app.state.desk
    tongue = words(chosen(request.headers.get("accept-language", "")))

    def run() -> str:
        with desk.alone() if alone else desk.looked_at() as memory:
            names = tuple(memory.namespaces())
            query = dict(request.query_params)
            namespace = query.get("n") or (names[0] if names else "")
            return build(Asked(memory, tongue, query, names, namespace, desk.by, desk.agents))

    try:
        return HTMLResponse(await run_in_threadpool(run))
    except LeanMemoryError as error:
        return _failed(request, error)


def _failed(request: Request, error: LeanMemoryError) -> Response:
    tongue = words(chosen(request.headers.get("accept-language", "")))
    return HTMLResponse(render("error.html", tongue, error=error), status_code=status_of(error))


ROUTES: Final = (
    *(Route(path, _shell) for path in SHELLS),
    *(Route(f"/part/{name}", _page(build)) for name, build in _PAGES.items()),
    *(Route(f"/part/{name}", _act(do, alone=name == "maintain"), methods=["POST"]) for name, do in _ACTS.items()),
)
