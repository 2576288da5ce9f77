"""Feeds the extractor random text, and `lm-extract` random bytes, until the time is up.

    python tests/bench/fuzz_extract.py [seconds] [seed]

Texts are mixtures of case sentences, cut and joined anywhere, and random Unicode; bytes are such texts as lines and as
note records, with bytes changed, lost and put in. Prints the first input that breaks a law (an exception, a wrong span,
an interval that ends before it begins, a line out that is no valid record, an error without its line) and exits 1;
else a line of numbers.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from lean_memory.extract import Extractor  # noqa: E402
from lean_memory.records import Note  # noqa: E402
from tests import schemas  # noqa: E402
from tests.extract.material import SAID_AT, read_kinds  # noqa: E402

LM_EXTRACT = Path(sys.executable).with_name("lm-extract")
STREAMS = 0.005  # of the inputs are streams of bytes


def main(seconds: float = 20.0, seed: int = 1) -> int:
    """0 when no text broke a law."""
    rng = random.Random(seed)
    extractor = Extractor()
    sentences = [case.say for kind in read_kinds() for case in kind.cases]
    done = facts = slowest = streams = 0
    stop = time.monotonic() + seconds
    while time.monotonic() < stop:
        if rng.random() < STREAMS:
            data = _bytes(rng, sentences)
            if (wrong := _broken(data)) is not None:
                print(f"{wrong}\n{data!r}")
                return 1
            streams += 1
            continue
        text = _text(rng, sentences)
        begin = time.perf_counter_ns()
        try:
            episode = extractor.episode(Note(text=text, t_ref=SAID_AT))
            for fact in episode.facts:
                assert episode.text[slice(*fact.span)] == fact.quote != ""
                assert fact.valid_at is None or fact.valid_to is None or fact.valid_at <= fact.valid_to
        except Exception as error:
            print(f"{type(error).__name__}: {error}\n{text!r}")
            return 1
        slowest = max(slowest, time.perf_counter_ns() - begin)
        done += 1
        facts += len(episode.facts)
    print(f"texts={done} streams={streams} facts={facts} slowest_ms={slowest / 1e6:.1f} seed={seed}")
    return 0


def _broken(data: bytes) -> str | None:
    """What is wrong with the command's answer to a stream."""
    done = subprocess.run([LM_EXTRACT], input=data, capture_output=True, check=False)
    if done.returncode not in (0, 3):
        return f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"
    try:
        for line in done.stdout.splitlines():
            episode = json.loads(line)
            schemas.check(episode, "episode")
            for fact in episode["facts"]:
                if episode["text"][slice(*fact["span"])] != fact["quote"]:
                    return f"the span of {fact}"
        for line in done.stderr.splitlines():
            error = json.loads(line)
            schemas.check(error, "error")
            if error["line"] is None:
                return f"an error without its line: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def _bytes(rng: random.Random, sentences: list[str]) -> bytes:
    lines = []
    for _ in range(rng.randint(1, 5)):
        text = _text(rng, sentences)
        if rng.random() < 0.5:
            note = {
                "type": "note",
                "v": 1,
                "text": text,
                "t_ref": "2026-03-10T12:00:00Z",
                "speaker": rng.choice([None, "Bo", 7]),
            }
            text = json.dumps(note, ensure_ascii=rng.random() < 0.5)
        lines.append(text.encode("utf-8", "surrogatepass"))
    data = bytearray(b"\n".join(lines))
    for _ in range(rng.choice([0, 0, 1, 4])):
        at = rng.randint(0, len(data))
        data[at : at + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
    return bytes(data)


def _text(rng: random.Random, sentences: list[str]) -> str:
    parts = []
    for _ in range(rng.randint(1, 6)):
        kind = rng.random()
        sentence = rng.choice(sentences)
        if kind < 0.4:
            parts.append(sentence)
        elif kind < 0.7:
            parts.append(sentence[rng.randint(0, len(sentence)) :])
        elif kind < 0.85:
            words = sentence.split(" ")
            rng.shuffle(words)
            parts.append(" ".join(words))
        else:
            pools = ("\"'“”«»()[]:;,.-—!?\n \t", "0123456789/-:", "我在了的不他们，。", "éÅßİ\u0301\u200d\ufeff😀")
            parts.append("".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 20))))
    return rng.choice(("", " ", ", ", "\n")).join(parts)


if __name__ == "__main__":
    raise SystemExit(main(*(kind(a) for kind, a in zip((float, int), sys.argv[1:], strict=False))))
