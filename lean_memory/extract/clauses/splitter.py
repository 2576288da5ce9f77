"""The clauses of a sentence: every finite verb group with its subject and the words up to the next one."""

from __future__ import annotations

from lean_memory.extract.clauses.agreement import Agreement
from lean_memory.extract.clauses.model import Clause, Verb
from lean_memory.extract.clauses.noun_phrases import NounPhrases
from lean_memory.extract.clauses.verb_groups import VerbGroups
from lean_memory.extract.tokens import Token

__all__ = ["Splitter"]


class Splitter(VerbGroups, NounPhrases, Agreement):
    """Finds the clauses of a tokenised sentence."""

    def split(self, toks: list[Token]) -> list[Clause]:
        """The clauses of a sentence, in order."""
        n = len(toks)
        out: list[Clause] = []
        k = 0
        floor = 0
        while k < n:
            t = toks[k]
            if t.low not in self._anchors or t.kind != "w" or not self._may_begin(toks, k):
                k += 1
                continue
            verbs = self.parse(toks, k, n)
            if not verbs:
                k += 1
                continue
            clause = self._clause(toks, k, floor, verbs, out)
            if clause is None:
                k += 1
                continue
            if out:
                out[-1].hi = self._trim_right(toks, out[-1], clause.lo)
            out.append(clause)
            inner_end = max(v.end for v in verbs)
            floor = inner_end
            k = max(inner_end, k + 1)
        for clause in out:
            clause.hi = min(clause.hi, n)
        return out

    def _clause(self, toks: list[Token], k: int, floor: int, verbs: list[Verb], out: list[Clause]) -> Clause | None:
        words = self._words
        verb = verbs[0]
        n = len(toks)
        e = k
        while (
            e > floor
            and (toks[e - 1].low in self._adverbs or toks[e - 1].low in ("longer", "no"))
            and not (toks[e - 1].low == "no" and (e < 2 or (toks[e - 1].kind == "w" and toks[e].low != "longer")))
        ):
            e -= 1
        pre = {t.low for t in toks[e:k]}
        if "not" in pre and pre & words.not_only:
            pre -= {"not"}
        if pre & {"not", "never"} or {"no", "longer"} <= pre:
            for v in verbs:
                v.longer = v.longer or {"no", "longer"} <= pre
                if pre & {"not", "never"}:
                    v.neg = not v.neg if v.neg else True
        if pre:
            for v in verbs:
                v.adverbs = v.adverbs | pre
        if verb.inverted:
            lo, marker = self._marker(toks, e, floor)
            if out and not self._boundary(toks, lo, floor) and lo == e:
                return None
            subject = self._after(toks, k, verb)
            return Clause(lo, n, subject, [], verbs, marker, broken=True, first=not out)
        found = self._subject(toks, e, floor, bool(out))
        if found is not None and out and self._chance(toks, found[0], verb):
            return None
        if found is None:
            return self._without_subject(toks, k, e, floor, verbs, out)
        subject, others, full = found
        if others and full > floor and toks[full - 1].low == "neither":  # `Neither Ben nor Ida eats meat`
            for v in verbs:
                v.neg = True
        head = toks[subject[1] - 1]
        word = toks[subject[0]].low if subject[1] - subject[0] == 1 else head.low
        if not self._agrees(toks, subject, others, verb, word, k):
            return None
        for v in verbs:
            if v.tense == "pres" and v.start == k and self._past_alike(toks, k, subject, others, word):
                v.tense, v.form = "past", "d"
        lo, marker = self._marker(toks, full, floor)
        broken = lo < full or self._boundary(toks, full, floor)
        if (
            not broken
            and full - 3 >= floor
            and toks[full - 2].low in self._prepositions
            and toks[full - 3].low in (",", "but", "and")
        ):
            lo, broken = full - 2, True  # `.. , at work it's all English`
        under: int | None = None
        if out:
            previous = out[-1].verbs[-1]
            gap = {t.low for t in toks[floor:lo]} if lo > floor else set()
            governs = (
                previous.lemma in self._complement
                or (previous.lemma == "turn" and "out" in gap)
                or previous.lemma in ("seem", "mean")
            )
            nominative = word in self._nominative or (word in ("you", "it", "there") and governs)
            if (
                governs
                and (marker in (None, "that", "how") or toks[lo].low == "that")
                and gap
                <= words.indirect_objects
                | self._adverbs
                | {"out", "to", "when"}
                | {t.low for t in toks[floor:lo] if t.capital}
            ):
                under = len(out) - 1
            elif not broken and not nominative:
                return None
        return Clause(lo, n, subject, others, verbs, marker, under=under, broken=broken, first=not out)

    def _without_subject(
        self, toks: list[Token], k: int, e: int, floor: int, verbs: list[Verb], out: list[Clause]
    ) -> Clause | None:
        words = self._words
        verb = verbs[0]
        n = len(toks)
        before = toks[e - 1] if e > 0 else None
        if (out and e > floor) or (out and e == floor and before is not None):
            if before is None:
                return None
            lo, marker = self._marker(toks, e, floor)
            if not (before.low in words.continues or before.kind == "p" or marker):
                return None
            if before.low in ("who", "which", "that"):
                return None
            last = out[-1]
            prior = last.verbs[0]
            between = next((i for i in range(e - 1, floor, -1) if toks[i].low in self._nominative), None)
            if between is not None:  # `.. ; I <a verb we don't know>, keep bees`: whose verb was not seen
                if before.low not in words.continues and before.kind != "p":
                    return None
                return Clause(lo, n, (between, between + 1), [], verbs, marker, broken=True)
            if not self._continues(verb, prior, before, toks, k):
                return None
            return Clause(
                lo,
                n,
                last.subject,
                list(last.others),
                verbs,
                marker,
                shared=True,
                elided=last.elided and verb.form != "g",
                broken=True,
                under=last.under
                if before.low in words.continues
                and last.under is not None
                and before.kind == "w"
                and verb.form == prior.form
                else None,
            )
        # The sentence's first verb: `Sold the Vespa`, `Been vegan since 2009`, `quick update: dropped out of X`.
        start = e
        while start > 0 and (
            toks[start - 1].kind in "pq" or toks[start - 1].low in words.openers or toks[start - 1].low in self._adverbs
        ):
            start -= 1
        if start > 0:
            i = start
            lead = toks[:start]
            if toks[e - 1].kind == "p" and toks[e - 1].low in (":", "—", ";", ",", "-") and len(lead) <= 12:
                pass  # a heading or an adverbial stands before it
            elif toks[0].low in self._prepositions | {"last", "yesterday", "today"} or i == 0:
                pass
            else:
                return None
        tags = self._tags(toks[k].low)
        ok = verb.tense in ("past", "perf") or verb.used_to or verb.form == "g" or tags == "g"
        if toks[k].low in ("am", "was", "have", "had", "can"):
            ok = True
        if verb.lemma == "be" and toks[k].low in ("is", "are", "were", "be", "'s"):
            return None
        if verb.lemma in words.bare_first and tags and "b" in tags:
            after = toks[k + 1].low if k + 1 < n else ""
            ok = not (after in words.not_after_bare or self._tags(after).startswith("s"))
        if toks[k].low == "do" and verb.lemma not in words.telegraphic:  # `do not use tabs` is an order
            ok = False
        if not ok:
            return None
        if tags == "g" and verb.lemma == toks[k].low:
            return None
        if tags == "g":
            if any(self._finite(toks, j) for j in range(k + 1, n)):  # `Playing chess is fun`
                return None
            for v in verbs:
                v.prog = True
        return Clause(e, n, None, [], verbs, None, elided=True, broken=True, first=True)

    def _trim_right(self, toks: list[Token], clause: Clause, at: int) -> int:
        words = self._words
        j = at
        while j > clause.verbs[-1].end and (
            (toks[j - 1].kind == "p" and toks[j - 1].low in ",;:—-")
            or toks[j - 1].low in words.continues
            or toks[j - 1].low in ("so", "because")
        ):
            j -= 1
        return j
