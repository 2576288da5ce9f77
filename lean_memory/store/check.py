"""Do the file's parts agree? Read-only."""

from __future__ import annotations

from lean_memory.store.database import Database
from lean_memory.store.vectors import OPEN

__all__ = ["check"]

# What is counted must not be there.
_LAWS = {
    "items without an entry in the text index":
        "SELECT count(*) FROM ({items}) WHERE tokens > 0 AND item NOT IN (SELECT doc FROM terms_instances)",
    "entries of the text index without an item":
        "SELECT count(DISTINCT doc) FROM terms_instances WHERE doc NOT IN (SELECT item FROM ({items}))",
    "items whose length is not that of the text index":
        "SELECT count(*) FROM ({items}) i JOIN (SELECT doc, count(*) AS n FROM terms_instances GROUP BY doc) t"
        " ON t.doc = i.item WHERE t.n <> i.tokens",
    "items that have no vector and wait for none":
        "SELECT count(*) FROM ({items}) WHERE item NOT IN"
        " (SELECT item FROM vectors UNION ALL SELECT item FROM unembedded)",
    "items that wait for a vector and have one or don't exist":
        "SELECT count(*) FROM unembedded"
        " WHERE item IN (SELECT item FROM vectors) OR item NOT IN (SELECT item FROM ({items}))",
    "vectors without an item": "SELECT count(*) FROM vectors WHERE item NOT IN (SELECT item FROM ({items}))",
    "vectors of another size than the recorded model's":
        "SELECT count(*) FROM vectors, meta WHERE key = 'embedder' AND length(data) <> 4 * (value ->> 'dim')",
    "vectors though no model is recorded":
        "SELECT count(*) FROM vectors WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'embedder')",
    "facts that nobody said": "SELECT count(*) FROM facts WHERE row NOT IN (SELECT fact FROM evidence)"
        " AND row NOT IN (SELECT fact FROM lineage)",
    "rows closed before they were recorded": "SELECT count(*) FROM validity WHERE closed_at < recorded_at",
}  # fmt: skip

_ITEMS = "SELECT 2 * row + 1 AS item, tokens FROM facts UNION ALL SELECT 2 * row, tokens FROM episodes"

_COARSE_LAWS = {
    "vectors that the coarse index lacks":
        "SELECT count(*) FROM vectors WHERE item NOT IN (SELECT item FROM vec_coarse)",
    "coarse vectors without a full one": "SELECT count(*) FROM vec_coarse WHERE item NOT IN (SELECT item FROM vectors)",
    "facts that the coarse index has at another time or tier":
        "SELECT count(*) FROM (SELECT item, begins, ends, recorded, hot FROM vec_coarse WHERE kind = 1) c"
        " JOIN facts f ON f.row = c.item >> 1 WHERE c.recorded <> f.recorded_at"
        " OR c.hot <> (f.tier = 'hot') OR (c.begins, c.ends) <> ("
        f"SELECT ifnull(min(ifnull(valid_at, -{OPEN})), {OPEN}), ifnull(max(ifnull(valid_to, {OPEN})), -{OPEN})"
        " FROM validity WHERE closed_at IS NULL AND fact = f.row)",
    "episodes that the coarse index has at another time":
        "SELECT count(*) FROM (SELECT item, begins, ends, recorded FROM vec_coarse WHERE kind = 0) c"
        " JOIN episodes e ON e.row = c.item >> 1 WHERE c.recorded <> e.recorded_at"
        f" OR c.begins <> e.t_ref OR c.ends <> {OPEN}",
    "coarse vectors of the wrong kind": "SELECT count(*) FROM vec_coarse WHERE kind <> item & 1",
}  # fmt: skip


def check(db: Database) -> list[str]:
    """What is wrong with the file, in words; empty if nothing is. Takes SQLite's own integrity check, the foreign
    keys, and whether facts, vectors and the text index agree.

    Raises:
        StoreCorrupt: the damage keeps it from being read.
    """
    with db.reading():
        # FTS5 looks for other connections' writes as it is asked something, but not as it checks itself.
        db.rows("SELECT rowid FROM terms WHERE terms MATCH 'a' LIMIT 1")
        wrong = [line for (line,) in db.rows("PRAGMA integrity_check") if line != "ok"]
        wrong += [f"{table} row {row} refers to a missing row of {parent}"
                  for table, row, parent, _ in db.rows("PRAGMA foreign_key_check")]  # fmt: skip
        laws = dict(_LAWS)
        if db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'vec_coarse'"):
            laws |= _COARSE_LAWS
        for what, sql in laws.items():
            if count := db.value(sql.format(items=_ITEMS)):
                wrong.append(f"{count} {what}")
    return wrong
