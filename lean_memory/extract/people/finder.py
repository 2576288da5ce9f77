"""All the people, animals and groups of a sentence."""

from __future__ import annotations

from lean_memory.extract.people.mentions import Memory, Mention
from lean_memory.extract.people.relations import CANON, gender_of
from lean_memory.extract.people.relatives import Relatives
from lean_memory.extract.tokens import Token

__all__ = ["People"]


class People(Relatives):
    """Finds the people in a token list."""

    def find(self, toks: list[Token], memory: Memory, *, lowercase: bool = False) -> list[Mention]:
        """All mentions of the sentence, left to right; each is added to the memory."""
        out: list[Mention] = []
        memory.sentence += 1
        i = 0
        while i < len(toks):
            if toks[i].low in ("he", "she"):  # who it is tells whose `her` is that follows
                memory.resolve(toks[i].low)
                i += 1
                continue
            if not toks[i].capital and toks[i].low not in self._leads:
                i += 1
                continue
            mention = self._at(toks, i, memory, lowercase)
            if mention is None:
                i += 1
                continue
            i = mention.end
            while i < len(toks) and toks[i].low == "'s":  # Anna's brother, my brother's wife
                nested = self._owned(toks, i, mention, memory, lowercase)
                if nested is None:
                    break
                mention.sentence = memory.sentence
                out.append(mention)
                memory.add(mention)
                mention = nested
                i = mention.end
            mention.weak = mention.weak or self._placed(toks, mention)
            at = mention.start
            if at > 1 and toks[at - 1].low in ("called", "named") and toks[at - 2].low in self._animals:
                mention.kind = "animal"
            mention.sentence = memory.sentence
            out.append(mention)
            memory.add(mention)
            i = max(i, mention.end)
        return out

    def _at(self, toks: list[Token], i: int, memory: Memory, lowercase: bool) -> Mention | None:
        t = toks[i]
        if t.kind != "w":
            return None
        low = t.low
        if low in self._possessives and low not in ("its",):
            return self._relative(toks, i, self._owner(low, memory), i + 1, memory, lowercase)
        if low in ("the", "a", "an", "our"):
            return self._role(toks, i, memory)
        if (
            low in self._lists["bare"]
            and not (i + 1 < len(toks) and toks[i + 1].low == "of")
            and not (
                i
                and (
                    toks[i - 1].low in ("a", "the", "an", "'s") or toks[i - 1].low in self._lists["others_possessives"]
                )
            )
        ):
            j = self.name_at(toks, i + 1)
            if j > i + 1 and toks[i].capital and low not in ("mum", "mom", "dad"):
                return Mention(i, j, self.text(toks, i, j), gender_of(low), named=True)
            word = CANON.get(low, low)  # `sis moved out`
            name = f"{memory.speaker}'s {word}"
            return Mention(i, i + 1, name, gender_of(word), relation=word, owner=memory.speaker, role=name)
        if low in self._titles and not t.capital and low in self._lists["uncles"] and i + 1 < len(toks):
            nxt = toks[i + 1]
            if nxt.kind == "w" and (nxt.capital or (lowercase and nxt.low not in self._lower_stop)):
                return Mention(i, i + 2, f"{t.text} {nxt.text}", gender_of(low), named=True)
        if low in self._lists["bare_with_names"] and i + 1 < len(toks) and (i == 0 or toks[i - 1].kind == "p"):
            found = self._relative(toks, i, memory.speaker, i, memory, lowercase)  # `cousin Ben moved`
            if found is not None and found.named:
                return found
        if t.capital:
            j = self.name_at(toks, i)
            if j > i:
                title = low if low in self._titles else None
                given = i > 0 and toks[i - 1].low in ("called", "named")  # `a cat named Professor`
                if j == i + 1 and (low in self._nationalities or low in self._titles) and not given:
                    return None
                name = self.text(toks, i, j)
                if low in self._fictional and j == i + 1:
                    return Mention(i, j, name, kind="fictional")
                gender = gender_of(title) if title else self.gender_of_name(low)
                mention = Mention(i, j, self._known(name, memory), gender, named=True)
                return self._apposition(toks, mention, memory)
            role = self._bare_role(toks, i)
            if role:
                return role
        elif low in self.relations and i == 0 and i + 1 < len(toks) and toks[i + 1].low in ("is", "'s", "was"):
            return Mention(i, i + 1, f"{memory.speaker}'s {low}", gender_of(low), relation=low, owner=memory.speaker)
        elif i + 1 < len(toks) and toks[i + 1].low == "'s" and low in self._lists["roles"]:
            return Mention(i, i + 1, low, None, relation=low)
        return None

    def _placed(self, toks: list[Token], mention: Mention) -> bool:
        """Does the name stand where names of places and firms do?"""
        if mention.kind != "person" or mention.start == 0:
            return False
        if mention.relation:  # `I saw him at the dentist`: whose rooms one was in
            role = mention.relation in self._lists["roles"] and toks[mention.start].low == "the"
            at = toks[mention.start - 1].low
            return role and (
                at in ("at", "in", "outside") or (at == "to" and toks[mention.start - 2].low in self._lists["going"])
            )
        if mention.named and toks[mention.start].low in self._titles:
            return False
        i = mention.start - 1
        before = toks[i].low
        if before in self._lists["before_things"]:
            return before != ","
        if i and before in ("for", "from", "to", "with") and toks[i - 1].low in self._lists["meant_for"]:
            return toks[mention.start].low in self._places  # `big news for Anna`
        if before in self._lists["placing"]:
            return not (before == "into" and i and toks[i - 1].low in ("ran", "run", "bumped"))
        if before in ("to", "from"):
            return not (i and toks[i - 1].low in self._lists["to_person"])
        return False
