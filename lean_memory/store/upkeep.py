"""What maintenance reads of a namespace, and the moves that a run makes by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from lean_memory.records import Vector
from lean_memory.store.clock import no_earlier
from lean_memory.store.database import Database
from lean_memory.store.tiers import log, move, retire
from lean_memory.store.usage import logged_hits
from lean_memory.store.vectors import embedder
from lean_memory.upkeep import Eviction, Retirement, Standing

__all__ = [
    "boundaries",
    "cosines_of",
    "evict",
    "promote",
    "retire_all",
    "roles",
    "sample",
    "sample_vectors",
    "since",
    "standing",
    "tally",
]

_PINNED = "SELECT fact FROM changes WHERE action = 'promoted' AND cause ->> 'pinned'"
_WAITING = (
    "SELECT t.fact FROM proposals p JOIN proposal_targets t ON t.proposal = p.row"
    " WHERE p.status = 'pending' AND p.expires_at > :now AND NOT EXISTS (SELECT 1 FROM proposal_targets o"
    " JOIN facts g ON g.row = o.fact JOIN slots s ON s.row = g.slot"
    " WHERE o.proposal = p.row AND (s.revision <> o.revision OR g.tier <> 'hot'))"
)
_MIDDLING = 5.0


def standing(db: Database, now: int) -> list[Standing]:
    """See `Store.standing`. In order of id."""
    with db.reading():
        said = {
            fact: rest
            for fact, *rest in db.rows(
                "SELECT x.fact, max(e.t_ref), max(x.salience), count(DISTINCT x.episode)"
                " FROM evidence x JOIN episodes e ON e.row = x.episode GROUP BY x.fact"
            )
        }
        hits = dict(db.rows("SELECT item, hits FROM usage"))
        for item, count in logged_hits(db).items():
            hits[item] = hits.get(item, 0) + count
        pinned, waiting, summaries = (
            {fact for (fact,) in db.rows(sql, {"now": now} if ":now" in sql else ())}
            for sql in (_PINNED, _WAITING, "SELECT fact FROM lineage WHERE kind = 'summary'")
        )
        rows = db.rows(
            "SELECT f.row, f.id, n.key, n.name, f.predicate, f.object, f.polarity, f.text, s.revision,"
            " max(ifnull(v.valid_at, -9e18)), f.recorded_at"
            " FROM facts f JOIN validity v ON v.fact = f.row AND v.closed_at IS NULL AND v.valid_to IS NULL"
            " AND (v.valid_at IS NULL OR v.valid_at <= :now)"
            " JOIN entities n ON n.row = f.subject JOIN slots s ON s.row = f.slot"
            " WHERE f.tier = 'hot' GROUP BY f.row ORDER BY f.id",
            {"now": now},
        )
    return [
        Standing(
            id=id, subject=key, name=name, predicate=predicate, object=object, polarity=polarity, text=text,
            revision=revision, since=None if since < -8e18 else int(since), recorded_at=recorded_at,
            said_at=said[row][0] if row in said else recorded_at,
            salience=said[row][1] if row in said else _MIDDLING,
            claims=said[row][2] if row in said else 0,
            hits=hits.get(2 * row + 1, 0), pinned=row in pinned, summary=row in summaries, proposed=row in waiting,
        )
        for row, id, key, name, predicate, object, polarity, text, revision, since, recorded_at in rows
    ]  # fmt: skip


def roles(db: Database) -> Mapping[str, str]:
    """See `Store.roles`."""
    with db.reading():
        return dict(
            db.rows(
                "SELECT a.key, min(n.key) FROM aliases a JOIN entities n ON n.row = a.entity"
                " WHERE a.closed_at IS NULL AND a.key <> n.key GROUP BY a.key HAVING count(DISTINCT a.entity) = 1"
            )
        )


def cosines_of(db: Database, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
    """See `Store.cosines_of`."""
    with db.reading():
        found = dict(
            db.rows(
                "SELECT i.key, 1.0 - vec_distance_cosine(x.data, y.data) FROM json_each(?) i"
                " CROSS JOIN facts f ON f.id = i.value ->> 0 CROSS JOIN facts g ON g.id = i.value ->> 1"
                " CROSS JOIN vectors x ON x.item = 2 * f.row + 1 CROSS JOIN vectors y ON y.item = 2 * g.row + 1",
                (orjson.dumps(pairs).decode(),),
            )
        )
    return [found.get(index) for index in range(len(pairs))]


def tally(db: Database) -> Mapping[str, int]:
    """See `Store.tally`."""
    with db.reading():
        hot, cold = (db.value("SELECT count(*) FROM facts WHERE tier = ?", (tier,)) for tier in ("hot", "cold"))
        return {
            "episodes": db.value("SELECT count(*) FROM episodes"),
            "hot": hot,
            "cold": cold,
            "summaries": db.value("SELECT count(DISTINCT fact) FROM lineage WHERE kind = 'summary'"),
        }


def since(db: Database, cursor: int) -> tuple[int, float]:
    """See `Store.since`."""
    with db.reading():
        count, salience = db.rows(
            "SELECT count(*), ifnull(sum((SELECT max(salience) FROM evidence x WHERE x.fact = c.fact)), 0.0)"
            " FROM changes c WHERE c.row > ? AND c.action = 'asserted'",
            (cursor,),
        )[0]
    return int(count), float(salience)


def boundaries(db: Database) -> list[int]:
    """See `Store.boundaries`."""
    with db.reading():
        return [
            at
            for (at,) in db.rows(
                "SELECT valid_at FROM validity WHERE valid_at IS NOT NULL AND closed_at IS NULL"
                " UNION SELECT valid_to FROM validity WHERE valid_to IS NOT NULL AND closed_at IS NULL"
                " UNION SELECT t_ref FROM episodes ORDER BY 1"
            )
        ]


def sample(db: Database, count: int) -> list[str]:
    """See `Store.sample`."""
    with db.reading():
        total = db.value("SELECT count(*) FROM facts")
        return [
            text
            for (text,) in db.rows(
                "SELECT text FROM facts WHERE row % ? = 0 ORDER BY row LIMIT ?", (max(1, total // count), count)
            )
        ]


def sample_vectors(db: Database, count: int) -> list[Vector]:
    """See `Store.sample_vectors`."""
    with db.reading():
        mark, total = embedder(db), db.value("SELECT count(*) FROM vectors")
        if mark is None or not total:
            return []
        return [
            Vector(mark.name, mark.dim, data)
            for (data,) in db.rows(
                "SELECT data FROM (SELECT data, row_number() OVER (ORDER BY item) AS nth FROM vectors)"
                " WHERE nth % ? = 1 LIMIT ?",
                (max(2, total // count), count),
            )
        ]


def retire_all(db: Database, retirements: Sequence[Retirement], *, run: str, at: int) -> int:
    """See `Store.retire`."""
    done = 0
    with db.joined():
        number, recorded = _run(db, run), no_earlier(db, at)
        for one in retirements:
            fact, survivor = _unchanged(db, one.fact, one.revision, at), _hot(db, one.into)
            if fact is not None and survivor is not None:
                retire(db, fact, survivor, at=recorded, run=number, cause={"into": one.into, "route": "exact"})
                done += 1
    return done


def evict(db: Database, evictions: Sequence[Eviction], *, run: str, at: int) -> int:
    """See `Store.evict`."""
    done = 0
    with db.joined():
        number, recorded = _run(db, run), no_earlier(db, at)
        for one in evictions:
            fact = _unchanged(db, one.fact, one.revision, at)
            if fact is not None:
                move(db, fact, "cold")
                log(db, fact, "demoted", at=recorded, run=number, cause={"route": "strict", "value": one.value})
                done += 1
    return done


def promote(db: Database, facts: Sequence[str], *, at: int, cause: Mapping[str, Any]) -> list[str]:
    """See `Store.promote`."""
    back = []
    with db.joined():
        at = no_earlier(db, at)
        for id in facts:
            found = db.row("SELECT row, tier FROM facts WHERE id = ?", (id,))
            if found is None:
                continue
            row, tier = found
            if tier == "cold":
                db.run("UPDATE lineage SET closed_at = ? WHERE fact = ? AND kind = 'duplicate' AND closed_at IS NULL",
                       (at, row))  # fmt: skip
                move(db, row, "hot")
                back.append(id)
            elif db.rows(f"SELECT 1 WHERE ? IN ({_PINNED})", (row,)):
                continue
            log(db, row, "promoted", at=at, cause={**cause, "pinned": True})
    return back


def _run(db: Database, run: str) -> int:
    row: int = db.value("SELECT row FROM runs WHERE id = ?", (run,))
    return row


def _hot(db: Database, id: str) -> int | None:
    row: int | None = db.value("SELECT row FROM facts WHERE id = ? AND tier = 'hot'", (id,))
    return row


def _unchanged(db: Database, id: str, revision: int, now: int) -> int | None:
    """The fact's row, if it is as it was when planned: hot, its slot at the revision, no proposal about it."""
    row: int | None = db.value(
        "SELECT f.row FROM facts f JOIN slots s ON s.row = f.slot"
        f" WHERE f.id = :id AND f.tier = 'hot' AND s.revision = :revision AND f.row NOT IN ({_WAITING})",
        {"id": id, "revision": revision, "now": now},
    )
    return row
