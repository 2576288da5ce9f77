"""A process that stores lines, for the tests: `writer.py ROOT NAME COUNT once|each`.

Says `ready`, waits for a line on stdin, then prints `STATUS TEXT` for each line once it is durable. `each` opens
and closes the namespace for every line.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lean_memory.claims import Write
from lean_memory.records import Fact
from lean_memory.store import open_store
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import MODEL, a_fact, a_write, slot_of, vector


def main(root: str, name: str, count: str, reopen: str) -> None:
    texts = [f"{who} line {i}" for i in range(int(count)) for who in (name, "shared")]
    fact = a_fact("Anna", "likes", "tea", vector=vector("tea"))
    print("ready", flush=True)
    sys.stdin.readline()
    store: SqliteStore | None = None
    for text in texts:
        if store is None:
            store = open_store(Path(root), "work", create=True, now=0)
            store.set_embedder(MODEL)
        print(put(store, text, fact), text, flush=True)
        if reopen == "each":
            store.close()
            store = None


def put(store: SqliteStore, text: str, fact: Fact) -> str:
    while True:
        [status] = store.commit([line(store, text, fact)])
        if status != "conflict":
            return status


def line(store: SqliteStore, text: str, fact: Fact) -> Write:
    state = store.slots([slot_of(fact)])[slot_of(fact)]
    opened = [] if state.intervals else None
    return a_write(text, fact, revision=state.revision, open=opened, vector=vector(text))


if __name__ == "__main__":
    main(*sys.argv[1:])
