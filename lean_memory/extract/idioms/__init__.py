"""Turns of phrase that no `verb + object` pattern covers. Each sees what was read so far."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.abilities import abilities, abstains, aged, injured, volunteers
from lean_memory.extract.idioms.allergies import allergies
from lean_memory.extract.idioms.ascribed import ascribed
from lean_memory.extract.idioms.asides import no_longer, once_there, what_one_leads
from lean_memory.extract.idioms.cancellations import cancellations
from lean_memory.extract.idioms.careers import careers
from lean_memory.extract.idioms.convictions import convictions
from lean_memory.extract.idioms.echoes import according_to, echoes, elsewhere
from lean_memory.extract.idioms.elliptic import verbless
from lean_memory.extract.idioms.forms import forms
from lean_memory.extract.idioms.goodbyes import farewell, pet_deaths, ran_out
from lean_memory.extract.idioms.having import having
from lean_memory.extract.idioms.introductions import (
    contact,
    counted_children,
    engagement,
    fragments,
    named_after_you,
    naming,
)
from lean_memory.extract.idioms.last_days import first_day, last_day, named_days
from lean_memory.extract.idioms.nominals import home, mine, my_language, my_noun, my_place, relatives_are
from lean_memory.extract.idioms.notices import (
    ages_in_turn,
    born,
    by_then,
    couples,
    for_a_living,
    gone,
    held_on,
    write_to,
)
from lean_memory.extract.idioms.pastimes import aims, due, introduced, pastimes
from lean_memory.extract.idioms.profiles import profiles
from lean_memory.extract.idioms.providers import providers
from lean_memory.extract.idioms.reached import reached
from lean_memory.extract.idioms.retold import (
    accepted,
    given_away,
    here_since,
    left_home,
    my_own_home,
    my_studies,
    no_member,
    on_to,
    parting,
    so_since,
)
from lean_memory.extract.idioms.second_clauses import after_years, then_left, then_started, took_over, went_through
from lean_memory.extract.idioms.stays import stations, stays
from lean_memory.extract.idioms.swaps import instead, possessed, swapped
from lean_memory.extract.idioms.then_and_now import then_and_now
from lean_memory.extract.idioms.trades import trades
from lean_memory.extract.idioms.unlike import unlike
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["IDIOMS", "asked"]

_WORK_AND_HOUSE = (
    "job gig role position internship workplace apprenticeship placement "
    "flat apartment house place home pad digs studio cottage bungalow condo room"
)
_FORMS = "allergic intolerant asthma on takes taking diabetic asthmatic coeliac celiac form medical questionnaire"
_SPANS = "after year years decade decades month months stint stints season seasons week weeks"
_Idiom = Callable[["Sentence", list[Clause], list[Reading]], list[Reading]]
# In this order: later ones see what earlier ones added. With each the words and verbs (base forms) without one of which
# it finds nothing; none: it is always asked.
_WAYS: tuple[tuple[_Idiom, str], ...] = (
    (naming, "name call called named"),
    (contact, "me us my our address email e-mail mail contact"),
    (write_to, "write email mail e-mail line message contact rsvp reply shout"),
    (couples, "with"),
    (named_after_you, ""),
    (counted_children, "kids children sons daughters boys girls"),
    (fragments, ""),
    (born, "born"),
    (profiles, ""),
    (after_years, _SPANS),
    (named_days, "day shift"),
    (last_day, "day shift"),
    (stays, "at"),
    (stations, "live work"),
    (trades, "train retrain qualify apprentice"),
    (then_left, "leave quit finish resign retire stop go end"),
    (ran_out, "end expire finish run lapse"),
    (first_day, "day week shift month"),
    (home, "home"),
    (farewell, "rip r.i.p. goodbye farewell"),
    (cancellations, ""),
    (then_started, "start join begin move"),
    (elsewhere, "it"),
    (took_over, "over"),
    (went_through, "go come happen be become take"),
    (pet_deaths, "die pass cross down"),
    (echoes, "that it so neither nor too well also"),
    (engagement, "propose ask yes engaged"),
    (relatives_are, "is are 's"),
    (having, "have get gain"),
    (my_noun, "my our his her mine ours hers"),
    (my_place, _WORK_AND_HOUSE),
    (my_language, "my his her"),
    (mine, "mine ours hers his theirs belong"),
    (instead, "instead rather"),
    (swapped, "out goodbye bye farewell"),
    (possessed, "my our"),
    (ages_in_turn, "are were"),
    (for_a_living, "living"),
    (held_on, "launch release demo review kickoff go-live offsite cutover workshop inspection audit exam"),
    (gone, "go gone out history dead retired dropped toast"),
    (verbless, ""),
    (no_longer, "no"),
    (once_there, "when while since still"),
    (what_one_leads, "team group squad crew department unit division office branch"),
    (introduced, ""),
    (pastimes, ""),
    (aims, "is was"),
    (due, "due"),
    (by_then, "deadline due"),
    (allergies, "allergy allergies intolerance"),
    (reached, ""),
    (forms, _FORMS),
    (careers, "then now nowadays currently today cv career background resume résumé path bio story education history"),
    (unlike, "be do have"),
    (providers, "with"),
    (abilities, "can"),
    (abstains, "smoke drink"),
    (injured, "break fracture sprain twist dislocate tear rupture pull bust"),
    (volunteers, "volunteer"),
    (aged, ", ("),
    (convictions, "convinced adamant persuaded"),
    (then_and_now, "formerly previously once originally ex former erstwhile now currently nowadays days"),
    (ascribed, "call say tell think claim assume swear insist announce joke believe figure reckon not"),
    (according_to, "according if"),
    (accepted, "offer"),
    (given_away, "have"),
    (here_since, "since"),
    (left_home, "leave"),
    (on_to, "go move walk head step jump defect cross hop switch find get land take secure start"),
    (so_since, "since for always"),
    (my_own_home, "my our"),
    (my_studies, "my our"),
    (parting, "goodbye bye farewell adieu adios ciao cheerio"),
    (no_member, "member"),
)
IDIOMS: tuple[tuple[_Idiom, frozenset[str]], ...] = tuple((idiom, frozenset(marks.split())) for idiom, marks in _WAYS)
_MARKS = frozenset().union(*(marks for _, marks in IDIOMS))


def asked(words: frozenset[str]) -> tuple[_Idiom, ...]:
    """Those that a sentence with these words and verbs may hold, in order."""
    return _asked(words & _MARKS)


@functools.lru_cache(maxsize=4096)
def _asked(marks: frozenset[str]) -> tuple[_Idiom, ...]:
    return tuple(idiom for idiom, needed in IDIOMS if not needed or not needed.isdisjoint(marks))
