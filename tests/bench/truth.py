"""Interval queries over timelines of world facts that are stored in random order.

    python tests/bench/truth.py --data ../shared/bench

Each timeline is one slot; each probe asks what held at a time, through `Memory` with the stub embedder, since no text
is searched. Prints how many probes are answered with the value that held then.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lean_memory import Memory
from lean_memory.claims import View
from lean_memory.instants import parse_instant
from lean_memory.records import Episode, Fact, Note, episode_id, fact_id
from lean_memory.settings import Settings

TABLE = '[answer]\nfunctional = true\nobject = "thing"\ntext = "{s} -> {o}"\n'


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder of the sets")
    parser.add_argument("--seed", type=int, default=7, help="of the order in which facts are stored")
    options = parser.parse_args(arguments)
    folder = options.data / "temporal"
    if not folder.is_dir():
        sys.stderr.write(f"no evaluation data in {options.data}: nothing measured (choose the folder with --data)\n")
        return 0
    facts = list(lines(folder / "situatedqa_dev_facts.jsonl"))
    probes = list(lines(folder / "situatedqa_dev_probes.jsonl"))
    random.Random(options.seed).shuffle(facts)
    accepted: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in facts:
        accepted[row["timeline"], row["answer"][0]].update(row["answer"])
    with tempfile.TemporaryDirectory() as root:
        table = Path(root) / "predicates.toml"
        table.write_text(TABLE, encoding="utf-8")
        chosen = Settings(root=Path(root), predicates=table, environ={"LM_BACKENDS": "stub"})
        with Memory(settings=chosen, fast=True) as memory:
            begun = time.perf_counter()
            memory.store("world", [episode(row) for row in facts], embed=False)
            stored = time.perf_counter() - begun
            begun = time.perf_counter()
            right = sum(answered(memory, probe, accepted) for probe in probes)
            asked = time.perf_counter() - begun
    print(
        f"SituatedQA dev: {len(facts)} facts stored in random order in {stored:.1f} s; "
        f"{right} of {len(probes)} probes right ({right / len(probes):.4f}), {asked / len(probes) * 1000:.2f} ms each"
    )
    return 0


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def episode(row: dict[str, Any]) -> Episode:
    at, _ = parse_instant(row["valid_from"])
    subject, value, text = row["timeline"], row["answer"][0], row["text"]
    fact = Fact(
        id=fact_id(subject, "answer", value), subject=subject, predicate="answer", object=value, text=text, quote=text,
        span=(0, len(text)), valid_at=at,
    )  # fmt: skip
    note = Note(text=text, t_ref=at, session=subject)
    return Episode(id=episode_id(note), text=text, t_ref=at, session=subject, facts=(fact,))


def answered(memory: Memory, probe: dict[str, Any], accepted: dict[tuple[str, str], set[str]]) -> bool:
    at, _ = parse_instant(probe["as_of"])
    view = View(now=at, as_of=at, kind="fact", subject=probe["timeline"])
    held = [hit.fact.object for hit in memory.visible("world", view) if hit.fact is not None]
    return len(held) == 1 and not accepted[probe["timeline"], held[0]].isdisjoint(probe["answer"])


if __name__ == "__main__":
    raise SystemExit(main())
