"""The parts of a clause put in plain order: subject, verb, object, then what else completes the verb.

Phrases of the predicate table are sequences of words. Where a sentence shifts, shares or interrupts its parts
(`the firm I work for is Acme`, `I work, when asked, at Acme`), the plain order makes them match again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.parsing.tree import COPULAS, SUBJECTS, Tree
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms, present

__all__ = ["Plain", "copular", "orders"]

_OBJECTS = frozenset("dobj dative attr acomp oprd".split())
_RELATIVE = frozenset("that which who whom what".split())
_NOT_INSIDE = frozenset("relcl parataxis advcl intj".split())
_LATE = frozenset("advmod npadvmod".split())
_DETERMINERS = frozenset("a an the my our his her their".split())
_AT = frozenset("work study teach intern volunteer".split())


@dataclass(slots=True)
class Plain:
    """`toks[:verb]` is the subject, or nothing; the verbs' places are places in `toks`. Made-up words have no width."""

    toks: list[Token]
    verb: int
    verbs: list[Verb]
    subject: tuple[int, int] | None  # in the sentence: whom the clause is about


def orders(tree: Tree, head: int, clause: Clause, times: list[tuple[int, int]], forms: VerbForms) -> Iterator[Plain]:
    """The clause in plain order, once for each complement that may stand right behind the verb.

    Args:
        times: where in the text time expressions stand; they are left out.
    """
    core, rest = _complements(tree, head, clause)
    rest = [run for run in rest if run and not any(a <= run[0].start and run[-1].end <= b for a, b in times)]
    yield from _with(tree, clause, clause.subject, clause.verbs, core, rest)
    swapped = _active(tree, head, clause, forms)
    if swapped is not None:
        yield swapped


def copular(tree: Tree, noun: int) -> Plain | None:
    """`Anna, a welder at Acme, ..`: the apposition at `noun` as a statement that Anna is a welder at Acme."""
    above = tree.words[noun].head
    first = tree.noun(noun)[0]
    if tree.toks[noun].capital or tree.toks[first].low not in _DETERMINERS or first <= above:
        return None
    subject = tree.noun(above)
    tail = [tree.toks[i] for i in tree.subtree(noun, leave=frozenset({"relcl", "appos", "conj", "cc", "punct"}))]
    words = [tree.toks[i] for i in range(*subject)]
    at = len(words)
    made = _made("is", tail[0])
    return Plain([*words, made, *tail], at, [Verb("be", at, at + 1, form="s")], subject)


# ---------------------------------------------------------------------------------------------- parts


def _complements(tree: Tree, head: int, clause: Clause) -> tuple[list[list[Token]], list[list[Token]]]:
    """What follows the verb: objects and particles, then prepositional and other complements; each a run of tokens."""
    inner = _innermost(tree, head, clause)
    verb = clause.verbs[-1]
    core: list[list[Token]] = []
    rest: list[list[Token]] = []
    late: list[list[Token]] = []
    gap = _antecedent(tree, head)
    filled = gap is None
    for j in tree.below[inner]:
        dep = tree.dep(j)
        if j < verb.end and any(v.start <= j < v.end for v in clause.verbs):
            continue
        if dep in _OBJECTS:
            if tree.toks[j].low in _RELATIVE and gap is not None:
                core.append(gap)
                filled = True
            elif not tree.is_verb(j):
                core.append(_run(tree, j))
        elif dep == "prt":
            core.insert(0, [tree.toks[j]])
        elif dep in ("prep", "agent"):
            words = _run(tree, j)
            bare = len(words) == 1 or (len(words) == 2 and words[1].low in _RELATIVE)
            if bare and gap is not None:
                words, filled = [words[0], *gap], True
            if j < verb.start or not bare or gap is not None:
                rest.append(words)
        elif dep == "advmod" and tree.toks[j].low == "where" and gap is not None:
            rest.append([_made("at" if verb.lemma in _AT else "in", gap[0]), *gap])
            filled = True
        elif dep == "advmod" and not filled and gap is not None and _is_preposition(tree, j):
            rest.append([tree.toks[j], *gap])  # `the city that Anna lives in`
            filled = True
        elif dep in _LATE and j > verb.start:
            late.append(_run(tree, j))
    if not filled and gap is not None and tree.first(inner, *SUBJECTS) is not None:
        core.append(gap)
    if not core and not rest:
        core = _shared_object(tree, inner)
    return core, [*rest, *late]


def _shared_object(tree: Tree, inner: int) -> list[list[Token]]:
    """`I love and my wife hates mushrooms`: the object that stands behind the second verb only."""
    other = tree.first(inner, "conj")
    if other is None or not tree.is_verb(other) or tree.first(other, *SUBJECTS) is None:
        return []
    if inner + 1 >= len(tree.toks) or tree.dep(inner + 1) != "cc":
        return []
    object_ = tree.first(other, "dobj")
    return [] if object_ is None else [_run(tree, object_)]


