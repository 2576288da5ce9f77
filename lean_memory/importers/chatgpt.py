"""A conversation of ChatGPT's export: a tree of messages, of which the branch that was last shown is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lean_memory.importers.moments import Moments
from lean_memory.importers.ports import Imported, Input
from lean_memory.importers.turns import Conversation, seconds, tidy

__all__ = ["chatgpt_notes"]


def chatgpt_notes(conversation: Mapping[str, Any], number: int, given: Input) -> Iterator[Imported]:
    """The user's and the assistant's turns, in order.

    Left out are edited and regenerated branches, hidden and system messages, what goes to and comes from tools,
    reasoning, images and attachments.
    """
    ident = conversation.get("conversation_id") or conversation.get("id")
    of = Conversation(given, number, ident, conversation.get("title"), app="ChatGPT")
    mapping = conversation["mapping"]
    if not isinstance(mapping, dict):
        yield of.error("'mapping' is no object")
        return
    try:
        start = seconds(conversation.get("create_time"))
    except ValueError as error:
        yield of.error(str(error))
        return
    moments = Moments(given.default.t_ref if start is None else start)
    for place, node in enumerate(_branch(mapping, conversation.get("current_node")), start=1):
        message = node.get("message")
        if not isinstance(message, dict) or not _shown(message):
            continue
        text = _text(message)
        if text is None:
            yield of.error("'parts' is no list", message=place)
        elif text:
            try:
                when = moments.at(seconds(message.get("create_time")))
            except ValueError as error:
                yield of.error(str(error), message=place)
                continue
            yield of.note(text, when, assistant=message["author"]["role"] == "assistant")


def _branch(mapping: Mapping[str, Any], leaf: Any) -> list[Mapping[str, Any]]:
    """The nodes from the root to the leaf; without a known leaf, to that of the newest branch."""
    if not isinstance(leaf, str) or leaf not in mapping:
        leaf = _newest_leaf(mapping)
    nodes: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while isinstance(leaf, str) and leaf not in seen:
        seen.add(leaf)
        node = mapping.get(leaf)
        if not isinstance(node, dict):
            break
        nodes.append(node)
        leaf = node.get("parent")
    return nodes[::-1]


def _newest_leaf(mapping: Mapping[str, Any]) -> str | None:
    parents = {node.get("parent") for node in mapping.values() if isinstance(node, dict) and _hashable(node)}
    leaves = [key for key, node in mapping.items() if isinstance(node, dict) and key not in parents]
    return max(enumerate(leaves), key=lambda entry: (_said(mapping[entry[1]]), entry[0]))[1] if leaves else None


def _hashable(node: Mapping[str, Any]) -> bool:
    return node.get("parent") is None or isinstance(node["parent"], str)


def _said(node: Mapping[str, Any]) -> int:
    message = node.get("message")
    try:
        return (seconds(message.get("create_time")) if isinstance(message, dict) else None) or 0
    except ValueError:
        return 0


def _shown(message: Mapping[str, Any]) -> bool:
    """Whether it is a turn that the user wrote or saw."""
    if not isinstance(message.get("author"), dict):
        return False
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    role, recipient = message["author"].get("role"), message.get("recipient")
    return role in ("user", "assistant") and recipient in (None, "all") and not hidden


def _text(message: Mapping[str, Any]) -> str | None:
    """What was typed or spoken; empty for content of other kinds, None for content of no known form."""
    content = message.get("content")
    if not isinstance(content, dict) or content.get("parts") is None:
        return ""  # code for a tool, reasoning, custom instructions
    if not isinstance(content["parts"], list):
        return None
    parts = (part.get("text") if isinstance(part, dict) else part for part in content["parts"])  # dict: transcription
    return tidy("\n".join(part for part in parts if isinstance(part, str)))
