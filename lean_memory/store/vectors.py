"""Vectors: the full ones, and the nearest visible items by them.

Theory of operation. The coarse index (see `coarse`) gives candidates; the full cosine scores them. What the index can't
tell of a view (that a fact held twice, `known_at`, a predicate) is checked by SQL among the candidates, and if too few
remain more of them are asked for. The candidates are all that are within a distance, so that the order of arrival
does not decide between equals. A subject's items are few, and are all scored.

For a view of the past, how many are scored counts visible ones only, so that rows which it doesn't see can't change the
answer. The present changes with every row anyway, so there the best by cosine are looked at until enough are visible.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from typing import Any

import orjson

from lean_memory.claims import EmbedderMark, View
from lean_memory.errors import StoreUnavailable
from lean_memory.records import Vector
from lean_memory.store.coarse import MAX_K, candidates, nearest
from lean_memory.store.coarse import OPEN as OPEN
from lean_memory.store.coarse import create_index as create_index
from lean_memory.store.coarse import index_vector as index_vector
from lean_memory.store.coarse import move_envelopes as move_envelopes
from lean_memory.store.database import Database
from lean_memory.store.port import Scored
from lean_memory.store.visibility import Sight, best_visible, sight

__all__ = [
    "add_vectors",
    "cosines",
    "count_unembedded",
    "dense",
    "embedder",
    "set_embedder",
    "start_reindex",
    "unembedded",
]

# ------------------------------------------------------------------------------------------------- embedder


def embedder(db: Database) -> EmbedderMark | None:
    """See `Store.embedder`."""
    with db.reading():
        stored = db.value("SELECT value FROM meta WHERE key = 'embedder'")
    return None if stored is None else EmbedderMark(**orjson.loads(stored))


def set_embedder(db: Database, mark: EmbedderMark) -> EmbedderMark:
    """See `Store.set_embedder`."""
    with db.writing():
        known = embedder(db)
        if known is None:
            _record(db, mark)
    return known or mark


def start_reindex(db: Database, mark: EmbedderMark) -> None:
    """See `Store.start_reindex`."""
    with db.writing():
        if embedder(db) != mark:
            db.run("INSERT INTO unembedded (item) SELECT item FROM vectors")
            db.run("DELETE FROM vectors")
            db.run("DROP TABLE IF EXISTS vec_coarse")
            _record(db, mark)


def _record(db: Database, mark: EmbedderMark) -> None:
    value = orjson.dumps({"name": mark.name, "dim": mark.dim, "fingerprint": mark.fingerprint}).decode()
    db.run(
        "INSERT INTO meta (key, value) VALUES ('embedder', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (value,),
    )
    create_index(db, mark)


# -------------------------------------------------------------------------------------------------- writing


def unembedded(db: Database, limit: int) -> list[tuple[int, str]]:
    """See `Store.unembedded`."""
    with db.reading():
        rows = db.rows(
            "SELECT item, CASE item & 1 WHEN 1 THEN (SELECT text FROM facts WHERE row = item >> 1)"
            " ELSE (SELECT text FROM episodes WHERE row = item >> 1) END FROM unembedded ORDER BY item LIMIT ?",
            (limit,),
        )
    return [(item, text) for item, text in rows]


def count_unembedded(db: Database) -> int:
    """See `Store.count_unembedded`."""
    with db.reading():
        count: int = db.value("SELECT count(*) FROM unembedded")
    return count


def add_vectors(db: Database, vectors: Sequence[tuple[int, Vector]]) -> None:
    """See `Store.add_vectors`."""
    with db.writing():
        mark = embedder(db)
        for item, vector in vectors:
            _require(mark, vector, db)
            put_vector(db, item, vector)


def fits(mark: EmbedderMark | None, vector: Vector) -> bool:
    """Did the recorded model make the vector?"""
    return mark is not None and mark.name == vector.model and mark.dim == vector.dim


def expect_vector(db: Database, item: int) -> None:
    """Queues a new item to be embedded. Inside a write."""
    db.run("INSERT INTO unembedded (item) VALUES (?)", (item,))


def put_vector(db: Database, item: int, vector: Vector) -> None:
    """Stores an item's vector, unless it has one. Inside a write, after its rows."""
    if db.rows("SELECT 1 FROM vectors WHERE item = ?", (item,)):
        return
    db.run("INSERT INTO vectors (item, data) VALUES (?, ?)", (item, vector.data))
    index_vector(db, item, vector)
    db.run("DELETE FROM unembedded WHERE item = ?", (item,))


