"""A language model from a GGUF file, in this process, by llama.cpp (extra [gguf], package `xllamacpp`)."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from lean_memory.errors import BackendUnavailable

__all__ = ["GGUF"]

_ANSWER: Final = 1024  # tokens
_CONTEXT: Final = 4096  # tokens, prompt and answer: a prompt of extraction has at most about 2,500
_QUIET: Final = -1


class GGUF:
    """A model by its file. Loads at the first call; calls from several threads wait for each other.

    Args:
        threads: how many it computes with; by default half the processors, since llama.cpp's threads wait for each
            other busily and a machine with other work slows them down manyfold.
    """

    def __init__(self, path: str | Path, *, threads: int | None = None) -> None:
        self._path = Path(path).expanduser()
        self._threads = threads or max(1, (os.cpu_count() or 1) // 2)
        self._lock = threading.Lock()
        self._engine: Any = None

    @property
    def name(self) -> str:
        """`gguf:` and the file's name."""
        return f"gguf:{self._path.name}"

    def warm(self) -> None:
        """Loads the model. Raises BackendUnavailable."""
        with self._lock:
            if self._engine is None:
                self._engine = self._load()

    def close(self) -> None:
        """Frees the model's memory; the next call loads it again."""
        with self._lock:
            self._engine = None

    def generate(self, prompt: str, schema: Mapping[str, Any]) -> str:
        """The answer at temperature 0; a grammar made of the schema lets no other JSON through.

        Raises:
            BackendUnavailable: the model does not load, or refuses the prompt.
        """
        self.warm()
        request = {
            "messages": [{"role": "user", "content": prompt}],
            "response_format": {"type": "json_schema", "json_schema": {"schema": dict(schema)}},
            "max_tokens": _ANSWER,
            "temperature": 0,
            "seed": 0,
        }
        try:
            with self._lock:
                answer = self._engine.handle_chat_completions(request)
        except (RuntimeError, ValueError, TypeError) as error:
            raise self._refused(error) from error
        if not isinstance(answer, dict) or not answer.get("choices"):
            told = answer.get("error") if isinstance(answer, dict) else answer
            raise self._refused(told.get("message") if isinstance(told, dict) else told)
        return str(answer["choices"][0]["message"].get("content") or "")

    def _load(self) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise BackendUnavailable(
                f"{self.name} needs the package xllamacpp: {error}",
                hint="install it with: pip install 'lean-memory[gguf]'",
            ) from error
        try:
            with self._path.open("rb") as file:
                magic = file.read(4)
        except OSError as error:
            raise BackendUnavailable(
                f"the model {self._path} can't be read: {error.strerror}", hint="LM_GGUF must name a GGUF file"
            ) from error
        if magic != b"GGUF":
            raise BackendUnavailable(f"{self._path} is no GGUF file", hint="LM_GGUF must name a GGUF file")
        try:
            return xllamacpp.Server(self._params(xllamacpp))
        except Exception as error:  # a bare one of the C++ below
            raise BackendUnavailable(f"the model {self._path} does not load: {error}") from error

    def _params(self, xllamacpp: Any) -> Any:
        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx = _CONTEXT
        params.n_parallel = 1
        params.verbosity = _QUIET
        params.warmup = False
        params.offline = True
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
        # The library can't be told not to listen on a loopback port; nobody else knows this key, so nobody gets in.
        params.hostnames = ["127.0.0.1"]
        params.api_keys = [secrets.token_hex(32)]
        params.ui = False
        return params

    def _refused(self, told: object) -> BackendUnavailable:
        return BackendUnavailable(f"{self.name} gave no answer: {told}")
