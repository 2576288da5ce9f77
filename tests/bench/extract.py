"""How many sentences a second the rules read, in processor time: `python tests/bench/extract.py [--chat FILE]`.

Ordinary chat is read from a JSON-lines file with `text` (and `speaker`) on each line, given by `--chat` or
`LM_BENCH_CHAT`: most of it states no fact. Text full of facts is `fixtures/notes.txt`, repeated. The last two lines say
what `lm-extract -j 2` gains over one process, by the clock, start-up included.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from lean_memory.extract import Extractor
from lean_memory.extract.segment import pieces, quotations
from lean_memory.instants import parse_instant
from lean_memory.records import Note

ROOT = Path(__file__).parents[2]
NOTES = ROOT / "fixtures" / "notes.txt"
SAID_AT = parse_instant("2026-03-10T12:00:00Z")[0]
CHUNK = 40  # notes that are timed together; of each chunk the best of several runs counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chat", type=Path, default=os.environ.get("LM_BENCH_CHAT"))
    parser.add_argument("--turns", type=int, default=1200, help="how many lines of the chat are read")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    begin = time.process_time()
    extractor = Extractor()
    print(f"loading: {(time.process_time() - begin) * 1000:.0f} ms of processor time")
    dense = notes([{"text": line} for line in NOTES.read_text(encoding="utf-8").splitlines() if line.strip()] * 40)
    told = {"full of facts (fixtures/notes.txt)": dense}
    chat = Path(arguments.chat) if arguments.chat else None
    if chat is None or not chat.is_file():
        print("chat: no data; give a JSON-lines file with `text` on each line: --chat FILE", file=sys.stderr)
    else:
        lines = chat.read_text(encoding="utf-8").splitlines()[: arguments.turns]
        told = {"chat": notes([json.loads(line) for line in lines]), **told}
    for name, said in told.items():
        print(f"{name}: {speed(extractor, said, arguments.runs):.0f} sentences a second of processor time")
    scaling([note.text for note in dense] * 8)


def notes(rows: list[dict[str, str]]) -> list[Note]:
    return [Note(text=row["text"], t_ref=SAID_AT, speaker=row.get("speaker")) for row in rows]


def speed(extractor: Extractor, said: list[Note], runs: int) -> float:
    sentences = sum(1 for note in said for _ in pieces(note.text, quotations(note.text)))
    taken = 0.0
    for at in range(0, len(said), CHUNK):
        taken += min(once(extractor, said[at : at + CHUNK]) for _ in range(runs))
    return sentences / taken


def once(extractor: Extractor, said: list[Note]) -> float:
    begin = time.process_time()
    for note in said:
        extractor.episode(note)
    return time.process_time() - begin


def scaling(texts: list[str]) -> None:
    """`lm-extract` with one process and with two."""
    command = [str(Path(sys.executable).parent / "lm-extract"), "--at", "2026-03-10T12:00:00Z"]
    fed = "".join(text + "\n" for text in texts).encode()
    for jobs in (1, 2):
        begin = time.perf_counter()
        subprocess.run([*command, "-j", str(jobs)], input=fed, stdout=subprocess.DEVNULL, check=True)
        taken = time.perf_counter() - begin
        print(f"lm-extract -j {jobs}: {len(texts) / taken:.0f} lines a second by the clock")


if __name__ == "__main__":
    main()
