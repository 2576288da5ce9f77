"""lean-memory-mcp: a memory for agents, over the Model Context Protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lean_memory.cli import common
from lean_memory.cli.plain import plain

if TYPE_CHECKING:
    from lean_memory.mcp_server.session import Activity
    from lean_memory.settings import Settings

__all__ = ["main", "serve"]


@click.command(
    name="lean-memory-mcp",
    epilog=common.EXIT_CODES,
    help="""Serve memories to an agent over MCP, on stdin and stdout.

    \b
    Examples:
      lean-memory-mcp -n work
      lean-memory-mcp --warm

    An MCP client starts it and ends it by closing its stdin. Its tools add, search, compare
    and keep in order; see docs/mcp.md. Nothing leaves this machine. With LM_MAINT_AUTO=1 the
    first addition also starts a run of maintenance that needs no decision, if one is due.""",
)
@click.option(
    "-n", "--namespace", metavar="NS", envvar="LM_NAMESPACE", help="The memory of calls that name none [default]."
)
@common.root_option
@click.option("--warm", is_flag=True, help="Fetch and load every model, so that no call waits for it; then end.")
@common.print_config_option
@click.pass_context
def command(context: click.Context, namespace: str | None, root: Path | None, warm: bool, print_config: bool) -> int:
    settings = common.settings(root)
    if print_config:
        from lean_memory.memory import Memory

        with Memory(settings=settings) as memory:
            return common.print_config(memory, namespace)
    if warm:
        return _warm(settings)
    common.need_input(context)
    serve(settings, namespace)
    return 0


def serve(settings: Settings, namespace: str | None, *, trace: Callable[[Activity], None] | None = None) -> None:
    """Serves one client on stdin and stdout until it is gone.

    Raises:
        BackendUnavailable: the extra is not installed.
    """
    from lean_memory.mcp_server.extra import check_installed

    check_installed()
    from lean_memory.mcp_server import stdio

    wire = stdio.Wire()  # before anything that might print is loaded
    from lean_memory.mcp_server.identity import DEFAULT_NAMESPACE
    from lean_memory.mcp_server.session import Session

    try:
        stdio.serve(wire, lambda: Session(settings, namespace=namespace or DEFAULT_NAMESPACE, trace=trace))
    finally:
        wire.close()


def _warm(settings: Settings) -> int:
    """Every model, with a line or a bar on stderr: it was asked for."""
    from lean_memory.memory import Memory

    with Memory(settings=settings) as memory, common.Progress("loading models") as progress:
        steps: list[tuple[str, Callable[[], None]]] = [
            ("search", memory.warm),
            *((f"search in {name}", partial(memory.warm, name)) for name in memory.namespaces()),
            ("extraction", memory.warm_extraction),
        ]
        for done, (name, load) in enumerate(steps):
            progress.step(done, len(steps))
            load()
            if not sys.stderr.isatty():
                click.echo(f"lean-memory-mcp: ready for {plain(name)}", err=True)
            progress.step(done + 1, len(steps))
    return 0


def main() -> None:
    """The console script."""
    common.main(command)
