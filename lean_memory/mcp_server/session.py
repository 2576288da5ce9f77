"""The one `Memory` behind the tools, and the one thread that works on it.

SQLite's connections and the models are used by one thread, so that calls that come at the same time wait for each
other rather than meet. Between calls no file is held: other processes may clear, restore or move it.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from lean_memory.errors import LeanMemoryError
from lean_memory.mcp_server import faults
from lean_memory.mcp_server.answer import Answer
from lean_memory.mcp_server.call import Call
from lean_memory.mcp_server.identity import DEFAULT_NAMESPACE
from lean_memory.settings import Settings

if TYPE_CHECKING:
    from lean_memory.memory import Memory

__all__ = ["Activity", "Failed", "Session"]

Result = TypeVar("Result")

_log = logging.getLogger("lean-memory-mcp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """One call, as a trace shows it: when (milliseconds since the epoch), which tool, on which memory, for how long,
    and `done` or the error's code. Nothing of what was said."""

    at: int
    tool: str
    namespace: str
    ms: int
    outcome: str


class Failed(Exception):
    """A call failed; the message is for the caller, with the fix."""


class Session:
    """Calls tools and reads for resources.

    Args:
        settings: where the memories are and how they are read.
        namespace: the memory of calls that name none.
        trace: is given every call when it has ended, on the thread that works.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        trace: Callable[[Activity], None] | None = None,
    ) -> None:
        self.settings = settings
        self.namespace = namespace
        self._trace = trace
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="memory")
        self._held: Memory | None = None
        self._maintains = settings.environ.get("LM_MAINT_AUTO") == "1"

    def close(self) -> None:
        """Waits for what is being done."""
        self._worker.shutdown()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """What the tool answers. Raises Failed."""
        return await self._off_loop(lambda: self._call(name, arguments))

    async def read(self, what: str, read: Callable[[Call], Result], **given: Any) -> Result:
        """What `read` finds. Raises Failed; `what` names it then."""
        return await self._off_loop(lambda: self._guarded(what, lambda: read(self._asked(given))))

    async def _off_loop(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        from lean_memory.mcp_server.arguments import checked
        from lean_memory.mcp_server.tools import TOOLS

        if name not in TOOLS:
            raise Failed(f"there is no tool {name!r}\nFix: the tools are {', '.join(TOOLS)}")
        tool = TOOLS[name]
        begun, outcome, namespace = time.monotonic(), "done", str(arguments.get("namespace") or self.namespace)
        try:
            answer = self._guarded(name, lambda: tool.run(self._asked(checked(tool, arguments))))
        except Failed as failure:
            outcome = getattr(failure.__cause__, "code", "internal")
            raise
        finally:
            if self._trace is not None:
                ms = round(1000 * (time.monotonic() - begun))
                at = self.settings.now()
                self._trace(Activity(at=at, tool=name, namespace=namespace, ms=ms, outcome=outcome))
        if name == "memory_add":
            self._maintain(namespace)
        return answer

    def _asked(self, given: Mapping[str, Any]) -> Call:
        return Call(self._memory(), given, self.namespace, self.settings.local_zone())

    def _memory(self) -> Memory:
        if self._held is None:
            from lean_memory.memory import Memory

            self._held = Memory(settings=self.settings)
        return self._held

    def _guarded(self, what: str, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except LeanMemoryError as error:
            raise Failed(faults.told(what, error)) from error
        except Exception as error:
            _log.exception("%s failed", what)
            raise Failed(
                f"{what} failed (internal): {type(error).__name__}\n"
                "Fix: this is a fault of lean-memory; the server's stderr has the details: please report it"
            ) from error
        finally:
            if self._held is not None:
                self._held.close()

    def _maintain(self, namespace: str) -> None:
        """LM_MAINT_AUTO=1: after the first addition, one detached run of what needs no decision, where it is due."""
        if not self._maintains:
            return
        self._maintains = False
        from lean_memory.mcp_server.background import maintain

        try:
            maintain(namespace, self.settings)
        except OSError as error:
            print(f"lean-memory-mcp: no maintenance: {error}", file=sys.stderr)
