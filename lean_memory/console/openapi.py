"""The REST routes as an OpenAPI document: what they take, and that they give the records of the wire."""

from __future__ import annotations

from typing import Any, Final

from lean_memory import __version__
from lean_memory.limits import MAX_NAME, MAX_QUERY
from lean_memory.mcp_server.schema import record, records

__all__ = ["document"]

_TIME: Final = {
    "type": ["string", "null"],
    "pattern": r"^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?)?$",
    "description": "RFC 3339, or a date.",
}
_TEXT: Final = {"type": ["string", "null"]}


def document(*, largest_k: int) -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "lean-memory",
            "version": __version__,
            "description": "The REST mirror of `lm-review serve`, on this machine only.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": {
            "/v1/{namespace}/memories": _route(
                "addMemory",
                "Adds a note to a memory, which is made if there is none.",
                _note(),
                {
                    "200": _answer("It was stored already.", record("receipt")),
                    "201": _answer("It is stored.", record("receipt")),
                },
            ),
            "/v1/{namespace}/search": _route(
                "search",
                "Finds facts and episodes in a memory, best first.",
                _query(largest_k),
                {
                    "200": _answer("What is found.", _object({"hits": records("hit", "Best first.")}, "hits")),
                    "404": _answer("There is no such memory.", record("error")),
                },
            ),
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _route(name: str, summary: str, takes: dict[str, Any], gives: dict[str, Any]) -> dict[str, Any]:
    failures = {
        "400": "What was asked is wrong.",
        "413": "The body is too large.",
        "503": "The memory is busy, or a model is missing.",
    }
    namespace = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
    return {
        "parameters": [{"name": "namespace", "in": "path", "required": True, "schema": namespace}],
        "post": {
            "operationId": name,
            "summary": summary,
            "requestBody": {"required": True, "content": {"application/json": {"schema": takes}}},
            "responses": {
                **gives,
                **{status: _answer(why, record("error")) for status, why in failures.items()},
                "401": {"description": "The token is missing.", "content": {"text/plain": {}}},
            },
        },
    }


def _answer(why: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": why, "content": {"application/json": {"schema": _common(schema)}}}


def _common(rule: Any) -> Any:
    """The same without `prefixItems`, which not all readers of OpenAPI know: a pair is a list of two."""
    if isinstance(rule, list):
        return [_common(part) for part in rule]
    if not isinstance(rule, dict):
        return rule
    kept = {key: _common(part) for key, part in rule.items() if key != "prefixItems"}
    if parts := rule.get("prefixItems"):
        kept |= {"items": _common(parts[0]), "minItems": len(parts), "maxItems": len(parts)}
    return kept


def _object(properties: dict[str, Any], *required: str, closed: bool = False) -> dict[str, Any]:
    more = {"additionalProperties": False} if closed else {}
    return {"type": "object", "properties": properties, "required": list(required), **more}


def _note() -> dict[str, Any]:
    """A note as one may send it: all but the text may be left out."""
    return _object(
        {
            "text": {"type": "string", "description": "What was said, in its own words."},
            "t_ref": {**_TIME, "description": "When it was said; now, if it is left out."},
            "tz": {**_TEXT, "description": "Zone of words like `yesterday`, such as Europe/Berlin or +05:45."},
            "source": {**_TEXT, "description": "Where it comes from; of an `assistant` no facts are drawn."},
            "speaker": {**_TEXT, "description": "Who says `I`; null is the user."},
            "session": {**_TEXT, "description": "The conversation it belongs to."},
            "meta": {"type": ["object", "null"], "description": "Anything to be kept with it."},
            "type": {"enum": ["note", "episode"]},
            "v": {"const": 1},
        },
        "text",
    )


def _query(largest_k: int) -> dict[str, Any]:
    times = ("as_of", "known_at", "now", "since", "until")
    return _object(
        {
            "query": {"type": "string", "maxLength": MAX_QUERY, "description": "Plain text; no character is syntax."},
            "k": {"type": "integer", "minimum": 1, "maximum": largest_k, "default": 10},
            "kind": {"enum": ["fact", "episode", "any"], "default": "any"},
            "subject": _TEXT,
            "predicate": _TEXT,
            "include_cold": {"type": "boolean", "default": False},
            "explain": {"type": "boolean", "default": False},
            **dict.fromkeys(times, _TIME),
        },
        "query",
        closed=True,
    )
