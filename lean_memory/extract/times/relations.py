"""The last actions: from a date or a duration and the words around it to a span."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import cast

from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node, Token
from lean_memory.extract.times.periods import Cycle, Duration, Period, add
from lean_memory.extract.times.quantities import counted
from lean_memory.extract.times.ranges import Range
from lean_memory.extract.times.spans import Grain, Relation, TimeSpan, Unit

__all__ = ["ACTIONS"]


def _span(
    m: Match,
    ctx: Context,
    token: Token,
    relation: Relation,
    start: datetime | None,
    stop: datetime | None,
    grain: Grain,
    *,
    end: int | None = None,
    approximate: bool = False,
    length: tuple[float, Unit] | None = None,
    point: datetime | None = None,
    earliest_stop: datetime | None = None,
) -> Node:
    def aware(when: datetime | None) -> datetime | None:
        return None if when is None else when.replace(tzinfo=ctx.tz)

    outer = m.tokens[0].begin
    return {
        "span": TimeSpan(
            token.begin,
            token.end if end is None else end,
            aware(start),
            aware(stop),
            grain,
            relation,
            approximate or "approx" in m or "orso" in m,
            length,
            aware(point),
            aware(earliest_stop),
            outer if outer < token.begin else None,
        )
    }


def _end(m: Match) -> int:
    return m.tokens[-1].end


def at(m: Match, ctx: Context) -> Node:
    """`in May`, `on Friday`, `yesterday`."""
    token, value = m.token("x"), m["x"]
    if not isinstance(value, (Period, Cycle, Range)):
        value = token.roles.get("named", token.roles.get("wweekly"))
    if isinstance(value, Range):
        return _span(
            m, ctx, token, "range", value.start, value.stop, value.grain,
            approximate=value.approximate, earliest_stop=value.earliest_stop,
        )  # fmt: skip
    if _attributive(token, ctx):
        return None
    if "lead" in m and not _leads(m, token, ctx):
        m = replace(m, tokens=m.tokens[1:])
    period = ctx.resolve(value)
    if period is None:
        return None
    return _span(
        m, ctx, token, "at", period.start, period.stop, period.grain,
        approximate=period.approximate, point=period.point, length=period.length,
    )  # fmt: skip


def _leads(m: Match, token: Token, ctx: Context) -> bool:
    """Whether the preposition is the date's: not in `the shelter I help at yesterday`, `moved in a month ago`."""
    roles, lead, value = ctx.raw[token.first].roles, m.tokens[0].roles, m["x"]
    if "rel" in roles or (isinstance(value, Period) and value.point is not None):
        return False
    return "mod" not in roles or ("at" not in lead and "in" not in lead)


def _attributive(token: Token, ctx: Context) -> bool:
    """Named for a kind or a person: `the Tuesday quiz`, `an Easter egg`, `my friend Wednesday Ray`."""
    roles, index, before = token.roles, token.last + 1, ctx.before(token)
    if "wmonth" in roles:
        return index < len(ctx.raw) and "poss" in ctx.raw[index].roles
    if "wday" not in roles and "holiday" not in roles:
        return False
    if ctx.listed(before, "articles") and "wday" in roles:
        return True
    if index < len(ctx.raw) - 1 and "dash" in ctx.raw[index].roles and ctx.glued(index - 1) and ctx.is_word(index + 1):
        return True  # `Halloween-themed`
    if not ctx.is_word(index):
        return False
    word = ctx.word(index)
    possessive = before.endswith(tuple(ctx.lists.get("possessive_endings", ())))
    if ctx.listed(before, "determiners") or possessive:
        return not ctx.listed(word, "function")
    named = word[:1].isupper() and before[:1].isalpha() and not ctx.raw[token.first - 1].roles
    return named and "wday" in roles


def bare(m: Match, ctx: Context) -> Node:
    """A date that nothing leads in. `a Christmas tree` names a kind and is none."""
    token = m.token("x")
    following = ctx.after(token)
    noun = ctx.is_word(token.last + 1) and following.islower() and not ctx.listed(following, "function")
    if "holiday" in token.roles and noun:
        return None
    return at(m, ctx)


