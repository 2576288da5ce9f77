"""NDJSON: bytes in, records or located errors out; records in, one line of bytes out. No I/O.

Theory of operation. A `Decoder` is fed chunks of bytes as they come and yields one item a complete line:
a JSON object, or `Malformed` with line number and byte offset, or for a stream of notes the bare text. The
last line needs no newline. A UTF-8 byte order mark before the first line and a CR before a newline are
dropped; blank lines are skipped but counted. JSON is strict: no NaN, no trailing text. Of a repeated key the
last value counts. Integers beyond 64 bits arrive as floats, as JSON leaves open (RFC 8259, 6). Values nest
MAX_DEPTH levels at most, since what is read must be writable again.

`decode_*` turn one object into a record; what a record does not know stays in its `extra` and `encode`
writes it after the known fields, whose order is fixed. Ids follow from content, so a reader computes them: a
line that was edited on its way can't carry the id of what it was.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import orjson

from lean_memory.errors import LeanMemoryError, Malformed, UsageError
from lean_memory.instants import format_instant, parse_instant, zone, zone_name
from lean_memory.records import (
    Change,
    Claimed,
    Difference,
    Episode,
    Fact,
    Hit,
    Note,
    Receipt,
    Vector,
    episode_of,
    fact_id,
)

if TYPE_CHECKING:
    from lean_memory.upkeep import (
        Checked,
        Copy,
        Decision,
        Encryption,
        Erasure,
        Outcome,
        Promotion,
        Proposal,
        Removal,
        Report,
        Status,
        Target,
    )

__all__ = [
    "MAX_DEPTH",
    "MAX_LINE",
    "VERSION",
    "Decoder",
    "Line",
    "Object",
    "Record",
    "decode_decision",
    "decode_episode",
    "decode_note",
    "decode_row",
    "dump",
    "dump_row",
    "encode",
    "encode_error",
    "optional_instant",
    "to_object",
]

VERSION: Final = 1
"""The format's version, `v` of every record."""

MAX_LINE: Final = 64 * 1024 * 1024
"""A longer line is refused, so that a stream without newlines can't fill the memory."""

MAX_DEPTH: Final = 100
"""Deeper nesting is refused. orjson reads 1024 levels but writes 254."""

_PREDICATE: Final = re.compile(r"[a-z][a-z0-9_]*")

Object: TypeAlias = dict[str, Any]

Upkeep: TypeAlias = (
    "Proposal | Decision | Outcome | Report | Status | Copy | Erasure | Checked | Removal | Promotion | Encryption"
)
Record: TypeAlias = "Note | Episode | Receipt | Hit | Change | Difference | Claimed | Upkeep"
"""What has a line of its own."""


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line: its number (from 1), byte offset in the stream, and content without line end."""

    number: int
    offset: int
    data: bytes

    def text(self) -> str:
        """The line as text. Raises Malformed if it is not UTF-8."""
        try:
            if _every_other_is_nul(self.data):  # which UTF-8 allows, and nobody writes
                raise self._not_utf8(0)
            return self.data.decode("utf-8")
        except UnicodeDecodeError as err:
            raise self._not_utf8(err.start) from None

    def _not_utf8(self, at: int) -> Malformed:
        return Malformed(
            f"line {self.number} is not UTF-8 at byte {at}",
            code="not_utf8",
            hint=f"convert the input with: iconv -f {_likely_encoding(self.data)} -t UTF-8",
            line=self.number,
            offset=self.offset,
        )

    def object(self) -> Object:
        """The line as a JSON object. Raises Malformed."""
        self.text()
        try:
            value = orjson.loads(self.data)
        except orjson.JSONDecodeError as err:
            raise Malformed(
                f"line {self.number} is not JSON: {err}",
                code="not_json",
                line=self.number,
                offset=self.offset,
            ) from None
        if not isinstance(value, dict):
            raise Malformed(
                f"line {self.number} is JSON but not an object",
                code="not_object",
                line=self.number,
                offset=self.offset,
            )
        if self.data.count(b"[") + self.data.count(b"{") > MAX_DEPTH and _deeper(value, MAX_DEPTH):
            raise Malformed(
                f"line {self.number} nests more than {MAX_DEPTH} levels",
                code="too_deep",
                line=self.number,
                offset=self.offset,
            )
        return value


def _deeper(value: Any, depth: int) -> bool:
    """Whether lists and objects nest more than `depth` levels. Level by level, as recursion would overflow."""
    level = [value]
    for _ in range(depth):
        level = [
            item
            for held in level
            for item in (held.values() if isinstance(held, dict) else held)
            if isinstance(item, (dict, list))
        ]
    return bool(level)


def _every_other_is_nul(data: bytes) -> bool:
    """Whether it is UTF-16 of Latin letters: their first bytes or their second."""
    return b"\0" in data and any(
        len(half := data[first:64:2]) > 3 and not any(half) and all(data[1 - first : 64 : 2]) for first in (0, 1)
    )


def _likely_encoding(data: bytes) -> str:
    """What the bytes are if they are not UTF-8, by iconv's name: a guess, for a hint."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data.count(0) * 4 > len(data):
        return "UTF-16"
    if all(
        len(run) % 2 == 0 and min(run) > 0xA0 for run in re.findall(rb"[\x80-\xff]+", data)
    ):  # the pairs of bytes of GB2312
        return "GB18030"
    return "CP1252" if re.search(rb"[\x80-\x9f]", data) else "LATIN1"


