"""Who is meant: first person, names, relatives, and `he` or `she` inside one turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lean_memory.extract.lexicon import Lexicon
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.tokens import Token

__all__ = ["Memory", "Mention", "People", "Relation"]

_MALE = frozenset(
    "father dad daddy papa pop grandfather grandpa grandad granddad brother bro son uncle nephew husband "
    "hubby boyfriend bf fiancé "
    "stepfather stepdad stepbrother stepson father-in-law brother-in-law son-in-law grandson godfather "
    "godson half-brother landlord "
    "ex-husband ex-boyfriend mr sir lord señor sr monsieur herr boy man guy king groom twin-brother "
    "late-husband".split()
)
_FEMALE = frozenset(
    "mother mum mom mummy mommy mama mam grandmother grandma granny nana gran nan sister sis daughter "
    "aunt auntie aunty niece wife "
    "wifey girlfriend gf fiancée stepmother stepmum stepmom stepsister stepdaughter mother-in-law "
    "sister-in-law daughter-in-law "
    "granddaughter godmother goddaughter half-sister landlady ex-wife ex-girlfriend mrs ms miss lady "
    "señora señorita sra madame mme frau "
    "girl woman lady queen bride twin-sister late-wife".split()
)
# Spoken of without `my`: it is the speaker's.
_BARE = frozenset(
    "mum mom mummy mommy mama dad daddy papa grandma grandpa granny nana grandad granddad gran nan mother"
    " father auntie hubby".split()
)
_CANON = {
    "mam": "mum",
    "sis": "sister",
    "bro": "brother",
    "hubby": "husband",
    "wifey": "wife",
    "bf": "boyfriend",
    "gf": "girlfriend",
}
# Relatives and roles that no predicate names, or whose predicate is the general one.
_RELATIVES = frozenset(
    "grandmother grandma granny nana gran nan grandfather grandpa grandad granddad grandparent grandson "
    "granddaughter grandchild aunt "
    "auntie aunty uncle cousin niece nephew mother-in-law father-in-law sister-in-law brother-in-law "
    "son-in-law daughter-in-law "
    "godmother godfather godson goddaughter great-aunt great-uncle great-grandmother great-grandfather step-mum".split()
)
_ROLES = frozenset(
    "neighbour neighbor flatmate roommate housemate landlord landlady teacher doctor dentist therapist "
    "coach mentor tutor professor "
    "trainer hairdresser lawyer accountant babysitter nanny client customer tenant vet physio "
    "psychiatrist barber plumber electrician "
    "parents grandparents kids children sisters brothers sons daughters neighbours neighbors cousins grandchildren "
    "colleagues friends "
    "gp counsellor counselor supervisor intern hire director ceo cto lead head teammate captain secretary"
    " receptionist builder cleaner "
    "nurse student pupil in-laws guest host driver gardener mechanic agent stepmum lodger carer childminder".split()
)
_ADJECTIVES = frozenset(
    "old older oldest eldest elder young younger youngest little big best good great dear late new former"
    " other twin middle only close "
    "closest favourite favorite lovely sweet beautiful crazy ex poor own long-time longtime current "
    "previous next-door upstairs downstairs "
    "soon-to-be three-legged fluffy naughty grumpy tiny huge black white brown ginger tabby rescue "
    "beloved darling gorgeous elderly baby "
    "rescued mutual childhood school work uni college online german french english italian spanish polish"
    " american dutch".split()
)
_PLACING = frozenset("in at near into on around outside for via through using use uses of".split())
_TO_PERSON = frozenset(
    "spoke speak spoken talk talked talking married engaged report reports reporting heard hear "
    "introduced wrote next listened said "
    "back proposed over text message email call wedding".split()
)
_GOING = frozenset("go going goes went gone trip off back".split())
_PERSON_SHAPE = frozenset("guy woman man girl boy lady bloke chap dude person lad kid".split())
_GROUPS = frozenset("team crew department squad group company firm office lab unit family".split())
_UNCLES = frozenset("uncle aunt auntie cousin".split())
_LOWER_TITLES = frozenset("uncle aunt auntie mr mrs dr".split())
_BEFORE_MONTHS = frozenset("in since last next by until of on".split())
_BEFORE_THINGS = frozenset("the a an this that ,".split())
_FROM_PLACES = frozenset("work school uni church home college".split())
_NAME_FOLLOWS = frozenset("is has was 's , . and just also lives works ! went had got will used".split())
_OTHERS = frozenset("your his her their its whose".split())
# Past forms that no noun is, after `my brother tom`.
_PASTS = frozenset(
    "quit bought sold got took left began became went came gave made met moved taught spoke ran wrote drove grew "
    "found kept lost broke built caught chose fell flew forgot froze heard held knew paid sang saw sent slept "
    "told thought wore won".split()
)
_APPOSITION_ENDS = frozenset(", ) . ! ; is who".split())


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation word: the predicate it states (None: none), whether over (`ex-wife`), `he`, `she` or unknown."""

    predicate: str | None
    former: bool = False
    gender: str | None = None


