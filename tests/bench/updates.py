"""Real knowledge updates: is the new value ranked above the old, and does the past still answer with the old one?

    python tests/bench/updates.py --data ../shared/bench

For each pair the evidence sessions are stored, then the question is asked now and as of the midpoint between the two
values. A hit counts by the episode it comes from. `new first`: the best turn with the new value is above the best one
with the old (half, if neither is among the first 20); `stale`: the first hit holds the old value; `leak`: a turn said
after the midpoint is among the first five.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from recall_data import Haystack, lme, lme_updates

from lean_memory import Memory
from lean_memory.claims import View
from lean_memory.instants import parse_instant
from lean_memory.records import Note
from lean_memory.settings import Settings

DEPTH = 20


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder of the sets")
    options = parser.parse_args(arguments)
    if not (options.data / "pairs").is_dir():
        sys.stderr.write(f"no evaluation data in {options.data}: nothing measured (choose the folder with --data)\n")
        return 0
    stacks = {stack.name: stack for stack in lme(options.data, "oracle")}
    pairs = {qid: pair for qid, pair in lme_updates(options.data).items() if qid in stacks and all(pair)}
    rows = []
    with (
        tempfile.TemporaryDirectory() as root,
        Memory(settings=Settings(root=Path(root), environ={}), fast=True) as memory,
    ):
        for qid, (old, new) in pairs.items():
            rows.append(measured(memory, stacks[qid], old, new))
            memory.close()
    print(f"knowledge updates, n = {len(rows)}: ", end="")
    for name in rows[0]:
        print(f"{name} {sum(row[name] for row in rows) / len(rows):.3f}  ", end="")
    print()
    return 0


def measured(memory: Memory, stack: Haystack, old: frozenset[str], new: frozenset[str]) -> dict[str, float]:
    extract = memory.extractor().episode
    episodes = [
        extract(
            Note(
                text=n.text,
                t_ref=parse_instant(n.t_ref)[0] + place,
                speaker=n.speaker,
                source=n.source,
                session=n.session,
            )
        )
        for place, n in enumerate(stack.notes)
    ]
    memory.store(stack.name, episodes)
    ids = {episode.id: note.id for episode, note in zip(episodes, stack.notes, strict=True)}
    said = {note.id: episode.t_ref for episode, note in zip(episodes, stack.notes, strict=True)}
    [question] = stack.questions
    middle = (max(said[id] for id in old) + min(said[id] for id in new)) // 2

    def ranked(view: View) -> list[str]:
        hits = memory.search(stack.name, question.text, k=DEPTH, view=view)
        return list(dict.fromkeys(ids[str(hit.episode)] for hit in hits))

    now = ranked(View(now=parse_instant(question.now)[0] + 60_000))
    then = ranked(View(now=middle, as_of=middle))
    best_old, best_new = (min((now.index(id) for id in group if id in now), default=DEPTH) for group in (old, new))
    return {
        "new first": 1.0 if best_new < best_old else 0.5 if best_new == best_old else 0.0,
        "stale": float(best_old == 0),
        "new in 5": float(best_new < 5),
        "as of: old in 5": float(not old.isdisjoint(then[:5])),
        "leak": float(any(said[id] > middle for id in then[:5])),
    }


if __name__ == "__main__":
    raise SystemExit(main())
