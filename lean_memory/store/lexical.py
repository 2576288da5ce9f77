"""The text index: FTS5 over tokens that `words` made, and BM25 over what a view sees.

Theory of operation. FTS5 gets tokens joined by spaces and its `ascii` tokenizer takes them apart again, so words
are words by our rule alone and a user's text is never query syntax. Ranking what is believed now, FTS5 computes
BM25 itself, over statistics of all rows. A view of the past must not change as rows are added, so there the
same formula runs over the visible rows' statistics; `terms_instances` gives the term frequencies.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Sequence
from typing import Final

from lean_memory.claims import View
from lean_memory.store.database import Database
from lean_memory.store.port import Scored
from lean_memory.store.visibility import Sight, best_visible, sight
from lean_memory.words import tokens

__all__ = ["add_text", "idf", "sparse", "term_weight"]

K1: Final = 1.2
B: Final = 0.75
_LEAST_IDF: Final = 1e-6
_NEGLIGIBLE: Final = 64 * (K1 + 1.0) * _LEAST_IDF  # more than all the terms left out could come to
_MANY: Final = 5000  # texts, from which on it pays to ask how many hold a term

_SAMPLED: Final = 64
_TELLING_SAMPLE: Final = 500  # texts; their number is then right by some 5 %, which moves a weight by a hundredth

_NOT_TOKEN = re.compile(r"[\x00-/:-@\[-`{-\x7f\ud800-\udfff]+")
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def add_text(db: Database, item: int, words: Sequence[str]) -> None:
    """Indexes an item's tokens. Inside a write."""
    db.run("INSERT INTO terms (rowid, words) VALUES (?, ?)", (item, " ".join(words)))


def indexed_words(text: str, speaker: str | None = None) -> list[str]:
    """The tokens under which an item is found; an episode's speaker among them."""
    return tokens(text) if speaker is None else tokens(speaker) + tokens(text)


def sparse(db: Database, terms: Sequence[str], view: View, limit: int) -> list[Scored]:
    """See `Store.sparse`. BM25 as FTS5 computes it (https://sqlite.org/fts5.html#the_bm25_function): k1 = 1.2,
    b = 0.75, idf = ln((N - n + 0.5) / (n + 0.5)), at least 1e-6. Equal scores are ordered by id."""
    wanted = _as_tokens(terms)
    if not wanted or limit <= 0:
        return []
    seen = sight(view)
    with db.reading():
        if view.as_of is None and view.known_at is None:
            return _ranked_by_fts5(db, wanted, seen, limit)
        return _ranked_among_visible(db, wanted, seen, limit)


def _as_tokens(terms: Iterable[str]) -> list[str]:
    """What the index could hold of the terms, each once."""
    parts = (part for term in terms for part in _NOT_TOKEN.split(term.translate(_ASCII_LOWER)))
    return [part for part in dict.fromkeys(parts) if part]


def _any_of(wanted: Iterable[str]) -> str:
    """The FTS5 query."""
    return " OR ".join(f'"{term}"' for term in wanted)


def _ranked_by_fts5(db: Database, wanted: list[str], seen: Sight, limit: int) -> list[Scored]:
    telling = _telling(db, wanted)
    if telling != wanted:
        found = _best(db, telling, seen, limit)
        if len(found) == limit and found[-1][1] > _NEGLIGIBLE:
            return found
    return _best(db, wanted, seen, limit)


def _best(db: Database, wanted: list[str], seen: Sight, limit: int) -> list[Scored]:
    """FTS5's best that are visible. None that it finds and is left out has the score of one that is given."""
    if not wanted:
        return []
    count = 2 * limit + 20
    while True:
        ranked = db.rows(
            "SELECT rowid, -bm25(terms) AS score FROM terms WHERE terms MATCH ? ORDER BY score DESC LIMIT ?",
            (_any_of(wanted), count),
        )
        scores = dict(ranked)
        if len(ranked) == count:  # others may have the last one's score
            scores = {item: score for item, score in ranked if score > ranked[-1][1]}
        hits = best_visible(db, scores, seen, limit)
        if len(hits) >= limit or len(ranked) < count:
            return hits
        count *= 4


def _telling(db: Database, wanted: list[str]) -> list[str]:
    """The terms that less than half of the texts hold, once there are many texts."""
    rows = db.value("SELECT ifnull((SELECT max(row) FROM episodes), 0) + ifnull((SELECT max(row) FROM facts), 0)")
    if rows < _MANY or len(wanted) < 2:
        return wanted
    counts = [db.value("SELECT count(*) FROM terms WHERE terms MATCH ?", (_any_of([term]),)) for term in wanted]
    return [term for term, count in zip(wanted, counts, strict=True) if 2 * count < rows]


def _ranked_among_visible(db: Database, wanted: list[str], seen: Sight, limit: int) -> list[Scored]:
    count, total = _statistics(db, seen)
    matched = "WITH matched AS MATERIALIZED (SELECT rowid AS item FROM terms WHERE terms MATCH :match)"
    values = {**seen.values, "match": _any_of(wanted)}
    rows = db.rows(f"{matched} SELECT item, id, tokens FROM ({seen.pool('matched')})", values)
    lengths = {item: length for item, _, length in rows}
    scores = dict.fromkeys(lengths, 0.0)
    for term in wanted:
        occurrences = db.rows("SELECT doc, count(*) FROM terms_instances WHERE term = ? GROUP BY doc", (term,))
        postings = [(item, tf) for item, tf in occurrences if item in lengths]
        weight = idf(max(count, len(postings)), len(postings))
        for item, tf in postings:
            scores[item] += weight * term_weight(tf, lengths[item], total / count)
    best = heapq.nsmallest(limit, ((-scores[item], id, item) for item, id, _ in rows))
    return [(item, -score) for score, _, item in best]


def _statistics(db: Database, seen: Sight) -> tuple[int, int]:
    """How many texts are visible, and their tokens. Of very many, as one row in `_SAMPLED` tells it: which rows these
    are does not change, so what is stored later changes neither."""
    last = db.value("SELECT max((SELECT ifnull(max(row), 0) FROM episodes), (SELECT ifnull(max(row), 0) FROM facts))")
    count, total = db.rows(
        f"WITH RECURSIVE sample (row) AS (SELECT {_SAMPLED} UNION ALL SELECT row + {_SAMPLED} FROM sample"
        f" WHERE row + {_SAMPLED} <= :last), listed AS MATERIALIZED ("
        "SELECT 2 * row AS item FROM sample UNION ALL SELECT 2 * row + 1 FROM sample)"
        f" SELECT count(*), sum(tokens) FROM ({seen.pool('listed')})",
        {**seen.values, "last": last},
    )[0]
    if count >= _TELLING_SAMPLE:
        return _SAMPLED * count, _SAMPLED * total
    count, total = db.rows(f"SELECT count(*), sum(tokens) FROM ({seen.pool()})", seen.values)[0]
    return count, total or 0


def idf(count: int, holding: int) -> float:
    """How much a term says that `holding` of `count` texts hold."""
    return max(_LEAST_IDF, math.log((count - holding + 0.5) / (holding + 0.5)))


def term_weight(tf: int, length: int, mean_length: float) -> float:
    """BM25's saturated term frequency in a text of `length` tokens."""
    return tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length / mean_length))
