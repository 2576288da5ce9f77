"""From the slots of a phrase to readings."""

from __future__ import annotations

from dataclasses import replace

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.match import Claim
from lean_memory.extract.objects import Value
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.tense import Tense
from lean_memory.extract.tokens import tokenize
from lean_memory.records import Cue

__all__ = ["Assertions"]

_ADDS = frozenset("also too additionally".split())
_WITH_TIMES = frozenset("date work age phone address email timezone".split())
_BEFORE_TIMES = frozenset("a the rainy sunny on lazy and ,".split())
_NAMED_KINDS = frozenset("place org job group school destination".split())
_AFTER_PRONOUN = frozenset("now and so too anymore either these again instead".split())
_NOT_ENDS = frozenset("and but as anymore so because in at like".split())
_OF_ANIMALS = frozenset("takes_medication has_condition age allergic_to likes dislikes name".split())

_HAD = frozenset("owns bought drives".split())
_GROUPS = frozenset("team squad crew department group committee board unit staff".split())


class Assertions(Tense):
    """From the slots of a phrase to readings."""

    def _claims(
        self,
        clause: Clause,
        verb: Verb,
        claims: tuple[Claim, ...],
        slots: dict[str, tuple[int, int]],
        people: list[tuple[str, float, str]],
        negative: bool,
        seen: set[str],
    ) -> list[Reading]:
        cleaned: dict[str, list[Value]] = {}
        for claim in claims:
            if claim.what in cleaned:
                continue
            # `golf bores me`: in a rule the subject may be what is claimed.
            what = clause.subject if claim.what == "s" else slots[claim.what]
            if claim.what == "s" and what and self.toks[what[0]].low in self.e.lex["nominative"]:
                return []
            values = self._values(claim.kind, what, clause) if what else []
            if not values:
                return []
            cleaned[claim.what] = values
        out: list[Reading] = []
        fresh: set[str] = set()
        for claim in claims:
            if claim.predicate in seen:
                continue
            who = people
            if claim.who == "m":  # `it gets on my nerves`
                who = [(self.turn.speaker, 0.85, "person")]
            elif claim.who != "s":
                who = self._slot_people(slots.get(claim.who))
                if not who:
                    if len(claims) > 1 or claim.who in slots:
                        continue
                    return []
            got = self._assert(clause, verb, claim, cleaned[claim.what], who, negative)
            if got:
                fresh.add(claim.predicate + claim.sign)
            out += got
        if out:
            seen |= {f.rstrip("+-!") for f in fresh}
        return out

    def _values(self, kind: str, slot: tuple[int, int], clause: Clause) -> list[Value]:
        """The slot's values, cut where a time expression begins."""
        a, b = slot
        toks = self.toks
        b = min(b, clause.hi)
        if kind == "person":
            return self._people_values(a, b)
        if kind == "known_person":
            known = self.e.people.first_names
            return [v for v in self._people_values(a, b) if toks[v.a].low in known]
        if kind == "me":
            mine = self.toks[a].low in ("me", "us") and self._alone(a, b)
            return [Value(self.turn.speaker, a, a + 1)] if mine else []
        if kind not in _WITH_TIMES:
            for moment in self.times().moments:
                if toks[a].start < moment.outer < toks[b - 1].end:
                    cut = next((i for i in range(a, b) if toks[i].end > moment.outer), b)
                    if cut > a and not (
                        kind in ("liking", "thing")
                        and toks[cut - 1].low in _BEFORE_TIMES
                        and moment.relation == "every"
                    ):
                        nxt = next((i for i in range(cut, b) if toks[i].start >= moment.end), b)
                        if nxt < b and toks[nxt].low in (",", "and") and kind in ("thing", "liking", "tool", "animal"):
                            continue
                        b = cut
                        break
                if moment.outer <= toks[a].start and moment.end >= toks[b - 1].end and kind in _NAMED_KINDS:
                    return []
        if b <= a:
            return []
        colon = None
        if ":" in self.words:
            colon = next((k for k in range(a, b) if toks[k].low == ":" and toks[k].kind == "p"), None)
        if (
            colon is not None
            and toks[colon].start == toks[colon - 1].end
            and colon + 1 < len(toks)
            and toks[colon + 1].start > toks[colon].end
            and 0 < colon - a <= 4
            and colon + 1 < b
            and (toks[colon - 1].low.endswith("s") or toks[colon - 1].low in ("following", "people"))
        ):
            a = colon + 1  # `I speak three languages: Hindi, ..`
        if (
            kind == "animal"
            and b - a >= 3
            and toks[a + 1].low == "of"
            and toks[a + 2].low in ("them", "those", "these")
        ):
            of = next(
                (
                    r.object
                    for r in reversed([*self.done, *self.turn.last])
                    if r.predicate in ("allergic_to", "likes", "has_pet", "dislikes")
                ),
                None,
            )
            return (
                [Value(f"{toks[a].text} {of}", a, a + 3)]
                if of and self.e.objects.clean("animal", tokenize(f"two {of}"), 0, 2)
                else []
            )
        if (
            kind in ("liking", "tool", "playable")
            and toks[a].low in ("them", "it", "that")
            and (b - a == 1 or toks[a + 1].kind == "p" or toks[a + 1].low in _AFTER_PRONOUN)
        ):
            family = {"liking": ("likes", "dislikes"), "tool": ("uses",), "playable": ("plays",)}[kind]
            of = next((r.object for r in reversed([*self.done, *self.turn.last]) if r.predicate in family), None)
            return [Value(of, a, a + 1)] if of else []
        if (
            self.e.lex["pronoun_objects"].__contains__(toks[a].low)
            and toks[a].low == "it"
            and b - a == 1
            and kind in ("responsibility", "possession", "tool")
            and self.turn.last_negative is None
        ):
            thing = self._it(clause)
            return [Value(thing, a, b)] if thing else []
        if kind in ("possession", "vehicle") and toks[a].low in ("it", "them"):
            had = _HAD if kind == "possession" else {"drives"}
            thing = next((r.object for r in reversed([*self.turn.last, *self.done]) if r.predicate in had), None)
            if toks[a].low == "it" and kind == "possession":
                thing = thing or self.turn.memory.thing or self._named_before(clause.lo)
            if thing:
                return [Value(thing, a, a + 1)]
        values = self.e.objects.clean(kind, toks, a, b)
        if kind in ("place", "destination") and not self.lowercase:  # `moved to security`
            values = [v for v in values if not v.text.islower() or " " in v.text or self.e.objects.is_sight(v.text)]
        return values

    def _it(self, clause: Clause) -> str | None:
        for reading in reversed(self.done):
            return reading.object
        return self.turn.memory.thing

    def _named_before(self, stop: int) -> str | None:
        """The thing last named before token `stop`: `ask Ann about the old boat, she sold it`."""
        toks, lex = self.toks, self.e.lex
        for i in range(stop - 2, -1, -1):
            if toks[i].low not in ("the", "this", "that", "our", "a", "an"):
                continue
            end = i + 1
            while end < stop and toks[end].kind in "wn" and toks[end].low not in lex["prepositions"]:
                end += 1
            closed = end >= stop or toks[end].kind == "p" or toks[end].low in lex["prepositions"]
            if closed and 0 < end - i - 1 <= 3 and toks[end - 1].low not in lex["vague"]:
                return self.e.people.text(toks, i + 1, end)
            return None
        return None

    def _people_values(self, a: int, b: int) -> list[Value]:
        out: list[Value] = []
        for m in self.mentions:
            if (
                m.start >= a
                and m.end <= b
                and m.kind == "person"
                and not self.e.objects.is_thing(m.name)
                and m.owner != "you"
                and not m.name.startswith("you's")
            ):
                if self._only_names(m, b):
                    break
                between = self.toks[a : m.start]
                if out:
                    gap = [t.low for t in self.toks[out[-1].b : m.start]]
                    if any(g not in ("and", ",", "&", "both") for g in gap):
                        break
                elif (
                    any(
                        t.kind == "p"
                        or t.low in self.e.lex["prepositions"]
                        or t.low in ("who", "that", "and")
                        or t.capital
                        for t in between
                    )
                    or len(between) > 4
                ):
                    break
                if out and m.start < out[-1].b:
                    out[-1] = Value(m.name, m.start, m.end)
                    continue
                out.append(Value(m.name, m.start, m.end))
        if not out and a < b and self.toks[a].low in ("me", "us") and self._alone(a, b):
            return [Value(self.turn.speaker, a, a + 1)]
        if not out and a < b and self.toks[a].low in ("him", "her", "them") and b - a <= 2:
            found = self.antecedent(self.toks[a].low, a)
            if found and found.kind == "person":
                return [Value(found.name, a, a + 1)]
        return out

    def _only_names(self, m: Mention, b: int) -> bool:
        """`the Ostrich project`: the name is the project's."""
        toks, lex = self.toks, self.e.lex
        if m.relation or m.end >= b or m.start == 0 or toks[m.start - 1].low not in ("the", "our", "this"):
            return False
        after = toks[m.end]
        plain = after.kind == "w" and not after.capital and after.low not in lex["prepositions"] | lex["conjunctions"]
        return plain and after.low not in lex["adverbs"] and after.low not in ("'s", "now", "who", "today")

    def _alone(self, a: int, b: int) -> bool:
        """Is the pronoun at a the whole object: `bores me to tears`, not `left me a note`?"""
        if b - a == 1:
            return True
        nxt, lex = self.toks[a + 1], self.e.lex
        return nxt.kind == "p" or nxt.low in lex["prepositions"] or nxt.low in lex["adverbs"] or nxt.low == "when"

    def _slot_people(self, slot: tuple[int, int] | None) -> list[tuple[str, float, str]]:
        if slot is None:
            return []
        a, b = slot
        while b > a + 1 and self.toks[b - 1].kind == "p":
            b -= 1
        if self.toks[a].low in ("me", "us") and self._alone(a, b):
            return [(self.turn.speaker, 0.85, "person")]
        if self.toks[b - 1].low in _GROUPS and self.toks[a].low in ("the", "our"):
            group = self.thing(a, b)
            return [(group, 0.8, "group")] if group else []
        return [(v.text, 0.85, "person") for v in self._people_values(a, b)]

    def _assert(
        self,
        clause: Clause,
        verb: Verb,
        claim: Claim,
        values: list[Value],
        people: list[tuple[str, float, str]],
        negative: bool,
    ) -> list[Reading]:
        predicate = self.e.table[claim.predicate]
        frame = self._frame(clause, verb, claim.sign, predicate.kind, negative, claim.predicate)
        if frame is None:
            return []
        starts, ends, neg, moment, past = frame
        out: list[Reading] = []
        span = self.span(clause)
        if predicate.functional and len(values) > 1 and predicate.name not in ("deadline",):
            values = values[:1]
        cue: Cue | None = (
            "adds"
            if verb.adverbs & _ADDS
            or any(
                t.low in ("too", "also") or (t.low == "well" and self.toks[i - 1].low == "as")
                for i, t in enumerate(self.toks[clause.lo : clause.hi], clause.lo)
            )
            else None
        )
        for name, sure, kind in people:
            if not self._fits(predicate.subject, kind, predicate.name, name):
                continue
            for value in values:
                text = value.text
                if claim.predicate in ("has_condition",) and negative and not values:
                    continue
                if claim.predicate == "age" and text == "1" and name == self.turn.speaker:
                    continue  # `I've been one`
                if claim.predicate == "deadline" and verb.lemma != "have" and self._somebody(name, kind):
                    continue  # `my sister is due in May`
                if name == text or (claim.predicate == "age" and (clause.marker or "").endswith("when")):
                    continue
                out.append(
                    Reading(
                        name,
                        claim.predicate,
                        text,
                        *span,
                        negative=neg,
                        starts=starts,
                        ends=ends,
                        confidence=sure,
                        cue=cue,
                        time_text=self.turn.text[moment.outer : moment.end] if moment else None,
                        grain=moment.grain if moment else None,
                        past=past,
                    )
                )
                denied = self._not_but(value, clause)
                if denied and not neg:
                    out.append(
                        Reading(name, claim.predicate, denied, *span, negative=True, starts=starts, confidence=0.85)
                    )
        if (
            claim.predicate == "lives_in"
            and claim.sign == "+"
            and out
            and "moved_to" in self.e.table
            and verb.lemma in ("move", "relocate", "emigrate", "immigrate")
            and ends is None
        ):
            out += [
                replace(r, predicate="moved_to", negative=r.negative, confidence=r.confidence)
                for r in out
                if r.predicate == "lives_in"
            ]
        return out

    def _somebody(self, name: str, kind: str) -> bool:
        """Surely a person, and no project that is called by a name?"""
        known = name.split(" ")[0].lower() in self.e.people.first_names
        return kind == "person" and (name == self.turn.speaker or "'s " in name or known)

    def _not_but(self, value: Value, clause: Clause) -> str | None:
        """`X, not Y`."""
        i = value.b
        toks = self.toks
        if (
            i + 1 < len(toks)
            and toks[i].low in (",", "and", "(")
            and toks[i + 1].low == "not"
            and i + 2 < len(toks)
            and i + 2 < clause.hi + 3
        ):
            j = i + 2
            while j < len(toks) and toks[j].kind in "wn" and toks[j].low not in _NOT_ENDS:
                j += 1
            if (
                0 < j - i - 2 <= 4
                and (j >= len(toks) or toks[j].kind == "p")
                and toks[i + 2].low not in self.e.lex["pronoun_objects"]
                and toks[i + 2].low not in self.e.lex["adverbs"]
                and (toks[i + 2].capital or toks[i + 2].kind == "n")
            ):
                return self.e.people.text(toks, i + 2, j)
        return None

    def _fits(self, wanted: str, kind: str, predicate: str, name: str) -> bool:
        if wanted == "any":
            return kind in ("person", "thing", "group", "animal")
        if wanted == "site":
            return kind in ("thing", "group")
        if kind == "animal":
            return predicate in _OF_ANIMALS
        if kind == "group":
            return predicate in ("uses", "decided", "manages", "located_in")
        return kind == "person"
