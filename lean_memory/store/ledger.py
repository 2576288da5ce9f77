"""The log of what happened to facts, and the tables as plain rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b

import orjson

from lean_memory.records import Change
from lean_memory.store.database import Database

__all__ = ["TABLES", "changes", "counts", "dump"]

_BATCH = 1024

# Each table's rows in an order that the rows' own numbers or keys fix.
TABLES: Mapping[str, str] = {
    "meta": "key",
    "episodes": "row",
    "entities": "row",
    "aliases": "key, entity, episode",
    "slots": "row",
    "facts": "row",
    "evidence": "row",
    "validity": "row",
    "vectors": "item",
    "unembedded": "item",
    "runs": "row",
    "changes": "row",
    "lineage": "fact, source, since",
    "proposals": "row",
    "proposal_targets": "proposal, fact",
    "leases": "name",
    "usage": "item",
}


def changes(db: Database, *, after: int = 0) -> Iterator[tuple[int, Change]]:
    """The log from its entry number `after` on, exclusive, with the numbers."""
    while True:
        with db.reading():
            rows = db.rows(
                "SELECT c.row, c.at, c.action, f.id, e.id, c.cause FROM changes c JOIN facts f ON f.row = c.fact"
                " LEFT JOIN episodes e ON e.row = c.episode WHERE c.row > ? ORDER BY c.row LIMIT ?",
                (after, _BATCH),
            )
        for row, at, action, fact, episode, cause in rows:
            yield row, Change(at=at, action=action, fact=fact, episode=episode, cause=orjson.loads(cause))
        if len(rows) < _BATCH:
            return
        after = rows[-1][0]


def counts(db: Database) -> Mapping[str, int]:
    """See `Store.counts`."""
    with db.reading():
        return {table: db.value(f"SELECT count(*) FROM {table}") for table in TABLES}


def dump(db: Database) -> Iterator[Mapping[str, object]]:
    """See `Store.dump`. A row is its table's name and its columns; a blob is shown by its length and hash. The text
    index comes as one row of `terms` an item, the coarse vectors by what they are filtered by."""
    with db.reading():
        tables = [(table, db.named(f"SELECT * FROM {table} ORDER BY {order}")) for table, order in TABLES.items()]
        tables.append(("terms", _text_index(db)))
        if db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'vec_coarse'"):
            tables.append(
                ("vec_coarse", db.named("SELECT item, kind, begins, ends, hot FROM vec_coarse ORDER BY item"))
            )
    for table, rows in tables:
        for row in rows:
            yield {"table": table, **{column: _plain(value) for column, value in row.items()}}


def _text_index(db: Database) -> list[dict[str, object]]:
    rows = db.rows('SELECT doc, term FROM terms_instances ORDER BY doc, "offset"')
    words: dict[int, list[str]] = {}
    for item, term in rows:
        words.setdefault(item, []).append(term)
    return [{"item": item, "terms": " ".join(terms)} for item, terms in words.items()]


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return f"{len(value)} bytes, blake2b {blake2b(value, digest_size=8).hexdigest()}"
    return value
