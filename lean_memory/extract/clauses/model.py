"""A clause and its verbs, as the rules see them."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Clause", "Verb"]


@dataclass(slots=True)
class Verb:
    """One verb group. `tense`: pres, past, perf, pluperf, fut, cond. `phase`: stop, start, want, plan, think."""

    lemma: str
    start: int
    end: int
    tense: str = "pres"
    prog: bool = False
    neg: bool = False
    longer: bool = False
    modal: str | None = None
    used_to: bool = False
    phase: str | None = None
    inverted: bool = False
    form: str = "b"
    adverbs: frozenset[str] = frozenset()
    bare: bool = False  # a verb that is understood, not written


@dataclass(slots=True)
class Clause:
    """`subject` is a token range (head noun phrase first) or None; `others` are coordinated subjects; `shared` says the
    subject is the previous clause's. `verbs`: the outer verb, then what it governs (`stop` + `using`)."""

    lo: int
    hi: int
    subject: tuple[int, int] | None
    others: list[tuple[int, int]]
    verbs: list[Verb]
    marker: str | None = None
    shared: bool = False
    elided: bool = False
    under: int | None = None  # the clause whose verb of saying or thinking governs this one
    broken: bool = False  # punctuation or a conjunction stands before it
    first: bool = field(default=False)
