"""From a question and candidates to ranked hits. Pure: no store, no model, no clock."""

from __future__ import annotations

from lean_memory.retrieve.bm25 import bm25, rank_in_memory
from lean_memory.retrieve.context import Neighbours
from lean_memory.retrieve.query import Query, roles, understand
from lean_memory.retrieve.rank import rank, rerank
from lean_memory.retrieve.score import Weights
from lean_memory.retrieve.tuning import Tuning

__all__ = [
    "Neighbours",
    "Query",
    "Tuning",
    "Weights",
    "bm25",
    "rank",
    "rank_in_memory",
    "rerank",
    "roles",
    "understand",
]
