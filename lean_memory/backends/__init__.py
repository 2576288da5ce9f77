"""The models: each heavy library in one module, imported on first use. `ports` says what a model must do."""

from __future__ import annotations

from lean_memory.backends.choose import Choice, choose_embedder
from lean_memory.backends.ports import Embedder

__all__ = ["Choice", "Embedder", "choose_embedder"]