def hedged(m: Match, ctx: Context) -> Node:
    """`about ten years ago`; but in `only last week`, `told me about Monday` the word is not the date's."""
    value = m["x"]
    return at(m, ctx) if isinstance(value, Period) and value.point is not None else None


def weak(m: Match, ctx: Context) -> Node:
    """`Sat`, `May` alone: only a weekday, and only written as a name inside a sentence."""
    token = m.token("x")
    word = ctx.text[token.begin : token.end]
    if "wday" not in token.roles or not word.istitle() or token.first == 0:
        return None
    left, right = ctx.before(token), ctx.after(token)
    if not (left[:1].isalpha() and left.islower()) or left == "the" or right[:1].isupper():
        return None
    return at(m, ctx)


def from_(m: Match, ctx: Context) -> Node:
    """`from 1 September`: since, when it opens the sentence or lies ahead; else where something is from."""
    token = m.tokens[0]
    period = ctx.resolve(m["x"])
    if period is None:
        return None
    opens = token.first == 0 or ctx.before(token) in (".", "!", "?", ";", ":", "(", "\n")
    return since(m, ctx) if opens or period.start > ctx.now else at(m, ctx)


def since(m: Match, ctx: Context) -> Node:
    """`since March`, `as of today`, `2012 or later`."""
    period = ctx.resolve(m["x"], "past" if "ever" in m else None)
    if period is None:
        return None
    return _span(
        m, ctx, m.token("x"), "since", period.point or period.start, None, period.grain,
        end=_end(m), approximate=period.approximate, length=period.length,
    )  # fmt: skip


def until(m: Match, ctx: Context) -> Node:
    """`until 2023`, `by Friday`; but `what are you up to today` is no limit."""
    token = m.tokens[0]
    if ctx.word(token.first).lower().startswith("up") and ctx.listed(ctx.before(token), "people"):
        return at(replace(m, tokens=m.tokens[-1:]), ctx)
    period = ctx.resolve(m["x"])
    if period is None:
        return None
    return _span(
        m, ctx, m.token("x"), "until", None, period.stop, period.grain,
        approximate=period.approximate, earliest_stop=period.stop if period.third == "late" else period.start,
    )  # fmt: skip


def before(m: Match, ctx: Context) -> Node:
    """`before 2018`."""
    period = ctx.resolve(m["x"])
    if period is None:
        return None
    stop = period.stop if period.third == "late" else period.start  # `before the end of May`
    return _span(m, ctx, m.token("x"), "before", None, stop, period.grain, approximate=period.approximate)


def after(m: Match, ctx: Context) -> Node:
    """`after May`."""
    period = ctx.resolve(m["x"])
    if period is None:
        return None
    start = period.start if period.third == "early" else period.stop  # `after the beginning of May`
    return _span(m, ctx, m.token("x"), "after", start, None, period.grain, approximate=period.approximate)


def lasting(m: Match, ctx: Context) -> Node:
    """`for six years`, `six years now`: up to the reference, unless the talk is of the future."""
    duration: Duration = m["d"]
    token = m.token("d")
    start = stop = None
    if ctx.prefer == "past":
        start = stop = ctx.now
        for amount, unit in duration.parts:
            start = add(start, -amount, unit) if unit not in ("hour", "minute") else ctx.shift(-amount, unit)
    return _span(
        m, ctx, token, "for", start, stop, duration.grain,
        end=_end(m) if "tail" in m else None, approximate=duration.approximate, length=duration.length,
    )  # fmt: skip


def window(m: Match, ctx: Context) -> Node:
    """`over the last three years`."""
    period: Period = m["x"]
    relation: Relation = "for" if "for" in m and period.start < ctx.now else "at"
    return _span(
        m, ctx, m.token("x"), relation, period.start, period.stop, period.grain,
        approximate=period.approximate, length=period.length,
    )  # fmt: skip


