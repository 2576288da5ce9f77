"""Evidence recall. recall@k: part of the gold evidence in the first k; all@k: all of it; MRR: 1 / rank of the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["COLUMNS", "mean", "measures"]

COLUMNS = ("recall@1", "recall@5", "recall@10", "all@5", "all@10", "mrr")


def measures(ranked: Iterable[str], gold: frozenset[str]) -> dict[str, float]:
    """Of one question. `ranked`: ids, best first; a repeated id counts at its first place and takes up no other."""
    order = list(dict.fromkeys(ranked))
    row = {}
    for k in (1, 5, 10):
        found = len(gold.intersection(order[:k]))
        row[f"recall@{k}"] = found / len(gold)
        row[f"all@{k}"] = float(found == len(gold))
    row["mrr"] = next((1 / place for place, id in enumerate(order, start=1) if id in gold), 0.0)
    return row


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Of each measure over the questions."""
    return {key: sum(row[key] for row in rows) / len(rows) for key in rows[0]} if rows else {}
