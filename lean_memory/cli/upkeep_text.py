"""Maintenance as text for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from lean_memory.cli.plain import plain
from lean_memory.instants import format_instant
from lean_memory.upkeep import Checked, Copy, Encryption, Erasure, Promotion, Proposal, Removal, Report, Status

__all__ = ["lines"]

_SHOWN = 20
_DONE = ("retired", "evicted", "proposed", "expired", "stale", "deferred")


def lines(record: Report | Status | Checked | Copy | Encryption | Erasure | Promotion | Removal) -> Iterator[str]:
    """The record in a few lines."""
    return map(plain, _lines(record))


def _lines(record: Report | Status | Checked | Copy | Encryption | Erasure | Promotion | Removal) -> Iterator[str]:
    match record:
        case Report():
            yield from _report(record)
        case Status():
            yield from _status(record)
        case Checked():
            yield f"{record.namespace}: {'sound' if not record.wrong else 'damaged'}"
            yield from (f"  {line}" for line in record.wrong)
        case Copy():
            yield f"{record.namespace}: {record.facts} facts and {record.episodes} episodes copied to {record.path}"
        case Promotion():
            yield f"{record.namespace}: {len(record.facts)} facts are back at hand"
        case Encryption():
            state = "encrypted" if record.encrypted else "not encrypted"
            yield f"{record.namespace}: {state}" + ("" if record.changed else " already")
        case Removal():
            yield f"{record.namespace}: removed {', '.join(record.files)}"
        case Erasure():
            yield (
                f"{record.namespace}: erased {record.facts} facts, {record.episodes} episodes, {record.summaries}"
                f" summaries and {record.proposals} proposals; {record.redacted} episodes are blacked out in part"
            )
            found = "nothing of it is left" if not record.remains else f"it still stands in {record.remains} places"
            yield f"  searched {record.scanned} bytes of the file: {found}"


def _report(report: Report) -> Iterator[str]:
    told = ", ".join(f"{report.counts[name]} {name}" for name in _DONE if report.counts.get(name))
    ending = {
        "nothing": "nothing to do",
        "not_due": "not due",
        "unproved": "an answer about the past would have changed: all is as it was",
    }.get(report.status, told or "nothing to do")
    yield f"{report.namespace}: {ending}" + ("" if report.applied or report.status != "done" else " (not written)")
    yield from (f"  {reason}" for reason in report.reasons)
    if report.proved is not None and report.status != "unproved":
        yield f"  {report.proved} answers about the past compared: none would change"
    yield from (f"  differs: {question}" for question in report.differing[:_SHOWN])
    for action in report.actions[:_SHOWN]:
        yield f"  {action.action:<8} {action.text}"
    for proposal in report.proposals[:_SHOWN]:
        yield f"  {proposal.kind:<8} {_told(proposal)}"
    more = len(report.actions[_SHOWN:]) + len(report.proposals[_SHOWN:])
    if more:
        yield f"  and {more} more, see --json"
    if not report.applied and report.status == "done":
        yield "  Do it with --apply."


def _told(proposal: Proposal) -> str:
    if proposal.kind == "summary":
        return str(proposal.payload["text"])
    return " = ".join(target.fact.text for target in proposal.targets)


def _status(status: Status) -> Iterator[str]:
    yield (
        f"{status.namespace}: {status.hot} facts at hand, {status.cold} in the cold tier, {status.summaries} summaries,"
        f" {status.episodes} episodes"
    )
    if status.pending:
        until = "" if status.expires_next is None else f", the first until {format_instant(status.expires_next)[:10]}"
        yield f"  {status.pending} proposals wait for a decision{until}"
    yield f"  {'due: ' + ', '.join(status.reasons) if status.due else 'not due'}"
    if status.holder:
        yield f"  a run is on: {status.holder}"
    for run in status.runs:
        told = ", ".join(f"{run.counts[name]} {name}" for name in _DONE if run.counts.get(name)) or "nothing"
        yield f"  {format_instant(run.started_at)[:16].replace('T', ' ')}  {run.status:<9}  {run.trigger:<8}  {told}"
