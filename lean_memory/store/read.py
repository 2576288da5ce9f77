"""What is stored, as records: slots for resolving, hits for searching, episodes verbatim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from lean_memory.claims import Claim, Interval, SlotState, View
from lean_memory.records import Episode, Fact, Hit
from lean_memory.store.database import Database
from lean_memory.store.visibility import Sight, sight

__all__ = ["aliases", "episodes", "has_episodes", "load", "names", "slots", "visible"]

_BATCH = 256


def has_episodes(db: Database, ids: Iterable[str]) -> set[str]:
    """See `Store.has_episodes`."""
    with db.reading():
        return {id for (id,) in db.rows(f"SELECT id FROM episodes WHERE id IN {_LISTED}", (_list(ids),))}


def names(db: Database, keys: Iterable[str]) -> Mapping[str, str]:
    """See `Store.names`."""
    with db.reading():
        return dict(db.rows(f"SELECT key, name FROM entities WHERE key IN {_LISTED}", (_list(keys),)))


def aliases(db: Database, keys: Iterable[str], view: View | None = None) -> Mapping[str, list[str]]:
    """See `Store.aliases`."""
    seen = "" if view is None else f" AND {sight(replace(view, subject=None, predicate=None, kind='episode')).episodes}"
    values = {} if view is None else sight(view).values
    with db.reading():
        rows = db.rows(
            "SELECT DISTINCT a.key, n.name FROM aliases a JOIN entities n ON n.row = a.entity"
            " JOIN episodes e ON e.row = a.episode WHERE a.closed_at IS NULL"
            f" AND a.key IN (SELECT value FROM json_each(:listed)){seen} ORDER BY a.key, n.key",
            {**values, "listed": _list(keys)},
        )
    found: dict[str, list[str]] = {}
    for key, name in rows:
        found.setdefault(key, []).append(name)
    return found


def slots(db: Database, keys: Iterable[str]) -> Mapping[str, SlotState]:
    """See `Store.slots`. Claims are in the order of `said_at`, then episode, fact and place in the text."""
    with db.reading():
        return {key: _slot(db, key) for key in keys}


def _slot(db: Database, key: str) -> SlotState:
    known = db.row("SELECT row, revision FROM slots WHERE key = ?", (key,))
    if known is None:
        return SlotState(key)
    row, revision = known
    claims = db.rows(
        "SELECT f.id, f.object, f.polarity, f.predicate, e.id, e.t_ref, x.valid_at, x.valid_to, x.cue, x.time_text"
        " FROM facts f JOIN evidence x ON x.fact = f.row JOIN episodes e ON e.row = x.episode"
        " WHERE f.slot = ? AND x.moved_at IS NULL"
        " ORDER BY e.t_ref, e.id, f.id, x.span_begin, x.span_end",
        (row,),
    )
    intervals = db.rows(
        "SELECT f.id, v.valid_at, v.valid_to FROM facts f JOIN validity v ON v.fact = f.row"
        " WHERE f.slot = ? AND v.closed_at IS NULL ORDER BY v.valid_at, v.valid_to, f.id",
        (row,),
    )
    return SlotState(key, revision, tuple(map(_claim, claims)), tuple(Interval(*values) for values in intervals))


def _claim(values: tuple[Any, ...]) -> Claim:
    fact, object, polarity, predicate, episode, said_at, valid_at, valid_to, cue, time_text = values
    return Claim(
        fact=fact, object=object, polarity=polarity, predicate=predicate, episode=episode, said_at=said_at,
        valid_at=valid_at, valid_to=valid_to, cue=cue, time_text=time_text,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------ hits


def load(db: Database, items: Sequence[int], view: View) -> Mapping[int, Hit]:
    """See `Store.load`."""
    seen = sight(view)
    hits: dict[int, Hit] = {}
    with db.reading():
        for start in range(0, len(items), _BATCH):
            listed = _list(items[start : start + _BATCH])
            hits.update(_episode_hits(db, seen, listed))
            hits.update(_fact_hits(db, seen, listed))
    return {item: hits[item] for item in items if item in hits}


def visible(db: Database, view: View) -> Iterator[Hit]:
    """See `Store.visible`. The list of items is one snapshot; their rows are read as they are asked for, so that a
    slow consumer doesn't keep the write-ahead log from being reclaimed."""
    seen = sight(view)
    with db.reading():
        items = [item for (item,) in db.rows(_in_order(seen), seen.values)]
    for start in range(0, len(items), _BATCH):
        yield from load(db, items[start : start + _BATCH], view).values()


