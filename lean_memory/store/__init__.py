"""The only place with SQL: one SQLite file per namespace."""

from lean_memory.store.connect import (
    namespace_exists,
    namespaces,
    open_store,
    rekey_namespace,
    remove_namespace,
    restore_namespace,
)
from lean_memory.store.port import Store

__all__ = [
    "Store",
    "namespace_exists",
    "namespaces",
    "open_store",
    "rekey_namespace",
    "remove_namespace",
    "restore_namespace",
]
