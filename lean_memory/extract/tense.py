"""When a claim holds: what tense, negation and time expressions make of it."""

from __future__ import annotations

import itertools
from dataclasses import replace

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.modality import Modality
from lean_memory.extract.when import Moment, Times

__all__ = ["Tense"]

_ARRANGED = frozenset(
    "move go leave join start fly travel visit marry get buy sell adopt switch quit transfer return come "
    "attend begin retire graduate "
    "relocate emigrate drop take head become migrate resign change".split()
)
_NOT_PLAIN_PAST = frozenset(
    "plays likes dislikes wants prefers interested_in hobby believes name takes_medication manages age "
    "uses parent_of skilled_in has_condition is_a".split()
)
_NOT_PAST_PROGRESSIVE = frozenset("has_pet owns drives plays speaks job_title lives_in works_at studies_at".split())
_NEXT_STEPS = frozenset("starting beginning joining moving leaving opening launching planning".split())
_DAYS_ON = {"day": 1, "morning": 1, "afternoon": 1, "evening": 1, "night": 1, "week": 7}
_TO_BEGIN = frozenset("starting beginning commencing effective".split())
_SOON = 270 * 86_400_000  # `starting in January`, said in March, is the January that was
_YOUTH = frozenset("kid child boy girl teenager teen toddler baby student".split())
_LONG = frozenset("years ages decades months yonks donkeys ever".split())
_DAY = 86_400_000
_OF_THE_NIGHT = frozenset("late midnight dawn noon sunset sunrise dark bedtime morning past".split())
_JUST = 30 * 86_400_000
_COARSE = frozenset("year decade month season century quarter week".split())
_NOT_DENIED_BY_PERFECT = frozenset("hobby plays works_at lives_in studies_at job_title".split())


