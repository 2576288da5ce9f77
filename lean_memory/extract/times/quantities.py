"""Actions for amounts of time: numbers with units, and what is counted with them from the reference."""

from __future__ import annotations

from typing import Any

from lean_memory.extract.times.context import Context
from lean_memory.extract.times.grammar import Action, Match, Node
from lean_memory.extract.times.periods import Cycle, Duration, Period, add, enclosing, floor, sub

__all__ = ["ACTIONS", "counted", "window"]

_SIZE = ("century", "decade", "year", "quarter", "month", "week", "weekend", "day", "hour", "minute", "second")


def amount_of_units(m: Match, ctx: Context) -> Node:
    """`3 weeks`, `a couple of months`, `half an hour`, `two and a half years`, `a year and a half`."""
    amount, approximate = 1.0, False
    if "n" in m:
        amount = float(m["n"])
    if "q" in m:
        amount, approximate = float(m["q"]), True
    if "h" in m:
        amount = float(m["h"])
    if "plus" in m:
        amount += float(m["plus"])
    if "low" in m or "high" in m:  # `two or three days`, `a week or two`
        low, high = float(m.get("low", 1)), float(m.get("n", m.get("high")))
        if not low < high:
            return None
        amount, approximate = (low + high) // 2, True
    unit = m["u"]
    if isinstance(unit, tuple):  # a fortnight is two weeks
        amount, unit = amount * unit[0], unit[1]
    if not 0 < amount <= 100_000 or (unit == "second" and "n" not in m):
        return None
    if amount >= 1900 and "n" in m and "year" in m.token("n").roles:
        return None  # `2021 weekend`
    one = ctx.word(m.token("n").first).isalpha() and m["n"] == 1 if "n" in m else "a" in m
    return {"dur": Duration(((amount, unit),), approximate or "approx" in m, one)}


def amount_half(m: Match, ctx: Context) -> Node:
    """Half a year; `half a day` is idle talk where it is one word."""
    unit = m["u"]
    return None if unit == "day" or isinstance(unit, tuple) else {"dur": Duration(((0.5, unit),))}


def amount_and_half(m: Match, ctx: Context) -> Node:
    """A year and a half, as `one year half`."""
    amount = float(m["n"] if "n" in m else m["q"]) + 0.5
    return {"dur": Duration(((amount, m["u"]),), "q" in m)}


def joined(m: Match, ctx: Context) -> Node:
    """`2 years 3 months`, `3 hours and 30 minutes`: units must get finer."""
    parts = [p for t in m.tokens if "dur" in t.roles for p in t.roles["dur"].parts]
    ranks = [_SIZE.index(u) for _, u in parts]
    if ranks != sorted(set(ranks)) or any(t.roles["dur"].approximate for t in m.tokens if "dur" in t.roles):
        return None
    return {"dur": Duration(tuple(parts))}


def drop(m: Match, ctx: Context) -> Node:
    """An age, a rate, a name: no time after all."""
    return {"x": None}


def counted(duration: Duration, ctx: Context, sign: int, origin: Period | None = None) -> Period | None:
    """The calendar unit that lies so far from the reference, or from the start of `origin`."""
    grain = duration.grain
    point = ctx.now if origin is None else origin.start
    for amount, unit in duration.parts:
        if origin is None and len(duration.parts) == 1:
            point = ctx.shift(sign * amount, unit)
        else:
            point = add(point, sign * amount, unit)
    if origin is not None:
        fine = origin.grain if origin.grain in ("hour", "minute", "second", "day") else None
        whole = enclosing(point, fine or grain)
    else:
        whole = enclosing(point, grain)
    return Period(whole.start, whole.stop, whole.grain, duration.approximate, point, duration.length)


def ago(m: Match, ctx: Context) -> Node:
    """`three weeks ago`, `a couple of months back`, `a week ago yesterday`."""
    duration: Duration = m["d"]
    if "approx" in m:
        duration = Duration(duration.parts, True)
    origin = m.get("on")
    if origin is not None and origin.grain != "day":
        return None
    period = counted(duration, ctx, -1, origin)
    return None if period is None else {"fixed": period}


def ahead(m: Match, ctx: Context) -> Node:
    """`in two weeks`, `two weeks from now`. After a negation or a superlative (`not in years`) it is a duration."""
    period = counted(m["d"], ctx, 1)
    return None if period is None else {"fixed": period}


def counted_from(m: Match, ctx: Context) -> Node:
    """`two weeks before Christmas`, `three days after tomorrow`, `a week from Friday`, `the day after the party`."""
    duration: Duration = m["d"] if "d" in m else Duration(((1, m["u"]),))
    sign = -1 if "before" in m else 1
    origin = ctx.resolve(m["x"], "coming" if "from" in m else None)
    if origin is None:
        return None
    period = counted(duration, ctx, sign, origin)
    return None if period is None else {"fixed": period}


