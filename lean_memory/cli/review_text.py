"""Proposals and what was decided, as text for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from lean_memory.cli.plain import plain
from lean_memory.instants import format_instant
from lean_memory.upkeep import Outcome, Proposal, Target

__all__ = ["heading", "listed", "outcome_line", "proposal_lines", "short"]

_KINDS = {"merge": "near-duplicates", "summary": "summary", "eviction": "eviction"}
_ROLES = {"survivor": "stays", "duplicate": "goes", "source": "source", "evicted": "goes"}
_PARTS = ("salience", "recency", "use")


def listed(proposals: Iterable[Proposal]) -> Iterator[str]:
    """All of them, under their memory and entity."""
    for (namespace, entity), group in groupby(proposals, key=lambda one: (one.namespace, one.entity)):
        found = list(group)
        yield f"{plain(namespace)}: {plain(entity)} ({len(found)})"
        for proposal in found:
            yield f"  {short(proposal.id)}  {heading(proposal)}"
            yield from (f"    {line}" for line in proposal_lines(proposal))


def heading(proposal: Proposal) -> str:
    """What kind it is, and how it stands if it no longer waits."""
    kind = _KINDS[proposal.kind]
    if proposal.status == "pending":
        return f"{kind}, until {format_instant(proposal.expires_at)[:10]}"
    by = f" by {plain(proposal.decided_by)}" if proposal.decided_by else ""
    at = f" on {format_instant(proposal.decided_at)[:10]}" if proposal.decided_at is not None else ""
    return f"{kind}, {proposal.status}{by}{at}"


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """What it would do, to which facts, and why."""
    payload = proposal.payload if proposal.decision is None else proposal.decision
    if proposal.kind == "summary":
        yield f"= {plain(str(payload['text']))}"
    for target in proposal.targets:
        role = _ROLES[target.role]
        if proposal.kind == "merge":
            role = "stays" if target.fact.id == payload["survivor"] else "goes"
        yield f"{role:<6} {plain(target.fact.text)}"
        yield f"       {_origin(target)}"
    yield f"why: {_why(proposal)}"


def _origin(target: Target) -> str:
    said = "?" if target.said_at is None else format_instant(target.said_at)[:10]
    often = "" if target.claims == 1 else f", said {target.claims} times"
    return f'{said}{often}, found {target.hits} times: "{plain(target.fact.quote)}"'


def _why(proposal: Proposal) -> str:
    evidence = proposal.evidence
    if proposal.kind == "eviction":
        parts = ", ".join(f"{name} {evidence[name]:.2f}" for name in _PARTS if name in evidence)
        return f"its worth is {evidence['value']:.2f}: {parts}"
    if proposal.kind == "merge":
        measured = (f"{name} {evidence[name]:.2f}" for name in ("overlap", "cosine") if name in evidence)
        return ", ".join([plain(str(evidence.get("why", ""))), *measured])
    return (
        f"{evidence['facts']} facts last said {evidence['youngest_days']} to {evidence['oldest_days']} days ago,"
        f" worth {evidence['value_min']:.2f} to {evidence['value_max']:.2f}; in the words of"
        f" {plain(str(evidence.get('written_by', '')))}"
    )


def outcome_line(outcome: Outcome) -> str:
    """`1a2b3c4d  approve  applied: done`."""
    became = outcome.outcome.replace("_", " ")
    return plain(f"{short(outcome.proposal)}  {outcome.verdict:<7}  {became}: {outcome.message}")


def short(id: str) -> str:
    """The beginning of an id, as people type it."""
    return plain(id)[:8]
