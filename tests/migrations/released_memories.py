"""Memories as each released schema left them, written out as SQL: `released/schema-N.sql`, with what they answered.

    python -m tests.migrations.released_memories

writes those of the schema as it is now. It is run before a release, with the code that is released, and never again for
that schema: the files stand for what users have on their disks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from lean_memory.claims import View
from lean_memory.memory import Memory
from lean_memory.store import migrate
from tests.faults.memories import NAME, NOW, at, fill
from tests.maintain.material import DAY, START

__all__ = ["VERSIONS", "answered", "as_sql", "build", "expected"]

RELEASED = Path(__file__).with_name("released")
VERSIONS = sorted(int(path.stem.rpartition("-")[2]) for path in RELEASED.glob("schema-*.sql"))

_VIRTUAL = re.compile(r"CREATE VIRTUAL TABLE", re.IGNORECASE)


def build(version: int, folder: Path) -> Path:
    """The memory of a released schema, as a file again."""
    folder.mkdir(parents=True)
    path = folder / f"{NAME}.db"
    path.touch(0o600)
    with closing(apsw.Connection(str(path))) as db:
        db.execute(_sql(version).read_text("utf-8"))
    return path


def expected(version: int) -> list[Any]:
    """What it answered then."""
    answers: list[Any] = json.loads(_answers(version).read_text("utf-8"))
    return answers


def answered(memory: Memory) -> list[Any]:
    """What is visible at several times on either clock, without what ranking makes of it."""
    views = [
        View(now=NOW, include_cold=True),
        *(View(now=NOW, as_of=START + day * DAY) for day in (0, 1, 30, 450, 600)),
        *(View(now=NOW, known_at=NOW + late) for late in (-1, 0, DAY)),
    ]
    return [[_shown(hit) for hit in memory.visible(NAME, view)] for view in views]


def _shown(hit: Any) -> list[Any]:
    fact = hit.fact
    return [hit.kind, hit.id, hit.text, *((fact.object, fact.valid_at, fact.valid_to) if fact else ())]


def as_sql(path: Path) -> str:
    """All that a file holds, as a script that makes it anew. Virtual tables come as the tables they are kept in."""
    with closing(apsw.Connection(str(path))) as db:
        return "\n".join(_lines(db)) + "\n"


def _lines(db: apsw.Connection) -> Iterator[str]:
    yield "PRAGMA foreign_keys = OFF;\nPRAGMA writable_schema = ON;\nBEGIN;"
    entries = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    for kind, name, table, sql in entries.fetchall():
        if _VIRTUAL.match(str(sql)):
            values = ", ".join(map(_literal, (kind, name, table, 0, sql)))
            yield f"INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ({values});"
        elif name == "sqlite_sequence":
            continue
        else:
            yield f"{sql};"
            if kind == "table":
                yield from _rows(db, str(name), str(sql))
    yield f"PRAGMA application_id = {db.pragma('application_id')};\nPRAGMA user_version = {db.pragma('user_version')};"
    yield "COMMIT;\nPRAGMA writable_schema = RESET;"


def _rows(db: apsw.Connection, table: str, sql: str) -> Iterator[str]:
    columns = [name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    order = "_rowid_" if "WITHOUT ROWID" not in sql.upper() else ", ".join(columns)
    for row in db.execute(f'SELECT * FROM "{table}" ORDER BY {order}'):
        yield f'INSERT INTO "{table}" VALUES ({", ".join(map(_literal, row))});'


def _literal(value: object) -> str:
    if isinstance(value, bytes):
        told = value.rstrip(b"\0")
        if len(value) - len(told) > 16:  # most of a chunk of vectors is empty
            return f"CAST(X'{told.hex()}' || zeroblob({len(value) - len(told)}) AS BLOB)"
    return str(apsw.format_sql_value(value))  # type: ignore[arg-type]


def _sql(version: int) -> Path:
    return RELEASED / f"schema-{version}.sql"


def _answers(version: int) -> Path:
    return RELEASED / f"schema-{version}.answers.json"


def main() -> None:
    version = migrate.latest_version()
    with TemporaryDirectory() as folder:
        fill(Path(folder))
        _sql(version).write_text(as_sql(Path(folder) / f"{NAME}.db"), "utf-8")
        with at(Path(folder)) as memory:
            lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in answered(memory))
        _answers(version).write_text(f"[{lines}]\n", "utf-8")


if __name__ == "__main__":
    main()
