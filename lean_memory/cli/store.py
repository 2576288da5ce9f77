"""lm-store: episodes in, receipts out."""

from __future__ import annotations

from pathlib import Path

import click

from lean_memory.cli import common
from lean_memory.errors import Malformed

__all__ = ["main"]


@click.command(
    name="lm-store",
    epilog=common.EXIT_CODES,
    help="""Store episodes in a memory: one transaction and one receipt a line.

    \b
    Examples:
      cat notes.txt | lm-extract | lm-store -n work
      lm-extract diary.md | lm-embed | lm-store -n diary

    Reads episode records from stdin. Sending the same dated input again stores nothing
    twice. Lines without vectors get them here. A closed output doesn't stop it.""",
)
@common.namespace_option(required=True)
@common.root_option
@click.option("--no-embed", is_flag=True, help="Don't add vectors; lm-embed -n NS can do it later.")
@click.option("--fast", is_flag=True, help="Don't wait for the disk at every line: a power cut may lose the last ones.")
@click.option("--restore", is_flag=True, help="Fill the new memory NS with the output of lm-log --dump.")
@common.strict_option
@common.print_config_option
@click.pass_context
def command(
    context: click.Context,
    namespace: str,
    root: Path | None,
    no_embed: bool,
    fast: bool,
    restore: bool,
    strict: bool,
    print_config: bool,
) -> int:
    from lean_memory.memory import Memory
    from lean_memory.wire import encode

    with Memory(settings=common.settings(root), fast=fast) as memory:
        if print_config:
            return common.print_config(memory, namespace)
        common.need_input(context)
        if restore:
            memory.restore(namespace, common.read_rows())
            return 0
        out = common.Output(writes=True)
        complaints = common.Complaints("lm-store", strict=strict)
        for batch in common.read_episodes(complaints):
            for receipt in memory.store(namespace, batch, embed=not no_embed):
                out.write(encode(receipt))
                if receipt.status == "rejected":
                    complaints.add(Malformed(str(receipt.extra["reason"]), code="rejected"))
            out.flush()
    return complaints.exit_code()


def main() -> None:
    """The console script."""
    common.main(command)
