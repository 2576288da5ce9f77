"""Verb groups: auxiliaries, adverbs and the verb, with tense, aspect, negation, and a subject that stands inside."""

from __future__ import annotations

from dataclasses import replace

from lean_memory.extract.clauses.governed import Governed
from lean_memory.extract.clauses.model import Verb
from lean_memory.extract.tokens import Token

__all__ = ["VerbGroups"]


class VerbGroups(Governed):
    """The verb group that begins at a token."""

    def parse(self, toks: list[Token], k: int, hi: int) -> list[Verb]:
        """The verb group that begins at k and what it governs; empty when there is none."""
        words = self._words
        got: set[str] = set()
        i = k
        tense = "pres"
        modal: str | None = None
        prog = perf = inverted = False
        did = False
        aux_seen = False
        while i < hi:
            low = toks[i].low
            nxt = self._skip(toks, i + 1, hi, set())
            after = toks[nxt].low if nxt < hi else ""
            tags = self._tags(after)
            if low == "'s":
                low = "is" if not tags or "n" not in tags or after in words.is_participles else "has"
            if low == "'d":
                low = "had" if after == "better" or ("n" in tags and "b" not in tags) else "would"
            if low in self._modals or low == "will":
                modal = low
                tense = "fut" if low in ("will", "shall") else "pres" if low == "can" else "cond"
                aux_seen = True
                i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                continue
            if low in words.do and (aux_seen is False) and self._do_is_auxiliary(toks, i, hi):
                tense = "past" if low == "did" else tense
                did = True
                aux_seen = True
                i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                continue
            if low in words.have and not did:
                i2, inv2 = self._past_subject(toks, i, hi, set(), inverted, k)
                word = toks[i2].low if i2 < hi else ""
                if "n" in self._tags(word) and word not in ("have",) and low != "having":
                    perf = True
                    if low == "had" and not modal:
                        tense = "past"
                    aux_seen = True
                    i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                    continue
                break
            if low in words.be:
                i2, inv2 = self._past_subject(toks, i, hi, set(), inverted, k)
                word = toks[i2].low if i2 < hi else ""
                wtags = self._tags(word)
                if word == "going" and i2 + 1 < hi and toks[i2 + 1].low == "to" and self._base_at(toks, i2 + 2, hi):
                    tense = "cond" if low in ("was", "were") else "fut"
                    self._skip(toks, i + 1, hi, got)
                    i = i2 + 2
                    inverted = inverted or inv2
                    aux_seen = True
                    continue
                if word == "to" and self._base_at(toks, i2 + 1, hi) and low in ("am", "is", "are"):
                    tense, aux_seen = "fut", True
                    i = i2 + 1
                    continue
                if wtags == "g" and not (low == "been" and not perf) and word not in ("boring", "interesting"):
                    prog = True
                    if low in words.past_auxiliaries and tense == "pres":
                        tense = "past"
                    if low == "been" and not perf and not modal:
                        perf = True
                    aux_seen = True
                    i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                    continue
                if low == "been" and not perf and not modal:
                    perf = True  # `been a vegetarian since 2009`
                    if wtags == "g":
                        prog = True
                        i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                        continue
                break
            break
        if i >= hi:
            return []
        i = self._skip(toks, i, hi, got)
        if i >= hi:
            return []
        low = toks[i].low
        if low == "'s":
            low = "is"
        known = self._verbs.get(low)
        if known is None or (toks[i].kind != "w"):
            return []
        lemma, tags = known
        if low in ("been",) and not perf and not modal:
            perf = True
        form = tags[0]
        if not aux_seen:
            if ("d" in tags and "b" not in tags and "s" not in tags) or low in ("was", "were"):
                tense, form = "past", "d"
            elif tags == "n":
                perf = True
                form = "n"
            elif low in ("put", "quit", "split"):
                tense, form = "past", "d"
        if perf:
            tense = {"past": "pluperf", "cond": "cond", "fut": "fut"}.get(tense, "perf")
        end = i + 1
        inverted2 = inverted
        if lemma == "be":
            j, inv2 = self._past_subject(toks, i, hi, got, inverted, k)
            end = j
            inverted2 = inverted or inv2
        else:
            end = self._skip(toks, end, hi, got)
        neg = bool(got & {"not", "never"}) or "hardly" in got or "barely" in got
        if (
            "not" in got
            and got & words.not_only
            and any(toks[x].low == "not" and toks[x + 1].low in words.not_only for x in range(k, min(end, hi - 1)))
        ):  # `doesn't just sing`: sings, and more
            neg = "never" in got
        verb = Verb(
            lemma, k, end, tense, prog, neg, "no longer" in got, modal, False, None, inverted2, form, frozenset(got)
        )
        if lemma == "get" and low == "got" and tense == "perf":  # `have got` is `have` too
            return [verb, replace(verb, lemma="have", tense="pres")]
        return self._govern(toks, verb, hi)

    def _do_is_auxiliary(self, toks: list[Token], i: int, hi: int) -> bool:
        words = self._words
        j = self._skip(toks, i + 1, hi, set())
        if j >= hi:
            return False
        low = toks[j].low
        if "b" in self._tags(low) and toks[j - 1].low not in self._determiners:
            return True
        if low in self._nominative or low in words.do_subjects:
            return True
        if toks[j].capital or low in self._possessives:  # `does Tom work`, `did my sister call`
            return any("b" in self._tags(toks[x].low) for x in range(j + 1, min(j + 6, hi)))
        return False

    def _past_subject(
        self, toks: list[Token], i: int, hi: int, got: set[str], inverted: bool, k: int
    ) -> tuple[int, bool]:
        """Steps over the auxiliary at i, adverbs, and a subject that stands behind it (`do you live`)."""
        words = self._words
        at_front = i == k and self._front(toks, i)
        j = self._skip(toks, i + 1, hi, got)
        if j < hi and at_front:
            low = toks[j].low
            if low in self._nominative or low in words.inverted_subjects:
                return self._skip(toks, j + 1, hi, got), True
            if toks[j].capital and low not in self._months:
                x = j
                while x < hi and (toks[x].capital or toks[x].low in ("and", "'s")):
                    x += 1
                if x < hi and toks[x].kind == "w" and toks[x].low not in self._prepositions and toks[x].low != "a":
                    return self._skip(toks, x, hi, got), True
                if x < hi and (toks[x].low in self._prepositions or toks[x].low in ("a", "an", "the")):
                    return x, True
            if low in self._possessives or (low in ("the",) and toks[i].low not in ("was", "been")):
                x = j + 1
                while (
                    x < min(hi, j + 4)
                    and toks[x].kind == "w"
                    and not self._tags(toks[x].low)
                    and toks[x].low not in self._prepositions
                    and toks[x].low not in self._determiners
                ):
                    x += 1
                return self._skip(toks, x, hi, got), True
        return j, inverted

    def _may_begin(self, toks: list[Token], k: int) -> bool:
        words = self._words
        low = toks[k].low
        if low == "be":
            return False  # an infinitive or a command
        if low in ("'s", "'d"):
            return low == "'d" or self._s_is_verb(toks, k)
        if low in self._modals or low in words.be or low in words.have or low in words.do:
            return (
                not (k and toks[k - 1].low == "to")
                and not (low == "may" and toks[k].text == "May")
                and not (low == "will" and toks[k].capital and k > 0)
            )
        known = self._verbs.get(low)
        if known is None:
            return False
        if low in self._adverbs and k and toks[k - 1].kind == "w":
            return False  # `just back from Rome` opens a phrase, `I just don't` none
        j = k - 1
        while j >= 0 and toks[j].low in self._adverbs:
            j -= 1
        if j >= 0:
            before = toks[j].low
            if before == "to" or before in self._no_verb_after or before in ("'s",):
                return False
            if before in self._prepositions and toks[j].kind == "w" and before not in words.particles:
                return False
            if before in words.not_before_verbs and toks[j].kind == "w":
                return False
        named = toks[k].capital and k > 0 and toks[k - 1].kind == "w" and toks[k - 1].capital
        return not (named and known[1] in ("b", "s", "g", "bs") and toks[k].text[1:].islower())  # `Water Works`

    def _s_is_verb(self, toks: list[Token], k: int) -> bool:
        """`he's`, `Sue's allergic`, `name's Berta` against `Sue's boyfriend`."""
        words = self._words
        if k == 0 or k + 1 >= len(toks):
            return False
        before = toks[k - 1].low
        if before in self._pronouns or before in words.before_s_verb:
            return before != "let"
        nxt = toks[k + 1]
        low = nxt.low
        if low in words.after_s_verb:  # fmt: skip
            return low not in ("back",) or True
        tags = self._tags(low)
        closed = k + 2 >= len(toks) or toks[k + 2].kind == "p" or toks[k + 2].low in ("and", "but", "so", "now")
        if low in self._predicative and closed:  # `my wife's Danish`
            return True
        if nxt.kind in ("n", "x"):  # `my nephew's 9.`, not `Ben's 2 cats`
            ends = k + 2 >= len(toks) or toks[k + 2].kind == "p" or toks[k + 2].low in ("now", "and", "today", "in")
            return before in words.numbered or (
                ends and nxt.low.isdigit() and (before in self.kin or toks[k - 1].capital)
            )
        if "g" in tags and tags == "g":
            follow = toks[k + 2].low if k + 2 < len(toks) else ""
            return (
                follow in self._prepositions
                or follow in self._determiners
                or (k + 2 < len(toks) and toks[k + 2].capital)
            )
        if "n" in tags and "b" not in tags:
            return True
        return low in words.after_s_adjectives
