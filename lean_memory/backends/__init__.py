"""The models: each heavy library in one module, imported on first use. `ports` says what a model must do."""

from __future__ import annotations

from lean_memory.backends.choose import Choice, RerankerChoice, choose_embedder, choose_reranker, fetch
from lean_memory.backends.ports import Embedder, Reranker

__all__ = ["Choice", "Embedder", "Reranker", "RerankerChoice", "choose_embedder", "choose_reranker", "fetch"]
