"""Chinese sentences to readings: the phrases of the table's `zh` fields, and what stands before and after them.

Chinese marks no tense and leaves subjects out, so a clause is read from its phrase outwards: what stands before is
the subject with its adverbs and denials, what stands after is particles. A clause without a subject goes on with the
one before. Times are read by the Chinese time grammar and taken out first.
"""

from lean_memory.extract.chinese.reader import Chinese
from lean_memory.extract.chinese.words import chinese_words

__all__ = ["Chinese", "chinese_words"]
