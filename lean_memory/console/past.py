"""The pages that look back: Timeline, the source of a fact, Activity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import islice

from lean_memory.claims import LogFilter, View
from lean_memory.console.asked import Asked
from lean_memory.console.intervals import draw
from lean_memory.console.newest import newest
from lean_memory.console.render import render
from lean_memory.errors import UsageError
from lean_memory.records import Change, Fact, Hit
from lean_memory.wire import Object

__all__ = ["activity", "promote", "source", "timeline"]

_READ = 5000
"""Facts that are read for the list of names."""

_ENTRIES = 200
_CALLS = 20


def timeline(asked: Asked) -> str:
    """The page. `entity` in the query is whose facts are drawn."""
    name, memory = asked.query.get("entity", "").strip(), asked.memory
    names, more = _names(asked)
    facts, picture, superseded = [], None, {}
    if name and asked.namespace:
        # What is yet to come is drawn too, so the present of this view is behind all there is.
        end = max([memory.present(), *memory.boundaries(asked.namespace)[-1:]])
        seen = list(memory.visible(asked.namespace, _all_of(end, name, cold=True)))
        hot = {hit.id for hit in memory.visible(asked.namespace, _all_of(end, name, cold=False))}
        facts = [hit.fact for hit in seen if hit.fact is not None]
        superseded = _successors(memory.history(asked.namespace, LogFilter(subject=name)))
        if facts:
            cold = frozenset(fact.id for fact in facts) - hot
            picture = draw(facts, superseded, cold, memory.now())
    return render(
        "timeline.html",
        asked.words,
        **asked.frame(
            "timeline", entity=name, names=names, more=more, picture=picture, count=len(facts), superseded=superseded,
            told={fact.id: _told(fact) for fact in facts},
        ),
    )  # fmt: skip


def _told(fact: Fact) -> str:
    """Under the name of its subject and its predicate, the object is enough; what is denied says so itself."""
    return fact.object if fact.polarity == "positive" else fact.text


def _all_of(now: int, name: str, *, cold: bool) -> View:
    return View(now=now, kind="fact", subject=name, ended=True, include_cold=cold)


def _names(asked: Asked) -> tuple[list[str], bool]:
    """Whom there are facts about, and whether there may be more."""
    if not asked.namespace:
        return [], False
    view = View(now=asked.memory.present(), kind="fact", ended=True, include_cold=True)
    hits: list[Hit] = list(islice(asked.memory.visible(asked.namespace, view), _READ))
    names = dict.fromkeys(hit.fact.subject for hit in hits if hit.fact is not None)
    return sorted(names, key=lambda one: (one != "user", one.casefold())), len(hits) == _READ


def _successors(log: Iterable[Change]) -> dict[str, str]:
    """Id of a fact that was superseded -> id of the one that did it."""
    found = {}
    for change in log:
        by = change.cause.get("by")
        if change.action == "superseded" and isinstance(by, str):
            found[change.fact] = by
    return found


def source(asked: Asked, *, promoted: bool = False) -> str:
    """Every text that says the fact `fact`, with the words marked, and what happened to it."""
    fact, memory = asked.query.get("fact", ""), asked.memory
    claims = memory.evidence(asked.namespace, fact)
    log = list(memory.history(asked.namespace, LogFilter(fact=fact)))
    names = {one.fact: one.told.text for one in log if one.told is not None}
    for change in log:
        by = change.cause.get("by")
        if isinstance(by, str) and by not in names:
            told = memory.evidence(asked.namespace, by)
            names[by] = told[-1].fact.text if told else by
    return render(
        "source.html",
        asked.words,
        fact=fact, claims=claims, log=log, names=names, cold=_is_cold(log), promoted=promoted,
        namespace=asked.namespace,
    )  # fmt: skip


def _is_cold(log: list[Change]) -> bool:
    """By the log: whether the last thing that moved it put it away."""
    moves = [change.action for change in log if change.action in ("demoted", "summarised", "promoted")]
    return bool(moves) and moves[-1] != "promoted"


def promote(asked: Asked, body: Object) -> str:
    """Keeps the fact `fact` at hand; its source, as it is now."""
    fact = body.get("fact")
    if not isinstance(fact, str):
        raise UsageError("field 'fact' must be the id of a fact", code="bad_field")
    asked.memory.promote(asked.namespace, [fact], by=asked.by)
    return source(replace(asked, query={"fact": fact}), promoted=True)


def activity(asked: Asked) -> str:
    """The newest entries of the log, and what agents called last, in whatever memory."""
    entries: list[Change] = []
    if asked.namespace:
        read = partial(_log, asked)
        entries = newest(read, now=asked.memory.present(), wanted=_ENTRIES)
    calls = list(islice(asked.agents(), _CALLS))
    return render("activity.html", asked.words, **asked.frame("activity", entries=entries, calls=calls))


def _log(asked: Asked, since: int | None) -> Iterable[Change]:
    return asked.memory.history(asked.namespace, LogFilter(since=since))
