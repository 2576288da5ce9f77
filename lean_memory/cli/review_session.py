"""The review of a queue at a terminal, one key a verdict. Nothing is written before the person says so.

Theory of operation. `Desk` is the state: the queue, the place in it, and the decisions taken so far, newest last. It
knows no terminal. `review` shows where it stands, reads a key, and carries the decisions out when asked to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from lean_memory.cli.plain import plain
from lean_memory.cli.review_keys import keys, line, read_key
from lean_memory.cli.review_text import heading, outcome_line, proposal_lines
from lean_memory.upkeep import Decision, Proposal, Verdict

if TYPE_CHECKING:
    from lean_memory.memory import Memory

__all__ = ["Desk", "review"]

_KEYS: dict[str, Verdict] = {"a": "approve", "k": "keep", "p": "promote"}
_HELP = """\
  a  approve    do what is proposed
  k  keep       leave it as it is; it is not proposed again
  e  edit       approve it changed: a summary's text, or which of near-duplicates stays
  p  promote    keep these facts at hand from now on
  A K P         the same for all that is left about this entity
  n  next       b  back       u  undo the last decision       w  write the decisions
  q  quit       ?  this help
"""
_BAR = "a approve · k keep · e edit · p promote · A/K/P all · n next · b back · u undo · w write · q quit · ? help"


class Desk:
    """The queue and what is decided on it, not yet written."""

    def __init__(self, queue: Sequence[Proposal]) -> None:
        self.queue = list(queue)
        self.place = 0
        self._taken: list[list[tuple[Proposal, Decision]]] = []

    @property
    def current(self) -> Proposal | None:
        """The proposal looked at; None behind the last."""
        return self.queue[self.place] if self.place < len(self.queue) else None

    @property
    def decisions(self) -> list[tuple[Proposal, Decision]]:
        """In the order in which they were taken."""
        return [entry for step in self._taken for entry in step]

    def verdict(self, proposal: Proposal) -> Verdict | None:
        """What was decided on it, if anything."""
        return next((decision.verdict for one, decision in self.decisions if one is proposal), None)

    def decide(self, verdict: Verdict, *, edits: dict[str, Any] | None = None, all_of_entity: bool = False) -> int:
        """Decides on the current one, or on all undecided ones about its entity; goes on to the next undecided.
        Returns on how many."""
        here = self.current
        if here is None:
            return 0
        group = [here]
        if all_of_entity:
            group = [
                one
                for one in self.queue
                if (one.namespace, one.entity) == (here.namespace, here.entity) and self.verdict(one) is None
            ]
        else:
            self._forget(here)
        if group:  # of an entity all may be decided already
            self._taken.append([(one, Decision(proposal=one.id, verdict=verdict, edits=edits or {})) for one in group])
        self.place = next((n for n in range(self.place, len(self.queue)) if self._open(n)), len(self.queue))
        return len(group)

    def move(self, step: int) -> None:
        """Forward or back, decided or not."""
        self.place = min(max(0, self.place + step), len(self.queue))

    def undo(self) -> int:
        """Takes the last step back and returns to it; how many decisions that were."""
        if not self._taken:
            return 0
        step = self._taken.pop()
        self.place = next(n for n, one in enumerate(self.queue) if one is step[0][0])
        return len(step)

    def written(self) -> None:
        """What was decided is carried out: it leaves the queue."""
        gone = {id(one) for one, _ in self.decisions}
        self.place = sum(id(one) not in gone for one in self.queue[: self.place])
        self.queue = [one for one in self.queue if id(one) not in gone]
        self._taken.clear()

    def _open(self, place: int) -> bool:
        return self.verdict(self.queue[place]) is None

    def _forget(self, proposal: Proposal) -> None:
        """A second decision on one proposal takes the place of the first."""
        steps = [[entry for entry in step if entry[0] is not proposal] for step in self._taken]
        self._taken = [step for step in steps if step]


def review(memory: Memory, queue: Sequence[Proposal], *, by: str) -> int:
    """Goes through the queue with the person at the terminal. Ctrl-C leaves everything undecided."""
    if not queue:
        click.echo("Nothing waits for a decision.")
        return 0
    desk = Desk(queue)
    with keys():
        refused = _go_through(memory, desk, by=by)
    if not desk.queue:
        click.echo("Nothing else waits for a decision.")
    return 3 if refused else 0


def _go_through(memory: Memory, desk: Desk, *, by: str) -> int:
    """Key after key; how many decisions were refused."""
    refused = 0
    while desk.queue:
        _show(desk)
        try:
            key = read_key()
            if key == "q":
                return refused + _write(memory, desk, by=by, ask=True)
        except EOFError:
            return refused
        if key == "w":
            refused += _write(memory, desk, by=by)
        else:
            _press(desk, key)
    return refused


def _show(desk: Desk) -> None:
    here, taken = desk.current, len(desk.decisions)
    held = f" · {taken} decided, not written" if taken else ""
    click.echo()
    if here is None:
        click.echo(f"That was the last of {len(desk.queue)}{held}.")
        click.echo("b back · u undo · w write · q quit")
        return
    about = f"{plain(here.namespace)}: {plain(here.entity)}"
    click.echo(f"{about} · {desk.place + 1} of {len(desk.queue)}{held}")
    verdict = desk.verdict(here)
    click.echo(f"  {heading(here)}" + (f" · decided: {verdict}" if verdict else ""))
    for text in proposal_lines(here):
        click.echo(f"    {text}")
    click.echo(_BAR)


def _press(desk: Desk, key: str) -> None:
    """One key's work, and a word on what it did."""
    if key.lower() in _KEYS:
        here, verdict = desk.current, _KEYS[key.lower()]
        count = desk.decide(verdict, all_of_entity=key.isupper())
        if here is not None:
            click.echo(f"-> {verdict}" + (f": {count} about {plain(here.entity)}" if key.isupper() else ""))
    elif key == "e":
        _edit(desk)
    elif key in ("n", " ", "\x1b[C", "\x1b[B"):
        desk.move(1)
    elif key in ("b", "\x1b[D", "\x1b[A"):
        desk.move(-1)
    elif key == "u":
        count = desk.undo()
        click.echo(f"-> {count} undone" if count else "-> nothing to undo")
    elif key == "?":
        click.echo(_HELP)
    else:
        click.echo("-> ? for help")