@dataclass(slots=True)
class Mention:
    """A person, animal or group in the sentence: tokens [start, end), what to call it, what the words tell."""

    start: int
    end: int
    name: str
    gender: str | None = None
    kind: str = "person"  # person, animal, group, speaker, fictional
    relation: str | None = None  # the relation word, as in `sister`
    owner: str | None = None  # whose
    named: bool = False
    role: str | None = None  # what it was called before its name was known: `user's sister`
    weak: bool = False  # a name where that of a place or a thing would stand too: `in Berlin`


@dataclass(slots=True)
class Memory:
    """The people of one turn, newest last, and other names they go by."""

    speaker: str
    people: list[Mention] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    thing: str | None = None  # what `it` was last

    def add(self, mention: Mention) -> None:
        for known in self.people:
            if known.name == mention.name:
                known.gender = known.gender or mention.gender
                known.weak = known.weak and mention.weak
                self.people.remove(known)
                known.kind = mention.kind if known.kind == "person" else known.kind
                known.relation = known.relation or mention.relation
                known.owner = known.owner or mention.owner
                self.people.append(known)
                return
        self.people.append(mention)
        if mention.role and mention.named:
            self.aliases[mention.role] = mention.name

    def resolve(self, pronoun: str, *, skip: frozenset[str] = frozenset()) -> Mention | None:
        """The last person who can be `he` or `she` (or `they`); who is so called keeps that gender."""
        gender = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f"}.get(pronoun)
        fitting = [
            p
            for p in self.people
            if p.name not in skip
            and not p.weak
            and p.kind in ("person", "animal")
            and (gender is None or p.gender in (None, gender))
        ]
        if not fitting:
            return None
        if gender is None and pronoun in ("they", "them", "their"):
            fitting = [p for p in fitting if p.gender is None] or fitting
        exact = [p for p in fitting if p.gender == gender and gender]
        best = fitting[-1]
        if best.gender is None and exact and best.kind == "animal":
            best = exact[-1]
        if gender and best.gender is None:
            best.gender = gender
        return best


