"""lm-extract: text in, episodes with facts out."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from lean_memory.cli import common
from lean_memory.errors import Malformed

if TYPE_CHECKING:
    from lean_memory.notes import By
    from lean_memory.records import Note

__all__ = ["main"]


@click.command(
    name="lm-extract",
    epilog=common.EXIT_CODES,
    help="""Draw facts from text: one episode record a line, with its facts inside.

    \b
    Examples:
      cat notes.txt | lm-extract | lm-store -n work
      lm-extract --by paragraph --speaker Anna diary.md

    Reads stdin, or the FILES ('-' is stdin). Lines that are JSON objects with "text"
    are note records, all else is plain text. Streams.""",
)
@click.argument("files", nargs=-1, metavar="[FILES]...")
@click.option(
    "--by",
    type=click.Choice(["line", "paragraph", "file"]),
    default="line",
    show_default=True,
    help="What one episode is.",
)
@common.instant_option("--at", help="When it was said [a file's modification time; else now].")
@click.option("--source", default="user", show_default=True, help="Where it comes from.")
@click.option("--speaker", help="Who says 'I' [the user].")
@click.option("--session", help="The conversation it belongs to.")
@click.option("--tz", metavar="ZONE", help="Zone of words like 'yesterday' [LM_TZ, else the machine's].")
@click.option("--predicates", type=click.Path(path_type=Path), help="Your predicates, beside the built-in ones.")
@click.option("--keep-secrets", is_flag=True, help="Don't mask keys, tokens, passwords and card numbers.")
@click.option("-j", "jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@click.option("--stats", is_flag=True, help="At the end, say on stderr what each pass did.")
@click.option("--warm", is_flag=True, help="Only fetch and load the models that help, where an extra has any.")
@common.strict_option
@common.print_config_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    by: str,
    at: int | None,
    source: str,
    speaker: str | None,
    session: str | None,
    tz: str | None,
    predicates: Path | None,
    keep_secrets: bool,
    jobs: int,
    stats: bool,
    warm: bool,
    strict: bool,
    print_config: bool,
) -> int:
    from lean_memory.cli import extracting
    from lean_memory.instants import zone, zone_name
    from lean_memory.memory import Memory
    from lean_memory.notes import NoteReader
    from lean_memory.records import Note

    settings = common.settings(predicates=predicates)
    memory = Memory(settings=settings)
    if print_config:
        return common.print_config(memory)
    if warm:
        memory.warm_extraction()
        return 0
    if stats and jobs > 1:
        raise click.UsageError("--stats counts in one process: leave out -j")
    if not files:
        common.need_input(context)
    passes = memory.extractor(mask_secrets=not keep_secrets, count=stats)
    where = zone_name(zone(tz) if tz else settings.local_zone())
    out = common.Output()
    complaints = common.Complaints("lm-extract", strict=strict)

    with ExitStack() as stack:
        if jobs > 1:
            encode = extracting.parallel(stack, jobs, settings, mask_secrets=not keep_secrets)
        else:
            encode = extracting.extractor(passes)

        def emit(items: Iterable[Note | Malformed]) -> None:
            held: list[Note] = []
            for item in items:
                if not isinstance(item, Malformed):
                    held.append(item)
                    if jobs > 1:
                        continue
                _write(out, encode(held))
                held = []
                if isinstance(item, Malformed):
                    complaints.add(item)
            _write(out, encode(held))
            out.flush()

        for name in files or ("-",):
            with common.open_input(name) as stream:
                said_at = next(t for t in (at, common.modified(stream), settings.now()) if t is not None)
                default = Note(text="", t_ref=said_at, tz=where, source=source, speaker=speaker, session=session)
                reader = NoteReader(default, cast("By", by))
                for batch in common.read_lines(stream, blank=True):
                    emit(reader.feed(batch))
                emit(reader.close())
    if passes.stats.told:
        common.warn(f"a model could not help: {passes.stats.told}", "lm-extract")
    if stats:
        common.tell(passes.stats.record())
    return complaints.exit_code()


def _write(out: common.Output, lines: list[bytes]) -> None:
    for line in lines:
        out.write(line)


def main() -> None:
    """The console script."""
    common.main(command)
