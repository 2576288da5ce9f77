"""Who is meant: first person, names, relatives, and `he` or `she` inside one turn."""

from lean_memory.extract.people.finder import People
from lean_memory.extract.people.letters import Letters
from lean_memory.extract.people.mentions import Memory, Mention, told_apart
from lean_memory.extract.people.relations import Relation

__all__ = ["Letters", "Memory", "Mention", "People", "Relation", "told_apart"]