class People:
    """Finds the people in a token list."""

    def __init__(self, lexicon: Lexicon, table: PredicateTable) -> None:
        self._titles = lexicon["titles"]
        self._common = lexicon["common"]
        self._fictional = lexicon["fictional"]
        self._animals = lexicon["animals"]
        self._months = lexicon["months"] | lexicon["days"]
        self._possessives = lexicon["possessives"]
        self._nationalities = lexicon["nationalities"] | lexicon["languages"]
        self._particles = frozenset("van von de del della di da dos der den bin ibn al el la le ten ter zu y".split())
        self._lower_stop = (
            lexicon["common"]
            | lexicon["adverbs"]
            | lexicon["prepositions"]
            | lexicon["conjunctions"]
            | lexicon["modals"]
            | lexicon["determiners"]
            | lexicon["subject_pronouns"]
            | lexicon["evaluative"]
            | lexicon["animals"]
            | frozenset(lexicon.verbs)
        )
        self._openers = (lexicon["evaluative"] | lexicon["openers"]) - {"rich"}
        self._after_openers = lexicon["conjunctions"] | lexicon["determiners"] | lexicon["subject_pronouns"]
        self.relations = self._relations(table)
        # The small words that may begin a mention; everything else that does is a capitalised name.
        self._leads = (
            self._possessives | _BARE | _ROLES | _UNCLES | frozenset(self.relations) | {"the", "a", "an", "our"}
        )
        self.verb_forms: frozenset[str] = frozenset()
        self._shouted = (
            lexicon["adverbs"]
            | lexicon["prepositions"]
            | lexicon["conjunctions"]
            | lexicon["determiners"]
            | lexicon["modals"]
            | frozenset("is are was were am be has have had do does did not".split())
        )
        self._month_verbs = frozenset(
            "is was has had 's lives works plays speaks moved got joined left said told and just also started "
            "became likes loves hates "
            "will owns drives uses reports manages studies married quit sold bought used does went called".split()
        )

    @staticmethod
    def _relations(table: PredicateTable) -> Mapping[str, Relation]:
        out: dict[str, Relation] = {}

        def gender(word: str) -> str | None:
            return "m" if word in _MALE else "f" if word in _FEMALE else None

        for word in _RELATIVES:
            out[word] = Relation("relative_of" if "relative_of" in table else None, gender=gender(word))
        for word in _ROLES:
            out[word] = Relation(None, gender=gender(word))
        for predicate in table.values():
            for word in predicate.relatives:
                if word not in ("boy", "girl", "report"):
                    out[word] = Relation(predicate.name, gender=gender(word))
            for word in predicate.former:
                out[word] = Relation(predicate.name, former=True, gender=gender(word))
        return out

    def name_at(self, toks: list[Token], i: int, *, first: bool = False) -> int:
        """Where the name that begins at i ends; i when none does."""
        n = len(toks)
        j = i
        title = j + 1 < n and toks[j].low in self._titles and (toks[j].capital or toks[j].low in _LOWER_TITLES)
        if title and toks[j + 1].capital and toks[j + 1].low not in self._months:
            j += 1
        begin = j
        while j < n:
            t = toks[j]
            if t.kind == "w" and t.capital and len(t.text) > 0 and t.low not in ("i",):
                if t.low in self._months and j == begin and not self._month_name(toks, j):
                    break
                if (
                    t.text.isupper()
                    and len(t.text) > 1
                    and j > begin
                    and (not toks[j - 1].text.isupper() or t.low in self._shouted or t.low in self.verb_forms)
                ):
                    break
                if j == 0 and t.low.endswith("ing") and len(t.low) > 5:  # `Networking was ..`
                    break
                if (
                    j == 0
                    and t.low in self._openers
                    and (n == 1 or toks[1].kind == "p" or toks[1].low in self._after_openers)
                ):
                    break  # `Awkward, because her fiancé ..`
                if (
                    j == begin
                    and t.low in self._common
                    and (j == 0 or t.low in self._possessives or len(t.text) < 3 or self._opens(toks, j))
                ):
                    break
                j += 1
            elif j > begin and t.low in self._particles and j + 1 < n and toks[j + 1].capital:
                j += 1
            else:
                break
        return j if j > begin else i

    def _month_name(self, toks: list[Token], j: int) -> bool:
        """`Two days ago Jan got engaged`: a name that is a month's too, before a verb."""
        if (
            j + 1 >= len(toks)
            or toks[j].low in ("march", "sun", "sat")
            or (j and (toks[j - 1].kind == "n" or toks[j - 1].low in _BEFORE_MONTHS))
        ):
            return False
        nxt = toks[j + 1]
        return nxt.kind == "w" and nxt.low in self._month_verbs

    @staticmethod
    def _opens(toks: list[Token], j: int) -> bool:
        return j == 0 or toks[j - 1].kind == "p"

    def find(
        self, toks: list[Token], memory: Memory, *, lowercase: bool = False, allcaps: bool = False
    ) -> list[Mention]:
        """All mentions of the sentence, left to right; each is added to the memory."""
        out: list[Mention] = []
        i = 0
        while i < len(toks):
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
                out.append(mention)
                memory.add(mention)
                mention = nested
                i = mention.end
            mention.weak = mention.weak or self._placed(toks, mention)
            at = mention.start
            if at > 1 and toks[at - 1].low in ("called", "named") and toks[at - 2].low in self._animals:
                mention.kind = "animal"
            out.append(mention)
            memory.add(mention)
            i = max(i, mention.end)
        return out

    def _placed(self, toks: list[Token], mention: Mention) -> bool:
        """Does the name stand where names of places and firms do?"""
        if mention.kind != "person" or mention.start == 0:
            return False
        if mention.relation:  # `I saw him at the dentist`: whose rooms one was in
            role = mention.relation in _ROLES and toks[mention.start].low == "the"
            at = toks[mention.start - 1].low
            return role and (at in ("at", "in", "outside") or (at == "to" and toks[mention.start - 2].low in _GOING))
        if mention.named and toks[mention.start].low in self._titles:
            return False
        i = mention.start - 1
        before = toks[i].low
        if before in _BEFORE_THINGS:
            return before != ","
        if before in _PLACING:
            return not (before == "into" and i and toks[i - 1].low in ("ran", "run", "bumped"))
        if before in ("to", "from"):
            return not (i and toks[i - 1].low in _TO_PERSON)
        return False

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
            low in _BARE
            and not (i + 1 < len(toks) and toks[i + 1].low == "of")
            and not (i and (toks[i - 1].low in ("a", "the", "an", "'s") or toks[i - 1].low in _OTHERS))
        ):
            j = self.name_at(toks, i + 1)
            if j > i + 1 and toks[i].capital and low not in ("mum", "mom", "dad"):
                return Mention(i, j, self.text(toks, i, j), self._gender(low), named=True)
            return Mention(
                i,
                i + 1,
                f"{memory.speaker}'s {low}",
                self._gender(low),
                relation=low,
                owner=memory.speaker,
                role=f"{memory.speaker}'s {low}",
            )
        if low in self._titles and not t.capital and low in _UNCLES and i + 1 < len(toks):
            nxt = toks[i + 1]
            if nxt.kind == "w" and (nxt.capital or (lowercase and nxt.low not in self._lower_stop)):
                return Mention(i, i + 2, f"{t.text} {nxt.text}", self._gender(low), named=True)
        if t.capital:
            j = self.name_at(toks, i)
            if j > i:
                title = low if low in self._titles else None
                if j == i + 1 and (low in self._nationalities or low in self._titles):
                    return None
                name = self.text(toks, i, j)
                if low in self._fictional and j == i + 1:
                    return Mention(i, j, name, kind="fictional")
                mention = Mention(i, j, self._known(name, memory), self._gender(title) if title else None, named=True)
                return self._apposition(toks, mention, memory)
            role = self._bare_role(toks, i)
            if role:
                return role
        elif low in self.relations and i == 0 and i + 1 < len(toks) and toks[i + 1].low in ("is", "'s", "was"):
            return Mention(i, i + 1, f"{memory.speaker}'s {low}", self._gender(low), relation=low, owner=memory.speaker)
        elif i + 1 < len(toks) and toks[i + 1].low == "'s" and low in _ROLES:
            return Mention(i, i + 1, low, None, relation=low)
        return None

    def _bare_role(self, toks: list[Token], i: int) -> Mention | None:
        """`Landlord is Mr. Lee`: a role that opens the sentence without `my`."""
        low = toks[i].low
        if (
            low in self.relations
            and i == 0
            and i + 1 < len(toks)
            and toks[i + 1].low in ("is", "'s", "was", "will", "has")
        ):
            return Mention(i, i + 1, low, self._gender(low), relation=low)
        return None

    def _known(self, name: str, memory: Memory) -> str:
        """A first name is the full name said before in this turn; capitals and small letters are one."""
        folded = name.casefold()
        for person in reversed(memory.people):
            if person.named and person.kind == "person" and person.name.casefold() == folded:
                return person.name
        return name

    def _owner(self, possessive: str, memory: Memory) -> str | None:
        if possessive in ("my", "our"):
            return memory.speaker
        if possessive == "your":
            return "you"
        found = memory.resolve(possessive)
        return found.name if found else None

    def _relative(
        self, toks: list[Token], start: int, owner: str | None, i: int, memory: Memory, lowercase: bool
    ) -> Mention | None:
        n = len(toks)
        former = False
        j = i
        while (
            j < n
            and (
                toks[j].low in _ADJECTIVES or (toks[j].low == "ex" and j + 1 < n and toks[j + 1].low in self.relations)
            )
            and j < i + 3
            and not (toks[j].low == "other" and j + 1 < n and f"other-{toks[j + 1].low}" in self.relations)
            and not (toks[j].low in self.relations and not (j + 1 < n and toks[j + 1].low in self.relations))
        ):
            former = former or toks[j].low in ("ex", "former")
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
        if word not in self.relations and " " not in word and not animal:
            if word in _GROUPS and start < i:
                name = f"{owner}'s {word}"
                return Mention(start, j + 1, name, None, kind="group")
            return None
        if animal and word not in self._animals:
            j += 1
            word = toks[j].low
        if former and f"ex-{word}" in self.relations:
            word = f"ex-{word}"
        word = _CANON.get(word, word)
        j += 1
        role = f"{owner}'s {word}"
        kind = "animal" if animal and word not in self.relations else "person"
        gender = self._gender(word)
        # The name: `my sister Anna`, `my sister, Anna,`, `my friend from work Anna`, `my cat called Tom`.
        at = j
        if at < n and toks[at].low in ("called", "named"):
            at += 1
        elif at + 2 < n and toks[at].low in (",", "(") and toks[at + 1].capital:
            stop = self.name_at(toks, at + 1)
            if stop > at + 1 and stop < n and toks[stop].low in (",", ")", "."):
                return self._named(
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
        elif at + 2 < n and toks[at].low in ("from", "at", "in") and toks[at + 1].low in _FROM_PLACES:
            at += 2
        stop = self.name_at(toks, at)
        if stop > at and not (toks[at].low in self._nationalities and stop == at + 1):
            return self._named(toks, start, stop, at, stop, role, word, owner, gender, kind, memory)
        if (at > j or lowercase) and at < n and toks[at].kind == "w" and not toks[at].capital and len(toks[at].low) > 2:
            nxt = toks[at + 1].low if at + 1 < n else ""
            if (
                toks[at].low not in self._lower_stop
                and toks[at].low not in self.relations
                and toks[at].low not in self._months
                and self._verb_follows(nxt)
            ):
                return self._named(toks, start, at + 1, at, at + 1, role, word, owner, gender, kind, memory)
        name = memory.aliases.get(role, role)
        return Mention(start, j, name, gender, kind=kind, relation=word, owner=owner, role=role)

    def _verb_follows(self, low: str) -> bool:
        return low == "" or low in _NAME_FOLLOWS or (low.isalpha() and (low.endswith(("s", "ed")) or low in _PASTS))

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
        return Mention(start, end, name, gender, kind=kind, relation=word, owner=owner, named=True, role=role)

    def _owned(self, toks: list[Token], i: int, owner: Mention, memory: Memory, lowercase: bool) -> Mention | None:
        """`'s` at i: `Anna` + `'s brother`."""
        found = self._relative(toks, owner.start, owner.name, i + 1, memory, lowercase)
        if found is not None and found.kind != "group":
            return found
        if found is not None:
            return found
        if i + 1 < len(toks) and toks[i + 1].low in _GROUPS:
            return Mention(owner.start, i + 2, f"{owner.name}'s {toks[i + 1].low}", kind="group")
        return None

    def _role(self, toks: list[Token], i: int, memory: Memory) -> Mention | None:
        """`the new hire`, `the recruiter`, `a guy called Tom`, `the narrator`."""
        n = len(toks)
        j = i + 1
        while j < n and toks[j].low in _ADJECTIVES and j < i + 3:
            j += 1
        if j >= n:
            return None
        word = toks[j].low
        if word in self._fictional:
            return Mention(i, j + 1, f"the {word}", kind="fictional")
        if word in _PERSON_SHAPE or word in self.relations:
            at = j + 1
            if at < n and toks[at].low in ("called", "named"):
                stop = self.name_at(toks, at + 1)
                if stop > at + 1:
                    return Mention(i, stop, self.text(toks, at + 1, stop), self._gender(word), named=True)
            stop = self.name_at(toks, at)
            if stop > at and word in self.relations:
                return Mention(i, stop, self.text(toks, at, stop), self._gender(word), named=True)
            if word in self.relations and toks[i].low == "the":
                name = f"the {self.text(toks, i + 1, j + 1)}"
                return Mention(
                    i,
                    j + 1,
                    memory.aliases.get(name, name),
                    self._gender(word),
                    role=name,
                    relation=word if word != "hire" else None,
                )
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
                and (found.end >= len(toks) or toks[found.end].low in _APPOSITION_ENDS)
            ):
                mention.relation, mention.owner, mention.role = found.relation, found.owner, found.role
                mention.gender = mention.gender or found.gender
                if found.role:
                    memory.aliases[found.role] = mention.name
                mention.end = found.end
                mention.kind = found.kind
        return mention

    @staticmethod
    def _gender(word: str | None) -> str | None:
        return "m" if word in _MALE else "f" if word in _FEMALE else None

    @staticmethod
    def text(toks: list[Token], a: int, b: int) -> str:
        """The tokens as written, with their spaces as single ones."""
        out = ""
        for i in range(a, b):
            if i > a and toks[i].start > toks[i - 1].end:
                out += " "
            out += toks[i].text
        return out
