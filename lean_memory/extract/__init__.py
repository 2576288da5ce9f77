"""Facts from text by rules: chat turns, notes, logs and journals, English and Chinese. Pure: no clock, no I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lean_memory.extract.table import Predicate, PredicateTable, default_table, extended_table, load_table

if TYPE_CHECKING:
    from lean_memory.extract.engine import Extractor

__all__ = ["Extractor", "Predicate", "PredicateTable", "default_table", "extended_table", "load_table"]


def __getattr__(name: str) -> Any:
    """The engine with its hundred modules on first use: a search takes the table and the times alone."""
    if name != "Extractor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lean_memory.extract.engine import Extractor

    return Extractor
