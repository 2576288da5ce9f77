"""The schemas of structured answers: the records of the wire, made to stand alone."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

__all__ = ["NAMESPACE", "answer", "record", "records"]

NAMESPACE: Final = {"type": "string", "description": "The memory it is about."}

_URN = "urn:lean-memory:v1:"


def answer(**fields: Any) -> dict[str, Any]:
    """An object with these fields, all of them always there."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def records(name: str, description: str) -> dict[str, Any]:
    """A list of records of one type."""
    return {"type": "array", "items": record(name), "description": description}


def record(name: str) -> dict[str, Any]:
    """The schema of one type of record, without references. Patterns are left out: what a record holds is checked
    where it is made."""
    schema = _alone(_loaded(name))
    return {key: rule for key, rule in schema.items() if key not in ("$schema", "$id", "title")}


@cache
def _loaded(name: str) -> Any:
    return json.loads((files("lean_memory") / "schemas" / f"{name}.json").read_text("utf-8"))


def _alone(rule: Any) -> Any:
    if isinstance(rule, list):
        return [_alone(part) for part in rule]
    if not isinstance(rule, dict):
        return rule
    if "$ref" in rule:
        return _referred(rule["$ref"])
    return {key: _alone(part) for key, part in rule.items() if not (key == "pattern" and isinstance(part, str))}


def _referred(reference: str) -> Any:
    name, _, path = reference.removeprefix(_URN).partition("#")
    if not path:
        return record(name)
    rule = _loaded(name)
    for step in path.strip("/").split("/"):
        rule = rule[step]
    return _alone(rule)