class Decoder:
    """Splits a byte stream into lines. Holds at most one unfinished line. `blank` yields blank lines too."""

    def __init__(self, *, blank: bool = False) -> None:
        self._blank = blank
        self._parts: list[bytes] = []
        self._held = 0
        self._number = 0
        self._offset = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> Iterator[Line | Malformed]:
        """Yields every line that `chunk` completes, in order."""
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            yield from self._take(chunk[start:end], ended=True)
            start = end + 1
        if start < len(chunk):
            yield from self._take(chunk[start:], ended=False)

    def close(self) -> Iterator[Line | Malformed]:
        """Yields the last line, when no newline ended it."""
        if self._parts or self._skipping:
            yield from self._take(b"", ended=True, newline=0)

    def _take(self, part: bytes, *, ended: bool, newline: int = 1) -> Iterator[Line | Malformed]:
        self._held += len(part)
        if not self._skipping:
            self._parts.append(part)
            if self._held > MAX_LINE:
                self._skipping = True
                self._parts.clear()
        if not ended:
            return
        self._number += 1
        number, offset = self._number, self._offset
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        skipped = self._skipping
        self._offset += self._held + newline
        self._parts.clear()
        self._held, self._skipping = 0, False
        if skipped:
            yield Malformed(
                f"line {number} is longer than {MAX_LINE >> 20} MiB",
                code="line_too_long",
                hint="split it into paragraphs",
                line=number,
                offset=offset,
            )
            return
        if number == 1 and data.startswith(b"\xef\xbb\xbf"):
            data = data[3:]
        data = data.removesuffix(b"\r")
        if self._blank or data.strip():
            yield Line(number, offset, data)


# ---------------------------------------------------------------------------------------------- reading

_NOTE_FIELDS = frozenset(("type", "v", "text", "t_ref", "tz", "source", "speaker", "session", "meta"))
_EPISODE_FIELDS = _NOTE_FIELDS | {"id", "facts", "aliases", "vector"}
_FACT_FIELDS = frozenset(
    ("id", "subject", "predicate", "object", "polarity", "text", "quote", "span", "valid_at", "valid_to",
     "time_text", "relation", "cue", "confidence", "salience", "route", "vector")
)  # fmt: skip


def decode_note(obj: Object, *, default: Note) -> Note:
    """A note from an object with `text`; `default` stands in for what it does not say.

    Raises:
        Malformed: `text` is missing, or a field has the wrong type.
    """
    _check_type(obj, ("note", "episode"))
    when, tz = default.t_ref, default.tz
    if obj.get("t_ref") is not None:
        when, tz = _instant(obj, "t_ref", tz=_zone(obj) or default.tz)
    return Note(
        text=_string(obj, "text"),
        t_ref=when,
        tz=tz if obj.get("tz") is None else _zone(obj),
        source=_optional(obj, "source") or default.source,
        speaker=_optional(obj, "speaker") or default.speaker,
        session=_optional(obj, "session") or default.session,
        meta=_mapping(obj, "meta"),
        extra=_extra(obj, _EPISODE_FIELDS),
    )


