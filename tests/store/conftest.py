"""A namespace to work in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lean_memory.store import open_store
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import MODEL, unsafe


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where namespaces are; not made yet."""
    return tmp_path / "memory"


@pytest.fixture
def opened(root: Path) -> Iterator[Callable[..., SqliteStore]]:
    """Opens namespaces of `root` and closes them at the end."""
    stores: list[SqliteStore] = []

    def opening(namespace: str = "work", *, create: bool = True, write: bool = False, fast: bool = True) -> SqliteStore:
        stores.append(open_store(root, namespace, create=create, write=write, fast=fast, now=0))
        return unsafe(stores[-1]) if fast else stores[-1]

    yield opening
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[..., SqliteStore]) -> SqliteStore:
    """A fresh namespace whose embedder is recorded."""
    fresh = opened()
    fresh.set_embedder(MODEL)
    return fresh
