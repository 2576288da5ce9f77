"""How much of the nearest the coarse index keeps: `python tests/bench/coarse.py [--texts N] [--out FILE]`.

Real texts (the turns of LoCoMo, then those of LongMemEval, of `../shared/bench`) and LoCoMo's questions, embedded by
MiniLM. Of the exactly nearest by all dimensions, the share among the candidates that the index gives, at the number
of candidates that a search scores in full, for each of its two forms. Vectors are kept in a file with `--keep`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lean_memory.backends.minilm import MiniLM
from lean_memory.records import Vector
from lean_memory.store.coarse import candidates
from lean_memory.vectors import COARSE_DIM

BENCH = Path(__file__).resolve().parents[3] / "shared" / "bench"
Floats = NDArray[np.float32]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--texts", type=int, default=25_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--keep", type=Path, help="a .npz file with the vectors: written if it is not there, else read")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    options = parser.parse_args(arguments)
    if not BENCH.is_dir():
        print(f"no {BENCH}: nothing to measure", file=sys.stderr)
        return 0
    if options.keep and options.keep.is_file():
        with np.load(options.keep) as kept:
            stored, asked = kept["stored"], kept["asked"]
    else:
        model = MiniLM()
        stored, asked = embedded(model, texts(options.texts)), embedded(model, questions(options.queries))
        if options.keep:
            np.savez(options.keep, stored=stored, asked=asked)
    text = "\n".join(report(stored, asked)) + "\n"
    sys.stdout.write(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0


def texts(count: int) -> list[str]:
    lines = (BENCH / "locomo" / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line)["text"] for line in lines]
    with gzip.open(BENCH / "lme" / "s_sessions.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            found += [turn["text"][:300] for turn in json.loads(line)["turns"] if turn["role"] == "user"]
    return [text for text in dict.fromkeys(found) if text.strip()][:count]


def questions(count: int) -> list[str]:
    lines = (BENCH / "locomo" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return random.Random(2).sample([json.loads(line)["question"] for line in lines], count)


def embedded(model: MiniLM, texts: list[str]) -> Floats:
    batches = (model.embed(texts[start : start + 256]) for start in range(0, len(texts), 256))
    return np.array([np.frombuffer(vector.data, "<f4") for batch in batches for vector in batch])


def report(stored: Floats, asked: Floats) -> list[str]:
    exact = np.argsort(-(asked @ stored.T), axis=1, kind="stable")[:, :100]
    forms = {"minilm": ("signs", hamming(asked, stored)), "another": ("prefixes", prefixes(asked, stored))}
    rows = [f"{len(stored):,} texts, {len(asked)} questions:", "", "| form | wanted | candidates | kept |"]
    rows.append("| --- | ---: | ---: | ---: |")
    for model, (form, distances) in forms.items():
        order = np.argsort(distances, axis=1, kind="stable")
        for limit in (10, 100):
            scored = candidates(Vector(model, stored.shape[1], b""), limit)
            kept = [len(set(near[:limit]) & set(got[:scored])) for near, got in zip(exact, order, strict=True)]
            rows.append(f"| {form} | {limit} | {scored} | {np.mean(kept) / limit:.4f} |")
    return rows


def hamming(asked: Floats, stored: Floats) -> NDArray[np.int64]:
    """Bits that differ: over signs of +-1 that is (dimensions - dot) / 2."""
    signs = [np.where(vectors >= 0, 1.0, -1.0).astype(np.float32) for vectors in (asked, stored)]
    return np.rint((stored.shape[1] - signs[0] @ signs[1].T) / 2).astype(np.int64)


def prefixes(asked: Floats, stored: Floats) -> Floats:
    heads = [
        vectors[:, :COARSE_DIM] / np.linalg.norm(vectors[:, :COARSE_DIM], axis=1, keepdims=True)
        for vectors in (asked, stored)
    ]
    return -(heads[0] @ heads[1].T)


if __name__ == "__main__":
    raise SystemExit(main())
