"""English verb forms: which verb is `moved`, and how is it written in the present, the past and the negative?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["IRREGULAR", "VerbForms", "gerund", "past", "present"]

# base: (past, participle); the present and -ing forms are regular but for `be` and `have`.
IRREGULAR: dict[str, tuple[str, str]] = {
    line.split()[0]: (line.split()[1], line.split()[2])
    for line in """\
be was been|have had had|do did done|go went gone|get got got|make made made|take took taken|come came come
buy bought bought|sell sold sold|leave left left|lose lost lost|read read read|write wrote written|speak spoke spoken
drive drove driven|ride rode ridden|give gave given|begin began begun|quit quit quit|break broke broken|meet met met
find found found|teach taught taught|know knew known|think thought thought|say said said|tell told told|see saw seen
eat ate eaten|drink drank drunk|keep kept kept|hold held held|run ran run|lead led led|build built built|grow grew grown
sing sang sung|swim swam swum|wear wore worn|win won won|send sent sent|spend spent spent|put put put|cut cut cut
hate hated hated|feel felt felt
become became become|choose chose chosen|throw threw thrown|stick stuck stuck|fly flew flown
hear heard heard|understand understood understood|stand stood stood|bring brought brought|sit sat sat|sleep slept slept
wake woke woken|fall fell fallen
draw drew drawn|forget forgot forgotten|let let let|set set set|hit hit hit|shut shut shut
rise rose risen|bear bore born|mean meant meant|pay paid paid
lay laid laid|show showed shown|swear swore sworn|hide hid hid
lend lent lent|catch caught caught|fight fought fought|steal stole stolen|bite bit bitten|dream dreamt dreamt
withdraw withdrew withdrawn|upset upset upset|learn learnt learnt|burn burnt burnt|knit knit knit|hang hung hung
weave wove woven|sew sewed sewn|retake retook retaken|rebuild rebuilt rebuilt|wed wed wed|bet bet bet|split split split
shoot shot shot|breed bred bred|oversee oversaw overseen|outgrow outgrew outgrown|undergo underwent undergone
dig dug dug|feed fed fed|resell resold resold|reread reread reread|rewrite rewrote rewritten|shed shed shed
seek sought sought
"""[:-1]
    .replace("\n", "|")
    .split("|")
}
_ALSO = {"learned": ("learn", "dn"), "knitted": ("knit", "dn"), "gotten": ("get", "n"), "dreamed": ("dream", "dn"),
         "burned": ("burn", "dn"), "quitted": ("quit", "dn"), "wedded": ("wed", "dn"), "gone": ("go", "n"),
         "am": ("be", "s"), "is": ("be", "s"), "are": ("be", "s"), "were": ("be", "d"), "has": ("have", "s"),
         "goin": ("go", "g"), "workin": ("work", "g"), "livin": ("live", "g"), "switchd": ("switch", "dn")}  # fmt: skip
_DOUBLED = frozenset(
    (
        "stop plan drop swap quit get put cut run swim sit ship jog chat prefer travel commit program unplug "
        "hit shut let set begin forget win bet split knit transfer admit permit model cancel wed step "
        "scrap wrap submit bin nab grab snap flog pop hop hug spot strip slip trim tap tip top jot refer "
        "enrol excel expel patrol label total fulfil chop jet bag dig"
    ).split()
)


def _s(base: str) -> str:
    if base in ("have", "be"):
        return {"have": "has", "be": "is"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLED else "") + "ing"


def _ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


def present(base: str, *, plural: bool = False) -> str:
    """`work` -> `works`; `be` -> `is`."""
    if plural:
        return "are" if base == "be" else base
    return _s(base)


def gerund(base: str) -> str:
    """`repair` -> `repairing`."""
    return _ing(base)


def past(base: str) -> str:
    """`work` -> `worked`; `be` -> `was`."""
    return IRREGULAR[base][0] if base in IRREGULAR else _ed(base)


class VerbForms:
    """From a written form to (verb, forms): b base, s present, d past, n participle, g -ing; one or several."""

    def __init__(self, verbs: Iterable[str]) -> None:
        self._forms: dict[str, tuple[str, str]] = {}
        for base in sorted(set(verbs)):
            pasts = IRREGULAR.get(base) or (_ed(base), _ed(base))
            for form, tag in ((base, "b"), (_s(base), "s"), (pasts[0], "d"), (pasts[1], "n"), (_ing(base), "g")):
                known = self._forms.get(form)
                if known is None:
                    self._forms[form] = (base, tag)
                elif known[0] == base and tag not in known[1]:
                    self._forms[form] = (base, known[1] + tag)
                elif known[0] != base and tag == "b":  # `saw`, `found`: the more usual verb is the past one
                    continue
        self._forms.update(_ALSO)

    def get(self, word: str) -> tuple[str, str] | None:
        """(base, tags) of a lower-case form, None when it is no verb we know."""
        return self._forms.get(word)

    def __iter__(self) -> Iterator[str]:
        return iter(self._forms)

    def __contains__(self, word: str) -> bool:
        return word in self._forms
