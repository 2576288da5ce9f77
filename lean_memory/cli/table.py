"""Records as text for a person at a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lean_memory.cli.plain import plain
from lean_memory.instants import format_instant
from lean_memory.records import Change, Claimed, Difference, Fact, Hit

__all__ = ["change_text", "claim_text", "difference_text", "hit_lines"]


def hit_lines(hits: Iterable[Hit]) -> Iterator[str]:
    """What is known first, then in grey where it comes from."""
    grey, black = ("", "") if "NO_COLOR" in os.environ else ("\x1b[2m", "\x1b[0m")
    for hit in hits:
        rank = f"{hit.rank:>2}. " if hit.rank is not None else "  - "
        yield f"{rank}{plain(hit.text)}\n"
        notes = [plain(hit.kind), *([plain(hit.speaker)] if hit.speaker else [])]
        if hit.fact is not None:
            notes += [_interval(hit.fact), f'"{plain(hit.fact.quote)}"']
        elif hit.t_ref is not None:
            notes.append(format_instant(hit.t_ref)[:10])
        if hit.score is not None:
            notes.append(f"score {hit.score:.2f}")
        if hit.parts is not None:
            notes += [f"{plain(name)} {value:.2f}" for name, value in hit.parts.items()]
        yield f"    {grey}{' · '.join(notes)}{black}\n"


def change_text(change: Change) -> str:
    """`2026-03-10  superseded  user lives in Leeds`, and below it the words that caused it."""
    when, what = format_instant(change.at)[:16].replace("T", " "), change.told.text if change.told else change.fact
    lines = [f"{when}  {plain(change.action):<10}  {plain(what)}"]
    if change.quote:
        said = f" ({format_instant(change.said_at)[:10]})" if change.said_at is not None else ""
        lines.append(f'{"":30}"{plain(change.quote)}"{said}')
    return "\n".join(lines) + "\n"


def difference_text(entry: Difference) -> str:
    """`+ user lives in Cardiff (since ..)`, or `- ..., superseded by: ...`, and below it the words behind it."""
    sign = "+" if entry.action == "added" else "-"
    why = (
        "" if entry.action == "added" else f", {plain(entry.action)}" + (f" by: {plain(entry.by)}" if entry.by else "")
    )
    line = f"{sign} {plain(entry.fact.text)} ({_interval(entry.fact)}){why}\n"
    return line + (f'    "{plain(entry.quote)}"\n' if entry.quote else "")


def claim_text(claim: Claimed) -> str:
    """`2026-03-10 Anna: "the quote"`, and below it the whole episode."""
    who = f" {plain(claim.speaker)}" if claim.speaker else ""
    return f'{format_instant(claim.t_ref)[:10]}{who}: "{plain(claim.fact.quote)}"\n    {plain(claim.text)}\n'


def _interval(fact: Fact) -> str:
    start = "?" if fact.valid_at is None else format_instant(fact.valid_at)[:10]
    return f"since {start}" if fact.valid_to is None else f"{start} to {format_instant(fact.valid_to)[:10]}"
