"""Records as text for a model or a person. Stored words in it have passed the fence's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.fence import block, inline

if TYPE_CHECKING:
    from lean_memory.records import Change, Difference, Fact, Hit
    from lean_memory.upkeep import Outcome, Proposal, Report, Status, Target

__all__ = ["change", "difference", "fact", "hits", "outcome", "proposals", "report", "stands", "status", "validity"]

_SHOWN = 40
_DONE = ("retired", "evicted", "proposed", "expired", "stale", "deferred")
_APPROVING = {
    "survivor": "stays",
    "duplicate": "is retired into the one that stays",
    "source": "goes behind the summary",
    "evicted": "goes to the cold tier",
}


def validity(call: Call, fact: Fact) -> str:
    """When a fact holds or held: `since ..`, `from .. to .., ended`."""
    now = call.memory.now()
    start = "an unknown time" if fact.valid_at is None else call.day(fact.valid_at)
    if fact.valid_to is not None:
        ended = ", ended" if fact.valid_to <= now else ""
        return f"from {start} to {call.day(fact.valid_to)}{ended}"
    if fact.valid_at is not None and fact.valid_at > now:
        return f"from {start} on, not yet"
    return f"since {start}"


def fact(call: Call, fact: Fact) -> str:
    """A fact with when it holds, in one line."""
    return f"{inline(fact.text)} ({validity(call, fact)})"


def stands(call: Call, told: Fact, now: Callable[[Fact], Fact | None]) -> str:
    """A fact as it stands now; one that is believed no more says so."""
    found = now(told)
    return fact(call, found) if found else f"{inline(told.text)} (withdrawn)"


def hits(call: Call, found: Iterable[Hit]) -> Iterator[str]:
    """Each hit with what it is, when it holds or was said, by whom, and the words that say it."""
    for hit in found:
        number = f"{hit.rank}. " if hit.rank is not None else "- "
        yield f"{number}{block(hit.text)}"
        notes = [hit.kind, *([validity(call, hit.fact)] if hit.fact else [])]
        if hit.t_ref is not None:
            notes.append(f"said {call.minute(hit.t_ref)}")
        notes.append(f"by {inline(hit.speaker) if hit.speaker else 'user'}")
        if hit.fact is not None and hit.fact.quote != hit.text:
            notes.append(f'"{inline(hit.fact.quote)}"')
        yield f"   {' · '.join([*notes, f'id {hit.id}'])}"


def change(call: Call, entry: Change, now: Callable[[Fact], Fact | None]) -> Iterator[str]:
    """One entry of the log, and below it the words that caused it. `now` gives the fact as it stands, so that one that
    has ended says so in its first entry too."""
    what = entry.fact if entry.told is None else stands(call, entry.told, now)
    yield f"{call.minute(entry.at)}  {entry.action}  {what} · id {entry.fact}"
    if entry.quote:
        said = f", said {call.day(entry.said_at)}" if entry.said_at is not None else ""
        yield f'   because of "{inline(entry.quote)}"{said}'


def difference(call: Call, entry: Difference) -> Iterator[str]:
    """`+` what is new, `-` what is no longer so and why, and below it the words behind it."""
    line = f"{'+' if entry.action == 'added' else '-'} {fact(call, entry.fact)}"
    if entry.action != "added":
        line += f", {entry.action}" + (f" by: {inline(entry.by)}" if entry.by else "")
    yield line
    if entry.quote:
        yield f'   "{inline(entry.quote)}"'


# ----------------------------------------------------------------------------------------- maintenance


def status(call: Call, found: Status) -> Iterator[str]:
    """How a memory stands."""
    yield (
        f"{inline(found.namespace)}: {found.hot} facts at hand, {found.cold} in the cold tier,"
        f" {found.summaries} summaries, {found.episodes} episodes"
    )
    if found.pending:
        until = "" if found.expires_next is None else f"; the first expires on {call.day(found.expires_next)}"
        yield f"{found.pending} proposals wait for a decision{until}"
    yield f"maintenance is due: {', '.join(found.reasons)}" if found.due else "maintenance is not due"
    if found.holder:
        yield f"a run is on: {inline(found.holder)}"
    for run in found.runs:
        yield f"{call.minute(run.started_at)}  {run.status}  {inline(run.trigger)}  {_counted(run.counts) or 'nothing'}"


def report(call: Call, found: Report) -> Iterator[str]:
    """What a run did or would do."""
    ending = {
        "nothing": "nothing to do",
        "not_due": "not due",
        "unproved": "an answer about the past would have changed, so all is as it was: please report this fault",
    }.get(found.status, _counted(found.counts) or "nothing to do")
    dry = found.status == "done" and not found.applied
    yield f"{inline(found.namespace)}: {ending}" + (" (dry run: nothing is written)" if dry else "")
    if found.proved is not None and found.status != "unproved":
        yield f"{found.proved} answers about the past compared: none would change"
    for action in found.actions[:_SHOWN]:
        yield f"{action.action}  {inline(action.text)}"
    for proposal in found.proposals[:_SHOWN]:
        yield f"propose {proposal.kind}  {_proposed(proposal)}"
    more = len(found.actions[_SHOWN:]) + len(found.proposals[_SHOWN:])
    if more:
        yield f"and {more} more"


def proposals(call: Call, queue: Iterable[Proposal]) -> Iterator[str]:
    """The queue by entity, each with what approving does and the evidence."""
    entity = None
    for proposal in queue:
        if proposal.entity != entity:
            entity = proposal.entity
            yield f"About {inline(entity)}:"
        state = f"expires {call.day(proposal.expires_at)}" if proposal.status == "pending" else proposal.status
        yield f"- {proposal.kind}: {_proposed(proposal)}"
        yield f"   proposal {proposal.id} · {state}"
        for target in proposal.targets:
            yield f"   {_target(call, target)}"
        why = ", ".join(_evidence(name, value) for name, value in proposal.evidence.items())
        yield f"   evidence: {why or 'none is recorded'}"


def outcome(found: Outcome) -> str:
    """What became of one decision."""
    return f"{found.outcome}: {found.verdict} of proposal {inline(found.proposal)}: {inline(found.message)}"


def _target(call: Call, target: Target) -> str:
    said = f", last said {call.day(target.said_at)}" if target.said_at is not None else ""
    return (
        f"{fact(call, target.fact)} {_APPROVING[target.role]}: said {_times(target.claims)}{said},"
        f" found by searches {_times(target.hits)}, worth {target.value:.2f} · id {target.fact.id}"
    )


def _proposed(proposal: Proposal) -> str:
    if proposal.kind == "summary":
        return f"put {len(proposal.targets)} facts behind the summary: {inline(str(proposal.payload['text']))}"
    if proposal.kind == "merge":
        return "these say the same: " + " = ".join(inline(target.fact.text) for target in proposal.targets)
    return "nobody needs: " + "; ".join(inline(target.fact.text) for target in proposal.targets)


def _counted(counts: object) -> str:
    found = dict(counts) if isinstance(counts, dict) else {}
    return ", ".join(f"{found[name]} {name}" for name in _DONE if found.get(name))


def _evidence(name: str, value: object) -> str:
    shown = inline(f"{value:g}" if isinstance(value, float) else str(value))
    return shown if name == "why" else f"{inline(name)} {shown}"


def _times(count: int) -> str:
    return ("never", "once")[count] if count < 2 else f"{count} times"
