"""What stands beside a search's candidates: the turns before and after them in their conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import orjson

from lean_memory.claims import View
from lean_memory.store.database import Database
from lean_memory.store.visibility import sight

__all__ = ["neighbours", "outdated"]


def neighbours(db: Database, items: Sequence[int], view: View) -> Mapping[int, tuple[int | None, int | None]]:
    """See `Store.neighbours`. Turns of one time are in order of arrival."""
    seen = sight(view)
    if seen.episodes is None:
        return {}
    other = (
        "(SELECT e.row FROM episodes e WHERE e.session = a.session AND (e.t_ref, e.row) {side} (a.t_ref, a.row)"
        f" AND {seen.episodes} ORDER BY e.t_ref {{way}}, e.row {{way}} LIMIT 1)"
    )
    with db.reading():
        return {
            2 * row: (None if before is None else 2 * before, None if after is None else 2 * after)
            for row, before, after in db.rows(
                f"SELECT a.row, {other.format(side='<', way='DESC')}, {other.format(side='>', way='ASC')}"
                " FROM episodes a WHERE a.session IS NOT NULL"
                " AND a.row IN (SELECT value >> 1 FROM json_each(:listed) WHERE NOT value & 1)",
                {**seen.values, "listed": orjson.dumps(list(items)).decode()},
            )
        }


def outdated(db: Database, items: Sequence[int], view: View) -> set[int]:
    """See `Store.outdated`."""
    seen = sight(replace(view, kind="any", subject=None, predicate=None, since=None, until=None, include_cold=True))
    return {
        2 * row
        for (row,) in db.rows(
            "SELECT e.row FROM episodes e"
            " WHERE e.row IN (SELECT value >> 1 FROM json_each(:listed) WHERE NOT value & 1)"
            " AND EXISTS (SELECT 1 FROM evidence x WHERE x.episode = e.row)"
            " AND NOT EXISTS (SELECT 1 FROM evidence x CROSS JOIN facts f ON f.row = x.fact"
            f" CROSS JOIN validity v ON v.fact = f.row WHERE x.episode = e.row AND {seen.facts})",
            {**seen.values, "listed": orjson.dumps(list(items)).decode()},
        )
    }
