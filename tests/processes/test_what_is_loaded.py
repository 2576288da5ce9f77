"""A command loads what it uses: a process that answers one question spends its time on little else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lean_memory import Memory

PROGRAM = """
import sys
from lean_memory.cli.search import main
sys.argv = ["lm-search", "-n", "work", "--root", {root!r}, *{options!r}, "what of Acme?"]
try:
    main()
except SystemExit as end:
    assert not end.code
print(*sys.modules, file=sys.stderr)
"""
MODEL = {"numpy", "onnxruntime", "tokenizers"}
OTHER_WORK = {
    "lean_memory.extract.engine",
    "lean_memory.store.check",
    "lean_memory.store.forget",
    "lean_memory.store.proposals",
    "lean_memory.store.transfer",
    "lean_memory.extract.times",
    "lean_memory.upkeep",
    "dateparser",
    "rank_bm25",
}


@pytest.mark.parametrize(("options", "model"), [([], MODEL), (["--no-model"], set())])
def test_a_search_loads_no_other_work(options: list[str], model: set[str], tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        memory.add("work", "I work at Acme.")
    program = PROGRAM.format(root=str(tmp_path), options=options)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert not done.returncode, done.stderr.decode()
    assert b"Acme" in done.stdout
    loaded = set(done.stderr.decode().split())
    assert MODEL & loaded == model
    assert not loaded & OTHER_WORK


WHILE_LOADING = """
import sys, threading
from lean_memory.backends.minilm import MiniLM

class Begun(Exception):
    pass

def begun(self):
    raise Begun

MiniLM._load = begun
for method in (MiniLM().embed, MiniLM().token_vectors):
    try:
        method(["I work at Acme."])
    except Begun:
        assert "numpy" not in sys.modules
    else:
        raise AssertionError(f"{method} did not load the model")
"""


def test_numpy_is_left_to_whichever_thread_loads_the_model() -> None:
    """A search loads the model in a thread meanwhile. Had this thread begun to import numpy by itself, the import of
    onnxruntime there could find it half imported and fail, once in a few hundred searches."""
    done = subprocess.run([sys.executable, "-c", WHILE_LOADING], capture_output=True, timeout=60)
    assert not done.returncode, done.stderr.decode()
