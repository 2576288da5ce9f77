"""Notes to lines of episodes, in this process or in several, in the order of the input either way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lean_memory.extract.passes import Passes
    from lean_memory.records import Note
    from lean_memory.settings import Settings

__all__ = ["extractor", "parallel"]

_PIECE = 32  # notes a worker takes at a time

Encoder = Callable[[Sequence["Note"]], list[bytes]]

_worker: Encoder | None = None


def extractor(passes: Passes) -> Encoder:
    """Extracts here."""
    from lean_memory.wire import encode

    return lambda notes: [encode(passes.episode(note)) for note in notes]


def parallel(stack: ExitStack, jobs: int, settings: Settings, *, mask_secrets: bool) -> Encoder:
    """Extracts in `jobs` processes, which end with the stack."""
    pool = stack.enter_context(ProcessPoolExecutor(jobs, initializer=_start, initargs=(settings, mask_secrets)))

    def run(notes: Sequence[Note]) -> list[bytes]:
        pieces = [notes[start : start + _PIECE] for start in range(0, len(notes), _PIECE)]
        return [line for lines in pool.map(_run, pieces) for line in lines]

    return run


def _start(settings: Settings, mask_secrets: bool) -> None:
    import signal

    from lean_memory.memory import Memory

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the command's to handle
    _worker = extractor(Memory(settings=settings).extractor(mask_secrets=mask_secrets))


def _run(notes: Sequence[Note]) -> list[bytes]:
    assert _worker is not None
    return _worker(notes)
