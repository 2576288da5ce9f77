"""Turns of phrase that no `verb + object` pattern covers. Each sees what was read so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lean_memory.extract.clauses import Clause
from lean_memory.extract.idioms.asides import no_longer, once_there, what_one_leads
from lean_memory.extract.idioms.cancellations import cancellations
from lean_memory.extract.idioms.echoes import according_to, echoes, elsewhere
from lean_memory.extract.idioms.elliptic import verbless
from lean_memory.extract.idioms.endings import (
    after_years,
    farewell,
    first_day,
    home,
    last_day,
    named_days,
    pet_deaths,
    ran_out,
    then_left,
    then_started,
    took_over,
)
from lean_memory.extract.idioms.having import having
from lean_memory.extract.idioms.introductions import (
    contact,
    counted_children,
    engagement,
    fragments,
    named_after_you,
    naming,
)
from lean_memory.extract.idioms.nominals import mine, my_noun, my_place, relatives_are
from lean_memory.extract.idioms.pastimes import aims, due, introduced, pastimes
from lean_memory.extract.idioms.profiles import profiles
from lean_memory.extract.idioms.swaps import instead, possessed, swapped
from lean_memory.extract.reading import Reading

if TYPE_CHECKING:
    from lean_memory.extract.sentence import Sentence

__all__ = ["IDIOMS"]

# In this order: later ones see what earlier ones added.
IDIOMS: tuple[Callable[[Sentence, list[Clause], list[Reading]], list[Reading]], ...] = (
    naming,
    contact,
    named_after_you,
    counted_children,
    fragments,
    profiles,
    after_years,
    named_days,
    last_day,
    then_left,
    ran_out,
    first_day,
    home,
    farewell,
    cancellations,
    then_started,
    elsewhere,
    took_over,
    pet_deaths,
    echoes,
    engagement,
    relatives_are,
    having,
    my_noun,
    my_place,
    mine,
    instead,
    swapped,
    possessed,
    verbless,
    no_longer,
    once_there,
    what_one_leads,
    introduced,
    pastimes,
    aims,
    due,
    according_to,
)
