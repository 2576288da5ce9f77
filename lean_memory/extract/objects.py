"""What a slot may hold: an object phrase is cut where comment begins, split where it lists, and checked by its type."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lean_memory.extract.lexicon import Lexicon
from lean_memory.extract.people import People
from lean_memory.extract.tokens import Token

__all__ = ["Objects", "Value"]


@dataclass(frozen=True, slots=True)
class Value:
    """An object: its text, the tokens [a, b) that give it, and a note on its form (`lowercase`, `known`)."""

    text: str
    a: int
    b: int


_STOP_MARKERS = frozenset(
    "even not because since although though while when if unless which who where whose whom until till so as but whereas cause after before once than except".split()
)
_LOCATIVE_STOP = frozenset(
    "in on at with for from as to by about near behind beside after before since because until while when where which who and or but so during "
    "through via without over under up down into onto next right just alongside opposite close around across like than not anymore now "
    "downtown nearby abroad overseas upstairs downstairs locally instead too again still also already these those this that there here though if doing working helping".split()
)
_NOT_ORG = frozenset(
    "home night nights least all first last once noon midnight work times present scale ease risk sea stake hand odds fault peace it that this the "
    "moment weekend weekends day days morning evening lunch dinner breakfast christmas easter length will best once school me you us them him her "
    "myself himself herself free fun money living years year months weeks long hours today tomorrow food everyone everything nothing someone "
    "something people kids life time least desk computer pace bottom top end heart point problem stuff things minimum wage peanuts age another "
    "other place places pleasure full both what whatever whom either each half least change once me now a an charity yourself ourselves "
    "themselves clients bit lot lots exposure success couple".split()
)
_PLACE_HEADS = frozenset(
    "town village city countryside suburb suburbs island farm coast mountains hills desert capital dorm dormitory hostel cottage houseboat van "
    "caravan flat apartment house studio bungalow cabin loft mansion condo commune monastery convent bedsit basement houseshare flatshare tent trailer".split()
)
_ORG_HEADS = frozenset(
    "bakery shipyard embassy hospital school university bank cafe café restaurant hotel library museum company firm startup start-up agency factory "
    "shop store supermarket clinic pharmacy warehouse office studio lab laboratory farm garage salon bar pub airport station port harbour council "
    "government ministry police army navy church charity nonprofit ngo newspaper magazine publisher zoo theatre theater cinema gym bookstore bookshop "
    "brewery vineyard winery nursery kindergarten college institute consultancy plant mill depot dealership workshop kitchen canteen surgery practice "
    "court prison mine quarry refinery laundry florist's florist butcher's butcher grocery grocer's bakery's diner deli gallery opera orchestra circus "
    "casino spa resort post-office court-house city-council town-hall mall outlet co-op cooperative foundation fund bureau telco insurer retailer "
    "carmaker manufacturer supplier call-centre callcenter centre center docks tannery foundry sawmill hospice daycare preschool academy ward department".split()
)
_GROUP_HEADS = frozenset(
    "club team choir band orchestra society association union group league gang crew committee board party church guild federation "
    "chorus ensemble troupe circle squad council gym community forum chapter network network's pta rotary scouts guides army navy reserves ramblers "
    "book-club class cooperative co-op collective coalition alliance fraternity sorority parish congregation order lodge academy quartet trio "
    "brigade volunteers masters rowers runners singers players panel jury alumni network programme program department staff ring hub".split()
)
_MODIFIERS = frozenset(
    "currently now also just really still actually very quite pretty so too mostly mainly only even always usually both either really "
    "maybe perhaps probably about almost nearly over around roughly approximately already officially finally basically some more "
    "definitely honestly simply literally especially including particularly then plus way a-bit never ever".split()
)
_CHILD = frozenset(
    "son sons daughter daughters kid kids child children boy boys girl girls baby babies twins toddler toddlers triplets stepson stepdaughter newborn".split()
)
_MEDS_END = (
    "in",
    "ol",
    "ine",
    "one",
    "ide",
    "ate",
    "pril",
    "tan",
    "azole",
    "mab",
    "cin",
    "statin",
    "pam",
    "lam",
    "oxin",
    "phen",
    "fen",
    "ium",
    "xel",
    "zole",
    "dine",
    "mine",
    "min",
    "afil",
    "tide",
    "arin",
    "axin",
    "apine",
)
_MED_WORDS = frozenset(
    "insulin aspirin ibuprofen paracetamol antibiotics antidepressants statins supplements vitamins vitamin iron antihistamines steroids inhaler pill pills beta-blockers painkillers birth-control hrt magnesium zinc melatonin meds medication medicine tablets probiotics ritalin adderall prozac zoloft lithium".split()
)
_NOT_MEDS = frozenset(
    "machine engine magazine cabin train plane captain medicine-ball brain rain pain again cousin vitamin-c phone time line one wine online home routine offline mountain mine none telephone someone anyone zone care advice bride ride side state date climate private design bargain margin combine pipeline airline deadline headline decade late plate chocolate".split()
)
_SPORTS = frozenset(
    "yoga pilates karate judo taekwondo jiu-jitsu boxing fencing gymnastics ballet tango salsa aikido kickboxing crossfit archery meditation pottery ceramics calligraphy parkour muay-thai tai-chi ju-jitsu".split()
)
_COLLECT = re.compile(r"[a-z-]+s$")
_BAD_OBJECT_START = frozenset("to that how what when where why if whether when because being having".split())
_TOOL_KNOWN = frozenset(
    "git github gitlab vim neovim emacs vscode jira slack notion trello asana linux windows macos ubuntu fedora debian arch docker kubernetes "
    "postgres postgresql mysql sqlite mongodb mongo redis kafka rabbitmq elasticsearch python golang java kotlin swift typescript javascript react "
    "vue svelte django flask rails elixir phoenix terraform ansible jenkins aws azure gcp figma sketch photoshop evernote "
    "android iphone chrome firefox vs-code intellij pycharm php ruby scala clojure haskell mariadb "
    "graphql airflow bigquery dbt tableau datadog grafana prometheus shopify wordpress discord telegram "
    "whatsapp outlook gmail thunderbird plan9 nixos nix bash zsh fish tmux latex markdown".split()
)
_SCHOOLISH = frozenset(
    "university college school academy uni institute tech polytechnic conservatory conservatoire seminary universität hochschule "
    "lyceum universidad université mit eth ucla ucl lse oxford cambridge harvard yale stanford princeton berkeley".split()
)
_FINITE = frozenset(
    "is was are were has have had does did makes brings takes gives helps keeps means can will could would feels looks sounds".split()
)
_SIBLING = frozenset(
    "brother sister brothers sisters sibling siblings stepbrother stepsister half-brother half-sister".split()
)
_FOOD = frozenset(
    "meat pork beef chicken fish dairy gluten eggs seafood shellfish sugar nuts wheat lamb cheese meat-products bread carbs".split()
)
_TOOL_NAMES = frozenset(
    "safari edge brave helix zed sublime oracle obsidian excel word signal rest spark snowflake sentry stripe zoom teams rust go arch".split()
)
_THE_LIKED = frozenset(
    "of ocean sea beach mountains mountain outdoors sun rain snow cold heat countryside city woods forest theatre theater cinema opera ballet "
    "piano guitar violin cello drums gym pool weekend weekends winter summer autumn spring night stars moon".split()
)
_POINTING = frozenset("them this that it you what me him her us these those".split())
_OS = frozenset(
    "linux windows macos ubuntu fedora debian arch nixos mint freebsd openbsd manjaro gentoo android ios".split()
)
_TITLE_SMALL = frozenset("the of and a an in on at to for with by from de la le el".split())
_NUMBER = {
    w: str(i)
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
_TENS = {w: 10 * i for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_PHONE = re.compile(r"\+?\(?\d[\d ()/.-]{4,}\d$")
_ADDRESS = re.compile(r"\d+[a-z]?$", re.I)
_STREET = frozenset(
    "street st road rd lane ln avenue ave drive dr close court ct crescent way place square terrace row hill boulevard blvd alley gardens park".split()
)
_STREETISH = re.compile(
    r"(?:straße|strasse|str\.?|gasse|weg|platz|allee|gata|gatan|vej|laan|straat|plein|utca|ulica|caddesi|rue|via|calle)$",
    re.I,
)
_EVENT_HEADS = frozenset(
    "conference concert festival wedding party workshop meetup meeting lecture talk seminar webinar gig show ceremony funeral graduation match game race "
    "marathon tournament competition exhibition fair retreat camp course class reunion parade protest march rally summit expo convention hackathon "
    "rehearsal recital premiere screening performance training session interview event symposium congress demo ball opera play parade fundraiser gala bootcamp service baptism christening".split()
)
_EXAM = frozenset(
    "exam test exams tests driving bar finals degree thesis course certification licence license quiz".split()
)
_BOOKISH = frozenset(
    "book novel trilogy series memoir biography chapter volume comic manga audiobook poem poems saga story".split()
)


class Objects:
    """`clean(kind, tokens, a, b)` gives the values that tokens [a, b) name when a `kind` is wanted."""

    def __init__(self, lexicon: Lexicon, people: People) -> None:
        self._lex = lexicon
        self._people = people
        self._asides = lexicon["asides"]
        self._articles = frozenset(
            "a an the some any our my his her their your its this these those that another".split()
        )
        self._months = lexicon["months"] | lexicon["days"]
        self._kinds: dict[str, Callable[[list[Token], int, int], list[Value]]] = {
            "name": self._name, "age": self._age, "date": self._date, "place": self._place, "address": self._address, "phone": self._phone,
            "email": self._email, "timezone": self._timezone, "org": self._org, "school": self._school, "job": self._job,
            "role": self._role, "language": self._language, "diet": self._diet, "nationality": self._nationality,
            "animal": self._animal, "pet_got": self._animal_strict, "vehicle": self._vehicle, "device": self._device,
            "condition": self._condition, "condition_adjective": self._condition_adjective, "medicine": self._medicine,
            "medicine_known": self._medicine_known, "allergen": self._list, "liking": self._liking, "thing": self._list,
            "interest": self._liking, "tool": self._tool, "tool_known": self._tool_known, "tool_named": self._tool_named, "os": self._os, "group": self._group,
            "playable": self._playable, "playable_known": self._playable_known, "activity": self._liking, "field": self._field,
            "destination": self._destination, "occasion": self._occasion, "work": self._work, "film": self._film, "book": self._book,
            "learnable": self._learnable, "undertaking": self._undertaking, "exam": self._exam,            "responsibility": self._responsibility, "led": self._led,
            "skill": self._liking, "possession": self._possession, "purchase": self._possession, "preference": self._preference,
            "wish": self._wish, "plan": self._plan, "decision": self._plan, "opinion": self._plan, "children": self._children,
            "child": self._children, "subject_taught": self._taught, "outing": self._outing, "sport": self._sport,
            "collection": self._collection, "place_known": self._place_known, "org_left": self._org_left, "workplace": self._workplace, "school_known": self._school_known,
            "job_bare": self._job_bare, "vehicle_known": self._vehicle_known, "possession_named": self._possession_named, "against": self._against, "siblings": self._siblings, "food": self._food,
            "titled": self._titled, "org_known": self._org_known, "need": self._nothing,
            "belief": self._nothing, "skillverb": self._skillverb, "person": self._person_name, "project": self._list,
        }  # fmt: skip

    def is_thing(self, name: str) -> bool:
        """Is this the name of a well-known tool or place, not of a person?"""
        low = name.lower()
        return low in _TOOL_KNOWN or low in self._lex["places"]

    def knows(self, kind: str) -> bool:
        """Is there such a type?"""
        return kind in self._kinds

    def clean(self, kind: str, toks: list[Token], a: int, b: int) -> list[Value]:
        """The values in tokens [a, b), empty when they are not of that kind."""
        while b > a and (toks[b - 1].kind == "p" and toks[b - 1].low not in ")%" or toks[b - 1].low in self._asides):
            b -= 1
        if a >= b:
            return []
        return self._kinds.get(kind, self._list)(toks, a, b)

    # ------------------------------------------------------------------ cutting

    def _text(self, toks: list[Token], a: int, b: int) -> str:
        if b - a == 1 and toks[a].kind == "q":
            return toks[a].low
        out = ""
        for i in range(a, b):
            if i > a and toks[i].start > toks[i - 1].end:
                out += " "
            out += toks[i].low if toks[i].kind == "q" else toks[i].text
        return out

    def _strip(self, toks: list[Token], a: int, b: int, *, keep: bool = False) -> tuple[int, int]:
        while a < b and (
            toks[a].low in _MODIFIERS
            or (
                not keep
                and toks[a].low in self._articles
                and not (toks[a].text == "The" and a + 1 < b and toks[a + 1].capital)  # a title's own
            )
            or (toks[a].kind == "p" and toks[a].low not in "($")
        ):
            a += 1
        while b > a and (
            toks[b - 1].low in self._asides
            or toks[b - 1].low
            in (
                "very",
                "much",
                "well",
                "most",
                "again",
                "today",
                "yesterday",
                "already",
                "yet",
                "still",
                "instead",
                "actually",
                "really",
                "obviously",
                "sometimes",
                "also",
                "more",
                "once",
                "twice",
                "together",
                "alone",
                "atm",
                "here",
                "there",
                "daily",
                "off",
                "all",
                "both",
                "and",
                "or",
                "of",
                "back",
                "recently",
                "lately",
                "finally",
                "everywhere",
                "occasionally",
                "often",
                "especially",
                "currently",
                "forever",
                "'s",
            )
            or toks[b - 1].kind == "p"
            and toks[b - 1].low not in ")%"
        ):
            b -= 1
        return a, b

    def _chunks(self, toks: list[Token], a: int, b: int) -> list[tuple[int, int]]:
        """The parts of a list in prose."""
        return self._listed(toks, self.listed(toks, a, b))

    def listed(self, toks: list[Token], a: int, b: int) -> list[tuple[int, int]]:
        """Splits at commas and `and`, after cutting at a bracket, a dash, or where a clause begins."""
        stop = b
        depth = 0
        for i in range(a, b):
            low = toks[i].low
            depth += (low == "(") - (low == ")")
            if toks[i].kind == "p" and (low in ";:—.!?[]" or depth < 0 or (low == "(" and i == a)):
                stop = i
                break
            if low == "-" and toks[i].kind == "p":
                stop = i
                break
            if (
                low in _STOP_MARKERS
                and i > a
                and toks[i].kind == "w"
                and not (low == "as" and i + 2 < b and toks[i + 1].low == "well" and toks[i + 2].low == "as")
            ):
                stop = i
                break
        out: list[tuple[int, int]] = []
        begin = a
        i = a
        while i < stop:
            low = toks[i].low
            if low == "(":
                j = i
                while j < stop and toks[j].low != ")":
                    j += 1
                if begin == i or (i - begin == 1 and j - i == 2 and toks[i + 1].kind == "n"):  # `one (1) plant`
                    begin = i = min(j + 1, stop)
                    continue
                out.append((begin, i))
                begin = i = min(j + 1, stop)
                continue
            if (toks[i].kind == "p" and low in ",/;&+") or low in ("and", "plus", "or", "nor"):
                out.append((begin, i))
                begin = i + 1
            elif low == "as" and i + 2 < stop and toks[i + 1].low == "well":
                out.append((begin, i))
                begin = i + 3
                i += 2
            i += 1
        out.append((begin, stop))
        return [(x, y) for x, y in out if x < y]

    def _listed(self, toks: list[Token], parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Prose lists end with `and`: what follows a comma otherwise, or the comma after `and X`, is comment.

        `shrimp, remember`; `the harp, bad wrists`; `Catalan and French, handy for the job`. A list of three or more
        short parts may do without `and`.
        """
        if len(parts) < 2:
            return parts
        joined = [toks[y].low if y < len(toks) else "" for _, y in parts[:-1]]
        hard = next((i for i, word in enumerate(joined) if word not in (",", ")")), None)
        if hard is None:
            short = all(y - x <= 3 for x, y in parts[1:]) and not any(
                toks[x].low in self._lex.verbs for x, _ in parts[1:]
            )
            return parts if len(parts) > 2 and short else parts[:1]
        last = hard
        while last < len(joined) and joined[last] not in (",", ")"):
            last += 1
        if last < len(joined) and not (joined[last] == "," and toks[parts[last][1] + 1].low in ("and", "plus", "or")):
            return parts[: last + 1]
        return parts

    def _list(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Any things, listed."""
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            x, y = self._strip(toks, x, y)
            for start in ("a", "bit", "of", "lot", "lots", "kinds", "sorts"):
                if x < y and toks[x].low == start:
                    x += 1
            if x >= y or not self._good(toks, x, y):
                if index == 0:
                    return []
                break
            if y - x > 9 or (index and y - x > 6):
                if index == 0 and y - x <= 14:
                    out.append(Value(self._text(toks, x, y), x, y))
                break
            last = out[-1] if out else None
            if (
                last is not None
                and x - last.b == 1
                and toks[last.b].low == "and"
                and y - x <= 2
                and any(t.low in ("with", "of", "between", "about", "for") for t in toks[last.a : last.b])
            ):  # `trips with friends and family` is one thing
                out[-1] = Value(self._text(toks, last.a, y), last.a, y)
                continue
            if out and toks[x].low in ("coming", "being", "having", "seeing", "making", "getting", "knowing"):
                break
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _good(self, toks: list[Token], a: int, b: int, *, prepositions: bool = False) -> bool:
        """Not a pronoun, a vague word or the beginning of a clause."""
        first = toks[a]
        if first.kind == "q":
            return bool(first.low.strip())
        if first.low in self._lex["pronoun_objects"] and (
            b - a == 1
            or first.low
            in (
                "it",
                "me",
                "you",
                "us",
                "him",
                "her",
                "them",
                "this",
                "that",
                "what",
                "how",
                "who",
                "whatever",
                "everything",
                "anything",
                "nothing",
                "something",
                "everyone",
                "someone",
                "such",
            )
        ):
            return False
        if (
            (first.low in _BAD_OBJECT_START and not (prepositions and first.low == "to"))
            or first.low in self._lex["modals"]
            or first.low in self._lex["nominative"]
        ):
            return False
        if first.low in ("not", "no", "nobody", "never") or first.low in _FINITE:
            return False
        if first.low in ("one", "each") and b - a > 1 and toks[a + 1].low in ("another", "other"):
            return False
        if not prepositions and first.low in self._lex["prepositions"] and not first.capital and first.low != "past":
            return False
        if any(t.low in _FINITE for t in toks[a + 1 : b]) and not any(t.kind == "q" for t in toks[a:b]):
            return False
        last = toks[b - 1].low
        if b - a <= 2 and last in self._lex["vague"] and not (first.kind == "n" and last == "people"):
            return False
        if b - a == 1 and (
            first.low in self._lex["evaluative"]
            or first.low in self._lex["prepositions"]
            or first.low in self._lex["adverbs"]
        ):
            return False
        return any(t.kind in "wnxq" for t in toks[a:b])

    def _until(self, toks: list[Token], a: int, b: int, stops: frozenset[str]) -> int:
        for i in range(a, b):
            if (
                i > a
                and toks[i].kind == "w"
                and toks[i].low in stops
                and not (
                    toks[i].capital
                    and toks[i].low not in ("and",)
                    and i + 1 < b
                    and toks[i + 1].capital
                    and toks[i].low in ("the",)
                )
            ):
                return i
            if toks[i].kind == "p" and toks[i].low in ',;:—()!?.[]-"' and not (toks[i].low == "." and i + 1 < b):
                return i
        return b

    # ------------------------------------------------------------------ identity

    def _nothing(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return []

    def _name(self, toks: list[Token], a: int, b: int) -> list[Value]:
        b = self._until(toks, a, b, frozenset("and but from by with or in because for so though if when who i".split()))
        if a < b and toks[a].kind == "q":
            return [Value(toks[a].low, a, a + 1)]
        j = a
        while (
            j < b
            and toks[j].kind == "w"
            and (toks[j].capital or (j > a and toks[j].low in ("van", "de", "von", "del", "da", "la", "bin", "al")))
        ):
            j += 1
        if j > a and j - a <= 5:
            if toks[a].low in self._lex["evaluative"] or (toks[a].low in self._lex["common"] and j - a == 1):
                return []
            return [Value(self._text(toks, a, j), a, j)]
        if b - a <= 2 and toks[a].kind == "w" and toks[a].text.islower() and not self.ordinary(toks[a].low):
            return [Value(self._text(toks, a, a + 1), a, a + 1)]
        return []

    def ordinary(self, low: str) -> bool:
        """Is this a plain English word, so no name?"""
        lex = self._lex
        return (
            low in lex["common"] or low in lex["adverbs"] or low in lex["evaluative"] or low in lex["determiners"] or low in lex["prepositions"]
            or low in lex["vague"] or low in lex["pronoun_objects"] or low in lex["conjunctions"] or low in lex.verbs or low in lex["asides"]
        )  # fmt: skip

    def _person_name(self, toks: list[Token], a: int, b: int) -> list[Value]:
        j = self._people.name_at(toks, a)
        return [Value(self._text(toks, a, j), a, j)] if j > a and j <= b else []

    def _age(self, toks: list[Token], a: int, b: int) -> list[Value]:
        a, b = self._strip(toks, a, b)
        if a >= b:
            return []
        t = toks[a]
        low = t.low
        nxt = toks[a + 1].low if a + 1 < b else ""
        end = a + 1
        number = None
        if t.kind == "n" and low.isdigit() and 0 < int(low) < 120:
            number = int(low)
        elif low in _NUMBER:
            number = int(_NUMBER[low])
        elif low in _TENS:
            number = _TENS[low]
        elif "-" in low and low.split("-")[0] in _TENS and low.split("-")[1] in _NUMBER:
            number = _TENS[low.split("-")[0]] + int(_NUMBER[low.split("-")[1]])
        if number is None:
            return []
        if (
            nxt
            and toks[a + 1].kind == "w"
            and nxt
            not in (
                "and",
                "years",
                "year",
                "yrs",
                "yo",
                "now",
                "but",
                "today",
                "old",
                "on",
                "in",
                "next",
                "this",
                "already",
                "so",
                "lol",
                "btw",
                "yesterday",
                "last",
                "tomorrow",
                "too",
                "going",
                "or",
                "with",
                "from",
                "tonight",
                "at",
                "since",
                "as",
                "i",
                "though",
                "because",
            )
        ):
            return []
        if nxt in ("in", "at", "on", "of") and a + 2 < b and toks[a + 2].low in ("total", "all", "them", "us"):
            return []
        return [Value(str(number), a, end)]

    def _date(self, toks: list[Token], a: int, b: int) -> list[Value]:
        a, b = self._strip(toks, a, b)
        while a < b and toks[a].low in ("on", "by", "in", "for", "to", "now"):
            a += 1
        keep = a
        ok = False
        while keep < b:
            t = toks[keep]
            if (
                t.low in self._months
                or t.kind in "nx"
                or t.low
                in (
                    "of",
                    "the",
                    "next",
                    "this",
                    "eod",
                    "end",
                    "q1",
                    "q2",
                    "q3",
                    "q4",
                    "noon",
                    "midnight",
                    "week",
                    "month",
                    "tomorrow",
                    "today",
                    "th",
                    "st",
                    "nd",
                    "rd",
                )
                or (t.low == "," and keep + 1 < b and toks[keep + 1].kind == "n")
            ):
                ok = (
                    ok
                    or t.low in self._months
                    or t.kind == "x"
                    or t.low in ("tomorrow", "today", "eod")
                    or t.kind == "n"
                    and any(c in t.low for c in "/.-")
                    or t.low in ("q1", "q2", "q3", "q4", "week", "month")
                    or (t.kind == "n" and t.low[-2:] in ("th", "st", "nd", "rd"))
                )
                keep += 1
            else:
                break
        while keep > a and toks[keep - 1].low in ("of", "the", ","):
            keep -= 1
        return [Value(self._text(toks, a, keep), a, keep)] if ok and keep > a else []

    def _address(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = a
        number = street = False
        while (
            stop < b
            and not (toks[stop].kind == "p" and toks[stop].low in ";!?().—")
            and toks[stop].low not in ("and", "but", "if", "so", "since", "btw", "now", "with", "because")
        ):
            number = number or bool(_ADDRESS.match(toks[stop].low))
            street = street or toks[stop].low in _STREET or bool(_STREETISH.search(toks[stop].low))
            stop += 1
        while stop > a and toks[stop - 1].kind == "p":
            stop -= 1
        if number and stop - a >= 2 and (street or toks[a].kind in "nx"):
            return [Value(self._text(toks, a, stop), a, stop)]
        return []

    def _phone(self, toks: list[Token], a: int, b: int) -> list[Value]:
        for i in range(a, min(b, a + 4)):
            digits = sum(c.isdigit() for c in toks[i].low)
            if toks[i].kind in "xn" and digits >= 5 and (_PHONE.match(toks[i].low) or digits >= 6):
                j = i + 1
                while j < b and toks[j].kind in "nx" and toks[j].low.replace("-", "").isdigit():
                    j += 1
                return [Value(self._text(toks, i, j), i, j)]
            if toks[i].kind == "n":
                j = i
                while j < b and toks[j].kind == "n":
                    j += 1
                if sum(c.isdigit() for t in toks[i:j] for c in t.low) >= 6:
                    return [Value(self._text(toks, i, j), i, j)]
        return []

    def _email(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return [Value(t.text, i, i + 1) for i, t in enumerate(toks[a:b], a) if t.kind == "x" and "@" in t.text][:2]

    def _timezone(self, toks: list[Token], a: int, b: int) -> list[Value]:
        zones = "utc gmt cet cest est edt pst pdt cst cdt mst mdt ist jst kst bst eet eest wet aest acst awst nzst sgt hkt msk wib pht hst akst"
        for i in range(a, min(b, a + 4)):
            t = toks[i]
            if t.low.startswith(("utc+", "utc-", "gmt+", "gmt-", "utc +", "gmt +")) or t.low in zones.split():
                return [Value(t.text, i, i + 1)]
            if "/" in t.text and t.capital and t.text.split("/")[1][:1].isupper():
                return [Value(t.text, i, i + 1)]
            if (
                t.low in ("eastern", "pacific", "central", "mountain", "european")
                and i + 1 < b
                and toks[i + 1].low in ("time", "european")
            ):
                j = i + 2 if toks[i + 1].low == "time" else min(b, i + 3)
                return [Value(self._text(toks, i, j), i, j)]
        return []

    # ------------------------------------------------------------------ places and organisations

    def _proper(self, toks: list[Token], a: int, b: int, joins: frozenset[str]) -> int:
        """Where the chain of capitalised words from a ends, small words inside names included."""
        i = a
        while i < b:
            t = toks[i]
            if t.kind == "q" and i == a:
                return i + 1
            if t.capital and t.kind == "w" and t.low not in ("i",):
                if t.low in self._months and i > a and (i + 1 >= b or toks[i + 1].kind == "n"):
                    break
                i += 1
            elif (
                i > a
                and (t.low in joins or t.low == "'s")
                and i + 1 < b
                and (toks[i + 1].capital or (toks[i + 1].low in joins and i + 2 < b and toks[i + 2].capital))
            ):
                i += 1
            elif (
                i > a
                and t.kind == "n"
                and i + 1 <= b
                and t.low.isdigit()
                and len(t.low) < 4
                or (
                    i == a
                    and t.kind == "n"
                    and i + 1 < b
                    and toks[i + 1].capital
                    and t.low.isalnum()
                    and not t.low.isdigit()
                )
            ):
                i += 1
            elif i > a and t.low == "." and i + 1 < b and toks[i + 1].capital:
                i += 1
            else:
                break
        return i

    _PLACE_JOINS = frozenset(
        "of de la del da do dos den der upon sur le les el al am an an-der über by the and-under &".split()
    )

    def _place(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x = a
        while x < b and (
            toks[x].low
            in (
                "the",
                "lovely",
                "beautiful",
                "sunny",
                "rainy",
                "downtown",
                "central",
                "my",
                "our",
                "north",
                "south",
                "east",
                "west",
                "northern",
                "southern",
                "eastern",
                "western",
                "upstate",
                "rural",
                "inner",
                "greater",
                "old",
                "good",
                "dear",
                "just",
                "right",
                "up",
                "down",
                "over",
                "both",
            )
            or toks[x].low in _MODIFIERS
        ):
            x += 1
        if (
            x < b
            and x > a
            and toks[x - 1].low
            in ("north", "south", "east", "west", "northern", "southern", "upstate", "greater", "central", "downtown")
            and toks[x].capital
        ):
            y = self._proper(toks, x, b, self._PLACE_JOINS)
            x -= 1
            return [Value(self._text(toks, x, y), x, y)] if y > x + 1 else []
        if x < b and toks[x].capital and toks[x].low not in self._months:
            y = self._proper(toks, x, b, self._PLACE_JOINS)
            if toks[x].low in ("german", "french", "english") and y == x + 1:
                return []
            if y + 1 < b and toks[y].low == "," and toks[y + 1].capital and (y + 2 >= b or toks[y + 2].kind == "p"):
                z = self._proper(toks, y + 1, b, self._PLACE_JOINS)
                follow = toks[z].low if z < b else ""
                if (
                    z <= y + 3
                    and follow not in ("and", "who", "is")
                    and not (follow == "," and toks[y + 1].low in self._lex["common"])
                ):
                    return [Value(self._text(toks, x, z), x, z)]
            return [Value(self._text(toks, x, y), x, y)]
        y = self._until(toks, x, b, _LOCATIVE_STOP)
        if x < y and toks[a].low in ("a", "an", "the") and toks[y - 1].low in _PLACE_HEADS and y - x <= 4:
            extra = y
            if y + 1 < b and toks[y].low in ("in", "near", "outside", "by", "of", "on") and toks[y + 1].capital:
                extra = self._proper(toks, y + 1, b, self._PLACE_JOINS)
                if toks[y].low == "in":
                    return [Value(self._text(toks, y + 1, extra), y + 1, extra)]
            return [Value(self._text(toks, a, extra), a, extra)]
        if (
            x < y <= x + 2
            and x == a
            and toks[x].text.islower()
            and not self.ordinary(toks[x].low)
            and toks[x].low not in _PLACE_HEADS
            and not toks[x].low.endswith(("ing", "ness", "ment", "ly"))
        ):
            if y == x + 2 and self.ordinary(toks[x + 1].low):
                return []
            return [Value(self._text(toks, x, y), x, y)]
        return []

    def _place_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A place by its name alone: in the list of well-known ones."""
        values = self._place(toks, a, b)
        return values if values and values[0].text.split()[0].rstrip(",").lower() in self._lex["places"] else []

    def _workplace(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A kind of place where people work: `a cinema`, `the library`."""
        values = self._org(toks, a, b)
        return [v for v in values if toks[v.b - 1].low in _ORG_HEADS]

    def _org_left(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one leaves or quits: a firm by name, no place, no club, no `the house`."""
        values = self._org(toks, a, b)
        if not values:
            return []
        v = values[0]
        words = {t.low for t in toks[v.a : v.b]}
        named = toks[v.a].capital or toks[v.a].kind == "q"
        if not named or toks[v.a].low in self._lex["places"] or words & _GROUP_HEADS or words & _SCHOOLISH:
            return []
        if v.b >= b or toks[v.b].kind != "w":
            return values
        after = toks[v.b]
        if after.low in ("home", "alone", "with", "in", "a", "behind", "at", "on", "me", "there") and after.low not in (
            "in",
            "on",
        ):
            return []
        if after.low in ("in", "on") and not (
            v.b + 1 < b and (toks[v.b + 1].low in self._months or toks[v.b + 1].kind == "n")
        ):
            return []
        function = self._lex["prepositions"] | self._lex["adverbs"] | self._lex["conjunctions"] | self._asides
        return values if after.low in function | {"last", "this", "two", "three", "next"} else []

    def _school_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._org(toks, a, b)
        words = set(values[0].text.lower().split()) if values else set()
        return values if words & _SCHOOLISH and values[0].text[0].isalpha() else []

    def _job_bare(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Without an article only what is a title beyond doubt: `head of fraud`, `CEO`, `team lead`."""
        x, _ = self._strip(toks, a, b)
        values = self._job(toks, x, b)
        if not values:
            return []
        words = [t.low for t in toks[values[0].a : values[0].b]]
        return values if words[-1] in self._lex["job_heads"] or "of" in words else []

    def _against(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`against microservices`: the word belongs to the decision."""
        return self._plan(toks, a, b) if toks[a].low == "against" else []

    def _siblings(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._family(toks, a, b, _SIBLING)

    def _food(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one does not eat: `pork` as the diet `no pork`."""
        return [Value(f"no {toks[i].low}", i, i + 1) for i in range(a, min(b, a + 6)) if toks[i].low in _FOOD]

    def _titled(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A title beyond doubt: quoted, or `The` and more capitals."""
        values = self._work(toks, a, b)
        return (
            values
            if values and (toks[a].kind == "q" or (toks[a].text == "The" and values[0].b - values[0].a >= 2))
            else []
        )

    def _possession_named(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`this Volvo`, `a Fairphone`: something with a brand's name. Degrees and shouted letters are none."""
        if toks[a].low not in ("a", "an", "this", "my", "our", "the"):
            return []
        y = self._until(toks, a, b, _LOCATIVE_STOP)
        x, y = self._strip(toks, a, y)
        if x >= y or y - x > 3 or not all(t.capital or t.kind == "n" for t in toks[x:y]) or toks[x].kind != "w":
            return []
        if (
            toks[x].text.isupper()
            or toks[x].low in ("phd", "bsc", "msc", "ba", "ma", "mba")
            or toks[x].low in self._lex["nationalities"]
        ):
            return []
        return (
            [Value(self._text(toks, x, y), x, y)]
            if y >= b or toks[y].kind == "p" or toks[y].low in ("for", "since", "and", "now")
            else []
        )

    def _vehicle_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._vehicle(toks, a, b)
        return [v for v in values if toks[v.b - 1].low in self._lex["vehicles"]]

    def _org_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._org(toks, a, b)
        return values if values and len(values[0].text.split()) > 1 and values[0].text[0].isupper() else []

    _ORG_JOINS = frozenset("of and & de la del for the + et und y van 's".split())

    def _org(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, b = self._strip(toks, a, b, keep=True)
        given = x < b and toks[x].low in self._articles
        while x < b and toks[x].low in self._articles | {
            "big",
            "large",
            "small",
            "local",
            "new",
            "huge",
            "tiny",
            "famous",
            "little",
            "great",
        }:
            if (
                toks[x].low in ("my", "his", "her", "their", "your")
                and x + 1 < b
                and not toks[x + 1].capital
                and toks[x + 1].low in ("desk", "own", "best", "self")
            ):
                return []
            x += 1
        if x >= b:
            return []
        if toks[x].kind == "q":
            return [Value(toks[x].low, x, x + 1)]
        if (
            toks[x].capital
            and toks[x].low not in self._months
            or (toks[x].kind == "n" and x + 1 < b and toks[x + 1].capital and not toks[x].low.isdigit())
        ):
            y = self._proper(toks, x, b, self._ORG_JOINS)
            if y < b and not toks[y].capital and toks[y].low in _ORG_HEADS:
                y += 1
            if toks[x].low in _NOT_ORG and y == x + 1:
                return []
            return [Value(self._text(toks, x, y), x, y)]
        y = self._until(toks, x, b, _LOCATIVE_STOP)
        x, y = self._strip(toks, x, y)
        if x >= y or y - x > 5 or toks[x].low in _NOT_ORG or toks[y - 1].low in _NOT_ORG:
            return []
        head = toks[y - 1].low
        if head in _ORG_HEADS or head.rstrip("s") in _ORG_HEADS:
            return [Value(self._text(toks, x, y), x, y)]
        if given and head in self._lex["vague"] | self._lex["evaluative"]:
            return []
        if (
            not given
            and y - x <= 2
            and not any(self.ordinary(t.low) for t in toks[x:y])
            and all(t.kind == "w" for t in toks[x:y])
            and toks[x].text.islower()
        ):
            if not head.endswith(("ing", "ness", "ment", "ly", "tion")):
                return [Value(self._text(toks, x, y), x, y)]
        return []

    def _school(self, toks: list[Token], a: int, b: int) -> list[Value]:
        values = self._org(toks, a, b)
        if not values:
            return []
        text = values[0].text
        words = set(text.lower().split())
        schoolish = words & (_SCHOOLISH | {"faculty", "campus", "gymnasium", "high", "grammar", "business"})
        return values if schoolish or text[0].isupper() else []

    def _group(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Clubs, choirs, teams: something whose head is a group."""
        out: list[Value] = []
        for x, y in self._chunks(toks, a, b):
            for i in range(x + 1, y):
                if toks[i].low in ("at", "in", "on", "with", "for", "to", "last", "this") and not (
                    i + 1 < y and toks[i].low in ("for",) and toks[i + 1].capital
                ):
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            while x < y and toks[x].low in ("local", "new"):
                x += 1
            if x >= y or y - x > 7:
                continue
            heads = {t.low for t in toks[x:y]} & _GROUP_HEADS
            if not heads and y < b and toks[y - 1].low in ("of",):
                continue
            named = heads or (
                all(t.capital or t.low in ("of", "the", "and", "&", "'s", "for") for t in toks[x:y])
                and y - x >= 2
                and any(t.text[-1:] == "s" for t in toks[x:y])
            )
            if toks[y - 1].low in ("group", "class", "team") and y - x == 1:
                continue
            if named:
                out.append(Value(self._text(toks, x, y), x, y))
        return out

    # ------------------------------------------------------------------ work

    def is_job(self, toks: list[Token], a: int, b: int) -> bool:
        """Does this noun phrase (its head last, or before `of`) name a profession?"""
        head = b - 1
        for i in range(a, b):
            if toks[i].low == "of" and i > a:
                head = i - 1
                break
        word = toks[head].low
        if word.endswith("s") and word[:-1] in self._lex["job_heads"]:
            word = word[:-1]
        lex = self._lex
        if (
            word in ("owner", "student", "manager", "partner")
            and head > a
            and toks[head - 1].low in ("dog", "cat", "pet", "home", "car", "a", "proud", "house")
        ):
            return False
        if word in lex["job_heads"]:
            return not (
                head - a == 0
                and word
                in (
                    "head",
                    "model",
                    "agent",
                    "boss",
                    "owner",
                    "hand",
                    "operator",
                    "chair",
                    "lead",
                    "principal",
                    "master",
                    "clown",
                    "monk",
                    "magician",
                    "spy",
                    "stunt",
                    "associate",
                )
                and head == b - 1
                and b - a == 1
                and word not in ("model", "spy", "monk", "principal", "magician", "clown")
            )
        if word in lex["not_jobs"] or word in lex["not_roles"] or word in lex["animals"]:
            return False
        if any(word.endswith(end) and len(word) > len(end) + 2 for end in lex["job_endings"]):
            return True
        return (
            word.endswith(("er", "or"))
            and len(word) > 5
            and not word.endswith(
                (
                    "eater",
                    "lover",
                    "ever",
                    "ither",
                    "lier",
                    "nier",
                    "sier",
                    "rier",
                    "pier",
                    "dier",
                    "mier",
                    "tier",
                    "her",
                    "ier",
                )
            )
        )

    def _job(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        begin = a
        stop = b
        for i in range(a, b):
            low = toks[i].low
            if (
                toks[i].kind == "p"
                and low in ",;:—()!?.[]"
                or low in _LOCATIVE_STOP - {"and", "over", "under", "like", "next", "up", "in", "on", "to"}
                or (i > a and low in ("in", "on", "to", "like"))
            ):
                stop = i
                break
        parts: list[tuple[int, int]] = []
        for i in range(begin, stop):
            if toks[i].low in ("and", "&", "slash", "/", "plus"):
                parts.append((begin, i))
                begin = i + 1
        parts.append((begin, stop))
        if stop < b and toks[stop].low == "," and stop + 1 < b and toks[stop + 1].low in ("a", "an") and False:
            parts.append((stop + 1, b))
        for x, y in parts:
            x, y = self._strip(toks, x, y)
            if any(t.low == "'s" for t in toks[x:y]):
                return out
            while x < y and toks[x].low.endswith("-year-old"):
                x += 1
            while x < y and (
                toks[x].low
                in (
                    "full-time",
                    "part-time",
                    "proud",
                    "new",
                    "fully",
                    "qualified",
                    "former",
                    "good",
                    "great",
                    "humble",
                    "mere",
                    "simple",
                    "professional",
                    "real",
                    "big",
                    "proper",
                    "certified",
                )
                or toks[x].low in self._lex["evaluative"]
                and toks[x].low != "special"
            ):
                if toks[x].low == "former":
                    return []
                x += 1
            if x >= y or y - x > 6 or not self.is_job(toks, x, y):
                if len(parts) > 1 and len(out) == 0 and y - x <= 3:
                    continue
                break
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _role(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What else someone is: `a twin`, `a feminist`. Judgements and figures of speech are none."""
        y = self._until(toks, a, b, _LOCATIVE_STOP | {"of"})
        x, y = self._strip(toks, a, y)
        if (
            x >= y
            or y - x > 3
            or (
                y < b
                and toks[y].low in ("of", "to", "for", "and", "at", "on", "with", "in", "when", "like", "who", "that")
            )
        ):
            return []
        head = toks[y - 1].low
        lex = self._lex
        if (
            head in lex["not_roles"]
            or head in lex["vague"]
            or head in lex["evaluative"]
            or head in lex["pronoun_objects"]
            or head in lex["diets"]
            or head in lex["nationalities"]
            or head in lex["animals"]
        ):
            return []
        if (
            any(t.low in lex["evaluative"] or t.low in lex["adverbs"] for t in toks[x:y])
            or toks[y - 1].kind != "w"
            or self.is_job(toks, x, y)
        ):
            return []
        known = head.endswith(("ist", "ian", "arian", "ic")) or head in (
            "smoker", "twin", "christian", "muslim", "jew", "buddhist", "hindu", "atheist", "vegetarian", "feminist", "scorpio", "libra", "virgo", "gemini",
            "capricorn", "aquarius", "pisces", "aries", "taurus", "leo", "cancer", "sagittarius", "widow", "widower", "orphan", "immigrant", "veteran", "refugee",
            "introvert", "extrovert", "lefty", "homeowner", "parent", "donor", "citizen", "catholic", "protestant", "quaker", "sikh", "bachelor", "divorcee",
            "insomniac", "teetotaller", "non-smoker", "nonsmoker", "ex-smoker", "owl", "virgin", "alcoholic", "mason", "scout", "reservist", "volunteer", "pensioner", "retiree",
        )  # fmt: skip
        return [Value(self._text(toks, x, y), x, y)] if known else []

    def _taught(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, _LOCATIVE_STOP)
        x, y = self._strip(toks, a, y)
        if (
            x >= y
            or y - x > 3
            or not self._good(toks, x, y)
            or toks[x].low in self._lex["possessives"]
            or toks[x].low in ("kids", "children", "people", "students", "classes", "lessons", "class", "how")
        ):
            return []
        if self.ordinary(toks[y - 1].low) and toks[y - 1].low not in (
            "art",
            "dance",
            "music",
            "dancing",
            "painting",
            "cooking",
            "reading",
            "swimming",
        ):
            return []
        return [Value(f"{self._text(toks, x, y)} teacher", x, y)]

    def _led(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What one runs or leads: something definite, not `running late`, not `running for office`."""
        first = toks[a]
        if not (first.capital or first.kind == "n" or first.low in self._articles | self._lex["numbers"]):
            return []
        return self._responsibility(toks, a, b)

    def _responsibility(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a + 1, b):
            if (
                toks[i].low
                in ("at", "in", "on", "with", "since", "from", "now", "while", "because", "as", "so", "which", "for")
                and toks[i].kind == "w"
            ):
                stop = i
                break
        values = self._list(toks, a, stop)
        out = []
        for v in values:
            head = toks[v.b - 1].low
            if (
                head
                in (
                    "errands",
                    "errand",
                    "marathon",
                    "marathons",
                    "late",
                    "race",
                    "km",
                    "miles",
                    "mile",
                    "5k",
                    "10k",
                    "everything",
                    "it",
                    "life",
                    "emotions",
                    "expectations",
                    "stress",
                    "time",
                    "risk",
                    "show",
                    "way",
                    "away",
                    "fast",
                    "tests",
                    "commands",
                    "linux",
                    "water",
                    "house",
                    "bath",
                    "times",
                    "k",
                    "joke",
                    "meetings",
                    "meeting",
                    "session",
                    "myself",
                    "lives",
                    "business",
                )
                and head != "business"
            ):
                continue
            if toks[v.a].kind == "n" and (
                v.b - v.a == 1 or toks[v.a + 1].low in ("km", "miles", "minutes", "k", "times")
            ):
                continue
            out.append(v)
        return out

    # ------------------------------------------------------------------ closed lists

    def _words_of(self, toks: list[Token], a: int, b: int, known: frozenset[str], limit: int = 12) -> list[Value]:
        out: list[Value] = []
        for x, y in self._chunks(toks, a, b):
            for i in range(x, min(y, x + limit)):
                if toks[i].low in known or (toks[i].low.endswith("s") and toks[i].low[:-1] in known):
                    out.append(Value(toks[i].text, i, i + 1))
                    break
        return out

    def _language(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low in self._lex["not_languages"]:
            return []
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            got = None
            for i in range(x, min(y, x + 6)):
                low = toks[i].low
                if (
                    low in self._lex["languages"]
                    and (
                        low not in ("sign", "latin", "polish", "georgian")
                        or toks[i].capital
                        or low == "polish"
                        or y - x > 1
                    )
                    or (toks[i].capital and low.endswith(("ish", "ese", "lish")) and len(low) > 4)
                ):
                    j = i + 1
                    if low == "sign" and j < y and toks[j].low == "language":
                        j += 1
                    k = i
                    if i > x and toks[i - 1].low in (
                        "brazilian",
                        "swiss",
                        "scottish",
                        "mandarin",
                        "haitian",
                        "american",
                        "british",
                    ):
                        k = i - 1
                    got = Value(self._text(toks, k, j), k, j)
                    break
            if got:
                out.append(got)
            elif index == 0:
                return []
            elif out and x + 1 == y and toks[x].capital and toks[x].low not in self._lex["common"]:
                out.append(Value(self._text(toks, x, y), x, y))
            else:
                break
        return out

    def _diet(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, min(b, a + 4))
        if (
            x < y
            and toks[x].low in self._lex["diets"]
            or x + 1 < y
            and toks[x].low in ("strict", "strictly", "ovo-lacto", "lifelong", "full", "lapsed", "committed")
            and toks[x + 1].low in self._lex["diets"]
        ):
            z = x + 1 if toks[x].low in self._lex["diets"] else x + 2
            nxt = toks[z].low if z < b else ""
            if (
                nxt
                and toks[z].kind == "w"
                and nxt
                not in (
                    "and",
                    "but",
                    "so",
                    "since",
                    "for",
                    "now",
                    "diet",
                    "too",
                    "as",
                    "because",
                    "again",
                    "at",
                    "these",
                    "lol",
                    "btw",
                    "in",
                    "anymore",
                    "any",
                    "who",
                    "like",
                    "either",
                    "when",
                    "if",
                    "or",
                    "though",
                    "last",
                    "this",
                    "food",
                    "by",
                    "until",
                    "from",
                    "before",
                    "while",
                    "actually",
                    "myself",
                    "herself",
                    "himself",
                    "years",
                    "with",
                    "after",
                    "six",
                    "two",
                    "during",
                    "and/or",
                )
            ):
                return []
            return [Value(toks[z - 1].text.lower() if toks[z - 1].text[0].isupper() else toks[z - 1].text, z - 1, z)]
        if (
            x + 1 < y
            and toks[x].low in ("gluten", "dairy", "lactose", "sugar", "plant")
            and toks[x + 1].low in ("free", "based", "intolerant")
            and toks[x + 1].low != "intolerant"
        ):
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        return []

    def _nationality(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        while x < y and toks[x].low in ("half", "part", "originally"):
            x += 1
        if x >= y or toks[x].low not in self._lex["nationalities"]:
            return []
        nxt = toks[x + 1].low if x + 1 < b else ""
        if (
            nxt
            and toks[x + 1].kind == "w"
            and nxt
            not in (
                "and",
                "but",
                "by",
                "so",
                "not",
                "btw",
                "too",
                "originally",
                "on",
                "though",
                "now",
                "living",
                "who",
                "actually",
                "citizen",
            )
        ):
            return []
        if not toks[x].capital and toks[x].low in ("polish", "kiwi", "danish", "finish", "turkish"):
            return []
        return [Value(toks[x].text, x, x + 1)]

    def _animal(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._pets(toks, a, b, strict=False)

    def _animal_strict(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low not in ("a", "an", "another", "two", "three", "our", "my", "new") and toks[a].kind != "n":
            return []
        return self._pets(toks, a, b, strict=True)

    def _pets(self, toks: list[Token], a: int, b: int, *, strict: bool) -> list[Value]:
        """`a cat called Tom` is Tom; `two rabbits called Salt and Pepper` both; `3 cats, 2 ferrets` each."""
        out: list[Value] = []
        stop = b
        for i in range(a, b):
            if toks[i].kind == "p" and toks[i].low in ";:—!?." or toks[i].low in _STOP_MARKERS - {"so", "as"} and i > a:
                stop = i
                break
        begin = a
        i = a
        animals = self._lex["animals"]
        if (
            a + 2 < b and toks[a].capital and toks[a + 1].low in ("(", "-") and toks[a + 2].low in animals
        ):  # `Bruno (dog), Kit (cat)`
            for k in range(a, stop - 2):
                if toks[k].capital and toks[k + 1].low in ("(", "-") and toks[k + 2].low in animals:
                    out.append(Value(toks[k].text, k, k + 1))
            return out
        while i < stop:
            j = i
            while j < stop and not (toks[j].kind == "p" and toks[j].low in ",&") and toks[j].low not in ("and", "plus"):
                j += 1
            found = None
            for k in range(i, min(j, i + 7)):
                low = toks[k].low
                singular = low[:-1] if low.endswith("s") else low
                if (
                    low in animals
                    or singular in animals
                    or (low.endswith("ies") and low[:-3] + "y" in animals)
                    or low in ("mice", "geese", "kittens", "puppies", "fishes", "wolves")
                ) and not (low == "mouse" and k > i and toks[k - 1].low in ("wireless", "computer")):
                    found = k
                if toks[k].low in (
                    "called",
                    "named",
                    "in",
                    "on",
                    "at",
                    "for",
                    "with",
                    "from",
                    "who",
                    "that",
                    "of",
                    "(",
                    "since",
                    "to",
                    "as",
                ):
                    break
            if found is None:
                if begin == i:
                    return []
                break
            if (
                found + 1 < j
                and toks[found + 1].kind == "w"
                and toks[found + 1].low
                in (
                    "food",
                    "person",
                    "people",
                    "lover",
                    "lovers",
                    "hair",
                    "allergy",
                    "bed",
                    "toys",
                    "house",
                    "park",
                    "show",
                    "shelter",
                    "walker",
                    "day",
                    "club",
                    "video",
                    "videos",
                    "pictures",
                    "cafe",
                    "tank",
                    "cage",
                    "fan",
                    "sitter",
                    "vet",
                    "shop",
                    "picture",
                    "burger",
                    "curry",
                    "soup",
                    "pose",
                    "salad",
                    "sandwich",
                    "wings",
                    "nuggets",
                    "years",
                    "treats",
                    "training",
                    "trainer",
                    "breeder",
                )
            ):
                return out
            at = found + 1
            if at < stop and toks[at].low == ",":
                at += 1
            names: list[Value] = []
            if (
                at < stop
                and toks[at].low in ("called", "named", "-", "(", ":")
                or (at < stop and toks[at].capital and at > found)
            ):
                n = at + 1 if toks[at].low in ("called", "named", "-", "(", ":") else at
                loose = n > at and toks[at].low in ("called", "named")
                while n < stop:
                    e = n
                    while (
                        e < stop
                        and toks[e].kind == "w"
                        and (
                            toks[e].capital
                            or (loose and e == n and toks[e].text.islower() and not self.ordinary(toks[e].low))
                        )
                    ):
                        e += 1
                    if toks[n].kind == "q":
                        e = n + 1
                    if e == n:
                        break
                    names.append(Value(self._text(toks, n, e), n, e))
                    if (
                        e + 1 < stop
                        and (toks[e].low in (",", "and", "&"))
                        and toks[e + 1].capital
                        or (e + 2 < stop and toks[e].low == "," and toks[e + 1].low == "and" and toks[e + 2].capital)
                    ):
                        n = e + 1 if toks[e + 1].low != "and" else e + 2
                        continue
                    n = e
                    break
                if names:
                    j = max(j, n)
            if names:
                out += names
            else:
                x, y = self._strip(toks, i, found + 1)
                while (
                    x < y
                    and toks[x].kind == "w"
                    and toks[x].low
                    in ("very", "loud", "lovely", "new", "own", "really", "pet", "cute", "old", "little", "big", "tiny")
                ):
                    x += 1
                x = min(x, found)
                out.append(Value(self._text(toks, x, found + 1), x, found + 1))
            i = j
            while i < stop and (toks[i].kind == "p" and toks[i].low in ",&)" or toks[i].low in ("and", "plus")):
                i += 1
            if i == begin:
                break
            if (
                names
                and i < stop
                and toks[i].kind == "w"
                and j < i
                and not any(t.low in animals or t.low.rstrip("s") in animals for t in toks[i : min(i + 4, stop)])
            ):
                break
        return out

    def _vehicle(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if b - a >= 1 and toks[a].low in (
            "me",
            "him",
            "her",
            "them",
            "us",
            "you",
            "home",
            "everyone",
            "kids",
            "people",
            "it",
            "past",
            "by",
            "up",
            "down",
            "away",
            "off",
            "through",
            "over",
            "fast",
            "safe",
            "carefully",
            "to",
            "from",
            "around",
            "too",
            "back",
            "there",
        ):
            return []
        given = toks[a].low in self._articles
        x, y = a, self._until(toks, a, b, _LOCATIVE_STOP - {"and"} | {"called", "named", "cross-country"})
        for i in range(x, y):
            if toks[i].low == "and":
                y = i
                break
        x, y = self._strip(toks, x, y)
        if x >= y or y - x > 6:
            return []
        if toks[y - 1].low in self._lex["vehicles"]:
            return [Value(self._text(toks, x, y), x, y)] if given or y - x > 1 or toks[x].kind == "n" else []
        if given and any(t.capital or t.kind in "nx" for t in toks[x:y]):
            return [Value(self._text(toks, x, y), x, y)]
        if (
            given
            and y - x <= 2
            and toks[y - 1].text.islower()
            and not self.ordinary(toks[y - 1].low)
            and toks[y - 1].kind == "w"
            and toks[a].low in ("a", "an")
        ):
            return [Value(self._text(toks, x, y), x, y)]
        return []

    def _device(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low not in ("a", "an") and toks[a].kind != "n":
            return []
        y = self._until(toks, a, b, _LOCATIVE_STOP)
        x, y = self._strip(toks, a, y)
        return (
            [Value(self._text(toks, x, y), x, y)]
            if x < y <= x + 4 and toks[y - 1].low in self._lex["devices"] and y - x > 1
            else []
        )

    def _condition(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        known = self._lex["conditions"]
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            x, y = self._strip(toks, x, y)
            stop = y
            for i in range(x + 1, y):
                if toks[i].low in ("in", "for", "with", "from", "on", "about", "at", "as", "to"):
                    stop = i
                    break
            y = stop
            hit = next(
                (
                    i
                    for i in range(x, y)
                    if toks[i].low in known
                    or toks[i].low.endswith(("itis", "osis", "emia", "aemia", "algia", "phobia", "pathy"))
                    or (toks[i].low in ("underactive", "overactive") and i + 1 < y)
                ),
                None,
            )
            if hit is None or y - x > 6:
                if index == 0:
                    return []
                break
            if toks[x].low in ("no", "high", "low") and toks[hit].low not in ("pressure", "cholesterol"):
                return out
            if (
                toks[hit].low
                in (
                    "pressure",
                    "condition",
                    "allergy",
                    "allergies",
                    "add",
                    "disorder",
                    "disease",
                    "syndrome",
                    "chronic",
                    "intolerance",
                )
                and y - x < 2
            ):
                continue
            if toks[hit].low in ("pressure",) and "blood" not in {t.low for t in toks[x:y]}:
                continue
            if toks[hit].low in ("condition",) and not {t.low for t in toks[x:y]} & {
                "heart",
                "skin",
                "medical",
                "thyroid",
                "lung",
                "kidney",
                "liver",
            }:
                continue
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _condition_adjective(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        if x < y and toks[x].low in self._lex["adjective_conditions"]:
            nxt = toks[x + 1] if x + 1 < y else None
            if (
                nxt is None
                or nxt.kind == "p"
                or nxt.low in ("and", "so", "since", "in", "but", "now", "too", "as", "because")
            ):
                return [Value(toks[x].text, x, x + 1)]
            return []
        if (
            x + 1 < y
            and toks[x].low in ("lactose", "gluten", "histamine", "fructose")
            and toks[x + 1].low == "intolerant"
        ):
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        if (
            x + 1 < y
            and toks[x].low in ("colour", "color", "partially", "legally", "hard")
            and toks[x + 1].low in ("blind", "deaf", "sighted")
        ):
            return [Value(self._text(toks, x, x + 2), x, x + 2)]
        return []

    def _medicine(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        for x, y in self._chunks(toks, a, b):
            for i in range(x + 1, y):
                if (
                    toks[i].low
                    in (
                        "for",
                        "every",
                        "in",
                        "daily",
                        "twice",
                        "once",
                        "at",
                        "to",
                        "each",
                        "before",
                        "after",
                        "on",
                        "anyway",
                        "with",
                        "since",
                        "a",
                        "as",
                        "because",
                    )
                    or toks[i].kind == "n"
                ):
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            while x < y and (toks[x].kind == "n" or toks[x].low in ("mg", "tablets", "of", "low-dose", "dose")):
                x += 1
            if x >= y or y - x > 3 or not any(self._is_medicine(t.low) for t in toks[x:y]):
                if not out:
                    return []
                continue
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _is_medicine(self, low: str) -> bool:
        return low in _MED_WORDS or (
            len(low) > 5
            and low.endswith(_MEDS_END)
            and low not in _NOT_MEDS
            and not self.ordinary(low)
            and not low.endswith(
                (
                    "tion",
                    "ing",
                    "line",
                    "site",
                    "phone",
                    "side",
                    "zone",
                    "time",
                    "mine",
                    "stone",
                    "chine",
                    "gate",
                    "mate",
                    "plate",
                    "date",
                    "rate",
                    "state",
                    "school",
                    "stool",
                    "pool",
                )
            )
        )

    def _medicine_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, _ = self._strip(toks, a, b)
        return self._medicine(toks, a, b) if x < b and self._is_medicine(toks[x].low) else []

    def _playable(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Instruments, sports and games. After `the` anything with a plain name may be an instrument."""
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            article = toks[x].low in ("the", "a", "an")
            for i in range(x + 1, y):
                if toks[i].low in (
                    "in",
                    "with",
                    "for",
                    "at",
                    "on",
                    "every",
                    "against",
                    "since",
                    "as",
                    "to",
                    "from",
                    "professionally",
                    "when",
                    "together",
                    "twice",
                    "by",
                    "during",
                    "like",
                    "while",
                    "after",
                    "again",
                    "online",
                    "competitively",
                    "a",
                    "the",
                ):
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            if x >= y or y - x > 3:
                break
            known = any(t.low in self._lex["instruments"] or t.low in self._lex["games"] for t in toks[x:y])
            head = toks[y - 1].low
            if not known and head in (
                "role",
                "part",
                "games",
                "game",
                "tricks",
                "trick",
                "fool",
                "card",
                "song",
                "songs",
                "music",
                "show",
                "gig",
                "gigs",
                "lead",
                "victim",
                "field",
                "system",
                "market",
                "long",
                "waiting",
                "villain",
                "hero",
                "host",
                "devil",
                "piece",
                "cards",
                "fetch",
                "it",
                "radio",
                "video",
                "audio",
                "track",
                "album",
                "role",
                "around",
                "nice",
                "fair",
                "safe",
                "dead",
                "along",
                "out",
            ):
                if head in ("cards", "games") and y - x == 2 and toks[x].low in ("board", "video", "card", "computer"):
                    known = True
                else:
                    return out
            if not known and (
                not (article or out or toks[x].capital) or self.ordinary(head) or not self._good(toks, x, y)
            ):
                if index == 0:
                    return []
                break
            if not known and toks[x].low in self._lex["possessives"]:
                return out
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _playable_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        if x < y and any(
            t.low in self._lex["instruments"] or t.low in self._lex["games"] for t in toks[x : min(y, x + 2)]
        ):
            return self._playable(toks, x, y)
        return []

    # ------------------------------------------------------------------ open phrases

    def _liking(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """What people like: things and activities, not `it`, not `to be honest`, not a clause."""
        x = a
        if toks[x].low == "to" and x + 1 < b:
            x += 1
            if toks[x].low in (
                "be",
                "see",
                "hear",
                "think",
                "know",
                "say",
                "have",
                "get",
                "help",
                "find",
                "make",
                "keep",
                "meet",
                "share",
                "chat",
                "talk",
                "catch",
                "do",
                "go",
                "come",
                "give",
                "take",
                "tell",
                "try",
                "show",
                "feel",
                "let",
                "start",
                "use",
                "put",
                "ask",
            ):
                return []
        first = toks[x].low
        if first in (
            "your",
            "you",
            "his",
            "her",
            "their",
            "its",
            "that",
            "this",
            "those",
            "these",
            "being",
            "having",
            "when",
            "how",
            "what",
            "it",
            "seeing",
            "hearing",
            "getting",
            "the",
            "knowing",
            "where",
            "every",
            "each",
            "all",
            "any",
            "both",
            "one",
            "another",
            "a",
            "an",
            "my",
            "our",
            "such",
            "more",
            "most",
        ) and first not in ("the", "a", "an", "my", "our"):
            return []
        if first == "the" and not any(t.capital or t.low in _THE_LIKED for t in toks[x + 1 : b]):
            return []
        if (
            first == "the"
            and x + 1 < b
            and toks[x + 1].low
            in (
                "idea",
                "way",
                "fact",
                "look",
                "sound",
                "photo",
                "picture",
                "pic",
                "vibe",
                "vibes",
                "energy",
                "design",
                "story",
                "place",
                "thought",
                "enthusiasm",
                "name",
                "color",
                "colors",
                "one",
                "ones",
                "same",
                "new",
                "quote",
                "view",
                "result",
                "results",
                "feeling",
                "process",
                "challenge",
                "support",
                "experience",
                "painting",
                "message",
            )
        ):
            return []
        if (
            first in ("a", "an")
            and x + 1 < b
            and toks[x + 1].low not in ("good", "nice", "cold", "strong", "proper", "hot")
        ):
            return []
        if (
            first in ("my", "our")
            and x + 1 < b
            and not toks[x + 1].low.endswith(("coffee", "tea", "steak", "eggs", "job", "work"))
        ):
            return []
        values = self._list(toks, x, b)
        values = [v for v in values if not any(t.low in _POINTING for t in toks[v.a : v.b])]
        return [
            v
            for v in values
            if toks[v.b - 1].low not in ("so", "much", "fan", "lover")
            and not (v.b - v.a == 1 and toks[v.a].low in self._lex["adverbs"])
        ]

    def _preference(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a + 1, b):
            if (
                toks[i].low in ("to", "over", "rather", "instead", "than", "for", "when", "because")
                and toks[i].kind == "w"
                and not (toks[i].low == "to" and i == a)
            ):
                stop = i
                break
        x = a + 1 if toks[a].low == "to" else a
        if toks[x].low in ("not",):
            return []
        values = self._list(toks, x, stop)
        return values[:1] if values else []

    def _possession(self, toks: list[Token], a: int, b: int) -> list[Value]:
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            given = (
                toks[x].low
                in (
                    "a",
                    "an",
                    "the",
                    "my",
                    "our",
                    "his",
                    "her",
                    "their",
                    "some",
                    "two",
                    "three",
                    "four",
                    "five",
                    "another",
                    "new",
                    "one",
                    "several",
                )
                or toks[x].kind == "n"
                or bool(out)
                or (index == 0 and toks[a].low == "one")
            )
            for i in range(x + 1, y):
                if toks[i].low in (
                    "for",
                    "in",
                    "on",
                    "at",
                    "from",
                    "to",
                    "with",
                    "that",
                    "about",
                    "by",
                    "last",
                    "called",
                    "because",
                    "as",
                    "off",
                    "during",
                    "yesterday",
                    "before",
                    "today",
                ):
                    y = i
                    break
            x, y = self._strip(toks, x, y)
            while x < y and toks[x].low in ("new", "own", "brand", "brand-new", "second-hand", "used") and y - x > 1:
                if toks[x].low in ("second-hand", "used"):
                    break
                x += 1
            while x < y and toks[x].low in ("one", "(", ")") and y - x > 1:
                x += 1
            if (
                x >= y
                or y - x > 6
                or not self._good(toks, x, y)
                or (not given and not any(t.capital for t in toks[x:y]) and not out)
            ):
                if (
                    not given
                    and x < y <= x + 3
                    and index == 0
                    and toks[y - 1].low.endswith("s")
                    and not self.ordinary(toks[y - 1].low)
                    and y - x >= 2
                ):
                    out.append(Value(self._text(toks, x, y), x, y))
                    continue
                if index == 0:
                    return []
                break
            if toks[y - 1].low in (
                "it",
                "mind",
                "luck",
                "time",
                "ticket",
                "tickets",
                "lunch",
                "dinner",
                "breakfast",
                "drinks",
                "coffee",
                "beer",
                "groceries",
                "way",
                "lot",
                "bit",
                "few",
                "groceries",
                "place",
                "weight",
                "job",
                "touch",
                "hope",
                "game",
                "match",
                "soul",
                "show",
                "business",
                "stuff",
                "things",
                "food",
            ):
                continue
            out.append(Value(self._text(toks, x, y), x, y))
        return out

    def _tool(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a + 1, b):
            if (
                toks[i].low
                in (
                    "for",
                    "to",
                    "on",
                    "with",
                    "in",
                    "at",
                    "from",
                    "as",
                    "instead",
                    "when",
                    "because",
                    "every",
                    "over",
                    "by",
                    "since",
                    "these",
                    "it",
                    "during",
                    "this",
                    "rather",
                )
                and toks[i].kind == "w"
            ):
                stop = i
                break
        if toks[a].low in ("to", "this", "that", "these", "those", "your", "more", "less"):
            return []
        values = self._list(toks, a, stop)
        out = []
        for v in values:
            head = toks[v.b - 1].low
            if toks[v.a - 1].low in ("your", "their", "his", "her", "my") and v.a - 1 >= a and not toks[v.a].capital:
                continue
            if (
                head in self._lex["vague"]
                or head
                in (
                    "time",
                    "help",
                    "support",
                    "break",
                    "advice",
                    "word",
                    "words",
                    "skills",
                    "platform",
                    "voice",
                    "talent",
                    "talents",
                    "money",
                    "hand",
                    "hands",
                    "experience",
                    "energy",
                    "power",
                    "imagination",
                    "opportunity",
                    "coffee",
                    "bathroom",
                    "loo",
                    "toilet",
                    "person",
                    "people",
                    "hug",
                    "chance",
                    "excuse",
                    "idea",
                    "sense",
                    "everything",
                    "past",
                    "love",
                    "hobby",
                    "passion",
                    "music",
                    "dance",
                    "art",
                    "writing",
                )
                and not toks[v.b - 1].capital
            ):
                if head == "coffee" and out:
                    continue
                if not out:
                    return []
                continue
            if toks[v.a].low in ("too", "way", "much", "so"):
                continue
            out.append(v)
        return out

    def _tool_known(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, _ = self._strip(toks, a, b)
        if x < b and (toks[x].low in _TOOL_KNOWN or (toks[x].capital and toks[x].low in _TOOL_NAMES)):
            return self._tool(toks, a, b)
        return []

    def _tool_named(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """A tool by its name: well known, or with a capital."""
        x, _ = self._strip(toks, a, b)
        return self._tool(toks, a, b) if x < b and (toks[x].capital or toks[x].low in _TOOL_KNOWN) else []

    def _os(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._words_of(toks, a, min(b, a + 3), _OS)

    def _field(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, _LOCATIVE_STOP - {"and"} | {"over", "under", "every", "more", "hard", "abroad"})
        x, y = self._strip(toks, a, y)
        if x >= y or y - x > 4 or not self._good(toks, x, y):
            return []
        head = toks[y - 1].low
        if head in (
            "exam",
            "exams",
            "test",
            "finals",
            "abroad",
            "hard",
            "lot",
            "student",
            "late",
            "home",
            "effects",
            "notes",
            "map",
            "menu",
            "degree",
            "options",
            "school",
            "college",
            "degree",
            "sleep",
            "books",
            "material",
            "rules",
            "script",
            "film",
            "more",
            "year",
            "bus",
            "a",
        ):
            return []
        if (
            y - x == 1
            and head.endswith("s")
            and not head.endswith(("ics", "ss"))
            and head not in ("arts", "maths", "languages", "classics", "humanities")
        ):
            return []
        if toks[x].low in ("for", "the", "hard") or (toks[x].low in self._lex["languages"] and False):
            return []
        if any(t.kind != "w" for t in toks[x:y]) or toks[x].low in self._lex["places"]:
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _destination(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Places one travels to: names, not `the gym`."""
        out: list[Value] = []
        for index, (x, y) in enumerate(self._chunks(toks, a, b)):
            while x < y and (
                toks[x].low in ("the", "lovely", "beautiful", "sunny", "rainy", "my", "our", "both", "old")
                or toks[x].low in _MODIFIERS
            ):
                x += 1
            if x >= y:
                break
            z = self._proper(toks, x, y, self._PLACE_JOINS)
            if z == x:
                if (
                    index == 0
                    and y - x == 1
                    and toks[x].text.islower()
                    and not self.ordinary(toks[x].low)
                    and toks[a].low not in self._articles
                    and not toks[x].low.endswith(("ing", "s", "ment"))
                ):
                    z = y
                else:
                    break
            if toks[x].low in self._months or toks[x].low in ("mum", "mom", "dad"):
                break
            if z < y and toks[z].low == "'s":
                break
            if (
                z < y
                and toks[z].kind == "w"
                and not toks[z].capital
                and toks[z].low not in self._lex["prepositions"]
                and toks[z].low not in self._lex["adverbs"]
                and toks[z].low not in self._asides
                and toks[z].low
                not in ("this", "next", "last", "every", "a", "two", "three", "yet", "trip", "twice", "six", "once")
            ):
                break
            out.append(Value(self._text(toks, x, z), x, z))
        return out

    def _occasion(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = b
        for i in range(a + 1, b):
            if toks[i].low in (
                "with",
                "during",
                "last",
                "this",
                "yesterday",
                "at",
                "and",
                ",",
                "to",
                "because",
                "where",
                "which",
                "as",
                "so",
                "in",
                "on",
                "today",
                "for",
                "that",
                "tonight",
                "but",
            ) and not (toks[i].low in ("and", "for") and i + 1 < b and toks[i + 1].capital):
                y = i
                break
        given = a
        x, y = self._strip(toks, a, y)
        if x >= y or y - x > 7 or not self._good(toks, x, y):
            return []
        words = {t.low for t in toks[x:y]} | {t.low.rstrip("s") for t in toks[x:y]}
        if toks[given].low in ("this", "that", "your", "these") and y - x < 2:
            return []
        return [Value(self._text(toks, x, y), x, y)] if words & _EVENT_HEADS else []

    def _work(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Titles of books and films: quoted, or with capitals."""
        x = a
        while (
            x < b
            and (
                toks[x].low
                in (
                    "a",
                    "an",
                    "my",
                    "some",
                    "this",
                    "that",
                    "our",
                    "book",
                    "novel",
                    "film",
                    "movie",
                    "new",
                    "called",
                    "titled",
                    "series",
                    "show",
                    "documentary",
                    "first",
                    "second",
                    "last",
                )
                or toks[x].low in _MODIFIERS
            )
            and not (toks[x].capital)
        ):
            x += 1
        if x < b and toks[x].low == "the" and not toks[x].capital and x + 1 < b:
            if toks[x + 1].low in ("book", "novel", "film", "movie", "series", "show", "documentary", "trilogy"):
                x += 2
                if x < b and toks[x].low in ("called", "titled"):
                    x += 1
            elif toks[x + 1].capital:
                x += 1
        if x >= b:
            return []
        if toks[x].kind == "q":
            if toks[x].low.lower() in self._lex["pronoun_objects"] or not toks[x].low.strip():
                return []
            out = [Value(toks[x].low, x, x + 1)]
            j = x + 1
            while j + 1 < b and toks[j].low in (",", "and", "&"):
                j += 1
                if toks[j].kind == "q":
                    out.append(Value(toks[j].low, j, j + 1))
                    j += 1
            return out
        y = x
        while y < b:
            t = toks[y]
            if (
                t.capital
                or t.kind == "n"
                or (
                    y > x
                    and (t.low in _TITLE_SMALL or t.low in ("'s", "&", ":", "-"))
                    and y + 1 < b
                    and (toks[y + 1].capital or toks[y + 1].low in _TITLE_SMALL and y + 2 < b and toks[y + 2].capital)
                )
            ):
                if y > x and t.low in ("with", "at", "by", "on", "in", "from", "to") and not t.capital:
                    break
                if t.capital and t.low in self._months and y > x and False:
                    break
                y += 1
            else:
                break
        if y > x and y < b and toks[y].low in _BOOKISH:
            y += 1
        if y == x or (
            y - x == 1
            and (
                toks[x].kind == "n"
                or toks[x].low in self._lex["common"]
                or toks[x].low in ("i", "english", "netflix", "youtube", "tv")
            )
        ):
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _film(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`saw Anna` is no film: only a quoted title, or `the film X`."""
        if toks[a].kind == "q" or (
            toks[a].low in ("the", "a")
            and a + 1 < b
            and toks[a + 1].low in ("film", "movie", "musical", "play", "show", "series")
        ):
            return self._work(toks, a, b)
        return []

    def _book(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].kind == "q" or any(t.low in _BOOKISH for t in toks[a : min(b, a + 8)]):
            return self._work(toks, a, b)
        return []

    def _learnable(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        if toks[a].low in ("that", "about", "from"):
            return []
        for i in range(a + 1, b):
            if (
                toks[i].low
                in (
                    "from",
                    "for",
                    "with",
                    "at",
                    "in",
                    "about",
                    "online",
                    "because",
                    "that",
                    "by",
                    "on",
                    "since",
                    "every",
                    "as",
                    "and",
                    "when",
                )
                and toks[i].low != "and"
            ):
                stop = i
                break
        x, y = self._strip(toks, a, stop)
        for i in range(x, y):
            if toks[i].kind == "p":
                y = i
                break
        if x >= y or y - x > 5 or not self._good(toks, x, y):
            return []
        if toks[x].low in (
            "about",
            "that",
            "from",
            "more",
            "lot",
            "lots",
            "new",
            "valuable",
            "important",
            "my",
            "lesson",
            "lessons",
            "hard",
            "much",
            "so",
            "a",
            "love",
            "be",
            "accept",
            "appreciate",
            "trust",
            "deal",
            "embrace",
            "cope",
            "live",
            "let",
            "say",
            "take",
            "have",
            "stay",
            "value",
            "listen",
            "balance",
            "believe",
            "not",
            "always",
            "keep",
            "just",
            "the",
            "share",
            "manage",
            "express",
        ):
            return []
        if toks[y - 1].low in (
            "lesson",
            "lessons",
            "things",
            "stuff",
            "skills",
            "way",
            "hard",
            "techniques",
            "tricks",
            "ropes",
            "moves",
            "recipes",
            "place",
            "strength",
        ):
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _skillverb(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._learnable(toks, a, b)

    def _undertaking(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """Things begun and finished that are worth a fact: studies, businesses, works with a name."""
        stop = b
        for i in range(a + 1, b):
            if (
                toks[i].low
                in (
                    "with",
                    "last",
                    "this",
                    "yesterday",
                    "at",
                    "because",
                    "which",
                    "as",
                    "so",
                    "today",
                    "that",
                    "but",
                    "and",
                    "to",
                    "when",
                    "about",
                )
                or toks[i].kind == "p"
            ):
                stop = i
                break
        x, y = self._strip(toks, a, stop)
        if x >= y or y - x > 7 or not self._good(toks, x, y):
            return []
        heads = {t.low for t in toks[x:y]}
        worth = heads & {
            "degree",
            "phd",
            "master",
            "masters",
            "thesis",
            "dissertation",
            "book",
            "novel",
            "course",
            "training",
            "apprenticeship",
            "business",
            "company",
            "startup",
            "start-up",
            "shop",
            "store",
            "bakery",
            "café",
            "cafe",
            "restaurant",
            "podcast",
            "blog",
            "channel",
            "school",
            "studio",
            "marathon",
            "migration",
            "project",
            "nonprofit",
            "charity",
            "foundation",
            "band",
            "club",
            "chemotherapy",
            "therapy",
            "residency",
            "internship",
            "program",
            "programme",
            "certification",
            "manuscript",
            "album",
            "screenplay",
            "script",
            "bootcamp",
            "clinic",
            "practice",
            "farm",
            "line",
            "family",
            "campaign",
            "exam",
            "exams",
            "report",
            "diploma",
            "sabbatical",
            "diet",
        }
        if not worth:
            return []
        return [Value(self._text(toks, x, y), x, y)]

    def _exam(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, _LOCATIVE_STOP)
        x, y = self._strip(toks, a, y)
        return [Value(self._text(toks, x, y), x, y)] if x < y <= x + 5 and toks[y - 1].low in _EXAM else []

    def _wish(self, toks: list[Token], a: int, b: int) -> list[Value]:
        if toks[a].low in ("to",):
            return []
        if toks[a].low not in ("a", "an", "another") and not toks[a].kind == "n":
            return []
        if toks[a].low in ("some",):
            return []
        y = self._until(toks, a, b, frozenset("for to so because that who which if when with as but and since".split()))
        x, _ = self._strip(toks, a, y)
        if (
            x >= y
            or y - x > 6
            or toks[y - 1].low in self._lex["vague"]
            or toks[x].low
            in (
                "break",
                "hug",
                "word",
                "bit",
                "lot",
                "moment",
                "minute",
                "sec",
                "second",
                "chance",
                "reminder",
                "favour",
                "favor",
                "hand",
                "drink",
                "refund",
                "nap",
                "snack",
                "few",
            )
        ):
            return []
        if toks[y - 1].low in (
            "hand",
            "break",
            "help",
            "drink",
            "favour",
            "favor",
            "sec",
            "minute",
            "nap",
            "hug",
            "difference",
            "impact",
            "change",
            "reminder",
            "space",
            "life",
            "world",
        ):
            return []
        return [Value(self._text(toks, a, y), a, y)]

    def _plan(self, toks: list[Token], a: int, b: int) -> list[Value]:
        stop = b
        for i in range(a, b):
            if (
                toks[i].kind == "p"
                and toks[i].low in ";:—()!?."
                or (
                    i > a
                    and toks[i].low
                    in (
                        "because",
                        "so",
                        "which",
                        "but",
                        "although",
                        "though",
                        "if",
                        "unless",
                        "when",
                        "while",
                        "and",
                        "where",
                    )
                )
            ):
                stop = i
                break
            if toks[i].low == "," and i > a:
                stop = i
                break
        _, y = self._strip(toks, a, stop, keep=True)
        x = a
        if x >= y or not self._good(toks, x, y, prepositions=True):
            return []
        if toks[x].low in ("it", "that", "this", "what", "me", "you"):
            return []
        y = min(y, x + 14)
        return [Value(self._text(toks, x, y), x, y)]

    def _children(self, toks: list[Token], a: int, b: int) -> list[Value]:
        """`two kids`, `a son`, `twin boys`."""
        if toks[a].low in ("twins", "kids", "children", "triplets") and (
            a + 1 >= b or toks[a + 1].kind == "p" or toks[a + 1].low in ("and", "now")
        ):
            return [Value(toks[a].text, a, a + 1)]
        return self._family(toks, a, b, _CHILD)

    def _family(self, toks: list[Token], a: int, b: int, words: frozenset[str]) -> list[Value]:
        for i in range(a, min(b, a + 5)):
            if (
                toks[i].low in words
                and i > a
                and (
                    toks[a].low in self._lex["numbers"]
                    or toks[a].low in ("a", "an", "twin", "my", "our", "no")
                    or toks[a].kind == "n"
                )
            ):
                if (
                    i + 1 < b
                    and toks[i + 1].kind == "w"
                    and toks[i + 1].low
                    in ("menu", "room", "party", "books", "book", "meal", "class", "camp", "program")
                ):
                    return []
                if toks[a].low in ("my", "our"):
                    return []
                x = a + 1 if toks[a].low in ("a", "an") else a
                j = i + 1
                if j + 1 < b and toks[j].low in ("called", "named", ","):
                    k = self._people.name_at(toks, j + 1)
                    names = []
                    at = j + 1
                    while k > at:
                        names.append(Value(self._text(toks, at, k), at, k))
                        if k + 1 < b and toks[k].low in ("and", ",", "&") and toks[k + 1].capital:
                            at = k + 1
                            k = self._people.name_at(toks, at)
                        else:
                            break
                    if names:
                        return names
                return [Value(self._text(toks, x, i + 1), x, i + 1)]
            if toks[i].low in ("food", "dog", "cat"):
                return []
        return []

    def _outing(self, toks: list[Token], a: int, b: int) -> list[Value]:
        x, y = self._strip(toks, a, b)
        if x + 1 < y and toks[x + 1].low in ("the", "this", "my", "a"):
            return []
        if (
            x < y
            and toks[x].low.endswith("ing")
            and toks[x].low
            not in (
                "transitioning",
                "hitting",
                "saying",
                "being",
                "having",
                "going",
                "getting",
                "doing",
                "thing",
                "everything",
                "something",
                "seeing",
                "trying",
                "making",
                "working",
                "living",
                "using",
                "bring",
                "morning",
                "evening",
                "building",
                "wedding",
                "meeting",
                "feeling",
                "looking",
                "thinking",
                "talking",
                "taking",
                "coming",
            )
        ):
            return [Value(toks[x].text, x, x + 1)] if y - x <= 3 else []
        return []

    def _sport(self, toks: list[Token], a: int, b: int) -> list[Value]:
        return self._words_of(toks, a, min(b, a + 5), _SPORTS)

    def _collection(self, toks: list[Token], a: int, b: int) -> list[Value]:
        y = self._until(toks, a, b, _LOCATIVE_STOP)
        x, y = self._strip(toks, a, y)
        if (
            x < y <= x + 3
            and _COLLECT.match(toks[y - 1].low)
            and toks[y - 1].low
            not in (
                "thoughts",
                "kids",
                "things",
                "signatures",
                "debts",
                "points",
                "memories",
                "samples",
                "results",
                "donations",
                "moments",
            )
            and toks[a].low not in self._articles
        ):
            return [Value(f"collecting {self._text(toks, x, y)}", x, y)]
        return []
