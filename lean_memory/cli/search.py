"""lm-search: a question in, ranked facts and episodes out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lean_memory.cli import common
from lean_memory.cli.arguments import ANY_WORDS
from lean_memory.errors import Malformed, UsageError

if TYPE_CHECKING:
    from lean_memory.claims import View
    from lean_memory.memory import Memory
    from lean_memory.records import Hit
    from lean_memory.retrieve import Weights
    from lean_memory.wire import Object

__all__ = ["main"]


@click.command(
    name="lm-search",
    epilog=common.EXIT_CODES,
    help="""Find what a memory knows: facts and episodes in one ranking.

    \b
    Examples:
      lm-search -n work "where do I work?"
      lm-search -n work --as-of 2024-06-01 "where did I live?"

    QUERY is plain text; no character in it is syntax. To a terminal it prints text, to a
    pipe hit records. Reading changes no answer.""",
)
@click.argument("query", required=False, type=ANY_WORDS)
@common.namespace_option(required=False)
@common.root_option
@click.option(
    "--queries",
    type=click.Path(),
    metavar="FILE",
    help="Answer the query records {\"query\":..} in FILE ('-' is stdin).",
)
@click.option(
    "-k", "k", type=click.IntRange(min=1), default=10, show_default=True, help="How many hits; 10,000 at most."
)
@common.instant_option("--as-of", help="What was true then.")
@common.instant_option("--known-at", help="What the memory believed then.")
@common.instant_option("--now", help="The present, for recency and for what holds [the clock].")
@click.option("--kind", type=click.Choice(["fact", "episode", "any"]), default="any", show_default=True)
@click.option("--subject", metavar="NAME", help="Only facts about NAME.")
@click.option("--predicate", metavar="NAME", help="Only facts with this predicate.")
@common.instant_option("--since", help="Only what held or was said at or after it.")
@common.instant_option("--until", help="Only what held or was said before it.")
@click.option("--include-cold", is_flag=True, help="Also what maintenance moved to the cold tier.")
@click.option("--all", "everything", is_flag=True, help="No query: list all that is visible.")
@click.option("--stdin", "from_pipe", is_flag=True, help="Rank the episode records on stdin; no memory is read.")
@click.option("--no-model", is_flag=True, help="Answer from the words alone, without loading the model.")
@click.option("--weights", metavar="R,R,I", help="Of relevance, recency, importance. [0.6,0.2,0.2]")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@click.option("-e", "exit_status", is_flag=True, help="Exit with 1 when nothing is found.")
@click.option("--json", "as_json", is_flag=True, help="Records, to a terminal too.")
@common.strict_option
@common.print_config_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> int:
    ask = _Ask(**options)
    from lean_memory.memory import Memory

    with Memory(settings=common.settings(ask.root)) as memory:
        if ask.print_config:
            return common.print_config(memory, ask.namespace)
        ask.check(context)
        complaints = common.Complaints("lm-search", strict=ask.strict)
        found = _print(_answers(ask, memory, complaints), ask)
    if not found and ask.exit_status:
        return complaints.exit_code() or 1
    return complaints.exit_code()


@dataclass(frozen=True)
class _Ask:
    """The command line."""

    query: str | None
    namespace: str | None
    root: Path | None
    queries: str | None
    k: int
    as_of: int | None
    known_at: int | None
    now: int | None
    kind: Any
    subject: str | None
    predicate: str | None
    since: int | None
    until: int | None
    include_cold: bool
    everything: bool
    from_pipe: bool
    no_model: bool
    weights: str | None
    explain: bool
    exit_status: bool
    as_json: bool
    strict: bool
    print_config: bool

    def check(self, context: click.Context) -> None:
        asked = [
            name
            for name, given in (
                ("QUERY", self.query is not None),
                ("--queries", self.queries),
                ("--all", self.everything),
            )
            if given
        ]
        if len(asked) != 1:
            if not asked:
                common.usage(context)
            raise click.UsageError(f"{' and '.join(asked)} don't go together")
        if self.from_pipe:
            if self.query is None:
                raise click.UsageError("--stdin needs a QUERY")
            common.need_input(context)
        elif self.namespace is None:
            raise click.UsageError("which memory? Name it with -n NS")
        if self.queries == "-":
            common.need_input(context)

    def view(self, memory: Memory) -> View:
        from lean_memory.claims import View

        return View(
            now=memory.present() if self.now is None else self.now, as_of=self.as_of, known_at=self.known_at,
            kind=self.kind,
            subject=self.subject, predicate=self.predicate, since=self.since, until=self.until,
            include_cold=self.include_cold,
        )  # fmt: skip

    def search(self, memory: Memory, query: str, view: View, k: int) -> list[Hit]:
        return memory.search(
            str(self.namespace), query, k=k, view=view, model=not self.no_model, weights=self.parsed_weights(),
            explain=self.explain,
        )  # fmt: skip

    def parsed_weights(self) -> Weights | None:
        if self.weights is None:
            return None
        from lean_memory.retrieve import Weights

        try:
            relevance, recency, importance = (float(part) for part in self.weights.split(","))
            if not all(0 <= weight < math.inf for weight in (relevance, recency, importance)):
                raise ValueError
            return Weights(relevance, recency, importance)
        except ValueError:
            raise click.UsageError("--weights takes three numbers from 0 up, like 0.6,0.2,0.2") from None


def _answers(ask: _Ask, memory: Memory, complaints: common.Complaints) -> Iterator[Iterable[Hit]]:
    """One group of hits a query."""
    from lean_memory.notes import located

    view = ask.view(memory)
    if ask.everything:
        yield memory.visible(str(ask.namespace), view)
    elif ask.from_pipe:
        episodes = [episode for batch in common.read_episodes(complaints) for episode in batch]
        yield memory.rank_episodes(str(ask.query), episodes, k=ask.k, view=view, explain=ask.explain)
    elif ask.queries is None:
        yield ask.search(memory, str(ask.query), view, ask.k)
    else:
        with common.open_input(ask.queries) as stream:
            for line in (line for batch in common.read_lines(stream) for line in batch):
                if isinstance(line, Malformed):
                    complaints.add(line)
                    continue
                try:
                    obj = line.object()
                    query, own_view, k = _query_record(obj, ask, view)
                except Malformed as error:
                    complaints.add(located(error, line))
                    continue
                passed_on = {key: value for key, value in obj.items() if key not in ("type", "v")}
                yield [replace(hit, extra=passed_on) for hit in ask.search(memory, query, own_view, k)]


def _query_record(obj: Object, ask: _Ask, view: View) -> tuple[str, View, int]:
    """A query line may set `k`, `as_of`, `known_at` and `now` for itself."""
    from lean_memory.limits import check_asked
    from lean_memory.wire import optional_instant

    query, k = obj.get("query"), obj.get("k", ask.k)
    if not isinstance(query, str):
        raise Malformed("field 'query' must be a string", code="bad_field")
    if type(k) is not int:
        raise Malformed("field 'k' must be an integer", code="bad_field")
    try:
        check_asked(query, k)
    except UsageError as error:
        raise Malformed(error.message, code="bad_field", hint=error.hint) from None
    as_of, known_at, now = (optional_instant(obj, key) for key in ("as_of", "known_at", "now"))
    own = replace(
        view,
        as_of=view.as_of if as_of is None else as_of,
        known_at=view.known_at if known_at is None else known_at,
        now=view.now if now is None else now,
    )
    return query, own, k


def _print(answers: Iterator[Iterable[Hit]], ask: _Ask) -> bool:
    from lean_memory.wire import encode

    found = False
    out = common.Output()
    for hits in answers:
        if ask.as_json or not common.to_terminal():
            for hit in hits:
                found = True
                out.write(encode(hit))
        else:
            from lean_memory.cli.table import hit_lines

            for line in hit_lines(hits):
                found = True
                out.tell(line)
        out.flush()
    return found


def main() -> None:
    """The console script."""
    common.main(command)
