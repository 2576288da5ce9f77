"""The commands as if on Windows, as far as that goes elsewhere: `python tests/platforms/windows.py lm-search -n work`.

What `lean_memory` imports of the standard library lacks what Windows lacks, and does what Windows does where that
differs: a process id can't be probed, a folder can't be opened, a pipe can't be waited for, a closed pipe is an
invalid argument, processes are spawned. The standard library and other packages keep what they need.
"""

from __future__ import annotations

import builtins
import errno
import io
import multiprocessing
import os
import select
import signal
import socket
import subprocess
import sys
import time
from importlib import import_module
from types import ModuleType
from typing import Any

LACKING = frozenset("curses fcntl grp posix pty pwd readline resource syslog termios tty".split())
"""Modules."""

_SIGNALS = frozenset("SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN".split())


class Other(ModuleType):
    """A module without some of its names, and with some that are different."""

    def __init__(self, real: ModuleType, lacking: frozenset[str] = frozenset(), **different: Any) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(different, _real=real, _lacking=lacking)

    def __getattr__(self, name: str) -> Any:
        if name in self._lacking:
            raise AttributeError(f"Windows has no {self.__name__}.{name}")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._real, name, value)


def _open(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
    return os.open(path, flags, mode, **more)


def _kill(number: int, signal: int) -> None:
    raise AssertionError(f"on Windows this would end process {number}, or interrupt all of the console's")


def _select(*_: Any) -> Any:
    raise OSError(10038, "an operation was attempted on something that is not a socket")


class _Socket(socket.socket):
    def setsockopt(self, level: int, option: int, value: Any, *more: Any) -> None:  # type: ignore[override]
        assert option != socket.SO_REUSEADDR, "on Windows this lets any other program take the port over"
        if option != _EXCLUSIVE:
            super().setsockopt(level, option, value, *more)


class _Popen(subprocess.Popen[bytes]):
    def __init__(self, *words: Any, creationflags: int = 0, **more: Any) -> None:
        assert creationflags & _NO_WINDOW, "a console window would open"
        super().__init__(*words, **more)


class _Pipe(io.FileIO):
    """stdout whose reader's going away is told as Windows does."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise OSError(errno.EINVAL, "Invalid argument") from None


def _stdout() -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(_Pipe(1, "w", closefd=False)), sys.stdout.encoding, line_buffering=sys.stdout.line_buffering
    )


_EXCLUSIVE = -5
_NO_WINDOW = 0x08000000

colours: list[str] = []
"""What was asked of colorama."""


def others() -> dict[str, ModuleType]:
    """The modules that differ."""
    colorama = ModuleType("colorama")
    colorama.just_fix_windows_console = lambda: colours.append("fixed")  # type: ignore[attr-defined]
    return {
        "os": Other(
            os,
            frozenset(
                "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_SYNC fchmod fchown fdatasync fork forkpty geteuid getgid"
                " getloadavg getpgid getuid killpg mkfifo nice openpty posix_fadvise posix_fallocate pread pwrite readv"
                " register_at_fork sched_getaffinity setsid statvfs sync sysconf uname wait3 writev".split()
            ),
            name="nt", open=_open, kill=_kill,
        ),
        "sys": Other(sys, platform="win32"),
        "signal": Other(signal, frozenset(n for n in dir(signal) if n.startswith("SIG") and n not in _SIGNALS)),
        "select": Other(select, frozenset({"poll", "epoll", "kqueue"}), select=_select),
        "socket": Other(socket, frozenset({"AF_UNIX"}), socket=_Socket, SO_EXCLUSIVEADDRUSE=_EXCLUSIVE),
        "subprocess": Other(
            subprocess, Popen=_Popen, CREATE_NO_WINDOW=_NO_WINDOW, CREATE_NEW_PROCESS_GROUP=0x200
        ),
        "time": Other(time, frozenset({"tzset", "clock_gettime"})),
        "colorama": colorama,
    }  # fmt: skip


def install() -> None:
    """From now on."""
    instead = others()
    real = builtins.__import__

    def differently(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> ModuleType:
        if not level and str((globals or {}).get("__name__")).split(".")[0] == "lean_memory":
            if name.split(".")[0] in LACKING:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in instead:
                return instead[name]
        return real(name, globals, locals, fromlist, level)

    builtins.__import__ = differently


def main() -> None:
    """Runs the command that is named first."""
    multiprocessing.set_start_method("spawn")
    sys.stdout = _stdout()
    command = sys.argv.pop(1)
    sys.argv[0] = command
    import_module("lean_memory.cli." + command.rsplit("-", 1)[1]).main()


if __name__ in ("__main__", "__mp_main__"):  # the second: a worker that was spawned
    install()
if __name__ == "__main__":
    main()
