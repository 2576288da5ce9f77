"""Who may ask: only this machine's browser under the printed address, with the token, and from no other page.

Theory of operation. A server on the loopback interface is still reached by every page that a browser shows: by its
scripts (so `Origin` and `Sec-Fetch-Site` are checked, and the token comes in a header, which no other page can set),
and under a name that its owner points at 127.0.0.1 (DNS rebinding, so `Host` is checked). The token is in no cookie
and, as the address carries it in its fragment, in no request line. All answers forbid scripts and styles but the
console's own.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LARGEST", "Guard"]

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
LARGEST: Final = 16 << 20
"""Bytes of a body."""


class Guard:
    """Around an application: refuses who may not ask, and gives every answer its headers.

    Args:
        token: what a request carries as `Authorization: Bearer ..`.
        port: where the server listens; part of its name.
        open_paths: beginnings of the paths that need no token, since they hold nothing of a memory's.
    """

    def __init__(self, app: ASGIApp, *, token: str, port: int, open_paths: Iterable[str]) -> None:
        if not token:
            raise ValueError("an empty token lets everybody in")
        self._app = app
        self._expected = f"Bearer {token}".encode()
        self._hosts = {f"{name}:{port}" for name in _LOOPBACK} | (set(_LOOPBACK) if port == 80 else set())
        self._open = tuple(open_paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the lifespan; of web sockets there are none
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._hosts:
            return _refuse(421, "this is not the name of this server: use the address that it printed")
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return _refuse(403, "a page of another origin may not ask")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not self._is_open(scope):
            return _refuse(403, "a page of another site may not ask")
        length = headers.get("content-length") or "0"
        if not (length.isascii() and length.isdigit()):
            return _refuse(400, "Content-Length is no number")
        if len(length) > 15 or int(length) > LARGEST:
            return _refuse(413, f"more than {LARGEST >> 20} MiB")
        if not scope["query_string"].isascii():  # Starlette takes it for ASCII
            return _refuse(400, "the address is no URL: other characters than ASCII are written %XX")
        if self._is_open(scope):
            return None
        if not hmac.compare_digest(headers.get("authorization", "").encode(), self._expected):
            refusal = _refuse(401, "this needs the token that lm-review serve printed: Authorization: Bearer TOKEN")
            refusal.headers["WWW-Authenticate"] = 'Bearer realm="lean-memory"'
            return refusal
        return None

    def _is_open(self, scope: Scope) -> bool:
        path: str = scope["path"]
        return scope["method"] in ("GET", "HEAD") and any(
            path == one or (one.endswith("/") and path.startswith(one) and one != "/") for one in self._open
        )


def _refuse(status: int, why: str) -> PlainTextResponse:
    return PlainTextResponse(f"{why}\n", status_code=status)
