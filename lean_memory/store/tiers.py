"""Between the hot and the cold tier, and what stands on what. Nothing here touches an interval: what held when is
decided by what was said alone.

A retired duplicate stands on its survivor, a summary on its sources (table `lineage`); `visibility` shows them only
while those hold. What somebody says again comes back to the hot tier, and so do the sources of a summary of which one
no longer holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import orjson

from lean_memory.store.database import Database

__all__ = ["log", "move", "retire", "stand_on", "wake"]

Action = Literal["asserted", "retired", "demoted", "promoted", "summarised", "retracted"]

_HOLDS = "EXISTS (SELECT 1 FROM validity w WHERE w.fact = {} AND w.closed_at IS NULL AND w.valid_to IS NULL)"


def log(
    db: Database,
    fact: int,
    action: Action,
    *,
    at: int,
    run: int | None = None,
    episode: int | None = None,
    cause: Mapping[str, Any],
) -> None:
    """An entry in the log of changes."""
    db.run(
        "INSERT INTO changes (at, action, fact, episode, run, cause) VALUES (?, ?, ?, ?, ?, ?)",
        (at, action, fact, episode, run, orjson.dumps(cause).decode()),
    )


def move(db: Database, fact: int, tier: Literal["hot", "cold"]) -> None:
    """Puts a fact into a tier, in the coarse index too."""
    db.run("UPDATE facts SET tier = ? WHERE row = ?", (tier, fact))
    if db.rows("SELECT 1 FROM vectors WHERE item = ?", (2 * fact + 1,)):
        db.run("UPDATE vec_coarse SET hot = ? WHERE item = ?", (tier == "hot", 2 * fact + 1))


def stand_on(db: Database, fact: int, sources: Iterable[int], kind: Literal["summary", "duplicate"], at: int) -> None:
    """From `at` on the fact is visible only while all the sources hold."""
    for source in sources:
        db.run(
            "INSERT INTO lineage (fact, source, since, kind) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (fact, source, at, kind),
        )


def retire(
    db: Database, fact: int, survivor: int, *, at: int, run: int | None = None, cause: Mapping[str, Any]
) -> None:
    """Moves a duplicate to the cold tier; it ends with its survivor."""
    move(db, fact, "cold")
    stand_on(db, fact, [survivor], "duplicate", at)
    log(db, fact, "retired", at=at, run=run, cause=cause)


def wake(db: Database, said: Iterable[int], moved: Iterable[int], *, at: int, episode: int) -> None:
    """What a write brings back: cold facts that were said again, unless a survivor stands for them and holds; and the
    sources of a summary of which one has ended. Inside the write, after its intervals."""
    for fact in dict.fromkeys(said):
        if db.value("SELECT tier FROM facts WHERE row = ?", (fact,)) == "cold" and not _stood_for(db, fact):
            db.run("UPDATE lineage SET closed_at = ? WHERE fact = ? AND closed_at IS NULL", (at, fact))
            move(db, fact, "hot")
            log(db, fact, "promoted", at=at, episode=episode, cause={"route": "said again"})
    for fact in dict.fromkeys(moved):
        if not db.value(f"SELECT {_HOLDS.format('?')}", (fact,)):
            for (summary,) in _summaries_on(db, fact):
                _withdraw(db, summary, fact, at=at, episode=episode)


def _stood_for(db: Database, fact: int) -> bool:
    """Whether one that it was retired into, directly or through others, is at hand and holds."""
    return bool(
        db.rows(
            "WITH RECURSIVE up (row) AS (SELECT source FROM lineage WHERE fact = ? AND kind = 'duplicate'"
            " AND closed_at IS NULL UNION SELECT l.source FROM up u JOIN lineage l ON l.fact = u.row"
            " AND l.kind = 'duplicate' AND l.closed_at IS NULL)"
            f" SELECT 1 FROM up u JOIN facts s ON s.row = u.row WHERE s.tier = 'hot' AND {_HOLDS.format('u.row')}",
            (fact,),
        )
    )


def _summaries_on(db: Database, fact: int) -> list[tuple[int]]:
    return db.rows(
        "SELECT l.fact FROM lineage l JOIN facts s ON s.row = l.fact"
        " WHERE l.source = ? AND l.kind = 'summary' AND l.closed_at IS NULL AND s.tier = 'hot'",
        (fact,),
    )


def _withdraw(db: Database, summary: int, ended: int, *, at: int, episode: int) -> None:
    id = db.value("SELECT id FROM facts WHERE row = ?", (ended,))
    move(db, summary, "cold")
    log(db, summary, "retracted", at=at, episode=episode, cause={"ended": id, "route": "lineage"})
    for (source,) in db.rows(
        "SELECT l.source FROM lineage l JOIN facts s ON s.row = l.source"
        " WHERE l.fact = ? AND l.kind = 'summary' AND s.tier = 'cold' ORDER BY l.source",
        (summary,),
    ):
        move(db, source, "hot")
        log(db, source, "promoted", at=at, episode=episode, cause={"route": "summary withdrawn"})
