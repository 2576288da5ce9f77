"""A `View` as SQL conditions: which rows may a query see. Every query of the package takes them from here."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from lean_memory.claims import View
from lean_memory.names import name_key
from lean_memory.store.database import Database
from lean_memory.store.port import Scored

__all__ = ["Sight", "best_visible", "sight"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Conditions over `facts f JOIN validity v` and over `episodes e`, with their values.

    `facts` or `episodes` is None if the view sees none of the kind.
    """

    facts: str | None
    episodes: str | None
    values: dict[str, Any]

    def pool(self, among: str | None = None) -> str:
        """A SELECT of every visible item once: item, id, tokens.

        `among`: only the items of this table or common table expression with a column `item`, each once.
        """
        parts = []
        if self.facts:
            held = f"EXISTS (SELECT 1 FROM validity v WHERE v.fact = f.row AND {self.facts})"
            listed = f"{among} a CROSS JOIN facts f ON f.row = a.item >> 1 AND a.item & 1" if among else "facts f"
            parts.append(f"SELECT 2 * f.row + 1 AS item, f.id AS id, f.tokens AS tokens FROM {listed} WHERE {held}")
        if self.episodes:
            listed = (
                f"{among} a CROSS JOIN episodes e ON e.row = a.item >> 1 AND NOT a.item & 1" if among else "episodes e"
            )
            parts.append(
                f"SELECT 2 * e.row AS item, e.id AS id, e.tokens AS tokens FROM {listed} WHERE {self.episodes}"
            )
        return " UNION ALL ".join(parts)


def best_visible(db: Database, scores: Mapping[int, float], seen: Sight, limit: int) -> list[Scored]:
    """Of scored items the `limit` best visible ones, best first, equal ones by id. Looks no further than need be."""
    order = sorted(scores, key=lambda item: -scores[item])
    count = limit + limit // 4 + 20
    while True:
        while 0 < count < len(order) and scores[order[count]] == scores[order[count - 1]]:
            count += 1
        rows = db.rows(
            "WITH listed AS MATERIALIZED (SELECT value AS item FROM json_each(:listed))"
            f" SELECT item, id FROM ({seen.pool('listed')})",
            {**seen.values, "listed": orjson.dumps(order[:count]).decode()},
        )
        if len(rows) >= limit or count >= len(order):
            best = heapq.nsmallest(limit, ((-scores[item], id, item) for item, id in rows))
            return [(item, -score) for score, _, item in best]
        count *= 2


def sight(view: View) -> Sight:
    """The view's conditions. The SQL depends only on which of the view's fields are set, the values on the rest."""
    values: dict[str, Any] = {"at": view.at}
    last = "ifnull(v.valid_at, v.valid_to - 1)" if view.ended else ":at"  # what was never true has no time at all
    facts = ["(v.valid_at IS NULL OR v.valid_at <= :at)", f"(v.valid_to IS NULL OR v.valid_to > {last})"]
    episodes = ["e.t_ref <= :at"]
    about: list[str] = []
    if view.known_at is None:
        facts.append("v.closed_at IS NULL")
    else:
        facts.append("v.recorded_at <= :known_at AND (v.closed_at IS NULL OR v.closed_at > :known_at)")
        facts.append("f.recorded_at <= :known_at")  # its interval may come from a clock that is behind
        episodes.append("e.recorded_at <= :known_at")
        values["known_at"] = view.known_at
    facts.append(_standing(known_at=view.known_at is not None))
    if view.as_of is None and view.known_at is None and not view.include_cold:
        facts.append("f.tier = 'hot'")
    if view.since is not None:
        facts.append("(v.valid_to IS NULL OR v.valid_to > :since)")
        episodes.append("e.t_ref >= :since")
        values["since"] = view.since
    if view.until is not None:
        facts.append("(v.valid_at IS NULL OR v.valid_at < :until)")
        episodes.append("e.t_ref < :until")
        values["until"] = view.until
    if view.subject is not None:
        about.append(
            "f.subject IN (SELECT row FROM entities WHERE key = :subject"
            " UNION ALL SELECT entity FROM aliases WHERE key = :subject AND closed_at IS NULL)"
        )
        values["subject"] = name_key(view.subject)
    if view.predicate is not None:
        about.append("f.predicate = :predicate")
        values["predicate"] = view.predicate
    if about:  # an episode is about what the facts drawn from it are about
        drawn = "SELECT x.episode FROM facts f JOIN evidence x ON x.fact = f.row"
        episodes.append(f"e.row IN ({drawn} WHERE {' AND '.join(about)})")
    return Sight(
        " AND ".join(facts + about) if view.kind != "episode" else None,
        " AND ".join(episodes) if view.kind != "fact" else None,
        values,
    )


def _standing(*, known_at: bool) -> str:
    """That all a fact stands on holds, directly and through others: the sources of a summary, the survivor of a
    duplicate. Before it stood on them they don't count, so that maintenance changes no answer about the past."""
    link, held = "l.since <= :at AND l.closed_at IS NULL", "w.closed_at IS NULL"
    if known_at:
        link = "l.since <= :at AND l.since <= :known_at AND (l.closed_at IS NULL OR l.closed_at > :known_at)"
        held = "w.recorded_at <= :known_at AND (w.closed_at IS NULL OR w.closed_at > :known_at)"
    return (
        "(NOT EXISTS (SELECT 1 FROM lineage l WHERE l.fact = f.row) OR NOT EXISTS ("
        f"WITH RECURSIVE base (row) AS (SELECT l.source FROM lineage l WHERE l.fact = f.row AND {link}"
        f" UNION SELECT l.source FROM base b JOIN lineage l ON l.fact = b.row WHERE {link})"
        " SELECT 1 FROM base b WHERE NOT EXISTS (SELECT 1 FROM validity w WHERE w.fact = b.row"
        f" AND {held} AND (w.valid_at IS NULL OR w.valid_at <= :at) AND (w.valid_to IS NULL OR w.valid_to > :at))))"
    )
