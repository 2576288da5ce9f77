"""MCP over stdin and stdout.

Theory of operation. Both descriptors are taken away before anything is loaded: what a library prints to stdout lands
on stderr, and what reads stdin finds it empty. The opening request is answered at once (see `greeting`); then the SDK
is loaded and given that request as well, and its own answer to it is dropped. The end of stdin is held back until what
was asked before it is answered, so that `printf '..' | lean-memory-mcp` gets its answers; then the server ends.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final

from lean_memory.mcp_server.greeting import greet
from lean_memory.mcp_server.texts import whole

if TYPE_CHECKING:
    from lean_memory.mcp_server.session import Session

__all__ = ["Wire", "serve"]

_PATIENCE: Final = 30.0
"""Seconds that unanswered requests hold back the end of stdin."""


def serve(wire: Wire, session: Callable[[], Session]) -> None:
    """Serves the client on the wire until it is gone."""
    if not wire.greet():
        return
    # An interrupt ends the process at once: a thread that waits for stdin can't be called off. No write is torn by it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    import anyio
    from mcp.server.stdio import stdio_server

    from lean_memory.mcp_server.server import build

    async def run(served: Session) -> None:
        server = build(served)
        async with stdio_server(anyio.wrap_file(wire.inbound), anyio.wrap_file(wire.outbound)) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    served = session()
    try:
        anyio.run(run, served)
    finally:
        served.close()


class Wire:
    """The two descriptors that carry the protocol."""

    def __init__(self) -> None:
        source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        self._streams: tuple[IO[bytes], ...] = (source, sink)
        ledger = _Ledger()
        self.outbound: Any = _Outbound(sink, ledger)
        self.inbound: Any = _Inbound(source, ledger)

    def close(self) -> None:
        """Lets go of both, when the server is done."""
        for stream in self._streams:
            with suppress(OSError):
                stream.close()

    def greet(self) -> bool:
        """Waits for the opening request and answers it, if it can. False if there is none."""
        line = self.inbound.peek()
        if not line:
            return False
        answer = greet(line)
        if answer is not None:
            self.outbound.ahead(json.loads(line)["id"], answer)
        return True


class _Ledger:
    """The requests that have no answer yet."""

    def __init__(self) -> None:
        self._open: set[tuple[type, Any]] = set()
        self._changed = threading.Condition()

    def asked(self, line: bytes) -> None:
        message = _message(line)
        method, params = message.get("method"), message.get("params")
        with self._changed:
            if method == "notifications/cancelled" and isinstance(params, dict):
                self._open.discard(_key(params.get("requestId")))
            elif isinstance(method, str) and type(message.get("id")) in (int, str) and _is_taken(message):
                self._open.add(_key(message["id"]))
            self._changed.notify_all()

    def answered(self, id: object) -> None:
        with self._changed:
            self._open.discard(_key(id))
            self._changed.notify_all()

    def wait(self) -> None:
        """Until all is answered, or for as long as one can be patient."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open, _PATIENCE)

    def give_up(self) -> None:
        with self._changed:
            self._open.clear()
            self._changed.notify_all()


class _Inbound:
    """The lines of stdin, as the SDK reads a text file."""

    def __init__(self, source: IO[bytes], ledger: _Ledger) -> None:
        self._source = source
        self._ledger = ledger
        self._peeked: bytes | None = None

    def peek(self) -> bytes:
        self._peeked = self._source.readline()
        return self._peeked

    def readline(self) -> str:
        line, self._peeked = self._source.readline() if self._peeked is None else self._peeked, None
        if not line:
            self._ledger.wait()
            return ""
        text = _readable(line)
        self._ledger.asked(text.encode("utf-8", "replace"))
        return text


class _Outbound:
    """stdout, as the SDK writes a text file. A client that is gone is no error."""

    def __init__(self, sink: IO[bytes], ledger: _Ledger) -> None:
        self._sink = sink
        self._ledger = ledger
        self._ahead: object = None

    def ahead(self, id: object, answer: bytes) -> None:
        """Answers the request with this id before the SDK does, and drops the SDK's answer."""
        self._ahead = id
        self._put(answer)

    def write(self, text: str) -> None:
        line = text.encode("utf-8", "replace")
        message = _message(line)
        if "id" not in message or "method" in message:
            self._put(line)
            return
        if self._ahead is None or message["id"] != self._ahead:
            self._put(line)
        else:
            self._ahead = None
        self._ledger.answered(message["id"])

    def flush(self) -> None:
        """Every line goes out at once."""

    def _put(self, line: bytes) -> None:
        try:
            self._sink.write(line)
            self._sink.flush()
        except OSError:
            self._ledger.give_up()
            with suppress(OSError):  # what it still holds has nowhere to go
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._sink.fileno())


def _readable(line: bytes) -> str:
    """The line as the SDK can parse it: it drops a message whole for an escaped half of a surrogate pair."""
    if b"\\ud" in line.lower() and (message := _message(line)):
        return whole(json.dumps(message, ensure_ascii=False)) + "\n"
    return line.decode("utf-8", "replace")


def _message(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_taken(message: dict[str, Any]) -> bool:
    """Whether the SDK reads it as a request: what it does not, it drops without an answer."""
    return message.get("jsonrpc") == "2.0" and isinstance(message.get("params"), (dict, type(None)))


def _key(id: object) -> tuple[type, Any]:
    return type(id), id
