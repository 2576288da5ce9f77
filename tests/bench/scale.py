"""A search among very many facts, by stage: `python tests/bench/scale.py [--facts N ..] [--root FOLDER] [--out FILE]`.

One memory grows to each of the sizes in turn, written through the store's own write path (`apply`, many lines a
transaction, since a million transactions would take most of an hour). Every line is an episode with four facts. Texts
are synthetic: the words' frequencies follow Zipf's law, so there are common words and rare ones; vectors are mixtures
of three real ones, so that they crowd as real ones do. Of the facts, one in five has ended.

Beside each search runs one raw sqlite-vec KNN over the same vectors: their first 256 dimensions as float32, nothing
else in the table; for as many neighbours as the search asks its own dense stage for, and for ten. They take turns, so
that what else the machine does falls on both. `work` is processor time, where only that counts.

Memory is the peak of a process of its own: `lm-search` with 50 questions, and one that only embeds them.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import sqlite_vec

from lean_memory.backends.minilm import MiniLM
from lean_memory.claims import Interval, Placed, SlotChange, View, Write
from lean_memory.memory import Memory
from lean_memory.records import Change, Episode, Fact, Note, Vector, episode_id, fact_id
from lean_memory.store import open_store
from lean_memory.store.write import apply
from lean_memory.vectors import coarse

NAMESPACE = "scale"
START = 1_600_000_000_000  # ms
MINUTE = 60_000
FACTS_A_LINE = 4
STAGES = ("embed", "dense", "sparse", "load", "rank")
PREDICATES = {
    "works_at": "works at", "likes": "likes", "has_pet": "has a pet called", "plays": "plays", "visited": "visited",
    "drives": "drives", "lives_in": "lives in", "reads": "reads", "owns": "owns", "speaks": "speaks",
}  # fmt: skip
COMMON = (
    "work home week time day friend family house food music book game city trip school car dog movie job team plan park"
    " coffee garden class photo art sister brother dinner birthday summer winter train beach project paper phone"
).split()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--facts", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--queries", type=int, default=60, help="searches of each kind (default 60)")
    parser.add_argument("--root", type=Path, help="keep the memory in this folder, and go on with what is there")
    parser.add_argument("--out", type=Path, help="write the tables to this file too")
    options = parser.parse_args(arguments)
    root = options.root or Path(tempfile.mkdtemp(prefix="lean-memory-scale-"))
    try:
        text = "\n".join(tables(root, sorted(options.facts), options.queries)) + "\n"
    finally:
        if options.root is None:
            shutil.rmtree(root)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0


def tables(root: Path, sizes: Sequence[int], queries: int) -> Iterator[str]:
    model = MiniLM()
    material = Material(model)
    for size in sizes:
        filled = fill(root, material, size)
        for line in [*filled, *searching(root, material, size, queries), *memory_of(root, material)]:
            print(line, flush=True)
            yield line


# ------------------------------------------------------------------------------------------------- material


class Material:
    """Lines by their number, always the same."""

    def __init__(self, model: MiniLM) -> None:
        self.model = model
        chance = random.Random(1)
        syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
        self.rare = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(20_000)]
        self.words = COMMON + self.rare
        self.odds = np.cumsum(1.0 / (np.arange(len(self.words)) + 3.0))
        sentences = [" ".join(self.some(np.random.default_rng(i), 10)) for i in range(1000)]
        self.real = np.array([np.frombuffer(one.data, "<f4") for one in model.embed(sentences)])

    def some(self, chance: np.random.Generator, count: int) -> list[str]:
        """Words by Zipf's law."""
        drawn = np.searchsorted(self.odds, chance.random(count) * self.odds[-1])
        return [self.words[i] for i in drawn]

    def name(self, number: int) -> str:
        return f"{self.rare[number % 9973]} {self.rare[10_000 + number * 31 % 9949]}".title()

    def line(self, number: int) -> Write:
        """One subject in ten lines of its own; four facts of it."""
        chance = np.random.default_rng(number)
        words, said = self.some(chance, 14), START + number * MINUTE
        subject = self.name(number // 10)
        note = Note(text=f"{' '.join(words[:8])}, {subject} said, {' '.join(words[8:])}.", t_ref=said)
        vectors = iter(self.vectors(chance, 1 + FACTS_A_LINE))
        facts = []
        for nth, (predicate, phrase) in enumerate(islice(PREDICATES.items(), number % 6, number % 6 + FACTS_A_LINE)):
            object = " ".join(self.some(chance, 2)) + (f" {number}" if nth == 0 else "")
            facts.append(
                Fact(
                    id=fact_id(subject, predicate, object), subject=subject, predicate=predicate, object=object,
                    text=f"{subject} {phrase} {object}.", quote=note.text, span=(0, len(note.text)), valid_at=said,
                    valid_to=said + 1000 if (number + nth) % 5 == 0 else None, vector=next(vectors),
                )
            )  # fmt: skip
        facts = list({fact.id: fact for fact in facts}.values())
        keys = [json.dumps([fact.subject, fact.predicate, fact.object]) for fact in facts]
        id = episode_id(note)
        return Write(
            at=said,
            episode=Episode(id=id, text=note.text, t_ref=said, facts=tuple(facts), vector=next(vectors)),
            placed=tuple(map(Placed, facts, keys)),
            slots=tuple(
                SlotChange(key, 0, (), (Interval(fact.id, fact.valid_at, fact.valid_to),))
                for key, fact in zip(keys, facts, strict=True)
            ),
            changes=tuple(Change(at=said, action="asserted", fact=fact.id, episode=id) for fact in facts),
        )

    def vectors(self, chance: np.random.Generator, count: int) -> list[Vector]:
        picked = self.real[chance.integers(len(self.real), size=(count, 3))]
        mixed = (picked * chance.random((count, 3, 1))).sum(axis=1) + chance.normal(0, 0.02, (count, picked.shape[2]))
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        return [Vector(self.model.mark.name, self.model.mark.dim, row.tobytes()) for row in mixed.astype("<f4")]

    def question(self, number: int, lines: int) -> str:
        """Whom, what, two common words and a rare one."""
        chance = np.random.default_rng(10**9 + number)
        who, phrase = self.name(int(chance.integers(lines)) // 10), list(PREDICATES.values())[number % len(PREDICATES)]
        words = [*chance.choice(COMMON, 2), chance.choice(self.rare)]
        return [f"what {phrase} {who} with the {words[0]}?", f"when was the {' '.join(words)}?"][number % 2]


# -------------------------------------------------------------------------------------------------- filling


def fill(root: Path, material: Material, size: int, *, a_transaction: int = 2000) -> Iterator[str]:
    """Adds what the memory lacks, and the raw table beside it."""
    with_model = material.model.mark
    store = open_store(root, NAMESPACE, create=True, fast=True, now=START)
    store.set_embedder(with_model)
    raw = raw_table(root, material)
    begin, first = time.perf_counter(), store.counts()["episodes"]
    for start in range(first, size // FACTS_A_LINE, a_transaction):
        writes = [material.line(i) for i in range(start, min(start + a_transaction, size // FACTS_A_LINE))]
        with store._db.writing():
            for write in writes:
                apply(store._db, write)
    seconds = time.perf_counter() - begin
    count = store.counts()
    known = {item for (item,) in raw.execute("SELECT item FROM raw")}
    with raw:
        for item, data in store._db._connection.execute("SELECT item, data FROM vectors ORDER BY item"):
            if item not in known:
                raw.execute("INSERT INTO raw (item, embedding) VALUES (?, ?)", (item, coarse(vector(material, data))))
    raw.close()
    size_mb = sum(file.stat().st_size for file in root.glob(f"{NAMESPACE}*")) / 1e6
    store.close()
    yield f"## {count['facts']:,} facts in {count['episodes']:,} episodes, {size_mb:,.0f} MB"
    yield ""
    if seconds > 1:
        yield f"{count['episodes'] - first:,} lines written in {seconds:.0f} s."
        yield ""


def vector(material: Material, data: bytes) -> Vector:
    return Vector(material.model.mark.name, material.model.mark.dim, data)


def raw_table(root: Path, material: Material) -> apsw.Connection:
    raw = apsw.Connection(str(root / "raw.db"))
    raw.enable_load_extension(True)
    raw.load_extension(sqlite_vec.loadable_path())
    raw.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    raw.execute("CREATE VIRTUAL TABLE IF NOT EXISTS raw USING vec0(item INTEGER PRIMARY KEY, embedding float[256])")
    return raw


# ------------------------------------------------------------------------------------------------ searching


class Clock:
    """What each stage took in the search that runs: seconds by the clock, and of processor time."""

    def __init__(self) -> None:
        self.spent: dict[str, tuple[float, float]] = {}

    def around(self, stage: str, action: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            clock, work = time.perf_counter(), time.process_time()
            try:
                return action(*arguments, **named)
            finally:
                before = self.spent.get(stage, (0.0, 0.0))
                self.spent[stage] = (
                    before[0] + time.perf_counter() - clock, before[1] + time.process_time() - work,
                )  # fmt: skip

        return timed


class Staged:
    """A store or model whose methods report to the clock."""

    def __init__(self, inner: Any, clock: Clock, stages: dict[str, str]) -> None:
        self._inner = inner
        for name, stage in stages.items():
            setattr(self, name, clock.around(stage, getattr(inner, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


OF_STORE = {
    "dense": "dense", "cosines": "dense", "sparse": "sparse", "load": "load", "neighbours": "load", "outdated": "load",
    "aliases": "load", "embedder": "load",
}  # fmt: skip


def searching(root: Path, material: Material, size: int, queries: int) -> Iterator[str]:
    clock = Clock()
    memory = Memory(root)
    store = memory._open(NAMESPACE)
    memory._stores[NAMESPACE, False] = Staged(store, clock, OF_STORE)  # type: ignore[assignment]
    mark = store.embedder()
    memory._embedders[mark] = (Staged(material.model, clock, {"embed": "embed"}), "the bench")  # type: ignore[assignment]
    raw = raw_table(root, material)
    lines = size // FACTS_A_LINE
    now = START + lines * MINUTE
    views = {
        "now": View(now=now),
        "as of": View(now=now, as_of=now - lines // 2 * MINUTE),
        "known at": View(now=now, known_at=now - lines // 2 * MINUTE),
    }
    find = clock.around("total", lambda query, view: memory.search(NAMESPACE, query, view=view))

    def nearest(near: bytes, k: int) -> None:
        raw.execute("SELECT item FROM raw WHERE embedding MATCH ? AND k = ?", (near, k)).fetchall()

    yield "| view | stage | p50 | p95 | ms of work, p50 | of one raw KNN's |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for label, view in views.items():
        taken: dict[str, list[tuple[float, float]]] = {}
        for number in range(-3, queries if label == "now" else queries // 3):  # the first three warm the caches
            question = material.question(number + 10, lines)
            near = coarse(material.model.embed([question], query=True)[0])
            clock.spent = {}
            hits = find(question, view)
            assert len(hits) == 10, f"{len(hits)} hits"
            for k in (10, 100):
                clock.around(f"raw KNN, k = {k}", nearest)(near, k)
            if number >= 0:
                for stage, spent in with_rest(clock.spent).items():
                    taken.setdefault(stage, []).append(spent)
        base = quantile([work for _, work in taken["raw KNN, k = 100"]], 0.5)
        for stage, spent in taken.items():
            times, work = [one[0] for one in spent], quantile([one[1] for one in spent], 0.5)
            yield (
                f"| {label} | {stage} | {ms(quantile(times, 0.5))} | {ms(quantile(times, 0.95))} | {ms(work)} "
                f"| {work / base:.2f} |"
            )
    yield ""
    memory.close()


def with_rest(spent: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """In order, with what no stage of the store or the model took as `rank`, and the total without the model."""

    def less(total: tuple[float, float], *parts: str) -> tuple[float, float]:
        return tuple(total[i] - sum(spent.get(part, (0.0, 0.0))[i] for part in parts) for i in range(2))  # type: ignore

    spent = {**spent, "rank": less(spent["total"], *STAGES)}
    shown = {stage: spent[stage] for stage in STAGES if stage in spent}
    rest = {stage: spent[stage] for stage in spent if stage.startswith("raw")}
    return {**shown, "all but embed": less(spent["total"], "embed"), "total": spent["total"], **rest}


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


# --------------------------------------------------------------------------------------------------- memory


ONLY_EMBED = """
import sys, json
from lean_memory.backends.minilm import MiniLM
model = MiniLM()
for line in sys.stdin: model.embed([json.loads(line)["query"]], query=True)
"""


def memory_of(root: Path, material: Material) -> Iterator[str]:
    """Peak resident memory, MB."""
    asked = "".join(json.dumps({"query": material.question(i, 2500)}) + "\n" for i in range(50)).encode()
    search = [str(Path(sys.executable).parent / "lm-search"), "--root", str(root), "-n", NAMESPACE, "--queries", "-"]
    model, whole, words = (
        peak(line, asked) for line in ([sys.executable, "-c", ONLY_EMBED], search, [*search, "--no-model"])
    )
    yield "| process | peak memory |"
    yield "| --- | ---: |"
    yield f"| only embeds 50 questions | {model:.0f} MB |"
    yield f"| `lm-search --queries`, the same 50 | {whole:.0f} MB: {whole - model:.0f} MB above the model |"
    yield f"| `lm-search --queries --no-model` | {words:.0f} MB |"
    yield ""


# A process's peak counts what its parent held as it was started, so its parent is a small one.
MEASURE = """
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdin=0, stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(line: Sequence[str], asked: bytes) -> float:
    run = [sys.executable, "-S", "-c", MEASURE, *line]
    used = int(subprocess.run(run, input=asked, stdout=subprocess.PIPE, check=True).stdout)
    return used / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    raise SystemExit(main())
