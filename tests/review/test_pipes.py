"""lm-review between pipes, and with somebody else at the same queue."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commands import environment, run
from tests.review.material import EVICTION, MERGE, SUMMARY

pytestmark = pytest.mark.slow


def records(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def statuses(folder: Path) -> dict[str, tuple[str, str | None]]:
    """Of every proposal, how it stands and who decided."""
    listed = run("lm-review list -n work --status any", folder=folder)
    return {one["id"]: (one["status"], one["decided_by"]) for one in records(listed.stdout)}


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_jq_turns_proposals_into_decisions(folder: Path) -> None:
    ended = run(
        "lm-review list --json"
        """ | jq -c 'select(.kind == "eviction" and .evidence.value < 0.16)"""
        """ | {proposal: .id, verdict: "approve", namespace}'"""
        " | lm-review decide",
        folder=folder,
    )
    assert ended.rc == 0
    assert [(one["outcome"], one["verdict"]) for one in records(ended.stdout)] == [("applied", "approve")]
    assert sorted(status for status, _ in statuses(folder).values()) == ["approved", *["pending"] * 4]


def test_the_outcome_of_a_decision_comes_before_the_next_one_is_sent(folder: Path) -> None:
    process = subprocess.Popen(
        ["lm-review", "decide", "-n", "work"], cwd=folder, env=environment(folder), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        for proposal in (EVICTION, MERGE):
            process.stdin.write(json.dumps({"proposal": proposal, "verdict": "keep"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["outcome"] == "applied"
        process.stdin.close()
        assert process.wait(60) == 0


def test_all_is_decided_although_nobody_reads_the_outcomes(folder: Path) -> None:
    ended = run("lm-review list | lm-review decide keep | true", folder=folder)
    assert (ended.rc, ended.stderr) == (0, b"")
    assert {status for status, _ in statuses(folder).values()} == {"kept"}


def test_two_that_decide_at_once_decide_once(folder: Path) -> None:
    """Each proposal is applied by exactly one of them; the other is told how it was decided."""
    decide = "lm-review list | lm-review decide {} --by {}"
    both = [
        subprocess.Popen(
            ["bash", "-c", decide.format(verdict, name)], cwd=folder, env=environment(folder), stdout=subprocess.PIPE
        )
        for verdict, name in (("keep", "Ada"), ("promote", "Ben"))
    ]
    answers = [records(process.communicate(timeout=120)[0]) for process in both]
    applied = [(one["proposal"], name) for name, found in zip(("Ada", "Ben"), answers, strict=True) for one in found
               if one["outcome"] == "applied"]  # fmt: skip
    assert len(applied) == len({proposal for proposal, _ in applied}) == 5
    assert {(id, who) for id, (_, who) in statuses(folder).items()} == set(applied)


def test_what_a_terminal_shows_has_no_control_characters(folder: Path) -> None:
    from tests.commands import at_terminal

    run("lm-store -n bad", folder=folder, stdin=_old("user \x1b[31mwatched\x07 A"))
    assert run("lm-maintain -n bad --apply", folder=folder).rc == 0
    seen = at_terminal("lm-review list -n bad", folder)
    assert "watched" in seen
    assert "\x1b" not in seen
    assert "\x07" not in seen


def _old(text: str) -> bytes:
    fact = {
        "subject": "user", "predicate": "watched", "object": "A", "text": text, "quote": "A", "span": [0, 1],
        "salience": 3,
    }  # fmt: skip
    return json.dumps({"type": "episode", "text": "A", "t_ref": "2020-01-01T00:00:00Z", "facts": [fact]}).encode()


def test_a_list_on_a_terminal_says_what_would_happen_and_why(folder: Path) -> None:
    from tests.commands import at_terminal

    seen = at_terminal("lm-review list -n work --entity user", folder)
    assert "work: user (3)\n" in seen
    assert f"{MERGE[:8]}  near-duplicates, until 2026-04-09" in seen
    assert "stays  user likes long quiet walks by the sea" in seen
    assert "goes   user likes long slow walks by the sea" in seen
    assert f"{SUMMARY[:8]}  summary" in seen
    assert '2024-02-01, found 0 times: "I bought a lamp"' in seen
    assert "why: its worth is 0.18: salience 0.35, recency 0.01, use 0.00" in seen
