"""A server on a loopback port that speaks what a test has it speak."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes]


def chat(words: str) -> Answer:
    """An answer of Ollama's /api/chat, as recorded, with these words."""
    return 200, json.dumps(
        {
            "model": "small",
            "created_at": "2026-03-04T10:00:00.000000Z",
            "message": {"role": "assistant", "content": words},
            "done": True,
            "done_reason": "stop",
            "total_duration": 1,
            "eval_count": 1,
        }
    ).encode()


@contextmanager
def server(reply: Callable[[dict[str, Any]], Answer]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Answers each POST by `reply`, which is given the request's JSON. Yields the address and the requests so far."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, **body})
            status, answer = reply(body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            pass  # a client that gave up waiting

    listener = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.server_address[1]}", asked
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
