"""Proposals: staged by a run, read for review, decided once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import orjson

from lean_memory.names import name_key
from lean_memory.records import Fact, Vector, fact_id
from lean_memory.store.clock import no_earlier
from lean_memory.store.database import Database
from lean_memory.store.lexical import add_text, indexed_words
from lean_memory.store.tiers import log, move, retire, stand_on
from lean_memory.store.upkeep import promote
from lean_memory.store.usage import logged_hits
from lean_memory.store.vectors import embedder, expect_vector, fits, move_envelopes, put_vector
from lean_memory.upkeep import Draft, Outcome, Proposal, ProposalKind, Target, Verdict

__all__ = ["close_over", "decide", "declined", "over", "proposals", "stage", "staged", "targets", "waiting"]

Worth = Callable[[float, int, int], float]
"""Salience, when last said, hits -> value."""

_STALE = (
    "EXISTS (SELECT 1 FROM proposal_targets t JOIN facts f ON f.row = t.fact JOIN slots s ON s.row = f.slot"
    " WHERE t.proposal = p.row AND (s.revision <> t.revision OR f.tier <> 'hot'))"
)
_STATUS: Mapping[Verdict, Literal["approved", "kept", "edited", "promoted"]] = {
    "approve": "approved", "keep": "kept", "edit": "edited", "promote": "promoted",
}  # fmt: skip


def stage(db: Database, drafts: Sequence[Draft], *, run: str, at: int, expires_at: int) -> int:
    """See `Store.stage`."""
    done = 0
    with db.joined():
        number = db.value("SELECT row FROM runs WHERE id = ?", (run,))
        for draft in drafts:
            done += _stage_one(db, draft, number, at, expires_at)
    return done


def _stage_one(db: Database, draft: Draft, run: int, at: int, expires_at: int) -> bool:
    """Not if it is there, or one of its facts is no more as it was."""
    if db.rows("SELECT 1 FROM proposals WHERE id = ?", (draft.id,)):
        return False
    facts = []
    for id, revision in draft.targets:
        fact = db.value(
            "SELECT f.row FROM facts f JOIN slots s ON s.row = f.slot"
            " WHERE f.id = ? AND f.tier = 'hot' AND s.revision = ?",
            (id, revision),
        )
        if fact is None:
            return False
        facts.append((fact, revision))
    row = db.insert(
        "INSERT INTO proposals (id, run, kind, entity, payload, evidence, status, created_at, expires_at)"
        " VALUES (?, ?, ?, (SELECT row FROM entities WHERE key = ?), ?, ?, 'pending', ?, ?)",
        (
            draft.id,
            run,
            draft.kind,
            name_key(draft.entity),
            _json(draft.payload),
            _json(draft.evidence),
            at,
            expires_at,
        ),
    )
    for fact, revision in facts:
        db.run("INSERT INTO proposal_targets (proposal, fact, revision) VALUES (?, ?, ?)", (row, fact, revision))
    return True


def close_over(db: Database, now: int) -> Mapping[str, int]:
    """See `Store.close_over`."""
    with db.joined():
        counts = {}
        for status, which in (("expired", "p.expires_at <= :now"), ("stale", _STALE)):
            rows = db.rows(
                f"SELECT p.row FROM proposals p WHERE p.status = 'pending' AND :now AND {which}", {"now": now}
            )
            for (row,) in rows:
                db.run("UPDATE proposals SET status = ?, decided_at = ? WHERE row = ?", (status, now, row))
            counts[status] = len(rows)
    return counts


def over(db: Database, now: int) -> Mapping[str, int]:
    """How many `close_over` would close."""
    with db.reading():
        expired = db.value("SELECT count(*) FROM proposals WHERE status = 'pending' AND expires_at <= ?", (now,))
        stale = db.value(
            f"SELECT count(*) FROM proposals p WHERE status = 'pending' AND expires_at > ? AND {_STALE}", (now,)
        )
    return {"expired": expired, "stale": stale}


def waiting(db: Database, now: int) -> int:
    """See `Store.waiting`."""
    with db.reading():
        count: int = db.value(
            f"SELECT count(*) FROM proposals p WHERE p.status = 'pending' AND p.expires_at > :now AND NOT {_STALE}",
            {"now": now},
        )
    return count


def staged(db: Database) -> set[str]:
    """The ids of all proposals there ever were."""
    with db.reading():
        return {id for (id,) in db.rows("SELECT id FROM proposals")}


def declined(db: Database) -> set[tuple[ProposalKind, frozenset[str]]]:
    """What was decided to stay as it is: kind and facts."""
    with db.reading():
        rows = db.rows(
            "SELECT p.row, p.kind, f.id FROM proposals p JOIN proposal_targets t ON t.proposal = p.row"
            " JOIN facts f ON f.row = t.fact WHERE p.status IN ('kept', 'promoted')"
        )
    facts: dict[tuple[int, ProposalKind], set[str]] = {}
    for row, kind, fact in rows:
        facts.setdefault((row, kind), set()).add(fact)
    return {(kind, frozenset(ids)) for (_, kind), ids in facts.items()}


# ------------------------------------------------------------------------------------------------------ reading


def proposals(
    db: Database,
    worth: Worth,
    *,
    now: int,
    id: str | None = None,
    status: str | None = None,
    kind: str | None = None,
    entity: str | None = None,
    limit: int | None = None,
) -> list[Proposal]:
    """See `Store.proposals`."""
    # What is over reads so before a run has closed it.
    state = (
        f"CASE WHEN p.status <> 'pending' THEN p.status WHEN p.expires_at <= :now THEN 'expired'"
        f" WHEN {_STALE} THEN 'stale' ELSE 'pending' END"
    )
    where, values = ["1"], {"now": now, "limit": -1 if limit is None else limit}
    for column, value in (("p.id", id), (f"({state})", status), ("p.kind", kind)):
        if value is not None:
            name = f"v{len(values)}"
            where.append(f"{column} = :{name}")
            values[name] = value  # type: ignore[assignment]
    if entity is not None:
        where.append("n.key = :entity")
        values["entity"] = name_key(entity)  # type: ignore[assignment]
    with db.reading():
        rows = db.rows(
            f"SELECT p.row, p.id, p.kind, n.name, p.payload, p.evidence, {state}, p.created_at, p.expires_at,"
            " p.decided_at, p.decided_by, p.decision FROM proposals p LEFT JOIN entities n ON n.row = p.entity"
            f" WHERE {' AND '.join(where)} ORDER BY n.key, p.kind, p.created_at, p.row LIMIT :limit",
            values,
        )
        hits = logged_hits(db)
        return [_proposal(db, row, worth, hits) for row in rows]


def _proposal(db: Database, values: Sequence[Any], worth: Worth, hits: Mapping[int, int]) -> Proposal:
    _, id, kind, entity, payload, evidence, status, created, expires, decided_at, decided_by, decision = values
    found = orjson.loads(payload)
    return Proposal(
        id=id, kind=kind, entity=entity or "", namespace=db.namespace,
        targets=tuple(targets(db, kind, found, worth, hits)), payload=found, evidence=orjson.loads(evidence),
        status=status, created_at=created, expires_at=expires, decided_at=decided_at, decided_by=decided_by,
        decision=None if decision is None else orjson.loads(decision),
    )  # fmt: skip


def targets(
    db: Database, kind: ProposalKind, payload: Mapping[str, Any], worth: Worth, hits: Mapping[int, int] | None = None
) -> Iterable[Target]:
    """See `Store.targets`. The facts in the order of the payload, each in the words of its last claim."""
    hits = logged_hits(db) if hits is None else hits
    rows = db.rows(
        "SELECT f.row, f.id, n.name, f.predicate, f.object, f.polarity, f.tier, x.text, x.quote, x.span_begin,"
        " x.span_end, x.time_text, x.relation, x.cue, x.confidence, x.salience, x.route, e.t_ref,"
        " (SELECT valid_at FROM validity v WHERE v.fact = f.row AND v.closed_at IS NULL ORDER BY v.row DESC LIMIT 1),"
        " (SELECT valid_to FROM validity v WHERE v.fact = f.row AND v.closed_at IS NULL ORDER BY v.row DESC LIMIT 1),"
        " (SELECT count(DISTINCT episode) FROM evidence WHERE fact = f.row),"
        " (SELECT max(salience) FROM evidence WHERE fact = f.row),"
        " ifnull((SELECT hits FROM usage WHERE item = 2 * f.row + 1), 0)"
        " FROM json_each(?) i CROSS JOIN facts f ON f.id = i.value JOIN entities n ON n.row = f.subject"
        " JOIN evidence x ON x.row = (SELECT y.row FROM evidence y JOIN episodes d ON d.row = y.episode"
        " WHERE y.fact = f.row ORDER BY d.t_ref DESC, d.id DESC, y.span_begin DESC LIMIT 1)"
        " JOIN episodes e ON e.row = x.episode",
        (orjson.dumps(_named(payload)).decode(),),
    )
    order = {id: place for place, id in enumerate(_named(payload))}
    for (
        row, id, subject, predicate, object, polarity, tier, text, quote, begin, end, time_text, relation, cue,
        confidence, salience, route, said_at, valid_at, valid_to, claims, most, used,
    ) in sorted(rows, key=lambda row: order.get(row[1], len(order))):  # fmt: skip
        found = used + hits.get(2 * row + 1, 0)
        yield Target(
            fact=Fact(
                id=id, subject=subject, predicate=predicate, object=object, polarity=polarity, text=text, quote=quote,
                span=(begin, end), valid_at=valid_at, valid_to=valid_to, time_text=time_text, relation=relation,
                cue=cue, confidence=confidence, salience=salience, route=route,
            ),
            role=_role(kind, id, payload), tier=tier, said_at=said_at, claims=claims, hits=found,
            value=worth(most, said_at, found),
        )  # fmt: skip


def _named(payload: Mapping[str, Any]) -> list[str]:
    first = [payload["survivor"]] if "survivor" in payload else []
    return [*first, *(payload.get("duplicates") or payload.get("sources") or payload.get("facts") or ())]


def _role(
    kind: ProposalKind, id: str, payload: Mapping[str, Any]
) -> Literal["survivor", "duplicate", "source", "evicted"]:
    if kind == "merge":
        return "survivor" if id == payload["survivor"] else "duplicate"
    return "source" if kind == "summary" else "evicted"


# ----------------------------------------------------------------------------------------------------- deciding


def decide(
    db: Database,
    proposal: str,
    verdict: Verdict,
    edits: Mapping[str, Any],
    *,
    by: str,
    at: int,
    slot: str | None = None,
    vector: Vector | None = None,
) -> Outcome:
    """See `Store.decide`."""
    outcome = Outcome(proposal=proposal, verdict=verdict, outcome="unknown", status=None, message="")
    with db.joined():
        known = db.row(
            f"SELECT p.row, p.kind, p.payload, p.status, p.expires_at, p.decided_by, {_STALE} FROM proposals p"
            " WHERE p.id = ?",
            (proposal,),
        )
        if known is None:
            return replace(outcome, message="there is no such proposal")
        row, kind, payload, status, expires_at, decided_by, changed = known
        if status != "pending":
            whom = f" by {decided_by}" if decided_by else ""
            return replace(outcome, outcome="already_decided", status=status, message=f"it was {status}{whom} already")
        if expires_at <= at:
            _settle(db, row, "expired", at=at)
            return replace(outcome, outcome="expired", status="expired", message="nobody decided on it in time")
        if changed:
            _settle(db, row, "stale", at=at)
            return replace(outcome, outcome="stale", status="stale", message="one of its facts has changed since")
        found = orjson.loads(payload)
        if verdict == "edit":
            found, wrong = _edited(kind, found, edits)
            if wrong:
                return replace(outcome, outcome="invalid", status="pending", message=wrong)
        cause = {"proposal": proposal, "decided_by": by}
        facts: list[str] = []
        summary = None
        if verdict == "promote":
            facts = _named(found)
            promote(db, facts, at=at, cause=cause)
        elif verdict != "keep":
            if kind == "summary" and _exists(db, found):
                return replace(
                    outcome, outcome="invalid", status="pending", message="there is a fact of this wording already"
                )
            facts, summary = _apply(db, kind, found, at=no_earlier(db, at), cause=cause, slot=slot, vector=vector)
        _settle(db, row, _STATUS[verdict], at=at, by=by, decision=found if verdict == "edit" else None)
    done = {"approve": "done", "keep": "it stays as it is", "edit": "done as edited", "promote": "kept at hand"}[
        verdict
    ]
    return replace(
        outcome, outcome="applied", status=_STATUS[verdict], message=done, changed=tuple(facts), summary=summary
    )


def _settle(
    db: Database, row: int, status: str, *, at: int, by: str | None = None, decision: Mapping[str, Any] | None = None
) -> None:
    db.run(
        "UPDATE proposals SET status = ?, decided_at = ?, decided_by = ?, decision = ? WHERE row = ?",
        (status, at, by, None if decision is None else _json(decision), row),
    )


def _edited(
    kind: ProposalKind, payload: Mapping[str, Any], edits: Mapping[str, Any]
) -> tuple[Mapping[str, Any], str | None]:
    """The payload with the edits, or what is wrong with them."""
    allowed = {"merge": {"survivor"}, "summary": {"text"}, "eviction": set()}[kind]
    if not edits or set(edits) - allowed:
        can = " or ".join(sorted(allowed)) or "nothing"
        return payload, f"of a proposal of kind {kind}, {can} can be edited"
    [(name, value)] = edits.items()
    if not isinstance(value, str) or not value.strip():
        return payload, f"{name} must be a text"
    if name == "survivor":
        everyone = _named(payload)
        if value not in everyone:
            return payload, "the survivor must be one of its facts"
        return {**payload, "survivor": value, "duplicates": [id for id in everyone if id != value]}, None
    text = " ".join(value.split())
    return {**payload, "text": text, "object": text}, None


def _exists(db: Database, payload: Mapping[str, Any]) -> bool:
    return bool(db.rows("SELECT 1 FROM facts WHERE id = ?", (_summary_id(db, payload)[0],)))


def _apply(
    db: Database,
    kind: ProposalKind,
    payload: Mapping[str, Any],
    *,
    at: int,
    cause: Mapping[str, Any],
    slot: str | None,
    vector: Vector | None,
) -> tuple[list[str], str | None]:
    """Does it; the facts that moved, and the summary."""
    if kind == "merge":
        survivor = _row(db, payload["survivor"])
        for id in payload["duplicates"]:
            retire(db, _row(db, id), survivor, at=at, cause={"into": payload["survivor"], "route": "merge", **cause})
        return list(payload["duplicates"]), None
    if kind == "eviction":
        for id in payload["facts"]:
            move(db, _row(db, id), "cold")
            log(db, _row(db, id), "demoted", at=at, cause={"route": "value", **cause})
        return list(payload["facts"]), None
    if slot is None:
        raise ValueError("a summary needs the slot that it is placed in")
    id = _add_summary(db, payload, at=at, cause=cause, slot=slot, vector=vector)
    for source in payload["sources"]:
        move(db, _row(db, source), "cold")
        log(db, _row(db, source), "summarised", at=at, cause={"summary": id, **cause})
    return list(payload["sources"]), id


def _row(db: Database, id: str) -> int:
    row: int = db.value("SELECT row FROM facts WHERE id = ?", (id,))
    return row


def _summary_id(db: Database, payload: Mapping[str, Any]) -> tuple[str, int, str]:
    """Its id, its subject's row, and its predicate."""
    subject, name, predicate = db.rows(
        "SELECT f.subject, n.name, f.predicate FROM facts f JOIN entities n ON n.row = f.subject WHERE f.id = ?",
        (payload["sources"][0],),
    )[0]
    return fact_id(name, predicate, payload["object"]), subject, predicate


