"""A command on a pseudo-terminal, as a person has it: see what is there, press a key."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from pathlib import Path
from types import TracebackType

from tests.commands import environment

__all__ = ["Terminal"]


class Terminal:
    """Ends the command when the block does."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._primary, secondary = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=secondary, stdout=secondary, stderr=secondary, cwd=folder, env=environment(folder),
            start_new_session=True, preexec_fn=_take_terminal,
        )  # fmt: skip
        os.close(secondary)
        self._unread = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._primary)

    def until(self, text: str, timeout: float = 60) -> str:
        """What appears, up to and with `text`."""
        deadline = time.monotonic() + timeout
        while text not in self._unread:
            ready, _, _ = select.select([self._primary], [], [], max(0.0, deadline - time.monotonic()))
            data = self._read() if ready else b""
            assert data, f"{text!r} did not appear; there is: {self._unread!r}"
            self._unread += data.decode().replace("\r\n", "\n")
        seen, found, self._unread = self._unread.partition(text)
        return seen + found

    def press(self, keys: str) -> None:
        """Types, as fast as one likes: the terminal holds it until it is read."""
        os.write(self._primary, keys.encode())

    def echoes(self) -> bool:
        """Whether it shows what is typed, and waits for whole lines."""
        import termios

        flags = termios.tcgetattr(self._primary)[3]
        return bool(flags & termios.ECHO and flags & termios.ICANON)

    def end(self) -> tuple[int, str]:
        """Exit code, and what else appeared."""
        while data := self._read():
            self._unread += data.decode().replace("\r\n", "\n")
        return self.process.wait(60), self._unread

    def _read(self) -> bytes:
        try:
            return os.read(self._primary, 1 << 16)
        except OSError:  # Linux's way to say that the last writer is gone
            return b""


def _take_terminal() -> None:
    """Makes the pseudo-terminal the one whose Ctrl-C the command hears."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
