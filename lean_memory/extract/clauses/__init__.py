"""A sentence's finite verbs, each with its subject, its tense and negation, and the words that belong to it.

No parse tree: every finite verb group anchors a clause. Its subject is the noun phrase to its left, its tail the words
up to the next clause. A second verb counts only behind a boundary (punctuation, a conjunction, `he`, a verb of saying),
so `a cat called Tom` holds one verb in `I have a cat called Tom`.
"""

from lean_memory.extract.clauses.model import Clause, Verb
from lean_memory.extract.clauses.splitter import Splitter

__all__ = ["Clause", "Splitter", "Verb"]