def ahead(m: Match, ctx: Context) -> Node:
    """`in two weeks`; after a negation (`haven't smoked in two years`) it has lasted up to the reference, and of the
    past, hours (`ran it in two hours`) and what took `just` so long are lengths."""
    duration: Duration = m["d"]
    token = m.tokens[0]
    words = [ctx.word(i).lower() for i in range(max(0, token.first - 8), token.first)]
    endings = tuple(ctx.lists.get("negative_endings", ()))
    if any(ctx.listed(w, "negative") or w.endswith(endings) for w in words):
        return lasting(m, ctx)
    short = duration.length[1] in ("hour", "minute", "second") or (
        "about" in m and ctx.listed(ctx.before(m.token("d")), "took")
    )
    if ctx.prefer == "past" and short and "in" in m and "future" not in m:
        return length(m, ctx)
    if "about" in m:
        duration = Duration(duration.parts, True)
    period = counted(duration, ctx, 1)
    if period is None:
        return None
    return _span(
        m, ctx, m.token("d"), "at", period.start, period.stop, period.grain,
        end=_end(m), approximate=period.approximate, length=period.length, point=period.point,
    )  # fmt: skip


def within(m: Match, ctx: Context) -> Node:
    """`within two hours`, `in the next ..`: between the reference and then."""
    duration: Duration = m["d"]
    stop = ctx.now
    for amount, unit in duration.parts:
        stop = ctx.shift(amount, unit) if len(duration.parts) == 1 else add(stop, amount, unit)
    return _span(m, ctx, m.token("d"), "at", ctx.now, stop, duration.grain, approximate=True, length=duration.length)


def length(m: Match, ctx: Context) -> Node:
    """A duration by itself. `been there three weeks` has lasted up to the reference."""
    duration: Duration = m["d"]
    token = m.token("d")
    if duration.one and duration.length[1] in ("day", "weekend") and "orso" not in m:
        return None  # `one day`: some day; `a weekend class`
    if "later" in m and ctx.prefer == "future":
        return ahead(m, ctx)
    relation: Relation = "after" if "later" in m or "after" in m else "before" if "before" in m else "for"
    words = [ctx.word(i) for i in range(max(0, token.first - 6), token.first)]
    following = ctx.raw[token.last + 1].roles if token.last + 1 < len(ctx.raw) else {}
    rate_ = not {"per", "every", "freq"}.isdisjoint(following)
    if relation == "for" and not rate_ and "in" not in m and any(ctx.listed(word, "been") for word in words):
        return lasting(m, ctx)
    end = None if "after" in m else _end(m)
    return _span(
        m, ctx, token, relation, None, None, duration.grain,
        end=end, approximate=duration.approximate, length=duration.length,
    )  # fmt: skip


_LEADS = frozenset({"on", "for", "in", "at", "during"})


def every(m: Match, ctx: Context) -> Node:
    """`every Tuesday`, `each week`, `on Fridays`, `twice a month`, `daily`."""
    amount, unit = _period(m)
    if "other" in m:
        amount *= 2
    led = len(m.tokens) > 1 and not _LEADS.isdisjoint(m.tokens[0].roles)
    token = m.tokens[1 if led else 0]
    return _span(m, ctx, token, "every", None, None, unit, end=_end(m), length=(amount, unit))


def _period(m: Match) -> tuple[float, Unit]:
    """Once in how long."""
    amount, unit = 1.0, "week"
    if "f" in m:
        amount, unit = m["f"]
    elif "d" in m:
        amount, unit = m["d"].length
    elif "u" in m:
        amount, unit = m["u"] if isinstance(m["u"], tuple) else (1.0, m["u"])
    elif "c" in m:
        unit = m["c"].unit
    elif "p" in m:
        unit = "day"
    return amount, cast(Unit, unit)


def rate(m: Match, ctx: Context) -> Node:
    """The `a day` of `three hours a day`."""
    return every(m, ctx) if m["d"].one else length(m, ctx)


def to_now(m: Match, ctx: Context) -> Node:
    """`now`, `right now`, `at the moment`."""
    token = m.token("n")
    if ctx.listed(ctx.after(token), "not_now") or ctx.listed(ctx.before(token), "not_until_now"):
        return None
    start = ctx.now
    return _span(m, ctx, token, "at", start, add(start, 1, "second"), "second")


ACTIONS: dict[str, Action] = {
    "at": at,
    "bare": bare,
    "hedged": hedged,
    "weak": weak,
    "from": from_,
    "since": since,
    "until": until,
    "before": before,
    "after": after,
    "lasting": lasting,
    "window": window,
    "ahead_span": ahead,
    "within": within,
    "length": length,
    "every": every,
    "rate": rate,
    "to_now": to_now,
}