def _with(
    tree: Tree,
    clause: Clause,
    subject: tuple[int, int] | None,
    verbs: list[Verb],
    core: list[list[Token]],
    rest: list[list[Token]],
) -> Iterator[Plain]:
    lead = [tree.toks[i] for i in range(*subject)] if subject is not None else []
    start = verbs[0].start
    end = max(v.end for v in verbs)
    group = tree.toks[start:end]
    shift = len(lead) - start
    moved = [replace(v, start=v.start + shift, end=v.end + shift) for v in verbs]
    for first in range(max(1, len(rest))):
        tail = [*core, *rest[first : first + 1], *rest[:first], *rest[first + 1 :]]
        toks = [*lead, *group, *_joined(tail)]
        if len(toks) > len(lead) + len(group):
            yield Plain(toks, len(lead), moved, subject)


def _joined(runs: list[list[Token]]) -> list[Token]:
    """The runs with a comma between two that do not follow each other in the sentence."""
    out: list[Token] = []
    for run in filter(None, runs):
        if out and out[-1].end > out[-1].start and not 0 <= run[0].start - out[-1].end <= 1:
            out.append(_made(",", run[0], "p"))
        out += run
    return out


def _active(tree: Tree, head: int, clause: Clause, forms: VerbForms) -> Plain | None:
    """`the bike is owned by Tom` as `Tom owns the bike`, `Anna was hired by Acme` as `Acme hired Anna`."""
    agent = tree.first(head, "agent")
    by = tree.first(agent, "pobj") if agent is not None else None
    known = forms.get(tree.toks[head].low)
    if by is None or clause.subject is None or tree.words[head].tag != "VBN" or known is None:
        return None
    verb = clause.verbs[-1]
    subject = tree.noun(by)
    lead = [tree.toks[i] for i in range(*subject)]
    past = verb.tense != "pres"
    word = tree.toks[head].low if past else present(known[0])
    made = _made(word, tree.toks[head])
    at = len(lead)
    active = replace(verb, lemma=known[0], start=at, end=at + 1, form="d" if past else "s")
    return Plain([*lead, made, *(_inside(tree, i) for i in range(*clause.subject))], at, [active], subject)


def _antecedent(tree: Tree, head: int) -> list[Token] | None:
    """The noun whose place in a relative clause is empty; what a copula says that it is, where one does.

    `the firm I work for is Acme`: Acme. `Leeds is where I live`, `what I play is the cello`: Leeds, the cello.
    """
    dep, above = tree.dep(head), tree.words[head].head
    if dep == "relcl":
        if tree.is_verb(above):
            return None
        other = tree.same_as(above)
        places = tree.phrase(other) if other is not None else list(range(*tree.noun(above)))
        return [_inside(tree, i) for i in places]
    if dep in ("csubj", "advcl", "ccomp") and tree.toks[above].low in COPULAS:
        asks = any(tree.words[j].tag in ("WRB", "WP") for j in tree.below[head] if j < head)
        other = tree.first(above, "attr", "acomp") if dep == "csubj" else tree.first(above, "nsubj")
        if asks and other is not None and tree.words[other].tag not in ("PRP", "DT", "EX"):
            return [_inside(tree, i) for i in tree.phrase(other)]
    return None


def _innermost(tree: Tree, head: int, clause: Clause) -> int:
    """The verb that the complements hang on: `living` in `I used to be living in Hull`."""
    last = clause.verbs[-1]
    return max((j for j in range(last.start, last.end) if tree.is_verb(j) and _governed(tree, j, head)), default=head)


def _governed(tree: Tree, at: int, head: int) -> bool:
    while at != head and tree.dep(at) in ("xcomp", "pcomp", "prep", "ccomp"):
        at = tree.words[at].head
    return at == head


def _run(tree: Tree, i: int) -> list[Token]:
    """What hangs on i as it is written, without asides."""
    places = tree.subtree(i, leave=_NOT_INSIDE)
    toks = [_inside(tree, j) for j in places]
    while toks and toks[-1].kind == "p" and toks[-1].low != ")":
        toks.pop()
    return toks


def _inside(tree: Tree, j: int) -> Token:
    """A sentence's first word as it would be written within one."""
    token = tree.toks[j]
    if j or not token.capital or token.low == "i" or tree.words[j].tag.startswith("NNP"):
        return token
    return (
        Token(token.low, token.low, token.start, token.end, token.kind) if len(token.low) == len(token.text) else token
    )


def _is_preposition(tree: Tree, j: int) -> bool:
    return tree.toks[j].low in ("in", "at", "on", "for", "with", "from", "to")


def _made(word: str, beside: Token, kind: str = "w") -> Token:
    return Token(word, word, beside.start, beside.start, kind)
