"""A record becomes one line, the line is valid against its schema, and reading it gives the record back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import ValidationError

from lean_memory.errors import LeanMemoryError, Malformed
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
    episode_id,
    fact_id,
)
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
from lean_memory.wire import (
    Line,
    decode_decision,
    decode_episode,
    decode_note,
    dump,
    dump_row,
    encode,
    encode_error,
    to_object,
)
from tests import schemas
from tests.wire import strategies as some

NOON = 1_773_144_000_000
ANY_RECORD = some.notes() | some.episodes() | some.receipts() | some.hits() | some.changes()


def read(line: bytes) -> dict[str, Any]:
    assert line.endswith(b"\n")
    return Line(1, 0, line.removesuffix(b"\n")).object()


@given(ANY_RECORD)
def test_every_record_is_one_valid_line(record: Any) -> None:
    line = encode(record)
    assert line.count(b"\n") == 1
    obj = json.loads(line)
    schemas.check(obj)
    for fact in obj.get("facts", []):
        schemas.check(fact, "fact")


@given(some.episodes())
def test_an_episode_reads_back_as_it_was(episode: Episode) -> None:
    assert decode_episode(read(encode(episode))) == episode


@given(some.notes())
def test_a_note_reads_back_as_it_was(note: Note) -> None:
    assert decode_note(read(encode(note)), default=Note(text="", t_ref=NOON, source="other")) == note


@given(ANY_RECORD)
def test_writing_again_gives_the_same_bytes(record: Any) -> None:
    line = encode(record)
    assert dump(read(line)) == line


@given(some.episodes())
def test_reading_and_writing_passes_a_line_through_untouched(episode: Episode) -> None:
    line = encode(episode)
    assert encode(decode_episode(read(line))) == line


@given(unknown=some.unknown, inner=some.unknown)
def test_unknown_fields_pass_through_on_a_line_and_on_its_facts(unknown: dict[str, Any], inner: dict[str, Any]) -> None:
    obj = to_object(EPISODE) | unknown
    obj["facts"] = [obj["facts"][0] | inner]
    assert json.loads(encode(decode_episode(read(dump(obj))))) == json.loads(dump(obj))


FACT = Fact(
    id=fact_id("user", "works_at", "Acme"),
    subject="user",
    predicate="works_at",
    object="Acme",
    text="user works at Acme",
    quote="I work at Acme",
    span=(0, 14),
    valid_at=NOON,
    vector=Vector("stub", 1, b"\0\0\x80?"),
)
NOTE = Note(text="I work at Acme.", t_ref=NOON, tz="+05:45")
EPISODE = Episode(
    id=episode_id(NOTE), text=NOTE.text, t_ref=NOON, tz="+05:45", facts=(FACT,), vector=Vector("stub", 1, b"\0\0\x80?")
)
HIT = Hit(rank=1, kind="fact", id=FACT.id, episode=EPISODE.id, score=0.5, text=FACT.text, t_ref=NOON, fact=FACT,
          parts={"relevance": 1.0}, extra={"qid": 7})  # fmt: skip

NOTE_KEYS = ["text", "t_ref", "tz", "source", "speaker", "session", "meta"]
FACT_KEYS = ["subject", "predicate", "object", "polarity", "text", "quote", "span", "valid_at", "valid_to", "time_text",
             "relation", "cue", "confidence", "salience", "route"]  # fmt: skip
HIT_KEYS = ["rank", "kind", "id", "episode", "score", "text", "speaker", "session", "t_ref"]


@pytest.mark.parametrize(
    ("record", "keys"),
    [
        (NOTE, ["type", "v", *NOTE_KEYS]),
        (EPISODE, ["type", "v", "id", *NOTE_KEYS, "facts", "vector"]),
        (Receipt(id=EPISODE.id, status="stored"), ["type", "v", "id", "status", "added", "reinforced", "superseded"]),
        (HIT, ["type", "v", "qid", *HIT_KEYS, *[key for key in FACT_KEYS if key != "text"], "parts"]),
    ],
    ids=["note", "episode", "receipt", "hit"],
)
def test_the_order_of_keys_is_fixed(record: Any, keys: list[str]) -> None:
    assert list(to_object(record)) == keys


def test_the_order_of_a_facts_keys_is_fixed() -> None:
    assert list(to_object(EPISODE)["facts"][0]) == ["id", *FACT_KEYS, "vector"]


def test_a_hit_of_an_episode_has_no_field_of_a_fact() -> None:
    hit = Hit(rank=1, kind="episode", id=EPISODE.id, episode=EPISODE.id, score=0.5, text=EPISODE.text)
    assert list(to_object(hit)) == ["type", "v", *HIT_KEYS]


def test_times_are_utc_with_milliseconds() -> None:
    assert to_object(NOTE)["t_ref"] == "2026-03-10T12:00:00.000Z"


def test_a_line_of_the_first_version_is_byte_for_byte_this() -> None:
    assert encode(EPISODE).decode() == (
        '{"type":"episode","v":1,"id":"d803afc6bec7a0c9eb09d637468c035d","text":"I work at Acme.",'
        '"t_ref":"2026-03-10T12:00:00.000Z","tz":"+05:45","source":"user","speaker":null,"session":null,"meta":{},'
        '"facts":[{"id":"e0318de40920c2444ab68fcb0a655d2e","subject":"user","predicate":"works_at","object":"Acme",'
        '"polarity":"positive","text":"user works at Acme","quote":"I work at Acme","span":[0,14],'
        '"valid_at":"2026-03-10T12:00:00.000Z","valid_to":null,"time_text":null,"relation":"asserts","cue":null,'
        '"confidence":1.0,"salience":5.0,"route":"rules","vector":{"model":"stub","dim":1,"b64":"AACAPw=="}}],'
        '"vector":{"model":"stub","dim":1,"b64":"AACAPw=="}}\n'
    )


def test_an_edited_line_does_not_keep_the_id_of_what_it_was() -> None:
    obj = to_object(EPISODE)
    obj["text"] = "I work at Apex."
    obj["facts"][0] |= {"object": "Apex", "quote": "I work at Apex"}
    episode = decode_episode(read(dump(obj)))
    assert episode.id != EPISODE.id
    assert episode.facts[0].id == fact_id("user", "works_at", "Apex")


def test_ids_may_be_left_to_the_reader() -> None:
    obj = to_object(EPISODE)
    del obj["id"], obj["facts"][0]["id"]
    assert decode_episode(read(dump(obj))) == EPISODE


@given(
    st.builds(Malformed, some.texts.filter(bool), hint=st.none() | some.texts, line=st.none() | st.integers(1, 2**63))
)
def test_an_error_is_one_valid_line(error: LeanMemoryError) -> None:
    obj = json.loads(encode_error(error, command="lm-store"))
    schemas.check(obj)
    assert list(obj) == ["type", "v", "command", "code", "line", "message", "hint"]


ERROR = json.loads(encode_error(Malformed("not JSON", line=1), command="lm-store"))
CHANGE = Change(at=NOON, action="asserted", fact=FACT.id, episode=None)
TARGET = Target(fact=FACT, role="evicted", tier="hot", said_at=NOON, claims=1, hits=0, value=0.1)
PROPOSAL = Proposal(
    id=FACT.id, kind="eviction", entity="user", namespace="work", targets=(TARGET,), payload={"facts": [FACT.id]},
    evidence={"value": 0.1}, status="pending", created_at=NOON, expires_at=NOON + 1,
)  # fmt: skip
REPORT = Report(
    namespace="work", run=None, trigger="manual", applied=False, status="done", at=NOON, counts={"proposed": 1},
    proposals=(PROPOSAL,),
)  # fmt: skip
STATUS = Status(
    namespace="work", episodes=1, hot=1, cold=0, summaries=0, pending=1, expires_next=NOON, due=True,
    reasons=("never run",), since={"facts": 1}, runs=(), holder=None,
)  # fmt: skip
ERASURE = Erasure(
    namespace="work", at=NOON, facts=1, episodes=0, redacted=1, summaries=0, proposals=0, scanned=4096, remains=0
)
EXAMPLES = {
    "target": to_object(PROPOSAL)["targets"][0], "proposal": to_object(PROPOSAL), "report": to_object(REPORT),
    "decision": to_object(Decision(proposal=FACT.id, verdict="keep")), "status": to_object(STATUS),
    "outcome": to_object(
        Outcome(proposal=FACT.id, verdict="keep", outcome="applied", status="kept", message="it stays as it is")
    ),
    "backup": to_object(Copy(namespace="work", path="work.db", bytes=1, facts=1, episodes=1)),
    "erasure": to_object(ERASURE),
    "check": to_object(Checked(namespace="work", wrong=())),
    "encryption": to_object(Encryption(namespace="work", encrypted=True, changed=True)),
    "removal": to_object(Removal(namespace="work", files=("work.db",))),
    "promotion": to_object(Promotion(namespace="work", facts=(FACT.id,))),
    "change": to_object(CHANGE),
    "difference": to_object(Difference(action="added", fact=FACT)),
    "evidence": to_object(
        Claimed(
            episode=EPISODE.id, text=EPISODE.text, t_ref=NOON, speaker=None, session=None, source="user",
            recorded_at=NOON, fact=FACT,
        )
    ),
    "row": json.loads(dump_row({"schema": 1})),
    "episode": to_object(EPISODE), "error": ERROR, "fact": to_object(EPISODE)["facts"][0],
    "hit": to_object(HIT), "note": to_object(NOTE), "receipt": to_object(Receipt(id=EPISODE.id, status="stored")),
}  # fmt: skip


def test_a_decision_comes_back_as_it_was_written() -> None:
    decision = Decision(proposal=FACT.id, verdict="edit", edits={"text": "shorter"}, extra={"note": "why not"})
    assert decode_decision(read(encode(decision))) == decision


def test_a_decision_with_another_verdict_is_malformed() -> None:
    with pytest.raises(Malformed, match="approve, keep, edit, promote"):
        decode_decision({"proposal": FACT.id, "verdict": "yes"})


@pytest.mark.parametrize("name", schemas.names())
def test_a_schema_lets_unknown_fields_pass_and_misses_none_that_is_required(name: str) -> None:
    obj = json.loads(dump(EXAMPLES[name]))
    schemas.check(obj | {"x_new": 1}, name)
    required = schemas.schema(name)["required"]
    assert set(obj) - set(required) <= {"tz", "vector", "parts", "qid", "schema", *FACT_KEYS}
    for key in required:
        with pytest.raises(ValidationError):
            schemas.check({k: v for k, v in obj.items() if k != key}, name)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("note", "t_ref", "2026-03-10T12:00:00Z"),
        ("note", "t_ref", "2026-03-10T12:00:00.000+01:00"),
        ("note", "t_ref", "2026-13-10T12:00:00.000Z"),
        ("note", "v", 2),
        ("episode", "type", "note"),
        ("episode", "id", "D803AFC6BEC7A0C9EB09D637468C035D"),
        ("episode", "facts", [{}]),
        ("episode", "vector", {"model": "m", "dim": 0, "b64": "AAAA"}),
        ("fact", "span", [0]),
        ("fact", "span", [0, 1, 2]),
        ("fact", "confidence", 1.5),
        ("receipt", "status", "done"),
        ("hit", "rank", 0),
        ("hit", "quote", None),
        ("hit", "parts", {"relevance": 2}),
        ("change", "action", "deleted"),
        ("error", "message", ""),
    ],
)
def test_a_schema_is_strict_about_what_it_names(name: str, field: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        schemas.check(json.loads(dump(EXAMPLES[name] | {field: value})), name)
