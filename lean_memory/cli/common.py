"""What the commands share: how they read, write, fail and end."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import StringIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from lean_memory.cli.arguments import check_words
from lean_memory.cli.plain import plain, plain_lines
from lean_memory.cli.streams import discard_stdout, prepare, reader_is_gone
from lean_memory.errors import LeanMemoryError, Malformed, UsageError

if TYPE_CHECKING:
    from lean_memory.memory import Memory
    from lean_memory.records import Episode
    from lean_memory.settings import Settings
    from lean_memory.wire import Line, Object

__all__ = [
    "EXIT_CODES",
    "Complaints",
    "Output",
    "Progress",
    "at_terminal",
    "instant",
    "instant_option",
    "main",
    "modified",
    "namespace_option",
    "need_input",
    "open_input",
    "print_config",
    "print_config_option",
    "read_chunks",
    "read_episodes",
    "read_lines",
    "read_rows",
    "report",
    "root_option",
    "settings",
    "strict_option",
    "tell",
    "to_terminal",
    "usage",
    "warn",
]

EXIT_CODES = """\b
Exit codes: 0 done; 1 nothing found (with -e); 2 usage; 3 some records rejected;
4 malformed under --strict; 5 store busy, corrupt or too new; 6 backend
unavailable; 130 interrupted."""

_CHUNK = 1 << 16
_BATCH = 64
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

Function = TypeVar("Function", bound=Callable[..., Any])

root_option = click.option(
    "--root", type=click.Path(path_type=Path), help="Folder of the namespace files [LM_DATA_ROOT, else ~/.lean_memory]."
)
strict_option = click.option("--strict", is_flag=True, help="Stop at the first bad record (exit 4).")
print_config_option = click.option("--print-config", is_flag=True, help="Print what is in use and why, then end.")


def namespace_option(*, required: bool) -> Callable[[Function], Function]:
    """`-n NS`."""
    return click.option("-n", "--namespace", metavar="NS", required=required, help="The memory to use.")


def instant_option(*names: str, help: str) -> Callable[[Function], Function]:
    """An option that takes a time and gives milliseconds since the epoch."""
    return click.option(*names, metavar="TIME", callback=_instant, help=help)


def _instant(context: click.Context, param: click.Parameter, value: str | None) -> int | None:
    return None if value is None else instant(value, context.params.get("root"))


def instant(value: str, root: Path | None = None) -> int:
    """A time on the command line, in milliseconds; without an offset, local. Raises UsageError."""
    from lean_memory.instants import parse_instant

    return parse_instant(value, tz=settings(root).local_zone())[0]


def settings(root: Path | None = None, *, predicates: Path | None = None) -> Settings:
    """The environment's settings, with the flags over them."""
    from lean_memory.settings import Settings

    return Settings.from_environ(os.environ, root=root, predicates=predicates)


def print_config(memory: Memory, namespace: str | None = None) -> int:
    """`--print-config`: which backends are in use, and why."""
    for key, value in memory.describe(namespace).items():
        click.echo(f"{key}: {plain(value)}")
    return 0


def usage(context: click.Context) -> NoReturn:
    """The short help, and exit code 2."""
    click.echo(context.get_usage(), err=True)
    click.echo(f"Try: {context.info_name} --help", err=True)
    raise click.exceptions.Exit(2)


def at_terminal() -> bool:
    """Whether a person sits at stdin."""
    return sys.stdin is None or sys.stdin.isatty()


def to_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()


def need_input(context: click.Context) -> None:
    """Input is needed; where a person sits at the keyboard instead of a pipe, say how the command is used."""
    if at_terminal():
        usage(context)


# ---------------------------------------------------------------------------------------------- reading


def read_chunks(stream: IO[bytes] | None = None) -> Iterator[bytes]:
    """What one read after the other brings, of a file or of stdin, so a slow producer is answered as it writes."""
    read = partial(os.read, 0, _CHUNK) if stream is None else partial(stream.read, _CHUNK)
    while chunk := read():
        yield chunk


def read_lines(stream: IO[bytes] | None = None) -> Iterator[list[Line | Malformed]]:
    """Batches of lines as they arrive, each what one read brought."""
    from lean_memory.wire import Decoder

    decoder = Decoder()
    for chunk in read_chunks(stream):
        if batch := list(decoder.feed(chunk)):
            yield batch
    if batch := list(decoder.close()):
        yield batch


def read_episodes(complaints: Complaints) -> Iterator[list[Episode]]:
    """Batches of episode records from stdin, small enough that a receipt is never long in coming."""
    batch: list[Episode] = []
    for lines in read_lines():
        for item in map(_episode, lines):
            if isinstance(item, Malformed):
                if batch:  # before the complaint, which may be the end
                    yield batch
                    batch = []
                complaints.add(item)
                continue
            batch.append(item)
            if len(batch) == _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch
            batch = []


def _episode(line: Line | Malformed) -> Episode | Malformed:
    from lean_memory.notes import located
    from lean_memory.wire import decode_episode

    if isinstance(line, Malformed):
        return line
    try:
        return decode_episode(line.object())
    except Malformed as error:
        if error.code == "not_json" and not line.data.lstrip().startswith(b"{"):
            error.hint = "text becomes records with: lm-extract"
        return located(error, line)


