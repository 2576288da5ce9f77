"""A sentence's finite verbs, each with its subject, its tense and negation, and the words that belong to it.

No parse tree: every finite verb group anchors a clause. Its subject is the noun phrase to its left, its tail the words
up to the next clause. A second verb counts only behind a boundary (punctuation, a conjunction, `he`, a verb of saying),
so `a cat called Tom` holds one verb in `I have a cat called Tom`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from lean_memory.extract.lexicon import Lexicon
from lean_memory.extract.tokens import Token
from lean_memory.extract.verbs import VerbForms

__all__ = ["Clause", "Splitter", "Verb"]

_BE = frozenset("am is are was were be been being".split())
_HAVE = frozenset("have has had having".split())
_DO = frozenset("do does did".split())
_PAST_AUX = frozenset("was were had did".split())
# After `'s` these read as `is`; every other participle as `has`.
_IS_PARTICIPLE = frozenset(
    "married engaged born based called named divorced separated employed interested obsessed addicted "
    "located built written "
    "done known made used supposed excited tired bored fired hired promoted allergic situated owned run "
    "led managed closed "
    "raised set due trained diagnosed".split()
)
_NOT_ONLY = frozenset("only just merely simply solely".split())
_HEREABOUTS = frozenset("downstairs upstairs next-door here nearby abroad overseas opposite".split())
_STOP = frozenset("stop quit cease".split())
_START = frozenset("start begin".split())
_KEEP = frozenset("keep continue".split())
_WANT = frozenset("want hope wish need long aspire try like love prefer dream".split())
_PLAN = frozenset("plan intend aim decide agree choose promise opt arrange commit".split())
_TASTE = frozenset("like love enjoy hate prefer adore dislike detest loathe fancy mind miss".split())
_OPENERS = frozenset(
    "oh well yeah yes yep no nope nah ok okay so and but or lol haha btw hi hey ugh hm hmm wow omg fyi "
    "also plus then ps anyway "
    "please pls plz kindly "
    "right sure ah aw aww update news note reminder psa ha yo sorry correction because dear".split()
)
_INDIRECT = frozenset("me us him her them everyone everybody you people that".split())
_PLURAL = frozenset(
    "people kids children parents folks we they you i both these those many guys police twins siblings "
    "men women".split()
)
_TELEGRAPHIC = frozenset("like love enjoy care own speak drink drive".split())
_POSTMODIFIERS = frozenset("called named based born made known owned written directed titled entitled".split())
_CONTINUES = frozenset("and but or then & plus yet nor".split())
_DO_SUBJECTS = frozenset("you it anyone anybody someone everyone that this there".split())
_INVERTED_SUBJECTS = frozenset("you it there that this these those anyone someone everyone anybody everybody".split())
_INTENT = frozenset("about set due able supposed meant likely bound ready excited keen happy hoping".split())
_CATENATIVES = frozenset("seem appear pretend happen get manage claim tend learn teach turn".split())
_PARTICLES = frozenset("in out up off on since as that before after until than like".split())
_NOT_BEFORE_VERBS = frozenset("of for by with about at in on from as like".split())
_S_SUBJECTS = frozenset("what where how when why name here let mine hometown tongue".split())
_AFTER_S_VERB = frozenset(
    "a an the my our not in at from on with into about no also now still just already actually really "
    "never always back been got allergic called based so too very both off fluent originally only finally"
    " gone due mine yours hers for".split()
)
_NUMBERED = frozenset("number address phone mobile cell landline birthday bday age deadline email".split())
_S_ADJECTIVES = frozenset(
    "vegan vegetarian married engaged single pregnant retired good great fine happy afraid obsessed "
    "interested crazy sick late here away pescatarian coeliac celiac diabetic asthmatic german french".split()
)
_BARE_FIRST = frozenset("love hate enjoy prefer live work speak play use drive".split())
_NOT_AFTER_BARE = frozenset("the this that your how it you these those".split())
_FINITE_WORDS = frozenset("is was are were can will could would must might should has 's".split())
_AUXILIARIES = frozenset("am is are was were has have 's do does did had".split())
_STARTING = frozenset("start begin join move leave quit".split())
_AUXILIARIES_ALL = frozenset("'s 'd was were had did has have is are am do does".split())
_SINGULAR_IN_S = frozenset("this boss ms mrs james chris".split())
_NOT_THIRD = frozenset("i we they you these those".split())
_MODIFYING = frozenset("in from at of with on for".split())
_NAME_PARTICLES = frozenset("'s van von de del la di bin al da dos der den".split())


@dataclass(slots=True)
class Verb:
    """One verb group. `tense`: pres, past, perf, pluperf, fut, cond. `phase`: stop, start, want, plan, think."""

    lemma: str
    start: int
    end: int
    tense: str = "pres"
    prog: bool = False
    neg: bool = False
    longer: bool = False
    modal: str | None = None
    used_to: bool = False
    phase: str | None = None
    inverted: bool = False
    form: str = "b"
    adverbs: frozenset[str] = frozenset()
    bare: bool = False  # a verb that is understood, not written


@dataclass(slots=True)
class Clause:
    """`subject` is a token range (head noun phrase first) or None; `others` are coordinated subjects; `shared` says the
    subject is the previous clause's. `verbs`: the outer verb, then what it governs (`stop` + `using`)."""

    lo: int
    hi: int
    subject: tuple[int, int] | None
    others: list[tuple[int, int]]
    verbs: list[Verb]
    marker: str | None = None
    shared: bool = False
    elided: bool = False
    under: int | None = None  # the clause whose verb of saying or thinking governs this one
    broken: bool = False  # punctuation or a conjunction stands before it
    first: bool = field(default=False)


