"""memory_review_queue and memory_review_decide: a person decides on what maintenance proposes."""

from __future__ import annotations

from lean_memory.mcp_server import parameters, schema, telling
from lean_memory.mcp_server.answer import Answer, Tool
from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.fence import NOTICE, fenced

__all__ = ["DECIDE", "QUEUE"]

_STATUSES = ("pending", "approved", "kept", "edited", "promoted", "expired", "stale")


def queue(call: Call) -> Answer:
    """The proposals, by entity."""
    from lean_memory.wire import to_object

    given = call.given
    status = given.get("status", "pending")
    limit = given.get("limit", 20)
    found = call.memory.proposals(
        call.namespace,
        status=None if status == "any" else status,
        kind=given.get("kind"),
        entity=given.get("entity"),
        limit=limit + 1,
    )
    shown, more = found[:limit], len(found) > limit
    lines = list(telling.proposals(call, shown)) or ["No proposal waits for a decision."]
    if more:
        lines.append("(there are more: give a greater limit, or decide on these first)")
    data = {
        "namespace": call.namespace,
        "notice": NOTICE,
        "proposals": [to_object(proposal) for proposal in shown],
        "more": more,
    }
    return Answer(fenced(lines, **call.told()), data)


def decide(call: Call) -> Answer:
    """Carries verdicts out, each for itself."""
    from lean_memory.upkeep import Decision
    from lean_memory.wire import to_object

    decisions = [
        Decision(proposal=one["proposal"], verdict=one["verdict"], edits=one.get("edits", {}))
        for one in call.given["decisions"]
    ]
    outcomes = call.memory.decide(call.namespace, decisions, by=call.given.get("by", "user"))
    text = fenced((telling.outcome(one) for one in outcomes), **call.told())
    return Answer(text, {"namespace": call.namespace, "outcomes": [to_object(one) for one in outcomes]})


QUEUE = Tool(
    name="memory_review_queue",
    title="What waits for a decision",
    description="The changes that maintenance proposes, by whom they are about, each with what approving does to which"
    " fact and the evidence. Show them to the user and ask: the decision is theirs.",
    takes={
        "namespace": parameters.NAMESPACE,
        "entity": parameters.ENTITY,
        "kind": {
            "enum": ["merge", "summary", "eviction"],
            "description": "Only near-duplicates to merge, only summaries, or only what would be put away.",
        },
        "status": {
            "enum": [*_STATUSES, "any"],
            "default": "pending",
            "description": "Only those that stand so; `any` for all.",
        },
        "limit": parameters.limit(20, 200),
        "time_zone": parameters.TIME_ZONE,
    },
    gives=schema.answer(
        namespace=schema.NAMESPACE,
        notice={"type": "string", "description": "What the facts in them are: reference data."},
        proposals=schema.records("proposal", "By entity, kind and age."),
        more={"type": "boolean", "description": "Whether there are more than `limit`."},
    ),
    reads=True,
    repeats=True,
    run=queue,
)

DECIDE = Tool(
    name="memory_review_decide",
    title="Record the user's verdicts",
    description="Carries out what the user decided on proposals of memory_review_queue. Record only verdicts that the"
    " user gave in this conversation; never decide for them. What was decided already, has expired or has changed since"
    " is told as its outcome and nothing is done.",
    takes={
        "decisions": {
            "type": "array",
            "minItems": 1,
            "maxItems": 200,
            "description": "The verdicts, each on one proposal.",
            "items": {
                "type": "object",
                "properties": {
                    "proposal": {"type": "string", "minLength": 1, "description": "The proposal's id."},
                    "verdict": {
                        "enum": ["approve", "keep", "edit", "promote"],
                        "description": "approve: do it. keep: leave all as it is, and never propose it again. edit: do"
                        " it with `edits`. promote: leave it, and keep its facts at hand from now on.",
                    },
                    "edits": {
                        "type": "object",
                        "description": "With edit: what replaces the proposal's own.",
                        "properties": {
                            "text": {"type": "string", "description": "The summary's text."},
                            "survivor": {"type": "string", "description": "Id of the fact that stays, of a merge."},
                        },
                        "additionalProperties": False,
                    },
                },
                "required": ["proposal", "verdict"],
                "additionalProperties": False,
            },
        },
        "namespace": parameters.NAMESPACE,
        "by": {
            "type": "string",
            "minLength": 1,
            "default": "user",
            "description": "Who decided, for the log.",
        },
    },
    needs=("decisions",),
    gives=schema.answer(
        namespace=schema.NAMESPACE,
        outcomes=schema.records("outcome", "One for each decision, in order."),
    ),
    destroys=True,
    repeats=True,
    run=decide,
)
