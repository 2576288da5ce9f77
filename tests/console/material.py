"""Queues longer than a run of maintenance makes, and changes that others make meanwhile."""

from __future__ import annotations

import json
from pathlib import Path

from lean_memory.instants import parse_instant
from lean_memory.names import content_id
from lean_memory.store import open_store
from lean_memory.upkeep import Draft
from tests.commands import NOW, run

__all__ = ["long_queue", "said_again", "script_in_a_fact"]

_AT = parse_instant(NOW)[0]


def _line(text: str, when: str, *facts: dict[str, object]) -> bytes:
    return json.dumps({"type": "episode", "text": text, "t_ref": when, "facts": list(facts)}).encode() + b"\n"


def _fact(subject: str, predicate: str, object: str, quote: str, salience: float = 3.0) -> dict[str, object]:
    return {
        "subject": subject, "predicate": predicate, "object": object, "text": f"{subject} {predicate} {object}",
        "quote": quote, "span": [0, len(quote)], "salience": salience,
    }  # fmt: skip


def long_queue(folder: Path, count: int, *, namespace: str = "long", entities: int = 20) -> None:
    """A memory with `count` evictions to decide on, staged as a run of maintenance stages them."""
    lines = b"".join(
        _line(f"Film {n}", "2020-01-01T00:00:00Z", _fact(f"Person {n % entities}", "watched", f"Film {n}", f"Film {n}"))
        for n in range(count)
    )
    stored = run(f"lm-store -n {namespace} --fast >/dev/null", folder=folder, stdin=lines)
    assert stored.rc == 0, stored.stderr.decode()
    store = open_store(folder / "memory", namespace, create=False, write=True, now=_AT)
    evidence = {"value": 0.15, "salience": 0.3, "recency": 0.0, "use": 0.0, "age_days": 2260, "hits": 0, "claims": 1}
    drafts = [
        Draft(
            id=content_id("test", fact.id), kind="eviction", entity=fact.name, targets=((fact.id, fact.revision),),
            payload={"facts": [fact.id]}, evidence=evidence,
        )
        for fact in store.standing(_AT)
    ]  # fmt: skip
    with store.transaction():
        store.begin_run("0" * 32, trigger="test", config="test", at=_AT)
        staged = store.stage(drafts, run="0" * 32, at=_AT, expires_at=_AT + 30 * 86_400_000)
        store.end_run("0" * 32, at=_AT, counts={"proposed": staged})
    store.close()
    assert staged == count


def said_again(folder: Path) -> None:
    """Somebody says again what a proposal would put away: it is stale from now on."""
    quote = "I watched Harbour Lights again"
    line = _line(f"{quote}.", "2026-03-09T10:00:00Z", {**_fact("user", "watched", "Harbour Lights", quote)})
    assert run("lm-store -n work >/dev/null", folder=folder, stdin=line).rc == 0


def script_in_a_fact(folder: Path) -> None:
    """A memory `evil` whose texts are markup."""
    evil = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    lines = b"".join(
        _line(evil, f"2020-01-0{n + 1}T00:00:00Z", _fact(evil, "bought", f"{evil}{n}", evil, 4.0)) for n in range(6)
    )
    assert run("lm-store -n evil >/dev/null", folder=folder, stdin=lines).rc == 0
    assert run("lm-maintain -n evil --apply >/dev/null", folder=folder).rc == 0
