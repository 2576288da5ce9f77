"""Readings of what the rules' own clauses left unread, by the clauses of a dependency parse."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lean_memory.errors import BackendUnavailable
from lean_memory.extract.clauses import Clause
from lean_memory.extract.parsing.plain import Plain, copular, orders
from lean_memory.extract.parsing.split import ParseSplitter
from lean_memory.extract.parsing.tree import Tree
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.sentence import Sentence
from lean_memory.extract.when import Times

if TYPE_CHECKING:
    from lean_memory.extract.english import English

__all__ = ["ParseReader"]

ROUTE = "parse"
_SURE = 0.85  # at most: a parse of this size errs more often than the rules
_CLAUSES = frozenset("ccomp advcl relcl parataxis".split())
_NOBODY = frozenset(
    "yours mine hers ours theirs anybody anyone everybody everyone somebody someone nobody none each all many".split()
)
_OPENING = frozenset("a an the my our his her their".split())
_LONG = 60  # tokens; longer sentences are lists and logs, whose parse says little


class ParseReader:
    """Reads further facts from a sentence that the rules have read.

    A clause of the parse counts only where the rules hold nothing against it: it is meant as a fact by its own shape,
    and the rules' clause at the same place, if there is one, is meant as a fact too.

    Args:
        telling: verbs for whose sake a sentence is parsed. A parse costs many times what the rules do.
    """

    def __init__(self, english: English, splitter: ParseSplitter, telling: frozenset[str]) -> None:
        self._english = english
        self._telling = telling
        self.splitter = splitter
        self.trouble: str | None = None

    def more(self, run: Sentence, known: list[Reading]) -> list[Reading]:
        """Readings that `known` lacks; none where the rules read the sentence's every verb.

        A parser that fails is asked no more, and `trouble` says why: the rules' reading stands.
        """
        if self.trouble is not None or len(run.toks) > _LONG or not self._asks(run, known):
            return []
        try:
            tree = self.splitter.tree(run.toks)
        except BackendUnavailable as error:
            self.trouble = f"{error.message}; {error.hint}" if error.hint else error.message
            return []
        headed = self.splitter.headed(tree)
        context, ruled = self._again(run), self._again(run)
        clauses = self._english.splitter.split(run.toks)
        parsed = [clause for _, clause in headed]
        heads = [head for head, _ in headed]
        times = [(moment.outer, moment.end) for moment in context.times().moments]
        out: list[Reading] = []
        for index, (head, clause) in enumerate(headed):
            sure = self._sure(ruled, clauses, context, parsed, index, tree, heads)
            if sure == 0.0:
                continue
            plains = [*orders(tree, head, clause, times, self._english.forms), *self._appositions(tree, head)]
            for plain in plains:
                out += self._read(context, plain, parsed, index, sure)
        return self._new(out, known)

    def _again(self, run: Sentence) -> Sentence:
        again = Sentence(self._english, run.turn, run.toks, run.mentions, run.sentence, run.before)
        again.question = run.question
        return again

    # ------------------------------------------------------------------ what may be read

    def _asks(self, run: Sentence, known: list[Reading]) -> bool:
        """Is there a telling verb in words that no reading covers, or an apposition? Never in a question."""
        if run.question:
            return False
        forms, spans = self._english.forms, [(reading.start, reading.end) for reading in known]
        for token in run.toks:
            form = forms.get(token.low) if token.kind == "w" else None
            read = any(a <= token.start and token.end <= b for a, b in spans)
            if not read and form is not None and form[0] in self._telling:
                return True
        return any(comma.low == "," and after.low in _OPENING for comma, after in pairwise(run.toks))

    @staticmethod
    def _sure(
        ruled: Sentence,
        clauses: list[Clause],
        context: Sentence,
        parsed: list[Clause],
        index: int,
        tree: Tree,
        heads: list[int],
    ) -> float:
        clause, head = parsed[index], heads[index]
        sure = context.stated(clause, index, parsed)
        for place, other in enumerate(clauses):
            if any(verb.start <= head < verb.end for verb in other.verbs) or other.lo <= head < other.hi:
                sure = min(sure, ruled.stated(other, place, clauses))
        if any(v.tense == "cond" for v in clause.verbs):
            return 0.0
        # What stands inside a clause that is not meant as a fact is not meant as one either.
        at = head
        while tree.words[at].head != at:
            at = tree.words[at].head
            if at in heads:
                place = heads.index(at)
                sure = min(sure, context.stated(parsed[place], place, parsed))
        reporter = context._reporter(clause, parsed)
        if reporter is not None:
            sure = 0.0 if reporter[1] == "unknown" else min(sure, 0.65)
        return sure

    @staticmethod
    def _appositions(tree: Tree, head: int) -> list[Plain]:
        inside = tree.subtree(head, leave=_CLAUSES)
        found = [copular(tree, i) for i in inside if tree.dep(i) == "appos"]
        return [plain for plain in found if plain is not None]

    # ------------------------------------------------------------------ reading

    def _read(self, context: Sentence, plain: Plain, parsed: list[Clause], index: int, sure: float) -> list[Reading]:
        clause = parsed[index]
        whole = Clause(
            clause.lo, clause.hi, plain.subject, clause.others if plain.subject == clause.subject else [],
            clause.verbs, clause.marker, clause.shared, clause.elided, clause.under, clause.broken, clause.first,
        )  # fmt: skip
        people = [one for one in context.who(whole, index, parsed) if one[0].lower() not in _NOBODY]
        if not people:
            return []
        run = _PlainSentence(
            self._english, context.turn, plain.toks, _moved(context, plain), context.sentence, context.before
        )
        run.people, run.sure, run.question = people, sure, context.question
        run.outer, run.outer_clause = context, whole
        subject = (0, plain.verb) if plain.verb else None
        flat = Clause(0, len(plain.toks), subject, [], plain.verbs, clause.marker, elided=subject is None, first=True)
        real = [token for token in plain.toks if token.end > token.start]
        if not real:
            return []
        begin, end = min(t.start for t in real), max(t.end for t in real)
        out = run.clause(flat, 0, [flat])
        for reading in out:
            reading.start, reading.end = begin, end
            reading.route = ROUTE
            reading.confidence = round(min(_SURE, reading.confidence), 2)
        return out

    @staticmethod
    def _new(found: list[Reading], known: list[Reading]) -> list[Reading]:
        """Each once; none about a subject and predicate of which the rules read something in this sentence."""
        out: list[Reading] = []
        taken = {(r.subject, r.predicate) for r in known}
        own = {r.object for r in known if r.predicate == "name"}  # `I'm Jonas, an architect`: said of the speaker
        for reading in found:
            same = [r for r in out if (r.subject, r.predicate) == (reading.subject, reading.predicate)]
            if (
                reading.subject in own
                or (reading.subject, reading.predicate) in taken
                or any(
                    r.object == reading.object or r.object in reading.object or reading.object in r.object for r in same
                )
            ):
                continue
            out.append(reading)
        return out


class _PlainSentence(Sentence):
    """A clause in plain order. Who it is about and how sure it is were found where it stands in the sentence."""

    people: list[tuple[str, float, str]]
    sure: float
    outer: Sentence
    outer_clause: Clause

    def who(self, clause: Clause, index: int, clauses: list[Clause]) -> list[tuple[str, float, str]]:
        return self.people

    def _stated(self, clause: Clause, index: int, clauses: list[Clause]) -> float:
        return self.sure

    def clause_times(self, clause: Clause) -> Times:
        return self.outer.clause_times(self.outer_clause)


def _moved(context: Sentence, plain: Plain) -> list[Mention]:
    """The sentence's people at their places in the plain order, those that stand there whole."""
    places = {id(token): place for place, token in enumerate(plain.toks)}
    out = []
    for mention in context.mentions:
        at = [places.get(id(token), -1) for token in context.toks[mention.start : mention.end]]
        if at and at[0] >= 0 and at == list(range(at[0], at[0] + len(at))):
            out.append(replace(mention, start=at[0], end=at[-1] + 1))
    return sorted(out, key=lambda m: m.start)
