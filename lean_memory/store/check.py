"""Do the file's parts agree? Read-only.

Theory of operation. SQLite finds damage to the structure of its pages, not to what is written in them: it keeps no
checksums. But much in the file follows from something else in it, so the rest of the check makes it anew and compares:
ids from what they are ids of, the text index from the texts, the coarse vectors from the full ones, the schema from the
migrations. What follows from nothing is a row's own times, numbers and notes, apart from those in an index, which
SQLite compares.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final
from zlib import crc32

import orjson

from lean_memory.records import Note, Vector, episode_id, fact_id
from lean_memory.store.coarse import coarse_form
from lean_memory.store.database import Database
from lean_memory.store.ledger import TABLES
from lean_memory.store.lexical import indexed_words
from lean_memory.store.migrate import schema
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
    "vectors of another length than 1":
        "SELECT count(*) FROM vectors, meta WHERE key = 'embedder' AND length(data) = 4 * (value ->> 'dim')"
        " AND NOT ifnull(abs(vec_distance_L2(data, zeroblob(length(data))) - 1) < 0.001, 0)"
        " AND data <> zeroblob(length(data))",
    "notes on the memory that are unknown":
        "SELECT count(*) FROM meta"
        " WHERE key NOT IN ('namespace', 'created_at', 'embedder', 'usage_folded', 'bytes_left')",
    "notes on the memory that are missing": "SELECT 2 - count(*) FROM meta WHERE key IN ('namespace', 'created_at')",
    "entries of the log of an unknown kind":
        "SELECT count(*) FROM changes WHERE action NOT IN ('asserted', 'reinforced', 'superseded', 'retracted',"
        " 'corrected', 'retired', 'demoted', 'promoted', 'summarised')",
    "proposals of an unknown kind or state":
        "SELECT count(*) FROM proposals WHERE kind NOT IN ('merge', 'summary', 'eviction') OR status NOT IN"
        " ('pending', 'approved', 'kept', 'edited', 'promoted', 'expired', 'stale')",
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


_MASK: Final = (1 << 64) - 1
_JSON: Final = {
    "episodes": ("meta", "extra"), "evidence": ("extra",), "runs": ("counts",), "changes": ("cause",),
    "proposals": ("payload", "evidence", "decision"),
}  # fmt: skip


def check(db: Database) -> list[str]:
    """What is wrong with the file, in words; empty if nothing is. Takes SQLite's own integrity check, the foreign
    keys, and whether all that follows from something else in the file is as it would be made anew.

    Raises:
        StoreCorrupt: the damage keeps it from being read.
    """
    with db.reading():
        # FTS5 looks for other connections' writes as it is asked something, but not as it checks itself.
        db.rows("SELECT rowid FROM terms WHERE terms MATCH 'a' LIMIT 1")
        wrong = [line for (line,) in db.rows("PRAGMA integrity_check") if line != "ok"]
        wrong += [f"{table} row {row} refers to a missing row of {parent}"
                  for table, row, parent, _ in db.rows("PRAGMA foreign_key_check")]  # fmt: skip
        wrong += _schema(db)
        wrong += _unreadable(db)
        laws = dict(_LAWS)
        coarse = bool(db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'vec_coarse'"))
        if coarse:
            laws |= _COARSE_LAWS
        for what, sql in laws.items():
            if count := db.value(sql.format(items=_ITEMS)):
                wrong.append(f"{count} {what}")
        if not wrong:  # else they may not be readable
            found = {
                "episodes whose id is not that of their words": _count(_misnamed_episodes(db)),
                "facts whose id is not that of what they say": _count(_misnamed_facts(db)),
                "items whose words are not those of the text index": _count(_misindexed(db)),
                "coarse vectors that are not those of the full ones": _count(_misplaced(db)) if coarse else 0,
            }
            wrong += [f"{count} {what}" for what, count in found.items() if count]
    return wrong


def _count(found: Iterator[object]) -> int:
    return sum(1 for _ in found)


def _schema(db: Database) -> Iterator[str]:
    """Tables and indexes that are not as the migrations make them. How FTS5 and sqlite-vec keep theirs is their own."""
    ours = schema()
    theirs = dict(db.rows("SELECT name, sql FROM sqlite_schema WHERE tbl_name NOT LIKE 'vec_coarse%'"))
    for name in sorted(ours.keys() | theirs.keys()):
        if not name.startswith(("sqlite_", "terms_")) and ours.get(name, "") != theirs.get(name, ""):
            yield f"{name} is not as this version makes it"


def _unreadable(db: Database) -> Iterator[str]:
    """Tables with text that is none, or values that can't be read back."""
    columns: Sequence[str]
    for table in TABLES:
        columns = _JSON.get(table, ())
        places = [name for (name,) in db.rows("SELECT name FROM pragma_table_info(?)", (table,))]
        at = [places.index(column) for column in columns if column in places]
        try:
            for row in db.each(f"SELECT * FROM {table}"):
                for place in at:
                    if row[place] is not None:
                        orjson.loads(row[place])
        except (UnicodeDecodeError, orjson.JSONDecodeError):
            yield f"{table} has text that can't be read"


def _misnamed_episodes(db: Database) -> Iterator[int]:
    for row, id, text, t_ref, source, speaker, session in db.each(
        "SELECT row, id, text, t_ref, source, speaker, session FROM episodes"
    ):
        if id != episode_id(Note(text=text, t_ref=t_ref, source=source, speaker=speaker, session=session)):
            yield row


def _misnamed_facts(db: Database) -> Iterator[int]:
    for row, id, subject, predicate, object, polarity in db.each(
        "SELECT f.row, f.id, n.name, f.predicate, f.object, f.polarity FROM facts f"
        " JOIN entities n ON n.row = f.subject"
    ):
        if id != fact_id(subject, predicate, object, polarity):
            yield row


def _misindexed(db: Database) -> Iterator[int]:
    """Items of which the text index holds other words. The sums of their words' checksums are compared, each times its
    place, as the index is read by word."""
    last = db.value(
        "SELECT max(ifnull((SELECT 2 * max(row) FROM episodes), 0), ifnull((SELECT 2 * max(row) + 1 FROM facts), 0))"
    )
    sums, term, value = array("Q", bytes(8 * (last + 1))), None, 0
    for doc, word, place in db.each('SELECT doc, term, "offset" FROM terms_instances'):
        if word != term:
            term, value = word, crc32(word.encode())
        sums[doc] = (sums[doc] + (place + 1) * value) & _MASK
    for item, text, speaker in db.each(
        "SELECT 2 * row, text, speaker FROM episodes UNION ALL SELECT 2 * row + 1, text, NULL FROM facts"
    ):
        words = indexed_words(text, speaker)
        if sums[item] != sum(place * crc32(word.encode()) for place, word in enumerate(words, 1)) & _MASK:
            yield item


def _misplaced(db: Database) -> Iterator[int]:
    model, dim = db.row("SELECT value ->> 'name', value ->> 'dim' FROM meta WHERE key = 'embedder'") or ("", 0)
    for item, near, data in db.each(
        "SELECT c.item, c.embedding, v.data FROM vec_coarse c JOIN vectors v ON v.item = c.item"
    ):
        if near != coarse_form(Vector(model, dim, data))[1]:
            yield item
