"""Any sentence-transformers model (extra [models]) from the disk: a folder, or a hub model in the local cache.

A text longer than the model's window, or than 2,048 tokens, is read in windows that overlap; its vector is the
token-weighted mean of theirs, at length 1.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from lean_memory.backends.files import fingerprint, keep_to_disk, on_disk
from lean_memory.claims import EmbedderMark
from lean_memory.errors import BackendUnavailable
from lean_memory.records import Vector

__all__ = ["DEFAULT", "SentenceTransformerEmbedder", "no_progress_bar", "windows"]

DEFAULT: Final = "Qwen/Qwen3-Embedding-0.6B"

_LONGEST: Final = 2048  # tokens; attention's cost grows with the square
_OVERLAP: Final = 32
_BATCH: Final = 16


class SentenceTransformerEmbedder:
    """A model by its hub name or its folder; its name on the wire is `st:` and that.

    Queries get the model's own `query` prompt and other texts its `document` one, where it has them.
    """

    def __init__(self, name: str, env: Mapping[str, str]) -> None:
        self._name = name
        self._env = env
        self._lock = threading.Lock()
        self._model: Any = None

    @cached_property
    def mark(self) -> EmbedderMark:
        """Read from the model's files, without loading it. Raises BackendUnavailable."""
        folder = self._folder
        return EmbedderMark(f"st:{self._name}", _dimension(folder), fingerprint(_telling(folder)))

    def warm(self) -> None:
        """Loads the model. Raises BackendUnavailable."""
        self._load()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One vector a text. Raises BackendUnavailable as `warm` does."""
        if not texts:
            return []
        model = self._load()
        import numpy as np  # after the model, whose own import of it may be under way in another thread

        prompt = _prompt(model, query)
        room = _room(model, prompt)
        parts: list[str] = []
        weights: list[int] = []
        firsts: list[int] = []
        for text in texts:
            firsts.append(len(parts))
            for part, weight in windows(model.tokenizer, text.encode("utf-8", "replace").decode(), room):
                parts.append(part)
                weights.append(weight)
        vectors = model.encode(
            parts, prompt=prompt or None, batch_size=_BATCH, show_progress_bar=False, normalize_embeddings=True
        )
        weighted = np.asarray(vectors, np.float32) * np.asarray(weights, np.float32)[:, None]
        sums = np.add.reduceat(weighted, firsts, axis=0)
        sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return [Vector(self.mark.name, self.mark.dim, row.tobytes()) for row in sums.astype("<f4")]

    @cached_property
    def _folder(self) -> Path:
        folder = on_disk(self._name, self._env)
        if folder is None:
            raise BackendUnavailable(
                f"the model {self._name} is not on the disk",
                hint=f"fetch it with: LM_EMBEDDER=st:{self._name} lm-embed --warm",
            )
        return folder

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load(self._folder, self.mark)
            return self._model


def _load(folder: Path, mark: EmbedderMark) -> Any:
    keep_to_disk()
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as err:
        raise BackendUnavailable(
            f"the embedder {mark.name} needs sentence-transformers: {err}",
            hint="install it with: pip install 'lean-memory[models]'",
        ) from err
    try:
        with no_progress_bar():
            model = SentenceTransformer(str(folder), local_files_only=True)
    except Exception as err:  # of many kinds: files, formats, memory, devices
        raise BackendUnavailable(
            f"the model in {folder} does not load: {err}", hint="is it a sentence-transformers model?"
        ) from err
    # Renamed in sentence-transformers 6.
    dim = (getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension)()
    if dim != mark.dim:
        raise BackendUnavailable(f"the model in {folder} has {dim} dimensions where its files say {mark.dim}")
    return model


@contextmanager
def no_progress_bar() -> Iterator[None]:
    """Loading draws one on stderr, which nobody asked for."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _prompt(model: Any, query: bool) -> str:
    names = ("query",) if query else ("document", "passage", "corpus")
    prompts: Mapping[str, str] = model.prompts or {}
    return next((prompts[name] for name in names if prompts.get(name)), "")


def _room(model: Any, prompt: str) -> int:
    """How many tokens of a text one window holds."""
    tokenizer = model.tokenizer
    taken: int = tokenizer.num_special_tokens_to_add()
    if prompt:
        taken += len(tokenizer(prompt, add_special_tokens=False)["input_ids"])
    longest: int = min(model.max_seq_length or _LONGEST, _LONGEST)
    return longest - taken


def windows(tokenizer: Any, text: str, room: int) -> list[tuple[str, int]]:
    """Parts of the text of at most `room` tokens that overlap, and how many tokens each has; all of it if it fits.

    Args:
        tokenizer: a fast one of transformers'.
    """
    offsets = tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
    )["offset_mapping"]  # fmt: skip
    if len(offsets) <= room:
        return [(text, max(len(offsets), 1))]
    # Cut inside a word, a part can have a few tokens more than it had in the whole; those the next part has too.
    size = max(room - _OVERLAP // 4, 1)
    step = max(size - _OVERLAP, 1)
    starts = range(0, max(len(offsets) - (size - step), 1), step)
    parts = (offsets[start : start + size] for start in starts)
    return [(text[part[0][0] : part[-1][1]], len(part)) for part in parts]


def _dimension(folder: Path) -> int:
    """Of the vectors, as the configuration of the last module that says so has it (its pooling, or a dense layer)."""
    dimension = None
    for module in _modules(folder):
        config = _json(folder / module / "config.json") or {}
        for key in ("out_features", "word_embedding_dimension", "embedding_dimension", "hidden_size"):
            if isinstance(config, dict) and isinstance(config.get(key), int):
                dimension = config[key]
                break
    if dimension is None:
        raise BackendUnavailable(
            f"{folder} does not say how many dimensions its vectors have", hint="is it a sentence-transformers model?"
        )
    return int(dimension)


def _telling(folder: Path) -> list[Path]:
    """The files that decide what a vector is: weights and the modules' configuration."""
    files: list[Path] = []
    for module in _modules(folder):
        where = folder / module
        files += sorted(where.glob("*.safetensors")) or sorted(where.glob("*.bin"))
        if module:
            files += [config for config in (where / "config.json",) if config.is_file()]
    return files


def _modules(folder: Path) -> list[str]:
    """The modules' folders, in the order they run; "" is the model's own."""
    modules = _json(folder / "modules.json")
    return [str(module["path"]) for module in modules] if isinstance(modules, list) else [""]


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
