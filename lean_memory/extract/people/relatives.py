"""Relatives and roles: `my sister Anna`, `Anna's brother`, `the new hire`, `Anna, my sister`."""

from __future__ import annotations

from lean_memory.extract.people.mentions import Memory, Mention
from lean_memory.extract.people.names import Names
from lean_memory.extract.people.relations import CANON, gender_of
from lean_memory.extract.tokens import Token

__all__ = ["Relatives"]


class Relatives(Names):
    """Mentions that begin with somebody's, or with a role."""

    def _relative(
        self, toks: list[Token], start: int, owner: str | None, i: int, memory: Memory, lowercase: bool
    ) -> Mention | None:
        n = len(toks)
        former = old = False
        j = i
        while (
            j < n
            and (
                toks[j].low in self._lists["adjectives"]
                or (toks[j].low == "ex" and j + 1 < n and toks[j + 1].low in self.relations)
            )
            and j < i + 3
            and not (toks[j].low == "other" and j + 1 < n and f"other-{toks[j + 1].low}" in self.relations)
            and not (toks[j].low in self.relations and not (j + 1 < n and toks[j + 1].low in self.relations))
        ):
            former = former or toks[j].low in ("ex", "former", "previous")
            old = old or toks[j].low == "old"
            j += 1
        if j >= n or owner is None:
            return None
        word = toks[j].low
        if word.endswith("'") and word[:-1] in self.relations:
            word = word[:-1]
        if j + 2 < n and toks[j + 1].low == "in" and toks[j + 2].low == "law" and f"{word}-in-law" in self.relations:
            word, j = f"{word}-in-law", j + 2
        two = f"{word}-{toks[j + 1].low}" if j + 1 < n else ""
        if two in self.relations:
            word, j = two, j + 1
        if word in ("team", "line", "project") and j + 1 < n and toks[j + 1].low in ("lead", "manager", "leader"):
            word, j = f"{word} {toks[j + 1].low}", j + 1
        animal = word in self._animals or (
            j + 1 < n
            and toks[j + 1].low in self._animals
            and word not in self.relations
            and toks[j + 1].kind == "w"
            and word.isalpha()
            and not toks[j].capital
        )
        roles = self._lists["roles"]
        if (
            word not in self.relations
            and not animal
            and j + 1 < n
            and toks[j + 1].low in roles
            and word.isalpha()
            and not toks[j].capital
        ):
            word, j = f"{word} {toks[j + 1].low}", j + 1  # `my piano teacher`
        if word not in self.relations and " " not in word and not animal:
            if word in self._lists["groups"] and start < i:
                name = f"{owner}'s {word}"
                return Mention(start, j + 1, name, None, kind="group")
            return None
        if animal and word not in self._animals:
            j += 1
            word = toks[j].low
        former = former or (old and word in ("boss", "manager", "supervisor"))
        if former and f"ex-{word}" in self.relations:
            word = f"ex-{word}"
        word = CANON.get(word, word)
        j += 1
        role = f"{owner}'s {word}"
        kind = "animal" if animal and word not in self.relations else "person"
        gender = gender_of(word)
        # The name: `my sister Anna`, `my sister, Anna,`, `my friend from work Anna`, `my cat called Tom`.
        at = j
        if at < n and toks[at].low in ("called", "named"):
            at += 1
        elif at + 2 < n and toks[at].low in (",", "(") and toks[at + 1].capital:
            stop = self.name_at(toks, at + 1)
            if stop > at + 1 and stop < n and toks[stop].low in (",", ")", "."):
                found = self._named(
                    toks,
                    start,
                    stop + 1 if toks[stop].low in (",", ")") else stop,
                    at + 1,
                    stop,
                    role,
                    word,
                    owner,
                    gender,
                    kind,
                    memory,
                )
                return self._ended(found, former)
        elif at + 2 < n and toks[at].low in ("from", "at", "in") and toks[at + 1].low in self._lists["from_places"]:
            at += 2
        stop = self.name_at(toks, at)
        if stop > at and not (toks[at].low in self._nationalities and stop == at + 1):
            return self._ended(
                self._named(toks, start, stop, at, stop, role, word, owner, gender, kind, memory), former
            )
        if (at > j or lowercase) and at < n and toks[at].kind == "w" and not toks[at].capital and len(toks[at].low) > 2:
            nxt = toks[at + 1].low if at + 1 < n else ""
            if (
                toks[at].low not in self._lower_stop
                and toks[at].low not in self.relations
                and toks[at].low not in self._months
                and self._verb_follows(nxt)
            ):
                return self._ended(
                    self._named(toks, start, at + 1, at, at + 1, role, word, owner, gender, kind, memory), former
                )
        name = memory.aliases.get(role, role)
        return Mention(start, j, name, gender, kind=kind, relation=word, owner=owner, role=role)

    @staticmethod
    def _ended(mention: Mention, former: bool) -> Mention:
        """The mention of somebody who may be so no more."""
        mention.former = former
        return mention

    def _named(
        self,
        toks: list[Token],
        start: int,
        end: int,
        a: int,
        b: int,
        role: str,
        word: str,
        owner: str,
        gender: str | None,
        kind: str,
        memory: Memory,
    ) -> Mention:
        name = self._known(self.text(toks, a, b), memory)
        memory.aliases[role] = name
        gender = gender or self.gender_of_name(toks[a].low)
        return Mention(start, end, name, gender, kind=kind, relation=word, owner=owner, named=True, role=role)

    def _known(self, name: str, memory: Memory) -> str:
        """A first name is the full name said before in this turn; capitals and small letters are one."""
        folded = name.casefold()
        for person in reversed(memory.people):
            if person.named and person.kind == "person" and person.name.casefold() == folded:
                return person.name
        return name

    def _owned(self, toks: list[Token], i: int, owner: Mention, memory: Memory, lowercase: bool) -> Mention | None:
        """`'s` at i: `Anna` + `'s brother`."""
        found = self._relative(toks, owner.start, owner.name, i + 1, memory, lowercase)
        if found is not None and found.kind != "group":
            return found
        if found is not None:
            return found
        if i + 1 < len(toks) and toks[i + 1].low in self._lists["groups"]:
            return Mention(owner.start, i + 2, f"{owner.name}'s {toks[i + 1].low}", kind="group")
        return None

    def _owner(self, possessive: str, memory: Memory) -> str | None:
        if possessive in ("my", "our"):
            return memory.speaker
        if possessive == "your":
            return "you"
        found = memory.resolve(possessive)
        return found.name if found else None

    def _role(self, toks: list[Token], i: int, memory: Memory) -> Mention | None:
        """`the new hire`, `the recruiter`, `a guy called Tom`, `the narrator`."""
        n = len(toks)
        j = i + 1
        while j < n and toks[j].low in self._lists["adjectives"] and j < i + 3:
            j += 1
        if j >= n:
            return None
        word = toks[j].low
        if word in self._fictional:
            return Mention(i, j + 1, f"the {word}", kind="fictional")
        if word in self._lists["person_nouns"] or word in self.relations:
            at = j + 1
            stop = self._by_place(toks, at) if toks[i].low == "the" and word not in self._lists["groups"] else at
            if stop > at:
                return Mention(i, stop, f"the {self.text(toks, i + 1, stop)}", gender_of(word))
            if at < n and toks[at].low in ("called", "named"):
                stop = self.name_at(toks, at + 1)
                if stop > at + 1:
                    return Mention(i, stop, self.text(toks, at + 1, stop), gender_of(word), named=True)
            stop = self.name_at(toks, at)
            if stop > at and word in self.relations:
                return Mention(i, stop, self.text(toks, at, stop), gender_of(word), named=True)
            if word in self.relations and toks[i].low == "the":
                name = f"the {self.text(toks, i + 1, j + 1)}"
                return Mention(
                    i,
                    j + 1,
                    memory.aliases.get(name, name),
                    gender_of(word),
                    role=name,
                    relation=word if word != "hire" else None,
                )
        return None

    def _by_place(self, toks: list[Token], i: int) -> int:
        """Where `upstairs`, `next door`, `across the hall`, `at the bakery` ends, that tells which person is meant."""
        lists = self._lists
        if i >= len(toks) or toks[i].kind != "w":
            return i
        if toks[i].low in lists["neighbourly"]:
            return i + 1
        if toks[i].low == "next" and i + 1 < len(toks) and toks[i + 1].low == "door":
            return i + 2
        if (
            toks[i].low in lists["by_places"]
            and i + 2 < len(toks)
            and toks[i + 1].low in ("the", "number", "my", "our")
        ):
            j = i + 3
            known = toks[i + 2].kind == "n" or toks[i + 2].low in lists["near_places"]
            if j < len(toks) and toks[j].low in lists["near_places"] and toks[i + 2].kind == "w":
                known, j = True, j + 1  # `the corner shop`
            return j if known and toks[i + 1].low in ("the", "number") else i
        return i

    def _bare_role(self, toks: list[Token], i: int) -> Mention | None:
        """`Landlord is Mr. Lee`: a role that opens the sentence without `my`."""
        low = toks[i].low
        if (
            low in self.relations
            and i == 0
            and i + 1 < len(toks)
            and toks[i + 1].low in ("is", "'s", "was", "will", "has")
        ):
            return Mention(i, i + 1, low, gender_of(low), relation=low)
        return None

    def _apposition(self, toks: list[Token], mention: Mention, memory: Memory) -> Mention:
        """`Anna, my sister, ..`."""
        j = mention.end
        if j + 2 < len(toks) and toks[j].low in (",", "(") and toks[j + 1].low in self._possessives:
            owner = self._owner(toks[j + 1].low, memory)
            found = self._relative(toks, j + 1, owner, j + 2, memory, False)
            if (
                found
                and found.kind in ("person", "animal")
                and not found.named
                and (found.end >= len(toks) or toks[found.end].low in self._lists["apposition_ends"])
            ):
                mention.relation, mention.owner, mention.role = found.relation, found.owner, found.role
                mention.gender = mention.gender or found.gender
                if found.role:
                    memory.aliases[found.role] = mention.name
                mention.end = found.end
                mention.kind = found.kind
        return mention
