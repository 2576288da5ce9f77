"""A conversation of Claude's export: messages in order, of which the newest branch is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lean_memory.importers.moments import Moments
from lean_memory.importers.ports import Imported, Input
from lean_memory.importers.turns import Conversation, instant, tidy

__all__ = ["claude_notes"]


def claude_notes(conversation: Mapping[str, Any], number: int, given: Input) -> Iterator[Imported]:
    """The user's and the assistant's turns, in order.

    Left out are edited and retried branches, where the export links messages, what goes to and comes from tools,
    thinking, and attachments.
    """
    of = Conversation(given, number, conversation.get("uuid"), conversation.get("name"), app="Claude")
    messages = conversation["chat_messages"]
    if not isinstance(messages, list):
        yield of.error("'chat_messages' is no list")
        return
    try:
        start = instant(conversation.get("created_at"))
    except ValueError as error:
        yield of.error(str(error))
        return
    moments = Moments(given.default.t_ref if start is None else start)
    kept = _branch(messages, conversation.get("current_leaf_message_uuid"))
    for place, message in enumerate(messages, start=1):
        if not isinstance(message, dict):
            yield of.error("it is no object", message=place)
            continue
        if kept is not None and message.get("uuid") not in kept:
            continue
        sender = message.get("sender")
        if sender not in ("human", "assistant"):
            continue
        text = _text(message)
        if text:
            try:
                when = moments.at(instant(message.get("created_at")))
            except ValueError as error:
                yield of.error(str(error), message=place)
                continue
            yield of.note(text, when, assistant=sender == "assistant")


def _branch(messages: Sequence[Any], leaf: Any) -> list[str] | None:
    """The messages from the root to the leaf, by uuid; None where links are missing, so that all count."""
    links = {
        message["uuid"]: message.get("parent_message_uuid")
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("uuid"), str)
    }
    if not any(isinstance(parent, str) and parent in links for parent in links.values()):
        return None
    at = leaf if isinstance(leaf, str) and leaf in links else next(reversed(links))
    found: list[str] = []
    seen: set[str] = set()
    while at in links:
        if at in seen:
            return None  # a circle has no root
        seen.add(at)
        found.append(at)
        parent = links[at]
        if not isinstance(parent, str):
            break
        at = parent
    return found


def _text(message: Mapping[str, Any]) -> str:
    """What was typed or spoken: the text blocks; in older exports, which have none, the text."""
    blocks = message.get("content")
    texts = [
        block.get("text")
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, dict) and block.get("type") in ("text", "voice_note")
    ]
    parts = [text for text in texts if isinstance(text, str)]
    text = "\n".join(part for part in parts if part.strip())
    if not text and not blocks and isinstance(message.get("text"), str):
        text = message["text"]
    return tidy(text)
