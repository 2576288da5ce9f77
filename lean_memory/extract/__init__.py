"""Facts from text by rules: chat turns, notes, logs and journals, English and Chinese. Pure: no clock, no I/O."""

from __future__ import annotations

from lean_memory.extract.engine import Extractor
from lean_memory.extract.table import Predicate, PredicateTable, default_table, extended_table, load_table

__all__ = ["Extractor", "Predicate", "PredicateTable", "default_table", "extended_table", "load_table"]
