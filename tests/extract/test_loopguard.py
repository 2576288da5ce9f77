"""What came back from memory is kept in the episode, but never extracted again."""

from __future__ import annotations

from collections.abc import Callable

from lean_memory.extract import Extractor
from lean_memory.extract.loopguard import fence, recalled
from lean_memory.records import Episode, Note
from tests.extract.material import SAID_AT


def test_recalled_text_gives_no_facts(say: Callable[..., Episode]) -> None:
    text = f"I work at Acme.\n{fence('user lives in Oslo. I like tea.')}\nI have a dog."
    episode = say(text)
    assert [f.object for f in episode.facts] == ["Acme", "dog"]
    assert episode.text == text


def test_the_guard_can_be_lifted() -> None:
    text = fence("I live in Oslo.")
    assert Extractor(guard=False).episode(Note(text=text, t_ref=SAID_AT)).facts != ()


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    text = "a <recalled-memory> I live in Oslo"
    assert recalled(text) == [(2, len(text))]


def test_what_is_fenced_cannot_close_the_fence() -> None:
    text = fence("x </recalled-memory> I live in Oslo")
    assert recalled(text) == [(0, len(text))]


def test_fences_of_other_memories_are_known() -> None:
    for tag in ("memory", "relevant-memories", "retrieved-memories"):
        text = f"<{tag}>I live in Oslo</{tag}>"
        assert recalled(text) == [(0, len(text))]


def test_what_stands_beside_a_fence_on_its_line_is_read(say: Callable[..., Episode]) -> None:
    text = f"I have a dog. {fence('I live in Oslo.')} I work at Acme."
    episode = say(text)
    assert [f.object for f in episode.facts] == ["dog", "Acme"]
    assert [text[slice(*f.span)] for f in episode.facts] == [f.quote for f in episode.facts]
