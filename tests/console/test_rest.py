"""The REST mirror: what a program adds and finds over HTTP is what the commands store and find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests import schemas
from tests.commands import run
from tests.console.process import REST, Console


def test_what_is_added_is_found_here_and_by_the_commands(console: Console, folder: Path) -> None:
    note = {
        "text": "I adopted a cat called Pixel.",
        "t_ref": "2026-03-01T09:00:00Z",
        "speaker": "Ada",
        "meta": {"app": "x"},
    }
    added = console.ask("/v1/pets/memories", note)
    assert added.status == 201
    schemas.check(added.json)
    assert console.ask("/v1/pets/memories", note).status == 200, "the same again is stored once"
    [hit, *_] = console.ask("/v1/pets/search", {"query": "a cat", "kind": "fact", "explain": True}).json["hits"]
    schemas.check(hit)
    assert hit["subject"] == "Ada"
    assert set(hit["parts"]) >= {"relevance", "recency", "importance"}
    same = run("lm-search -n pets --kind fact -k 1 'a cat'", folder=folder)
    assert json.loads(same.stdout)["id"] == hit["id"]


def test_a_search_can_look_back(console: Console) -> None:
    for text, day in (("I work at Larkfield Books.", "2024-03-01"), ("I work at Harbour Press now.", "2026-03-01")):
        assert console.ask("/v1/me/memories", {"text": text, "t_ref": f"{day}T09:00:00Z"}).status == 201
    asked = {"query": "where do I work?", "kind": "fact", "k": 1}
    now = console.ask("/v1/me/search", asked).json["hits"]
    then = console.ask("/v1/me/search", {**asked, "as_of": "2025-01-01T00:00:00Z"}).json["hits"]
    assert [now[0]["object"], then[0]["object"]] == ["Harbour Press", "Larkfield Books"]


@pytest.mark.parametrize(
    "namespace", ["a b", "Work", "a/b", "..", "工作", "<b>", "x?y#z", "search", "%2f", "a\nb", "\n"]
)
def test_any_name_of_a_memory_works(namespace: str, console: Console, folder: Path) -> None:
    path = f"/v1/{quote(namespace, safe='')}"
    assert console.ask(f"{path}/memories", {"text": "I like tea."}).status == 201
    assert console.ask(f"{path}/search", {"query": "tea"}).json["hits"]
    assert console.ask(f"/part/review?n={quote(namespace, safe='')}").status == 200
    assert len(list((folder / "memory").glob("*.db"))) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["memory"]


BAD: list[tuple[str, Any, int]] = [
    (f"{REST}/memories", {}, 400),
    (f"{REST}/memories", {"text": 5}, 400),
    (f"{REST}/memories", {"text": "x", "t_ref": "soon"}, 400),
    (f"{REST}/memories", [1], 400),
    (f"{REST}/memories", b"{", 400),
    (f"{REST}/memories", b"\xff", 400),
    (f"{REST}/memories", b'{"a":' * 5000, 400),
    (f"{REST}/search", {"query": 1}, 400),
    (f"{REST}/search", {}, 400),
    (f"{REST}/search", {"query": "tea", "k": 0}, 400),
    (f"{REST}/search", {"query": "tea", "k": True}, 400),
    (f"{REST}/search", {"query": "tea", "as_of": "later"}, 400),
    (f"{REST}/search", {"query": "tea", "wieghts": [1]}, 400),
    ("/v1/nobody/search", {"query": "tea"}, 404),
    (f"{REST}/forget", {"text": "tea"}, 404),
    (f"{REST}/clear", {}, 404),
]


@pytest.mark.parametrize(("path", "body", "status"), BAD, ids=str)
def test_what_is_wrong_is_an_error_record(path: str, body: Any, status: int, console: Console, folder: Path) -> None:
    answer = console.ask(path, body)
    assert answer.status == status
    schemas.check(answer.json)
    assert answer.json["type"] == "error"
    assert [path.name for path in (folder / "memory").glob("*.db")] == ["work.db"], "nothing was made"


def test_the_routes_are_described(console: Console) -> None:
    """In a document that programs can read; the routes take no other method than it says."""
    document = console.ask("/v1/openapi.json").json
    assert document["openapi"].startswith("3.1")
    for path in document["paths"]:
        where = path.replace("{namespace}", "work")
        for method in ("GET", "PUT", "DELETE", "OPTIONS"):
            answer = console.ask(where, method=method)
            assert (answer.status, answer.headers["allow"], answer.json["code"]) == (405, "POST", "no_method")
    assert console.ask("/v1/openapi.json", token=None).status == 401


def test_a_body_must_say_that_it_is_json(console: Console) -> None:
    """So that no form of another page can send one."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = console.ask(f"{REST}/memories", b'{"text":"x"}', headers={"Content-Type": kind})
        assert answer.status == 400


def test_a_search_of_a_person_does_not_count_as_use_and_one_of_a_program_does(console: Console, folder: Path) -> None:
    def hits() -> int:
        listed = run("lm-review list -n work --kind eviction --entity user", folder=folder).stdout
        return int(json.loads(listed)["targets"][0]["hits"])

    before = hits()
    assert console.ask("/part/search?n=work&q=harbour+lights").status == 200
    assert hits() == before
    assert console.ask(f"{REST}/search", {"query": "harbour lights"}).status == 200
    assert hits() == before + 1


def test_no_file_is_held_between_requests(console: Console, folder: Path) -> None:
    """So a memory can be cleared, restored or forgotten from while the console is open."""
    assert console.ask("/part/search?n=work&q=tea").status == 200
    assert console.ask(f"{REST}/search", {"query": "tea"}).status == 200
    ended = run("lm-maintain clear -n work --yes", folder=folder)
    assert (ended.rc, ended.stderr) == (0, b"")
    assert console.ask("/part/review?n=work").status == 404
    assert "lm-store" in console.ask("/part/review").text, "it says how to begin"
    assert console.ask(f"{REST}/memories", {"text": "I like tea."}).status == 201
    assert "I like tea" in console.ask("/part/activity?n=work").text