def decode_episode(obj: Object) -> Episode:
    """An episode line with its facts. Raises Malformed."""
    _check_type(obj, ("episode",))
    _string(obj, "t_ref")
    note = decode_note(obj, default=Note(text="", t_ref=0))
    facts = obj.get("facts", [])
    if not isinstance(facts, list):
        raise _wrong("facts", "a list")
    drawn = [_fact(item, note.text) for item in facts]
    return episode_of(note, drawn, aliases=_aliases(obj), vector=_vector(obj))


def decode_decision(obj: Object) -> Decision:
    """A reviewer's decision. Raises Malformed."""
    from lean_memory.upkeep import VERDICTS, Decision

    _check_type(obj, ("decision",))
    verdict = obj.get("verdict")
    if verdict not in VERDICTS:
        raise _wrong("verdict", ", ".join(VERDICTS))
    return Decision(
        proposal=_string(obj, "proposal"), verdict=verdict, edits=_mapping(obj, "edits"),
        extra=_extra(obj, frozenset(("type", "v", "proposal", "verdict", "edits"))),
    )  # fmt: skip


def _fact(obj: Any, text: str) -> Fact:
    if not isinstance(obj, dict):
        raise _wrong("facts", "a list of objects")
    span = obj.get("span")
    if not (isinstance(span, list) and len(span) == 2 and all(type(n) is int for n in span)):
        raise _wrong("span", "two integers")
    begin, end = span
    quote = _string(obj, "quote")
    if not (0 <= begin <= end <= len(text)) or text[begin:end] != quote:
        raise Malformed(f"span {span} does not quote the episode's text", code="bad_span")
    polarity = obj.get("polarity", "positive")
    if polarity not in ("positive", "negative"):
        raise _wrong("polarity", "positive or negative")
    relation = obj.get("relation", "asserts")
    if relation not in ("asserts", "derives"):
        raise _wrong("relation", "asserts or derives")
    cue = obj.get("cue")
    if cue not in (None, "adds", "corrects", "replaces"):
        raise _wrong("cue", "adds, corrects, replaces or null")
    valid_at, valid_to = optional_instant(obj, "valid_at"), optional_instant(obj, "valid_to")
    if valid_at is not None and valid_to is not None and valid_to < valid_at:
        raise Malformed("valid_to is before valid_at", code="bad_interval")
    subject, predicate, value = (_string(obj, key) for key in ("subject", "predicate", "object"))
    if not _PREDICATE.fullmatch(predicate):
        raise _wrong("predicate", "a name such as works_at")
    return Fact(
        id=fact_id(subject, predicate, value, polarity),
        subject=subject,
        predicate=predicate,
        object=value,
        polarity=polarity,
        text=_string(obj, "text"),
        quote=quote,
        span=(begin, end),
        valid_at=valid_at,
        valid_to=valid_to,
        time_text=_optional(obj, "time_text"),
        relation=relation,
        cue=cue,
        confidence=_number(obj, "confidence", 0.0, 1.0, 1.0),
        salience=_number(obj, "salience", 0.0, 10.0, 5.0),
        route=_optional(obj, "route") or "rules",
        vector=_vector(obj),
        extra=_extra(obj, _FACT_FIELDS),
    )


def _aliases(obj: Object) -> Mapping[str, str]:
    aliases = _mapping(obj, "aliases")
    if not all(isinstance(name, str) for name in aliases.values()):
        raise _wrong("aliases", "an object of names")
    return aliases


def _vector(obj: Object) -> Vector | None:
    value = obj.get("vector")
    if value is None:
        return None
    try:
        model, dim, data = value["model"], value["dim"], base64.b64decode(value["b64"], validate=True)
    except (TypeError, KeyError, binascii.Error, ValueError):
        raise _wrong("vector", '{"model","dim","b64"}') from None
    if not isinstance(model, str) or type(dim) is not int or dim <= 0 or len(data) != 4 * dim:
        raise Malformed("vector: dim does not fit its bytes", code="bad_vector")
    if not math.isfinite(math.fsum(struct.unpack(f"<{dim}f", data))):
        raise Malformed("vector: not all of its numbers are finite", code="bad_vector")
    return Vector(model, dim, data)


