"""What is there by the way: `Firefox instead of Chrome`, `out with tea, in with coffee`, `my two goats eat well`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.nominals import new
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["instead", "possessed", "swapped"]

_REPLACEABLE = frozenset("uses drives takes_medication plays".split())
_BY_NUMBER = frozenset("two three four five six seven eight nine ten eleven twelve".split())


def instead(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`I'm on Firefox instead of Chrome`, `rather than tabs`: what is used now takes the other's place."""
    toks = s.toks
    got: list[Reading] = []
    for i in range(len(toks) - 2):
        pair = (toks[i].low, toks[i + 1].low)
        if pair not in (("instead", "of"), ("rather", "than")):
            continue
        base = next((r for r in out if r.predicate in _REPLACEABLE and not r.negative and r.ends is None), None)
        if (
            base is None
            or toks[i + 2].low in s.e.lex["pronoun_objects"]
            or (s.forms(toks[i + 2].low) or ("", ""))[1] == "g"
        ):
            continue
        kind = {"uses": "tool", "drives": "vehicle", "takes_medication": "medicine", "plays": "playable"}[
            base.predicate
        ]
        end = next(
            (k for k in range(i + 2, len(toks)) if toks[k].kind == "p" or toks[k].low in ("i", "we", "now", "for")),
            len(toks),
        )
        values = s.clean(kind, i + 2, end)
        if values and values[0].text.lower() != base.object.lower():
            got.append(
                Reading(
                    base.subject, base.predicate, values[0].text, toks[i].start, toks[values[0].b - 1].end,
                    ends=base.starts if base.starts is not None and base.starts <= s.turn.t_ref else s.turn.t_ref,
                    confidence=0.7, past=True,
                )
            )  # fmt: skip
    return [r for r in got if not any((r.predicate, r.object) == (o.predicate, o.object) for o in out)]


def swapped(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`Out with Chrome, in with Firefox`, `Goodbye tea, hello coffee`."""
    toks = s.toks
    low = [t.low for t in toks]
    comma = next((i for i, word in enumerate(low) if word in (",", "and", ";") and i > 1), None)
    if comma is None or s.question or not toks:
        return []
    if low[:2] == ["out", "with"] and low[comma + 1 : comma + 3] == ["in", "with"]:
        a, x = 2, comma + 3
    elif low[0] in ("goodbye", "bye", "farewell") and low[comma + 1 : comma + 2] in (["hello"], ["welcome"], ["hi"]):
        a, x = 1, comma + 2
    else:
        return []
    stop = next((i for i in range(x, len(toks)) if toks[i].kind == "p"), len(toks))
    if {"old", "new"} & {*low[a:comma], *low[x:stop]} and stop - x < 3:
        return []
    named = bool(s.clean("tool_known", a, comma) or s.clean("tool_known", x, stop))
    kind, predicate = ("tool", "uses") if named else ("liking", "likes")
    gone, come = s.clean(kind, a, comma)[:1], s.clean(kind, x, stop)[:1]
    if not gone or not come:
        return []
    now, who = s.turn.t_ref, s.turn.speaker
    at = (toks[0].start, toks[stop - 1].end)
    return [
        Reading(who, predicate, gone[0].text, *at, ends=now, confidence=0.65, past=True),
        Reading(who, predicate, come[0].text, *at, starts=now, confidence=0.65),
    ]


def possessed(s: Sentence, clauses: list[Clause], out: list[Reading]) -> list[Reading]:
    """`my two goats eat better than I do`: animals by number are one's own."""
    toks = s.toks
    got: list[Reading] = []
    for i, t in enumerate(toks[:-2]):
        if t.low not in ("my", "our") or not (toks[i + 1].kind == "n" or toks[i + 1].low in _BY_NUMBER) or s.question:
            continue
        end = i + 2
        while (
            end < len(toks)
            and end < i + 8
            and (
                toks[end].low in (",", "and", "&")
                or toks[end].kind == "n"
                or toks[end].low in s.e.lex["animals"]
                or toks[end].low.rstrip("s") in s.e.lex["animals"]
            )
        ):
            end += 1
        values = s.clean("livestock", i + 1, end)
        got += [
            Reading(s.turn.speaker, "has_pet", v.text, t.start, toks[v.b - 1].end, starts=s.turn.t_ref, confidence=0.7)
            for v in values
        ]
    return new(got, out)
