"""A memory whose connections are one, as the disk of these tests has no shared memory; and its rows as one value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from lean_memory.memory import Memory
from lean_memory.settings import Settings
from lean_memory.store.port import Store
from tests.maintain.material import DAY, START

__all__ = ["NOW", "reader", "sole", "state_of"]

NOW = START + 700 * DAY


class _Sole(Memory):
    """What reads uses the connection that writes."""

    def _open(self, namespace: str, *, create: bool = False, write: bool = False) -> Store:
        return super()._open(namespace, create=create, write=True)


@contextmanager
def sole(root: Path, *, fast: bool = False) -> Iterator[Memory]:
    with _Sole(settings=_settings(root), fast=fast) as memory:
        yield memory


@contextmanager
def reader(root: Path) -> Iterator[Memory]:
    """One that only reads."""
    with Memory(settings=_settings(root)) as memory:
        yield memory


def _settings(root: Path) -> Settings:
    return Settings(root=root, fixed_now=NOW, environ={"LM_BACKENDS": "stub", "LM_USAGE": "off"})


def state_of(memory: Memory | Store, namespace: str | None = None) -> str:
    """Every row of a memory or a store, in brief; but for leases, which tell of processes."""
    digest = blake2b(digest_size=8)
    for row in memory.dump(namespace or "") if isinstance(memory, Memory) else memory.dump():
        if row["table"] != "leases":
            digest.update(repr(row).encode())
    return digest.hexdigest()
