"""Sleep-time maintenance and review, composed: plan without a lock, then apply under a lease, in small transactions.

Theory of operation. A run reads what stands, plans (`maintain`, pure), and writes nothing if the plan is empty. Else
it takes the lease, makes an entry in the ledger and applies the plan in batches, each one transaction that
holds only while the lease does and skips what is no more as planned. So a run that is killed anywhere leaves a
consistent file, and the next one takes its entry up: what is left to plan is what was left to do.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from lean_memory.claims import View
from lean_memory.errors import BackendUnavailable, LeanMemoryError, UsageError
from lean_memory.maintain import Policy, answered, due, make_plan, moments, probes, prompt, value, with_text
from lean_memory.maintain.summaries import SCHEMA
from lean_memory.names import content_id
from lean_memory.upkeep import (
    Action,
    Decision,
    Draft,
    Erasure,
    Outcome,
    Plan,
    Proposal,
    Report,
    Status,
)
from lean_memory.wire import encode
from lean_memory.words import query_terms

if TYPE_CHECKING:
    from lean_memory.candidates import Generator
    from lean_memory.records import Vector
    from lean_memory.resolve import Rules
    from lean_memory.store.port import Store

__all__ = ["Keeper"]

_BATCH: Final = 200
"""Facts moved in one transaction: a writer waits no longer for it than it takes."""

_BEAT: Final = 15.0
"""Seconds between heartbeats."""

_RUNS: Final = 10

_MOMENTS: Final = 6
_LARGE: Final = 20_000  # facts and episodes, beyond which a proof looks at half as many moments

_Item = TypeVar("_Item")


class Opener(Protocol):
    """Opens a namespace's store anew, or gives the one that is open."""

    def __call__(self, namespace: str, *, write: bool = False, fresh: bool = False) -> Store: ...


class Unproved(Exception):
    """Of the answers `asked` for, those `differing` would have changed."""

    def __init__(self, asked: int, differing: Sequence[str]) -> None:
        super().__init__(f"{len(differing)} of {asked} answers differ")
        self.asked = asked
        self.differing = tuple(differing)


class _Rehearsed(Exception):
    """The end of a rehearsal: what was written is rolled back on purpose."""


