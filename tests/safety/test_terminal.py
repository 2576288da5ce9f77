"""What others wrote can't drive the terminal that it is shown on, whichever command shows it and wherever it stands."""

from __future__ import annotations

import dataclasses
import json
import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.cli import review_text, table, upkeep_text
from lean_memory.cli.plain import plain, plain_lines
from lean_memory.records import Change, Claimed, Difference, Episode, Fact, Hit
from lean_memory.upkeep import (
    Action,
    Checked,
    Copy,
    Encryption,
    Erasure,
    Outcome,
    Promotion,
    Proposal,
    Removal,
    Report,
    Run,
    Status,
    Target,
)
from lean_memory.wire import decode_episode, dump, encode
from tests.commands import environment
from tests.safety.hostile import HOSTILE, drives

EVERY = " ".join(HOSTILE.values())


# ------------------------------------------------------------------------------------------------------- the functions


@given(st.text())
def test_plain_text_drives_nothing_and_is_one_line(text: str) -> None:
    assert drives(plain(text)) == []
    assert len(plain(text).splitlines()) <= 1
    assert len(plain(text)) == len(text)
    assert drives(plain_lines(text)) == []
    assert plain_lines(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text", ["naïve café", "你好，世界", "नमस्ते", "👨\u200d👩\u200d👧", "می\u200cخواهم", "שלום", "a\u0301"]
)
def test_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@given(st.text() | st.sampled_from(sorted(HOSTILE.values())))
def test_in_a_record_it_is_escaped_and_the_value_stays(text: str) -> None:
    line = dump({"text": text, text: [text]})
    assert json.loads(line) == {"text": text, text: [text]}
    assert drives(line.decode()) == []
    assert line.count(b"\n") == 1


# --------------------------------------------------------------------------------------- every field of every record


def hostile(cls: type, text: str) -> Any:
    """A record of which every text is the given one."""
    fact = Fact(
        id=text, subject=text, predicate=text, object=text, polarity="positive", text=text, quote=text, span=(0, 1),
        time_text=text, route=text, valid_at=0,
    )  # fmt: skip
    target = Target(role="duplicate", tier="hot", said_at=0, claims=2, hits=0, value=0.0, fact=fact)
    made: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        kind = str(field.type)
        made[field.name] = (
            {"text": text, "survivor": text, "value": 1.0, "why": text, "written_by": text, "facts": 1,
             "youngest_days": 1, "oldest_days": 1, "value_min": 0.0, "value_max": 1.0}
            if field.name in ("payload", "evidence", "decision") else
            {text: 0.5} if field.name == "parts" else
            fact if kind.startswith("Fact") else
            (target, dataclasses.replace(target, role="survivor")) if "Target" in kind else
            (Action(action="evict", fact=text, text=text),) if kind.startswith("tuple[Action") else
            (Run(id=text, trigger=text, status="done", config=text, started_at=0, ended_at=0, counts={}),)
            if "Run" in kind else
            tuple([hostile(Proposal, text)] if cls is Report else []) if "Proposal" in kind and "tuple" in kind else
            {} if "Mapping" in kind else (text,) if "tuple[str" in kind else
            True if kind == "bool" else
            "merge" if kind == "ProposalKind" else "kept" if kind == "ProposalStatus" else
            "approve" if kind == "Verdict" else "done" if "Literal" in kind and cls is Report else
            text if "str" in kind or "Literal" in kind or kind[0].isupper() else 1
        )  # fmt: skip
    return cls(**made)


