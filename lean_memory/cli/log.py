"""lm-log: what a memory learned, when, and why."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from pathlib import Path

import click

from lean_memory.cli import common
from lean_memory.errors import UsageError

__all__ = ["main"]


@click.command(
    name="lm-log",
    epilog=common.EXIT_CODES,
    help="""Show what a memory learned, when, and why: its change log.

    \b
    Examples:
      lm-log -n work --subject Anna
      lm-log -n work --diff 2025-01-01 2026-01-01

    To a terminal it prints a timeline, to a pipe records. Reading changes nothing.""",
)
@common.namespace_option(required=True)
@common.root_option
@click.option("--fact", metavar="ID", help="Only this fact's entries.")
@click.option("--subject", metavar="NAME", help="Only entries about NAME.")
@common.instant_option("--since", help="Only what was recorded at or after it.")
@common.instant_option("--until", help="Only what was recorded before it.")
@click.option("--diff", nargs=2, metavar="T1 T2", help="What is true at T2 and not at T1, and the reverse, and why.")
@click.option("--known", is_flag=True, help="With --diff: what the memory believed at the two times.")
@click.option("--why", metavar="FACT", help="Every episode that says the fact with this id, verbatim.")
@click.option(
    "--episodes", is_flag=True, help="Every episode verbatim, to draw facts from again: lm-log --episodes | lm-extract."
)
@click.option("--dump", is_flag=True, help="All of it, history included, for lm-store --restore.")
@click.option("--json", "as_json", is_flag=True, help="Records, to a terminal too.")
@click.pass_context
def command(
    context: click.Context,
    namespace: str,
    root: Path | None,
    fact: str | None,
    subject: str | None,
    since: int | None,
    until: int | None,
    diff: tuple[str, str] | None,
    known: bool,
    why: str | None,
    episodes: bool,
    dump: bool,
    as_json: bool,
) -> int:
    from lean_memory.claims import LogFilter
    from lean_memory.cli import table
    from lean_memory.memory import Memory
    from lean_memory.wire import dump_row, encode

    if sum((diff is not None, why is not None, episodes, dump)) > 1:
        raise click.UsageError("--diff, --why, --episodes and --dump don't go together")
    if known and diff is None:
        raise click.UsageError("--known goes with --diff")
    out = common.Output()

    def show(records: Iterable[object], encoder: Callable[..., bytes], text: Callable[..., str] | None) -> int:
        readable = text is not None and common.to_terminal() and not as_json
        try:
            for record in records:
                if readable and text:
                    out.tell(text(record))
                else:
                    out.write(encoder(record))
            out.flush()
        finally:
            if isinstance(records, Generator):  # it may hold a snapshot: to be let go before the file is
                records.close()
        return 0

    with Memory(settings=common.settings(root)) as memory:
        if dump:
            return show(memory.export(namespace), dump_row, None)
        if episodes:
            return show(memory.episodes(namespace), encode, None)
        if why is not None:
            claims = memory.evidence(namespace, why)
            if not claims:
                raise UsageError(
                    f"{namespace} holds no fact {why}", hint="ids are in the output of lm-search and lm-log"
                )
            return show(claims, encode, table.claim_text)
        if diff is not None:
            first, second = (common.instant(time, root) for time in diff)
            return show(memory.difference(namespace, first, second, known=known), encode, table.difference_text)
        asked = LogFilter(fact=fact, subject=subject, since=since, until=until)
        return show(memory.history(namespace, asked), encode, table.change_text)


def main() -> None:
    """The console script."""
    common.main(command)
