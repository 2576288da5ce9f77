"""The Search page: a query, the parts of each score, and what held on another day."""

from __future__ import annotations

from lean_memory.claims import View
from lean_memory.console.asked import Asked
from lean_memory.console.render import render

__all__ = ["search"]

_DAY = 86_400_000
_K = 20


def search(asked: Asked) -> str:
    """The page. In the query `q` is the question, `day` the day looked at (days since the epoch; today or none is now),
    `cold` whether the cold tier counts."""
    query, cold = asked.query.get("q", ""), asked.query.get("cold") == "1"
    today = asked.memory.now() // _DAY
    times = asked.memory.boundaries(asked.namespace) if asked.namespace else []
    first = min([*(t // _DAY for t in times[:1]), today - 1])
    last = max([*(t // _DAY for t in times[-1:]), today])
    asked_day = asked.number("day")
    day = today if asked_day is None else min(max(first, asked_day), last)
    hits = None
    if query.strip() and asked.namespace:
        view = View(
            now=asked.memory.present(),
            as_of=None if day == today else (day + 1) * _DAY - 1,
            include_cold=cold,
        )
        hits = asked.memory.search(asked.namespace, query, k=_K, view=view, explain=True)
    return render(
        "search.html",
        asked.words,
        **asked.frame(
            "search", query=query, cold=cold, hits=hits, day=day, first=first, last=last, today=today,
            date=day * _DAY, now_selected=day == today,
        ),
    )  # fmt: skip
