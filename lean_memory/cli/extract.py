"""lm-extract: text in, episodes with facts out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from lean_memory.cli import common
from lean_memory.cli.arguments import files_named
from lean_memory.errors import Malformed

if TYPE_CHECKING:
    from typing import IO

    from lean_memory.records import Note

__all__ = ["main"]

_FORMATS = ("auto", "lines", "chatgpt", "claude", "claude-code", "chat", "whatsapp", "markdown", "mcp-memory")
_ZIPPED = ("auto", "chatgpt", "claude", "chat", "whatsapp")


@click.command(
    name="lm-extract",
    epilog=common.EXIT_CODES,
    help="""Draw facts from text: one episode record a line, with its facts inside.

    \b
    Examples:
      cat notes.txt | lm-extract | lm-store -n work
      lm-extract --by paragraph --speaker Anna diary.txt
      lm-extract --from chatgpt export.zip | lm-store -n me

    Reads stdin, or the FILES ('-' is stdin). Lines that are JSON objects with "text"
    are note records, all else is plain text. Streams. Exports of other tools are read
    too: an assistant's own turns are kept, but no facts are drawn from them.""",
)
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILES]...")
@click.option(
    "--from",
    "format",
    type=click.Choice(_FORMATS),
    default="auto",
    show_default=True,
    help="What the input is. auto takes another tool's export for one where that is sure, else plain lines.",
)
@click.option(
    "--by",
    type=click.Choice(["line", "paragraph", "file"]),
    default="line",
    show_default=True,
    help="What one episode is, of plain lines.",
)
@common.instant_option("--at", help="When it was said [a file's modification time; else now].")
@click.option("--source", help="Where it comes from [the format's name; of plain lines user].")
@click.option("--speaker", help="Who says 'I' [the user].")
@click.option("--me", metavar="NAME", help="In a chat, the name under which the user writes.")
@click.option("--dates", type=click.Choice(["dmy", "mdy", "ymd"]), help="Order of dates that don't tell it.")
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
    format: str,
    by: Literal["line", "paragraph", "file"],
    at: int | None,
    source: str | None,
    speaker: str | None,
    me: str | None,
    dates: Literal["dmy", "mdy", "ymd"] | None,
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
    from lean_memory.importers import Input, importer
    from lean_memory.instants import zone, zone_name
    from lean_memory.memory import Memory
    from lean_memory.records import Note

    settings = common.settings(predicates=predicates)
    memory = Memory(settings=settings)
    if print_config:
        return common.print_config(memory)
    if warm:
        memory.warm_extraction()
        return 0
    if context.get_parameter_source("by") is not ParameterSource.DEFAULT:
        if format not in ("auto", "lines"):
            raise click.UsageError(f"--by is for plain lines: leave it out with --from {format}")
        format = "lines"
    if stats and jobs > 1:
        raise click.UsageError("--stats counts in one process: leave out -j")
    named = files_named(files) or ["-"]
    if not files:
        common.need_input(context)
    passes = memory.extractor(mask_secrets=not keep_secrets, count=stats)
    where = zone_name(zone(tz) if tz else settings.local_zone())
    out = common.Output()
    complaints = common.Complaints("lm-extract", strict=strict)
    read_as: dict[str, str] = {}

    with ExitStack() as stack:
        if jobs > 1:
            encode = extracting.parallel(stack, jobs, settings, mask_secrets=not keep_secrets)
        else:
            encode = extracting.extractor(passes)

        def emit(items: Iterable[Note | Malformed], file: str | None) -> None:
            held: list[Note] = []
            for item in items:
                if not isinstance(item, Malformed):
                    held.append(item)
                    if jobs > 1:
                        continue
                _write(out, encode(held))
                held = []
                if isinstance(item, Malformed):
                    complaints.add(_in_file(item, file))
            _write(out, encode(held))
            out.flush()

        for name in named:
            with common.open_input(name) as stream:
                said_at = next(t for t in (at, common.modified(stream), settings.now()) if t is not None)
                default = Note(
                    text="", t_ref=said_at, tz=where, source=source or "user", speaker=speaker, session=session
                )
                given = Input(default=default, by=by, source=source, me=me, dates=dates)
                try:
                    for file, chunks in _files(name, stream, zipped=format in _ZIPPED):
                        told = file if len(named) > 1 else None
                        reader = importer(format, replace(given, name=file))
                        for chunk in chunks:
                            emit(reader.feed(chunk), told)
                        emit(reader.close(), told)
                        read_as[name] = getattr(reader, "found", format)
                except Malformed as error:
                    complaints.add(_in_file(error, name if len(named) > 1 else None))
    if passes.stats.told:
        common.warn(f"a model could not help: {passes.stats.told}", "lm-extract")
    if stats:
        common.tell({**passes.stats.record(), "read_as": read_as})
    return complaints.exit_code()


def _files(name: str, stream: IO[bytes] | None, *, zipped: bool) -> Iterator[tuple[str | None, Iterator[bytes]]]:
    """The name and the content of what is to be read: the input itself, or what an export's .zip holds.

    Raises Malformed where a zip is damaged, now or while it is read.
    """
    from lean_memory.importers.archive import is_zip, members

    if stream is None:
        yield None, common.read_chunks()
    elif not zipped or not is_zip(stream):
        yield name, common.read_chunks(stream)
    else:
        for member in members(stream):
            yield name if member.name == "_chat.txt" else member.name, member.chunks()


def _in_file(error: Malformed, file: str | None) -> Malformed:
    """The error with its file, where there are several."""
    error.message = f"{file}: {error.message}" if file else error.message
    return error


def _write(out: common.Output, lines: list[bytes]) -> None:
    for line in lines:
        out.write(line)


def main() -> None:
    """The console script."""
    common.main(command)
