"""memory_add: a text in, and what was learned from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lean_memory.errors import UsageError
from lean_memory.mcp_server import parameters, schema, telling
from lean_memory.mcp_server.answer import Answer, Tool
from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.fence import NOTICE, fenced
from lean_memory.mcp_server.tools.standing import standing

if TYPE_CHECKING:
    from lean_memory.records import Fact, Receipt

__all__ = ["ADD"]

_SIGNS = {"added": "learned", "reinforced": "known already", "superseded": "no longer so"}


def add(call: Call) -> Answer:
    """Stores the text, and says which facts it changed."""
    from lean_memory.extract.loopguard import recalled
    from lean_memory.wire import to_object

    text = call.given["text"]
    if not text.strip():
        raise UsageError("the text is blank", hint="give memory_add the words that were said")
    names = ("source", "speaker", "session")
    receipt = call.memory.add(
        call.namespace,
        text,
        t_ref=call.given.get("said_at"),
        tz=call.given.get("time_zone"),
        **{name: call.given[name] for name in names if name in call.given},
    )
    changed = list(_changed(call, receipt))
    now = standing(call, [fact for _, fact in changed])
    set_aside = sum(end - start for start, end in recalled(text))
    facts = [_object(change, fact, now(fact)) for change, fact in changed]
    lines = [f"{_SIGNS[change]}: {telling.stands(call, fact, now)}" for change, fact in changed]
    data: dict[str, Any] = {
        "namespace": call.namespace,
        "notice": NOTICE,
        "receipt": to_object(receipt),
        "facts": facts,
        "recalled_characters": set_aside,
    }
    return Answer("\n".join(_told(call, receipt, lines, set_aside)), data)


def _changed(call: Call, receipt: Receipt) -> Iterator[tuple[str, Fact]]:
    """The facts that the receipt names."""
    from lean_memory.claims import LogFilter

    for change in _SIGNS:
        for id in getattr(receipt, change):
            told = [entry.told for entry in call.memory.history(call.namespace, LogFilter(fact=id)) if entry.told]
            if told:
                yield change, told[-1]


def _object(change: str, told: Fact, stands: Fact | None) -> dict[str, Any]:
    """One changed fact of the structured answer."""
    from lean_memory.instants import format_instant

    times = (stands.valid_at, stands.valid_to) if stands else (None, None)
    valid_at, valid_to = (None if time is None else format_instant(time) for time in times)
    return {
        "change": change, "id": told.id, "text": told.text, "valid_at": valid_at, "valid_to": valid_to,
        "withdrawn": stands is None,
    }  # fmt: skip


def _told(call: Call, receipt: Receipt, lines: list[str], set_aside: int) -> Iterator[str]:
    if receipt.status == "rejected":
        yield f"Not stored: {receipt.extra.get('reason', 'the memory refused it')}"
        return
    where = f"in the memory {call.namespace!r}"
    yield f"It stood {where} already." if receipt.status == "already_stored" else f"Stored {where}, word for word."
    if set_aside:
        yield f"{set_aside} characters of it were recalled from a memory: no facts are drawn from those."
    if lines:
        yield fenced(lines, **call.told())
    elif receipt.status == "stored":
        yield "No facts were drawn from it; the text itself can be searched."


ADD = Tool(
    name="memory_add",
    title="Add to the memory",
    description="Keeps a text word for word and draws the facts from it that it states: who, what, since when. A fact"
    " that contradicts a known one supersedes it, and both keep their time; nothing is lost. Give it what somebody"
    " said, in the first person where it was said so (`I moved to Lisbon yesterday.`), one turn or paragraph at a time."
    " Questions, wishes and text recalled from a memory state nothing. The same text with the same said_at is stored"
    " once.",
    takes={
        "text": {"type": "string", "minLength": 1, "description": "What was said, in its own words."},
        "namespace": parameters.NAMESPACE,
        "said_at": parameters.instant("When it was said, if not now; `yesterday` in it counts from there."),
        "speaker": {
            "type": "string",
            "minLength": 1,
            "description": "Name of who said it, so that `I` is theirs. Leave it out for the user.",
        },
        "source": {
            "enum": ["user", "assistant"],
            "default": "user",
            "description": "`assistant` for what a model wrote: kept and searchable, but no facts are drawn from it.",
        },
        "session": {"type": "string", "minLength": 1, "description": "The conversation it belongs to, by any name."},
        "time_zone": parameters.TIME_ZONE,
    },
    needs=("text",),
    gives=schema.answer(
        namespace=schema.NAMESPACE,
        notice={"type": "string", "description": "What the facts are: reference data."},
        receipt=schema.record("receipt"),
        facts={
            "type": "array",
            "description": "What the text changed.",
            "items": schema.answer(
                change={"enum": list(_SIGNS), "description": "added, reinforced or superseded."},
                id={"type": "string", "description": "The fact's."},
                text={"type": "string", "description": "The fact as a sentence."},
                valid_at={"type": ["string", "null"], "description": "Since when it holds; null is unknown."},
                valid_to={"type": ["string", "null"], "description": "Until when; null is: no end yet."},
                withdrawn={"type": "boolean", "description": "It is not believed any more to have been true ever."},
            ),
        },
        recalled_characters={
            "type": "integer",
            "minimum": 0,
            "description": "How much of the text came from a memory and was not read for facts.",
        },
    ),
    run=add,
)
