"""Laws over any text: no exception, the same answer twice, spans that are right."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lean_memory.extract import Extractor, default_table
from lean_memory.records import Note
from tests.extract.material import SAID_AT, read_kinds

EXTRACTOR = Extractor()
SENTENCES = [case.say for kind in read_kinds() for case in kind.cases]
WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})

anything = st.text(max_size=200)
wordy = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
mixed = st.lists(st.one_of(st.sampled_from(SENTENCES), st.text(max_size=20)), max_size=4).map(" ".join)


@given(st.one_of(anything, wordy, mixed))
@example("—3: Bruno (dog)")  # a heading of nothing
@example("İ's here and İs't")  # small letters that are longer than their capitals
@example("Left I Brightside, in İ.")
@example("Bo lived in Lyon, Ghent and now Trieste. It happened in May.")  # it ends before it is said to begin
@settings(max_examples=300)
def test_any_text_gives_a_valid_episode(text: str) -> None:
    episode = EXTRACTOR.episode(Note(text=text, t_ref=SAID_AT))
    for fact in episode.facts:
        a, b = fact.span
        assert episode.text[a:b] == fact.quote
        assert fact.quote.strip()
        assert fact.subject.strip()
        assert fact.object.strip()
        assert fact.predicate in EXTRACTOR.table
        assert 0 <= fact.confidence <= 1
        assert 0 <= fact.salience <= 10
        if fact.valid_at is not None and fact.valid_to is not None:
            assert fact.valid_at <= fact.valid_to
    assert len({fact.id for fact in episode.facts}) == len(episode.facts)


@given(mixed)
@settings(max_examples=50)
def test_the_same_text_gives_the_same_facts(text: str) -> None:
    note = Note(text=text, t_ref=SAID_AT)
    assert EXTRACTOR.episode(note) == EXTRACTOR.episode(note)


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
@settings(max_examples=50)
def test_a_blank_turn_between_changes_no_other_episode(one: str, two: str) -> None:
    """Nothing is remembered from one episode to the next."""
    alone = EXTRACTOR.episode(Note(text=two, t_ref=SAID_AT))
    EXTRACTOR.episode(Note(text=one, t_ref=SAID_AT))
    assert EXTRACTOR.episode(Note(text=two, t_ref=SAID_AT)) == alone


def test_a_sentence_may_end_before_its_object() -> None:
    """Every phrase of the table, cut where its object would stand, and a little after."""
    extractor = Extractor()
    phrases = {
        phrase.split("{")[0].strip()
        for row in default_table().values()
        for phrase in (*row.phrases, *row.starts, *row.stops)
        if "{" in phrase
    }
    for phrase in sorted(phrases):
        words = " ".join(word.strip("()").split("|")[0] for word in phrase.split() if word != "*")
        for tail in ("", " to", " the", " not", " I", " at I"):
            for text in (f"I {words}{tail}", f"I don't {words}{tail}"):
                for fact in extractor.episode(Note(text=text, t_ref=0)).facts:
                    assert text[slice(*fact.span)] == fact.quote


def test_a_sentence_may_be_cut_anywhere_and_go_on_with_anybody() -> None:
    """Every case, cut behind each of its words, where another clause or a pronoun follows."""
    for sentence in SENTENCES[::3]:
        words = sentence.split(" ")
        for end in range(1, min(len(words), 12)):
            for tail in ("I", "at I", "at"):
                text = f"{' '.join(words[:end])} {tail}"
                for fact in EXTRACTOR.episode(Note(text=text, t_ref=SAID_AT)).facts:
                    assert text[slice(*fact.span)] == fact.quote
