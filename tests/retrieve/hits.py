"""Hits as the store loads them, for the tests."""

from __future__ import annotations

from lean_memory.records import Fact, Hit, Polarity, fact_id

DAY = 86_400_000
NOW = 1_000 * DAY


def said(text: str, id: str = "", *, at: int = NOW, speaker: str | None = None, session: str | None = None) -> Hit:
    """An episode."""
    id = id or text
    return Hit(
        rank=None, kind="episode", id=id, episode=id, score=None, text=text, speaker=speaker, t_ref=at, session=session
    )  # fmt: skip


def known(
    subject: str,
    predicate: str,
    object: str,
    *,
    episode: str | None = None,
    at: int = NOW,
    valid_at: int | None = None,
    valid_to: int | None = None,
    salience: float = 5.0,
    time_text: str | None = None,
    polarity: Polarity = "positive",
) -> Hit:
    """A fact."""
    text = f"{subject} {predicate.replace('_', ' ')} {object}"
    fact = Fact(
        id=fact_id(subject, predicate, object, polarity), subject=subject, predicate=predicate, object=object,
        text=text, quote=text, span=(0, len(text)), valid_at=valid_at, valid_to=valid_to,
        salience=salience, time_text=time_text, polarity=polarity,
    )  # fmt: skip
    return Hit(rank=None, kind="fact", id=fact.id, episode=episode, score=None, text=text, t_ref=at, fact=fact)