class Keeper:
    """Maintains the namespaces that `opener` opens. `clock` gives the present in milliseconds."""

    def __init__(
        self,
        opener: Opener,
        rules: Callable[[], Rules],
        clock: Callable[[], int],
        *,
        policy: Policy | None = None,
        generator: Callable[[], Generator | None] = lambda: None,
        embed: Callable[[Store, str], Vector | None] = lambda store, text: None,
    ) -> None:
        self._open = opener
        self._rules = rules
        self._clock = clock
        self._policy = policy or Policy()
        self._generator = generator
        self._embed = embed

    # ------------------------------------------------------------------------------------------------- runs

    def run(
        self,
        namespace: str,
        *,
        apply: bool,
        auto_only: bool,
        prove: bool,
        if_due: bool,
        trigger: str,
        now: int | None,
    ) -> Report:
        """See `Memory.maintain`."""
        started, at = self._clock(), self._clock() if now is None else now
        store = self._open(namespace)
        config = self._policy.hash()
        reasons: list[str] = []

        def report(**fields: Any) -> Report:
            return Report(
                namespace=namespace, trigger=trigger, at=at, config=config, reasons=tuple(reasons),
                duration_ms=self._clock() - started,
                **{"run": None, "applied": False, "counts": {}, **fields},
            )  # fmt: skip

        if if_due:
            reasons += self.status(namespace, now=at).reasons
            if not reasons:
                return report(status="not_due")
        cut = store.unfinished(config) if apply else None
        plan = self._plan(store, at, auto_only=auto_only)
        plan = self._written(plan, store, at, reasons)
        over = store.over(at)
        if not plan and not any(over.values()) and cut is None:
            return report(status="nothing", counts=_counts(plan, over), proved=0 if prove else None)
        shown: dict[str, Any] = {"actions": _actions(plan), "counts": _counts(plan, over)}
        if not apply and not prove:
            return report(status="done", proposals=self._drafted(plan, store, at), **shown)
        proof = _Proof(store, at) if prove else None
        run = cut[0] if cut else content_id("run", namespace, at, trigger, len(store.runs(-1)))
        work = _Work(plan=plan, run=run, at=at, trigger=trigger, resumed=cut is not None, began=started)
        try:
            if proof is not None:
                counts = self._prove(namespace, work, proof, apply=apply)
            else:
                counts = self._apply(namespace, work)
        except Unproved as found:
            return report(status="unproved", proved=found.asked, differing=found.differing, **shown)
        proved = proof.asked if proof else None
        if not apply:
            return report(status="done", proposals=self._drafted(plan, store, at), proved=proved, **shown)
        shown["counts"] = {**_counts(plan, over), **counts}
        staged = {draft.id for draft in plan.drafts}
        proposals = tuple(one for one in self.proposals(namespace, now=at) if one.id in staged)
        return report(status="done", run=run, applied=True, proposals=proposals, proved=proved, **shown)

    def _plan(self, store: Store, at: int, *, auto_only: bool) -> Plan:
        with store.snapshot():
            room = max(0, self._policy.budget - store.waiting(at))
            return make_plan(
                store.standing(at),
                now=at,
                policy=self._policy,
                rules=self._rules(),
                roles=store.roles(),
                cosines=store.cosines_of,
                declined=store.declined(),
                staged=store.staged(),
                budget=0 if auto_only else room,
            )

    def _written(self, plan: Plan, store: Store, at: int, reasons: list[str]) -> Plan:
        """The plan with summaries in a language model's words, where one is asked for; before any lock is taken. If it
        can't be had, the summaries are left for another night, and `reasons` says why."""
        summaries = [draft for draft in plan.drafts if draft.kind == "summary"]
        if not summaries:
            return plan
        texts = {fact.id: fact.text for fact in store.standing(at)}
        written: dict[str, Draft] = {}
        try:
            if (generator := self._generator()) is None:
                return plan
            for draft in summaries:
                told = [texts[id] for id in draft.payload["sources"] if id in texts]
                text = answered(generator.generate(prompt(told), SCHEMA), told)
                written[draft.id] = draft if text is None else with_text(draft, text, generator.name)
        except BackendUnavailable as error:
            reasons.append(f"{len(summaries)} summaries wait: {error.message}")
            rest = tuple(draft for draft in plan.drafts if draft.kind != "summary")
            return replace(plan, drafts=rest, deferred=plan.deferred + len(summaries))
        return replace(plan, drafts=tuple(written.get(draft.id, draft) for draft in plan.drafts))

    def _apply(self, namespace: str, work: _Work) -> Mapping[str, int]:
        """Under the lease, in small transactions."""
        store = self._open(namespace, write=True)
        holder = store.me()
        with store.transaction():
            store.acquire(holder)
            if not work.resumed:
                self._begin(store, work)
        try:
            with self._beating(namespace, holder):
                counts = self._steps(store, work, holder, store.transaction)
        finally:
            store.release(holder)
        store.drop_folded_usage()
        return counts

    def _prove(self, namespace: str, work: _Work, proof: _Proof, *, apply: bool) -> Mapping[str, int]:
        """All in one transaction, which is rolled back where an answer differs, and where it is but a rehearsal.

        Raises:
            Unproved: an answer differs.
        """
        store = self._open(namespace, write=True)
        holder = store.me()
        counts: Mapping[str, int] = {}
        try:
            with store.transaction():
                store.acquire(holder)
                if not work.resumed:
                    self._begin(store, work)
                proof.before(store)
                counts = self._steps(store, work, holder, nullcontext)
                proof.after(store)
                if not apply:
                    raise _Rehearsed
                store.release(holder)
        except _Rehearsed:
            return counts
        store.drop_folded_usage()
        return counts

    def _begin(self, store: Store, work: _Work) -> None:
        store.begin_run(work.run, trigger=work.trigger, config=self._policy.hash(), at=work.at)

    def _steps(
        self, store: Store, work: _Work, holder: str, within: Callable[[], AbstractContextManager[None]]
    ) -> Mapping[str, int]:
        """The plan, batch by batch, each `within` a transaction in which the lease is still held."""
        plan, run, at = work.plan, work.run, work.at
        counts: dict[str, int] = {"deferred": plan.deferred}
        steps: list[Callable[[], object]] = [lambda: counts.update(store.close_over(at))]
        steps += [partial(store.retire, batch, run=run, at=at) for batch in _batches(plan.retirements)]
        steps += [partial(store.evict, batch, run=run, at=at) for batch in _batches(plan.evictions)]
        expires_at = self._expiry(at)
        steps += [partial(store.stage, batch, run=run, at=at, expires_at=expires_at) for batch in _batches(plan.drafts)]
        steps.append(lambda: counts.update(store.end_run(run, at=at + self._clock() - work.began, counts=counts)))
        for step in steps:
            with within():
                store.still_mine(holder)
                step()
        return counts

    @contextmanager
    def _beating(self, namespace: str, holder: str) -> Iterator[None]:
        """Heartbeats from a thread with a connection of its own, as this one is busy."""
        over = threading.Event()

        def beat() -> None:
            while not over.wait(_BEAT):
                try:
                    other = self._open(namespace, write=True, fresh=True)
                    try:
                        other.beat(holder)
                    finally:
                        other.close()
                except LeanMemoryError:  # the file is busy: with this run, then
                    continue

        thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    # ----------------------------------------------------------------------------------------------- review

    def status(self, namespace: str, *, now: int | None = None) -> Status:
        """See `Memory.maintenance_status`."""
        at = self._clock() if now is None else now
        store = self._open(namespace)
        with store.snapshot():
            ledger = store.runs(_RUNS)
            ended = [(cursor, run) for cursor, run in ledger if run.status == "done"]
            cursor, began = (ended[0][0], ended[0][1].started_at) if ended else (0, at)
            facts, salience = store.since(cursor)
            waiting = store.proposals(self._worth(at), now=at, status="pending")
            tally = store.tally()
        since = {"facts": float(facts), "salience": salience, "days": max(0, at - began) / 86_400_000}
        reasons = due(since, self._policy, ran=bool(ended))
        return Status(
            namespace=namespace, episodes=tally["episodes"], hot=tally["hot"], cold=tally["cold"],
            summaries=tally["summaries"], pending=len(waiting),
            expires_next=min((proposal.expires_at for proposal in waiting), default=None), due=bool(reasons),
            reasons=tuple(reasons), since=since, runs=tuple(run for _, run in ledger), holder=store.holder(),
        )  # fmt: skip

    def proposals(
        self,
        namespace: str,
        *,
        status: str | None = "pending",
        kind: str | None = None,
        entity: str | None = None,
        limit: int | None = None,
        now: int | None = None,
    ) -> list[Proposal]:
        """See `Memory.proposals`."""
        at = self._clock() if now is None else now
        return self._open(namespace).proposals(
            self._worth(at), now=at, status=status, kind=kind, entity=entity, limit=limit
        )

    def proposal(self, namespace: str, id: str, *, now: int | None = None) -> Proposal:
        """See `Memory.proposal`."""
        at = self._clock() if now is None else now
        found = self._open(namespace).proposals(self._worth(at), now=at, id=id)
        if not found:
            raise UsageError(
                f"{namespace} has no proposal {id}", hint="run maintenance first, or list them", code="no_proposal"
            )
        return found[0]

    def decide(
        self, namespace: str, decisions: Iterable[Decision], *, by: str, now: int | None = None
    ) -> list[Outcome]:
        """See `Memory.decide`."""
        at = self._clock() if now is None else now
        store = self._open(namespace, write=True)
        outcomes = []
        for decision in decisions:
            slot, vector = self._summary_of(store, decision, at)
            outcome = store.decide(
                decision.proposal, decision.verdict, decision.edits, by=by, at=at, slot=slot, vector=vector
            )
            outcomes.append(replace(outcome, extra=decision.extra))
        return outcomes

    def _summary_of(self, store: Store, decision: Decision, at: int) -> tuple[str | None, Vector | None]:
        """The slot and the vector of the summary that the decision would make; no model is called in a transaction."""
        from lean_memory.resolve import slot_key

        if decision.verdict not in ("approve", "edit"):
            return None, None
        known = store.proposals(self._worth(at), now=at, id=decision.proposal, status="pending", kind="summary")
        if not known:
            return None, None
        edited = decision.edits.get("text") if decision.verdict == "edit" else None
        text = edited if isinstance(edited, str) else known[0].payload["text"]
        object = " ".join(text.split()) if isinstance(edited, str) else known[0].payload["object"]
        fact = known[0].targets[0].fact
        return slot_key(self._rules(), fact.subject, fact.predicate, object), self._embed(store, text)

    def promote(self, namespace: str, facts: Iterable[str], *, by: str, now: int | None = None) -> list[str]:
        """See `Memory.promote`."""
        at = self._clock() if now is None else now
        return self._open(namespace, write=True).promote(list(facts), at=at, cause={"decided_by": by})

    def forget(
        self, namespace: str, *, fact: str | None, episode: str | None, text: str | None, now: int | None = None
    ) -> Erasure:
        """See `Memory.forget`."""
        from lean_memory.resolve import timeline

        at = self._clock() if now is None else now
        if sum(bool(one) for one in (fact, episode, text)) != 1:
            raise UsageError("name one thing to forget: a fact, an episode or a text")
        store = self._open(namespace, write=True)
        holder = store.me()
        store.acquire(holder)
        try:
            with store.transaction():
                erased = store.erase(fact=fact, episode=episode, text=text)
                known = erased.facts or erased.episodes or erased.summaries or store.bytes_left()
                if not text and not known:  # what was erased before may still have to be scrubbed
                    raise UsageError(
                        f"{namespace} holds no {'fact' if fact else 'episode'} {fact or episode}",
                        hint="ids are in the output of lm-search and lm-log",
                        code="unknown_id",
                    )
                states = store.slots(erased.slots).values()
                store.settle([(one, timeline(one.claims, self._rules()).intervals) for one in states], at=at)
        finally:
            store.release(holder)
        scanned, remains = store.scrub(erased.needles)
        return Erasure(
            namespace=namespace, at=at, facts=erased.facts, episodes=erased.episodes, redacted=erased.redacted,
            summaries=erased.summaries, proposals=erased.proposals, scanned=scanned, remains=remains,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------ parts

    def _worth(self, at: int) -> Callable[[float, int, int], float]:
        return lambda salience, said_at, hits: value(salience, said_at, hits, now=at, policy=self._policy)

    def _expiry(self, at: int) -> int:
        return at + self._policy.expiry_days * 86_400_000

    def _drafted(self, plan: Plan, store: Store, at: int) -> tuple[Proposal, ...]:
        """What would be staged, as it would be."""
        return tuple(
            Proposal(
                id=draft.id, kind=draft.kind, entity=draft.entity, namespace=store.namespace,
                targets=tuple(store.targets(draft.kind, draft.payload, self._worth(at))), payload=draft.payload,
                evidence=draft.evidence, status="pending", created_at=at, expires_at=self._expiry(at),
            )
            for draft in plan.drafts
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """A plan and the entry of the ledger under which it is carried out; `resumed`: a run that was cut made it.

    `at` is its present, `began` when it began by the clock.
    """

    plan: Plan
    run: str
    at: int
    trigger: str
    resumed: bool
    began: int


class _Proof:
    """Asks the same questions about the past before and after, and compares the answers byte for byte."""

    def __init__(self, store: Store, at: int) -> None:
        size = sum(store.tally().values())
        self._times = moments(store.boundaries(), at, count=_MOMENTS if size < _LARGE else _MOMENTS // 2)
        self._queries = [query_terms(text) for text in probes(store.sample(4), count=4)]
        self._vectors = store.sample_vectors(2)
        self._before: dict[str, bytes] = {}
        self.asked = 0

    def before(self, store: Store) -> None:
        self._before = dict(self._answers(store))
        self.asked = len(self._before)

    def after(self, store: Store) -> None:
        """Raises Unproved where an answer differs."""
        differing = [question for question, answer in self._answers(store) if answer != self._before.get(question)]
        if differing:
            raise Unproved(self.asked, differing)

    def _answers(self, store: Store) -> Iterator[tuple[str, bytes]]:
        from lean_memory.instants import format_instant

        for at in self._times:
            view = View(now=at, as_of=at)
            when = format_instant(at)
            digest = blake2b(digest_size=16)
            for hit in store.visible(view):
                digest.update(encode(hit))
            yield f"all as of {when}", digest.digest()
            found = [store.sparse(terms, view, 50) for terms in self._queries]
            found += [store.dense(vector, view, 50) for vector in self._vectors]
            for place, scored in enumerate(found):
                hits = store.load([item for item, _ in scored], view)
                answer = b"".join(f"{score!r} ".encode() + encode(hits[item]) for item, score in scored)
                yield f"query {place + 1} as of {when}", blake2b(answer, digest_size=16).digest()


def _actions(plan: Plan) -> tuple[Action, ...]:
    retired = [Action(action="retire", fact=one.fact, text=one.text, into=one.into) for one in plan.retirements]
    evicted = [Action(action="evict", fact=one.fact, text=one.text, value=one.value) for one in plan.evictions]
    return (*retired, *evicted)


def _counts(plan: Plan, over: Mapping[str, int]) -> dict[str, int]:
    return {
        "retired": len(plan.retirements), "evicted": len(plan.evictions), "proposed": len(plan.drafts),
        "deferred": plan.deferred, "expired": over.get("expired", 0), "stale": over.get("stale", 0),
    }  # fmt: skip


def _batches(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
