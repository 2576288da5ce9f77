"""A session of Claude Code: what the user typed and what was answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lean_memory.records import Note
from tests.importers.inputs import errors, notes, read, said


def entry(kind: str, content: Any, at: str | None = "2026-02-01T09:00:00.500Z", **more: Any) -> str:
    message = {"role": kind, "content": content}
    return json.dumps({"type": kind, "sessionId": "s-1", "timestamp": at, "message": message, **more}) + "\n"


def test_each_turn_is_a_note_with_its_time_and_session() -> None:
    session = entry("user", "I work at the zoo.") + entry("assistant", [{"type": "text", "text": "I live in Rome."}])
    mine, its = notes("claude-code", session, tz="Europe/Oslo")
    assert mine == Note(
        text="I work at the zoo.", t_ref=1769936400500, tz="Europe/Oslo", source="claude-code", session="s-1"
    )
    assert (its.text, its.speaker, its.source) == ("I live in Rome.", "Claude", "assistant")


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"summary","summary":"Zoo","leafUuid":"1"}\n',
        '{"type":"system","content":"compacted","sessionId":"s-1"}\n',
        entry("user", [{"type": "tool_result", "content": "ok"}]),
        entry("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "input": {}}]),
        entry("user", "Caveat", isMeta=True),
        entry("user", "A summary of what was said", isCompactSummary=True),
        entry("user", "Look for it", isSidechain=True),
        entry("user", "<command-name>/clear</command-name>"),
        entry("user", "<local-command-stdout>done</local-command-stdout>"),
        entry("user", "[Request interrupted by user for tool use]"),
        entry("user", "<system-reminder>Be kind.</system-reminder>"),
        entry("user", None),
        entry("user", ""),
    ],
)
def test_what_nobody_said_is_left_out(line: str) -> None:
    assert said(notes("claude-code", line + entry("user", "I work at the zoo."))) == [(None, "I work at the zoo.")]


def test_what_the_program_puts_into_a_turn_is_cut_out() -> None:
    turn = "<system-reminder>Be kind.</system-reminder>\nI work at the zoo."
    assert said(notes("claude-code", entry("user", turn))) == [(None, "I work at the zoo.")]


def test_auto_knows_a_session() -> None:
    session = '{"type":"file-history-snapshot","sessionId":"s-1"}\n' + entry("user", "Hi")
    assert read("auto", session) == read("claude-code", session)


@pytest.mark.parametrize("line", ["hello", '{"type":"user"}', entry("user", "Hi", "noon").strip()])
def test_a_bad_line_is_told_and_costs_itself_alone(line: str) -> None:
    session = line + "\n" + entry("user", "Hi")
    [error] = errors("claude-code", session)
    assert error.line == 1
    assert error.hint
    assert read("claude-code", session)[1].text == "Hi"