def _check_type(obj: Object, accepted: tuple[str, ...]) -> None:
    kind = obj.get("type", accepted[0])
    if kind not in accepted:
        raise Malformed(f"a record of type {kind!r} is not expected here", code="wrong_type",
                        hint=f"expected {' or '.join(accepted)}")  # fmt: skip
    version = obj.get("v", VERSION)
    if type(version) is not int or version < 1:
        raise _wrong("v", "a positive integer")
    if version > VERSION:
        raise Malformed(f"format version {version} is newer than this program's {VERSION}", code="too_new",
                        hint="upgrade with: pip install -U lean-memory")  # fmt: skip


def _wrong(key: str, want: str) -> Malformed:
    return Malformed(f"field {key!r} must be {want}", code="bad_field")


def _string(obj: Object, key: str) -> str:
    value = obj.get(key)
    if not isinstance(value, str):
        raise _wrong(key, "a string")
    return value


def _optional(obj: Object, key: str) -> str | None:
    return None if obj.get(key) is None else _string(obj, key)


def _zone(obj: Object) -> str | None:
    name = _optional(obj, "tz")
    if name is None:
        return None
    try:
        return zone_name(zone(name))
    except UsageError as err:
        raise Malformed(f"field 'tz': {err.message}", code="bad_zone", hint=err.hint) from None


def _mapping(obj: Object, key: str) -> Mapping[str, Any]:
    value = obj.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong(key, "an object")
    return value


def _number(obj: Object, key: str, low: float, high: float, default: float) -> float:
    value = obj.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise _wrong(key, f"a number from {low:g} to {high:g}")
    return float(value)


def optional_instant(obj: Object, key: str) -> int | None:
    """The time in a field, in milliseconds; None when it is absent or null. Raises Malformed."""
    return None if obj.get(key) is None else _instant(obj, key)[0]


def _instant(obj: Object, key: str, *, tz: str | None = None) -> tuple[int, str | None]:
    try:
        return parse_instant(_string(obj, key), tz=zone(tz or "UTC"))
    except UsageError as err:
        raise Malformed(f"field {key!r}: {err.message}", code="bad_time", hint=err.hint) from None


def _extra(obj: Object, known: frozenset[str]) -> Object:
    return {key: value for key, value in obj.items() if key not in known}


# ---------------------------------------------------------------------------------------------- writing


def encode(record: Record) -> bytes:
    """One line, newline included."""
    return dump(to_object(record))


def dump(obj: Object) -> bytes:
    """One line of any object, newline included. Numbers must be finite: JSON has no NaN.

    A file's name may be bytes that are no text; they are written as Python does, `\\udcff`. What JSON allows as it is,
    though a terminal obeys it, is escaped: the value is the same.
    """
    try:
        line = orjson.dumps(obj, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        line = orjson.dumps(_whole(obj), option=orjson.OPT_APPEND_NEWLINE)
    if line.isascii() and b"\x7f" not in line:
        return line
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", line.decode()).encode()


# Of ASCII JSON escapes all but DEL. Here are that, controls of C1, breaks of lines, marks and overrides of direction.
_OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_whole(key): _whole(part) for key, part in value.items()}
    return [_whole(part) for part in value] if isinstance(value, list | tuple) else value


def to_object(record: Record) -> Object:
    """The record as a JSON object with its keys in the fixed order."""
    match record:
        case Note():
            return {"type": "note", "v": VERSION, **_note_fields(record), **record.extra}
        case Episode():
            return {
                "type": "episode", "v": VERSION, "id": record.id, **_note_fields(record),
                "facts": [_fact_object(fact) for fact in record.facts],
                **({"aliases": dict(record.aliases)} if record.aliases else {}),
                **_vector_field(record.vector), **record.extra,
            }  # fmt: skip
        case Receipt():
            return {
                "type": "receipt", "v": VERSION, "id": record.id, "status": record.status,
                "added": record.added, "reinforced": record.reinforced, "superseded": record.superseded,
                **({"decisions": record.decisions} if record.decisions else {}), **record.extra,
            }  # fmt: skip
        case Hit():
            return _hit_object(record)
        case Change():
            return {
                "type": "change", "v": VERSION, "at": format_instant(record.at), "action": record.action,
                "fact": record.fact, **_told(record.told), "episode": record.episode, "quote": record.quote,
                "said_at": None if record.said_at is None else format_instant(record.said_at),
                "cause": dict(record.cause),
            }  # fmt: skip
        case Difference():
            return {
                "type": "difference", "v": VERSION, "action": record.action, "fact": record.fact.id,
                **_told(record.fact), "by": record.by, "episode": record.episode, "quote": record.quote,
            }  # fmt: skip
        case Claimed():
            return {
                "type": "evidence", "v": VERSION, "fact": record.fact.id, "said_at": format_instant(record.t_ref),
                "recorded_at": format_instant(record.recorded_at), "episode": record.episode,
                "episode_text": record.text, "speaker": record.speaker, "session": record.session,
                "source": record.source, **_fact_fields(record.fact),
            }  # fmt: skip
        case _:
            return _upkeep_object(record)


