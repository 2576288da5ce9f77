"""The evaluation sets in one form: haystacks of notes, questions with the ids of the notes that answer them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

__all__ = ["Haystack", "Note", "Question", "lme", "lme_updates", "locomo"]


@dataclass(frozen=True)
class Note:
    """One turn. `id` is the evidence id, `session` what session-level evidence names."""

    id: str
    text: str
    speaker: str | None
    source: str
    session: str
    t_ref: str


@dataclass(frozen=True)
class Question:
    """`evidence`: ids of notes; `sessions`: of sessions (empty where the set has none)."""

    qid: str
    text: str
    category: str
    now: str
    evidence: frozenset[str]
    sessions: frozenset[str] = frozenset()


@dataclass
class Haystack:
    """What one memory holds, and what it is asked."""

    name: str
    notes: list[Note]
    questions: list[Question] = field(default_factory=list)


def locomo(folder: Path) -> list[Haystack]:
    """LoCoMo, categories 1 to 4 (5 has no answer in the text), questions with evidence. A photo's caption is text."""
    stacks: dict[str, Haystack] = {}
    for turn in _lines(folder / "locomo" / "turns.jsonl"):
        stack = stacks.setdefault(turn["conv"], Haystack(turn["conv"], []))
        stack.notes.append(
            Note(
                id=turn["dia_id"],
                text=turn["text"] + (f" [{turn['caption']}]" if turn.get("caption") else ""),
                speaker=turn["speaker"],
                source="user",
                session=str(turn["session"]),
                t_ref=_utc(turn["session_time_iso"]),
            )
        )
    for question in _lines(folder / "locomo" / "questions.jsonl"):
        if question["category"] in (1, 2, 3, 4) and question["evidence"]:
            stack = stacks[question["conv"]]
            stack.questions.append(
                Question(
                    qid=question["qid"],
                    text=question["question"],
                    category=question["category_name"],
                    now=max(note.t_ref for note in stack.notes),
                    evidence=frozenset(question["evidence"]),
                )
            )
    return list(stacks.values())


def lme(folder: Path, part: str = "s") -> list[Haystack]:
    """LongMemEval-S (or `oracle`): a haystack a question. The user's turns have no speaker, the assistant's have."""
    sessions = {line["session_key"]: line for line in _lines(folder / "lme" / f"{part}_sessions.jsonl.gz")}
    stacks = []
    for line in _lines(folder / "lme" / f"{part}_questions.jsonl"):
        if line["abstention"] or not line["evidence"]:
            continue
        notes = [
            Note(
                id=f"{sessions[key]['sid']}#{number}",
                text=turn["text"],
                speaker=None if turn["role"] == "user" else turn["role"],
                source=turn["role"],
                session=sessions[key]["sid"],
                t_ref=_utc(when),
            )
            for key, when in line["haystack"]
            for number, turn in enumerate(sessions[key]["turns"])
        ]
        question = Question(
            qid=line["qid"],
            text=line["question"],
            category=line["category"],
            now=max(_utc(line["question_time_iso"]), *(note.t_ref for note in notes)),
            evidence=frozenset(line["evidence"]),
            sessions=frozenset(line["evidence_sessions"]),
        )
        stacks.append(Haystack(line["qid"], notes, [question]))
    return stacks


def lme_updates(folder: Path) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Knowledge updates: qid -> ids of the turns with the old value, of those with the new one (oracle haystacks)."""
    return {
        line["qid"]: (frozenset(line["old_ids"]), frozenset(line["new_ids"]) - frozenset(line["old_ids"]))
        for line in _lines(folder / "pairs" / "updates_lme.jsonl")
    }


def _utc(iso: str) -> str:
    when = datetime.fromisoformat(iso)
    return when.replace(tzinfo=when.tzinfo or timezone.utc).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            if line.strip():
                yield json.loads(line)