# ---------------------------------------------------------------------------------------------------- reading


def dense(db: Database, vector: Vector, view: View, limit: int) -> list[Scored]:
    """See `Store.dense`. Equal scores are ordered by id."""
    if limit <= 0:
        return []
    seen = sight(view)
    with db.reading():
        mark = embedder(db)
        if mark is None:
            return []
        _require(mark, vector, db)
        hits = None if view.subject is not None else _by_coarse(db, vector, view, seen, limit)
        return _by_cosine(db, vector, seen, limit) if hits is None else hits


def _by_coarse(db: Database, vector: Vector, view: View, seen: Sight, limit: int) -> list[Scored] | None:
    """The best of the visible items that are nearest by the coarse vector; None if sqlite-vec can't list so many."""
    past = view.as_of is not None or view.known_at is not None
    enough = candidates(vector, limit)
    wanted = (
        enough if view.known_at is None else enough + enough // 2
    )  # of what had ended by then the index knows nothing
    while wanted < MAX_K:
        near, complete = nearest(db, vector, view, wanted)
        if not past:
            hits = best_visible(db, dict(_cosines(db, vector, list(near))), seen, limit)
            if len(hits) == limit or complete:
                return hits
            share = len(hits) / limit
        else:
            scored = _by_cosine(db, vector, seen, len(near), list(near))
            if complete and len(scored) <= enough:
                return scored[:limit]
            if len(scored) >= enough:
                reach = sorted(near[item] for item, _ in scored)[enough - 1]
                return [hit for hit in scored if near[hit[0]] <= reach][:limit]
            share = len(scored) / enough
        wanted = math.ceil(wanted * (8.0 if share < 0.2 else max(2.0, 1.3 / share)))
    return None


def cosines(db: Database, vector: Vector, items: Sequence[int]) -> list[Scored]:
    """See `Store.cosines`."""
    with db.reading():
        mark = embedder(db)
        if mark is None:
            return []
        _require(mark, vector, db)
        return _cosines(db, vector, items)


def _cosines(db: Database, vector: Vector, items: Sequence[int]) -> list[Scored]:
    rows = db.rows(
        "SELECT x.item, ifnull(1.0 - vec_distance_cosine(x.data, :full), 0.0)"
        " FROM json_each(:listed) i CROSS JOIN vectors x ON x.item = i.value",
        {"full": vector.data, "listed": orjson.dumps(sorted(items)).decode()},  # in the order they lie in the file
    )
    return [(item, score) for item, score in rows]


def _by_cosine(db: Database, vector: Vector, seen: Sight, limit: int, among: list[int] | None = None) -> list[Scored]:
    """The visible items by full cosine; of all, or `among` candidates."""
    values: dict[str, Any] = {**seen.values, "full": vector.data, "limit": limit}
    listed = ""
    if among is not None:
        listed = "WITH among AS MATERIALIZED (SELECT value AS item FROM json_each(:among)) "
        values["among"] = orjson.dumps(among).decode()
    return [
        (item, score)
        for item, score in db.rows(
            f"{listed}SELECT p.item, ifnull(1.0 - vec_distance_cosine(x.data, :full), 0.0) AS score"
            f" FROM ({seen.pool('among' if listed else None)}) p CROSS JOIN vectors x ON x.item = p.item"
            " ORDER BY score DESC, p.id LIMIT :limit",
            values,
        )
    ]


def _require(mark: EmbedderMark | None, vector: Vector, db: Database) -> None:
    if mark is None or not fits(mark, vector):
        recorded = "no model yet" if mark is None else f"{mark.name} ({mark.dim} dimensions)"
        raise StoreUnavailable(
            f"{db.namespace} has vectors of {recorded}, not of {vector.model} ({vector.dim})",
            code="embedder_mismatch",
            hint=f"embed it anew with: lm-embed --reindex -n {shlex.quote(db.namespace)}",
        )
