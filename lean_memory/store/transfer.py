"""A namespace as lines and back: every row of every table, so that history comes along.

What follows from the rows (the text index, the coarse vectors) is made anew, as it is a function of them.
"""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw
import orjson

from lean_memory.claims import EmbedderMark
from lean_memory.errors import Malformed, StoreUnavailable
from lean_memory.records import Vector
from lean_memory.store.database import Database
from lean_memory.store.ledger import TABLES
from lean_memory.store.lexical import add_text, indexed_words
from lean_memory.store.migrate import current_version, latest_version
from lean_memory.store.vectors import create_index, index_vector

__all__ = ["export", "restore"]

_LEFT_OUT = frozenset(("leases",))  # of a process on the machine it was on

_OBJECTS = {
    "episodes": ("meta", "extra"), "evidence": ("extra",), "runs": ("counts",), "changes": ("cause",),
    "proposals": ("payload", "evidence", "decision"),
}  # fmt: skip
"""Columns that hold the text of an object."""

_LONGEST = 1 << 16  # dimensions


def export(db: Database) -> Iterator[Mapping[str, Any]]:
    """Rows of all tables as {"table", "values"}, blobs as {"b64"}; before them {"schema"}, after them {"rows"}, their
    number, so that a dump that was cut is not taken for a whole one. One snapshot."""
    count = 0
    with db.reading():
        yield {"schema": current_version(db)}
        for table, order in TABLES.items():
            if table not in _LEFT_OUT:
                names = _columns(db, table)
                for row in db.each(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}"):
                    count += 1
                    yield {"table": table, "values": dict(zip(names, map(_out, row), strict=True))}
        yield {"rows": count}


def restore(db: Database, rows: Iterable[Mapping[str, Any]]) -> int:
    """Fills a new namespace with exported rows, in one transaction; returns how many.

    Raises:
        Malformed: a row is none that `export` writes, rows are missing, or another schema version wrote them.
        StoreUnavailable: `not_empty`, the namespace holds something already.
    """
    with db.writing():
        if db.value("SELECT count(*) FROM episodes"):
            raise StoreUnavailable(
                f"{db.path} is not empty", code="not_empty", hint="restore into a new namespace with -n"
            )
        db.run("PRAGMA defer_foreign_keys = ON")
        db.run("DELETE FROM meta")
        source = iter(rows)
        _check_schema(next(source, {}))
        columns = {table: _columns(db, table) for table in TABLES}
        count, promised = 0, None
        for row in source:
            if "rows" in row:
                promised = row["rows"]
                break
            _insert(db, row, columns)
            count += 1
        if promised != count:
            raise Malformed("the dump is cut short", code="not_whole", hint="dump it again with: lm-log --dump -n NS")
        db.run("UPDATE meta SET value = ? WHERE key = 'namespace'", (db.namespace,))
        _index(db)
        if broken := db.rows("PRAGMA foreign_key_check"):
            raise Malformed(f"the dump is not whole: {broken[0][0]} refers to a missing row of {broken[0][2]}")
    return count


def _check_schema(first: Mapping[str, Any]) -> None:
    if first.get("schema") != latest_version():
        raise Malformed(
            f"this is no dump of schema version {latest_version()}",
            code="wrong_schema",
            hint="dump it with the same version of lean-memory: lm-log --dump -n NS",
        )


def _columns(db: Database, table: str) -> list[str]:
    return [name for (name,) in db.rows("SELECT name FROM pragma_table_info(?)", (table,))]


def _insert(db: Database, row: Mapping[str, Any], columns: Mapping[str, list[str]]) -> None:
    table, values = str(row.get("table")), row.get("values")
    if table not in columns or not isinstance(values, dict) or set(values) != set(columns[table]):
        raise Malformed("this is no row of a dump", code="bad_row")
    for name in _OBJECTS.get(table, ()):
        if values[name] is not None and not _is_object(values[name]):
            raise Malformed(f"{name!r} of a row of {table} must be the text of an object", code="bad_row")
    names = list(values)
    try:
        db.run(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            [_in(values[name]) for name in names],
        )
    except (apsw.ConstraintError, apsw.MismatchError) as err:
        raise Malformed(f"a row of {table} does not fit the others: {err}", code="bad_row") from None


def _is_object(value: object) -> bool:
    try:
        return isinstance(value, str) and isinstance(orjson.loads(value), dict)
    except orjson.JSONDecodeError:
        return False


def _mark(db: Database) -> EmbedderMark | None:
    """The model that made the vectors. Raises Malformed: what the dump says of it is nothing that names one."""
    stored = db.value("SELECT value FROM meta WHERE key = 'embedder'")
    if stored is None:
        return None
    mark = orjson.loads(stored) if _is_object(stored) else {}
    kinds = {"name": str, "dim": int, "fingerprint": str}
    if {key: type(value) for key, value in mark.items()} != kinds or not 0 < mark["dim"] <= _LONGEST:
        raise Malformed("the dump names no model for its vectors", code="bad_row")
    return EmbedderMark(**mark)


def _index(db: Database) -> None:
    for row, text, speaker in db.each("SELECT row, text, speaker FROM episodes ORDER BY row"):
        add_text(db, 2 * row, indexed_words(text, speaker))
    for row, text in db.each("SELECT row, text FROM facts ORDER BY row"):
        add_text(db, 2 * row + 1, indexed_words(text))
    mark = _mark(db)
    if mark is not None:
        create_index(db, mark)
    for item, data in db.each("SELECT item, data FROM vectors ORDER BY item"):
        if mark is None or not _fits(mark, data):
            raise Malformed(f"the vector of item {item} is not one of the dump's model", code="bad_row")
        try:
            index_vector(db, item, Vector(mark.name, mark.dim, data))
        except ValueError:
            raise Malformed(f"there is a vector of item {item}, but no such item", code="bad_row") from None


def _fits(mark: EmbedderMark, data: bytes) -> bool:
    return len(data) == 4 * mark.dim and math.isfinite(math.fsum(struct.unpack(f"<{mark.dim}f", data)))


def _out(value: object) -> object:
    return {"b64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value


def _in(value: Any) -> Any:
    if isinstance(value, dict):
        try:
            return base64.b64decode(value["b64"], validate=True)
        except (KeyError, TypeError, ValueError):
            raise Malformed("a blob must be an object with b64", code="bad_row") from None
    if isinstance(value, (list, bool)):
        raise Malformed("a value must be text, a number or null", code="bad_row")
    return value
