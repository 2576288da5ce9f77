"""The arms of a search over a haystack in memory: what the store would answer, without one."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from recall_data import Haystack

from lean_memory.backends.minilm import MiniLM
from lean_memory.instants import parse_instant
from lean_memory.records import Hit
from lean_memory.words import query_terms, tokens

__all__ = ["Arms", "Scored", "Vectors"]

Scored = list[tuple[int, float]]


class Vectors:
    """The default embedder with a cache on disk, by the texts' hashes. `cut`: only so many characters are read."""

    def __init__(self, path: Path, *, cut: int | None = None) -> None:
        self._path = path
        self._cut = cut
        self._model = MiniLM()
        self._known: dict[str, np.ndarray] = {}
        if path.exists():
            with np.load(path) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def of(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text."""
        texts = [text[: self._cut] for text in texts]
        keys = [hashlib.blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            vectors = self._model.embed(list(missing.values()))
            rows = (np.frombuffer(vector.data, np.float32) for vector in vectors)
            self._known.update(zip(missing, rows, strict=True))
        return np.array([self._known[key] for key in keys])

    def save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self._path, keys=np.array(list(self._known)), vectors=np.array(list(self._known.values())))


class Arms:
    """BM25 as FTS5 computes it, exact cosines and neighbours, over the notes of one haystack. An item is a place."""

    def __init__(self, haystack: Haystack, vectors: Vectors) -> None:
        self.notes = haystack.notes
        self.matrix = vectors.of([note.text for note in self.notes])
        self._vectors = vectors
        self.questions = vectors.of([question.text for question in haystack.questions])
        counts = [Counter(tokens(note.speaker or "") + tokens(note.text)) for note in self.notes]
        self._lengths = [sum(count.values()) for count in counts]
        self._postings: dict[str, Scored] = {}
        for item, count in enumerate(counts):
            for token, times in count.items():
                self._postings.setdefault(token, []).append((item, times))
        self.hits = {item: self._hit(item) for item in range(len(self.notes))}
        self.places = {note.id: item for item, note in enumerate(self.notes)}
        sessions: dict[str, list[int]] = {}
        for item, note in enumerate(self.notes):
            sessions.setdefault(note.session, []).append(item)
        self.neighbours = {
            item: (turns[place - 1] if place else None, turns[place + 1] if place + 1 < len(turns) else None)
            for turns in sessions.values()
            for place, item in enumerate(turns)
        }

    @cached_property
    def named(self) -> np.ndarray:
        """The notes' vectors, their speakers' names before the texts."""
        return self._vectors.of([f"{note.speaker}: {note.text}" if note.speaker else note.text for note in self.notes])

    @cached_property
    def lowered(self) -> dict[int, str]:
        """Every note as a line of a chat, in lower case."""
        return {item: f"{note.speaker or ''}: {note.text}".lower() for item, note in enumerate(self.notes)}

    def _hit(self, item: int) -> Hit:
        note = self.notes[item]
        return Hit(
            rank=None,
            kind="episode",
            id=note.id,
            episode=note.id,
            score=None,
            text=note.text,
            speaker=note.speaker,
            t_ref=parse_instant(note.t_ref)[0],
            session=note.session,
        )

    def sparse(self, question: str, *, k1: float = 1.2, b: float = 0.75) -> Scored:
        """Every match, best first."""
        total, mean = len(self.notes), sum(self._lengths) / len(self.notes)
        scores: dict[int, float] = {}
        for term in query_terms(question):
            postings = self._postings.get(term, [])
            idf = max(1e-6, math.log((total - len(postings) + 0.5) / (len(postings) + 0.5)))
            for item, times in postings:
                norm = k1 * (1 - b + b * self._lengths[item] / mean)
                scores[item] = scores.get(item, 0.0) + idf * times * (k1 + 1) / (times + norm)
        return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))

    def dense(self, number: int, *, named: bool = False) -> Scored:
        """Every note by cosine to the haystack's question of that number, best first. `named`: of the note's text
        with its speaker's name before it; a search embeds the text alone."""
        cosines = (self.named if named else self.matrix) @ self.questions[number]
        return [(int(item), float(cosines[item])) for item in np.argsort(-cosines, kind="stable")]