def _upkeep_object(record: Upkeep) -> Object:
    """The records of maintenance and review. Imported here: most processes see none, and twenty classes take time."""
    from lean_memory.upkeep import (
        Checked,
        Copy,
        Decision,
        Encryption,
        Erasure,
        Outcome,
        Promotion,
        Proposal,
        Removal,
        Report,
        Status,
    )

    match record:
        case Proposal():
            return _proposal_object(record)
        case Decision():
            return {
                "type": "decision", "v": VERSION, "proposal": record.proposal, "verdict": record.verdict,
                "edits": dict(record.edits), **record.extra,
            }  # fmt: skip
        case Outcome():
            return {
                "type": "outcome", "v": VERSION, "proposal": record.proposal, "verdict": record.verdict,
                "outcome": record.outcome, "status": record.status, "message": record.message,
                "changed": record.changed, "summary": record.summary, **record.extra,
            }  # fmt: skip
        case Report():
            return _report_object(record)
        case Status():
            return _status_object(record)
        case Checked():
            return {
                "type": "check", "v": VERSION, "namespace": record.namespace, "sound": not record.wrong,
                "wrong": record.wrong,
            }  # fmt: skip
        case Removal():
            return {"type": "removal", "v": VERSION, "namespace": record.namespace, "files": record.files}
        case Encryption():
            return {
                "type": "encryption", "v": VERSION, "namespace": record.namespace, "encrypted": record.encrypted,
                "changed": record.changed,
            }  # fmt: skip
        case Promotion():
            return {"type": "promotion", "v": VERSION, "namespace": record.namespace, "facts": record.facts}
        case Copy():
            return {
                "type": "backup", "v": VERSION, "namespace": record.namespace, "path": record.path,
                "bytes": record.bytes, "facts": record.facts, "episodes": record.episodes,
            }  # fmt: skip
        case Erasure():
            return {
                "type": "erasure", "v": VERSION, "namespace": record.namespace, "at": format_instant(record.at),
                "facts": record.facts, "episodes": record.episodes, "redacted": record.redacted,
                "summaries": record.summaries, "proposals": record.proposals, "scanned": record.scanned,
                "remains": record.remains,
            }  # fmt: skip


def _proposal_object(record: Proposal) -> Object:
    return {
        "type": "proposal", "v": VERSION, "id": record.id, "kind": record.kind, "entity": record.entity,
        "namespace": record.namespace, "targets": [_target_object(target) for target in record.targets],
        "payload": dict(record.payload), "evidence": dict(record.evidence), "status": record.status,
        "created_at": format_instant(record.created_at), "expires_at": format_instant(record.expires_at),
        "decided_at": _moment(record.decided_at), "decided_by": record.decided_by,
        "decision": None if record.decision is None else dict(record.decision),
    }  # fmt: skip


def _target_object(target: Target) -> Object:
    return {
        "role": target.role, "tier": target.tier, "said_at": _moment(target.said_at), "claims": target.claims,
        "hits": target.hits, "value": _round(target.value), "id": target.fact.id, **_fact_fields(target.fact),
    }  # fmt: skip


def _report_object(record: Report) -> Object:
    return {
        "type": "report", "v": VERSION, "namespace": record.namespace, "run": record.run, "trigger": record.trigger,
        "applied": record.applied, "status": record.status, "at": format_instant(record.at),
        "counts": dict(record.counts),
        "actions": [
            {
                "action": action.action, "fact": action.fact, "text": action.text, "into": action.into,
                "value": None if action.value is None else _round(action.value),
            }
            for action in record.actions
        ],
        "proposals": [_proposal_object(proposal) for proposal in record.proposals],
        "reasons": record.reasons, "proved": record.proved, "differing": record.differing, "config": record.config,
        "duration_ms": record.duration_ms,
    }  # fmt: skip


