"""A language model behind an Ollama server (extra [llm]), on this machine unless a host is named."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from lean_memory.errors import BackendUnavailable

__all__ = ["HOST", "Ollama"]

HOST: Final = "http://127.0.0.1:11434"

_TIMEOUT: Final = 120.0  # seconds for one answer; the first waits for the model to load
_CONNECT: Final = 5.0
_ATTEMPTS: Final = 3
_PAUSE: Final = 0.5  # seconds before the second attempt, twice that before the third
_ANSWER: Final = 1024  # tokens
_CONTEXT: Final = 4096  # tokens, prompt and answer: a prompt of extraction has at most about 2,500
_KEEP: Final = "10m"


class Ollama:
    """One model of one server. What fails for a moment (no connection, status 429 or 5xx) is tried again.

    The environment's proxies are not used: the text is for this server alone.

    Args:
        timeout: seconds for one answer.
        attempts: how often to ask at most.
        sleep: waits between attempts.
    """

    def __init__(
        self,
        model: str,
        *,
        host: str = HOST,
        timeout: float = _TIMEOUT,
        attempts: int = _ATTEMPTS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = model
        self._host = host
        self._timeout = timeout
        self._attempts = attempts
        self._sleep = sleep
        self._client: Any = None
        self.retries = 0
        """How often a question was asked again."""

    @property
    def name(self) -> str:
        """`ollama:` and the model's name."""
        return f"ollama:{self._model}"

    def warm(self) -> None:
        """Has the server load the model. Raises BackendUnavailable when it does not answer or has no such model."""
        self._ask(prompt="", schema=None, tokens=1)

    def generate(self, prompt: str, schema: Mapping[str, Any]) -> str:
        """The answer at temperature 0, held to the schema by the server. Raises BackendUnavailable."""
        return self._ask(prompt, schema, _ANSWER)

    def _ask(self, prompt: str, schema: Mapping[str, Any] | None, tokens: int) -> str:
        try:
            import httpx
            import ollama
        except ImportError as error:
            raise BackendUnavailable(
                f"{self.name} needs the package ollama: {error}", hint="install it with: pip install 'lean-memory[llm]'"
            ) from error
        if self._client is None:
            limits = httpx.Timeout(self._timeout, connect=min(_CONNECT, self._timeout))
            self._client = ollama.Client(host=self._host, timeout=limits, trust_env=False, follow_redirects=False)
        for attempt in range(self._attempts):
            if attempt:
                self.retries += 1
                self._sleep(_PAUSE * 2 ** (attempt - 1))
            try:
                answer = self._client.chat(
                    model=self._model,
                    messages=[{"role": "user", "content": prompt}] if prompt else [],
                    format=None if schema is None else dict(schema),
                    options={"temperature": 0, "seed": 0, "num_predict": tokens, "num_ctx": _CONTEXT},
                    keep_alive=_KEEP,
                )
                return str(answer.message.content or "")
            except ollama.ResponseError as error:
                failure = self._failure(error, error.status_code)
                if not (error.status_code == 429 or error.status_code >= 500):
                    break
            except httpx.ReadTimeout as error:  # a model that is too slow stays so
                failure = self._failure(error)
                break
            except (ConnectionError, httpx.HTTPError, ValueError) as error:  # ValueError: no answer of Ollama's
                failure = self._failure(error)
        raise failure

    def _failure(self, error: Exception, status: int | None = None) -> BackendUnavailable:
        if status == 404:
            return BackendUnavailable(
                f"the Ollama server at {self._host} has no model {self._model}",
                hint=f"fetch it with: ollama pull {self._model}",
            )
        told = str(error) or type(error).__name__
        hint = "start it with: ollama serve; LM_OLLAMA_HOST names another host"
        return BackendUnavailable(f"the Ollama server at {self._host} gave no answer: {told}", hint=hint)
