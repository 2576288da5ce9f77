"""The coarse index: what sqlite-vec scans for candidates, which are then scored by their full vectors.

Theory of operation. `vec_coarse` (vec0) holds a shortened form of each vector beside what decides visibility: kind,
tier, when it was recorded, and the envelope [begins, ends) of the intervals believed now. So the scan itself leaves
out what the view can't see, and a filter never empties the pool. The form depends on the model: where dimensions are
known to be balanced around zero, their signs (a bit each, compared by Hamming distance), which scan ten times as fast
and take a twentieth of the room; else the first 256 dimensions, at length 1 (a Matryoshka prefix).

vec0 picks the k nearest of every chunk by k passes over its distances, which for a hundred neighbours takes longer than
computing them. A bound on the distance ends the passes early. It is read off a sample, one item in sixty-four, kept as
a partition of its own: the distance within which the sample has somewhat more than its share of what is wanted. The
bound costs or saves time and nothing else: if fewer are within it than wanted, the scan is repeated with a wider one.

sqlite-vec's limits, and how they are met: k is at most 4096 (a longer answer is computed exactly); metadata can't be
NULL (open ends are +-2^62); deleted rows leave their space behind (nothing is deleted; a reindex drops the table).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from lean_memory.claims import EmbedderMark, View
from lean_memory.records import Vector
from lean_memory.store.database import Database
from lean_memory.vectors import COARSE_DIM, coarse, signs

__all__ = [
    "MAX_K",
    "OPEN",
    "Nearest",
    "candidates",
    "coarse_form",
    "create_index",
    "index_vector",
    "move_envelopes",
    "nearest",
]

MAX_K: Final = 4096
OPEN: Final = 1 << 62

_BALANCED: Final = frozenset({"minilm"})
"""Models whose dimensions are about as often positive as negative. Of the multilingual E5, for one, many are not: the
signs of its dimensions say little."""

_SAMPLED: Final = 64  # one item in so many is in the sample

_ENVELOPE = (
    f"SELECT ifnull(min(ifnull(valid_at, -{OPEN})), {OPEN}), ifnull(max(ifnull(valid_to, {OPEN})), -{OPEN})"
    " FROM validity WHERE closed_at IS NULL AND fact = ?"
)


class Nearest(NamedTuple):
    """Items by their coarse distance; whether all that the view sees are among them."""

    distances: dict[int, float]
    complete: bool


def candidates(vector: Vector, limit: int) -> int:
    """How many to score in full for the `limit` best.

    Of the nearest of 26,000 chat turns by MiniLM, signs so keep 99.6 % of 10 and 99.2 % of 100, prefixes 99.6 % and
    98.6 % (`tests/bench/coarse.py`).
    """
    if vector.model in _BALANCED:
        return min(15 * limit + 200, max(3000, 2 * limit))
    return limit if vector.dim <= COARSE_DIM else 3 * limit + 20


# -------------------------------------------------------------------------------------------------- writing


def create_index(db: Database, mark: EmbedderMark) -> None:
    """The empty coarse index for a model's vectors."""
    form = f"bit[{mark.dim}]" if mark.name in _BALANCED else f"float[{min(COARSE_DIM, mark.dim)}]"
    db.run(
        "CREATE VIRTUAL TABLE vec_coarse USING vec0("
        f"item INTEGER PRIMARY KEY, sampled INTEGER PARTITION KEY, embedding {form}, "
        "kind INTEGER, begins INTEGER, ends INTEGER, recorded INTEGER, hot BOOLEAN, chunk_size=512)"
    )


def index_vector(db: Database, item: int, vector: Vector) -> None:
    """Adds a stored vector to the coarse index."""
    value, near = coarse_form(vector)
    db.run(
        "INSERT INTO vec_coarse (item, sampled, embedding, kind, begins, ends, recorded, hot)"
        f" VALUES (?, ?, {value}, ?, ?, ?, ?, ?)",
        (item, int((item >> 1) % _SAMPLED == 0), near, item & 1, *_place(db, item)),
    )


def coarse_form(vector: Vector) -> tuple[str, bytes]:
    """The coarse vector, and the placeholder by which SQL takes it."""
    return ("vec_bit(?)", signs(vector)) if vector.model in _BALANCED else ("?", coarse(vector))


