"""A sentence-transformers cross-encoder (extra [models]) from the disk: a folder, or a hub model in the local cache."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from lean_memory.backends.files import keep_to_disk, on_disk
from lean_memory.backends.sentence_transformer import no_progress_bar, windows
from lean_memory.errors import BackendUnavailable

__all__ = ["DEFAULT", "CrossEncoderReranker"]

DEFAULT: Final = "cross-encoder/ettin-reranker-32m-v1"
"""Apache-2.0; distilled from a reranker of 1.5 billion parameters."""

_LONGEST: Final = 1024  # tokens of query and text together; attention's cost grows with the square
_BATCH: Final = 16


class CrossEncoderReranker:
    """A model by its hub name or its folder."""

    def __init__(self, name: str, env: Mapping[str, str]) -> None:
        self.name: Final = f"st:{name}"
        self._where = name
        self._env = env
        self._lock = threading.Lock()
        self._model: Any = None

    def warm(self) -> None:
        """Loads the model. Raises BackendUnavailable."""
        self._load()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The logistic function of the model's own score. Raises BackendUnavailable as `warm` does."""
        if not texts:
            return []
        model = self._load()
        query, room = _fitted(model, query)
        pairs: list[tuple[str, str]] = []
        firsts: list[int] = []
        for text in texts:
            firsts.append(len(pairs))
            parts = windows(model.tokenizer, text.encode("utf-8", "replace").decode(), room)
            pairs += [(query, part) for part, _ in parts]
        logits = model.predict(pairs, batch_size=_BATCH, show_progress_bar=False, activation_fn=_same).tolist()
        # A text read in several windows is as good as its best one.
        bounds = pairwise([*firsts, len(pairs)])
        return [_logistic(max(logits[begin:end])) for begin, end in bounds]

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load(self._where, self._env)
            return self._model


def _load(name: str, env: Mapping[str, str]) -> Any:
    folder = on_disk(name, env)
    if folder is None:
        raise BackendUnavailable(
            f"the reranker {name} is not on the disk", hint=f"fetch it with: LM_RERANKER=st:{name} lm-embed --warm"
        )
    keep_to_disk()
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as err:
        raise BackendUnavailable(
            f"the reranker {name} needs sentence-transformers: {err}",
            hint="install it with: pip install 'lean-memory[models]'",
        ) from err
    try:
        with no_progress_bar():
            model = CrossEncoder(str(folder), local_files_only=True)
    except Exception as err:  # of many kinds: files, formats, memory, devices
        raise BackendUnavailable(
            f"the reranker in {folder} does not load: {err}", hint="is it a sentence-transformers cross-encoder?"
        ) from err
    if model.num_labels != 1:
        raise BackendUnavailable(
            f"the reranker in {folder} gives {model.num_labels} scores a text where one is needed",
            hint="take a model for ranking, with one label",
        )
    return model


def _fitted(model: Any, query: str) -> tuple[str, int]:
    """The query, cut to half of the window, and how many tokens of a text fit beside it."""
    tokenizer = model.tokenizer
    longest: int = min(model.max_seq_length or _LONGEST, _LONGEST) - tokenizer.num_special_tokens_to_add(pair=True)
    part, tokens = windows(tokenizer, query.encode("utf-8", "replace").decode(), longest // 2)[0]
    return part, longest - tokens


def _same(logits: Any) -> Any:
    """In place of the model's own activation, which may leave [0, 1]."""
    return logits


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
