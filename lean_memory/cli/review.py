"""lm-review: a person decides on what maintenance proposes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lean_memory.cli import common
from lean_memory.errors import Malformed, UsageError

if TYPE_CHECKING:
    from lean_memory.memory import Memory
    from lean_memory.upkeep import Decision, Outcome, Proposal, Verdict
    from lean_memory.wire import Line, Object

__all__ = ["main"]

_VERDICTS = ("approve", "keep", "edit", "promote")
_KINDS = ("merge", "summary", "eviction")
_STATUSES = ("pending", "approved", "kept", "edited", "promoted", "expired", "stale", "any")
_ANSWERS = {"approve": "approved", "keep": "kept", "edit": "edited", "promote": "promoted"}
_ID = 32

_json_option = click.option("--json", "as_json", is_flag=True, help="Records, to a terminal too.")
_by_option = click.option("--by", default="user", show_default=True, metavar="NAME", help="Who decides, for the log.")


@click.group(
    name="lm-review",
    invoke_without_command=True,
    subcommand_metavar="[COMMAND]",
    epilog=common.EXIT_CODES,
    help="""Decide on what maintenance proposes: near-duplicates, summaries, what to put away.

    \b
    Examples:
      lm-review -n work
      lm-review list --json | grep eviction | lm-review decide keep
      lm-review serve

    Alone and on a terminal it goes through the queue, one key a verdict. A decision counts
    once, whoever else decides, and not if a fact it is about has changed since: its outcome
    says so. What nobody decides on expires, and is never done by itself.""",
)
@common.namespace_option(required=False)
@common.root_option
@_by_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> int:
    context.obj = options
    if context.invoked_subcommand is not None:
        return 0
    if not (common.at_terminal() and common.to_terminal()):
        common.usage(context)
    from lean_memory.cli.review_session import review
    from lean_memory.memory import Memory

    with Memory(settings=common.settings(options["root"])) as memory:
        queue = _queue(memory, options["namespace"])
        memory.close()  # a person may take hours: hold no file meanwhile
        return review(memory, queue, by=options["by"])


def _place(function: Any) -> Any:
    """`-n` and `--root` behind the subcommand too."""
    return common.namespace_option(required=False)(common.root_option(function))


def _where(context: click.Context, namespace: str | None, root: Path | None) -> tuple[str | None, Path | None]:
    """What stands behind the subcommand, else before it."""
    return namespace or context.obj["namespace"], root or context.obj["root"]


def _queue(memory: Memory, namespace: str | None, **asked: Any) -> list[Proposal]:
    """The proposals of one memory, or of all."""
    names = [namespace] if namespace else memory.namespaces()
    return [proposal for name in names for proposal in memory.proposals(name, **asked)]


def _find(memory: Memory, namespace: str | None, id: str) -> tuple[str, str]:
    """Memory and full id of the proposal whose id begins so. Raises UsageError: none does, or several do."""
    if namespace and len(id) == _ID:
        return namespace, id
    found = [one for one in _queue(memory, namespace, status=None) if one.id.startswith(id.lower())]
    if len(found) == 1:
        return found[0].namespace, found[0].id
    where = namespace or "any memory"
    if not found:
        raise UsageError(
            f"no proposal of {where} has an id that begins with {id}",
            hint="they are listed by: lm-review list --status any",
            code="no_proposal",
        )
    raise UsageError(f"the ids of {len(found)} proposals begin with {id}", hint="give more of it, or -n NS")


# --------------------------------------------------------------------------------------------------- the queue


@command.command(name="list", help="The proposals with their evidence, by entity.")
@_place
@click.option("--status", type=click.Choice(_STATUSES), default="pending", show_default=True)
@click.option("--kind", type=click.Choice(_KINDS))
@click.option("--entity", metavar="NAME", help="Only those about NAME.")
@click.option("--limit", type=click.IntRange(1), help="Of each memory, at most so many.")
@_json_option
@click.pass_context
def list_(
    context: click.Context,
    namespace: str | None,
    root: Path | None,
    status: str,
    kind: str | None,
    entity: str | None,
    limit: int | None,
    as_json: bool,
) -> int:
    from lean_memory.cli.review_text import listed
    from lean_memory.memory import Memory
    from lean_memory.wire import encode

    name, where = _where(context, namespace, root)
    out = common.Output()
    with Memory(settings=common.settings(where)) as memory:
        wanted = None if status == "any" else status
        found = _queue(memory, name, status=wanted, kind=kind, entity=entity, limit=limit)
    if common.to_terminal() and not as_json:
        lines: Iterable[str] = listed(found) if found else ["nothing waits for a decision"]
        for line in lines:
            out.tell(f"{line}\n")
    else:
        for proposal in found:
            out.write(encode(proposal))
    out.flush()
    return 0


@command.command(help="One proposal: its ID, or how that begins.")
@click.argument("id")
@_place
@_json_option
@click.pass_context
def show(context: click.Context, id: str, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.cli.plain import plain
    from lean_memory.cli.review_text import heading, proposal_lines
    from lean_memory.memory import Memory
    from lean_memory.wire import encode

    name, where = _where(context, namespace, root)
    with Memory(settings=common.settings(where)) as memory:
        proposal = memory.proposal(*_find(memory, name, id))
    out = common.Output()
    if common.to_terminal() and not as_json:
        about = f"{plain(proposal.namespace)}: {plain(proposal.entity)}"
        for line in (f"{proposal.id}  {about}", heading(proposal), *proposal_lines(proposal)):
            out.tell(f"{line}\n")
    else:
        out.write(encode(proposal))
    out.flush()
    return 0


@command.command(help="How many proposals wait, when the first expires, and the last runs of maintenance.")
@_place
@_json_option
@click.pass_context
def status(context: click.Context, namespace: str | None, root: Path | None, as_json: bool) -> int:
    from lean_memory.cli.upkeep_text import lines
    from lean_memory.memory import Memory
    from lean_memory.wire import encode

    name, where = _where(context, namespace, root)
    out = common.Output()
    with Memory(settings=common.settings(where)) as memory:
        for one in [name] if name else memory.namespaces():
            found = memory.maintenance_status(one)
            if common.to_terminal() and not as_json:
                out.tell("".join(f"{line}\n" for line in lines(found)))
            else:
                out.write(encode(found))
    out.flush()
    return 0


# --------------------------------------------------------------------------------------------------- deciding


@command.command(
    help="""Decide: on the proposals with these IDs, or on what comes from stdin.

    VERDICT is approve, keep (leave it as it is, for good), edit (approve it changed, with --text or --survivor), or
    promote (keep its facts at hand for good). Without one, stdin has decision records; with a VERDICT and no ID,
    proposal records, as `lm-review list` writes them. One outcome a decision; the exit code is 3 if any of them was
    not carried out. Deciding the same again is no error."""
)
@click.argument("verdict", required=False, type=click.Choice(_VERDICTS))
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_place
@click.option("--text", metavar="TEXT", help="To edit a summary: what it says.")
@click.option("--survivor", metavar="FACT", help="To edit a merge: the id of the fact that stays.")
@click.option("--entity", metavar="NAME", help="In place of IDs: all that waits about NAME.")
@_by_option
@common.strict_option
@_json_option
@click.pass_context
def decide(
    context: click.Context,
    verdict: Verdict | None,
    ids: tuple[str, ...],
    namespace: str | None,
    root: Path | None,
    text: str | None,
    survivor: str | None,
    entity: str | None,
    by: str,
    strict: bool,
    as_json: bool,
) -> int:
    from lean_memory.memory import Memory
    from lean_memory.upkeep import Decision

    edits = {name: value for name, value in (("text", text), ("survivor", survivor)) if value is not None}
    if (verdict == "edit") is not bool(edits):
        raise click.UsageError("--text or --survivor goes with edit, and edit with one of them")
    if ids and entity:
        raise click.UsageError("give IDs or --entity, not both")
    name, where = _where(context, namespace, root)
    by = _by(context, by)
    answers = _Answers(as_json=as_json)
    complaints = common.Complaints("lm-review", strict=strict)
    with Memory(settings=common.settings(where)) as memory:
        if ids or entity:
            if verdict is None:
                raise click.UsageError("what is decided? Give a VERDICT before the IDs")
            if entity:
                found = [(one.namespace, one.id) for one in _queue(memory, name, entity=entity)]
            else:
                found = [_find(memory, name, id) for id in ids]
            for memory_name, id in found:
                answers.give(memory.decide(memory_name, [Decision(proposal=id, verdict=verdict, edits=edits)], by=by))
        else:
            common.need_input(context)
            for lines in common.read_lines():
                for item in (_item(line, verdict, edits, name) for line in lines):
                    if isinstance(item, Malformed):
                        answers.flush()
                        complaints.add(item)
                    else:
                        answers.give(memory.decide(item[0], [item[1]], by=by))
                answers.flush()
    answers.flush()
    return complaints.exit_code() or (3 if answers.refused else 0)


def _item(
    line: Line | Malformed, verdict: Verdict | None, edits: dict[str, str], namespace: str | None
) -> tuple[str, Decision] | Malformed:
    """What the line decides, and the memory it is about."""
    from lean_memory.notes import located

    if isinstance(line, Malformed):
        return line
    try:
        return _decision(line, verdict, edits, namespace)
    except Malformed as error:
        return located(error, line)


def _decision(
    line: Line, verdict: Verdict | None, edits: dict[str, str], namespace: str | None
) -> tuple[str, Decision]:
    from lean_memory.wire import decode_decision

    obj: Object = line.object()
    if verdict is not None:
        if obj.get("type") == "proposal":
            obj = {"proposal": obj.get("id"), "namespace": obj.get("namespace")}
        obj = {**obj, "verdict": verdict, "edits": edits}
    elif obj.get("type") == "proposal":
        raise Malformed(
            "this is a proposal, not a decision on it", code="wrong_type", hint="say what to do: lm-review decide keep"
        )
    decision = decode_decision(obj)
    where = namespace or decision.extra.get("namespace")
    if not isinstance(where, str):
        raise Malformed("which memory is it about?", code="bad_field", hint="name it with -n NS, or in `namespace`")
    return where, decision


class _Answers:
    """Outcomes on stdout as they come. `refused`: whether any decision was not carried out."""

    def __init__(self, *, as_json: bool) -> None:
        self._out = common.Output(writes=True)
        self._text = common.to_terminal() and not as_json
        self.refused = False

    def give(self, outcomes: Sequence[Outcome]) -> None:
        from lean_memory.cli.review_text import outcome_line
        from lean_memory.wire import encode

        for outcome in outcomes:
            again = outcome.outcome == "already_decided" and outcome.status == _ANSWERS[outcome.verdict]
            self.refused |= outcome.outcome != "applied" and not again
            if self._text:
                self._out.tell(f"{outcome_line(outcome)}\n")
            else:
                self._out.write(encode(outcome))

    def flush(self) -> None:
        self._out.flush()


# ------------------------------------------------------------------------------------------------ the console


@command.command(
    help="""The console: review, search and look back in a browser, for as long as this runs.

    Prints the address to open. It listens on 127.0.0.1 only, and the address carries a token: who has it can read and
    add to every memory under the root. Programs send it as Authorization: Bearer TOKEN, to POST /v1/NS/memories and
    /v1/NS/search. Ctrl-C ends it."""
)
@_place
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Where to listen [a free port].")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Use the token in FILE, for programs that must know it; made if there is none [a new one each time].",
)
@click.option("--mcp", is_flag=True, help="Also serve agents, over MCP at /mcp.")
@_by_option
@click.pass_context
def serve(
    context: click.Context,
    namespace: str | None,
    root: Path | None,
    port: int,
    token_file: Path | None,
    mcp: bool,
    by: str,
) -> int:
    from lean_memory.cli.review_serve import serve

    name, where = _where(context, namespace, root)
    serve(common.settings(where), name, port=port, token_file=token_file, mcp=mcp, by=_by(context, by))
    return 0


@command.command(
    help="""Serve an agent over MCP, on stdin and stdout.

    The same as lean-memory-mcp, but that it leaves a trace of the calls for the console. An MCP client starts it and
    ends it by closing its stdin; see docs/mcp.md."""
)
@_place
@click.pass_context
def mcp(context: click.Context, namespace: str | None, root: Path | None) -> int:
    common.need_input(context)
    from lean_memory.cli.mcp import serve
    from lean_memory.mcp_server.trace import Trace

    name, where = _where(context, namespace, root)
    settings = common.settings(where)
    serve(settings, name, trace=Trace(settings.root))
    return 0


def _by(context: click.Context, by: str) -> str:
    """What stands behind the subcommand, else before it."""
    default = context.get_parameter_source("by") is click.core.ParameterSource.DEFAULT
    return str(context.obj["by"]) if default else by


def main() -> None:
    """The console script."""
    common.main(command)
