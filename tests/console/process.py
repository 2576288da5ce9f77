"""`lm-review serve` as a real process, and requests to it that no browser would make."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from tests.commands import environment

__all__ = ["REST", "Answer", "Console"]

NAME = "work"
REST = f"/v1/{NAME}"
"""Where the routes of the memory begin that the tests make."""


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Console:
    """Serves the memories of `folder` until the block ends."""

    def __init__(self, folder: Path, *options: str, **env: str) -> None:
        self.process = subprocess.Popen(
            ["lm-review", "serve", "--by", "Ada", *options], cwd=folder, env=environment(folder, **env),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            _, complaint = self.process.communicate(timeout=60)
            raise AssertionError(f"it did not start: {complaint.decode()}")
        parts = urlsplit(self.url)
        self.port = parts.port or 0
        self.origin = f"http://127.0.0.1:{self.port}"
        self.token = parts.fragment.removeprefix("token=")

    def __enter__(self) -> Console:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        _, complaints = self.process.communicate(timeout=60)
        assert kind is not None or complaints == b"", complaints.decode()

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        method: str | None = None,
        token: str | None = "",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """A request with the token; with `token` None without one. A body is sent as JSON; bytes as they are."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if token is not None:
            sent["Authorization"] = f"Bearer {token or self.token}"
        data = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent |= headers or {}
        connection.request(method or ("GET" if body is None else "POST"), path, data, sent)
        response = connection.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        connection.close()
        return answer

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)
