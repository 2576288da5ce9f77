"""Two weeks of an agent's diary go in through the tools as they happen; twenty questions come out right.

The diary is invented. Each question is asked of the memory alone, after the last day, now or as of a day within.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.mcp.clients import call, over_stdio, run

NOW = "2026-05-18T09:00:00+02:00"
ZONE = "Europe/Berlin"

DIARY: list[tuple[str, str | None, str]] = [
    ("2026-05-04T08:30:00", None, "My name is Ilka and I live in Hamburg. I work at Nordlicht Maps."),
    ("2026-05-04T08:32:00", None, "My sister Runa works at the harbour museum."),
    ("2026-05-04T19:10:00", None, "I adopted a cat called Pixel last Saturday."),
    ("2026-05-05T09:00:00", None, "The deadline of the ferry project is May 15."),
    ("2026-05-05T09:05:00", None, "I prefer tea. Should I learn Danish?"),
    ("2026-05-06T12:00:00", None, "I don't like mushrooms."),
    ("2026-05-06T12:20:00", "Tavo", "I live in Bremen and I am allergic to peanuts."),
    ("2026-05-07T18:00:00", None, "I used to play the cello."),
    ("2026-05-08T09:15:00", None, "I drive a Skoda."),
    ("2026-05-09T11:00:00", None, "Yesterday I visited the botanical garden."),
    ("2026-05-10T20:00:00", None, "I finished reading The Salt Road."),
    ("2026-05-11T08:45:00", None, "The deadline of the ferry project was moved to May 29."),
    ("2026-05-12T10:00:00", None, "I quit Nordlicht Maps. I work at Kompass Verlag now."),
    ("2026-05-12T10:10:00", None, "Runa no longer works at the harbour museum."),
    ("2026-05-13T17:30:00", None, "I sold the Skoda."),
    ("2026-05-14T21:00:00", None, "I moved to Lübeck yesterday."),
    ("2026-05-15T07:50:00", None, "My phone number is +49 451 555 0199."),
    ("2026-05-16T13:00:00", "Tavo", "I moved to Oldenburg."),
    ("2026-05-17T16:00:00", None, "Actually, I prefer coffee now."),
    ("2026-05-17T22:00:00", None, "If I win the lottery I will move to Lisbon."),
]


class Asked(NamedTuple):
    """A question; what the best answer says; what none of five may say of whom it is about; and the day asked of."""

    query: str
    right: str
    never: tuple[str, ...] = ()
    as_of: str | None = None
    about: str = "user"
    ended: bool = False


QUESTIONS = [
    Asked("where do I work?", "Kompass Verlag", ("Nordlicht", "museum")),
    Asked("where do I work?", "Nordlicht Maps", ("Kompass",), as_of="2026-05-10"),
    Asked("where do I live?", "Lübeck", ("Hamburg", "Bremen", "Lisbon", "Oldenburg")),
    Asked("where do I live?", "Hamburg", ("Lübeck", "Bremen"), as_of="2026-05-12"),
    Asked("where did I live before?", "Hamburg", ("Lisbon", "Bremen")),
    Asked("where does Tavo live?", "Oldenburg", ("Lübeck", "Bremen", "Hamburg"), about="Tavo"),
    Asked("where does Tavo live?", "Bremen", ("Oldenburg", "Hamburg"), as_of="2026-05-10", about="Tavo"),
    Asked("what is Tavo allergic to?", "peanuts"),
    Asked("who is my sister?", "Runa"),
    Asked("where did my sister work?", "harbour museum", ended=True),
    Asked("where does Runa work?", "harbour museum", as_of="2026-05-10"),
    Asked("what is my cat called?", "Pixel"),
    Asked("what do I not like?", "mushrooms"),
    Asked("what do I prefer to drink?", "coffee"),
    Asked("which instrument did I play?", "cello"),
    Asked("which car do I drive?", "Skoda", as_of="2026-05-10"),
    Asked("what did I visit?", "botanical garden"),
    Asked("which book did I finish reading?", "The Salt Road"),
    Asked("what is my phone number?", "+49 451 555 0199"),
    Asked("what is my name?", "Ilka", ("called Tavo", "called Runa")),
]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("diary")

    async def scenario() -> None:
        async with over_stdio(folder, "-n", "diary", LM_BACKENDS="", LM_NOW=NOW) as client:
            for said_at, speaker, text in DIARY:
                given = {"text": text, "said_at": said_at, "time_zone": ZONE, "session": said_at[:10]}
                _, data = await call(client, "memory_add", **given, **({"speaker": speaker} if speaker else {}))
                assert data["receipt"]["status"] == "stored"

    run(scenario)
    return folder


@pytest.fixture(scope="module")
def answers(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    async def scenario() -> None:
        async with over_stdio(folder, "-n", "diary", LM_BACKENDS="", LM_NOW=NOW) as client:
            for asked in QUESTIONS:
                given: dict[str, Any] = {"as_of": asked.as_of} if asked.as_of else {}
                given |= {"query": asked.query, "include_ended": asked.ended, "time_zone": ZONE, "limit": 5}
                text, data = await call(client, "memory_search", **given)
                found.append({"text": text, **data})

    run(scenario)
    return found


@pytest.mark.parametrize("number", range(len(QUESTIONS)), ids=lambda number: f"{number + 1}")
def test_a_question(number: int, answers: list[dict[str, Any]]) -> None:
    asked, answer = QUESTIONS[number], answers[number]
    assert asked.right in answer["hits"][0]["text"], answer["text"]
    told = [hit["text"] for hit in answer["hits"] if hit["kind"] == "fact" and hit["subject"] == asked.about]
    assert not [text for text in told for word in asked.never if word in text], answer["text"]


def test_what_has_ended_says_so(answers: list[dict[str, Any]]) -> None:
    assert "user works at Nordlicht Maps\n   fact · from 2026-05-04 to 2026-05-12, ended · " in answers[1]["text"]
    assert "user lives in Lübeck" in answers[2]["text"]
    assert "Tavo lives in Bremen\n   fact · from 2026-05-06 to 2026-05-16, ended · " in answers[6]["text"]


def test_what_changed_in_the_second_week(folder: Path) -> None:
    async def scenario() -> None:
        async with over_stdio(folder, "-n", "diary", LM_BACKENDS="", LM_NOW=NOW) as client:
            text, _ = await call(client, "memory_diff", first="2026-05-10", second="2026-05-18", time_zone=ZONE)
            assert "- user lives in Hamburg (from 2026-05-04 to 2026-05-13, ended), superseded by: user lives" in text
            assert "+ user works at Kompass Verlag (since 2026-05-12)" in text
            assert "Lisbon" not in text

    run(scenario)
