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
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    assert b"Acme" in done.stdout
    loaded = set(done.stderr.decode().split())
    assert MODEL & loaded == model
    assert not loaded & OTHER_WORK
