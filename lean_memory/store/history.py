"""The log as people ask for it: each change with the fact it happened to and the words that caused it; and each
fact with every episode that says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from lean_memory.claims import LogFilter
from lean_memory.names import name_key
from lean_memory.records import Change, Claimed, Fact
from lean_memory.store.database import Database

__all__ = ["claims_about", "claims_of", "history"]

_BATCH = 512

_FACT = (
    "f.id, n.name, f.predicate, f.object, f.polarity, ifnull(x.text, f.text), ifnull(x.quote, ''),"
    " ifnull(x.span_begin, 0), ifnull(x.span_end, 0), x.valid_at, x.valid_to, x.time_text,"
    " ifnull(x.relation, 'asserts'), x.cue, ifnull(x.confidence, 1.0),"
    " ifnull(x.salience, 5.0), ifnull(x.route, ''), ifnull(x.extra, '{}')"
)

# What the causing proposition said, in the episode that said it; else the fact's own words there.
_LOG = (
    f"SELECT c.row, c.at, c.action, e.id, c.cause, {_FACT}, q.quote, s.t_ref FROM changes c"
    " JOIN facts f ON f.row = c.fact JOIN entities n ON n.row = f.subject"
    " LEFT JOIN episodes e ON e.row = c.episode"
    " LEFT JOIN evidence x ON x.row = ("
    "SELECT row FROM evidence WHERE fact = c.fact ORDER BY episode = c.episode DESC, row DESC LIMIT 1)"
    " LEFT JOIN episodes s ON s.id = c.cause ->> 'said_in'"
    " LEFT JOIN evidence q ON q.row = (SELECT row FROM evidence WHERE episode = s.row"
    " AND fact = (SELECT row FROM facts WHERE id = c.cause ->> 'by') ORDER BY row LIMIT 1)"
)


def history(db: Database, asked: LogFilter) -> Iterator[Change]:
    """See `Store.history`."""
    where = ["c.row > :after"]
    values: dict[str, Any] = {"after": 0, "limit": _BATCH}
    if asked.fact is not None:
        where.append("f.id = :fact")
        values["fact"] = asked.fact
    if asked.subject is not None:
        where.append("n.key = :subject")
        values["subject"] = name_key(asked.subject)
    if asked.since is not None:
        where.append("c.at >= :since")
        values["since"] = asked.since
    if asked.until is not None:
        where.append("c.at < :until")
        values["until"] = asked.until
    sql = f"{_LOG} WHERE {' AND '.join(where)} ORDER BY c.row LIMIT :limit"
    while True:
        with db.reading():
            rows = db.rows(sql, values)
        for row in rows:
            yield _change(row)
        if len(rows) < _BATCH:
            return
        values["after"] = rows[-1][0]


def claims_of(db: Database, fact: str) -> list[Claimed]:
    """See `Store.claims_of`."""
    return _claims(db, "f.id = ?", fact)


def claims_about(db: Database, subject: str) -> list[Claimed]:
    """See `Store.claims_about`."""
    return _claims(db, "n.key = ? AND x.moved_at IS NULL", name_key(subject))


def _claims(db: Database, which: str, value: str) -> list[Claimed]:
    with db.reading():
        rows = db.rows(
            f"SELECT e.id, e.text, e.t_ref, e.speaker, e.session, e.source, x.recorded_at, {_FACT} FROM facts f"
            " JOIN entities n ON n.row = f.subject JOIN evidence x ON x.fact = f.row"
            " JOIN episodes e ON e.row = x.episode"
            f" WHERE {which} ORDER BY e.t_ref, e.id, f.id, x.span_begin",
            (value,),
        )
    return [
        Claimed(
            episode=id, text=text, t_ref=t_ref, speaker=speaker, session=session, source=source,
            recorded_at=recorded_at, fact=_fact(rest),
        )
        for id, text, t_ref, speaker, session, source, recorded_at, *rest in rows
    ]  # fmt: skip


def _change(values: Sequence[Any]) -> Change:
    _, at, action, episode, cause, *rest = values
    *fact, quote, said_at = rest
    told = _fact(fact)
    return Change(
        at=at, action=action, fact=told.id, episode=episode, cause=orjson.loads(cause), told=told,
        quote=quote or told.quote, said_at=said_at,
    )  # fmt: skip


def _fact(values: Sequence[Any]) -> Fact:
    (
        id, subject, predicate, object, polarity, text, quote, begin, end, valid_at, valid_to, time_text, relation,
        cue, confidence, salience, route, extra,
    ) = values  # fmt: skip
    return Fact(
        id=id, subject=subject, predicate=predicate, object=object, polarity=polarity, text=text, quote=quote,
        span=(begin, end), valid_at=valid_at, valid_to=valid_to, time_text=time_text, relation=relation, cue=cue,
        confidence=confidence, salience=salience, route=route, extra=orjson.loads(extra),
    )  # fmt: skip