SHOWN = {
    Hit: lambda record: list(table.hit_lines([record])),
    Change: lambda record: [table.change_text(record)],
    Difference: lambda record: [table.difference_text(record)],
    Claimed: lambda record: [table.claim_text(record)],
    Proposal: lambda record: [*review_text.listed([record]), *review_text.proposal_lines(record)],
    Outcome: lambda record: [review_text.outcome_line(record)],
    **{cls: lambda record: list(upkeep_text.lines(record))
       for cls in (Report, Status, Checked, Copy, Encryption, Erasure, Promotion, Removal)},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("cls", SHOWN)
def test_no_field_of_a_record_drives_the_terminal(cls: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    harmless, told = (SHOWN[cls](hostile(cls, text)) for text in ("harmless", HOSTILE[name]))
    assert any("harmless" in line for line in harmless)
    assert drives("".join(told)) == []
    assert len("".join(told).splitlines()) == len("".join(harmless).splitlines())  # no line is made up
    for kind in ("merge", "summary", "eviction") if cls is Proposal else ():
        changed = dataclasses.replace(hostile(Proposal, HOSTILE[name]), kind=kind, status="pending")
        assert drives("".join(review_text.listed([changed]))) == []


# -------------------------------------------------------------------------------------------------------- at a terminal


def seen(line: str, folder: Path, keys: bytes = b"") -> str:
    """What is written to a terminal where the line is run and keys are typed."""
    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        ["bash", "-c", line], stdin=secondary, stdout=secondary, stderr=secondary, cwd=folder,
        env=environment(folder), start_new_session=True,
    )  # fmt: skip
    os.close(secondary)
    os.write(primary, keys)
    written = b"".join(_until_the_end(primary))
    os.close(primary)
    process.wait(60)
    return written.decode().replace("\r\n", "\n")


def _until_the_end(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            return
        if not data:
            return
        yield data


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with hostile text in every field that an episode has, and proposals about it."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = []
    for n, quirk in enumerate([*HOSTILE.values()] * 2):
        text = f"Anna likes {quirk} tea."
        fact = {
            "subject": f"Anna{quirk}", "predicate": "likes", "object": f"{quirk} tea {n // len(HOSTILE)}",
            "text": f"Anna{quirk} likes {quirk} tea", "quote": text, "span": [0, len(text)], "salience": 1,
        }  # fmt: skip
        lines.append({
            "type": "episode", "text": text, "t_ref": f"2024-01-{n + 1:02}T00:00:00Z", "speaker": f"Bob{quirk}",
            "session": quirk, "source": quirk, "facts": [fact],
        })  # fmt: skip
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    for line in lines:
        decode_episode(line)
    (folder / "in.ndjson").write_bytes(data)
    (folder / "in.txt").write_text(f"My password is {EVERY.splitlines()[0]}\n", "utf-8")
    subprocess.run(
        ["bash", "-c", "lm-store -n \"$(printf 'w\\033[31m')\" < in.ndjson && lm-maintain --apply > /dev/null"],
        cwd=folder, env=environment(folder), check=True, capture_output=True,
    )  # fmt: skip
    return folder


NAME = "\"$(printf 'w\\033[31m')\""


@pytest.mark.parametrize(
    "line",
    [
        f"lm-search -n {NAME} 'tea' -k 30", f"lm-search -n {NAME} --all --include-cold",
        f"lm-search -n {NAME} tea --json", f"lm-search -n {NAME} tea --explain -k 30",
        f"lm-log -n {NAME}", f"lm-log -n {NAME} --json", f"lm-log -n {NAME} --diff 2023-01-01 2025-01-01",
        f"lm-log -n {NAME} --why $(lm-search -n {NAME} tea --kind fact -k 1 | grep -o '\"id\":\"[0-9a-f]*' | cut -c7-)",
        "lm-maintain", "lm-maintain status", "lm-maintain check", f"lm-maintain -n {NAME} backup $'\\e[31mcopy'",
        f"lm-maintain -n {NAME} clear", "lm-review list", "lm-review list --json", "lm-review status",
        "lm-review show 00", "lm-review show $'\\e[31m'",
        f"lm-search -n {NAME} x --print-config --root $'\\e[31m'",
        "lm-search -n $'no\\e]0;owned\\a' tea", "lm-search -n $'\\u202ework' tea", "lm-extract $'\\e[31mmissing'",
        "lm-extract --from $'\\e[31m' x", "lm-search $'--\\e[31m'", "lm-search --root $'\\e[31m\\n' -n x y",
        "lm-search -n work x --queries $'\\e[31m'", "lm-extract in.txt --tz $'\\e[31m'",
        "lm-extract in.txt --at $'\\e['",
        "lm-maintain rekey -n work", "LM_ENCRYPT=$'@\\e[31m' lm-maintain check", "LM_TZ=$'\\e[31m' lm-extract in.txt",
        "printf '{\"type\":\"\\\\u001b[31m\\\\u009b\",\"text\":\"x\"}\\n' | lm-store -n work",
        "printf '{\"text\":\"x\",\"t_ref\":\"\\\\u001b[31m\\\\u009b\"}\\n' | lm-extract",
        "printf '\\033[31m\\n' | lm-store -n work", "lm-store -n work --restore < in.ndjson",
        "lean-memory-mcp --namespace $'\\e[31m' --print-config", "lm-embed -n $'\\e[31m'",
        "LM_EMBEDDER=$'\\e[31m' LM_BACKENDS= lm-search -n x y",
    ],
)  # fmt: skip
@pytest.mark.slow
def test_no_command_lets_it_through(line: str, filled: Path) -> None:
    written = seen(line, filled).replace("\r\x1b[K", "")  # our own, behind a bar of progress
    assert written.strip()
    assert drives(written) == []


def test_nor_does_a_review_key_by_key(filled: Path) -> None:
    written = seen("lm-review", filled, b"nnbk?" + b"n" * 40 + b"qn")
    assert "approve" in written
    assert drives(re.sub(r"\x1b\[\?(25|2004)[hl]|\x1b\[[0-9;]*m", "", written)) == []


def test_through_a_pipe_the_words_are_those_that_were_said(filled: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"lm-search -n {NAME} --all --kind episode | cat"],
        cwd=filled, env=environment(filled), check=True, capture_output=True,
    )  # fmt: skip
    texts = {json.loads(line)["text"] for line in done.stdout.splitlines()}
    assert texts == {f"Anna likes {quirk} tea." for quirk in HOSTILE.values()}
    assert drives(done.stdout.decode()) == []


def test_an_episode_comes_through_every_filter_unchanged(filled: Path) -> None:
    line = (filled / "in.ndjson").read_bytes().splitlines()[6]
    episode = decode_episode(json.loads(line))
    assert isinstance(episode, Episode)
    assert decode_episode(json.loads(encode(episode))) == episode
