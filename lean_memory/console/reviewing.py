"""The Review page: the queue by entity, decisions, and runs of maintenance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from lean_memory.console.asked import Asked
from lean_memory.console.render import render
from lean_memory.errors import UsageError
from lean_memory.upkeep import Outcome, Proposal, ProposalStatus, Report
from lean_memory.wire import Object, decode_decision

__all__ = ["decide", "maintain", "queue"]

_MOST = 1000
"""Decisions in one request."""

_SHOWN = 1000
"""Proposals on one page; no more than 50 wait at a time, but those decided on add up."""


def queue(asked: Asked) -> str:
    """The page. `status=any` in the query shows what was decided too."""
    decided = asked.query.get("status") == "any"
    found: list[Proposal] = []
    if asked.namespace:
        status: ProposalStatus | None = None if decided else "pending"
        found = asked.memory.proposals(asked.namespace, status=status, limit=_SHOWN + 1)
    found, more = found[:_SHOWN], len(found) > _SHOWN
    waiting = [one for one in found if one.status == "pending"]
    groups = [(entity, list(group)) for entity, group in groupby(found, key=lambda one: one.entity)]
    return render(
        "review.html",
        asked.words,
        **asked.frame(
            "review",
            groups=groups,
            waiting=len(waiting),
            expires=min((one.expires_at for one in waiting), default=None),
            decided=decided,
            more=_SHOWN if more else 0,
        ),
    )


def decide(asked: Asked, body: Object) -> str:
    """Carries decisions out; the cards as they are now, each with its outcome, and a sentence that sums them up.

    A long batch comes in several requests: `done` is how many were carried out before, `of` how many there are in all.
    """
    wanted = body.get("decisions")
    if not isinstance(wanted, list) or not 0 < len(wanted) <= _MOST or not all(isinstance(one, dict) for one in wanted):
        raise UsageError(f"field 'decisions' must be a list of 1 to {_MOST} objects", code="bad_field")
    before, of = (body.get(name, 0) for name in ("done", "of"))
    if type(before) is not int or type(of) is not int:
        raise UsageError("fields 'done' and 'of' must be integers", code="bad_field")
    outcomes = asked.memory.decide(asked.namespace, [decode_decision(one) for one in wanted], by=asked.by)
    cards = [(outcome, _after(asked, outcome), _told(asked, outcome)) for outcome in outcomes]
    done, count = before + sum(outcome.outcome == "applied" for outcome in outcomes), max(of, len(cards))
    summary = cards[0][2] if count == 1 else asked.words.say("outcome.several", done=done, count=count)
    return render("decided.html", asked.words, cards=cards, summary=summary, namespace=asked.namespace)


def _after(asked: Asked, outcome: Outcome) -> Proposal | None:
    """The proposal as it is now, if there is one."""
    try:
        return asked.memory.proposal(asked.namespace, outcome.proposal)
    except UsageError:
        return None


def _told(asked: Asked, outcome: Outcome) -> str:
    status = asked.words.say(f"status.{outcome.status}") if outcome.status else ""
    return asked.words.say(f"outcome.{outcome.outcome}", status=status, message=outcome.message)


def maintain(asked: Asked, body: Object) -> str:
    """A run, or with `apply` not true what one would do."""
    apply = body.get("apply", False)
    if not isinstance(apply, bool):
        raise UsageError("field 'apply' must be true or false", code="bad_field")
    report = asked.memory.maintain(asked.namespace, apply=apply, trigger="console")
    return render("report.html", asked.words, report=report, lines=_lines(report), namespace=asked.namespace)


def _lines(report: Report) -> Sequence[tuple[str, Any]]:
    """What there is to count."""
    names = ("retired", "evicted", "proposed", "expired", "stale", "deferred")
    return [(name, report.counts[name]) for name in names if report.counts.get(name)]
