"""Clauses by dependency parse, where a parser is at hand: what the rules' own splitter leaves unread."""

from lean_memory.extract.parsing.reader import ParseReader
from lean_memory.extract.parsing.split import ClauseSplitter, ParseSplitter

__all__ = ["ClauseSplitter", "ParseReader", "ParseSplitter"]
