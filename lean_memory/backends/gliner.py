"""GLiNER2 (extra [extract]): relations in a text by an encoder, with the predicate table as its schema.

Theory of operation. GLiNER2 (arXiv:2507.18546) reads the names of the relations it is to find before the text, so the
table is asked for in groups that leave the text room in the encoder's window. Of each group it gives pairs of spans
with a confidence. Words are split as at its training, but that each Han or kana letter is one: such text has no spaces,
and a model's spans end where words do.

Weights are read from the disk only, a folder or the hub's local cache; `fetch` is the one place that downloads.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from lean_memory.backends.files import cached_snapshot, keep_to_disk, tell_nobody
from lean_memory.candidates import Candidate, Relation
from lean_memory.errors import BackendUnavailable

__all__ = ["DEFAULT", "GLiNER", "fetch", "on_disk"]

DEFAULT: Final = "fastino/gliner2-base-v1"
"""205 million parameters, English, Apache-2.0. `fastino/gliner2-multi-v1` reads other languages."""

_THRESHOLD: Final = 0.3  # the router decides; below this there is little but noise
_GROUP: Final = 16  # relations asked for at once
_WORDS: Final = 256  # of text at once; the encoder was trained on at most 512 word pieces
_OVERLAP: Final = 48
_BATCH: Final = 8

_FETCH: Final = "fetch it with: lm-extract --warm, or set LM_GLINER to the model's folder"
_WHICH: Final = "LM_GLINER must name the folder of a GLiNER2 model"
_WORD: Final = re.compile(
    r"(?:https?://|www\.)\S+|[\w.%+-]+@[\w.-]+\.\w{2,}|@\w+"
    r"|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[\w\u0300-\u036f])+"
    r"(?:-(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[\w\u0300-\u036f])+)*|\S"
)


def on_disk(name: str, env: Mapping[str, str]) -> Path | None:
    """The folder of a model: `name` is a path, or a hub model in the local cache. None when it is not there."""
    path = Path(name).expanduser()
    return path if path.is_dir() else cached_snapshot(name, env)


def fetch(name: str) -> None:
    """Downloads a hub model into the local cache; what is there already stays.

    Raises:
        BackendUnavailable: there is no such model, or no network.
    """
    tell_nobody()
    try:
        from huggingface_hub import snapshot_download

        snapshot_download(name, allow_patterns=["*.json", "*.safetensors", "*.txt", "*.model"])
    except Exception as error:  # of many kinds, from the hub's library and the HTTP client below it
        raise BackendUnavailable(
            f"the model {name} can't be fetched: {error}",
            hint="check its name and the network, or set LM_GLINER to a folder",
        ) from error


class GLiNER:
    """A GLiNER2 model by its folder or hub name, on the processor. Safe to use from several threads.

    Args:
        threshold: candidates of less confidence are not given.
    """

    def __init__(self, name: str = DEFAULT, env: Mapping[str, str] | None = None, *, threshold: float = _THRESHOLD):
        self._name = name
        self._env = env or {}
        self._threshold = threshold
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """`gliner2:` and the folder or hub name."""
        return f"gliner2:{self._name}"

    def warm(self) -> None:
        """Loads the model. Raises BackendUnavailable."""
        with self._lock:
            if self._model is None:
                self._model = _load(self._folder())

    def candidates(self, text: str, relations: Sequence[Relation]) -> list[Candidate]:
        """What the model sees of these relations, by place in the text. Raises BackendUnavailable as `warm` does."""
        if not text.strip() or not relations:
            return []
        self.warm()
        groups = [relations[i : i + _GROUP] for i in range(0, len(relations), _GROUP)]
        # A lone surrogate has no form in UTF-8, so the tokenizer refuses it; one letter stands for it.
        readable = text.encode("utf-8", "replace").decode()
        with self._lock:  # the library's preprocessing keeps state
            answers = self._ask(readable, groups)
        found: dict[tuple[Any, ...], Candidate] = {}
        for group, answer in zip(groups, answers, strict=True):
            for candidate in _read(text, group, answer):
                key = (candidate.predicate, candidate.head, candidate.tail)
                if key not in found or found[key].confidence < candidate.confidence:
                    found[key] = candidate
        return sorted(found.values(), key=lambda c: (c.span, c.predicate, c.head, c.tail))

    def _ask(self, text: str, groups: Sequence[Sequence[Relation]]) -> list[dict[str, Any]]:
        from gliner2 import Schema

        schemas = [Schema().relations({r.name: r.description for r in group}) for group in groups]
        try:
            answers: list[dict[str, Any]] = self._model.batch_extract_long(
                [text] * len(schemas), schemas, batch_size=_BATCH, threshold=self._threshold, include_confidence=True,
                include_spans=True, chunk_size=_WORDS, chunk_overlap=_OVERLAP,
            )  # fmt: skip
        except (RuntimeError, ValueError) as error:  # torch's, of memory and shapes
            raise BackendUnavailable(
                f"{self.name} can't read a text: {error}", hint="is it a GLiNER2 model?"
            ) from error
        return answers

    def _folder(self) -> Path:
        folder = on_disk(self._name, self._env)
        if folder is None:
            raise BackendUnavailable(f"the model {self._name} is not on the disk", hint=_FETCH)
        return folder


def _load(folder: Path) -> Any:
    keep_to_disk()
    try:
        from gliner2 import AutoExtractor
    except ImportError as error:
        raise BackendUnavailable(
            f"candidates need gliner2 and torch: {error}", hint="install them with: pip install 'lean-memory[extract]'"
        ) from error
    try:
        encoder = json.loads((folder / "encoder_config" / "config.json").read_bytes())
        if "auto_map" in encoder:  # gliner2 would import it, and so run the model's own code
            raise ValueError("its encoder brings its own code, which is not run")
        with _silence():
            model = AutoExtractor.from_pretrained(
                str(folder), local_files_only=True, map_location="cpu", word_splitter=_words
            )
    except Exception as error:  # of many kinds: files, formats, shapes, memory
        raise BackendUnavailable(f"the model in {folder} does not load: {error}", hint=_WHICH) from error
    return model.eval()


@contextmanager
def _silence() -> Iterator[None]:
    """Loading tells of its progress and of harmless findings on stderr, which nobody asked for."""
    from transformers.utils import logging

    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()


def _words(text: str, lower: bool = True) -> Iterator[tuple[str, int, int]]:
    for match in _WORD.finditer(text):
        yield (match[0].lower() if lower else match[0]), match.start(), match.end()


def _read(text: str, group: Sequence[Relation], answer: Mapping[str, Any]) -> Iterator[Candidate]:
    """The candidates in gliner2's answer, which may name a relation by its name, or by its name and description."""
    labels = {label: r.name for r in group for label in (r.name, f"{r.name}: {r.description}")}
    for label, pairs in answer.get("relation_extraction", {}).items():
        predicate = labels.get(label)
        for pair in pairs if predicate else ():
            head, tail = (_trimmed(text, pair[end]["start"], pair[end]["end"]) for end in ("head", "tail"))
            if head[0] < head[1] and tail[0] < tail[1] and head != tail:
                confidence = min(float(pair[end]["confidence"]) for end in ("head", "tail"))
                yield Candidate(
                    subject=text[slice(*head)], predicate=str(predicate), object=text[slice(*tail)],
                    head=head, tail=tail, confidence=min(max(confidence, 0.0), 1.0),
                )  # fmt: skip


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space and the marks that end a sentence; a full stop stays, it may belong to `Inc.`"""
    end = min(end, len(text))
    while start < end and (text[start].isspace() or text[start] in ",;:!?"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ",;:!?"):
        end -= 1
    return start, end
