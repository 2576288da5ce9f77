"""lm-maintain: the off-hours job, and what keeps a memory's file in order."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lean_memory.cli import common
from lean_memory.errors import LeanMemoryError, StoreUnavailable, UsageError

if TYPE_CHECKING:
    from lean_memory.upkeep import Checked, Copy, Encryption, Erasure, Promotion, Removal, Report, Status

    Shown = Report | Status | Checked | Copy | Encryption | Erasure | Promotion | Removal

__all__ = ["main"]

_json_option = click.option("--json", "as_json", is_flag=True, help="Records, to a terminal too.")
_yes_option = click.option("--yes", is_flag=True, help="Do it: there is no way back.")


@click.group(
    name="lm-maintain",
    invoke_without_command=True,
    subcommand_metavar="[COMMAND]",
    epilog=common.EXIT_CODES,
    help="""Keep memories small and to the point, off-hours: every one, or the one of -n.

    \b
    Examples:
      lm-maintain -n work
      lm-maintain -n work --apply --prove
      lm-maintain --apply --if-due

    Without --apply it says what it would do and writes nothing. With it, exact duplicates
    are retired and facts that nobody needs go to the cold tier; near-duplicates, summaries
    and other evictions become proposals for a person to decide on. Nothing is deleted, and no
    answer about the past changes; --prove checks that on your own file.""",
)
@common.namespace_option(required=False)
@common.root_option
@click.option("--apply", is_flag=True, help="Do it, and stage the proposals.")
@click.option("--auto-only", is_flag=True, help="No proposals: only what needs no decision.")
@click.option(
    "--prove", is_flag=True, help="Compare answers about the past before and after; roll back if one differs."
)
@click.option("--if-due", is_flag=True, help="Only where enough is new since the last run (200 facts, 7 days).")
@click.option("--trigger", default="manual", show_default=True, metavar="NAME", help="What started it, for the ledger.")
@common.instant_option("--now", help="The run's present [the clock].")
@click.option("-j", "jobs", type=click.IntRange(1), default=1, show_default=True, help="Memories at a time.")
@_json_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> int:
    context.obj = options
    if context.invoked_subcommand is not None:
        return 0
    names = _namespaces(options["namespace"], options["root"])
    fields = ("apply", "auto_only", "prove", "if_due", "trigger", "now")
    asked = {name: options[name] for name in fields}
    tasks = [(options["root"], name, asked) for name in names]
    code = 0
    for found in _one_by_one(tasks) if options["jobs"] == 1 or len(tasks) < 2 else _parallel(tasks, options["jobs"]):
        if isinstance(found, LeanMemoryError):
            common.report(found, str(context.info_name))
            code = max(code, found.exit_code)
            continue
        _show([found], as_json=options["as_json"])
        if found.status == "unproved":
            common.report(_unproved(found), str(context.info_name))
            code = max(code, 5)
    return code


def _run(task: tuple[Path | None, str, dict[str, Any]]) -> Report | LeanMemoryError:
    """One memory's run. A failure is an answer, so that it doesn't keep the others from theirs."""
    from lean_memory.memory import Memory

    root, namespace, asked = task
    try:
        with Memory(settings=common.settings(root)) as memory:
            return memory.maintain(namespace, **asked)
    except LeanMemoryError as error:
        return error


def _one_by_one(tasks: Iterable[tuple[Path | None, str, dict[str, Any]]]) -> Iterator[Report | LeanMemoryError]:
    yield from map(_run, tasks)


def _parallel(tasks: list[tuple[Path | None, str, dict[str, Any]]], jobs: int) -> Iterator[Report | LeanMemoryError]:
    """In processes of their own, in order."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_run, tasks)


def _unproved(report: Report) -> StoreUnavailable:
    return StoreUnavailable(
        f"{report.namespace}: {len(report.differing)} of {report.proved} answers about the past would have changed;"
        " nothing was written",
        code="unproved",
        hint="this is a fault of lean-memory: please report it",
    )


