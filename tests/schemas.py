"""Checks records against the JSON Schemas that the package carries."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

__all__ = ["check", "names", "schema"]


def names() -> list[str]:
    """The types that have a schema."""
    return sorted(p.name.removesuffix(".json") for p in (files("lean_memory") / "schemas").iterdir())


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema of one type. Raises FileNotFoundError for a type that has none."""
    loaded: dict[str, Any] = json.loads((files("lean_memory") / "schemas" / f"{name}.json").read_text("utf-8"))
    return loaded


def check(obj: dict[str, Any], name: str | None = None) -> None:
    """Raises jsonschema.ValidationError unless `obj` is valid as `name`, by default as the type it says it is."""
    _validator(name or obj["type"]).validate(obj)


@cache
def _validator(name: str) -> Draft202012Validator:
    registry = Registry().with_resources(
        (schema(other)["$id"], Resource.from_contents(schema(other))) for other in names()
    )
    return Draft202012Validator(schema(name), registry=registry)
