"""The four passes over one note: rules, candidates, router, a language model's reading. Pure: the models are arguments.

Without models it is the rules alone, and nothing more is read or loaded. With them, the rules' facts come first and
stay, unless a model's reading that the text bears out settles one of those they were unsure of. A model that fails, or
answers in no usable form, costs its help and nothing else: the rules' reading stands and the failure is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timezone, tzinfo
from typing import TYPE_CHECKING, Any, Final

from lean_memory.candidates import Candidate, CandidateGenerator, Generator
from lean_memory.errors import BackendUnavailable
from lean_memory.extract.secrets import mask_secrets
from lean_memory.instants import zone
from lean_memory.records import ASSISTANT, Episode, Fact, Note, episode_of

if TYPE_CHECKING:
    from lean_memory.extract.engine import Extractor
    from lean_memory.extract.frames import Frames
    from lean_memory.extract.router import Escalation, Routing
    from lean_memory.extract.typing import Task

__all__ = ["PassStats", "Passes"]

_ATTEMPTS: Final = 2  # a malformed answer is asked for once more
_PATIENCE: Final = 3  # failures in a row after which a model is asked no more


@dataclass(slots=True)
class PassStats:
    """What the passes did since they were made.

    `considered`: facts of the rules, statements about nobody known, and candidates: what the router sorted.
    `refused` counts statements of the language model by why they were not believed, `dropped` candidates likewise.
    `malformed` answers, `retries` of them, `failures` of a model to answer at all; `told` is the last one's message.
    `fallbacks`: passages for which the rules' reading stood since no usable answer came.
    """

    episodes: int = 0
    facts: Counter[str] = field(default_factory=Counter)
    candidates: int = 0
    considered: int = 0
    escalated: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    prompts: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    malformed: int = 0
    retries: int = 0
    failures: int = 0
    fallbacks: int = 0
    told: str | None = None

    @property
    def share(self) -> float:
        """Escalated of considered, 0 to 1."""
        return sum(self.escalated.values()) / self.considered if self.considered else 0.0

    def record(self) -> dict[str, Any]:
        """All counts as one JSON object with fixed keys; counters by name in order."""
        return {
            "type": "report",
            "v": 1,
            "report": "extract",
            "episodes": self.episodes,
            "facts": _sorted(self.facts),
            "candidates": self.candidates,
            "considered": self.considered,
            "escalated": _sorted(self.escalated),
            "escalated_share": round(self.share, 4),
            "dropped": _sorted(self.dropped),
            "prompts": self.prompts,
            "refused": _sorted(self.refused),
            "malformed": self.malformed,
            "retries": self.retries,
            "failures": self.failures,
            "fallbacks": self.fallbacks,
        }


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return {name: counter[name] for name in sorted(counter) if counter[name]}


class Passes:
    """Stands in for an Extractor: `episode(note)`.

    Args:
        extractor: the rules.
        finder: candidates of a model that finds relations; None leaves the pass out.
        generator: a language model for what escalates; None lets the rules' reading stand.
        mask: hides secrets in what a language model is shown, also where the episode keeps them; what it hides can't
            be quoted back. `secrets.mask_secrets` by default.
        count: also without models, say what would escalate.
    """

    def __init__(
        self,
        extractor: Extractor,
        *,
        finder: CandidateGenerator | None = None,
        generator: Generator | None = None,
        mask: Callable[[str], str] | None = None,
        count: bool = False,
    ) -> None:
        self._extractor = extractor
        self._finder = finder
        self._generator = generator
        self._mask = mask or mask_secrets
        self._count = count
        self._failed: Counter[int] = Counter()  # in a row, by the model's id()
        self.stats = PassStats()

    def episode(self, note: Note) -> Episode:
        """The note as an episode. Never raises for a model's sake."""
        worked = self._extractor.trouble is None
        episode = self._by_rules(note)
        self.stats.episodes += 1
        if worked and self._extractor.trouble is not None:
            self.stats.failures += 1
            self.stats.told = self._extractor.trouble
        if (self._finder or self._generator or self._count) and note.source != ASSISTANT:
            # The episode's text is what is stored: secrets are masked in it already.
            episode = replace(episode, facts=self._helped(replace(note, text=episode.text), episode))
        self.stats.facts.update(fact.route for fact in episode.facts)
        return episode

    def _by_rules(self, note: Note) -> Episode:
        """The rules' reading. A fault of theirs costs the facts of one note, not the note, nor those after it."""
        try:
            return self._extractor.episode(note)
        except Exception as error:
            self.stats.failures += 1
            self.stats.told = f"a text was kept without facts, as reading it failed: {error!r}; please report it"
            return episode_of(replace(note, text=mask_secrets(note.text)))

    def _helped(self, note: Note, episode: Episode) -> tuple[Fact, ...]:
        from lean_memory.extract.candidates import fact_from_candidate, relations
        from lean_memory.extract.frames import Frames
        from lean_memory.extract.owning import may_say
        from lean_memory.extract.router import route

        table, speaker = self._extractor.table, note.speaker or "user"
        tz = zone(note.tz) if note.tz else timezone.utc
        candidates: list[Candidate] = []
        if self._finder is not None and (finder := self._working(self._finder)):
            candidates = self._asked(finder, lambda: finder.candidates(note.text, relations(table))) or []
        frames = Frames.read(self._extractor.english, note.text, t_ref=note.t_ref, tz=tz, speaker=speaker)
        routing = route(episode.facts, candidates, frames, table, speaker)
        self._counted(routing, len(candidates))
        facts = {fact.id: fact for fact in episode.facts}
        for candidate, frame in routing.kept:
            fact = fact_from_candidate(candidate, frame, table, note, tz, speaker)
            if fact is not None:
                facts.setdefault(fact.id, fact)
        if self._generator is not None and routing.escalated:
            facts = self._typed(facts, routing, frames, note, tz, speaker)
        return tuple(fact for fact in facts.values() if may_say(note.speaker, fact.subject))

    def _counted(self, routing: Routing, candidates: int) -> None:
        self.stats.candidates += candidates
        self.stats.considered += routing.considered
        self.stats.dropped.update(routing.dropped)
        self.stats.escalated.update(item.reason for item in routing.escalated)

    # ------------------------------------------------------------------------------------ language model

    def _typed(
        self, facts: dict[str, Fact], routing: Routing, frames: Frames, note: Note, tz: tzinfo, speaker: str
    ) -> dict[str, Fact]:
        from lean_memory.extract.typing import tasks

        for task in tasks(routing.escalated, frames):
            found = self._read(task, frames, note, tz, speaker)
            if found is None:
                self.stats.fallbacks += 1
                continue
            for fact in found:
                _settle(facts, fact, task.questions)
        return facts

    def _read(self, task: Task, frames: Frames, note: Note, tz: tzinfo, speaker: str) -> list[Fact] | None:
        """What the model reads in one passage and the text bears out; None when no usable answer came."""
        from lean_memory.extract import typing
        from lean_memory.extract.checking import checked

        table = self._extractor.table
        names = typing.predicates_for(task, note.text, table)
        passage = self._mask(note.text[task.start : task.end])
        prompt, schema = typing.build_prompt(task, passage, speaker, names, table), typing.build_schema(names)
        for attempt in range(_ATTEMPTS):
            generator = self._working(self._generator)
            if generator is None:
                return None
            self.stats.prompts += 1
            self.stats.retries += attempt > 0
            asked = prompt if attempt == 0 else f"{prompt}\nThe last answer was not JSON of that form."
            answer = self._asked(generator, lambda g=generator, p=asked: g.generate(p, schema))  # type: ignore[misc]
            if answer is None:
                return None
            parsed = typing.parse_answer(answer, names)
            if parsed is None:
                self.stats.malformed += 1
                continue
            statements, dropped = parsed
            self.stats.refused.update(dropped)
            verdicts = [checked(s, frames, table, note, tz, speaker, (task.start, task.end)) for s in statements]
            self.stats.refused.update(verdict for verdict in verdicts if isinstance(verdict, str))
            return [verdict for verdict in verdicts if isinstance(verdict, Fact)]
        return None

    # ------------------------------------------------------------------------------------------ failures

    def _working(self, model: Any) -> Any:
        """The model, unless it failed time and again: waiting for it at every line helps nobody."""
        return None if model is None or self._failed[id(model)] >= _PATIENCE else model

    def _asked(self, model: object, ask: Callable[[], Any]) -> Any:
        """The model's answer; None when it fails, which is counted."""
        try:
            answer = ask()
        except BackendUnavailable as error:
            self._failed[id(model)] += 1
            self.stats.failures += 1
            self.stats.told = f"{error.message}; {error.hint}" if error.hint else error.message
            return None
        self._failed[id(model)] = 0
        return answer


def _settle(facts: dict[str, Fact], fact: Fact, questions: Sequence[Escalation]) -> None:
    """Adds a model's fact, in the place of a fact in question that it reads otherwise; one the rules have too stays."""
    if fact.id in facts:
        return
    asked = [item for item in questions if item.start < fact.span[1] and fact.span[0] < item.end]
    reason = asked[0].reason if asked else None
    fact = replace(fact, extra={"escalated": reason} if reason else {})
    for item in asked:
        doubtful = item.fact
        if doubtful is None or doubtful.id not in facts or doubtful.predicate != fact.predicate:
            continue
        if doubtful.subject == fact.subject or doubtful.object == fact.object:
            kept = [(ident, known) for ident, known in facts.items() if ident != fact.id]
            facts.clear()
            facts.update((fact.id, fact) if ident == doubtful.id else (ident, known) for ident, known in kept)
            return
    facts[fact.id] = fact