def several_ago(m: Match, ctx: Context) -> Node:
    """`two summers ago`, `three Fridays ago`, `two Christmases ago`: that many turns back."""
    cycle: Cycle = m["c"]
    steps = int(m.get("n", 1))
    last = ctx.resolve(cycle, "last")
    if last is None or not 1 <= steps <= 500:
        return None
    turn = Cycle(cycle.at, cycle.unit)
    size = {"year": 12, "month": 1}.get(turn.unit)
    moment = add(last.start, -(steps - 1) * (size or 1), "month" if size else "week")
    index = {"year": moment.year, "month": moment.year * 12 + moment.month - 1}.get(
        turn.unit, (moment.toordinal() - 1) // 7
    )
    period = turn.at(index)
    return None if period is None else {"fixed": period}


def window(duration: Duration, ctx: Context, how: str) -> Period | None:
    """The last or next so many units. Quarters, decades and weekends are calendar ones; of the rest, `next` begins
    tomorrow and `last` reaches up to the reference."""
    amount, unit = duration.length
    back = how in ("last", "past", "previous")
    if len(duration.parts) > 1:
        edge = ctx.now if back else add(ctx.today, 1, "day")
        other = edge
        for n, u in duration.parts:
            other = add(other, -n if back else n, u)
        start, stop = (other, edge) if back else (edge, other)
    elif unit in ("quarter", "decade", "century"):
        edge = floor(ctx.now, unit) if back else enclosing(ctx.now, unit).stop
        other = add(edge, -amount if back else amount, unit)
        start, stop = (other, edge) if back else (edge, other)
    elif unit in ("hour", "minute", "second"):
        other = ctx.shift(-amount if back else amount, unit)
        start, stop = (other, ctx.now) if back else (ctx.now, other)
    elif back:
        start, stop = add(ctx.now, -amount, unit), ctx.now
    else:
        start = add(ctx.today, 1, "day")
        stop = add(start, amount, unit)
    return Period(start, stop, unit, duration.approximate, None, duration.length)


def last_or_next_units(m: Match, ctx: Context) -> Node:
    """`the last three weeks`, `the next couple of days`, `the 5 past minutes`."""
    how, token = ("past" if "past" in m else "coming" if "coming" in m else m["m"]), m.tokens[0]
    unit_written = ctx.text[m.tokens[-1].begin : m.tokens[-1].end]
    if "n" in m and m["n"] != 1 and m.token("n") is token and not unit_written.lower().endswith("s"):
        return None  # `turned 30 last year`
    if how == "this" or (how == "last" and ctx.listed(ctx.before(token), "before_verb")):
        return None  # `will last two weeks`
    if "many" in m:  # `the coming weeks`
        unit = m.token("many").roles["unit"]
        if isinstance(unit, tuple) or unit in ("hour", "minute", "second"):
            return None
        duration = Duration(((3, unit),), True)
    else:
        duration = m["d"] if "d" in m else Duration(((float(m.get("n", 1)), m["u"]),))
    if "d" in m and "-" in ctx.text[m.token("d").begin : m.token("d").end]:
        return None  # `my last 4-day trip`
    if "d" not in m and "n" not in m and "many" not in m and duration.length[1] not in ("day", "week", "month", "year"):
        return None  # `the last decade`, `the next weekend` are calendar ones
    period = window(duration, ctx, how)
    return None if period is None else {"window": period}


def turn_of_units(m: Match, ctx: Context) -> Node:
    """`first ten days of July`, `the last 3 weeks of this year`."""
    duration: Duration = m["d"]
    amount, unit = duration.length
    base: Period | Cycle = m["x"]
    first = "o" in m

    def cut(whole: Period) -> Period | None:
        if first:
            return Period(whole.start, min(add(whole.start, amount, unit), whole.stop), whole.grain)
        end = sub(whole, -1, unit) if unit in ("week", "weekend") else None
        stop = end.stop if end else whole.stop
        return Period(add(stop, -amount, unit), stop, whole.grain)

    if first and m["o"] != 1:
        return None
    return _changed(base, cut)


def _changed(base: Any, change: Any) -> Node:
    if isinstance(base, Cycle):
        return {"yearly" if base.unit == "year" else "monthly": base.then(change)}
    period = change(base)
    return None if period is None else {"fixed": period}


ACTIONS: dict[str, Action] = {
    "amount": amount_of_units,
    "amount_half": amount_half,
    "amount_and_half": amount_and_half,
    "joined": joined,
    "drop": drop,
    "ago": ago,
    "ahead": ahead,
    "counted_from": counted_from,
    "several_ago": several_ago,
    "last_or_next_units": last_or_next_units,
    "turn_of_units": turn_of_units,
}
