"""How fast the embedders and the reranker are here, and whether a batch changes a vector.

    python tests/bench/embedder.py [minilm|stub|e5|st:NAME_OR_PATH]... [--texts 256] [--json FILE]

Prints one table; times are of the wall clock, the best of three, so that it wants a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from lean_memory.backends import Embedder, choose_embedder
from lean_memory.vectors import coarse, cosine

WORDS = (
    "Anna told me at lunch that she has left the bakery in Oslo and starts as a nurse at the harbour clinic on Monday "
    "which means that we can share the car again until her brother comes back from Lisbon with the boat in spring"
).split()

COLD = """
import time
begin = time.perf_counter()
from lean_memory.backends import choose_embedder
embedder = choose_embedder({"LM_EMBEDDER": %r}, None).embedder
named = time.perf_counter()
embedder.warm()
warm = time.perf_counter()
embedder.embed(["where do I work?"], query=True)
print(named - begin, warm - begin, time.perf_counter() - begin)
"""


def texts(count: int) -> list[str]:
    """Texts of 4 to 36 words, all different."""
    return [
        " ".join([f"note {n}", *(WORDS[(n * 5 + k) % len(WORDS)] for k in range(2 + n % 33))]) for n in range(count)
    ]


def best(run: Callable[[], Any], times: int = 3) -> float:
    """Seconds of the quickest run."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def cpu(run: Callable[[], Any]) -> float:
    """Milliseconds of all processors together: what a busy machine distorts least."""
    begin = time.process_time()
    run()
    return 1000 * (time.process_time() - begin)


def measure(name: str, count: int) -> dict[str, Any]:
    """One row of the table."""
    cold = [
        [float(x) for x in subprocess.check_output([sys.executable, "-c", COLD % name], text=True).split()]
        for _ in range(3)
    ]
    embedder = choose_embedder({"LM_EMBEDDER": name}, None).embedder
    embedder.warm()
    sample = texts(count)
    together = embedder.embed(sample)
    alone = [embedder.embed([text])[0] for text in sample]
    cosines = [cosine(one.data, other.data) for one, other in zip(together, alone, strict=True)]
    long = " ".join(WORDS * 80)
    return {
        "embedder": name,
        "import ms": 1000 * min(row[0] for row in cold),
        "loaded ms": 1000 * min(row[1] for row in cold),
        "first query ms": 1000 * min(row[2] for row in cold),
        "texts/s alone": count / best(lambda: [embedder.embed([text]) for text in sample]),
        "texts/s of 32": count / best(lambda: [embedder.embed(sample[n : n + 32]) for n in range(0, count, 32)]),
        "cpu ms a text": cpu(lambda: [embedder.embed(sample[n : n + 32]) for n in range(0, count, 32)]) / count,
        "3,000 words ms": 1000 * best(lambda: embedder.embed([long])),
        "same bytes": sum(one == other for one, other in zip(together, alone, strict=True)) / count,
        "least cosine": min(cosines),
    }


def measure_reranker() -> dict[str, Any]:
    """Fifty candidates of some 40 tokens each, new to the reranker and then met before."""
    from lean_memory.backends.late_interaction import LateInteraction
    from lean_memory.backends.minilm import MiniLM

    model = MiniLM()
    candidates = [" ".join([f"note {n}", *WORDS[: 30 + n % 8]]) for n in range(50)]
    tokens = sum(len(found.ids) for found in model.token_vectors(candidates)) / len(candidates)
    query = "Where does Anna work now?"
    known = LateInteraction(model)
    known.score(query, candidates)
    return {
        "reranker": "late-interaction",
        "candidates": len(candidates),
        "tokens each": tokens,
        "new ms": 1000 * best(lambda: LateInteraction(model).score(query, candidates)),
        "known ms": 1000 * best(lambda: known.score(query, candidates)),
    }


def measure_vectors(embedder: Embedder) -> dict[str, Any]:
    """What the store does to one vector."""
    one, other = embedder.embed(["one text", "another"])
    return {
        "coarse us": 1e3 * best(lambda: [coarse(one) for _ in range(1000)]),
        "cosine us": 1e3 * best(lambda: [cosine(one.data, other.data) for _ in range(1000)]),
    }


def show(rows: list[dict[str, Any]]) -> None:
    """Columns in plain text."""
    cells = [[f"{v:.6g}" if isinstance(v, float) and v < 10 else f"{v:.0f}" if isinstance(v, float) else str(v)
              for v in row.values()] for row in rows]  # fmt: skip
    for line in ([*rows[0]], *cells):
        print("  ".join(f"{cell:>15}" for cell in line))
    print()


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("embedders", nargs="*", default=["minilm", "stub"])
    parser.add_argument("--texts", type=int, default=256)
    parser.add_argument("--json", metavar="FILE", help="append the numbers to FILE, one object a line")
    options = parser.parse_args()
    embedders = [measure(name, options.texts) for name in options.embedders]
    reranker = measure_reranker()
    vectors = measure_vectors(choose_embedder({"LM_EMBEDDER": "minilm"}, None).embedder)
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"
    print(f"{platform.machine()}, {os.cpu_count()} processors, load {load}, Python {platform.python_version()}\n")
    for rows in (embedders, [reranker], [vectors]):
        show(rows)
    if options.json:
        with open(options.json, "a", encoding="utf-8") as file:
            file.write(
                json.dumps({"embedders": embedders, "reranker": reranker, "vectors": vectors, "load": load}) + "\n"
            )


if __name__ == "__main__":
    main()
