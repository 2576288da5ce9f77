"""Memory: the one composition of extraction, resolution, storage and search that every face calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from lean_memory.claims import EmbedderMark, LogFilter, Moved, View
from lean_memory.errors import BackendUnavailable, LeanMemoryError, StoreBusy, StoreCorrupt, UsageError
from lean_memory.instants import parse_instant
from lean_memory.limits import LAST, check_asked, check_texts, check_times
from lean_memory.records import Change, Claimed, Difference, Episode, Fact, Hit, Note, Receipt, Vector
from lean_memory.settings import Settings

if TYPE_CHECKING:
    from lean_memory.backends import Embedder, Reranker
    from lean_memory.backends.passes import Chosen
    from lean_memory.candidates import CandidateGenerator, Generator
    from lean_memory.extract import PredicateTable
    from lean_memory.extract.passes import Passes
    from lean_memory.keys import Key
    from lean_memory.maintenance import Keeper
    from lean_memory.parses import DependencyParser
    from lean_memory.resolve import Alike, Model, Rules
    from lean_memory.retrieve import Query, Weights
    from lean_memory.store.port import Store
    from lean_memory.upkeep import (
        Copy,
        Decision,
        Encryption,
        Erasure,
        Outcome,
        Proposal,
        ProposalKind,
        ProposalStatus,
        Report,
        Status,
    )

__all__ = ["Memory"]

_ATTEMPTS = 100
"""Of a write whose slot another process changes between reading and writing."""

_POOL = 100
"""Candidates from each arm of a search, at least."""

_COMPARED = 4
"""Known facts that a new one is compared with, at most."""

_OPEN = 32
"""Files that are held open at most; of each SQLite has three."""

_AHEAD = 60_000
"""Milliseconds by which another clock may run ahead."""

_RERANKED = 50
"""Hits that a reranker judges, at least."""

_QUERY = 1000
"""Letters of a query that are read for times."""


class Memory:
    """Memories under one root, each a namespace with a file of its own.

    Nothing is loaded before it is needed: constructing one is free, and only what embeds loads a model.
    Use it as a context manager, or call `close`.

    Args:
        root: folder of the namespace files; default LM_DATA_ROOT, else ~/.lean_memory.
        settings: in place of what the environment says.
        fast: don't wait for the disk at every write; a power cut may lose the last ones.
    """

    def __init__(self, root: Path | str | None = None, *, settings: Settings | None = None, fast: bool = False) -> None:
        if settings is None:
            import os

            settings = Settings.from_environ(os.environ)
        self._settings = replace(settings, root=Path(root)) if root is not None else settings
        self._fast = fast
        self._stores: dict[tuple[str, bool], Store] = {}
        self._embedders: dict[EmbedderMark | None, tuple[Embedder, str]] = {}
        self._loading: list[Embedder] = []

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of every file, also where one of them fails."""
        with ExitStack() as stack:
            while self._stores:
                stack.callback(self._stores.popitem()[1].close)

    def now(self) -> int:
        """The present, in milliseconds since the epoch: LM_NOW, else the clock."""
        return self._settings.now()

    def present(self) -> int:
        """What a search that names no time looks at: now and a minute more, since a clock may run ahead of ours, and
        later lines of one input count as said later."""
        return min(self.now() + _AHEAD, LAST)

    # ----------------------------------------------------------------------------------------- writing

    def add(
        self,
        namespace: str,
        text: str,
        *,
        t_ref: str | int | None = None,
        source: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        tz: str | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Receipt:
        """Extracts facts from one text and stores them with it.

        Args:
            t_ref: when it was said: RFC 3339, or milliseconds since the epoch; default now.
            tz: the zone in which words like `yesterday` are read; default that of `t_ref`, else LM_TZ, else
                the machine's.

        Raises:
            UsageError: a bad time, zone or namespace, or a text with half a character.
            StoreUnavailable: the file can't be used.
            BackendUnavailable: the model can't be used.
        """
        from lean_memory.instants import zone, zone_name

        check_texts(text=text, source=source, speaker=speaker, session=session)
        where = zone(tz) if tz else self._settings.local_zone()
        said, offset = parse_instant(t_ref, tz=where) if isinstance(t_ref, str) else (t_ref, None)
        check_times(t_ref=said)
        note = Note(
            text=text,
            t_ref=self.now() if said is None else said,
            tz=offset if offset and not tz else zone_name(where),
            source=source,
            speaker=speaker,
            session=session,
            meta=dict(meta or {}),
        )
        return self.store(namespace, [self.extractor().episode(note)])[0]

    def extractor(self, *, mask_secrets: bool = True, count: bool = False) -> Passes:
        """What turns notes into episodes: the rules, and the models that help them where there are some.

        Args:
            count: let its `stats` say what would go to a language model also where there is none.

        Raises:
            BackendUnavailable: a model that the environment asks for is not there.
        """
        from lean_memory.extract import Extractor
        from lean_memory.extract.passes import Passes

        finder, generator = self._helpers
        rules = Extractor(self._table, mask=mask_secrets, parser=self._parser)
        return Passes(rules, finder=finder, generator=generator, count=count)

    def embed(self, episodes: Sequence[Episode], *, namespace: str | None = None) -> list[Episode]:
        """The episodes with a vector on each, and on each of their facts; one that is there already stays.

        The model is the namespace's, or without one what a new namespace would take.
        """
        embedder, _ = self._embedder(self._recorded(namespace))
        texts = [text for episode in episodes for text in _wanting(episode)]
        if not texts:
            return list(episodes)
        vectors = iter(embedder.embed(texts))

        return [
            replace(
                episode,
                vector=episode.vector or next(vectors),
                facts=tuple(fact if fact.vector else replace(fact, vector=next(vectors)) for fact in episode.facts),
            )
            for episode in episodes
        ]

    def store(self, namespace: str, episodes: Sequence[Episode], *, embed: bool = True) -> list[Receipt]:
        """Stores episodes, each in a transaction of its own, and answers with a receipt for each.

        A stored episode is durable when this returns. One whose vectors another model made is rejected: its
        receipt says why. `embed=False` leaves out vectors that are missing; `embed_missing` adds them later.
        """
        store = self._open(namespace, create=True)
        known = store.has_episodes(episode.id for episode in episodes)
        if embed:
            fresh = [episode for episode in episodes if episode.id not in known]
            embedded = {episode.id: episode for episode in self.embed(fresh, namespace=namespace)}
            episodes = [embedded.get(episode.id, episode) for episode in episodes]
        with store.together():
            return [self._store_one(store, namespace, episode, known) for episode in episodes]

    def _store_one(self, store: Store, namespace: str, episode: Episode, known: set[str]) -> Receipt:
        from lean_memory.names import name_key
        from lean_memory.resolve import as_known, episode_slots, newly_named, plan_write, with_names

        if episode.id in known:
            return Receipt(id=episode.id, status="already_stored")
        if (reason := self._misfit(store, namespace, episode)) is not None:
            return Receipt(id=episode.id, status="rejected", extra={"reason": reason})
        roles = {name_key(name) for name in (*(fact.subject for fact in episode.facts), *episode.aliases)}
        named = store.aliases(roles) if roles else {}
        newly = newly_named(episode, named)
        episode, decided = as_known(with_names(episode, named), partial(self._alike, store), self._rules, self._judge)
        keys = list(episode_slots(episode, self._rules))
        for _ in range(_ATTEMPTS):
            moved = [claim for role, name in newly.items() for claim in self._moved(store, role, name)]
            states = store.slots([*keys, *(key for claim in moved for key in (claim.was_slot, claim.slot))])
            resolved = plan_write(episode, states, self._rules, at=self.now(), decided=decided, moved=moved)
            try:
                [outcome] = store.commit([resolved.write])
            except ValueError as error:  # it was made from what the store says of itself
                raise self.damage(namespace, [str(error)]) from error
            if outcome != "conflict":
                known.add(episode.id)
                return resolved.receipt if outcome == "stored" else Receipt(id=episode.id, status=outcome)
        raise StoreBusy(
            f"{namespace}: other writers kept changing the same facts", hint="send the line again when they are done"
        )

    def _moved(self, store: Store, role: str, name: str) -> list[Moved]:
        """What was said of `my sister` before somebody said that she is Anna, as said of Anna."""
        from lean_memory.resolve import moved

        return moved(store.claims_about(role), name, self._rules)

    def _alike(self, store: Store, fact: Fact) -> list[Alike]:
        """Known facts that this one may restate in other words: of its subject and kind, held now or once."""
        from lean_memory.resolve.ladder import ALIKE
        from lean_memory.words import query_terms

        if fact.vector is None or store.embedder() is None:
            return []
        terms = query_terms(fact.object)
        items: dict[int, None] = {}
        every = View(now=self.present(), kind="fact", subject=fact.subject, ended=True, include_cold=True)
        for predicate in self._rules.group(fact.predicate):
            view = replace(every, predicate=predicate)
            found = store.sparse(terms, view, _COMPARED) if terms else []
            if self._judge is not None:  # only a model can join what shares no word
                found = [*found, *store.dense(fact.vector, view, _COMPARED)]
            items |= dict.fromkeys(item for item, _ in found)
        near = {item: cosine for item, cosine in store.cosines(fact.vector, list(items)) if cosine >= ALIKE}
        likely = sorted(near, key=lambda item: -near[item])[:_COMPARED]
        hits = store.load(likely, every) if likely else {}
        return [(hit.id, hit.fact.object, near[item]) for item, hit in hits.items() if hit.fact is not None]

    @cached_property
    def _judge(self) -> Model | None:
        """The language model that judges what words and cosines leave open, if there is one."""
        return None if self._generator is None else (self._generator.name, self._generator.generate)

    def _misfit(self, store: Store, namespace: str, episode: Episode) -> str | None:
        """Why the episode's vectors don't belong into this namespace. Records the model at the first vector."""
        vectors = (episode.vector, *(fact.vector for fact in episode.facts))
        models = {vector.model for vector in vectors if vector is not None}
        if not models:
            return None
        mark = store.embedder()
        if mark is None:
            chosen = self._embedder(None)[0].mark
            mark = store.set_embedder(chosen) if models == {chosen.name} else chosen
        if models == {mark.name}:
            return None
        return (
            f"its vectors are made by {', '.join(sorted(models - {mark.name}))}, those of {namespace} by {mark.name}: "
            f"send it without vectors, or through lm-embed -n {namespace}"
        )

    def embed_missing(
        self, namespace: str, *, reindex: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Embeds what the namespace holds without a vector; with `reindex`, all of it with the model in use now.

        Returns how many texts it embedded. Interrupted, it goes on where it stopped when called again.
        """
        store = self._open(namespace, write=True)
        if reindex:
            embedder, _ = self._embedder(None)
            store.start_reindex(embedder.mark)
        else:
            embedder, _ = self._embedder(store.embedder())
            store.set_embedder(embedder.mark)
        total, done = store.count_unembedded(), 0
        while batch := store.unembedded(limit=256):
            vectors = embedder.embed([text for _, text in batch])
            store.add_vectors([(item, vector) for (item, _), vector in zip(batch, vectors, strict=True)])
            done += len(batch)
            if progress is not None:
                progress(done, total)
        return done

    # ----------------------------------------------------------------------------------------- reading

    def search(
        self,
        namespace: str,
        query: str,
        *,
        k: int = 10,
        view: View | None = None,
        model: bool = True,
        weights: Weights | None = None,
        explain: bool = False,
        tz: str | None = None,
    ) -> list[Hit]:
        """The `k` best visible facts and episodes for a query in plain text, best first.

        Args:
            view: which rows it may see; default what is believed and holds now. A question about the past (`where did
                I live before?`) sees what has ended as well.
            model: False answers from the words alone, without loading the embedder.
            explain: give each hit the parts of its score.
            tz: the zone in which words like `yesterday` are read; default LM_TZ, else the machine's.

        Raises:
            UsageError: no such zone; or more is asked than `limits` allow.
            StoreUnavailable: there is no such namespace, or its file can't be used.
            BackendUnavailable: the model that made the namespace's vectors is not there.
        """
        from lean_memory.retrieve import rank, rerank
        from lean_memory.words import query_terms

        check_asked(query, k)
        view = view or View(now=self.present())
        check_texts(query=query, subject=view.subject, predicate=view.predicate)
        check_times(now=view.now, as_of=view.as_of, known_at=view.known_at, since=view.since, until=view.until)
        store = self._open(namespace)
        mark = store.embedder() if model and query.strip() else None
        embedder = None if mark is None else self._embedder(mark)[0]
        if embedder is not None:
            self._load_meanwhile(embedder)
        limit = max(_POOL, 4 * k)
        names = self._whom(query, store, view)
        asked = self._understand(query, view, names, tz)
        view = replace(view, ended=view.ended or asked.past)
        terms = query_terms(" ".join([query, *names]))
        vectors = [] if embedder is None else embedder.embed([query], query=True)
        with store.snapshot():
            sparse = store.sparse(terms, view, limit) if terms else []
            dense = [scored for vector in vectors for scored in store.dense(vector, view, limit)]
            items = dict.fromkeys(item for item, _ in [*sparse, *dense])
            near = store.neighbours(list(items), view)
            items |= dict.fromkeys(item for sides in near.values() for item in sides if item is not None)
            dense = [scored for vector in vectors for scored in store.cosines(vector, list(items))]
            loaded = store.load(list(items), view)
            outdated = store.outdated(list(items), view)
        reranker = self._reranker if vectors else None
        hits = rank(
            asked,
            loaded,
            dense=dense,
            sparse=sparse,
            neighbours=near,
            outdated=outdated,
            k=k if reranker is None else max(k, _RERANKED),
            now=view.at,
            weights=weights,
            explain=explain,
        )
        if reranker is not None:
            closeness = reranker.score(query, [hit.text for hit in hits])
            hits = rerank(hits, closeness, k=k, now=view.at, weights=weights)
        if self._counts_use(view):
            places = {hit.id: item for item, hit in loaded.items()}
            store.note_usage([places[hit.id] for hit in hits if hit.id in places], at=self.now())
        return hits

    def _counts_use(self, view: View) -> bool:
        """Whether a search is one of what is known now, and LM_USAGE is not `off`."""
        off = self._settings.environ.get("LM_USAGE") == "off"
        return not off and view.as_of is None and view.known_at is None

    def _load_meanwhile(self, embedder: Embedder) -> None:
        """Begins to load the model in a thread of its own, as little of that holds the interpreter; `embed` waits for
        it. What goes wrong is told there."""
        if embedder in self._loading:
            return
        from threading import Thread

        def load() -> None:
            with suppress(BackendUnavailable):
                embedder.warm()

        self._loading.append(embedder)
        Thread(target=load, name="loading the embedder").start()

    @staticmethod
    def _whom(query: str, store: Store, view: View) -> list[str]:
        """The names of those whom the question calls `my sister`, where the memory knows them."""
        from lean_memory.names import name_key
        from lean_memory.retrieve import roles

        asked = [name_key(role) for role in roles(query[:_QUERY])]
        known = store.aliases(asked, view) if asked else {}
        return [name for role in asked for name in known.get(role, ())]

    def _understand(self, query: str, view: View, names: Sequence[str], tz: str | None) -> Query:
        """The question with the predicates and the times that it names."""
        from lean_memory.extract.glance import may_name_time
        from lean_memory.retrieve import understand

        return understand(
            query,
            asks={name: row.asks for name, row in self._table.items()},
            excludes={name: row.excludes for name, row in self._table.items()},
            periods=self._periods(query[:_QUERY], view, tz) if may_name_time(query[:_QUERY]) else (),
            names=names,
        )

    def _periods(self, text: str, view: View, tz: str | None) -> list[tuple[int | None, int | None]]:
        """The times that a text names, in milliseconds, as [begin, end)."""
        from lean_memory.extract.times import find_times
        from lean_memory.instants import to_datetime, to_millis, zone

        spans = find_times(text, to_datetime(view.at, zone(tz) if tz else self._settings.local_zone()))
        return [
            (to_millis(span.start), None if span.stop is None else to_millis(span.stop)) for span in spans if span.start
        ]

    def visible(self, namespace: str, view: View | None = None) -> Iterator[Hit]:
        """Everything visible, unranked: facts by subject, predicate and start, then episodes by time."""
        return self._open(namespace).visible(view or View(now=self.present()))

    # ----------------------------------------------------------------------------------------- history

    def history(self, namespace: str, asked: LogFilter | None = None) -> Iterator[Change]:
        """The change log, oldest first: what happened to which fact, because of which words."""
        return self._open(namespace).history(asked or LogFilter())

    def evidence(self, namespace: str, fact: str) -> list[Claimed]:
        """Every episode that says the fact with this id, by the time it was said; empty for an unknown id."""
        return self._open(namespace).claims_of(fact)

    def difference(self, namespace: str, first: int, second: int, *, known: bool = False) -> list[Difference]:
        """What is true at `second` and not at `first`, or the reverse, each with its cause and the words behind it.

        Times are milliseconds since the epoch: world time, as believed now; with `known`, transaction time: what
        the memory believed then to hold then.
        """
        from lean_memory.resolve import difference, slot_key, why_ended

        store = self._open(namespace)
        with store.snapshot():
            before, after = (list(store.visible(_moment(at, known=known))) for at in (first, second))
            facts = [hit.fact for hit in before if hit.fact is not None]
            keys = {slot_key(self._rules, fact.subject, fact.predicate, fact.object) for fact in facts}
            ended = {k: v for state in store.slots(keys).values() for k, v in why_ended(state, self._rules).items()}
            log = store.history(LogFilter(since=first, until=second)) if known else ()
            demoted = frozenset(change.fact for change in log if change.action == "demoted")
            found = difference(before, after, ended, demoted)
            return [self._with_words(store, entry) for entry in found]

    @staticmethod
    def _with_words(store: Store, entry: Difference) -> Difference:
        """The quote, and the text of the fact behind the difference in place of its id."""
        if entry.quote is not None:
            return entry
        claims = store.claims_of(entry.by or entry.fact.id)
        said = next((claim for claim in claims if claim.episode == entry.episode), None)
        return replace(
            entry, by=said.fact.text if said and entry.by else None, quote=said.fact.quote if said else entry.fact.quote
        )

    def episodes(self, namespace: str) -> Iterator[Episode]:
        """Every episode verbatim, in order of arrival: what the facts can be drawn from again."""
        return self._open(namespace).episodes()

    def export(self, namespace: str) -> Iterator[Mapping[str, Any]]:
        """The namespace with its history as plain values, for `restore` here or on another machine."""
        return self._open(namespace).export()

    def restore(self, namespace: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Fills a new namespace with what `export` gave; returns how many rows.

        Raises:
            Malformed: not what `export` gives.
            StoreUnavailable: `not_empty`, there is such a namespace already.
        """
        fresh = namespace not in self.namespaces()
        store = self._open(namespace, create=True)
        try:
            return store.restore(rows)
        except BaseException:
            with suppress(LeanMemoryError):  # that it failed is what is to be told
                if fresh and not store.counts()["episodes"]:  # the file was made for nothing
                    self.clear(namespace)
            raise

    def check(self, namespace: str) -> list[str]:
        """What is wrong with the namespace's file, in words; empty if nothing is."""
        return self._open(namespace).check()

    def damage(self, namespace: str, wrong: Sequence[str]) -> StoreCorrupt:
        """What `check` found as an error that says what to do."""
        from lean_memory.store.faults import unsound
        from lean_memory.store.files import file_name

        return unsound(self._settings.root / file_name(namespace), wrong)

    def dump(self, namespace: str) -> Iterator[Mapping[str, object]]:
        """Every row of the namespace in a fixed order, as plain values, for golden files and comparisons."""
        return self._open(namespace).dump()

    def rank_episodes(
        self, query: str, episodes: Iterable[Episode], *, k: int = 10, view: View | None = None, explain: bool = False
    ) -> list[Hit]:
        """Ranks records that are still in a pipe, by their words; no namespace is read. Raises UsageError."""
        from lean_memory.retrieve import rank_in_memory

        check_asked(query, k)
        return rank_in_memory(query, list(episodes), k=k, view=view or View(now=self.present()), explain=explain)

    # ------------------------------------------------------------------------------------- maintenance

    def namespaces(self) -> list[str]:
        """The namespaces under the root, sorted."""
        from lean_memory.store import namespaces

        return namespaces(self._settings.root, key=self._settings.key())

    def boundaries(self, namespace: str) -> list[int]:
        """Every time at which something began, ended or was said, in order: where an answer as of a time may change."""
        return self._open(namespace).boundaries()

    def size(self, namespace: str) -> int:
        """Bytes that the namespace's files take."""
        from lean_memory.store.files import SIDE_FILES, file_name

        total = 0
        for side in ("", *SIDE_FILES):
            with suppress(FileNotFoundError):
                total += (self._settings.root / (file_name(namespace) + side)).stat().st_size
        return total

    def maintain(
        self,
        namespace: str,
        *,
        apply: bool = False,
        auto_only: bool = False,
        prove: bool = False,
        if_due: bool = False,
        trigger: str = "manual",
        now: int | None = None,
    ) -> Report:
        """One run of maintenance; without `apply` it writes nothing and says what it would do.

        By itself it retires exact duplicates and evicts what nobody needs; near-duplicates, summaries and other
        evictions become proposals, unless `auto_only`. No answer about the past changes; with `prove` that is checked
        on this very file, and all is rolled back if one would.

        Args:
            if_due: do nothing unless enough has come since the last run.
            trigger: what started it, for the ledger.
            now: its present, in milliseconds since the epoch; default the clock.

        Raises:
            StoreBusy: `lease`, another run works on it.
            StoreUnavailable: there is no such namespace, or its file can't be used.
        """
        return self._keeper.run(
            namespace, apply=apply, auto_only=auto_only, prove=prove, if_due=if_due, trigger=trigger, now=now
        )

    def maintenance_status(self, namespace: str, *, now: int | None = None) -> Status:
        """How many facts are at hand, what waits for a decision, the last runs, and whether another is due."""
        return self._keeper.status(namespace, now=now)

    def proposals(
        self,
        namespace: str,
        *,
        status: ProposalStatus | None = "pending",
        kind: ProposalKind | None = None,
        entity: str | None = None,
        limit: int | None = None,
        now: int | None = None,
    ) -> list[Proposal]:
        """What maintenance proposed, by entity, kind and age; with `status` None whatever became of it."""
        return self._keeper.proposals(namespace, status=status, kind=kind, entity=entity, limit=limit, now=now)

    def proposal(self, namespace: str, id: str, *, now: int | None = None) -> Proposal:
        """One proposal. Raises UsageError, `no_proposal`, if there is none of this id."""
        return self._keeper.proposal(namespace, id, now=now)

    def decide(
        self, namespace: str, decisions: Iterable[Decision], *, by: str, now: int | None = None
    ) -> list[Outcome]:
        """Carries decisions out, each in a transaction of its own, and says what became of each. What was decided
        already, has expired or has changed since is an outcome, not an error.

        Args:
            by: who decides, for the record.
        """
        return self._keeper.decide(namespace, decisions, by=by, now=now)

    def promote(self, namespace: str, facts: Iterable[str], *, by: str, now: int | None = None) -> list[str]:
        """Keeps facts (ids) in the hot tier from now on; returns those that come back from the cold one."""
        return self._keeper.promote(namespace, facts, by=by, now=now)

    def forget(
        self,
        namespace: str,
        *,
        fact: str | None = None,
        episode: str | None = None,
        text: str | None = None,
        now: int | None = None,
    ) -> Erasure:
        """Erases for good: the rows, the vectors, the index, what was made from them, and the bytes in the file.

        History changes: this is a right, not maintenance. A fact's words are blacked out in the episodes that say
        them. Copies elsewhere (backups, dumps) are not touched.

        Args:
            fact, episode: an id.
            text: every place where these letters stand, upper or lower case.

        Raises:
            UsageError: not exactly one of the three.
            StoreBusy: `lease`, a run of maintenance is on; or another process reads the file, which was erased from
                but not rewritten: call it again.
        """
        cut = self._open(namespace).bytes_left()
        erasure = self._keeper.forget(namespace, fact=fact, episode=episode, text=text, now=now)
        with suppress(BackendUnavailable):  # else `lm-embed` adds the vectors of what was blacked out
            if (erasure.redacted or cut) and self._open(namespace).embedder() is not None:
                self.embed_missing(namespace)
        return erasure

    def backup(self, namespace: str, path: Path | str) -> Copy:
        """A verified copy of the namespace's file, whole whatever is written meanwhile.

        Raises:
            UsageError: `exists`, there is something at `path`.
        """
        return self._open(namespace).back_up(Path(path))

    def restore_backup(self, namespace: str, path: Path | str) -> tuple[Copy, Path | None]:
        """Puts a verified copy of a backup in the place of the namespace's file, whatever has become of that. What was
        there is moved aside, to the path given back.

        Raises:
            UsageError: `no_backup`, there is nothing at `path`.
            StoreBusy: `lease` or `busy`, a run of maintenance or another process works on what is there.
            StoreCorrupt: the backup is damaged.
        """
        from lean_memory.store import restore_namespace

        for key in [key for key in self._stores if key[0] == namespace]:
            self._stores.pop(key).close()
        return restore_namespace(
            self._settings.root, namespace, Path(path), now=self.now(), key=self._settings.key()
        )  # fmt: skip

    def clear(self, namespace: str) -> list[str]:
        """Removes the namespace with all its files, for good; their names.

        Raises:
            StoreBusy: `lease` or `busy`, a run of maintenance or another process works on it.
            StoreUnavailable: `no_namespace`.
        """
        from lean_memory.store import remove_namespace

        for key in [key for key in self._stores if key[0] == namespace]:
            self._stores.pop(key).close()
        return remove_namespace(self._settings.root, namespace, now=self.now(), key=self._settings.key())

    def rekey(self, namespace: str, *, decrypt: bool = False) -> Encryption:
        """Encrypts the namespace's file with the key of LM_ENCRYPT, from the one of LM_ENCRYPT_OLD or from none; with
        `decrypt`, the way back. Killed at any point, it leaves the file whole, under the old key or the new one.

        Raises:
            UsageError: there is no key, or it can't be read.
            StoreBusy: `lease` or `busy`, a run of maintenance or another process works on it.
            StoreUnavailable: `wrong_key`, the old one is another.
            BackendUnavailable: what is installed can't encrypt.
        """
        from lean_memory.store import rekey_namespace
        from lean_memory.upkeep import Encryption

        old, new = self._keys(decrypt=decrypt)
        for key in [key for key in self._stores if key[0] == namespace]:
            self._stores.pop(key).close()
        changed = rekey_namespace(self._settings.root, namespace, old=old, new=new, now=self.now())
        return Encryption(namespace=namespace, encrypted=new is not None, changed=changed)

    def rekeyable(self, *, decrypt: bool = False) -> list[str]:
        """The namespaces under the root, as `rekey` may meet them: under either key, or none."""
        from lean_memory.store import namespaces

        found = (namespaces(self._settings.root, key=key) for key in (None, *self._keys(decrypt=decrypt)))
        return sorted({name for names in found for name in names})

    def _keys(self, *, decrypt: bool) -> tuple[Key | None, Key | None]:
        """The one that opens an encrypted file, and the one to be."""
        from lean_memory.keys import NEW, OLD

        old, new = self._settings.key(OLD), self._settings.key(NEW)
        if decrypt:
            old, new = old or new, None
        elif new is None:
            raise UsageError(
                f"which key? {NEW} is not set", hint=f"{NEW}=@KEYFILE, or --decrypt to do without", code="bad_key"
            )
        return old, new

    # -------------------------------------------------------------------------------------- describing

    def warm(self, namespace: str | None = None) -> None:
        """Fetches the models of a search where they are such that are fetched, and loads them, so that the next call
        need not wait."""
        from lean_memory.backends import fetch

        recorded = self._recorded(namespace)
        fetch(self._settings.environ, recorded)
        self._embedder(recorded)[0].warm()
        if self._reranker is not None:
            self._reranker.warm()

    def warm_extraction(self) -> None:
        """Fetches and loads the models that help extraction, where an extra has any."""
        from lean_memory.backends import passes

        passes.warm(self._settings.environ)

    def describe(self, namespace: str | None = None) -> dict[str, str]:
        """What is in use, and why, for `--print-config`."""
        settings = self._settings
        recorded = self._recorded(namespace)
        try:
            embedder, reason = self._embedder(recorded)
            described = f"{embedder.mark.name} ({embedder.mark.dim} dimensions): {reason}"
        except BackendUnavailable as error:
            described = f"none: {error.message}"
        from lean_memory.backends.passes import choose_finder, choose_generator, choose_parser

        return {
            "root": str(settings.root),
            **({"namespace": namespace} if namespace else {}),
            "encryption": self._encryption(),
            "embedder": described,
            "clauses": _described(lambda: choose_parser(settings.environ)),
            "candidates": _described(lambda: choose_finder(settings.environ)),
            "typing": _described(lambda: choose_generator(settings.environ)),
            "predicates": str(settings.predicates or "built in"),
            "zone": str(settings.local_zone()),
            "now": "the clock" if settings.fixed_now is None else "LM_NOW",
        }

    def _encryption(self) -> str:
        """Whether files are encrypted, and where the key comes from; never the key."""
        key = self._settings.key()
        if key is None:
            return "off"
        from lean_memory.store.encryption import INSTALL, can_encrypt

        return f"on: the key of {key.origin}" if can_encrypt() else f"none: what is installed can't; {INSTALL}"

    # ------------------------------------------------------------------------------------------- parts

    @cached_property
    def _table(self) -> PredicateTable:
        from lean_memory.extract import default_table, extended_table

        path = self._settings.predicates
        if path is None:
            return default_table()
        try:
            return extended_table(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"can't read the predicate table {path}: {error}") from None

    @cached_property
    def _helpers(self) -> tuple[CandidateGenerator | None, Generator | None]:
        """The models that help extraction: made once, as each loads once."""
        from lean_memory.backends.passes import choose_finder

        return choose_finder(self._settings.environ).model, self._generator

    @cached_property
    def _generator(self) -> Generator | None:
        """The language model that the environment names, if any."""
        from lean_memory.backends.passes import choose_generator

        return choose_generator(self._settings.environ).model

    @cached_property
    def _parser(self) -> DependencyParser | None:
        from lean_memory.backends.passes import choose_parser

        return choose_parser(self._settings.environ).model

    @cached_property
    def _reranker(self) -> Reranker | None:
        """The reranker that LM_RERANKER names; without it none, as each takes longer than all the rest of a search."""
        if not self._settings.environ.get("LM_RERANKER"):
            return None
        from lean_memory.backends import choose_reranker

        return choose_reranker(self._settings.environ).reranker

    @cached_property
    def _rules(self) -> Rules:
        from lean_memory.resolve import Rules

        return Rules(self._table)

    @cached_property
    def _keeper(self) -> Keeper:
        from lean_memory.maintenance import Keeper

        return Keeper(
            self._store_for_keeping,
            lambda: self._rules,
            self.now,
            generator=lambda: self._helpers[1],
            embed=self._vector_of,
        )

    def _store_for_keeping(self, namespace: str, *, write: bool = False, fresh: bool = False) -> Store:
        if not fresh:
            return self._open(namespace, write=write)
        from lean_memory.store import open_store

        return open_store(
            self._settings.root, namespace, create=False, write=write, fast=self._fast, now=self.now(),
            key=self._settings.key(),
        )  # fmt: skip

    def _vector_of(self, store: Store, text: str) -> Vector | None:
        """A vector of the namespace's own model; None where it has none, or the model is not there: `embed_missing`
        adds it later."""
        mark = store.embedder()
        try:
            return None if mark is None else self._embedder(mark)[0].embed([text])[0]
        except BackendUnavailable:
            return None

    def _open(self, namespace: str, *, create: bool = False, write: bool = False) -> Store:
        key = (namespace, create or write)
        store = self._stores.pop(key, None)
        if store is None:
            from lean_memory.store import open_store

            while len(self._stores) >= _OPEN:  # the one that was used longest ago; a listing of it keeps it open
                del self._stores[next(iter(self._stores))]
            store = open_store(
                self._settings.root, namespace, create=create, write=create or write, fast=self._fast, now=self.now(),
                key=self._settings.key(),
            )  # fmt: skip
        self._stores[key] = store
        return store

    def _recorded(self, namespace: str | None) -> EmbedderMark | None:
        """The model a namespace has recorded; None for one that does not exist yet."""
        if namespace is None:
            return None
        from lean_memory.store import namespace_exists

        if not namespace_exists(self._settings.root, namespace):
            return None
        return self._open(namespace).embedder()

    def _embedder(self, recorded: EmbedderMark | None) -> tuple[Embedder, str]:
        if recorded not in self._embedders:
            from lean_memory.backends import choose_embedder

            self._embedders[recorded] = choose_embedder(self._settings.environ, recorded)
        return self._embedders[recorded]


def _described(choose: Callable[[], Chosen[Any]]) -> str:
    """A model that may be there, and the reason."""
    try:
        chosen = choose()
    except BackendUnavailable as error:
        return f"none: {error.message}"
    return chosen.reason if chosen.model is None else f"{type(chosen.model).__name__}: {chosen.reason}"


def _moment(at: int, *, known: bool) -> View:
    """The facts of one moment, on either clock."""
    return View(now=at, kind="fact", known_at=at if known else None, as_of=None if known else at)


def _wanting(episode: Episode) -> Iterator[str]:
    """The texts of an episode that have no vector yet, in the order `embed` gives them out."""
    if episode.vector is None:
        yield episode.text
    for fact in episode.facts:
        if fact.vector is None:
            yield fact.text
