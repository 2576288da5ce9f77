"""What maintenance and review exchange: proposals, decisions, what became of them, and the reports of runs.

Frozen values as in `records`: times are milliseconds since the epoch, ids are content-derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from lean_memory.records import Fact, Polarity

__all__ = [
    "KINDS",
    "STATUSES",
    "VERDICTS",
    "Action",
    "Checked",
    "Copy",
    "Decision",
    "Draft",
    "Encryption",
    "Erased",
    "Erasure",
    "Eviction",
    "Outcome",
    "Plan",
    "Promotion",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Removal",
    "Report",
    "Retirement",
    "Run",
    "Standing",
    "Status",
    "Target",
    "Verdict",
]

ProposalKind = Literal["merge", "summary", "eviction"]
ProposalStatus = Literal["pending", "approved", "kept", "edited", "promoted", "expired", "stale"]
Verdict = Literal["approve", "keep", "edit", "promote"]

KINDS: tuple[ProposalKind, ...] = get_args(ProposalKind)
STATUSES: tuple[ProposalStatus, ...] = get_args(ProposalStatus)
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One fact that a proposal would change, as it is now.

    `role`: `survivor` stays and `duplicate` is retired into it (merge); `source` goes to the cold tier behind the
    summary; `evicted` goes to the cold tier. `said_at` is when it was last said, `claims` how often, `hits` how many
    searches found it, `value` its worth in [0, 1].
    """

    fact: Fact
    role: Literal["survivor", "duplicate", "source", "evicted"]
    tier: Literal["hot", "cold"]
    said_at: int | None
    claims: int
    hits: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A change that maintenance would make and a person has to decide on.

    `entity` is whom or what it is about. `payload` is what approving does: {"survivor", "duplicates"} of a merge,
    {"text", "object", "sources"} of a summary, {"facts"} of an eviction; the ids are those of `targets`. `evidence`
    is why: flat, its values are numbers and strings. An unreviewed one expires at `expires_at` and is then never
    applied. `decision` is the payload as edited, if it was.
    """

    id: str
    kind: ProposalKind
    entity: str
    namespace: str
    targets: tuple[Target, ...]
    payload: Mapping[str, Any]
    evidence: Mapping[str, Any]
    status: ProposalStatus
    created_at: int
    expires_at: int
    decided_at: int | None = None
    decided_by: str | None = None
    decision: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What somebody decides on a proposal.

    `approve` does it. `keep` leaves everything as it is and is remembered: it is not proposed again. `edit` does it
    with what `edits` replaces in the payload: {"text"} of a summary, {"survivor"} of a merge. `promote` keeps its
    facts in the hot tier from now on: maintenance neither evicts nor summarises them.
    """

    proposal: str
    verdict: Verdict
    edits: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a decision.

    `applied`: done, and `changed` are the facts whose place changed, `summary` the new one's id. `already_decided`:
    `status` says how; nothing was done. `stale`: a target changed since; `expired`: too late; `unknown`: there is no
    such proposal; `invalid`: the edits don't fit it, it is still pending. `message` says so to a person.
    """

    proposal: str
    verdict: Verdict
    outcome: Literal["applied", "already_decided", "stale", "expired", "unknown", "invalid"]
    status: ProposalStatus | None
    message: str
    changed: tuple[str, ...] = ()
    summary: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something a run does by itself: `retire` a fact into its exact duplicate `into`, or `evict` it."""

    action: Literal["retire", "evict"]
    fact: str
    text: str
    into: str | None = None
    value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one run did, or with `applied` False would do.

    `status`: `done`; `nothing` to do, and nothing was written; `not_due`; `unproved`, an answer about the past would
    have changed, and all was rolled back. `counts` has `retired`, `evicted`, `proposed`, `expired`, `stale`,
    `deferred` (beyond the budget). `proved` is how many answers were compared, `differing` which of them changed.
    """

    namespace: str
    run: str | None
    trigger: str
    applied: bool
    status: Literal["done", "nothing", "not_due", "unproved"]
    at: int
    counts: Mapping[str, int]
    actions: tuple[Action, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    reasons: tuple[str, ...] = ()
    proved: int | None = None
    differing: tuple[str, ...] = ()
    config: str = ""
    duration_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One entry of the ledger of runs. `status`: `running` (or killed), `done`, `abandoned`."""

    id: str
    trigger: str
    status: str
    config: str
    started_at: int
    ended_at: int | None
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How a namespace stands. `since` counts what came after the last run: facts, their salience, and days."""

    namespace: str
    episodes: int
    hot: int
    cold: int
    summaries: int
    pending: int
    expires_next: int | None
    due: bool
    reasons: tuple[str, ...]
    since: Mapping[str, float]
    runs: tuple[Run, ...]
    holder: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A verified backup."""

    namespace: str
    path: str
    bytes: int
    facts: int
    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The receipt of forgetting: numbers alone, none of what was forgotten. `remains` are places in the file where
    its bytes were still found: 0 when it is gone."""

    namespace: str
    at: int
    facts: int
    episodes: int
    redacted: int
    summaries: int
    proposals: int
    scanned: int
    remains: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is wrong with a namespace's file, in words; nothing if it is sound."""

    namespace: str
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The names of the files that a namespace had."""

    namespace: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Encryption:
    """How a namespace's file is now, and whether that is new."""

    namespace: str
    encrypted: bool
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """The facts (ids) that came back from the cold tier."""

    namespace: str
    facts: tuple[str, ...]


@dataclass(slots=True)
class Erased:
    """How much an erasure took, the slots that lost a claim, and what must not be found in the file any more."""

    facts: int = 0
    episodes: int = 0
    redacted: int = 0
    summaries: int = 0
    proposals: int = 0
    slots: list[str] = field(default_factory=list)
    needles: list[str] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A hot fact that holds now and has no end yet, as maintenance judges it.

    `subject` is its `name_key`, `name` the spelling shown. `said_at` is when it was last said, `since` when it began
    (None: unknown), `recorded_at` when the memory first heard it. `salience` is the highest of its claims. `revision`
    is its slot's. `pinned`: somebody promoted it. `proposed`: a proposal about it waits.
    """

    id: str
    subject: str
    name: str
    predicate: str
    object: str
    polarity: Polarity
    text: str
    revision: int
    since: int | None
    said_at: int
    recorded_at: int
    salience: float
    claims: int = 1
    hits: int = 0
    pinned: bool = False
    summary: bool = False
    proposed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A proposal before it is staged: `targets` are the facts' ids and the revisions of their slots."""

    id: str
    kind: ProposalKind
    entity: str
    targets: tuple[tuple[str, int], ...]
    payload: Mapping[str, Any]
    evidence: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """An exact duplicate to retire into its survivor, if both are as they were."""

    fact: str
    text: str
    revision: int
    into: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Eviction:
    """A fact to move to the cold tier, if it is as it was."""

    fact: str
    text: str
    revision: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a run would do. `deferred` is how many proposals the budget leaves for the next run."""

    retirements: tuple[Retirement, ...] = ()
    evictions: tuple[Eviction, ...] = ()
    drafts: tuple[Draft, ...] = ()
    deferred: int = 0

    def __bool__(self) -> bool:
        return bool(self.retirements or self.evictions or self.drafts)
