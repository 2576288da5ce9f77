"""lm-embed: vectors for lines in a pipe, or for what a memory holds without them."""

from __future__ import annotations

from pathlib import Path

import click

from lean_memory.cli import common

__all__ = ["main"]


@click.command(
    name="lm-embed",
    epilog=common.EXIT_CODES,
    help="""Add vectors: to episodes in a pipe, or to what a memory holds without them.

    \b
    Examples:
      cat notes.txt | lm-extract | lm-embed | lm-store -n work
      lm-embed -n work --reindex

    Reads episode records from stdin and writes them with vectors. With -n NS and an
    input without any line, embeds what NS holds without a vector; with --reindex,
    after a change of model, all of it. An interrupted run goes on where it stopped.""",
)
@common.namespace_option(required=False)
@common.root_option
@click.option("--reindex", is_flag=True, help="Make all of NS's vectors anew with the model in use now.")
@click.option("--warm", is_flag=True, help="Only load the model, so that the next call need not wait for it.")
@common.strict_option
@common.print_config_option
@click.pass_context
def command(
    context: click.Context,
    namespace: str | None,
    root: Path | None,
    reindex: bool,
    warm: bool,
    strict: bool,
    print_config: bool,
) -> int:
    from lean_memory.memory import Memory
    from lean_memory.wire import encode

    if reindex and namespace is None:
        raise click.UsageError("--reindex needs -n NS")
    with Memory(settings=common.settings(root)) as memory:
        if print_config:
            return common.print_config(memory, namespace)
        if warm:
            memory.warm(namespace)
            return 0
        if namespace is None:
            common.need_input(context)
        complaints = common.Complaints("lm-embed", strict=strict)
        if not reindex and not common.at_terminal():
            out = common.Output()
            empty = True
            for batch in common.read_episodes(complaints):
                empty = False
                for episode in memory.embed(batch, namespace=namespace):
                    out.write(encode(episode))
                out.flush()
            if namespace is None or not empty or complaints.count:
                return complaints.exit_code()
        with common.Progress("embedding") as progress:
            memory.embed_missing(str(namespace), reindex=reindex, progress=progress.step)
    return 0


def main() -> None:
    """The console script."""
    common.main(command)
