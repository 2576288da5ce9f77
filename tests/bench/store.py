"""How much the store costs over bare SQLite: `python tests/bench/store.py [--lines N] [--knn N ...] [--out FILE]`.

Two comparisons, both within one run:

* Storing lines of one episode and one fact, already embedded, against inserting the very same rows and vectors with
  bare apsw, one transaction a line and the same fsync setting. The bare side is spared all looking up: its rows
  are copied out of the finished store, its tokens are joined already.
* Nearest visible items against one raw sqlite-vec KNN over the first 256 dimensions of the same vectors, float32,
  without metadata.

Times are by the clock; `of work` compares processor time, where only that counts and others use the machine too.
Prints a Markdown table; `--out` writes it to a file too.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
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
from lean_memory.store.write import apply
from lean_memory.vectors import coarse

T = TypeVar("T")
U = TypeVar("U")
DIM = 384
MODEL = EmbedderMark("minilm", DIM, "bench")  # random vectors under its name: the default model's coarse form
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
        model = open_store(root, f"model{fast:d}", create=True, fast=True, now=START)
        model.set_embedder(MODEL)
        for write in writes:
            model.commit([write])
        bare = Bare(root, model, fast=fast)
        store = open_store(root, f"lines{fast:d}", create=True, fast=fast, now=START)
        store.set_embedder(MODEL)
        mine, theirs = in_turn(
            writes, lambda write, to=store: put(to, write), range(1, count + 1), lambda row, to=bare: to.put(row)
        )
        assert bare.sizes() == store.counts() == model.counts()
        model.close()
        store.close()
        label = f"store {count:,} lines, synchronous={'NORMAL' if fast else 'FULL'}"
        total, bare_total = sum(mine.clock), sum(theirs.clock)
        yield f"| {label} | {total:.2f} s | {bare_total:.2f} s | {total / bare_total:.2f} |"
        yield f"| a line, p50 / p95 | {mine} | {theirs} | {sum(mine.work) / sum(theirs.work):.2f} of work |"


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
        columns = "item, sampled, embedding, kind, begins, ends, recorded, hot"
        for item, data in source.rows("SELECT item, data FROM vectors ORDER BY item"):
            place = source.row(f"SELECT {columns} FROM vec_coarse WHERE item = ?", (item,))
            self.rows[item >> 1] += [
                ("INSERT INTO vectors VALUES (?, ?)", (item, data)),
                (
                    f"INSERT INTO vec_coarse ({columns}) VALUES (?, ?, vec_bit(?), ?, ?, ?, ?, ?)",
                    (*place[:7], bool(place[7])),
                ),
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
    with db.writing():  # all in one transaction, to be done with it sooner
        for write in lines(count // 2, ended=5):
            apply(db, write)
        db.run("CREATE VIRTUAL TABLE raw USING vec0(item INTEGER PRIMARY KEY, embedding float[256])")
        for item, data in db.rows("SELECT item, data FROM vectors"):
            db.run("INSERT INTO raw (item, embedding) VALUES (?, ?)", (item, coarse(Vector(MODEL.name, DIM, data))))
    vectors = [vector(seed) for seed in range(10**6, 10**6 + queries)]
    near = [coarse(one) for one in vectors]
    now = View(now=START + 10**12)
    views = {
        "now": now,
        "now, facts": replace(now, kind="fact"),
        "as of": replace(now, as_of=START + 500 * count),
        "known at": replace(now, known_at=now.now),
        "one subject": replace(now, subject="number 7"),
    }
    for label, view in views.items():
        mine, raw = in_turn(
            vectors, lambda one, view=view: store.dense(one, view, k),
            near, lambda one: db.rows("SELECT item FROM raw WHERE embedding MATCH ? AND k = ?", (one, k)),
        )  # fmt: skip
        share = quantile(mine.work, 0.5) / quantile(raw.work, 0.5)
        yield f"| {k} nearest of {count:,}, {label}, p50 / p95 | {mine} | {raw} | {share:.2f} of work |"
    for label, view in list(views.items())[:3]:
        times = Times()
        for i in range(queries):
            times.take(lambda i, view=view: store.sparse([WORDS[i % 15], str(i)], view, k), i)
        yield f"| {k} best of {count:,} by BM25, {label}, p50 / p95 | {times} | | |"
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


class Times:
    """Seconds by the clock and of this process's own work, a step each."""

    def __init__(self) -> None:
        self.clock: list[float] = []
        self.work: list[float] = []

    def take(self, action: Callable[[T], object], argument: T) -> None:
        work, clock = time.process_time(), time.perf_counter()
        action(argument)
        self.clock.append(time.perf_counter() - clock)
        self.work.append(time.process_time() - work)

    def __str__(self) -> str:
        return f"{1000 * quantile(self.clock, 0.5):.2f} / {1000 * quantile(self.clock, 0.95):.2f} ms"


def in_turn(
    mine: Sequence[T], do_mine: Callable[[T], object], theirs: Sequence[U], do_theirs: Callable[[U], object]
) -> tuple[Times, Times]:
    """Both sides' times, step by step in turn, so that what else the machine does falls on both."""
    times = Times(), Times()
    for one, other in zip(mine, theirs, strict=True):
        times[0].take(do_mine, one)
        times[1].take(do_theirs, other)
    return times


def quantile(seconds: Sequence[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, math.ceil(share * len(seconds)) - 1)]


if __name__ == "__main__":
    raise SystemExit(main())
