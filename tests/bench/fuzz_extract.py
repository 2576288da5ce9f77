"""Feeds the extractor random text until the time is up. Run: python tests/bench/fuzz_extract.py [seconds] [seed]

Texts are mixtures of case sentences, cut and joined anywhere, and random Unicode. Prints the first text that breaks a
law (an exception, a wrong span, an interval that ends before it begins) and exits 1; else a line of numbers.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from lean_memory.extract import Extractor  # noqa: E402
from lean_memory.records import Note  # noqa: E402
from tests.extract.material import SAID_AT, read_kinds  # noqa: E402


def main(seconds: float = 20.0, seed: int = 1) -> int:
    """0 when no text broke a law."""
    rng = random.Random(seed)
    extractor = Extractor()
    sentences = [case.say for kind in read_kinds() for case in kind.cases]
    done = facts = slowest = 0
    stop = time.monotonic() + seconds
    while time.monotonic() < stop:
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
    print(f"texts={done} facts={facts} slowest_ms={slowest / 1e6:.1f} seed={seed}")
    return 0


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