def _place(db: Database, item: int) -> tuple[int, int, int, bool]:
    """Begins, ends, recorded, hot: where the index finds the item."""
    if item & 1:
        known = db.row("SELECT recorded_at, tier = 'hot' FROM facts WHERE row = ?", (item >> 1,))
        begins, ends = db.rows(_ENVELOPE, (item >> 1,))[0]
    else:
        known = db.row("SELECT recorded_at, t_ref FROM episodes WHERE row = ?", (item >> 1,))
        begins, ends = known[1] if known else 0, OPEN
    if known is None:
        raise ValueError(f"there is no item {item}")
    return begins, ends, known[0], bool(known[1]) if item & 1 else True


def move_envelopes(db: Database, facts: Iterable[int]) -> None:
    """Brings the index up to date with the facts' validity. Inside the write that changed it."""
    for fact in facts:
        if db.rows("SELECT 1 FROM vectors WHERE item = ?", (2 * fact + 1,)):
            begins, ends = db.rows(_ENVELOPE, (fact,))[0]
            db.run("UPDATE vec_coarse SET begins = ?, ends = ? WHERE item = ?", (begins, ends, 2 * fact + 1))


# ---------------------------------------------------------------------------------------------------- reading


def nearest(db: Database, vector: Vector, view: View, wanted: int) -> Nearest:
    """The `wanted` nearest items, and those as near as the last; fewer only if more than `MAX_K` are as near as that.

    All that the view sees are among what is ranked, but not all that is ranked need be seen by it.
    """
    expected = wanted / _SAMPLED
    rank = math.ceil(expected + 2 * math.sqrt(expected))  # fewer than wanted are within it by a chance of one in forty
    while True:
        sample = _scan(db, vector, view, rank, "sampled = 1")
        bound = sample[rank - 1][1] if len(sample) >= rank else None
        found = _scan(db, vector, view, MAX_K, bound=bound)
        complete = bound is None and len(found) < MAX_K
        if complete and len(found) <= wanted:
            return Nearest(dict(found), True)
        if len(found) >= min(wanted, MAX_K):
            reach = found[min(wanted, MAX_K) - 1][1]
            if len(found) >= MAX_K and found[MAX_K - 1][1] == reach:  # there may be more that are as near
                return Nearest({item: distance for item, distance in found if distance < reach}, False)
            return Nearest({item: distance for item, distance in found if distance <= reach}, False)
        rank = min(2 * rank, MAX_K)


def _scan(
    db: Database, vector: Vector, view: View, k: int, *where: str, bound: float | None = None
) -> list[tuple[int, float]]:
    """The `k` nearest items and their distances, nearest first."""
    value, near = coarse_form(vector)
    values = {
        "near": near, "k": k, "bound": bound, "at": view.at, "since": view.since, "until": view.until,
        "known_at": view.known_at,
    }  # fmt: skip
    asked = [f"embedding MATCH {value.replace('?', ':near')}", "k = :k", *where]
    if bound is not None:
        asked.append("distance <= :bound")
    found: list[tuple[int, Any]] = []
    for seen in _envelopes(view):
        conditions = " AND ".join([*asked, *seen])
        found += db.rows(f"SELECT item, distance FROM vec_coarse WHERE {conditions}", values)
    return sorted(found, key=lambda entry: entry[1])


def _envelopes(view: View) -> list[list[str]]:
    """What the coarse index can tell of a view: conditions, which in some cases differ for facts and episodes."""
    kind = {"fact": ["kind = 1"], "episode": ["kind = 0"], "any": list[str]()}[view.kind]
    if view.known_at is not None:  # the index has the intervals believed now
        return [["recorded <= :known_at", *kind]]
    where = ["begins <= :at", *kind]
    if not view.ended:
        where.append("ends > :at")
    if view.as_of is None and not view.include_cold:
        where.append("hot = 1")
    if view.until is not None:
        where.append("begins < :until")
    if view.since is None:
        return [where]
    held, said = [*where, "kind = 1", "ends > :since"], [*where, "kind = 0", "begins >= :since"]
    return {"fact": [held], "episode": [said], "any": [held, said]}[view.kind]
