"""Evidence recall on long conversations: this program's ranking beside BM25, cosines and their fusion, in one run.
The simple methods see the speaker's name before each turn.

    python tests/bench/recall.py --data ../shared/bench --set locomo --ablate

Sets (not part of the project; looked for in the folder `--data`): LoCoMo (CC BY-NC 4.0), audited, categories 1 to 4,
and LongMemEval-S (MIT). In process and over turns alone, without facts: it measures the ranking.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

from recall_arms import Arms, Scored, Vectors
from recall_data import Haystack, Question, lme, locomo
from recall_metrics import COLUMNS, mean, measures

from lean_memory import __version__
from lean_memory.instants import parse_instant
from lean_memory.retrieve import Tuning, Weights, rank
from lean_memory.words import STOP_WORDS

Method = Callable[[Arms, int, Question], list[int]]
"""Of a haystack's question: its items, best first."""

POOL = 100  # candidates an arm, as a search takes them
DEPTH = 50  # of a ranking that is kept
RELEVANCE_ALONE = Weights(1.0, 0.0, 0.0)
# What switches an ingredient off, where it is not 0.
OFF = {"question": 1.0, "answers": Tuning().before, "renewed": float("inf")}


def by_grep(arms: Arms, number: int, question: Question) -> list[int]:
    """`grep -i` for each word of the question that is no stop word: the turns that hold most of them, in file order."""
    words = {word for word in re.findall(r"\w+", question.text.lower()) if word not in STOP_WORDS}
    counts = {item: sum(word in text for word in words) for item, text in arms.lowered.items()}
    return sorted((item for item, count in counts.items() if count), key=lambda item: (-counts[item], item))


def by_words(arms: Arms, number: int, question: Question) -> list[int]:
    return _items(arms.sparse(question.text))


def by_meaning(arms: Arms, number: int, question: Question) -> list[int]:
    return _items(arms.dense(number, named=True))


def by_reciprocal_ranks(arms: Arms, number: int, question: Question) -> list[int]:
    """Cormack et al. 2009, k = 60."""
    scores: dict[int, float] = {}
    for arm in (arms.sparse(question.text), arms.dense(number, named=True)):
        for place, (item, _) in enumerate(arm, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (60 + place)
    return sorted(scores, key=lambda item: (-scores[item], item))


def ours(
    arms: Arms,
    number: int,
    question: Question,
    *,
    weights: Weights | None = None,
    tuning: Tuning | None = None,
    pool: int = POOL,
) -> list[int]:
    """As `Memory.search` does it: two pools, their neighbours, the cosines of them all."""
    sparse, dense = arms.sparse(question.text)[:pool], arms.dense(number)
    items = set(_items(sparse)) | set(_items(dense[:pool]))
    near = {neighbour for item in items for neighbour in arms.neighbours[item] if neighbour is not None}
    loaded = {item: arms.hits[item] for item in items | near}
    hits = rank(
        question.text,
        loaded,
        dense=dense,
        sparse=sparse,
        neighbours=arms.neighbours,
        k=DEPTH,
        now=parse_instant(question.now)[0],
        weights=weights,
        tuning=tuning,
    )
    return [arms.places[hit.id] for hit in hits]


METHODS: dict[str, Method] = {
    "grep": by_grep,
    "BM25": by_words,
    "cosine": by_meaning,
    "reciprocal ranks of both": by_reciprocal_ranks,
    "lean-memory": ours,
    "lean-memory, relevance alone": partial(ours, weights=RELEVANCE_ALONE),
}


def without_each() -> dict[str, Method]:
    """The ranking by relevance alone, with one ingredient less at a time."""
    parts = [field.name for field in fields(Tuning) if field.name not in ("asked", "answer", "period", "long")]
    return {
        f"- {part}": partial(ours, weights=RELEVANCE_ALONE, tuning=replace(Tuning(), **{part: OFF.get(part, 0.0)}))
        for part in parts
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder of the sets")
    parser.add_argument("--set", choices=["locomo", "lme"], default="locomo")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "lean-memory-bench"), help="vectors")
    parser.add_argument("--ablate", action="store_true", help="also without each ingredient")
    parser.add_argument("--each", action="store_true", help="also each conversation by itself")
    parser.add_argument("--limit", type=int, help="only the first haystacks")
    parser.add_argument("--cut", type=int, help="embed only so many characters of each turn, to be quicker")
    parser.add_argument("--out", type=Path, help="write results and rankings here, as JSON")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        sys.stderr.write(f"no evaluation data in {options.data}: nothing measured (choose the folder with --data)\n")
        return 0
    stacks = {"locomo": locomo, "lme": lme}[options.set](options.data)[: options.limit]
    methods = METHODS | (without_each() if options.ablate else {})
    cut = f"-{options.cut}" if options.cut else ""
    vectors = Vectors(options.cache / f"{options.set}{cut}.npz", cut=options.cut)
    rankings, rows = _run(stacks, methods, vectors)
    vectors.save()
    report = _report(options.set, stacks, rows, each=options.each)
    sys.stdout.write(report)
    if options.out:
        options.out.write_text(json.dumps({"report": report, "rankings": rankings}, indent=1), encoding="utf-8")
    return 0


Rows = dict[str, dict[str, list[dict[str, float]]]]
"""Method -> haystack -> measures of each question."""


def _run(stacks: list[Haystack], methods: dict[str, Method], vectors: Vectors) -> tuple[list[dict[str, object]], Rows]:
    rankings: list[dict[str, object]] = []
    rows: Rows = {name: {} for name in methods}
    for stack in stacks:
        arms = Arms(stack, vectors)
        for number, question in enumerate(stack.questions):
            for name, method in methods.items():
                ranked = [stack.notes[item] for item in method(arms, number, question)[:DEPTH]]
                row = measures((note.id for note in ranked), question.evidence)
                if question.sessions:
                    by_session = measures((note.session for note in ranked), question.sessions)
                    row |= {f"session {key}": value for key, value in by_session.items()}
                rows[name].setdefault(stack.name, []).append(row)
                rankings.append({"method": name, "qid": question.qid, "ranked": [note.id for note in ranked[:20]]})
    return rankings, rows


def _report(name: str, stacks: list[Haystack], rows: Rows, *, each: bool) -> str:
    count = sum(len(stack.questions) for stack in stacks)
    lines = [
        f"{name}: {count} questions over {len(stacks)} haystacks, {sum(len(stack.notes) for stack in stacks)} turns.",
        f"lean-memory {__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores.",
        "recall@k: part of the gold turns in the first k; all@k: all of them; MRR of the first.",
        "",
    ]
    for prefix in ("", "session "):
        columns = [prefix + column for column in COLUMNS]
        if not all(columns[0] in row for found in rows.values() for some in found.values() for row in some):
            continue
        lines += [f"| method | {' | '.join(columns)} |", f"| --- |{' --- |' * len(columns)}"]
        for method, found in rows.items():
            means = {"": mean([row for some in found.values() for row in some])}
            if each:
                means |= {f" ({stack})": mean(some) for stack, some in found.items()}
            lines += [
                f"| {method}{suffix} | {' | '.join(f'{row[column]:.3f}' for column in columns)} |"
                for suffix, row in means.items()
            ]
        lines.append("")
    return "\n".join(lines)


def _items(scored: Scored) -> list[int]:
    return [item for item, _ in scored]


if __name__ == "__main__":
    raise SystemExit(main())
