"""The port through which sentences come apart into clauses, and the splitter that asks a dependency parse."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from lean_memory.extract.clauses import Clause, Splitter, Verb
from lean_memory.extract.parsing.tree import SUBJECTS, Tree
from lean_memory.extract.tokens import Token
from lean_memory.parses import DependencyParser

__all__ = ["ClauseSplitter", "ParseSplitter"]

_HEADS = frozenset("ROOT conj ccomp advcl relcl acl parataxis csubj csubjpass pcomp dep appos".split())
_RELATIVE = frozenset("who which that".split())
_ELIDED = frozenset({"VBD", "VBN", "VBG"})
_BEFORE_VERB = frozenset({"aux", "auxpass", "neg"})


class ClauseSplitter(Protocol):
    """Finds the clauses of a tokenised English sentence, in order; the rules' own `Splitter` is one."""

    def split(self, toks: list[Token]) -> list[Clause]:
        """The clauses, by the place of their verbs. Ranges are places in `toks`."""


class ParseSplitter:
    """Clauses of a dependency parse. Verb groups (tense, negation, what a verb governs) are read by the rules.

    A clause is found for every verb of a sentence, a clause or a participle that the rules know a form of. Its subject
    is the verb's own, the noun that a relative clause or participle belongs to, or that of the verb it is
    coordinated with or is an adverbial of.
    """

    def __init__(self, rules: Splitter, parser: DependencyParser) -> None:
        self._rules = rules
        self._parser = parser

    def split(self, toks: list[Token]) -> list[Clause]:
        """The clauses of a sentence. Raises BackendUnavailable."""
        return [clause for _, clause in self.headed(self.tree(toks))]

    def tree(self, toks: list[Token]) -> Tree:
        """The sentence's parse. Raises BackendUnavailable."""
        return Tree(toks, self._parser)

    def headed(self, tree: Tree) -> list[tuple[int, Clause]]:
        """The clauses, each with the place of its head verb."""
        groups = self._groups(tree)
        order = [head for head, _ in groups]
        out: list[tuple[int, Clause]] = []
        for index, (head, verbs) in enumerate(groups):
            subject, others, shared = self._subject(tree, head)
            if subject is not None and any(tree.toks[a].low == "neither" for a, _ in [*others, subject]):
                subject, others = _without(tree, subject), [_without(tree, other) for other in others]
                verbs = [replace(verb, neg=not verb.neg) for verb in verbs]
            reach = tree.subtree(head)
            floor = out[-1][1].hi if out else 0
            own = set(reach)
            lo = verbs[0].start
            while lo > floor and lo - 1 in own and tree.toks[lo - 1].kind != "p":
                lo -= 1
            following = order[index + 1] if index + 1 < len(order) else None
            hi = max(reach[-1] + 1, max(v.end for v in verbs))
            if following is not None:
                start = tree.subtree(following)[0] if tree.words[following].head != following else following
                edge = groups[index + 1][1][0].start
                start = start if max(v.end for v in verbs) <= start < edge else edge
                hi = max(min(hi, start), max(v.end for v in verbs))
            clause = Clause(
                lo,
                self._trimmed(tree, hi, max(v.end for v in verbs)),
                subject,
                others,
                verbs,
                self._marker(tree, head),
                shared=shared,
                elided=subject is None and index == 0 and self._elided(tree, head),
                under=self._under(tree, head, order),
                broken=tree.dep(head) != "ccomp",
                first=not out,
            )
            out.append((head, clause))
        return out

    # ------------------------------------------------------------------ verbs

    def _groups(self, tree: Tree) -> list[tuple[int, list[Verb]]]:
        out: list[tuple[int, list[Verb]]] = []
        covered = 0
        for head in range(len(tree.toks)):
            if head < covered or not tree.is_verb(head) or tree.dep(head) not in _HEADS:
                continue
            verbs = self._verbs(tree, head)
            if verbs:
                out.append((head, verbs))
                covered = max(v.end for v in verbs)
        return out

    def _verbs(self, tree: Tree, head: int) -> list[Verb]:
        toks, n = tree.toks, len(tree.toks)
        start = min([head, *(j for j in tree.below[head] if j < head and tree.dep(j) in _BEFORE_VERB)])
        if toks[start].low == "having":  # `Having moved to Leeds, ..`
            verbs = self._rules.parse(toks, head, n)
            return [replace(verb, tense="perf", form="n") for verb in verbs]
        if toks[start].low == "to":
            return []
        verbs = self._rules.parse(toks, start, n)
        if not any(verb.start <= head < verb.end for verb in verbs):
            verbs = self._rules.parse(toks, head, n)
            negated = any(tree.dep(j) == "neg" for j in tree.below[head])
            verbs = [replace(verb, neg=verb.neg or negated) for verb in verbs]
        if tree.words[head].tag == "VBG" and start == head:
            outer = tree.words[head].head
            past = tree.words[outer].tag == "VBD" and outer != head
            verbs = [replace(verb, prog=True, tense="past" if past else verb.tense) for verb in verbs]
        return verbs

    # ------------------------------------------------------------------ subjects

    def _subject(self, tree: Tree, head: int) -> tuple[tuple[int, int] | None, list[tuple[int, int]], bool]:
        shared = False
        for _ in range(4):
            own = tree.first(head, *SUBJECTS, "expl")
            if own is not None and not (tree.toks[own].low in _RELATIVE and tree.dep(head) == "relcl"):
                spans = [tree.noun(i) for i in tree.coordinated(own)]
                return spans[-1], spans[:-1], shared
            dep, above = tree.dep(head), tree.words[head].head
            if dep in ("relcl", "acl") and (own is not None or (dep == "acl" and tree.words[head].tag != "VB")):
                other = tree.same_as(above) if dep == "relcl" else None
                return tree.noun(above if other is None else other), [], False
            if dep == "relcl" or dep not in ("conj", "advcl") or above == head:
                return None, [], shared
            if dep == "advcl" and tree.words[head].tag not in ("VBG", "VBN"):
                return None, [], shared
            shared = dep == "conj"
            head = above
        return None, [], shared

    @staticmethod
    def _elided(tree: Tree, head: int) -> bool:
        """`Moved to Leeds last week.`: the sentence's first verb, in a form that is no order."""
        return tree.dep(head) == "ROOT" and tree.words[head].tag in _ELIDED

    # ------------------------------------------------------------------ around the clause

    @staticmethod
    def _marker(tree: Tree, head: int) -> str | None:
        toks = tree.toks
        for j in tree.below[head]:
            if j < head and (tree.dep(j) == "mark" or (tree.dep(j) == "advmod" and tree.words[j].tag == "WRB")):
                even = j > 0 and toks[j - 1].low == "even"
                return f"even {toks[j].low}" if even else toks[j].low
        if tree.dep(head) == "conj":
            joined = tree.first(tree.words[head].head, "cc")
            return toks[joined].low if joined is not None else None
        return None

    @staticmethod
    def _under(tree: Tree, head: int, order: list[int]) -> int | None:
        """The clause whose object or complement this one is, however deep."""
        at = head
        while tree.dep(at) != "ROOT" and tree.words[at].head != at:
            above = tree.words[at].head
            if tree.dep(at) in ("ccomp", "acl", "relcl", "csubj", "pcomp", "conj", "advcl", "appos"):
                if tree.dep(at) == "ccomp" and above in order:
                    return order.index(above)
                if tree.dep(at) not in ("conj",):
                    return None
            at = above
        return None

    @staticmethod
    def _trimmed(tree: Tree, hi: int, least: int) -> int:
        while hi > least and (tree.toks[hi - 1].kind == "p" or tree.dep(hi - 1) == "cc"):
            hi -= 1
        return hi


def _without(tree: Tree, span: tuple[int, int]) -> tuple[int, int]:
    """The noun phrase without a leading `neither`."""
    a, b = span
    return (a + 1, b) if tree.toks[a].low == "neither" and a + 1 < b else span
