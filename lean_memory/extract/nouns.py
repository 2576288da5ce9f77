"""What noun phrases say: `my sister Anna`, `my number is ..`, `Anna is my boss`, `I'm Anna`."""

from __future__ import annotations

from dataclasses import replace

from lean_memory.extract.clauses import Clause, Verb
from lean_memory.extract.future import Future
from lean_memory.extract.objects import Value
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading

__all__ = ["Nouns"]

_NEEDS_NO_OWNER = ("deadline", "due date", "new deadline", "landline")


class Nouns(Future):
    """What noun phrases say: `my sister Anna`, `my number is ..`, `Anna is my boss`, `I'm Anna`."""

    def _relations(self, clauses: list[Clause]) -> list[Reading]:
        """`my sister Anna`: a relation that the noun phrase itself states."""
        out: list[Reading] = []
        for m in self.mentions:
            if not m.named or m.owner is None or m.owner == "you" or m.relation is None:
                continue
            span = (self.toks[m.start].start, self.toks[m.end - 1].end)
            said = self._relation(m.owner, m.relation, m.name, span, m.kind, 0.9)
            for r in said if m.former else ():  # `my former boss Ana`
                r.starts, r.ends, r.past = None, self.turn.t_ref, True
            out += said
        return out

    def _relation(
        self, owner: str, word: str, name: str, span: tuple[int, int], kind: str, sure: float
    ) -> list[Reading]:
        if kind == "animal":
            if "has_pet" not in self.e.table:
                return []
            return [Reading(owner, "has_pet", name, *span, starts=self.turn.t_ref, confidence=sure)]
        relation = self.e.people.relations.get(word)
        if relation is None or relation.predicate is None:
            return []
        ends = self.turn.t_ref if relation.former else None
        return [
            Reading(
                owner,
                relation.predicate,
                name,
                *span,
                starts=None if ends else self.turn.t_ref,
                ends=ends,
                confidence=sure,
                past=relation.former,
            )
        ]

    def _introductions(self, clauses: list[Clause]) -> list[Reading]:
        """`I'm Anna`, `Anna here`, `this is Anna`, `call me Anna`, `name's Anna`."""
        toks, turn = self.toks, self.turn
        out: list[Reading] = []
        n = len(toks)
        if self.question or turn.reported:
            return []
        i = 0
        while i < n and (toks[i].kind == "p" or toks[i].low in self.e.noun_words["greetings"]):
            i += 1
        j = self.e.people.name_at(toks, i)
        if (
            j > i
            and j < n
            and toks[j].low == "here"
            and (j + 1 >= n or toks[j + 1].kind == "p" or toks[j + 1].low in ("from", "again"))
            and j - i <= 3
            and not self._no_name(i, j)
        ):
            out.append(self._named(i, j, 0.85))
        elif (
            j == i < n - 2
            and toks[i].text.islower()
            and len(toks[i].low) > 2
            and toks[i + 1].low == "here"
            and toks[i + 2].kind == "p"
            and self._small_name(i)
        ):
            out.append(self._named(i, i + 1, 0.75))
        for k in range(n - 1 if not self.words.isdisjoint(("am", "call", "calls", "name")) else 0):
            low = toks[k].low
            if low == "am" and k and toks[k - 1].low == "i":
                out += self._i_am(k + 1, k)
            elif low in ("call", "calls") and k + 2 < n and toks[k + 1].text == "me":
                values = self.e.objects.clean("name", toks, k + 2, min(n, k + 6))
                if (
                    values
                    and (k == 0 or toks[k - 1].low in self.e.noun_words["before_call_me"])
                    and toks[k + 2].capital
                ):
                    out.append(self._named(values[0].a, values[0].b, 0.85))
            elif (
                low in ("is", "'s")
                and k
                and toks[k - 1].low == "name"
                and (k < 2 or toks[k - 2].kind == "p" or toks[k - 2].low in self.e.noun_words["before_name"])
            ):
                if k >= 2 and toks[k - 2].low in ("her", "his", "their", "its"):
                    continue
                if k < 2 and turn.memory.people and turn.text[: toks[0].start].strip():
                    continue  # `That new barista? Name's Ida`
                values = self.e.objects.clean("name", toks, k + 1, min(n, k + 7))
                if k + 1 < n and toks[k + 1].low == "not":  # `my name's not Kevin, it's Calvin`
                    it = next((x for x in range(k + 2, min(n - 2, k + 8)) if toks[x].low == "it"), None)
                    known = it is not None and toks[it + 1].low in ("is", "'s") and toks[it + 2].capital
                    values = self.e.objects.clean("name", toks, it + 2, min(n, it + 6)) if known and it else []
                    out += [self._named(v.a, v.b, 0.9) for v in values[:1]]
                elif values:
                    out.append(self._named(values[0].a, values[0].b, 0.95))
        return out

    def _no_name(self, a: int, b: int) -> bool:
        """`Vegan here`, `Nurse here`: what one is, not what one is called."""
        lex, low = self.e.lex, self.toks[a].low
        kinds = ("diets", "adjective_conditions", "conditions", "nationalities", "languages", "common")
        calling = low in ("looky", "lookie", "lookit", "alright", "roger")
        one = b - a == 1 and (calling or any(low in lex[kind] for kind in kinds))
        return one or self.e.objects.is_job(self.toks, a, b)

    def _named(self, a: int, b: int, sure: float) -> Reading:
        toks = self.toks
        name = self.e.people.text(toks, a, b)
        self.turn.memory.people = [p for p in self.turn.memory.people if p.name != name]
        return Reading(
            self.turn.speaker,
            "name",
            name,
            toks[max(0, a - 2)].start,
            toks[b - 1].end,
            starts=self.turn.t_ref,
            confidence=sure,
        )

    def _i_am(self, a: int, verb: int) -> list[Reading]:
        toks, lex = self.toks, self.e.lex
        n = len(toks)
        if a >= n or toks[a].kind != "w" or any(t.low in ("if", "imagine", "suppose", "wish") for t in toks[:a]):
            return []
        t = toks[a]
        shouting = sum(1 for x in toks if x.kind == "w" and x.text.isupper() and len(x.text) > 1) > 1
        j = a
        while j < n and toks[j].capital and j < a + 4 and (j == a or toks[j].low not in lex["months"]):
            j += 1
        follow = toks[j].low if j < n else ""
        ends = j >= n or toks[j].kind == "p" or follow in self.e.noun_words["after_name"]
        if (
            j > a
            and not shouting
            and ends
            and follow != "-"
            and t.low not in lex["nationalities"]
            and t.low not in lex["languages"]
            and t.low not in lex["evaluative"]
            and t.low not in lex["diets"]
            and t.low not in lex["common"]
            and not self.e.objects.clean("is_so", toks, a, j)
            and t.low not in self.e.forms
            and not (t.low in lex["adverbs"] or t.low in lex["prepositions"])
            and not self.e.objects.is_job(toks, a, j)
        ):
            return [self._named(a, j, 0.9)]
        if (
            j == a
            and a == verb + 1
            and t.text.islower()
            and len(t.low) > 2
            and a + 1 < n
            and (
                toks[a + 1].low in ("btw", "here")
                or self._then_an_age(a + 1)
                or (toks[a + 1].low == "by" and a + 2 < n and toks[a + 2].low == "the")
            )
            and self._small_name(a)
        ):
            return [self._named(a, a + 1, 0.8)]
        return []

    def _then_an_age(self, i: int) -> bool:
        """`i'm emre, 24, ..`."""
        parts = self.toks[i : i + 2]
        return len(parts) == 2 and parts[0].low == "," and parts[1].kind == "n" and parts[1].low.isdigit()

    def _small_name(self, a: int) -> bool:
        """May the word, written small, be a name: no word we know, no form of one?"""
        low, lex, objects = self.toks[a].low, self.e.lex, self.e.objects
        kinds = ("nationalities", "languages", "diets", "adjective_conditions", "animals", "conditions", "evaluative")
        return not (
            objects.ordinary(low)
            or low in self.e.forms
            or low in self.e.people.relations
            or any(low in lex[kind] for kind in kinds)
            or low.endswith(("ing", "ed", "ful", "less", "ous", "able", "ish", "ive"))
            or objects.is_job(self.toks, a, a + 1)
        )

    def _nominal(self, clause: Clause, people: list[tuple[str, float, str]]) -> list[Reading] | None:
        """`my new address is ..`, `Anna's birthday is ..`, `his name is Rex`; None when it is none."""
        verb = clause.verbs[0]
        if verb.prog and verb.tense == "pres" and clause.subject is not None:
            return self._doing(clause, verb)
        if verb.lemma not in self.e.noun_words["copulas"] or clause.subject is None:
            return None
        toks = self.toks
        a, b = clause.subject
        if toks[b : b + 1] and toks[b].low in ("for", "of") and b < verb.start:
            b = verb.start
        if verb.lemma == "be" and verb.tense in ("pres", "past", "perf", "fut") and people:
            inverse = self._is_my(clause, verb, people)
            if inverse is not None:
                return inverse
        owner, noun = self._owned_noun(a, b)
        if noun is None and b - a == 1 and toks[a].low == "it" and self.topic is not None:
            owner, noun = self.topic  # `my number changed, it's now ..`
        if (
            noun is None
            and toks[b - 1].low in self.e.noun_words["movable"]
            and verb.lemma in ("move", "slip", "be", "change")
        ):
            owner, noun = self.thing(a, b), "deadline"
            if verb.lemma == "be" and not (verb.end < clause.hi and toks[verb.end].low in self.e.noun_words["shifted"]):
                return self._holder(clause, verb)
        if noun is None or owner is None:
            return self._holder(clause, verb)
        self.topic = (owner, noun)
        if verb.tense in ("cond",) or verb.modal not in (None, "will"):
            return []
        tail = verb.end
        if verb.lemma == "be" and tail < clause.hi and toks[tail].low in self.e.noun_words["shifted"]:
            tail += 1
            while tail < clause.hi and toks[tail].low in ("back", "forward", "to", "until", "from"):
                tail += 1
        elif verb.lemma in ("move", "change", "slip"):
            if tail < clause.hi and toks[tail].low == "to":
                tail += 1
            elif noun != "last day":
                return None
        out: list[Reading] = []
        span = self.span(clause)
        if noun == "name":
            values = self.e.objects.clean("name", toks, tail, clause.hi)
            return self._rename(owner, values, span, verb) if values else []
        if noun.startswith(("favourite ", "favorite ")) or noun in ("favourite", "favorite"):
            values = self.e.objects.clean("thing", toks, tail, clause.hi)
            return [self._plain(owner, "favorite", v.text, span, verb) for v in values[:3]] if owner else []
        for predicate in (*self.e.nouns.get(noun, ()), *self.e.nouns.get(noun.removeprefix("new "), ())):
            kind = self.e.table[predicate].object
            if (noun in ("home", "new home") and tail < clause.hi and toks[tail].low in ("in", "at")) or (
                kind == "org" and tail + 1 < clause.hi and toks[tail].low in ("at", "with")
            ):
                tail += 1
            values = self._values(kind, (tail, clause.hi), clause) if tail < clause.hi else []
            if kind == "tool" and noun in ("phone", "new phone", "keyboard", "editor", "browser"):
                values = [v for v in values if any(t.capital for t in toks[v.a : v.b])]
            if self.e.table[predicate].functional:
                values = values[:1]
            for v in values:
                out.append(self._plain(owner, predicate, v.text, span, verb, clause))
            if out:
                break
        if not out and noun in ("birthday", "deadline"):
            return []
        if out:
            return [r for r in out if r.subject != r.object]
        return None

    def _doing(self, clause: Clause, verb: Verb) -> list[Reading] | None:
        """`my hobby is restoring radios`: what the verb would do is what the hobby is."""
        owner, noun = self._owned_noun(*(clause.subject or (0, 0)))
        if owner is None or noun is None or verb.neg or "hobby" not in self.e.nouns.get(noun, ()):
            return None
        values = self.clean("thing", verb.end - 1, clause.hi)
        return [self._plain(owner, "hobby", v.text, self.span(clause), verb, clause) for v in values[:3]]

    def _holder(self, clause: Clause, verb: Verb) -> list[Reading] | None:
        """`the new release manager is Ada`, `our accountant is Ms. Lee`: the role's holder."""
        toks = self.toks
        a, b = clause.subject or (0, 0)
        if verb.lemma != "be" or verb.tense not in ("pres", "fut") or a >= b or toks[a].low not in ("the", "our", "my"):
            return None
        m = next((m for m in self.mentions if m.start == verb.end and m.kind == "person" and m.named), None)
        if m is None or (
            m.end < clause.hi and toks[m.end].kind == "w" and toks[m.end].low not in self.e.noun_words["after_holder"]
        ):
            return None
        values = self.e.objects.clean("job", toks, a, b)
        if not values or values[0].b != b:
            return None
        return [
            Reading(
                m.name,
                "job_title",
                v.text,
                *self.span(clause),
                negative=verb.neg,
                starts=self.turn.t_ref,
                confidence=0.85,
            )
            for v in values[:1]
        ]

    def _plain(
        self, owner: str, predicate: str, value: str, span: tuple[int, int], verb: Verb, clause: Clause | None = None
    ) -> Reading:
        now = self.turn.t_ref
        if verb.tense == "past" and not verb.neg:
            ended = predicate not in ("birthday", "born_in", "deadline")
            if ended:
                return Reading(owner, predicate, value, *span, starts=None, ends=now, confidence=0.8, past=True)
        start, moment = now, None
        if clause is not None and predicate not in ("birthday", "deadline"):
            times = self.clause_times(clause)
            at = times.pick("since", "at", "after")
            if at is not None and at.start is not None and (at.relation == "since" or at.start > now):
                start, moment = at.start, at
        return Reading(
            owner,
            predicate,
            value,
            *span,
            negative=verb.neg,
            starts=start,
            confidence=0.9,
            time_text=self.turn.text[moment.outer : moment.end] if moment else None,
            grain=moment.grain if moment else None,
        )

    def _owned_noun(self, a: int, b: int) -> tuple[str | None, str | None]:
        """(owner, noun) of `my new address`, `Anna's phone number`, `the deadline for X`, `new number`."""
        toks, e = self.toks, self.e
        owner: str | None = None
        i = a
        marks = [k for k in range(a, b) if toks[k].low == "'s"]
        if marks:
            k = marks[-1]
            who = self.mention_at(a, k)
            owner = (
                who.name
                if who is not None and who.kind != "fictional"
                else e.people.text(toks, a + (1 if toks[a].low in ("the", "our", "my") else 0), k)
            )
            i = k + 1
        elif toks[a].low in ("my", "our"):
            owner, i = self.turn.speaker, a + 1
        elif toks[a].low in ("his", "her", "their", "its"):
            found = self.antecedent(toks[a].low, a) if toks[a].low != "its" else None
            if self.turn.unnamed is not None and toks[b - 1].low == "name":
                found = None
            if found is None and self.turn.unnamed is None:
                return None, None
            owner = found.name if found else self.turn.speaker
            i = a + 1
        elif toks[a].low in self.e.noun_words["owned_by_speaker"]:
            owner = self.turn.speaker
            i = a + 1 if toks[a].low == "the" else a
        elif toks[a].capital and a == 0 and toks[b - 1].low not in e.noun_words["needs_owner"]:
            owner = self.turn.speaker
        if owner is None:
            return None, None
        words = [t.low for t in toks[i:b]]
        named = (
            len(words) in (2, 3)
            and words[-1] == "deadline"
            and not marks
            and words[0] not in self.e.noun_words["plain_deadlines"]
        )
        if named and toks[a].low in ("the", "our", "my"):
            return e.people.text(toks, i, b - 1), "deadline"  # `the grant deadline`
        for drop in range(3):
            noun = " ".join(words[drop:])
            if noun in e.nouns or noun == "name":
                if toks[a].low == "the" and not marks and noun not in _NEEDS_NO_OWNER and not noun.endswith(" date"):
                    return None, None
                if e.nouns.get(noun) == ["deadline"] and not marks:
                    owner = "project" if toks[a].low not in ("my", "our") else owner
                return owner, noun
            if drop < len(words) and words[drop] in ("favourite", "favorite") and len(words) > drop + 1:
                noun = " ".join(words[drop:])
                for stop in ("of", "right", "to"):
                    if stop in words:
                        noun = " ".join(words[drop : words.index(stop)])
                return owner, noun
            if not (drop < len(words) and (words[drop] in self.e.noun_words["adjectives"])):
                break
            if words[drop] == "old" or words[drop] == "previous":
                return None, None
        if len(words) > 1 and words[0] in ("favourite", "favorite"):
            return owner, " ".join(words)
        # `the deadline for Falcon`, `my favourite band of all time`
        if "for" in words or "of" in words:
            cut = words.index("for") if "for" in words else words.index("of")
            noun = " ".join(words[:cut])
            if noun in ("deadline", "due date", "new deadline"):
                return e.people.text(
                    toks, i + cut + 1 + (1 if words[cut + 1 :] and words[cut + 1] in ("the", "our", "my") else 0), b
                ), "deadline"
            if noun.startswith(("favourite", "favorite")) or (noun in e.nouns and owner == self.turn.speaker):
                return owner, noun
        return None, None

    def _rename(self, owner: str, values: list[Value], span: tuple[int, int], verb: Verb) -> list[Reading]:
        """`her name is Fern`: the newest unnamed one gets it."""
        turn = self.turn
        if owner == turn.speaker and turn.unnamed is None:
            return []  # `my name is ..` is read elsewhere
        target = turn.unnamed or next((p for p in reversed(turn.memory.people) if p.name == owner), None)
        return [] if target is None or verb.neg or target.named else self.rename(target, values[0].text, span)

    def rename(self, target: Mention, name: str, span: tuple[int, int]) -> list[Reading]:
        """The mention gets its name; what is known of its relation is said under that name."""
        turn = self.turn
        out = []
        if turn.unnamed_reading is not None and target is turn.unnamed:
            turn.unnamed_reading.object = name  # the same fact, by its name
        elif target.relation:
            out = self._relation(target.owner or turn.speaker, target.relation, name, span, target.kind, 0.85)
        turn.memory.people = [p for p in turn.memory.people if p is not target]
        turn.memory.add(replace(target, name=name, named=True, weak=False))
        turn.memory.aliases[target.role or target.name] = name
        turn.unnamed = turn.unnamed_reading = None
        return out

    def _is_my(self, clause: Clause, verb: Verb, people: list[tuple[str, float, str]]) -> list[Reading] | None:
        """`Anna is my sister`, `Eva is our new boss`, `Tom isn't my manager`."""
        toks = self.toks
        i = verb.end
        if i >= clause.hi:
            return None
        hit = next((m for m in self.mentions if m.start == i and m.relation and not m.named), None)
        if hit is None or hit.owner in (None, "you"):
            return None
        people = [p for p in people if not p[0].startswith(f"{hit.owner}'s ")]
        if not people:
            return []
        name, _sure, kind = people[0]
        relation = self.e.people.relations.get(hit.relation or "")
        if relation is None or kind != "person" or name == hit.owner:
            return None
        if relation.predicate is None:  # `Anna is my flatmate`: no relation that we keep, but who the flatmate is
            known = next((p for p in self.turn.memory.people if p.name == name), None)
            if known is not None and known.named and verb.tense == "pres" and not verb.neg and hit.end >= clause.hi - 1:
                self.turn.memory.people = [p for p in self.turn.memory.people if p.name != hit.name]
                if hit.role:
                    self.turn.memory.aliases[hit.role] = name
            return None
        rest = [t for t in toks[hit.end : clause.hi] if t.kind == "w"]
        if rest and rest[0].low in self.e.noun_words["not_relatives"]:
            return None
        self.turn.memory.people = [p for p in self.turn.memory.people if p.name != hit.name]
        if hit.role:
            self.turn.memory.aliases[hit.role] = name
        frame = self._frame(clause, verb, "", "state", verb.neg, relation.predicate)
        if frame is None:
            return []
        starts, ends, neg, _moment, past = frame
        if relation.former:
            starts, ends = None, self.turn.t_ref
        return [
            Reading(
                hit.owner or "",
                relation.predicate,
                who,
                *self.span(clause),
                negative=neg,
                starts=starts,
                ends=ends,
                confidence=conf,
                past=past,
            )
            for who, conf, k in people
            if k == "person"
        ]

    def _joint(self, clause: Clause, people: list[tuple[str, float, str]]) -> list[Reading]:
        """`Ben and I broke up`, `Anna and Ben got married`."""
        if len(people) != 2:
            return []
        toks = self.toks
        for verb in clause.verbs:
            tail = " ".join(t.low for t in toks[verb.end : clause.hi])
            for lemma, rest, claim in self.e.matcher.together:
                if lemma != verb.lemma or not (
                    tail == rest or tail.startswith(rest + " ") or not rest or rest in verb.adverbs
                ):
                    continue
                if (
                    not rest
                    and tail
                    and toks[verb.end].kind == "w"
                    and toks[verb.end].low not in self.e.lex["prepositions"]
                    and toks[verb.end].low not in self.e.lex["adverbs"]
                    and toks[verb.end].low not in ("last", "this", "yesterday", "two", "three")
                ):
                    continue
                sign = "" if (lemma == "be" or verb.prog) and claim.sign == "+" else claim.sign
                if verb.phase == "start":
                    sign = "+"
                frame = self._frame(clause, verb, sign, "state", verb.neg, claim.predicate)
                if frame is None:
                    continue
                starts, ends, neg, moment, past = frame
                first, second = people[1][0], people[0][0]
                if second == self.turn.speaker:
                    first, second = second, first
                if True:
                    return [
                        Reading(
                            first,
                            claim.predicate,
                            second,
                            *self.span(clause),
                            negative=neg,
                            starts=starts,
                            ends=ends,
                            confidence=0.9,
                            past=past,
                            time_text=self.turn.text[moment.outer : moment.end] if moment else None,
                            grain=moment.grain if moment else None,
                        )
                    ]
        return []
