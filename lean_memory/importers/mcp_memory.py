"""`memory.json` of the MCP reference memory server: entities with observations, and relations, one a line.

Its observations are said of an entity (`Speaks fluent Spanish`), so each becomes a text that names it. The entity also
stands as the note's speaker, so that words without a subject never count as said of the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lean_memory.errors import Malformed
from lean_memory.importers.by_line import ByLine
from lean_memory.importers.ports import Imported
from lean_memory.notes import located
from lean_memory.records import Note
from lean_memory.wire import Line, Object

__all__ = ["McpMemory", "is_mcp_memory"]

_USER: Final = frozenset(("user", "default_user", "default user", "the user", "me"))
_PRONOUN: Final = re.compile(r"(?:he|she|they|it)\s+(?=\S)", re.IGNORECASE)
_OF_USER: Final = re.compile(r"(?:the )?user(?P<own>'s|’s)?\s+(?=\S)", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?=[\s.,;!?]|$)")
# What an observation's first word may be for the entity to be its subject.
_VERBS: Final = frozenset(
    """
    is was has had does did can could will would should may might must are were have isn't wasn't hasn't doesn't
    didn't became began bought built chose drove fell felt found gave got grew held kept knew led left lost made
    met moved paid quit ran read sang saw sold spent spoke taught thought took told went won wrote adopts
    believes buys celebrates collects comes commutes cooks considers dislikes drinks drives eats enjoys expects
    feels finds focuses follows gets goes grows hates helps holds hopes hosts intends keeps knows leads learns
    lives loves likes listens maintains makes manages meets mentions misses moves needs often opposes owns pays
    plans plays practices practises prefers reads recommends rents reports requires runs says seeks sells serves
    shares sings sleeps speaks spends starts stays struggles studies suffers supports swims takes teaches tends
    thinks tracks trains travels trusts tries understands uses values visits volunteers walks wants watches
    wears wishes works worries writes never always usually sometimes currently recently formerly
    """.split()
)
_ENDED: Final = re.compile(r"[a-z]{2,}ed")
_ADJECTIVES: Final = re.compile(
    r"(?:allergic to|born (?:in|on)|based in|married to|interested in|afraid of|fluent in)\b", re.I
)


class McpMemory(ByLine):
    """One line is one entity or one relation; also a line that holds the whole graph."""

    def _read(self, line: Line | Malformed) -> Iterator[Imported]:
        if isinstance(line, Malformed):
            yield line
            return
        try:
            yield from self._record(line.object(), line)
        except Malformed as error:
            if error.hint is None:
                error.hint = "give the server's memory.json, one entity or relation a line"
            yield located(error, line)

    def _record(self, obj: Object, line: Line) -> Iterator[Imported]:
        if obj.get("type") == "entity":
            yield from self._entity(obj, line)
        elif obj.get("type") == "relation":
            yield self._relation(obj)
        elif "type" not in obj and isinstance(obj.get("entities"), list):
            for kind, key in (("entity", "entities"), ("relation", "relations")):
                for inner in obj.get(key) or ():
                    yield from self._record({**inner, "type": kind} if isinstance(inner, dict) else {}, line)
        else:
            raise Malformed(f"line {line.number} is neither an entity nor a relation", code="not_memory")

    def _entity(self, obj: Object, line: Line) -> Iterator[Imported]:
        name, observations = _text(obj, "name"), obj.get("observations")
        if not isinstance(observations, list):
            raise Malformed(f"'observations' of {name[:60]!r} is no list", code="not_memory")
        meta = {"entity": name}
        if isinstance(obj.get("entityType"), str):
            meta["entity_type"] = obj["entityType"]
        for observation in observations:
            if isinstance(observation, dict):  # some servers note a time beside it
                observation = observation.get("content") or observation.get("text")
            if not isinstance(observation, str):
                error = Malformed(
                    f"an observation of {name[:60]!r} is no text", code="not_memory", hint="make it a text"
                )
                yield located(error, line)
            elif observation.strip():
                yield self._observation(name, " ".join(observation.split()), meta)

    def _observation(self, name: str, observation: str, meta: dict[str, Any]) -> Note:
        if (match := _OF_USER.match(observation)) is not None:  # under `Preferences`, say
            text = f"{self._subject('user')}{match['own'] or ''} {observation[match.end() :]}"
            return self._note(text, "user", meta)
        return self._note(_about(self._subject(name), observation), name, meta)

    def _relation(self, obj: Object) -> Note:
        first, relation, second = (_text(obj, key) for key in ("from", "relationType", "to"))
        words = " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", relation).casefold().split())
        return self._note(f"{self._subject(first)} {words} {self._subject(second)}", first, {"entity": first})

    def _subject(self, name: str) -> str:
        user = name.casefold() in _USER
        return self._given.default.speaker or "user" if user else name.replace("_", " ")

    def _note(self, text: str, entity: str, meta: dict[str, Any]) -> Note:
        default = self._given.default
        return Note(
            text=text,
            t_ref=self._moments.at(None),
            tz=default.tz,
            source=self._given.source or "mcp-memory",
            speaker=default.speaker if entity.casefold() in _USER else self._subject(entity),
            session=default.session,
            meta=meta,
        )


def is_mcp_memory(obj: Object) -> bool:
    """Whether a line is one of memory.json's."""
    if obj.get("type") == "entity":
        return isinstance(obj.get("name"), str) and isinstance(obj.get("observations"), list)
    return obj.get("type") == "relation" and all(isinstance(obj.get(k), str) for k in ("from", "to", "relationType"))


def _text(obj: Object, key: str) -> str:
    value = obj.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Malformed(f"field {key!r} must be a text", code="not_memory")
    return " ".join(value.split())


def _about(subject: str, observation: str) -> str:
    """The observation with its entity as the subject, where it does not say it itself."""
    if observation.casefold().startswith((subject.casefold() + " ", subject.casefold() + "'s ")):
        return subject + observation[len(subject) :]
    if subject == "user" and re.match(r"(?:I|My|We|Our)\b", observation):
        return observation
    if (match := _PRONOUN.match(observation)) is not None:
        return f"{subject} {observation[match.end() :]}"
    word = _WORD.match(observation)
    low = word[0].casefold() if word is not None else ""
    lowered = observation[:1].lower() + observation[1:]
    if low in _VERBS or _ENDED.fullmatch(low):
        return f"{subject} {lowered}"
    if _ADJECTIVES.match(observation):
        return f"{subject} is {lowered}"
    if re.match(r"(?:his|her|their|its)\s", observation, re.IGNORECASE):
        return f"{subject}'s {observation.split(' ', 1)[1]}"
    return f"{subject}: {observation}"
