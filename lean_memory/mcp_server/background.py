"""A run of maintenance in a process of its own, which nobody waits for and which outlives this one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any

from lean_memory.settings import Settings

__all__ = ["maintain"]

# Nothing is imported from the folder that the agent works in, which anybody may have written.
_RUN = "import sys; sys.path[:] = filter(None, sys.path); from lean_memory.cli.maintain import main; main()"


def maintain(namespace: str, settings: Settings) -> subprocess.Popen[bytes]:
    """Starts it: only what needs no decision, and only where it is due.

    Raises:
        OSError: no process can be started.
    """
    line = [
        sys.executable, "-c", _RUN, f"--namespace={namespace}", f"--root={settings.root.absolute()}",
        "--apply", "--auto-only", "--if-due", "--trigger=mcp-auto",
    ]  # fmt: skip
    detached: dict[str, Any] = (
        {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined,unused-ignore]
        if os.name == "nt"
        else {"start_new_session": True}
    )
    null = subprocess.DEVNULL
    process = subprocess.Popen(line, stdin=null, stdout=null, stderr=null, env=dict(settings.environ), **detached)
    threading.Thread(target=process.wait, daemon=True, name="maintenance").start()  # leaves no zombie, and nobody waits
    return process