class Tense(Modality):
    """When a claim holds: what tense, negation and time expressions make of it."""

    def _frame(
        self, clause: Clause, verb: Verb, sign: str, kind: str, negative: bool, predicate: str
    ) -> tuple[int | None, int | None, bool, Moment | None, bool] | None:
        """(valid_at, valid_to, negative, the time expression used, past form) of a claim, None when it says nothing.

        A state in the present holds from `since`, or from now; in the past it is over. What begins or ends does so at
        the time given, else now. What is denied is denied now.
        """
        now = self.turn.t_ref
        times = self.clause_times(clause)
        tense = verb.tense
        ended = verb.longer or self._anymore(clause)
        since, lasted = times.pick("since"), times.pick("for")
        until, span, at = (
            self._still_ahead(clause, times) if tense == "pres" else times.pick("until", "before"),
            times.pick("range"),
            times.pick("at", "after") if not sign else times.pick("at"),
        )
        if self.turn.base is not None and at is None and not since and not span:
            at = self.turn.base
        point = at.happened if at else None
        future = point is not None and point > now
        if verb.phase == "stop":
            if negative or tense not in ("past", "perf", "pluperf", "pres"):
                return None
            sign = "-" if sign in ("", "-") else "x"
            if sign == "x":
                return None
        if verb.phase == "start" and sign == "" and kind == "state":
            sign = "+"
        if sign == "" and kind == "state" and ended and tense in ("pres", "perf") and (negative or verb.longer):
            return (
                None
                if predicate in ("name",)
                else (None, min(point, now) if point is not None else now, False, at, True)
            )
        if negative and kind == "event":
            if tense in ("perf", "past", "pres", "pluperf"):
                if tense == "pres":
                    return None
                return now, None, True, None, tense == "past"
            return None
        if sign == "-":
            if negative:
                return None
            coming = self._coming(clause)  # `I quit, effective Friday`
            if coming is not None:
                return None, coming.happened, False, coming, True
            if (
                tense in ("past", "perf")
                or (tense == "pres" and ((verb.prog and future) or "used" in verb.adverbs))
                or (clause.elided and verb.form in "dn")
                or (tense == "pres" and verb.lemma == "be" and not verb.prog)
                or (tense == "pres" and since is not None and self._begins_today(since))
            ):
                over = point if point is not None else (until.stop if until else None)
                over = since.start if over is None and since is not None and self._begins_today(since) else over
                if tense in ("past", "perf") and over is not None and over > now:
                    over = now
                return None, over if over is not None else now, False, at or until, True
            return None
        if sign == "+":
            if verb.used_to or False:
                return None
            if negative:
                return (now, None, True, None, True) if tense in ("past",) else None
            coming = self._coming(clause) if tense in ("past", "perf") else None
            if coming is not None:
                return coming.happened, None, False, coming, False
            if tense in ("past", "perf"):
                if point is not None and future:
                    point = None
                begin = since or at or lasted
                start = (
                    since.start
                    if since
                    else point
                    if at
                    else lasted.start
                    if lasted and lasted.start is not None and tense == "perf"
                    else None
                )
                return start if start is not None else now, None, False, begin if start is not None else None, False
            if tense == "pres" and verb.lemma == "be":
                start = since.start if since else point
                return start if start is not None else now, None, False, since or at, False
            if tense == "pres" and (verb.prog or verb.phase == "start"):
                return None
            if tense == "pres" and not verb.prog and future:
                return point, None, False, at, False
            if tense == "pres" and since is not None and self._begins_today(since):
                return since.start, None, False, since, False
            return None
        if kind == "event":
            if verb.used_to or verb.longer:
                return None
            if tense in ("past", "perf", "pluperf"):
                start = (
                    point
                    if point is not None and not future
                    else (since.start if since else span.start if span else None)
                )
                if start is None and tense == "perf" and verb.prog and lasted and lasted.start is not None:
                    return lasted.start, None, False, lasted, True
                if start is None and tense == "perf" and lasted and lasted.start is not None:
                    return lasted.start, None, False, lasted, True
                return start if start is not None else now, None, False, at or since or span, True
            if tense == "pres" and verb.prog and predicate in ("learned", "read", "watched"):
                start = since.start if since else lasted.start if lasted else None
                return start if start is not None else now, None, False, since or lasted, False
            return None
        # A state.
        if verb.used_to or tense == "pluperf" or (tense == "past" and not negative):
            if verb.used_to and negative:
                return None
            if predicate == "age" and at and point is not None and 0 <= now - point < _JUST and not verb.used_to:
                return point, None, False, at, False  # `she was 90 on Sunday`
            if (
                predicate in _NOT_PLAIN_PAST
                and not verb.used_to
                and not (until or span or lasted)
                and not self._was_once(clause, verb)
            ) and not (
                predicate in ("has_condition", "is_a", "takes_medication", "manages", "uses") and (at is not None)
            ):
                return None
            if verb.lemma == "have" and predicate in ("owns",) and not (verb.used_to or span):
                return None
            if (
                predicate in _NOT_PAST_PROGRESSIVE
                and tense == "past"
                and verb.prog
                and not (until or span or lasted or at)
            ):
                return (
                    None if predicate not in ("lives_in", "works_at", "studies_at") else (None, now, False, None, True)
                )
            if predicate == "field_of_study" and not verb.used_to and not until and not span:
                return (
                    point if point is not None and not future else now,
                    None,
                    False,
                    at if not future else None,
                    False,
                )
            if predicate in ("born_in", "birthday", "from"):
                return point if point is not None and not future else now, None, False, None, False
            if span:
                return span.start, min(span.ends or now, now), False, span, True
            if until:
                return None, min(until.ends or until.stop or now, now), False, until, True
            if at and at.stop is not None and not future and at.grain in _COARSE:
                return at.start, min(at.stop - 1, now), False, at, True
            if at and point is not None and not future and not verb.used_to:
                return point, min((at.stop or now) - 1, now), False, at, True
            return None, now, False, None, True
        if negative:
            never = any(t.low == "never" for t in self.toks[clause.lo : verb.end])
            if tense == "perf" and predicate in _NOT_DENIED_BY_PERFECT and verb.lemma != "be" and not never:
                return None  # `I haven't played in years` denies no state
            if tense in ("pres", "perf", "past"):
                return now, None, True, None, False
            return None
        if tense == "perf":
            if since:
                return since.start, None, False, since, False
            if self._ever_since(clause):
                then = next((m for m in reversed(self.times().moments) if m.end <= self.toks[clause.lo].start), None)
                start = then.happened if then is not None and then.happened is not None else now
                return min(start, now), None, False, then, False
            if span:
                return span.start, None if span.ends is None or span.ends >= now else span.ends, False, span, False
            if lasted and lasted.start is not None:
                return lasted.start, None, False, lasted, False
            if lasted and lasted.start is None and lasted.length:
                return self._back(lasted), None, False, lasted, False
            if point is not None and not future and verb.prog:
                return point, None, False, at, False
            if self._for_long(clause):
                return now, None, False, None, False
            if (
                predicate in ("lives_in", "works_at", "studies_at", "job_title")
                and not verb.prog
                and "always" not in verb.adverbs
                and not verb.adverbs & {"still", "now", "just"}
            ):
                return None, now, False, None, True
            return now, None, False, None, False
        if tense == "pres":
            if until and not since:
                return now, until.ends or until.stop, False, until, False
            start = None
            used = None
            if since:
                used = self._coming(clause) or since
                start = used.start
            elif lasted and lasted.start is not None and predicate not in ("plays", "likes"):
                start, used = lasted.start, lasted
            elif (
                at is not None
                and point is not None
                and (future or predicate in ("married_to", "engaged_to") or self._as_of(clause, at))
            ):
                start, used = point, at
                if future and predicate in ("likes", "dislikes", "is_a", "age"):
                    start, used = None, None
            return start if start is not None else now, None, False, used, False
        return None

    def _still_ahead(self, clause: Clause, times: Times) -> Moment | None:
        """`I work there until Friday`: what holds now ends later."""
        until = times.pick("until", "before")
        if until is None or (until.stop or self.turn.t_ref) > self.turn.t_ref:
            return until
        later = self.times("future").moments
        return next((m for m in later if m.begin == until.begin and (m.stop or 0) > self.turn.t_ref), None)

    def _coming(self, clause: Clause) -> Moment | None:
        """`I got a job at Acme, starting in May`: what is agreed begins later."""
        if self.words.isdisjoint(_TO_BEGIN) and "date" not in self.words:
            return None
        begin, end = self.toks[clause.lo].start, self.toks[min(clause.hi, len(self.toks)) - 1].end
        found = self.times("future").within(begin, end).moments
        ahead = (found[0].happened or 0) - self.turn.t_ref if len(found) == 1 else 0
        if not 0 < ahead < _SOON:
            return None
        i = next((i for i in range(clause.lo, clause.hi) if self.toks[i].start >= found[0].outer), clause.lo)
        lead = [t.low for t in self.toks[max(clause.lo, i - 2) : i]]
        lead += self.turn.text[found[0].outer : found[0].begin].lower().split()
        return found[0] if not _TO_BEGIN.isdisjoint(lead) or lead[:2] == ["start", "date"] else None

    def _begins_today(self, since: Moment) -> bool:
        """`Ana takes over from Ben as of today`: a present that begins now."""
        return since.start is not None and 0 <= self.turn.t_ref - since.start < _DAY

    def _as_of(self, clause: Clause, at: Moment) -> bool:
        text = self.turn.text[max(0, at.outer - 12) : at.begin].lower()
        return any(w in text for w in ("as of", "from", "starting", "effective", "since"))

    def _back(self, lasted: Moment) -> int:
        amount, unit = lasted.length or (0.0, "day")
        days = {
            "second": 0.0,
            "minute": 0.0,
            "hour": 0.04,
            "day": 1.0,
            "week": 7.0,
            "weekend": 7.0,
            "month": 30.44,
            "quarter": 91.3,
            "year": 365.25,
            "decade": 3652.5,
            "century": 36525.0,
        }[unit]
        return int(self.turn.t_ref - amount * days * 86_400_000)

    def _was_once(self, clause: Clause, verb: Verb) -> bool:
        """`before this I was ..`, `back when ..`, `as a kid ..`."""
        tail = [t.low for t in self.toks[verb.end : clause.hi]]
        tokens = self.toks[verb.end : clause.hi + 2]
        if any(x.low in ("until", "till") and y.low not in _OF_THE_NIGHT for x, y in itertools.pairwise(tokens)):
            return True
        if any(x == "as" and tail[k + 1 : k + 2] in (["a"], ["an"]) and {*tail[k + 2 : k + 4]} & _YOUTH
               for k, x in enumerate(tail)) or "childhood" in tail:  # fmt: skip
            return True
        lead = {t.low for t in self.toks[clause.lo : verb.start]} | {
            t.low for t in self.toks[max(0, clause.lo - 6) : clause.lo]
        }
        return bool(
            lead
            & {
                "before",
                "previously",
                "formerly",
                "once",
                "originally",
                "kid",
                "child",
                "teenager",
                "student",
                "back",
                "younger",
                "growing",
            }
        ) or bool(verb.adverbs & {"once", "previously", "formerly", "originally"})

    def _for_long(self, clause: Clause) -> bool:
        """`I've been with Acme for years`: so long that nobody says how long, and still."""
        tail = [t.low for t in self.toks[clause.verbs[-1].end : clause.hi]]
        return any(x == "for" and y in _LONG for x, y in itertools.pairwise(tail))

    def _ever_since(self, clause: Clause) -> bool:
        """`.. and I have lived here since`: with nothing behind it, since what was told before."""
        tail = [t.low for t in self.toks[clause.verbs[0].end : clause.hi] if t.kind == "w"]
        return tail[-1:] == ["since"]

    def _anymore(self, clause: Clause) -> bool:
        tail = [t.low for t in self.toks[clause.verbs[0].end : clause.hi]]
        return "anymore" in tail or any(x == "any" and y in ("more", "longer") for x, y in itertools.pairwise(tail))

    def clause_times(self, clause: Clause) -> Times:
        """The clause's own time expressions; else those of an adverbial that the clause shares."""
        if self.toks[0].start >= self.toks[-1].end:
            return Times()
        future = (
            clause.verbs[-1].tense == "fut"
            or clause.verbs[-1].phase == "plan"
            or (
                clause.verbs[-1].tense == "pres"
                and (
                    clause.verbs[-1].lemma in ("start", "join", "begin", "move", "leave")
                    or (clause.verbs[-1].prog and clause.verbs[-1].lemma in _ARRANGED)
                )
            )
        )
        times = self.times("future" if future else "past")
        if not times.moments:
            return times
        lo = clause.lo
        start = self.toks[lo].start
        # A leading adverbial belongs to the first clause, and to what is coordinated with it.
        begin = self.toks[0].start if clause.first else start
        own = times.within(begin, self._told_until(clause))
        later = self._days_on(clause)
        if later:
            before = next((m for m in reversed(times.moments) if m.end <= start and m.start is not None), None)
            if (
                before is None
                or before.start is None
                or before.grain not in ("day", "hour", "minute", "weekend", "week")
            ):
                return Times()
            day = before.start + later * 86_400_000
            return Times((replace(before, start=day, stop=day + 86_400_000, relation="at", grain="day"),))
        if own.moments:
            return own
        if any(t.low == "then" for t in self.toks[max(0, lo - 1) : clause.verbs[0].start]):
            led = times.moments[0].outer <= self.toks[0].start  # `In 2010 I ..`; not so `I .. in 2010, then ..`
            return Times(times.moments[:1]) if led else own
        if clause.shared or clause.marker in ("and",):
            return times.within(self.toks[0].start, self.toks[clause.verbs[0].start].start)
        first = self._lead(clause)
        return times.within(first, start) if first < start else own

    def _told_until(self, clause: Clause) -> int:
        """Where what the clause itself tells ends: `quit Acme, starting her own firm in May` tells not when"""
        hi = min(clause.hi, len(self.toks))
        if self.words.isdisjoint(_NEXT_STEPS):
            return self.toks[hi - 1].end
        for i in range(clause.verbs[-1].end + 1, hi - 1):
            if self.toks[i - 1].low != "," or self.toks[i].low not in _NEXT_STEPS:
                continue
            if not any(m.outer <= self.toks[i + 1].end for m in self.times().moments if m.end > self.toks[i].start):
                return self.toks[i - 1].end
        return self.toks[hi - 1].end

    def _days_on(self, clause: Clause) -> int:
        """`the very next day`, `the following week`: how many days after what was told before; 0 for no such words."""
        toks = self.toks
        for i in range(max(1, clause.lo), min(clause.hi, len(toks)) - 1):
            on = toks[i].low in ("next", "following") and toks[i + 1].low in _DAYS_ON and clause.lo > 0
            if on and toks[i - 1].low in ("the", "very"):
                return _DAYS_ON[toks[i + 1].low]
        return 0

    def _lead(self, clause: Clause) -> int:
        """Where the words between the clause before and this one begin."""
        i = clause.lo
        while i > 0 and self.toks[i - 1].low not in ("and", "but", ";"):
            i -= 1
            if self.toks[i].kind == "p" and self.toks[i].low in ".;:!?":
                return self.toks[i].end
        return self.toks[i].start
