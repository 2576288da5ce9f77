"""A memory with one proposal of each kind about `user` and two about Nora, as maintenance makes them."""

from __future__ import annotations

from pathlib import Path

from tests.commands import run

__all__ = ["EVICTION", "MERGE", "SUMMARY", "make_memory"]

EVICTION = "1a1e3c12458b7237a605c287f814dc96"
"""user watched Harbour Lights"""

MERGE = "7441a786053d6bda4ecf4b8dba188b47"
"""user likes long quiet walks by the sea = user likes long slow walks by the sea"""

SUMMARY = "25922c8a58928289292d1a990566547a"
"""user bought lamp, kettle, wooden chair, blue rug and bookshelf"""

_SCRIPT = Path(__file__).parent.parent / "golden" / "memories" / "review"


def make_memory(folder: Path) -> None:
    """Makes the memory `work` in `folder`/memory."""
    made = run(_SCRIPT.read_text("utf-8"), folder=folder)
    assert (made.rc, made.stderr) == (0, b""), made.stderr.decode()
