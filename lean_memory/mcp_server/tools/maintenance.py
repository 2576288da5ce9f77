"""memory_maintenance_run and memory_maintenance_status: the off-hours job."""

from __future__ import annotations

from lean_memory.mcp_server import parameters, schema, telling
from lean_memory.mcp_server.answer import Answer, Tool
from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.fence import fenced

__all__ = ["RUN", "STATUS"]


def run(call: Call) -> Answer:
    """One run, dry unless `apply`."""
    from lean_memory.wire import to_object

    flags = {name: call.given.get(name, False) for name in ("apply", "auto_only", "prove", "if_due")}
    report = call.memory.maintain(call.namespace, trigger="mcp", **flags)
    lines = [fenced(telling.report(call, report), **call.told())]
    if report.status == "done" and not report.applied:
        lines.append("To do it, call memory_maintenance_run with apply true.")
    elif report.proposals:
        lines.append("The proposals wait for the user: see memory_review_queue.")
    return Answer("\n".join(lines), {"report": to_object(report)})


def status(call: Call) -> Answer:
    """How the memory stands."""
    from lean_memory.wire import to_object

    found = call.memory.maintenance_status(call.namespace)
    return Answer("\n".join(telling.status(call, found)), {"status": to_object(found)})


RUN = Tool(
    name="memory_maintenance_run",
    title="Run maintenance",
    description="Keeps a memory small and to the point. Says what it would do and writes nothing, unless apply is true."
    " Applied, it retires exact duplicates and moves what nobody needs to the cold tier; near-duplicates, summaries and"
    " other evictions become proposals for the user to decide on. Nothing is deleted, and no answer about the past"
    " changes.",
    takes={
        "namespace": parameters.NAMESPACE,
        "apply": {"type": "boolean", "default": False, "description": "Do it. False: only say what it would do."},
        "auto_only": {
            "type": "boolean",
            "default": False,
            "description": "No proposals: only what needs no decision.",
        },
        "prove": {
            "type": "boolean",
            "default": False,
            "description": "Compare answers about the past before and after, and roll back if one differs.",
        },
        "if_due": {
            "type": "boolean",
            "default": False,
            "description": "Do nothing unless enough has come since the last run.",
        },
        "time_zone": parameters.TIME_ZONE,
    },
    gives=schema.answer(report=schema.record("report")),
    repeats=True,
    run=run,
)

STATUS = Tool(
    name="memory_maintenance_status",
    title="How the memory stands",
    description="How many facts are at hand and in the cold tier, how many proposals wait for the user, the last runs"
    " of maintenance, and whether another is due.",
    takes={"namespace": parameters.NAMESPACE, "time_zone": parameters.TIME_ZONE},
    gives=schema.answer(status=schema.record("status")),
    reads=True,
    repeats=True,
    run=status,
)
