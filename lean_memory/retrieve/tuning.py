"""What each ingredient of relevance counts. Measured by `tests/bench/recall.py`, which can switch each one off."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """Shares and boosts, in units of a match, of which the best possible is 2 (first in both arms).

    Attributes:
        before: share of the match of the turn before in an episode's own.
        answers: the same, when the turn before is a question.
        after: share of the turn after.
        question: what is left of a question's own match, since it asks for what others state.
        session: share of the mean of a session's three best turns in each of its turns.
        covered: its session's three best turns hold all the question's words between them.
        source: share of its episode's score in a fact's own.
        person: the hit is about the person asked about.
        asked: the fact's predicate is the one asked for.
        answer: both: a fact of the person and the predicate asked for states the answer, where an episode only
            may hold it. What still holds does not answer what was before.
        denied: what a fact loses that denies, where the question does not ask what is not, or says the contrary.
        outdated: what an episode loses of which all that was understood is over, where the past is not asked for.
        renewed: what an episode has at most, as a share of the score of a later one that says as much of what is asked,
            where the question asks what is so now.
        period: said, or true, in a period that the question names.
        time: it tells a time, and a time is asked for.
        length: an episode is no mere interjection (in full from `long` characters on).
        long: characters from which a turn lends to its neighbours, and borrows, the less the longer it is.
    """

    before: float = 0.25
    answers: float = 0.5
    after: float = 0.25
    question: float = 0.85
    session: float = 0.25
    covered: float = 0.5
    source: float = 0.5
    person: float = 0.9
    asked: float = 0.5
    answer: float = 2.0
    denied: float = 0.5
    outdated: float = 0.5
    renewed: float = 0.95
    period: float = 0.45
    time: float = 0.2
    length: float = 0.1
    long: int = 300