def _in_order(seen: Sight) -> str:
    """Facts by subject, predicate, start, object; then episodes by time."""
    pool = f"WITH pool AS MATERIALIZED ({seen.pool()})"
    if seen.facts is None:
        return f"{pool} SELECT item FROM pool JOIN episodes e ON e.row = item >> 1 ORDER BY e.t_ref, e.id"
    starts = f"(SELECT min(ifnull(v.valid_at, -9e18)) FROM validity v WHERE v.fact = f.row AND {seen.facts})"
    return (
        f"{pool} SELECT item FROM ("
        f"SELECT item, n.key AS subject, f.predicate AS predicate, {starts} AS start, f.object AS object, f.id AS id"
        " FROM pool CROSS JOIN facts f ON f.row = item >> 1 AND item & 1 JOIN entities n ON n.row = f.subject"
        " UNION ALL SELECT item, NULL, NULL, e.t_ref, NULL, e.id"
        " FROM pool CROSS JOIN episodes e ON e.row = item >> 1 AND NOT item & 1"
        ") ORDER BY subject IS NULL, subject, predicate, start, object, id"
    )


def _fact_hits(db: Database, seen: Sight, listed: str) -> dict[int, Hit]:
    if seen.facts is None:
        return {}
    values = {**seen.values, "listed": listed}
    evidence = {row: rest for row, *rest in db.rows(_evidence("known_at" in seen.values), values)}
    facts = db.rows(
        "SELECT f.row, f.id, n.name, f.predicate, f.object, f.polarity, v.valid_at, v.valid_to"
        " FROM facts f JOIN validity v ON v.fact = f.row JOIN entities n ON n.row = f.subject"
        f" WHERE f.row IN (SELECT value >> 1 FROM json_each(:listed) WHERE value & 1) AND {seen.facts}"
        " ORDER BY v.valid_at, v.valid_to IS NULL, v.valid_to",  # of several intervals the latest stays
        values,
    )
    return {2 * row + 1: _fact_hit(rest, evidence[row]) for row, *rest in facts}


def _evidence(known_at: bool) -> str:
    """Of each fact the last claim said by the time looked at; if all were said later, the first of them. So
    claims to come don't change how the past reads."""
    return (
        "SELECT fact, text, quote, span_begin, span_end, time_text, relation, cue, confidence, salience, route, extra,"
        " id, t_ref, speaker, session FROM ("
        "SELECT x.*, e.id, e.t_ref, e.speaker, e.session, row_number() OVER (PARTITION BY x.fact ORDER BY"
        " e.t_ref > :at, abs(e.t_ref - :at), e.id DESC, x.span_begin DESC, x.span_end DESC) AS nth"
        " FROM evidence x JOIN episodes e ON e.row = x.episode"
        " WHERE x.fact IN (SELECT value >> 1 FROM json_each(:listed) WHERE value & 1)"
        f"{' AND x.recorded_at <= :known_at' if known_at else ''}) WHERE nth = 1"
    )


def _fact_hit(fact: Sequence[Any], evidence: Sequence[Any]) -> Hit:
    id, subject, predicate, object, polarity, valid_at, valid_to = fact
    (
        text, quote, begin, end, time_text, relation, cue, confidence, salience, route, extra,
        episode, t_ref, speaker, session,
    ) = evidence  # fmt: skip
    return Hit(
        rank=None, kind="fact", id=id, episode=episode, score=None, text=text, speaker=speaker, t_ref=t_ref,
        session=session,
        fact=Fact(
            id=id, subject=subject, predicate=predicate, object=object, text=text, quote=quote, span=(begin, end),
            polarity=polarity, valid_at=valid_at, valid_to=valid_to, time_text=time_text, relation=relation, cue=cue,
            confidence=confidence, salience=salience, route=route, extra=orjson.loads(extra),
        ),
    )  # fmt: skip


def _episode_hits(db: Database, seen: Sight, listed: str) -> dict[int, Hit]:
    if seen.episodes is None:
        return {}
    rows = db.rows(
        "SELECT e.row, e.id, e.text, e.speaker, e.t_ref, e.session FROM episodes e"
        f" WHERE e.row IN (SELECT value >> 1 FROM json_each(:listed) WHERE NOT value & 1) AND {seen.episodes}",
        {**seen.values, "listed": listed},
    )
    return {
        2 * row: Hit(rank=None, kind="episode", id=id, episode=id, score=None, text=text, speaker=speaker, t_ref=t_ref,
                     session=session)
        for row, id, text, speaker, t_ref, session in rows
    }  # fmt: skip


def episodes(db: Database) -> Iterator[Episode]:
    """See `Store.episodes`."""
    last = 0
    while True:
        with db.reading():
            rows = db.rows(
                "SELECT row, id, text, t_ref, tz, source, speaker, session, meta, extra FROM episodes"
                " WHERE row > ? ORDER BY row LIMIT ?",
                (last, _BATCH),
            )
        for _, id, text, t_ref, tz, source, speaker, session, meta, extra in rows:
            yield Episode(
                id=id, text=text, t_ref=t_ref, tz=tz, source=source, speaker=speaker, session=session,
                meta=orjson.loads(meta), extra=orjson.loads(extra),
            )  # fmt: skip
        if len(rows) < _BATCH:
            return
        last = rows[-1][0]


_LISTED = "(SELECT value FROM json_each(?))"


def _list(values: Iterable[Any]) -> str:
    return orjson.dumps(list(values)).decode("utf-8")
