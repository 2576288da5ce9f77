"""Evidence recall through the commands: notes into `lm-extract | lm-store`, questions into `lm-search --queries -`.

    python tests/bench/recall_pipe.py --data ../shared/bench --set locomo

A hit counts by the episode it comes from, be it the episode or a fact drawn from it. See `recall.py` for the sets.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from recall_data import Haystack, lme, locomo
from recall_metrics import COLUMNS, mean, measures

DEPTH = 20  # hits asked for


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder of the sets")
    parser.add_argument("--set", choices=["locomo", "lme"], default="locomo")
    parser.add_argument("--limit", type=int, help="only the first haystacks")
    parser.add_argument("--keep", type=Path, help="keep the memories in this folder, and use those that are there")
    parser.add_argument("--out", type=Path, help="write the rankings here, one a line")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        sys.stderr.write(f"no evaluation data in {options.data}: nothing measured (choose the folder with --data)\n")
        return 0
    rows: list[dict[str, float]] = []
    rankings: list[dict[str, object]] = []
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        root = options.keep or Path(folder)
        root.mkdir(parents=True, exist_ok=True)
        for stack in {"locomo": locomo, "lme": lme}[options.set](options.data)[: options.limit]:
            ids = store(stack, root)
            answers = search(stack, root)
            for question in stack.questions:
                hits = answers.get(question.qid, [])
                kinds.update(str(hit["kind"]) for hit in hits[:10])
                ranked = [ids[str(hit["episode"])] for hit in hits]
                row = measures(ranked, question.evidence)
                if question.sessions:
                    by_session = measures((id.rsplit("#", 1)[0] for id in ranked), question.sessions)
                    row |= {f"session {key}": value for key, value in by_session.items()}
                rows.append(row)
                rankings.append({"qid": question.qid, "ranked": ranked})
    means = mean(rows)
    print(f"{options.set}: {len(rows)} questions; of the first ten hits {dict(kinds)}")
    for prefix in ("", "session "):
        if prefix + COLUMNS[0] in means:
            print("  ".join(f"{prefix}{column} {means[prefix + column]:.3f}" for column in COLUMNS))
    if options.out:
        options.out.write_text("".join(json.dumps(line) + "\n" for line in rankings), encoding="utf-8")
    return 0


def store(stack: Haystack, root: Path) -> dict[str, str]:
    """Stores a haystack's notes; returns episode id -> note id."""
    notes = [
        {"type": "note", "v": 1, "text": note.text, "t_ref": note.t_ref, "source": note.source,
         "speaker": note.speaker, "session": note.session}
        for note in stack.notes
    ]  # fmt: skip
    lines = run(["lm-extract"], b"".join(json.dumps(note).encode() + b"\n" for note in notes))
    episodes = lines.splitlines()
    if len(episodes) != len(notes):
        raise SystemExit(f"{len(notes)} notes gave {len(episodes)} episodes")
    run(["lm-store", "--root", str(root), "-n", stack.name], lines)
    return {json.loads(line)["id"]: note.id for line, note in zip(episodes, stack.notes, strict=True)}


def search(stack: Haystack, root: Path) -> dict[str, list[dict[str, object]]]:
    """Asks a haystack's questions; returns qid -> hits."""
    queries = [{"query": question.text, "qid": question.qid, "now": question.now} for question in stack.questions]
    asked = b"".join(json.dumps(query).encode() + b"\n" for query in queries)
    found = run(["lm-search", "--root", str(root), "-n", stack.name, "-k", str(DEPTH), "--queries", "-"], asked)
    answers: dict[str, list[dict[str, object]]] = {}
    for line in found.splitlines():
        hit = json.loads(line)
        answers.setdefault(hit["qid"], []).append(hit)
    return answers


def run(command: list[str], data: bytes) -> bytes:
    """A command's output; its errors go to stderr, its time too."""
    program = Path(sys.executable).with_name(command[0])
    begun = time.perf_counter()
    done = subprocess.run([program, *command[1:]], input=data, stdout=subprocess.PIPE, env=os.environ, check=True)
    sys.stderr.write(f"{command[0]}: {time.perf_counter() - begun:.1f} s\n")
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