def _status_object(record: Status) -> Object:
    return {
        "type": "status", "v": VERSION, "namespace": record.namespace, "episodes": record.episodes,
        "hot": record.hot, "cold": record.cold, "summaries": record.summaries, "pending": record.pending,
        "expires_next": _moment(record.expires_next), "due": record.due, "reasons": record.reasons,
        "since": {key: _round(value) for key, value in record.since.items()},
        "runs": [
            {
                "id": run.id, "trigger": run.trigger, "status": run.status, "config": run.config,
                "started_at": format_instant(run.started_at), "ended_at": _moment(run.ended_at),
                "counts": dict(run.counts),
            }
            for run in record.runs
        ],
        "holder": record.holder,
    }  # fmt: skip


def _moment(millis: int | None) -> str | None:
    return None if millis is None else format_instant(millis)


def dump_row(row: Mapping[str, Any]) -> bytes:
    """A line of a dump: a row of a table, or the schema version before the first."""
    return dump({"type": "row", "v": VERSION, **row})


def decode_row(obj: Object) -> Object:
    """What `dump_row` was given. Raises Malformed."""
    _check_type(obj, ("row",))
    return {key: value for key, value in obj.items() if key not in ("type", "v")}


def _told(fact: Fact | None) -> Object:
    """What a fact says, without how it was found."""
    if fact is None:
        return {}
    fields = _fact_fields(fact)
    return {key: fields[key] for key in ("subject", "predicate", "object", "polarity", "text", "valid_at", "valid_to")}


def encode_error(error: LeanMemoryError, *, command: str) -> bytes:
    """An `error` record, as the commands write it to a stderr that is not a terminal."""
    line = getattr(error, "line", None)
    return dump(
        {"type": "error", "v": VERSION, "command": command, "code": error.code, "line": line,
         "message": error.message, "hint": error.hint}
    )  # fmt: skip


def _note_fields(record: Note | Episode) -> Object:
    return {
        "text": record.text, "t_ref": format_instant(record.t_ref),
        **({"tz": record.tz} if record.tz else {}),
        "source": record.source, "speaker": record.speaker, "session": record.session, "meta": dict(record.meta),
    }  # fmt: skip


def _fact_fields(fact: Fact) -> Object:
    return {
        "subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "polarity": fact.polarity,
        "text": fact.text, "quote": fact.quote, "span": fact.span,
        "valid_at": None if fact.valid_at is None else format_instant(fact.valid_at),
        "valid_to": None if fact.valid_to is None else format_instant(fact.valid_to),
        "time_text": fact.time_text, "relation": fact.relation, "cue": fact.cue,
        "confidence": _round(fact.confidence), "salience": _round(fact.salience), "route": fact.route,
    }  # fmt: skip


def _fact_object(fact: Fact) -> Object:
    return {"id": fact.id, **_fact_fields(fact), **_vector_field(fact.vector), **fact.extra}


def _vector_field(vector: Vector | None) -> Object:
    if vector is None:
        return {}
    b64 = base64.b64encode(vector.data).decode("ascii")
    return {"vector": {"model": vector.model, "dim": vector.dim, "b64": b64}}


def _hit_object(hit: Hit) -> Object:
    obj: Object = {
        "type": "hit", "v": VERSION, **hit.extra, "rank": hit.rank, "kind": hit.kind, "id": hit.id,
        "episode": hit.episode, "score": None if hit.score is None else _round(hit.score), "text": hit.text,
        "speaker": hit.speaker, "session": hit.session,
        "t_ref": None if hit.t_ref is None else format_instant(hit.t_ref),
    }  # fmt: skip
    if hit.fact is not None:
        obj |= {key: value for key, value in _fact_fields(hit.fact).items() if key != "text"}
    if hit.parts is not None:
        obj["parts"] = {key: _round(value) for key, value in hit.parts.items()}
    return obj


def _round(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("only finite numbers can be written")
    return round(value, 6)