def _add_summary(
    db: Database, payload: Mapping[str, Any], *, at: int, cause: Mapping[str, Any], slot: str, vector: Vector | None
) -> str:
    """A fact of its own, derived from the words of its sources; it begins to hold now, so the past doesn't know it."""
    id, subject, predicate = _summary_id(db, payload)
    words = indexed_words(payload["text"])
    db.run(
        "INSERT INTO slots (key, revision) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET revision = revision + 1",
        (slot,),
    )
    row = db.insert(
        "INSERT INTO facts (id, slot, subject, predicate, object, polarity, text, tokens, recorded_at)"
        " VALUES (?, ?, ?, ?, ?, 'positive', ?, ?, ?)",
        (
            id,
            db.value("SELECT row FROM slots WHERE key = ?", (slot,)),
            subject,
            predicate,
            payload["object"],
            payload["text"],
            len(words),
            at,
        ),
    )
    for source in payload["sources"]:
        db.run(
            "INSERT INTO evidence (fact, episode, text, quote, span_begin, span_end, valid_at, relation, confidence,"
            " salience, route, extra, recorded_at) SELECT ?, episode, ?, quote, span_begin, span_end, ?, 'derives',"
            " confidence, salience, 'summary', '{}', ? FROM evidence WHERE fact = ? ORDER BY row DESC LIMIT 1"
            " ON CONFLICT DO NOTHING",
            (row, payload["text"], at, at, _row(db, source)),
        )
    db.run("INSERT INTO validity (fact, valid_at, recorded_at) VALUES (?, ?, ?)", (row, at, at))
    stand_on(db, row, [_row(db, source) for source in payload["sources"]], "summary", at)
    add_text(db, 2 * row + 1, words)
    expect_vector(db, 2 * row + 1)
    if vector is not None and fits(embedder(db), vector):
        put_vector(db, 2 * row + 1, vector)
    move_envelopes(db, [row])
    log(db, row, "asserted", at=at, cause={"route": "summary", **cause})
    return id


def _json(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode()
