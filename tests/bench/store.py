"""How much the store costs over bare SQLite: `python tests/bench/store.py [--lines N] [--knn N ...] [--out FILE]`.

Two comparisons, both within one run:

* Storing lines of one episode and one fact, already embedded, against inserting the very same rows and vectors with
  bare apsw, one transaction a line and the same fsync setting. The bare side is spared all looking up: its rows
  are copied out of the finished store, its tokens are joined already.
* Nearest visible items against one raw sqlite-vec KNN over the same coarse vectors without metadata.

Prints a Markdown table; `--out` writes it to a file too.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import apsw
import numpy as np
import sqlite_vec

from lean_memory.claims import EmbedderMark, Interval, Placed, SlotChange, View, Write
from lean_memory.records import Change, Episode, Fact, Note, Vector, episode_id, fact_id
from lean_memory.store import ledger, open_store
from lean_memory.store.files import file_name
from lean_memory.store.sqlite import SqliteStore
from lean_memory.vectors import coarse

T = TypeVar("T")
DIM = 384
MODEL = EmbedderMark("random", DIM, "bench")
START = 1_700_000_000_000
WORDS = [
    "river", "stone", "copper", "lantern", "meadow", "harbour", "violet", "engine", "paper", "winter", "market",
    "bridge", "salt", "candle", "orchard",
]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--lines", type=int, default=10_000, help="lines to store (default 10000)")
    parser.add_argument("--knn", type=int, nargs="*", default=[10_000, 100_000], help="items to search among")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    options = parser.parse_args(arguments)
    rows = ["| what | store | bare | ratio |", "| --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        if options.lines:
            rows += storing(Path(folder), options.lines)
        for count in options.knn:
            rows += searching(Path(folder), count)
    table = "\n".join(rows) + "\n"
    sys.stdout.write(table)
    if options.out:
        options.out.write_text(table, encoding="utf-8")
    return 0


# --------------------------------------------------------------------------------------------------- storing


def storing(root: Path, count: int) -> Iterator[str]:
    writes = list(lines(count))
    for fast in (False, True):
        name = f"lines{fast:d}"
        store = open_store(root, name, create=True, fast=fast, now=START)
        store.set_embedder(MODEL)
        mine = timed(writes, lambda write, to=store: put(to, write))
        bare = Bare(root, store, fast=fast)
        theirs = timed(range(1, count + 1), bare.put)
        assert bare.sizes() == store.counts()
        store.close()
        label = f"store {count:,} lines, synchronous={'NORMAL' if fast else 'FULL'}"
        yield f"| {label} | {sum(mine):.2f} s | {sum(theirs):.2f} s | {sum(mine) / sum(theirs):.2f} |"
        yield f"| a line, p50 / p95 | {spread(mine)} | {spread(theirs)} | |"


def put(store: SqliteStore, write: Write) -> None:
    store.slots([change.key for change in write.slots])
    assert store.commit([write]) == ["stored"]


class Bare:
    """The same schema and rows, with nothing but the INSERTs."""

    def __init__(self, root: Path, model: SqliteStore, *, fast: bool) -> None:
        source = model._db
        name = f"bare{fast:d}"
        made = open_store(root, name, create=True, now=START)
        made.set_embedder(MODEL)
        made.close()
        self.db = apsw.Connection(str(root / file_name(name)))
        self.db.enable_load_extension(True)
        self.db.load_extension(sqlite_vec.loadable_path())
        self.db.execute(f"PRAGMA synchronous = {'NORMAL' if fast else 'FULL'}")
        self.rows = {}
        for table in ("episodes", "entities", "slots", "facts", "evidence", "validity", "changes"):
            rows = source.rows(f"SELECT * FROM {table} ORDER BY row")
            insert = f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})"
            for row in rows:
                self.rows.setdefault(row[0], []).append((insert, row))
        words = {row["item"]: row["terms"] for row in model.dump() if row["table"] == "terms"}
        columns = "item, embedding, kind, begins, ends, hot"
        for item, data in source.rows("SELECT item, data FROM vectors ORDER BY item"):
            place = source.row(f"SELECT {columns} FROM vec_coarse WHERE item = ?", (item,))
            self.rows[item >> 1] += [
                ("INSERT INTO vectors VALUES (?, ?)", (item, data)),
                (f"INSERT INTO vec_coarse ({columns}) VALUES (?, ?, ?, ?, ?, ?)", (*place[:5], bool(place[5]))),
                ("INSERT INTO terms (rowid, words) VALUES (?, ?)", (item, words[item])),
            ]

    def put(self, row: int) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        for sql, values in self.rows[row]:
            self.db.execute(sql, values)
        self.db.execute("COMMIT")

    def sizes(self) -> dict[str, int]:
        return {table: self.db.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in ledger.TABLES}


# ------------------------------------------------------------------------------------------------- searching


def searching(root: Path, count: int, *, k: int = 10, queries: int = 40) -> Iterator[str]:
    """`count` items, half episodes and half facts; a fifth of the facts have ended."""
    name = f"knn{count}"
    store = open_store(root, name, create=True, fast=True, now=START)
    store.set_embedder(MODEL)
    db = store._db
    with db._transaction("BEGIN IMMEDIATE"):  # one transaction, to be done with it sooner
        db._depth = 1
        from lean_memory.store.write import _Writer

        for write in lines(count // 2, ended=5):
            _Writer(db, write).store()
    with db.reading():
        db.run("CREATE VIRTUAL TABLE temp.raw USING vec0(item INTEGER PRIMARY KEY, embedding float[256])")
        db.run("INSERT INTO temp.raw SELECT item, embedding FROM main.vec_coarse")
    vectors = [vector(seed) for seed in range(10**6, 10**6 + queries)]
    now = View(now=START + 10**12)
    views = {
        "now": now,
        "now, facts": View(now=now.now, kind="fact"),
        "as of": View(now=now.now, as_of=START + 500 * count),
        "known at": View(now=now.now, known_at=START + 10**12),
    }
    near = [coarse(one) for one in vectors]
    raw = timed(near, lambda one: db.rows("SELECT item FROM temp.raw WHERE embedding MATCH ? AND k = ?", (one, k)))
    for label, view in views.items():
        mine = timed(vectors, lambda one, view=view: store.dense(one, view, k))
        yield f"| {k} nearest of {count:,}, {label}, p50 / p95 | {spread(mine)} | {spread(raw)} | {ratio(mine, raw)} |"
    terms = timed(range(queries), lambda i: store.sparse([WORDS[i % 15], str(i)], now, k))
    yield f"| {k} best of {count:,} by BM25 (one term is in a fifth), p50 / p95 | {spread(terms)} | | |"
    store.close()


# -------------------------------------------------------------------------------------------------- material


def lines(count: int, *, ended: int = 0) -> Iterator[Write]:
    """Every line has its own subject; every `ended`-th fact is over."""
    for i in range(count):
        said = START + 1000 * i
        words = [WORDS[i % 15], WORDS[i // 15 % 15], WORDS[i // 225 % 15]]
        note = Note(text=f"Number {i} keeps a {words[0]} by the {words[1]} near the {words[2]}.", t_ref=said)
        subject, object = f"number {i}", f"a {words[0]} by the {words[1]}"
        over = said + 1000 if ended and i % ended == 0 else None
        fact = Fact(
            id=fact_id(subject, "keeps", object), subject=subject, predicate="keeps", object=object,
            text=f"Number {i} keeps {object}.", quote=note.text, span=(0, len(note.text)), valid_at=said, valid_to=over,
            vector=vector(2 * i + 1),
        )  # fmt: skip
        id = episode_id(note)
        key = f'["{subject}","keeps","{object}"]'
        yield Write(
            at=said,
            episode=Episode(id=id, text=note.text, t_ref=said, facts=(fact,), vector=vector(2 * i)),
            placed=(Placed(fact, key),),
            slots=(SlotChange(key, 0, (), (Interval(fact.id, said, over),)),),
            changes=(Change(at=said, action="asserted", fact=fact.id, episode=id),),
        )


def vector(seed: int) -> Vector:
    values = np.random.default_rng(seed).standard_normal(DIM)
    return Vector(MODEL.name, DIM, (values / np.linalg.norm(values)).astype("<f4").tobytes())


# ----------------------------------------------------------------------------------------------------- timing


def timed(items: Sequence[T], action: Callable[[T], object]) -> list[float]:
    seconds = []
    for item in items:
        start = time.perf_counter()
        action(item)
        seconds.append(time.perf_counter() - start)
    return seconds


def quantile(seconds: Sequence[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, math.ceil(share * len(seconds)) - 1)]


def spread(seconds: Sequence[float]) -> str:
    return f"{1000 * quantile(seconds, 0.5):.2f} / {1000 * quantile(seconds, 0.95):.2f} ms"


def ratio(mine: Sequence[float], theirs: Sequence[float]) -> str:
    return f"{quantile(mine, 0.5) / quantile(theirs, 0.5):.2f}"


if __name__ == "__main__":
    raise SystemExit(main())
