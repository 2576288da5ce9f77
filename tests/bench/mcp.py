"""How long an agent waits for the MCP server: `python tests/bench/mcp.py [--runs N]`. Prints a Markdown table.

Each run starts the server anew. Wall time from the start of the process, and processor time of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).parent / "lean-memory-mcp")


def request(id: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def search(id: int) -> dict[str, Any]:
    return request(id, "tools/call", name="memory_search", arguments={"query": "where do I live?"})


STEPS = {
    "handshake answered": request(
        1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "bench", "version": "1"}
    ),
    "tools listed": request(2, "tools/list"),
    "first memory_add answered": request(
        3, "tools/call", name="memory_add", arguments={"text": "I live in Leeds.", "said_at": "2026-01-01"}
    ),
    "first memory_search answered": search(4),
    "second memory_search answered": search(5),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in STEPS}
    with tempfile.TemporaryDirectory() as root:
        for _ in range(runs + 1):
            for name, times in once({**os.environ, "LM_DATA_ROOT": root}).items():
                taken[name].append(times)
    print(f"Python {platform.python_version()}, {runs} runs, the least of each:\n")
    print("| until | wall, ms | processor, ms | median wall, ms |\n| --- | ---: | ---: | ---: |")
    for name, times in taken.items():
        walls, spent = zip(*times[1:], strict=True)  # the first one writes the byte code
        print(f"| {name} | {min(walls) * 1000:.0f} | {min(spent) * 1000:.0f} | {statistics.median(walls) * 1000:.0f} |")


def once(environ: dict[str, str]) -> dict[str, tuple[float, float]]:
    begun = time.perf_counter()
    process = subprocess.Popen([COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ)
    assert process.stdin is not None
    assert process.stdout is not None
    found = {}
    for name, message in STEPS.items():
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == message["id"]
        found[name] = time.perf_counter() - begun, spent(process.pid)
        if message["id"] == 1:
            process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    process.communicate(timeout=60)
    return found


def spent(pid: int) -> float:
    """Seconds of the processor; Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
