"""Twenty seconds of the fuzzer; `just fuzz-extract` runs it for ten minutes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "bench" / "fuzz_extract.py"


@pytest.mark.slow
def test_no_text_and_no_bytes_break_a_law() -> None:
    seed = str(int(time.time()))  # another one each time; a failure prints its input
    done = subprocess.run([sys.executable, str(FUZZ), "20", seed], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"seed {seed}: {done.stdout}{done.stderr}"
    assert "facts=0 " not in done.stdout
