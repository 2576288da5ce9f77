"""Erasing for good: rows, vectors, the text index, the log's entries, summaries, proposals; then the bytes themselves.

This is a right, not maintenance: history changes. What is erased are facts, their words in the episodes (blacked out
where they stand, so that the rest of an episode keeps its places), episodes that are named, and whatever was made from
them. What held when of the claims that are left is decided anew by the caller, in the same transaction.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from lean_memory.claims import Interval, SlotState
from lean_memory.names import name_key
from lean_memory.records import Note, Vector, episode_id
from lean_memory.store.clock import no_earlier
from lean_memory.store.database import Database
from lean_memory.store.lexical import add_text, indexed_words
from lean_memory.store.usage import empty_usage
from lean_memory.store.vectors import create_index, embedder, index_vector, move_envelopes
from lean_memory.upkeep import Erased

__all__ = ["bytes_left", "erase", "scrub", "settle"]

BLACK: Final = "█"
_BYTES_LEFT: Final = "bytes_left"
_SHORTEST: Final = 4  # bytes: what is shorter stands in any file by chance


def erase(db: Database, *, fact: str | None = None, episode: str | None = None, text: str | None = None) -> Erased:
    """Takes it out of every table. Inside `writing`; the file holds the bytes until `scrub`.

    Args:
        fact: an id. Its duplicates go with it, its words in the episodes that say it, and what else they alone said.
        episode: an id. Facts that nobody else says go with it.
        text: wherever these letters stand, upper or lower case.
    """
    erasure = _Erasure(db)
    if fact is not None:
        erasure.fact(fact)
    elif episode is not None:
        erasure.episode(episode)
    elif text:
        erasure.matching(text)
    done = erasure.finish()
    if done.facts or done.episodes or done.summaries or done.redacted:
        db.run(f"INSERT INTO meta (key, value) VALUES ('{_BYTES_LEFT}', '1') ON CONFLICT DO NOTHING")
    return done


def bytes_left(db: Database) -> bool:
    """Whether something was erased whose bytes are still in the file: `scrub` was cut short."""
    with db.reading():
        return bool(db.rows("SELECT 1 FROM meta WHERE key = ?", (_BYTES_LEFT,)))


class _Erasure:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._facts: dict[int, None] = {}
        self._slots: dict[int, None] = {}
        self._done = Erased()

    # ------------------------------------------------------------------------------------------------ what goes

    def fact(self, id: str) -> None:
        db = self._db
        first = db.value("SELECT row FROM facts WHERE id = ?", (id,))
        if first is None:
            return
        if db.rows("SELECT 1 FROM lineage WHERE fact = ? AND kind = 'summary'", (first,)):
            self._done.needles.append(db.value("SELECT text FROM facts WHERE row = ?", (first,)))
            self._take(first)  # its words are those of its sources
            return
        places: dict[int, list[tuple[int, int]]] = {}
        for row in self._alike(first):
            self._take(row)
            for episode, begin, end, quote, text in db.rows(
                "SELECT episode, span_begin, span_end, quote, text FROM evidence WHERE fact = ?", (row,)
            ):
                places.setdefault(episode, []).append((begin, end))
                self._done.needles += [quote, text]
        for episode, spans in places.items():
            self._redact(episode, spans)

    def episode(self, id: str) -> None:
        row, text = self._db.row("SELECT row, text FROM episodes WHERE id = ?", (id,)) or (None, "")
        if row is not None:
            self._done.needles.append(text)
            self._drop_episode(row)

    def matching(self, text: str) -> None:
        db, pattern = self._db, re.compile(re.escape(text), re.IGNORECASE)

        def told(*values: Any) -> bool:
            found = [match[0] for value in values if value for match in pattern.finditer(value)]
            self._done.needles += [form for word in found for form in (word, word.casefold())]
            return bool(found)

        for row, *words, extra in db.rows(
            "SELECT f.row, n.name, f.object, f.text, x.text, x.time_text, ifnull(x.extra, '{}')"
            " FROM facts f JOIN entities n ON n.row = f.subject LEFT JOIN evidence x ON x.fact = f.row"
        ):
            if told(*words, *_strings(extra)):
                self._take(row)
        for row, payload, evidence, decision, by in db.rows(
            "SELECT row, payload, evidence, ifnull(decision, 'null'), decided_by FROM proposals"
        ):
            if told(by, *_strings(payload), *_strings(evidence), *_strings(decision)):
                self._drop_proposal(row)
        for row, by in db.rows(
            "SELECT row, cause ->> 'decided_by' FROM changes WHERE cause ->> 'decided_by' IS NOT NULL"
        ):
            if told(by):
                db.run("UPDATE changes SET cause = json_remove(cause, '$.decided_by') WHERE row = ?", (row,))
        for row, words, speaker, session, source, meta, extra in db.rows(
            "SELECT row, text, speaker, session, source, meta, extra FROM episodes"
        ):
            if told(
                speaker, session, source, *_strings(meta), *_strings(extra)
            ):  # who said it, or where, is what is to be forgotten
                self._drop_episode(row)
            elif told(words):
                self._redact(row, [match.span() for match in pattern.finditer(words)])
        key = name_key(text)
        db.run(
            "DELETE FROM aliases WHERE instr(key, ?1) OR entity IN (SELECT row FROM entities WHERE instr(key, ?1))",
            (key,),
        )

    def _alike(self, fact: int) -> Iterable[int]:
        """The fact, and those that were retired into it or it into them: they say the same."""
        return [
            row
            for (row,) in self._db.rows(
                "WITH RECURSIVE alike (row) AS (SELECT ? UNION"
                " SELECT CASE l.fact WHEN a.row THEN l.source ELSE l.fact END"
                " FROM alike a JOIN lineage l ON l.kind = 'duplicate' AND a.row IN (l.fact, l.source))"
                " SELECT row FROM alike ORDER BY row",
                (fact,),
            )
        ]

    def _take(self, fact: int) -> None:
        self._facts[fact] = None

    # ------------------------------------------------------------------------------------------------- episodes

    def _redact(self, episode: int, places: Iterable[tuple[int, int]]) -> None:
        """Blacks places out, by as many letters as they had, so that the spans of other facts still fit."""
        db = self._db
        id, text, speaker, t_ref, source, session = db.rows(
            "SELECT id, text, speaker, t_ref, source, session FROM episodes WHERE row = ?", (episode,)
        )[0]
        letters, gone = list(text), []
        for begin, end in places:
            gone.append(text[begin:end])
            letters[begin:end] = [letter if letter.isspace() else BLACK for letter in letters[begin:end]]
        blacked = "".join(letters)
        fresh = episode_id(Note(text=blacked, t_ref=t_ref, source=source, speaker=speaker, session=session))
        if db.rows("SELECT 1 FROM episodes WHERE id = ? AND row <> ?", (fresh, episode)):
            self._drop_episode(episode)  # another that was blacked out says the same
            return
        words = indexed_words(blacked, speaker)
        db.run("UPDATE episodes SET id = ?, text = ?, tokens = ? WHERE row = ?", (fresh, blacked, len(words), episode))
        self._requote(episode, blacked)
        for key, entity, name in db.rows(
            "SELECT a.key, a.entity, n.name FROM aliases a JOIN entities n ON n.row = a.entity WHERE a.episode = ?",
            (episode,),
        ):
            if any(name.casefold() in words.casefold() for words in gone):
                db.run("DELETE FROM aliases WHERE key = ? AND entity = ? AND episode = ?", (key, entity, episode))
        db.run("UPDATE changes SET cause = json_set(cause, '$.said_in', ?) WHERE cause ->> 'said_in' = ?", (fresh, id))
        self._unindex(2 * episode)
        add_text(db, 2 * episode, words)
        db.run("INSERT INTO unembedded (item) VALUES (?)", (2 * episode,))
        self._done.redacted += 1

    def _requote(self, episode: int, blacked: str) -> None:
        """The quotes as they now read. A claim of which no letter is left goes, and a fact with its last one."""
        db = self._db
        for row, fact, begin, end, text in db.rows(
            "SELECT row, fact, span_begin, span_end, text FROM evidence WHERE episode = ?", (episode,)
        ):
            quote = blacked[begin:end]
            if re.search(r"\w", quote):
                db.run("UPDATE evidence SET quote = ? WHERE row = ?", (quote, row))
                continue
            db.run("DELETE FROM evidence WHERE row = ?", (row,))
            self._slots[db.value("SELECT slot FROM facts WHERE row = ?", (fact,))] = None
            if not db.rows("SELECT 1 FROM evidence WHERE fact = ?", (fact,)):
                self._done.needles.append(text)
                self._take(fact)

    def _drop_episode(self, row: int) -> None:
        """The episode, and the facts that only it says."""
        db = self._db
        for fact, slot, others in db.rows(
            "SELECT f.row, f.slot, (SELECT count(*) FROM evidence y WHERE y.fact = f.row AND y.episode <> x.episode)"
            " FROM evidence x JOIN facts f ON f.row = x.fact WHERE x.episode = ? GROUP BY f.row",
            (row,),
        ):
            self._slots[slot] = None
            if not others:
                self._take(fact)
        id = db.value("SELECT id FROM episodes WHERE row = ?", (row,))
        db.run("DELETE FROM evidence WHERE episode = ?", (row,))
        db.run("DELETE FROM aliases WHERE episode = ?", (row,))
        db.run("UPDATE changes SET episode = NULL WHERE episode = ?", (row,))
        db.run("UPDATE changes SET cause = json_remove(cause, '$.said_in') WHERE cause ->> 'said_in' = ?", (id,))
        self._unindex(2 * row)
        db.run("DELETE FROM episodes WHERE row = ?", (row,))
        self._done.episodes += 1

    # ---------------------------------------------------------------------------------------------------- facts

    def finish(self) -> Erased:
        """Takes the facts, what was made from them, and what nothing mentions any more."""
        db = self._db
        going = dict.fromkeys([*self._facts, *self._summaries()])
        for fact in going:
            self._done.summaries += bool(
                db.rows("SELECT 1 FROM lineage WHERE fact = ? AND kind = 'summary' LIMIT 1", (fact,))
            )
        self._done.facts = len(going) - self._done.summaries
        for fact in going:
            self._drop_fact(fact)
        db.run("DELETE FROM slots WHERE row NOT IN (SELECT slot FROM facts)")
        db.run(
            "DELETE FROM entities WHERE row NOT IN (SELECT subject FROM facts UNION SELECT entity FROM aliases"
            " UNION SELECT entity FROM proposals WHERE entity IS NOT NULL)"
        )
        db.run("INSERT INTO terms (terms) VALUES ('optimize')")  # else the words of deleted rows stay in its segments
        self._index_anew()
        listed = orjson.dumps(list(self._slots)).decode()
        self._done.slots = [
            key for (key,) in db.rows("SELECT key FROM slots WHERE row IN (SELECT value FROM json_each(?))", (listed,))
        ]
        return self._done

    def _summaries(self) -> list[int]:
        """Those made from the facts that go; their other sources, and duplicates left alone, come back."""
        db = self._db
        found: dict[int, None] = {}
        for fact in self._facts:
            for other, kind in db.rows("SELECT fact, kind FROM lineage WHERE source = ?", (fact,)):
                if kind == "duplicate":
                    self._bring_back(other)
                elif other not in self._facts:
                    found[other] = None
            for source, kind in db.rows("SELECT source, kind FROM lineage WHERE fact = ?", (fact,)):
                if kind == "summary":
                    self._bring_back(source)
        for summary in found:
            for (source,) in db.rows("SELECT source FROM lineage WHERE fact = ?", (summary,)):
                self._bring_back(source)
        return list(found)

    def _bring_back(self, fact: int) -> None:
        if fact not in self._facts:
            self._db.run("UPDATE facts SET tier = 'hot' WHERE row = ?", (fact,))

    def _drop_fact(self, row: int) -> None:
        db = self._db
        slot, id = db.rows("SELECT slot, id FROM facts WHERE row = ?", (row,))[0]
        self._slots[slot] = None
        for (proposal,) in db.rows(
            "SELECT proposal FROM proposal_targets WHERE fact = ?1 UNION SELECT p.row FROM changes c"
            " JOIN proposals p ON p.id = c.cause ->> 'proposal' WHERE c.fact = ?1",
            (row,),
        ):
            self._drop_proposal(proposal)
        db.run("DELETE FROM lineage WHERE fact = ?1 OR source = ?1", (row,))
        db.run("DELETE FROM changes WHERE fact = ?", (row,))
        for key in ("by", "into", "summary", "ended"):
            db.run(f"UPDATE changes SET cause = json_remove(cause, '$.{key}') WHERE cause ->> '{key}' = ?", (id,))
        db.run("DELETE FROM evidence WHERE fact = ?", (row,))
        db.run("DELETE FROM validity WHERE fact = ?", (row,))
        self._unindex(2 * row + 1)
        db.run("DELETE FROM facts WHERE row = ?", (row,))

    def _drop_proposal(self, row: int) -> None:
        self._db.run("DELETE FROM proposal_targets WHERE proposal = ?", (row,))
        self._db.run("DELETE FROM proposals WHERE row = ?", (row,))
        self._done.proposals += 1

    def _unindex(self, item: int) -> None:
        self._db.run("DELETE FROM terms WHERE rowid = ?", (item,))
        for table in ("vectors", "unembedded", "usage"):
            self._db.run(f"DELETE FROM {table} WHERE item = ?", (item,))

    def _index_anew(self) -> None:
        """The coarse vectors: deleting leaves their numbers where they were."""
        mark = embedder(self._db)
        if mark is not None:
            self._db.run("DROP TABLE vec_coarse")
            create_index(self._db, mark)
            for item, data in self._db.rows("SELECT item, data FROM vectors ORDER BY item"):
                index_vector(self._db, item, Vector(mark.name, mark.dim, data))


def _strings(json: str) -> Iterator[str]:
    """Every key and text in a JSON value, as it reads rather than as it is escaped."""
    level = [orjson.loads(json)]
    while level:
        held = level.pop()
        if isinstance(held, str):
            yield held
        elif isinstance(held, dict):
            level += [*held, *held.values()]
        elif isinstance(held, list):
            level += held


def settle(db: Database, states: Iterable[tuple[SlotState, Sequence[Interval]]], *, at: int) -> None:
    """Gives slots the intervals that follow from the claims that are left. Inside `writing`."""
    at = no_earlier(db, at)
    for state, intervals in states:
        wanted, known = set(intervals), set(state.intervals)
        ids = orjson.dumps([one.fact for one in wanted ^ known]).decode()
        for gone in known - wanted:
            db.run(
                "DELETE FROM validity WHERE fact = (SELECT row FROM facts WHERE id = ?) AND valid_at IS ?"
                " AND valid_to IS ? AND closed_at IS NULL",
                (gone.fact, gone.valid_at, gone.valid_to),
            )
        for fresh in sorted(wanted - known, key=lambda one: (one.fact, one.valid_at or 0, one.valid_to or 0)):
            db.run(
                "INSERT INTO validity (fact, valid_at, valid_to, recorded_at)"
                " SELECT row, ?, ?, ? FROM facts WHERE id = ?",
                (fresh.valid_at, fresh.valid_to, at, fresh.fact),
            )
        db.run("UPDATE slots SET revision = revision + 1 WHERE key = ?", (state.key,))
        moved = db.rows("SELECT row FROM facts WHERE id IN (SELECT value FROM json_each(?))", (ids,))
        move_envelopes(db, [row for (row,) in moved])


def scrub(db: Database, needles: Iterable[str]) -> tuple[int, int]:
    """Rewrites the file without what was deleted, then looks for it: bytes searched, places where it still stands.

    Raises:
        StoreBusy: another process reads the file, so its write-ahead log can't be emptied.
    """
    empty_usage(db.path)
    db.compact()
    with db.writing():
        db.run("DELETE FROM meta WHERE key = ?", (_BYTES_LEFT,))
    wanted = {form for needle in needles for form in _forms(needle)}
    scanned = remains = 0
    for path in (db.path, db.path.with_name(db.path.name + "-wal")):
        size, found = _count(path, wanted)
        scanned, remains = scanned + size, remains + found
    return scanned, remains


def _forms(needle: str) -> Iterator[bytes]:
    """The words as they stand in a row and in JSON; not what is blacked out already."""
    words = needle.strip()
    plain = words.encode("utf-8", "surrogatepass")
    if len(plain) < _SHORTEST or not words.strip(BLACK + " \n\t"):
        return
    yield plain
    yield orjson.dumps(plain.decode("utf-8", "replace"))[1:-1]


def _count(path: Path, wanted: Iterable[bytes]) -> tuple[int, int]:
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return 0, 0
    if not size:
        return 0, 0
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return size, sum(1 for form in wanted for _ in re.finditer(re.escape(form), data))
