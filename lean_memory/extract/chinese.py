"""Chinese sentences to readings: the phrases of the table's `zh` fields, and what stands before and after them.

Chinese marks no tense and leaves subjects out, so a clause is read from its phrase outwards: what stands before is
the subject with its adverbs and denials, what stands after is particles. A clause without a subject goes on with the
one before. Times are read by the Chinese time grammar and taken out first.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources

from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.salience import emphasis
from lean_memory.extract.table import Predicate, PredicateTable
from lean_memory.extract.turn import Turn
from lean_memory.extract.when import Moment, Times, read_times

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

__all__ = ["Chinese"]

_CLAUSE = re.compile(r"[^，,；;。！!？?\n：:]+[，,；;。！!？?：:]?")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_SPLIT = re.compile(r"[、/]|和|跟|与|以及|还有")
_NAME = re.compile(r"[\u4e00-\u9fff]{2,4}(?:·[\u4e00-\u9fff]{1,6})?|[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)?")
_QUOTE = re.compile(r"[“「『\"]([^”」』\"]{2,200})[”」』\"]")
_DATE = re.compile(r"(?:\d{2,4}年)?\d{1,2}月\d{1,2}[日号]?|\d{4}-\d\d-\d\d|\d{4}年")
_TIMED = frozenset({"date", "plan", "decision", "wish", "phone"})  # objects that may hold a time
_PLURAL_SPEAKER = ("我们", "咱们", "我", "咱", "俺", "本人")


@functools.lru_cache(maxsize=1)
def _words() -> dict[str, tuple[str, ...]]:
    raw = tomllib.loads(resources.files(__package__).joinpath("chinese.toml").read_text(encoding="utf-8"))
    return {name: tuple(sorted(text.split(), key=len, reverse=True)) for name, text in raw.items()}


def _any(words: tuple[str, ...]) -> str:
    return "(?:" + "|".join(map(re.escape, words)) + ")"


@dataclass(frozen=True, slots=True)
class _Phrase:
    predicate: str
    sign: str
    kind: str
    pattern: re.Pattern[str]
    extra: tuple[tuple[str, str], ...]  # (slot, predicate) of further facts
    noun: bool = False


@dataclass(slots=True)
class _Clause:
    """A clause with its times blanked out by spaces: `text` has the length of the original [start, end)."""

    text: str
    start: int
    end: int
    times: Times
    raw: str = ""


class Chinese:
    """The rules for Chinese over a predicate table."""

    def __init__(self, table: PredicateTable) -> None:
        words = self.words = _words()
        self._table = table
        self._relations: dict[str, tuple[str | None, bool]] = dict.fromkeys(words["roles"], (None, False))
        self._relations |= dict.fromkeys(words["relatives"], ("relative_of" if "relative_of" in table else None, False))
        for predicate in table.values():
            self._relations |= dict.fromkeys(predicate.zh_relatives, (predicate.name, False))
        for word in [w for w, (p, _) in self._relations.items() if p in ("married_to", "partner_of")]:
            self._relations["前" + word] = (self._relations[word][0], True)
        self._relations |= {"前夫": ("married_to", True), "前妻": ("married_to", True)} if "married_to" in table else {}
        self._kin = _any(tuple(sorted(self._relations, key=len, reverse=True)))
        nouns = [noun for predicate in table.values() for noun in predicate.zh_nouns]
        self._heads = re.compile(_any(tuple(sorted(nouns, key=len, reverse=True))))
        self._particles = re.compile(f"(?:{_any(words['end_particles'])}|\\s)*$")
        self._phrases = [phrase for predicate in table.values() for phrase in self._compiled(predicate)]
        self._before = re.compile(f"(?:{_any(words['adverbs'])}|{_any(words['past'])}|{_any(words['denials'])}|\\s)+$")
        self._kinds: dict[str, Callable[[str], bool]] = {
            "job": lambda t: any(t.endswith(w) for w in words["jobs"]) and len(t) <= 12,
            "role": lambda t: False,
            "playable": lambda t: any(t.endswith(w) for w in words["playables"]) and len(t) <= 8,
            "language": lambda t: t.endswith(words["languages"]) and len(t) <= 6,
            "diet": lambda t: t in words["diets"],
            "condition": lambda t: t.endswith(words["conditions_named"]) and len(t) <= 10,
            "medicine": lambda t: t.endswith(words["medicine_ends"]) and len(t) <= 10,
            "animal": lambda t: any(w in t for w in words["animals"]) and len(t) <= 12,
            "date": lambda t: _DATE.search(t) is not None,
            "age": lambda t: t.isdigit() or all(c in "零一二三四五六七八九十百" for c in t),
            "phone": lambda t: sum(c.isdigit() for c in t) >= 5,
            "email": lambda t: "@" in t,
            "name": lambda t: 1 <= len(t) <= 8 and not t.endswith(("人", "们")),
            "person": lambda t: 1 <= len(t) <= 8,
            "field": lambda t: 1 < len(t) <= 8 and t != "读书",
            "seen_place": lambda t: t.endswith(
                (*words["places"], "国", "市", "省", "岛", "山", "城", "湖", "寺", "州")
            ),
            "group": lambda t: t.endswith(words["group_ends"]),
            "company": lambda t: t.endswith(words["company_ends"]) or t.isascii(),
            "org": lambda t: t not in words["places"] and not t.endswith(("市", "省", "县", "里", "上", "家")),
        }

    def _compiled(self, predicate: Predicate) -> list[_Phrase]:
        out = []
        for sign, phrases in (("", predicate.zh), ("+", predicate.zh_starts), ("-", predicate.zh_stops)):
            for phrase in phrases:
                kind, extra = predicate.object, []
                for slot in _SLOT.finditer(phrase):
                    if slot[1] == "o" and slot[2]:
                        kind = slot[2]
                    elif slot[1] in self._table:
                        extra.append((slot[1], slot[1]))
                source = _SLOT.sub(lambda m: f"(?P<{m[1]}>[^\\s，。]{{1,24}}?)", phrase)
                tail = f"(?:{_any(self.words['end_particles'])}|\\s)*$"
                out.append(_Phrase(predicate.name, sign, kind, re.compile(source + tail), tuple(extra)))
        if predicate.zh_nouns:
            nouns = _any(tuple(sorted(predicate.zh_nouns, key=len, reverse=True)))
            source = (
                f"(?:的)?{nouns}\\s*(?:号码)?\\s*(?:是|换成了?|改成了?|为|：|:|有)\\s*(?P<o>.+?)(?:了|的|哦|啊|\\s)*$"
            )
            out.append(_Phrase(predicate.name, "", predicate.object, re.compile(source), (), True))
        return out

    # ------------------------------------------------------------------ a sentence

    def read(self, turn: Turn, begin: int, end: int) -> list[Reading]:
        """The readings of text[begin:end]."""
        words, text = self.words, turn.text
        sentence = text[begin:end]
        if any(w in sentence for w in words["jokes"]):
            return []
        quoted = self._quoted(turn, begin, end)
        masked = _QUOTE.sub(lambda m: " " * len(m[0]), sentence)
        correcting = any(w in masked for w in words["corrections"])
        weight = emphasis(sentence)
        times = read_times(text, begin, end, turn.t_ref, turn.tz, lang="zh")
        out: list[Reading] = []
        unreal = False
        subject: list[tuple[str, float]] | None = None
        for match in _CLAUSE.finditer(masked):
            raw = match[0]
            unreal = unreal or any(w in raw for w in words["conditions"])
            if (
                unreal
                or self._asked(raw)
                or any(w in raw for w in words["wishes"])
                or any(w in raw for w in words["hedges"])
            ):
                continue
            a, b = begin + match.start(), begin + match.end()
            clause = self._clause(turn, raw, a, b, times)
            listed = raw.rstrip()[-1:] in ":：" and self._heads.search(raw) is not None
            if listed and match.end() < len(masked.rstrip()):
                rest = masked[match.start() :]
                clause = self._clause(turn, rest, a, begin + len(masked), times)
            got, subject = self._read_clause(turn, clause, subject, out)
            out += got
            if listed:
                break
        for reading in out:
            reading.weight += weight
            if correcting or turn.correcting:
                reading.cue = "corrects"
        turn.correcting = correcting and not out
        return out + quoted

    def _asked(self, clause: str) -> bool:
        return clause.rstrip()[-1:] in "?？" or any(w in clause for w in self.words["questions"])

    def _clause(self, turn: Turn, raw: str, a: int, b: int, times: Times) -> _Clause:
        own = times.within(a, b)
        chars = list(raw)
        for m in own.moments:
            for i in range(max(0, m.outer - a), min(len(chars), m.end - a)):
                chars[i] = " "
        length = len(raw.rstrip("，,；;。！!？?：: \n"))
        return _Clause("".join(chars[:length]), a, a + length, own, raw[:length])

    def _read_clause(
        self, turn: Turn, clause: _Clause, subject: list[tuple[str, float]] | None, earlier: list[Reading]
    ) -> tuple[list[Reading], list[tuple[str, float]] | None]:
        out: list[Reading] = []
        found: list[tuple[str, float]] | None = None
        done: list[tuple[str, int, int]] = []
        relations: list[Reading] = []
        for phrase in self._phrases:
            body = clause.raw if phrase.kind in _TIMED else clause.text
            match = phrase.pattern.search(body)
            if match is None or any(
                match.start() < e and s < match.end() and (p == phrase.predicate or (s, e) != match.span())
                for p, s, e in done
            ):
                continue
            head = clause.text[: match.start()]
            flags = self._before.search(head)
            marks = flags[0] if flags else ""
            who, named = self._who(turn, head[: len(head) - len(marks)], clause, subject, noun=phrase.noun)
            if not who:
                continue
            values = self._values(phrase.kind, match["o"])
            if not values:
                continue
            relative = next((p for p in turn.memory.people if p.name == who[0][0] and p.relation and not p.named), None)
            if phrase.predicate == "name" and relative is not None and marks == "":
                predicate, former = self._relations[relative.relation or ""]
                turn.memory.people.remove(relative)
                turn.memory.add(
                    Mention(
                        0,
                        0,
                        values[0],
                        relative.gender,
                        relation=relative.relation,
                        owner=relative.owner,
                        named=True,
                        role=relative.role,
                    )
                )
                done.append(("name", *match.span()))
                found = [(values[0], 0.85)]
                if predicate:
                    ends = turn.t_ref if former else None
                    out.append(
                        Reading(
                            relative.owner or turn.speaker,
                            predicate,
                            values[0],
                            clause.start,
                            clause.end,
                            starts=None if former else turn.t_ref,
                            ends=ends,
                            confidence=0.9,
                        )
                    )
                continue
            if (
                phrase.predicate == "name"
                and (not head.strip() or head.strip() in ("它", "他", "她", "名字"))
                and self._christen(turn, values[0], earlier)
            ):
                continue
            got = self._assert(turn, clause, phrase, values, who, marks, match)
            if got:
                done.append((phrase.predicate, *match.span()))
                found, relations = who, named
                out += got
                for slot, predicate in phrase.extra:
                    more = self._values(self._table[predicate].object, match[slot])
                    out += self._assert(
                        turn, clause, _Phrase(predicate, phrase.sign, "", phrase.pattern, ()), more, who, marks, match
                    )
        if found is None:
            start, named = self._who(turn, clause.text.strip()[:12], clause, None, loose=True)
            return named, start or subject
        return [*relations, *out], found

    def _christen(self, turn: Turn, name: str, earlier: list[Reading]) -> bool:
        """`我养了一只猫，叫豆豆`: the pet or relative just mentioned has a name."""
        if (
            earlier
            and earlier[-1].predicate == "has_pet"
            and any(w in earlier[-1].object for w in self.words["animals"])
        ):
            earlier[-1].object = name
            return True
        return False

    # ------------------------------------------------------------------ who

    def _who(
        self,
        turn: Turn,
        head: str,
        clause: _Clause,
        subject: list[tuple[str, float]] | None,
        *,
        noun: bool = False,
        loose: bool = False,
    ) -> tuple[list[tuple[str, float]], list[Reading]]:
        head = head.strip().removesuffix("的") if noun else head.strip()
        head = re.sub(
            f"^(?:{_any(self.words['adverbs'])}|{_any(self.words['past'])}|不过|但是?|而且|然后|所以|因为|对了|另外|从|自从|自|到|于|在)+",
            "",
            head,
        ).strip()
        if not head:
            if loose:
                return [], []
            return (subject or [(turn.speaker, 0.8)]), []
        out: list[tuple[str, float]] = []
        named: list[Reading] = []
        for part in re.split(r"和|跟|与|、", head):
            got = self._one(turn, part.strip(), clause, named, loose)
            if got is None:
                return [], []
            out.append(got)
        return out, named

    def _one(
        self, turn: Turn, part: str, clause: _Clause, named: list[Reading], loose: bool
    ) -> tuple[str, float] | None:
        part = part.removesuffix("的")
        if part in _PLURAL_SPEAKER or part in ("我家", "我们家", "咱家"):
            return turn.speaker, 0.95
        if part in ("他", "她", "TA", "ta"):
            found = turn.memory.resolve("he" if part == "他" else "she" if part == "她" else "they")
            return (found.name, 0.75) if found else None
        kin = re.match(
            f"(?:(?P<me>我们?|咱们?)|(?P<he>他|她)|(?P<who>{_NAME.pattern}?))?(?P<of>家)?的?(?P<adj>新|老|前|大|小|最好的)?(?P<rel>{self._kin})(?:叫做?)?(?P<name>.{{0,8}})$",
            part,
        )
        if kin and (kin["me"] or kin["he"] or kin["who"] or len(kin["rel"]) > 1):
            owner = turn.speaker
            if kin["he"]:
                found = turn.memory.resolve("he" if kin["he"] == "他" else "she")
                if found is None:
                    return None
                owner = found.name
            elif kin["who"]:
                owner = kin["who"].removesuffix("的")
                if owner in self.words["not_names"]:
                    return None
            word = kin["rel"]
            role = f"{owner}'s {word}"
            gender = "m" if word in self.words["male"] else "f" if word in self.words["female"] else None
            name = "" if loose else kin["name"].strip()
            if name and not re.fullmatch(r"[\u4e00-\u9fff·]{1,4}|[A-Za-z][\w.' -]*", name):
                return None
            predicate, former = (
                self._relations["前" + word]
                if kin["adj"] == "前" and "前" + word in self._relations
                else self._relations[word]
            )
            if name:
                turn.memory.add(Mention(0, 0, name, gender, relation=word, owner=owner, named=True, role=role))
                if predicate:
                    named.append(
                        Reading(
                            owner,
                            predicate,
                            name,
                            clause.start,
                            clause.end,
                            starts=None if former else turn.t_ref,
                            ends=turn.t_ref if former else None,
                            confidence=0.9,
                        )
                    )
                return name, 0.9
            known = turn.memory.aliases.get(role, role)
            turn.memory.add(Mention(0, 0, known, gender, relation=word, owner=owner, role=role))
            return known, 0.9
        if (
            _NAME.fullmatch(part)
            and part not in self.words["not_names"]
            and not part.startswith(("这", "那", "你", "每", "有", "没", "不", "很", "我", "他", "她", "想"))
        ):
            if loose and not part.endswith(self.words["titles"]):
                return None
            turn.memory.add(Mention(0, 0, part, named=True))
            return part, 0.85
        return None

    # ------------------------------------------------------------------ what

    def _values(self, kind: str, raw: str) -> list[str]:
        raw = self._particles.sub("", raw).strip().strip("《》“”\"'")
        parts = (
            _SPLIT.split(raw)
            if kind not in ("name", "org", "place", "date", "phone", "email", "address", "plan", "decision", "wish")
            else [raw]
        )
        out = []
        for part in parts:
            value = re.sub(r"^(?:了|过|一点|一些|少量|流利的)+", "", part.strip().strip("《》的"))
            if kind == "animal":
                called = re.match(r".*(?:叫做?|名叫)(.+)$", value)
                value = called[1] if called and any(w in value for w in self.words["animals"]) else value
                if not called and not self._kinds["animal"](value):
                    continue
                value = (
                    re.sub(f"^{_any(self.words['measure'])}", "", value)
                    if called is None and value.startswith(("一", "个", "只", "条"))
                    else value
                )
            elif kind == "job":
                value = re.sub(r"^(?:一名|一个|一位|名|位|个)", "", value)
            elif kind in ("vehicle", "possession", "purchase", "tool"):
                value = re.sub(r"^(?:一辆|一台|一部|一个|一双|一把|一本|辆|台|个|新的?)", "", value)
            check = self._kinds.get(kind)
            if (
                not value
                or value in self.words["not_objects"]
                or len(value) > 24
                or (kind != "animal" and check is not None and not check(value))
            ):
                continue
            if any(value.startswith(w) for w in ("它", "这", "那", "你")) and kind not in ("plan", "decision", "wish"):
                continue
            out.append(value)
        return out

    def _assert(
        self,
        turn: Turn,
        clause: _Clause,
        phrase: _Phrase,
        values: list[str],
        who: list[tuple[str, float]],
        marks: str,
        match: re.Match[str],
    ) -> list[Reading]:
        predicate = self._table[phrase.predicate]
        past = any(w in marks for w in self.words["past"]) or any(
            w in clause.text[: match.start()] for w in self.words["past"]
        )
        over = any(w in marks for w in self.words["over"])
        denied = any(w in marks for w in self.words["denials"])
        ended = clause.text.rstrip().endswith("了") and denied and "没" not in marks
        frame = self._frame(turn, clause, predicate.name, predicate.kind, phrase.sign, past, denied, over or ended)
        if frame is None:
            return []
        starts, ends, negative, moment = frame
        out = []
        for name, sure in who:
            rest = turn.text[clause.start + self._subject_end(clause.text, match.start()) : clause.end]
            for value in values[: 1 if predicate.functional else None]:
                if value == name:
                    continue
                out.append(
                    Reading(
                        name,
                        phrase.predicate,
                        value,
                        clause.start,
                        clause.end,
                        negative=negative,
                        starts=starts,
                        ends=ends,
                        confidence=sure,
                        time_text=turn.text[moment.outer : moment.end] if moment else None,
                        grain=moment.grain if moment else None,
                        past=past,
                        text=f"{name}{rest}" if rest.isascii() is False else None,
                    )
                )
        if (
            phrase.predicate == "lives_in"
            and phrase.sign == "+"
            and "moved_to" in self._table
            and ends is None
            and not negative
        ):
            out += [
                Reading(
                    r.subject,
                    "moved_to",
                    r.object,
                    r.start,
                    r.end,
                    starts=r.starts,
                    confidence=r.confidence,
                    time_text=r.time_text,
                    grain=r.grain,
                    text=r.text,
                )
                for r in out
            ]
        return out

    def _subject_end(self, text: str, at: int) -> int:
        """Where the subject ends and its adverbs begin, so that the rest can be said of a name."""
        head = text[:at]
        flags = self._before.search(head)
        return len(head) - len(flags[0]) if flags else at

    def _frame(
        self, turn: Turn, clause: _Clause, predicate: str, kind: str, sign: str, past: bool, denied: bool, over: bool
    ) -> tuple[int | None, int | None, bool, Moment | None] | None:
        now, times = turn.t_ref, clause.times
        since, lasted, span = times.pick("since"), times.pick("for"), times.pick("range")
        until, at = times.pick("until", "before"), times.pick("at", "after")
        point = at.happened if at else None
        future = point is not None and point > now
        if sign == "-":
            return None if denied else (None, min(point, now) if point is not None else now, False, at)
        if over and sign == "":
            return None, now if point is None or future else point, False, at
        if denied:
            return now, None, True, None
        if kind == "event" or sign == "+":
            return (point if point is not None else now), None, False, at
        if span:
            return span.start, min(span.ends or now, now), False, span
        if until:
            return None, min(until.ends or now, now), False, until
        if past:
            if at and at.stop is not None and not future and at.grain in ("year", "month", "season"):
                return at.start, min(at.stop - 1, now), False, at
            return None, now, False, None
        if since:
            return since.start, None, False, since
        if lasted and lasted.start is not None:
            return lasted.start, None, False, lasted
        if (
            at
            and at.stop is not None
            and not future
            and at.stop <= now
            and at.grain in ("year", "month", "season", "week")
        ):
            return at.start, at.stop - 1, False, at
        if predicate == "plans_to":
            return now, None, False, None
        return (point if future else now), None, False, at if future else None

    # ------------------------------------------------------------------ other people's words

    def _quoted(self, turn: Turn, begin: int, end: int) -> list[Reading]:
        """`妈妈说“我加入了合唱团”`: the words of a person we can name; all other quotations are skipped."""
        out: list[Reading] = []
        text = turn.text
        says = _any(self.words["says"])
        for quote in _QUOTE.finditer(text, begin, end):
            lead = text[begin : quote.start()]
            match = re.search(f"(?:^|[，,。；;])([^，,。；;]{{1,10}}?)(?:{says})[：:，,]?$", lead)
            if match is None:
                continue
            who, _ = self._who(turn, match[1], _Clause("", begin, end, Times()), None)
            if len(who) != 1 or who[0][0] == turn.speaker:
                continue
            inner = Turn(text, turn.t_ref, turn.tz, who[0][0], turn.memory)
            for reading in self.read(inner, quote.start() + 1, quote.end() - 1):
                reading.confidence = min(reading.confidence, 0.65)
                out.append(reading)
        return out
