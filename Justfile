# `just` lists these; each is one line that also works without just.

python := ".venv/bin/python"

_default:
    @just --list --unsorted

# From a fresh clone to the first answers.
demo:
    bin/demo

# Everything CI checks, on every Python of this machine.
test:
    bin/test

# Style, types and layers only.
lint:
    {{python}} -m ruff check .
    {{python}} -m ruff format --check .
    {{python}} -m mypy
    {{python}} -m mypy --platform=win32 --no-warn-unreachable --cache-dir=.mypy_cache/win32
    {{python}} -m mypy --platform=darwin --no-warn-unreachable --cache-dir=.mypy_cache/darwin
    .venv/bin/lint-imports

# What the store costs over bare SQLite, how fast a command starts, a cold search, a whole pipe.
bench:
    {{python}} tests/bench/store.py
    {{python}} tests/bench/startup.py
    {{python}} tests/bench/coldstart.py
    {{python}} tests/bench/ingest.py

# A search among up to a million facts, by stage, and what its coarse stage keeps: half an hour and 5 GB.
bench-scale *options:
    {{python}} tests/bench/scale.py {{options}}
    {{python}} tests/bench/coarse.py

# The MCP inspector of npm on this checkout's server, in the browser.
inspector:
    npx -y @modelcontextprotocol/inspector bin/lean-memory-mcp

# The laws with fifty times as many examples.
fuzz:
    {{python}} -m pytest -q -n auto --hypothesis-profile=fuzz

# Ten minutes of random text and bytes for the extractor.
fuzz-extract seconds="600" seed="1":
    {{python}} tests/bench/fuzz_extract.py {{seconds}} {{seed}}

# Any bytes, records, questions, times, arguments and requests, many times over: half an hour with 2000.
fuzz-input examples="2000":
    EXAMPLES={{examples}} {{python}} -m pytest -q -n auto --hypothesis-profile=long tests/fuzz tests/importers/test_any_bytes.py tests/mcp/test_any_arguments.py tests/console/test_any_request.py

# Kills a run of maintenance at 200 statements: the file is sound, and the next run ends where it would have.
kills:
    KILLS=200 {{python}} -m pytest -q tests/maintain/test_crash.py -k killed_anywhere

# Every fault of the disk at every call, power cuts at every moment, damage all over, cuts at every point: an hour or two.
faults:
    POWER_CUTS=100000 POWER_WAYS=3 FAILING_STEP=1 DAMAGE=40 CUTS=400 MIGRATION_CUTS=1000 {{python}} -m pytest -q -n auto tests/faults tests/migrations

# Sixteen writers, eight readers, maintenance, review and backups on one memory for a minute: what must hold, and waits.
soak *options:
    {{python}} tests/bench/soak.py {{options}}

# A hundred megabytes, a long text, ten thousand memories: a quarter of an hour and 4 GB.
bench-limits *parts:
    {{python}} tests/bench/limits.py {{parts}}

# What a run of maintenance costs, and a year of nights.
bench-maintain:
    {{python}} tests/bench/maintain.py

# Writes what the commands do now into tests/golden, to be read with git diff.
golden:
    {{python}} -m pytest -q -n auto tests/golden --populate
    git status --short tests/golden

# Writes docs/commands.md and docs/wire.md anew.
docs:
    {{python}} docs/generate.py

# The wheel with each extra in an environment of its own: does it install and load? Minutes and gigabytes.
extras *names:
    {{python}} tests/bench/extras.py {{names}}

# Writes docs/licences.md from what all of these bring.
licences:
    {{python}} tests/bench/extras.py --licences docs/licences.md

# For which systems and Pythons every package of the base install comes ready built.
systems:
    {{python}} tests/bench/systems.py

# The archives of a release and its bill of materials (CycloneDX), into dist.
sbom *extras:
    {{python}} tests/bench/release.py {{extras}}
