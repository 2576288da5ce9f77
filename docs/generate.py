"""Writes docs/commands.md from each command's --help and docs/wire.md from the JSON Schemas: `just docs`."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import click

DOCS = Path(__file__).resolve().parent
SCHEMAS = DOCS.parent / "lean_memory" / "schemas"
COMMANDS = (
    "lm-extract", "lm-embed", "lm-store", "lm-search", "lm-log", "lm-maintain", "lm-review", "lean-memory-mcp",
)  # fmt: skip
RECORDS = (
    "note", "episode", "fact", "receipt", "hit", "change", "difference", "evidence", "row", "proposal", "target",
    "decision", "outcome", "report", "status", "check", "backup", "promotion", "removal", "erasure", "encryption",
    "error",
)  # fmt: skip

COMMANDS_HEAD = """# The commands

What `--help` says of each; `just docs` writes this page. A command that needs input and finds a terminal instead
says how it is used. To a terminal output is text, to a pipe it is [records](wire.md), one a line.
"""

WIRE_HEAD = """# Records on the wire

Commands exchange UTF-8 text, one JSON object a line (NDJSON). One line is one unit of work: an episode stands in
its line with its facts, and is stored whole or not at all. So `head`, `grep`, `split`, `jq` and a killed producer are
all safe. `just docs` writes this page from the JSON Schemas in `lean_memory/schemas/`.

* Every record has `type` and `v`, the version of the format. A record with a greater `v` than the reader's is
  refused. On input both may be left out.
* The order of a record's keys is fixed. Fields that a command does not know pass through it untouched.
* Times are RFC 3339, written in UTC with milliseconds; any offset is read.
* Ids follow from content (blake2b). A reader computes them itself, so they may be left out, and editing a line
  changes its id.
* Numbers are finite: NaN is no JSON and makes a line malformed, as does a number too large for a double. Integers
  beyond 64 bits become floats. Of a repeated key the last counts. Values nest 100 levels at most, and a line has
  64 MiB at most.
* What a terminal obeys stands escaped in a line (`\\u009b`): controls, also DEL and those of C1, breaks of lines,
  marks and overrides of direction. The value is the same.
* A byte order mark before the first line and a carriage return before a newline are dropped. The last line needs no
  newline. Blank lines are skipped, but counted.
* A malformed line is told on stderr as an `error` record and skipped (exit 3); under `--strict` it ends the
  command (exit 4).
"""


def pages() -> dict[str, str]:
    """File name -> content."""
    return {"commands.md": commands(), "wire.md": wire()}


def commands() -> str:
    """Every command's help."""
    parts = [COMMANDS_HEAD]
    for name in COMMANDS:
        command: click.Command = import_module(f"lean_memory.cli.{name.rsplit('-', 1)[1]}").command
        context = click.Context(command, info_name=name, terminal_width=80, help_option_names=["-h", "--help"])
        parts.append(f"\n## {name}\n\n```text\n{command.get_help(context)}\n```\n")
        for sub, its in sorted(getattr(command, "commands", {}).items()):
            within = click.Context(its, info_name=sub, parent=context, terminal_width=80)
            parts.append(f"\n### {name} {sub}\n\n```text\n{its.get_help(within)}\n```\n")
    return "".join(parts)


def wire() -> str:
    """Every record's fields."""
    parts = [WIRE_HEAD]
    for name in RECORDS:
        schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
        required = set(schema["required"])
        parts.append(f"\n## {name}\n\n{schema['description']}\n\n| field | | type and meaning |\n| --- | --- | --- |\n")
        for field, rule in schema["properties"].items():
            always = "" if field in required else "not always"
            text = " ".join(filter(None, (kind(rule) + ".", rule.get("description", ""))))
            parts.append(f"| `{field}` | {always} | {text} |\n")
    return "".join(parts)


def kind(rule: dict[str, Any]) -> str:
    """A field's type, in words."""
    if "const" in rule:
        return f"`{json.dumps(rule['const'])}`"
    if "enum" in rule:
        return " or ".join(f"`{json.dumps(value)}`" for value in rule["enum"])
    if "$ref" in rule:
        return "As in fact" if "#" in rule["$ref"] else f"A {rule['$ref'].rsplit(':', 1)[1]}"
    types = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    words = " or ".join(types)
    if rule.get("pattern", "").startswith("^[0-9]{4}-"):
        words = words.replace("string", "time")
    elif "[0-9a-f]{32}" in rule.get("pattern", ""):
        words = words.replace("string", "id (32 hex digits)")
    if "array" in types:
        item = rule.get("items") or rule["prefixItems"][0]
        name = item["$ref"].rsplit(":", 1)[1] if "$ref" in item else "id" if "pattern" in item else item["type"]
        return f"List of {name}s"
    if "minimum" in rule:
        words += f", from {rule['minimum']}" + (f" to {rule['maximum']}" if "maximum" in rule else "")
    return words[0].upper() + words[1:]


def main() -> None:
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