def read_rows() -> Iterator[Object]:
    """The rows of a dump on stdin. Raises Malformed at the first that is none: a dump is restored whole or not."""
    from lean_memory.notes import located
    from lean_memory.wire import decode_row

    for line in (line for lines in read_lines() for line in lines):
        if isinstance(line, Malformed):
            raise line
        try:
            yield decode_row(line.object())
        except Malformed as error:
            raise located(error, line) from None


@contextmanager
def open_input(name: str) -> Iterator[IO[bytes] | None]:
    """The named file unbuffered, or None for stdin."""
    if name == "-":
        yield None
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(name, "rb", buffering=0))
        except OSError as error:
            raise click.UsageError(f"can't read {name}: {error.strerror}") from None
        yield stream


def modified(stream: IO[bytes] | None) -> int | None:
    """When a file was last modified; None for stdin."""
    return None if stream is None else os.fstat(stream.fileno()).st_mtime_ns // 1_000_000


# ---------------------------------------------------------------------------------------------- writing


class Progress:
    """A bar on stderr, and only where that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")

    def step(self, done: int, total: int) -> None:
        """Shows `done` of `total`."""
        if self._shown and total:
            filled = 30 * done // total
            sys.stderr.write(f"\r{self._what} [{'#' * filled}{'.' * (30 - filled)}] {done}/{total}")
            sys.stderr.flush()


class Output:
    """stdout for records. A closed pipe ends a filter quietly; a writer (`writes=True`) goes on without it."""

    _SLOW = 0.1  # seconds between flushes while lines are still coming

    def __init__(self, *, writes: bool = False) -> None:
        self._out = sys.stdout.buffer
        self._writes = writes
        self._flushed = time.monotonic()
        self._closed = False

    def write(self, data: bytes) -> None:
        """Appends to the block; what takes long goes out at once."""
        if self._closed:
            return
        self._guard(lambda: self._out.write(data))
        if time.monotonic() - self._flushed > self._SLOW:
            self.flush()

    def tell(self, text: str) -> None:
        """The same for a person, at once."""
        if not self._closed:
            self._guard(lambda: sys.stdout.write(text))
            self.flush()

    def flush(self) -> None:
        """To be called where the next line may be long in coming."""
        self._guard(sys.stdout.flush)
        self._flushed = time.monotonic()

    def _guard(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            if reader_is_gone(error):
                if not self._writes:
                    raise
                self._closed = True
                discard_stdout()
                return
            discard_stdout()
            raise LeanMemoryError(f"can't write the output: {error.strerror}", code="output") from None


class Complaints:
    """Bad records: each is told on stderr and counted; `--strict` ends the command at the first."""

    def __init__(self, command: str, *, strict: bool) -> None:
        self._command = command
        self._strict = strict
        self.count = 0

    def add(self, error: LeanMemoryError) -> None:
        """Tells of it. Under --strict, ends the command with 4."""
        report(error, self._command)
        self.count += 1
        if self._strict:
            sys.exit(4)

    def exit_code(self) -> int:
        """3 if any record was rejected, else 0."""
        return 3 if self.count else 0


def report(error: LeanMemoryError, command: str) -> None:
    """A line for a person at a terminal, else an `error` record."""
    if sys.stderr.isatty():
        click.echo(f"{command}: {plain(error.message)}", err=True)
        if error.hint:
            click.echo(f"  {plain(error.hint)}", err=True)
        return
    from lean_memory.wire import encode_error

    sys.stderr.buffer.write(encode_error(error, command=command))
    sys.stderr.buffer.flush()


def tell(record: Object) -> None:
    """A report that was asked for, on stderr: stdout is for the records themselves."""
    from lean_memory.wire import dump

    sys.stderr.buffer.write(dump(record))
    sys.stderr.buffer.flush()


def warn(message: str, command: str) -> None:
    """Something that costs no record but that a person should know."""
    click.echo(f"{command}: warning: {plain(message)}", err=True)


# ---------------------------------------------------------------------------------------------- ending


def main(command: click.Command) -> NoReturn:
    """Runs a command; every way it can end maps to its documented exit code, none to a traceback."""
    prepare()
    check_words(command)
    name = command.name or "lean-memory"
    command.context_settings = {**_CONTEXT, **command.context_settings}
    sys.exit(_run(command, name))


def _run(command: click.Command, name: str) -> int:
    # Not `command.main`: it takes a closed pipe and an interrupt into its own hands.
    try:
        _complete(command, name)
        with command.make_context(name, sys.argv[1:]) as context:
            code = command.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        if sys.stderr.isatty():
            told = StringIO()
            error.show(file=told)  # it holds what was on the command line
            click.echo(plain_lines(told.getvalue()), nl=False, err=True)
        else:
            report(UsageError(error.format_message(), hint=f"see: {name} --help"), name)
        return 2
    except (click.Abort, KeyboardInterrupt):
        discard_stdout()
        return 130
    except LeanMemoryError as error:
        report(error, name)
        return 2 if isinstance(error, UsageError) else error.exit_code
    except OSError as error:
        if not reader_is_gone(error):
            raise
        discard_stdout()
        return 0


def _complete(command: click.Command, name: str) -> None:
    """Answers the shell when it asks how a line can go on (see click's shell completion)."""
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    if instruction := os.environ.get(variable):
        from click.shell_completion import shell_complete

        raise click.exceptions.Exit(shell_complete(command, {}, name, variable, instruction))
