"""`check` finds every way in which the parts of a file can disagree, and `dump` shows what is there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lean_memory.claims import EmbedderMark
from lean_memory.store.sqlite import SqliteStore
from tests.store.material import MODEL, a_fact, a_write, vector


@pytest.fixture
def sound(store: SqliteStore) -> SqliteStore:
    """Two facts and three episodes; the first of each has a vector."""
    first, second = a_fact(valid=(5, None), vector=vector(1)), a_fact(object="Beta")
    store.commit([a_write("one", first, vector=vector(2)), a_write("two", second), a_write("three")])
    assert store.check() == []
    return store


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DELETE FROM terms WHERE rowid = 2", "without an entry in the text index"),
        ("INSERT INTO terms (rowid, words) VALUES (99, 'tea')", "without an item"),
        ("UPDATE facts SET tokens = 9 WHERE row = 1", "length is not that of the text index"),
        ("DELETE FROM unembedded WHERE item = 5", "no vector and wait for none"),
        ("INSERT INTO unembedded VALUES (3)", "wait for a vector and have one"),
        ("INSERT INTO unembedded VALUES (99)", "wait for a vector and have one or don't exist"),
        ("INSERT INTO vectors VALUES (99, zeroblob(1536))", "vectors without an item"),
        ("UPDATE vectors SET data = zeroblob(8) WHERE item = 3", "another size"),
        ("DELETE FROM meta WHERE key = 'embedder'", "no model is recorded"),
        ("DELETE FROM evidence WHERE fact = 2", "nobody said"),
        ("UPDATE validity SET closed_at = -1 WHERE row = 1", "closed before they were recorded"),
        ("DELETE FROM vec_coarse WHERE item = 3", "the coarse index lacks"),
        ("DELETE FROM vectors WHERE item = 3", "without a full one"),
        ("UPDATE validity SET valid_at = 6 WHERE fact = 1", "another time or tier"),
        ("UPDATE facts SET tier = 'cold' WHERE row = 1", "another time or tier"),
        ("UPDATE vec_coarse SET ends = 7 WHERE item = 3", "another time or tier"),
        ("UPDATE episodes SET t_ref = 7 WHERE row = 1", "episodes that the coarse index has at another time"),
        ("UPDATE vec_coarse SET kind = 0 WHERE item = 3", "wrong kind"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM slots WHERE row = 1", "refers to a missing row of slots"),
    ],
)
def test_what_disagrees_is_found(sound: SqliteStore, damage: str, found: str) -> None:
    with sound._db._lock:
        sound._db.run(damage)
    assert any(found in line for line in sound.check()), sound.check()


def test_counts_and_dump_agree(sound: SqliteStore) -> None:
    rows = [row["table"] for row in sound.dump()]
    counts = sound.counts()
    assert {table: rows.count(table) for table in counts} == counts
    assert rows.count("terms") == 5
    assert rows.count("vec_coarse") == 2
    assert counts["vectors"] == 2
    assert counts["unembedded"] == 3


def test_the_same_lines_give_the_same_dump(opened: Callable[..., SqliteStore]) -> None:
    dumps = []
    for name in ("one", "other"):
        store = opened(name)
        store.set_embedder(MODEL)
        for number in range(5):
            store.commit([a_write(f"line {number}", a_fact(object=str(number), vector=vector(number)))])
        dumps.append([row for row in store.dump() if row.get("key") != "namespace"])
    assert dumps[0] == dumps[1]


def test_a_reindexed_store_is_sound(sound: SqliteStore) -> None:
    sound.start_reindex(EmbedderMark("other", 8, "f2"))
    assert sound.check() == []
    assert sound.counts()["unembedded"] == 5
