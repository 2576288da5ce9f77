"""Pages from templates. Whatever a memory holds is escaped, in every place, by the engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from lean_memory.console.language import LANGUAGES, Words, words
from lean_memory.console.marks import marked
from lean_memory.instants import format_instant

if TYPE_CHECKING:
    from lean_memory.records import Fact

__all__ = ["day", "interval", "render"]

_PAGES: Final = Path(__file__).parent / "pages"


def render(template: str, tongue: Words, **values: Any) -> str:
    """The template's text in a language."""
    languages = {code: words(code).say("name") for code in LANGUAGES}
    page = _engine().get_template(template)
    return page.render(say=tongue.say, words=tongue, lang=tongue.code, languages=languages, **values)


def day(millis: int | None) -> str:
    """`2026-03-10`, in UTC as everything is; of no time, a question mark."""
    return "?" if millis is None else format_instant(millis)[:10]


def moment(millis: int) -> str:
    """`2026-03-10 12:00:05`."""
    return format_instant(millis)[:19].replace("T", " ")


def interval(fact: Fact, tongue: Words) -> str:
    """When it holds, in words."""
    start = day(fact.valid_at)
    if fact.valid_to is None:
        return tongue.say("search.since", start=start)
    return tongue.say("search.from_to", start=start, end=day(fact.valid_to))


def link(path: str, **query: object) -> str:
    """An address of the console; what is None or empty is left out."""
    kept = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(kept)}" if kept else path


def percent(value: float) -> str:
    """Of a number in [0, 1], as a length in a drawing."""
    return f"{100 * min(1.0, max(0.0, value)):.1f}%"


def size(count: int) -> str:
    """Bytes, for people."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count = count / 1000  # type: ignore[assignment]
    return f"{count:.1f} GB"


@cache
def _engine() -> Environment:
    engine = Environment(
        loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    engine.filters.update(day=day, moment=moment, percent=percent, size=size)
    engine.globals.update(link=link, marked=marked, interval=interval)
    return engine