class Splitter:
    """Finds the clauses of a tokenised sentence."""

    def __init__(self, lexicon: Lexicon, verbs: VerbForms) -> None:
        self._verbs = verbs
        self._adverbs = lexicon["adverbs"] | {"not", "no-longer"}
        self._determiners = lexicon["determiners"]
        self._prepositions = lexicon["prepositions"]
        self._conjunctions = lexicon["conjunctions"]
        self._pronouns = lexicon["subject_pronouns"]
        self._nominative = lexicon["nominative"]
        self._modals = lexicon["modals"]
        self._possessives = lexicon["possessives"]
        self._months = lexicon["months"] | lexicon["days"]
        self._titles = lexicon["titles"]
        self._complement = lexicon["say"] | lexicon["unreal"] | lexicon["believe"] | lexicon["known"]
        self._common = lexicon["common"]
        self._anchors = self._modals | _BE | _HAVE | _DO | {"'s", "'d"} | frozenset(verbs)
        self._no_verb_after = self._determiners - {"that", "this", "these", "those", "all", "both", "one"}
        self.kin: frozenset[str] = frozenset()  # words that go with a name: `sister Anna`, `project Falcon`

    # ------------------------------------------------------------------ verb groups

    def _skip(self, toks: list[Token], i: int, hi: int, got: set[str]) -> int:
        while i < hi:
            low = toks[i].low
            if low == "no" and i + 1 < hi and toks[i + 1].low == "longer":
                got.add("no longer")
                i += 2
            elif low in self._adverbs:
                got.add(low)
                i += 1
            else:
                return i
        return i

    def parse(self, toks: list[Token], k: int, hi: int) -> list[Verb]:
        """The verb group that begins at k and what it governs; empty when there is none."""
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
                low = "is" if not tags or "n" not in tags or after in _IS_PARTICIPLE else "has"
            if low == "'d":
                low = "had" if after == "better" or ("n" in tags and "b" not in tags) else "would"
            if low in self._modals or low == "will":
                modal = low
                tense = "fut" if low in ("will", "shall") else "pres" if low == "can" else "cond"
                aux_seen = True
                i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                continue
            if low in _DO and (aux_seen is False) and self._do_is_auxiliary(toks, i, hi):
                tense = "past" if low == "did" else tense
                did = True
                aux_seen = True
                i, inverted = self._past_subject(toks, i, hi, got, inverted, k)
                continue
            if low in _HAVE and not did:
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
            if low in _BE:
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
                    if low in _PAST_AUX and tense == "pres":
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
            and got & _NOT_ONLY
            and any(toks[x].low == "not" and toks[x + 1].low in _NOT_ONLY for x in range(k, min(end, hi - 1)))
        ):  # `doesn't just sing`: sings, and more
            neg = "never" in got
        verb = Verb(
            lemma, k, end, tense, prog, neg, "no longer" in got, modal, False, None, inverted2, form, frozenset(got)
        )
        if lemma == "get" and low == "got" and tense == "perf":  # `have got` is `have` too
            return [verb, replace(verb, lemma="have", tense="pres")]
        return self._govern(toks, verb, hi)

    def _tags(self, word: str) -> str:
        known = self._verbs.get(word)
        return known[1] if known else ""

    def _base_at(self, toks: list[Token], i: int, hi: int) -> bool:
        i = self._skip(toks, i, hi, set())
        return i < hi and "b" in self._tags(toks[i].low)

    def _do_is_auxiliary(self, toks: list[Token], i: int, hi: int) -> bool:
        j = self._skip(toks, i + 1, hi, set())
        if j >= hi:
            return False
        low = toks[j].low
        if "b" in self._tags(low) and toks[j - 1].low not in self._determiners:
            return True
        if low in self._nominative or low in _DO_SUBJECTS:
            return True
        if toks[j].capital or low in self._possessives:  # `does Tom work`, `did my sister call`
            return any("b" in self._tags(toks[x].low) for x in range(j + 1, min(j + 6, hi)))
        return False

    def _past_subject(
        self, toks: list[Token], i: int, hi: int, got: set[str], inverted: bool, k: int
    ) -> tuple[int, bool]:
        """Steps over the auxiliary at i, adverbs, and a subject that stands behind it (`do you live`)."""
        at_front = i == k and self._front(toks, i)
        j = self._skip(toks, i + 1, hi, got)
        if j < hi and at_front:
            low = toks[j].low
            if low in self._nominative or low in _INVERTED_SUBJECTS:
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

    def _front(self, toks: list[Token], i: int) -> bool:
        """Is nothing before i that could be a subject?"""
        j = i - 1
        while j >= 0 and (toks[j].low in self._adverbs or toks[j].low in _OPENERS):
            j -= 1
        if j < 0:
            return True
        t = toks[j]
        return t.kind == "p" or (t.low in self._conjunctions and t.low not in ("who", "which", "that"))

    def _govern(self, toks: list[Token], verb: Verb, hi: int) -> list[Verb]:
        """`used to live`, `stopped using`, `want to learn`, `am planning to move`, `am back to using`."""
        i = verb.end
        low = toks[i].low if i < hi else ""
        lemma = verb.lemma
        to = low == "to" and self._base_at(toks, i + 1, hi)
        ing = low and self._tags(low) == "g"
        got: set[str] = set()

        def inner(at: int, **more: Any) -> list[Verb]:
            at = self._skip(toks, at, hi, got)
            known = self._verbs.get(toks[at].low) if at < hi else None
            if known is None:
                return [verb]
            end = self._skip(toks, at + 1, hi, got)
            neg = verb.neg != bool(got & {"not", "never"})
            change: dict[str, Any] = {"neg": neg, **more}
            down = replace(verb, lemma=known[0], end=end, adverbs=verb.adverbs | got, form="b", **change)
            return [verb, *self._govern(toks, down, hi)]

        if lemma == "use" and to and (toks[i - 1].low == "used" or verb.tense == "past"):
            return inner(i + 1, used_to=True, tense="past")[1:] or [verb]
        if lemma in _STOP and ing:
            return inner(i, phase="stop")
        if lemma == "give" and low == "up" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1, phase="stop")
        if lemma in _START and (ing or to):
            return inner(i if ing else i + 1, phase="start")
        if lemma in _KEEP and (ing or to):
            return inner(i if ing else i + 1)
        if lemma == "keep" and low == "on" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1)
        if (
            lemma in ("go", "be", "get", "come", "return")
            and low == "back"
            and i + 1 < hi
            and toks[i + 1].low in ("to", "on", "into")
        ):
            j = i + 2
            if j < hi and self._tags(toks[j].low) == "g":
                return inner(j, phase="start", tense="past" if verb.tense == "pres" else verb.tense)
        if lemma == "return" and low == "to" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1, phase="start")
        if lemma == "end" and low == "up" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1)
        if to and lemma in _PLAN:
            return inner(i + 1, phase="plan")
        if to and (lemma in _WANT or (verb.tense == "cond" and lemma in ("like", "love", "prefer", "hate"))):
            if lemma in _TASTE and verb.tense != "cond":
                return [verb]
            return inner(i + 1, phase="want")
        if lemma in ("plan", "decide") and low == "on" and i + 1 < hi and self._tags(toks[i + 1].low) == "g":
            return inner(i + 1, phase="plan")
        if (
            lemma in ("think", "dream", "talk")
            and low in ("about", "of")
            and i + 1 < hi
            and self._tags(toks[i + 1].low) == "g"
        ):
            return inner(i + 1, phase="think")
        if lemma in ("consider", "contemplate") and ing:
            return inner(i, phase="think")
        if (
            lemma == "be"
            and low in _INTENT
            and i + 1 < hi
            and toks[i + 1].low == "to"
            and self._base_at(toks, i + 2, hi)
        ):
            phase = {"able": None, "about": "plan", "set": "plan", "due": "plan"}.get(low, "think")
            return inner(i + 2, phase=phase)
        if lemma == "have" and to:
            return inner(i + 1, phase=None if verb.tense == "past" else "think")
        if lemma in _CATENATIVES and to:
            if lemma in ("learn", "teach"):
                return [verb]
            return inner(i + 1, phase="think" if lemma in ("seem", "appear", "pretend", "claim") else verb.phase)
        if lemma == "turn" and low == "out" and i + 1 < hi and toks[i + 1].low == "to":
            return inner(i + 2)
        if lemma == "look" and low == "forward" and i + 2 < hi and self._tags(toks[i + 2].low) == "g":
            return inner(i + 2, phase="plan")
        if lemma == "wait" and to and verb.modal in ("can",):
            return inner(i + 1, phase="plan", neg=False)
        if lemma == "get" and ing:
            return [verb]
        return [verb]

    # ------------------------------------------------------------------ clauses

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

    def _may_begin(self, toks: list[Token], k: int) -> bool:
        low = toks[k].low
        if low == "be":
            return False  # an infinitive or a command
        if low in ("'s", "'d"):
            return low == "'d" or self._s_is_verb(toks, k)
        if low in self._modals or low in _BE or low in _HAVE or low in _DO:
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
            if before in self._prepositions and toks[j].kind == "w" and before not in _PARTICLES:
                return False
            if before in _NOT_BEFORE_VERBS and toks[j].kind == "w":
                return False
        named = toks[k].capital and k > 0 and toks[k - 1].kind == "w" and toks[k - 1].capital
        return not (named and known[1] in ("b", "s", "g", "bs") and toks[k].text[1:].islower())  # `Water Works`

    def _s_is_verb(self, toks: list[Token], k: int) -> bool:
        """`he's`, `Sue's allergic`, `name's Berta` against `Sue's boyfriend`."""
        if k == 0 or k + 1 >= len(toks):
            return False
        before = toks[k - 1].low
        if before in self._pronouns or before in _S_SUBJECTS:
            return before != "let"
        nxt = toks[k + 1]
        low = nxt.low
        if low in _AFTER_S_VERB:  # fmt: skip
            return low not in ("back",) or True
        tags = self._tags(low)
        if nxt.kind in ("n", "x"):  # `my nephew's 9.`, not `Ben's 2 cats`
            ends = k + 2 >= len(toks) or toks[k + 2].kind == "p" or toks[k + 2].low in ("now", "and", "today", "in")
            return before in _NUMBERED or (ends and nxt.low.isdigit() and (before in self.kin or toks[k - 1].capital))
        if "g" in tags and tags == "g":
            follow = toks[k + 2].low if k + 2 < len(toks) else ""
            return (
                follow in self._prepositions
                or follow in self._determiners
                or (k + 2 < len(toks) and toks[k + 2].capital)
            )
        if "n" in tags and "b" not in tags:
            return True
        return low in _S_ADJECTIVES

    def _clause(self, toks: list[Token], k: int, floor: int, verbs: list[Verb], out: list[Clause]) -> Clause | None:
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
        if "not" in pre and pre & _NOT_ONLY:
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
                <= _INDIRECT | self._adverbs | {"out", "to", "when"} | {t.low for t in toks[floor:lo] if t.capital}
            ):
                under = len(out) - 1
            elif not broken and not nominative:
                return None
        return Clause(lo, n, subject, others, verbs, marker, under=under, broken=broken, first=not out)

    def _chance(self, toks: list[Token], subject: tuple[int, int], verb: Verb) -> bool:
        """`chess and old films`: a plain word before a form that may be a noun is no clause of its own."""
        a, b = subject
        low = toks[a].low
        if b - a == 1 and a and toks[a - 1].kind == "p" and low not in self._common:
            return False
        if (
            b - a > 2
            or toks[a].capital
            or low in self._pronouns
            or low in self._possessives
            or low in self._determiners
        ):
            return False
        return verb.form in ("s", "b") and toks[verb.start].low not in _BE | _HAVE | _DO | {"'s"} and verb.modal is None

    def _without_subject(
        self, toks: list[Token], k: int, e: int, floor: int, verbs: list[Verb], out: list[Clause]
    ) -> Clause | None:
        verb = verbs[0]
        n = len(toks)
        before = toks[e - 1] if e > 0 else None
        if (out and e > floor) or (out and e == floor and before is not None):
            if before is None:
                return None
            lo, marker = self._marker(toks, e, floor)
            if not (before.low in _CONTINUES or before.kind == "p" or marker):
                return None
            if before.low in ("who", "which", "that"):
                return None
            last = out[-1]
            prior = last.verbs[0]
            between = next((i for i in range(e - 1, floor, -1) if toks[i].low in self._nominative), None)
            if between is not None:  # `.. ; I <a verb we don't know>, keep bees`: whose verb was not seen
                if before.low not in _CONTINUES and before.kind != "p":
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
                broken=True,
                under=last.under
                if before.low in _CONTINUES
                and last.under is not None
                and before.kind == "w"
                and verb.form == prior.form
                else None,
            )
        # The sentence's first verb: `Sold the Vespa`, `Been vegan since 2009`, `quick update: dropped out of X`.
        start = e
        while start > 0 and (
            toks[start - 1].kind in "pq" or toks[start - 1].low in _OPENERS or toks[start - 1].low in self._adverbs
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
        if verb.lemma in _BARE_FIRST and tags and "b" in tags:
            after = toks[k + 1].low if k + 1 < n else ""
            ok = not (after in _NOT_AFTER_BARE or self._tags(after).startswith("s"))
        if toks[k].low == "do" and verb.lemma not in _TELEGRAPHIC:  # `do not use tabs` is an order
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

    def _finite(self, toks: list[Token], j: int) -> bool:
        low = toks[j].low
        return (
            low in _FINITE_WORDS
            or (
                self._tags(low).startswith("s") and toks[j - 1].low not in self._determiners and toks[j - 1].kind == "w"
            )
        ) and toks[j - 1].low not in self._pronouns

    def _continues(self, verb: Verb, prior: Verb, before: Token, toks: list[Token], k: int) -> bool:
        """May this verb share the previous one's subject? Forms must agree: `I live in X and work at Y`."""
        tags = self._tags(toks[k].low)
        if toks[k].low in _AUXILIARIES or verb.modal:
            return True
        if "g" in tags and tags == "g":
            return prior.prog and before.low in _CONTINUES
        if verb.tense == "past" or tags == "dn" or tags == "d":
            if before.kind == "p" and verb.lemma in ("name", "call", "base", "bear", "raise"):
                return False
            return (
                prior.tense in ("past", "perf", "pluperf")
                or (before.kind == "p" and verb.lemma in _STARTING)
                or before.low in ("then",)
                or (verb.form == "d" and "n" not in tags)
            )
        if tags.startswith("s"):
            return (
                (prior.tense in ("pres", "perf") and prior.form == "s")
                or (prior.lemma == "be" and prior.tense == "pres")
                or (prior.tense == "past" and prior.form != "b" and before.low in _CONTINUES)
                or (prior.tense in ("perf", "past") and before.low in ("and", "but"))
            )
        if "b" in tags:
            return (
                prior.tense in ("pres", "fut", "cond", "perf")
                and before.low in _CONTINUES
                and prior.form in ("b", "s", "n")
            ) or (
                before.low in ("and", "but")
                and prior.tense == "past"
                and any(t.low in ("now", "nowadays", "instead") for t in toks[k + 1 : k + 6])
            )  # `I dropped French and study Dutch now`
        return False

    def _agrees(
        self, toks: list[Token], subject: tuple[int, int], others: list[tuple[int, int]], verb: Verb, word: str, k: int
    ) -> bool:
        low = toks[k].low
        if low in self._modals or low in _AUXILIARIES_ALL:
            if low == "am":
                return word in ("i",) or word == "im"
            return True
        tags = self._tags(low)
        named = toks[subject[1] - 1].capital and toks[subject[0]].low not in self._possessives | self._determiners
        if subject == (0, 1) and "b" in tags and low != "like":  # `Nuts give me hives`: the capital is the sentence's
            named = False
        plural = bool(others) or word in _PLURAL or (word.endswith("s") and not named and word not in _SINGULAR_IN_S)
        if tags == "g":
            return False
        if "d" in tags and "b" not in tags:
            return low not in _POSTMODIFIERS or low == "called" or low == "made"
        if tags.startswith("s"):
            either = others and subject[0] and toks[subject[0] - 1].low in ("nor", "or")
            return (not others or bool(either)) and word not in _NOT_THIRD
        if "d" in tags:  # read, put, cut, quit
            return True
        if "b" in tags:
            return plural
        return tags == "n" and word in ("i", "we", "he", "she", "they")  # `we gone`

    def _boundary(self, toks: list[Token], at: int, floor: int) -> bool:
        if at <= 0:
            return True
        t = toks[at - 1]
        return at - 1 >= floor - 1 and (
            (t.kind == "p" and t.low in ",;:—()-!?.")
            or t.low in self._conjunctions - {"as", "than", "that", "plus"}
            or t.low in ("plus",)
        )

    def _marker(self, toks: list[Token], at: int, floor: int) -> tuple[int, str | None]:
        """The conjunctions and adverbs right before `at`: where they begin, and the one that matters."""
        marker: str | None = None
        i = at
        while i > floor:
            low = toks[i - 1].low
            if low in self._conjunctions and toks[i - 1].kind == "w":
                if (
                    marker is None
                    or marker in ("and", "but", "so", "or", "then")
                    or low in ("if", "unless", "because", "even")
                ):
                    marker = low
                i -= 1
            elif low in self._adverbs or low in _OPENERS or low in ("even", "case", "whether"):
                if low in ("whether",):
                    marker = low
                if low == "case" and i >= 2 and toks[i - 2].low == "in":
                    marker = "case"
                    i -= 1
                if low == "even":
                    marker = f"even {marker}" if marker else marker
                i -= 1
            else:
                break
        return i, marker

    def _after(self, toks: list[Token], k: int, verb: Verb) -> tuple[int, int] | None:
        j = k + 1
        while j < verb.end and toks[j].low in self._adverbs:
            j += 1
        if j >= len(toks):
            return None
        x = j + 1
        if toks[j].low not in self._pronouns:
            while x < len(toks) and (
                toks[x].capital or (toks[j].low in self._determiners and x < j + 3 and not self._tags(toks[x].low))
            ):
                x += 1
        return (j, x)

    def _subject(
        self, toks: list[Token], e: int, floor: int, later: bool
    ) -> tuple[tuple[int, int], list[tuple[int, int]], int] | None:
        """The noun phrase that ends at e: (head, coordinated others, where the whole begins)."""
        if e <= floor:
            return None
        t = toks[e - 1]
        if t.low == ")":
            j = e - 1
            while j > floor and toks[j].low != "(":
                j -= 1
            return self._subject(toks, j, floor, later) if j > floor else None
        if t.low == "," and e - floor > 2:  # `Anna, my sister, works`; `Anna, who works at X, is bringing`
            j = e - 2
            while j > floor and toks[j].low != ",":
                j -= 1
            if toks[j].low == "," and e - 2 - j <= 7 and j > floor:
                return self._subject(toks, j, floor, later)
            return None
        if t.kind == "p" or t.kind == "q":
            return None
        if t.low in ("who", "which", "that") and e - 1 > floor:
            before = self._subject(
                toks, e - 1 - (toks[e - 2].low == ","), max(0, floor - 8) if t.low == "who" else floor, later
            )
            if before is not None and t.low != "that":
                return before[0], before[1], e - 1
            if t.low != "that":
                return (e - 1, e), [], e - 1
        if t.low in self._pronouns:
            return self._coordinate(toks, (e - 1, e), floor, later)
        if t.low in _HEREABOUTS and e - 2 >= floor and (toks[e - 2].capital or toks[e - 2].low in self.kin):
            return self._subject(toks, e - 1, floor, later)  # `Mr. Lee downstairs plays ..`
        head = self._phrase(toks, e, floor)
        if head is None:
            return None
        full = head[0]
        # A modifier: `Lea in my team`, `Tom from sales`. The head is what stands before the preposition.
        if full - 1 > floor and toks[full - 1].low in _MODIFYING:
            owner = self._phrase(toks, full - 1, floor)
            if (
                (owner is not None and owner[0] <= floor + 0)
                or (owner is not None and self._boundary(toks, owner[0], floor))
            ) and (toks[owner[0]].low in self._determiners or toks[owner[0]].capital):
                return self._coordinate(toks, owner, floor, later)
        return self._coordinate(toks, head, floor, later)

    def _coordinate(
        self, toks: list[Token], head: tuple[int, int], floor: int, later: bool
    ) -> tuple[tuple[int, int], list[tuple[int, int]], int]:
        others: list[tuple[int, int]] = []
        full = head[0]
        while full - 1 > floor and toks[full - 1].low in ("and", "&", ",", "nor"):
            if toks[full - 1].low == "," and not others:
                break
            at = full - 1
            if toks[at].low == "and" and toks[at - 1].low == ",":
                if later or others:
                    break
                at -= 1
            before = self._phrase(toks, at, floor) if at > floor else None
            if before is None and at - 1 >= floor and toks[at - 1].low in ("he", "she", "i", "you", "they"):
                before = (at - 1, at)
            if before is None or (later and not self._boundary(toks, before[0], floor)):
                break
            first = toks[before[0]]
            person = first.capital or first.low in self._possessives or first.low in ("he", "she", "i", "both")
            if not person and (later or toks[head[0]].low != "i"):
                break
            if later and toks[before[0] - 1].low == "," and toks[head[0]].low in self._pronouns:
                break
            others.insert(0, before)
            full = before[0]
        return head, others, full

    def _phrase(self, toks: list[Token], e: int, floor: int) -> tuple[int, int] | None:
        """The noun phrase that ends at e, leftwards to its determiner or as far as it can be one."""
        i = e
        while i > floor and e - i < 8:
            t = toks[i - 1]
            low = t.low
            if t.kind == "p":
                if low in ("&",) and i - 1 > floor and i < e:
                    i -= 1
                    continue
                break
            if t.kind == "q":
                break
            if low in self._possessives or (low in self._determiners and low not in ("that",)):
                i -= 1
                break
            if t.kind == "n" and i < e and not toks[i].capital:
                i -= 1
                break
            if t.kind in "nx":
                break
            if low == "'s":
                i -= 1
                continue
            if (
                low in self._prepositions
                or low in self._conjunctions
                or low in self._pronouns
                or low in self._modals
                or low in _BE
                or low in _HAVE
                or low in _DO
            ):
                if t.capital and low in ("will", "may") and i - 1 == floor:
                    i -= 1
                    continue
                break
            if low in self._adverbs or low in _OPENERS:
                break
            if (low in self._months and i < e) or low in ("today", "yesterday", "tomorrow", "tonight", "ago"):
                break
            i -= 1
        if i == e:
            return None
        # A name without a determiner to its left stands alone: `last week Anna`, `At work Anna`.
        if toks[e - 1].capital and toks[i].low not in self._determiners and toks[i].low not in self._possessives:
            j = e - 1
            while (
                j > i
                and (toks[j - 1].capital or toks[j - 1].low in _NAME_PARTICLES)
                and not (
                    toks[j - 1].low in self._common
                    and toks[j - 1].low not in self._titles
                    and j - 1 == 0
                    and j < e
                    and toks[j].capital
                    and j - 1 != i
                )
            ):
                j -= 1
            if j > i and toks[j - 1].low in self._titles:
                j -= 1
            if j > i:
                if toks[j - 1].low not in self.kin:
                    i = j
                elif not any(t.low == "'s" for t in toks[i:j]):
                    i = j - 1
        return (i, e)

    def _trim_right(self, toks: list[Token], clause: Clause, at: int) -> int:
        j = at
        while j > clause.verbs[-1].end and (
            (toks[j - 1].kind == "p" and toks[j - 1].low in ",;:—-")
            or toks[j - 1].low in _CONTINUES
            or toks[j - 1].low in ("so", "because")
        ):
            j -= 1
        return j
