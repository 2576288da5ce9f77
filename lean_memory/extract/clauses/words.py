"""The closed word classes that clauses are told apart by: `[clauses]` of `english.toml`."""

from __future__ import annotations

from dataclasses import dataclass

from lean_memory.extract.lexicon import word_lists

__all__ = ["ClauseWords"]


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """A field a list, by the list's name."""

    be: frozenset[str]
    have: frozenset[str]
    do: frozenset[str]
    past_auxiliaries: frozenset[str]
    is_participles: frozenset[str]
    not_only: frozenset[str]
    hereabouts: frozenset[str]
    stop: frozenset[str]
    start: frozenset[str]
    keep: frozenset[str]
    want: frozenset[str]
    plan: frozenset[str]
    taste: frozenset[str]
    openers: frozenset[str]
    indirect_objects: frozenset[str]
    plural_nouns: frozenset[str]
    telegraphic: frozenset[str]
    postmodifiers: frozenset[str]
    continues: frozenset[str]
    do_subjects: frozenset[str]
    inverted_subjects: frozenset[str]
    intent: frozenset[str]
    catenatives: frozenset[str]
    particles: frozenset[str]
    not_before_verbs: frozenset[str]
    before_s_verb: frozenset[str]
    after_s_verb: frozenset[str]
    numbered: frozenset[str]
    after_s_adjectives: frozenset[str]
    bare_first: frozenset[str]
    not_after_bare: frozenset[str]
    finite: frozenset[str]
    auxiliaries: frozenset[str]
    starting: frozenset[str]
    agree_with_all: frozenset[str]
    singular_in_s: frozenset[str]
    not_third_person: frozenset[str]
    modifying: frozenset[str]
    name_particles: frozenset[str]
    doors: frozenset[str]
    directions: frozenset[str]

    @classmethod
    def read(cls) -> ClauseWords:
        """The packaged lists."""
        return cls(**word_lists("clauses"))