def _namespaces(namespace: str | None, root: Path | None) -> list[str]:
    from lean_memory.memory import Memory

    if namespace is not None:
        return [namespace]
    with Memory(settings=common.settings(root)) as memory:
        return memory.namespaces()


# --------------------------------------------------------------------------------------------- other commands


def _place(function: Any) -> Any:
    """`-n` and `--root` behind the subcommand too."""
    return common.namespace_option(required=False)(common.root_option(_json_option(function)))


def _where(context: click.Context, namespace: str | None, root: Path | None) -> tuple[str | None, Path | None]:
    """What stands behind the subcommand, else before it."""
    return namespace or context.obj["namespace"], root or context.obj["root"]


def _one(context: click.Context, namespace: str | None, root: Path | None) -> tuple[str, Path | None]:
    name, where = _where(context, namespace, root)
    if name is None:
        raise click.UsageError("which memory? Name it with -n NS")
    return name, where


@command.command(help="How many facts are at hand, what waits for a decision, the last runs, whether one is due.")
@_place
@click.pass_context
def status(context: click.Context, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.memory import Memory

    name, where = _where(context, namespace, root)
    with Memory(settings=common.settings(where)) as memory:
        found = [memory.maintenance_status(one) for one in ([name] if name else memory.namespaces())]
    return _show(found, as_json=as_json or context.obj["as_json"])


@command.command(
    help="Whether the file is sound: integrity, foreign keys, facts = vectors = text index. Exit 5 if not."
)
@_place
@click.pass_context
def check(context: click.Context, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.memory import Memory
    from lean_memory.upkeep import Checked

    name, where = _where(context, namespace, root)
    code = 0
    with Memory(settings=common.settings(where)) as memory:
        for one in [name] if name else memory.namespaces():
            try:
                wrong = memory.check(one)
            except LeanMemoryError as error:  # the others are checked all the same
                common.report(error, str(context.parent and context.parent.info_name))
                code = max(code, error.exit_code)
                continue
            _show([Checked(namespace=one, wrong=tuple(wrong))], as_json=as_json or context.obj["as_json"])
            if wrong:
                common.report(memory.damage(one, wrong), str(context.parent and context.parent.info_name))
                code = max(code, 5)
    return code


@command.command(help="A verified copy of the memory in the new file FILE, while it is in use.")
@click.argument("file", type=click.Path(path_type=Path))
@_place
@click.pass_context
def backup(context: click.Context, file: Path, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.memory import Memory

    name, where = _one(context, namespace, root)
    with Memory(settings=common.settings(where)) as memory:
        return _show([memory.backup(name, file)], as_json=as_json or context.obj["as_json"])


@command.command(
    help="""Put a copy of the backup FILE in the place of the memory of -n.

    Whatever has become of that: damaged, lost, or not wanted any more. The copy is verified first. What was there is
    moved aside, not removed. Refused while anybody uses it."""
)
@click.argument("file", type=click.Path(path_type=Path))
@_place
@click.pass_context
def restore(context: click.Context, file: Path, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.memory import Memory

    name, where = _one(context, namespace, root)
    with Memory(settings=common.settings(where)) as memory:
        done, aside = memory.restore_backup(name, file)
    if aside is not None:
        common.warn(f"what was there is now {aside}", str(context.parent and context.parent.info_name))
    return _show([done], as_json=as_json or context.obj["as_json"])


@command.command(help="Bring facts (their ids) back from the cold tier, and keep them at hand from now on.")
@click.argument("facts", nargs=-1, required=True, metavar="FACT...")
@click.option("--by", default="user", show_default=True, help="Who decides, for the log.")
@_place
@click.pass_context
def promote(
    context: click.Context, facts: tuple[str, ...], by: str, namespace: str | None, root: Path | None, as_json: bool
) -> int:
    from lean_memory.memory import Memory
    from lean_memory.upkeep import Promotion

    name, where = _one(context, namespace, root)
    with Memory(settings=common.settings(where)) as memory:
        back = memory.promote(name, facts, by=by)
    return _show([Promotion(namespace=name, facts=tuple(back))], as_json=as_json or context.obj["as_json"])


@command.command(help="Remove a memory with all its files. Refused while a run of maintenance or anybody else uses it.")
@_yes_option
@_place
@click.pass_context
def clear(context: click.Context, yes: bool, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.memory import Memory
    from lean_memory.upkeep import Removal

    name, where = _one(context, namespace, root)
    if not yes:
        raise UsageError(f"this removes the memory {name} for good", hint="say so with --yes", code="needs_yes")
    with Memory(settings=common.settings(where)) as memory:
        removed = Removal(namespace=name, files=tuple(memory.clear(name)))
    return _show([removed], as_json=as_json or context.obj["as_json"])


@command.command(
    help="""Erase for good: a fact, an episode, or every place where a text stands.

    History changes: searches of the past don't find it either. Rows, vectors, index, log, summaries and proposals made
    from it go; a fact's words are blacked out in the episodes that say it. Then the file is rewritten and searched for
    the bytes. Copies elsewhere (backups, dumps) are yours to erase. The receipt holds none of what was erased."""
)
@click.option("--fact", metavar="ID", help="The fact with this id.")
@click.option("--episode", metavar="ID", help="The episode with this id, and what only it says.")
@click.option("--text", metavar="TEXT", help="These letters, upper or lower case, wherever they stand.")
@_yes_option
@_place
@click.pass_context
def forget(
    context: click.Context,
    fact: str | None,
    episode: str | None,
    text: str | None,
    yes: bool,
    namespace: str | None,
    root: Path | None,
    as_json: bool,
) -> int:
    from lean_memory.memory import Memory

    name, where = _one(context, namespace, root)
    if sum(bool(one) for one in (fact, episode, text)) != 1:
        raise click.UsageError("name one thing to forget: --fact, --episode or --text")
    if not yes:
        raise UsageError(
            f"this erases from {name} for good, and changes its history", hint="say so with --yes", code="needs_yes"
        )
    with Memory(settings=common.settings(where)) as memory:
        erasure = memory.forget(name, fact=fact, episode=episode, text=text)
    _show([erasure], as_json=as_json or context.obj["as_json"])
    return 5 if erasure.remains else 0


@command.command(
    help="""Encrypt the memory of -n, or every one, with the key of LM_ENCRYPT; or change the key.

    \b
    Examples:
      LM_ENCRYPT=@new.key lm-maintain rekey
      LM_ENCRYPT=@new.key LM_ENCRYPT_OLD=@old.key lm-maintain rekey
      LM_ENCRYPT_OLD=@old.key lm-maintain rekey --decrypt

    A file that is so already stays as it is. A kill at any point leaves it whole, under the old key or the new one;
    run it again. Refused while anybody else uses the file. Takes as much room again, meanwhile."""
)
@click.option("--decrypt", is_flag=True, help="The way back: to files that need no key.")
@_place
@click.pass_context
def rekey(context: click.Context, decrypt: bool, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.memory import Memory

    name, where = _where(context, namespace, root)
    with Memory(settings=common.settings(where)) as memory:
        for one in [name] if name else memory.rekeyable(decrypt=decrypt):
            _show([memory.rekey(one, decrypt=decrypt)], as_json=as_json or context.obj["as_json"])
    return 0


def _show(records: Iterable[Shown], *, as_json: bool) -> int:
    from lean_memory.wire import encode

    out = common.Output(writes=True)
    for record in records:
        if as_json or not common.to_terminal():
            out.write(encode(record))
        else:
            from lean_memory.cli.upkeep_text import lines

            out.tell("".join(f"{line}\n" for line in lines(record)))
        out.flush()
    return 0


def main() -> None:
    """The console script, under either of its names."""
    if Path(sys.argv[0]).name.startswith("lean-memory"):
        command.name = "lean-memory-maintain"
    common.main(command)