def _edit(desk: Desk) -> None:
    here = desk.current
    if here is None or here.kind == "eviction":
        click.echo("-> there is nothing to edit in it")
        return
    if here.kind == "summary":
        text = line("What the summary says (empty: no change): ")
        if text:
            desk.decide("edit", edits={"text": text})
            click.echo("-> edit")
        return
    for number, target in enumerate(here.targets, 1):
        click.echo(f"  {number} {plain(target.fact.text)}")
    chosen = line("Which of them stays (empty: no change)? ")
    if chosen.isdecimal() and 1 <= int(chosen) <= len(here.targets):
        desk.decide("edit", edits={"survivor": here.targets[int(chosen) - 1].fact.id})
        click.echo("-> edit")
    elif chosen:
        click.echo("-> none of them")


def _write(memory: Memory, desk: Desk, *, by: str, ask: bool = False) -> int:
    """Carries the decisions out; returns how many were refused."""
    taken = desk.decisions
    if not taken:
        if not ask:
            click.echo("-> nothing is decided yet")
        return 0
    if ask and not _yes(f"Write {len(taken)} decisions (y/n)? "):
        click.echo("-> nothing written")
        return 0
    refused = 0
    for proposal, decision in taken:
        for outcome in memory.decide(proposal.namespace, [decision], by=by):
            refused += outcome.outcome != "applied"
            click.echo(outcome_line(outcome))
    memory.close()
    desk.written()
    return refused


def _yes(question: str) -> bool:
    click.echo(question, nl=False)
    while (key := read_key()) not in "yYnN":
        pass
    click.echo(key)
    return key in "yY"
